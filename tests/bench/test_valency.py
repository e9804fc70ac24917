"""The Valency benchmark: that tasks are what they say, that no fill is believed, that nothing is hidden."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks import table, valency, valency_scaling, valency_solvers, valency_table, valency_tasks
from benchmarks.__main__ import main
from benchmarks.valency import OURS, FillRun, Section
from benchmarks.valency_solvers import PLAIN, Contender, Fill
from benchmarks.valency_tasks import TaskClass
from click.testing import CliRunner
from rich.console import Console

import solvent
from solvent.core.answer import Verdict
from solvent.core.errors import UnsoundAnswer
from solvent.valency.model import NULL_SLOT, UNSOLVABLE, Lattice, Staging
from solvent.valency.notation.samples import learn_tiled, parse_sample
from solvent.valency.solver.network import boot

ENOUGH = 1000.0
PIPES = valency_tasks.tile_class("pipes", 6, (0, 1, 2), Path())
assert PIPES is not None
STRIPES = learn_tiled(parse_sample("ab\nab\n"), periodic=True)
"""Columns of a beside columns of b: two fills of any grid of even width that wraps around, none of an odd one."""
ODD = TaskClass("odd", Staging(STRIPES, Lattice(3, 2, periodic=(True, False, False))), (0,))
EVEN = TaskClass("even", Staging(STRIPES, Lattice(4, 2, periodic=(True, False, False))), (0, 1, 2))
FILLED = Fill(Verdict.YES, np.array([0, 1, 0, 1] * 2))
OTHER = Fill(Verdict.YES, np.array([1, 0, 1, 0] * 2))
BROKEN = Fill(Verdict.YES, np.array([0, 0, 0, 1] * 2))
GAVE_UP = Fill(Verdict.UNKNOWN, tries=7, reason="over the limit")


def stub(name: str, *fills: Fill, repeatable: bool = True) -> Contender:
    """Return a contender that comes to these in turn, and to the last one for ever."""
    left = list(fills)
    return Contender(name, lambda *_words: left.pop(0) if len(left) > 1 else left[0], repeatable=repeatable)


def section_of(*contenders: Contender, seconds: float = ENOUGH) -> Section:
    return Section("tilesets", "A section", contenders, OURS, lambda: [EVEN], seconds)


def run_stubs(section: Section, group: TaskClass = EVEN) -> list[FillRun]:
    return [run for _, runs in valency.run_class(section, group) for run in runs]


needs_ortools = pytest.mark.skipif(
    valency_solvers.CP_SAT not in valency_solvers.installed_peers(),
    reason="ortools is not installed; the extra is `bench`",
)


@pytest.mark.parametrize(
    "contender",
    [
        valency_solvers.FRONTIER,
        valency_solvers.UNBALANCED,
        valency_solvers.ENTROPY,
        valency_solvers.SCANLINE,
        valency_solvers.RESTARTS,
        valency_solvers.ASKING,
        valency_solvers.GLUCOSE,
        pytest.param(valency_solvers.CP_SAT, marks=needs_ortools),
    ],
    ids=lambda contender: contender.name,
)
def test_everybody_fills_what_the_checker_accepts(contender: Contender) -> None:
    for group in (PIPES, EVEN):
        fill = contender.attempt(contender.prepare(group.staging), 1, ENOUGH)
        assert fill.verdict is Verdict.YES
        assert valency.refused_by_checker(group.staging, fill.modules) is None
    assert contender.attempt(contender.prepare(ODD.staging), 1, ENOUGH).verdict is not Verdict.YES


@pytest.mark.parametrize(
    "contender",
    [valency_solvers.ASKING, valency_solvers.GLUCOSE, pytest.param(valency_solvers.CP_SAT, marks=needs_ortools)],
    ids=lambda contender: contender.name,
)
def test_who_can_say_no_does(contender: Contender) -> None:
    assert contender.attempt(contender.prepare(ODD.staging), 0, ENOUGH).verdict is Verdict.NO


def test_the_command_fills_from_the_seed_it_is_given() -> None:
    command = valency_solvers.AS_COMMAND
    fill = command.attempt(command.prepare(EVEN.staging), 1, ENOUGH)
    assert fill.verdict is Verdict.YES
    assert fill.certified


def test_restarts_are_counted_and_end() -> None:
    fill = valency_solvers.restart(boot(ODD.staging), 0, ENOUGH, most_tries=4)
    assert (fill.verdict, fill.tries, fill.modules) == (Verdict.UNKNOWN, 4, None)


def test_what_lazy_leaves_out_is_counted() -> None:
    fill = valency_solvers.fill_lazily(boot(ODD.staging), 0, ENOUGH)
    assert fill.verdict is Verdict.UNKNOWN
    assert (fill.modules == UNSOLVABLE).any()
    assert 0 < valency.share_left_out(fill.modules) < 1
    assert valency.share_left_out(np.array([0, NULL_SLOT, UNSOLVABLE, 1])) == pytest.approx(1 / 3)


def test_distance_to_weights() -> None:
    assert valency.distance_to_weights(STRIPES, np.array([0, 1, 1, 0])) == 0
    assert valency.distance_to_weights(STRIPES, np.array([0, 0, 0, NULL_SLOT])) == 0.5
    assert valency.mean_and_error([0.1, 0.3]) == {"mean": 0.2, "error": 0.1}
    assert valency.mean_and_error([0.1]) == {"mean": 0.1, "error": 0.0}
    assert valency.mean_and_error([]) is None


def test_a_mesh_is_a_graph_of_85_modules() -> None:
    pytest.importorskip("scipy")
    group = valency_tasks.delaunay_class(100, (0,))
    assert group is not None
    modules = group.staging.rules.modules
    assert (len(modules), modules[0].weight, modules[1].weight) == (85, 4.0, 1.0)
    network = boot(group.staging)
    assert network.words == 2
    assert network.cache.open_nodes.all()
    fill = valency_solvers.FRONTIER.attempt(network, 0, ENOUGH)
    assert valency.find_fault(group, [fill], repeatable=True) is None
    assert fill.verdict is Verdict.YES


def test_patterns_of_the_sample() -> None:
    counts = [len(valency_tasks.pattern_class(*words, 8, (0,)).staging.rules.modules) for words in ((3, 1), (3, 8))]
    assert counts == [144, 373]


def test_public_tile_sets(corpora: Path) -> None:
    if not (corpora / "tilesets").is_dir():
        pytest.skip(f"no public tile sets in {corpora}")
    groups = [valency_tasks.tile_class(name, 10, (0,), corpora / "tilesets") for name in valency_tasks.PUBLIC]
    assert [len(group.staging.rules.modules) for group in groups if group] == [9, 22, 28, 56, 29]


def test_rules_that_are_not_there(tmp_path: Path) -> None:
    assert valency_tasks.tile_class("Castle", 10, (0,), tmp_path) is None


def test_a_comparison_writes_everything(tmp_path: Path) -> None:
    plain = replace(valency_solvers.RESTARTS, attempt=lambda *_words: OTHER, prepare=lambda staging: staging)
    lazy = replace(valency_solvers.LAZILY, attempt=lambda *_words: replace(GAVE_UP, modules=np.full(8, UNSOLVABLE)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(valency, "RIVALS", (plain,))
        patch.setattr(valency, "LAZILY", lazy)
        section = section_of(stub(OURS, FILLED), plain, lazy)
        results = valency.report([(section, [EVEN])], run_stubs(section), [])
    written = json.loads(table.write_json("valency", results, tmp_path / "out.json").read_text())
    assert {"machine", "commit", "peers", "scaling"} <= written.keys()
    (shown,) = written["sections"]
    assert shown["classes"] == [{"name": "even", "instances": 3, "modules": 2}]
    assert [row["solved"] for row in shown["summary"]] == [3, 3, 0]
    assert [row["left_out"] for row in shown["summary"]] == [None, None, 1.0]
    (row,) = shown["comparison"]
    assert (row["contender"], row["both"], row["distance"]["mean"], row["base_distance"]["mean"]) == (PLAIN, 3, 0, 0)
    assert len(written["runs"]) == 9  # lazy fills nothing, and does not sit out
    assert all(run["repeats"] >= valency.REPEATS.fewest for run in written["runs"])
    assert written["wrong"] == []


def test_who_fills_nothing_sits_out() -> None:
    runs = run_stubs(section_of(stub(OURS, FILLED), stub("other", GAVE_UP)))
    assert [run.contender for run in runs].count("other") == valency.PATIENCE
    assert all(run.seconds >= ENOUGH and not run.decided for run in runs if run.contender == "other")
    late = run_stubs(section_of(stub(OURS, FILLED), seconds=0.0))
    assert all(run.verdict is Verdict.UNKNOWN for run in late)


@pytest.mark.parametrize(
    ("contender", "said"),
    [
        (stub("other", BROKEN), "other: "),
        (stub("other", FILLED, OTHER), "fills differently from the same seed"),
        (stub("other", Fill(Verdict.NO)), "other NO"),
        (stub("other", replace(GAVE_UP, wrong="refused")), "refused"),
    ],
)
def test_answers_that_cannot_be_right_are_told(contender: Contender, said: str) -> None:
    lines = valency.find_wrong(run_stubs(section_of(stub(OURS, FILLED), contender)))
    assert lines
    assert all(line.startswith("tilesets, even") for line in lines)
    assert any(said in line for line in lines)


def test_answers_that_may_differ() -> None:
    changing = stub("other", FILLED, OTHER, repeatable=False)
    assert valency.find_wrong(run_stubs(section_of(stub(OURS, FILLED), changing, stub("over", GAVE_UP)))) == []


def test_a_verdict_that_is_known_otherwise_is_told() -> None:
    known = replace(EVEN, expected=Verdict.NO)
    assert valency.find_fault(known, [FILLED], repeatable=True) == "says YES where NO is known"
    assert valency.find_fault(known, [GAVE_UP], repeatable=True) is None


def test_an_answer_that_the_checker_refused_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args, **_options):
        raise UnsoundAnswer("refused")

    monkeypatch.setattr(solvent, "ask", refuse)
    fill = valency_solvers.ask(EVEN.staging, 0, ENOUGH)
    assert (fill.verdict, fill.wrong) == (Verdict.UNKNOWN, "refused")


def test_growth_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    row = valency_scaling.measure_growth("terrain", 12, tmp_path)
    assert (row["class"], row["nodes"], row["asked"]) == ("terrain 12²", 144, "YES")
    assert row["filled"] == row["rounds"]
    assert row["megabytes_before"] > 0
    with pytest.raises(RuntimeError, match="no rules Castle"):
        valency_scaling.measure_growth("Castle", 12, tmp_path)


@pytest.mark.slow
def test_the_quick_benchmark_without_peers_and_corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valency, "REPEATS", replace(valency.REPEATS, most=2))
    on_mesh = valency_tasks.delaunay_class
    monkeypatch.setattr(valency_tasks, "delaunay_class", lambda _nodes, seeds: on_mesh(100, seeds))  # one gives up late
    out = tmp_path / "out.json"
    words = ["valency", "--quick", "--no-peers", "--seconds", "1000", "--folder", str(tmp_path), "--json", str(out)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "No public tile sets" in result.output
    assert "The checker accepts every fill, and all answers agree." in result.output
    assert "…" not in result.output
    written = json.loads(out.read_text())
    assert [*(section["name"] for section in written["sections"]), "scaling"] == [
        name for name in valency.NAMES if name != "scaling"
    ] + ["scaling"]
    assert len(written["scaling"]) == 2
    assert {run["contender"] for run in written["runs"]}.isdisjoint({"Glucose", "CP-SAT"})


@pytest.mark.slow
def test_sections_are_chosen_by_name(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    words = ["valency", "--quick", "--folder", str(tmp_path), "--json", str(out), "--sections"]
    assert CliRunner().invoke(main, [*words, "examples"]).exit_code == 0
    assert [section["name"] for section in json.loads(out.read_text())["sections"]] == ["examples"]
    assert CliRunner().invoke(main, [*words, "examples,all"]).exit_code == 2


def test_wrong_answers_end_with_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section = section_of(stub(OURS, FILLED), stub("other", BROKEN))
    monkeypatch.setattr(valency, "all_sections", lambda *_args, **_options: [section])
    words = ["valency", "--sections", "tilesets", "--json", str(tmp_path / "out.json")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert "WRONG: tilesets, even, seed 0: other:" in result.output


def test_tables_fit_100_columns() -> None:
    name = "FloorPlan 100²"
    slow = Fill(Verdict.UNKNOWN, tries=9999)
    contenders = [stub(OURS, FILLED), stub(PLAIN, FILLED), stub("as a command", slow)]
    section = section_of(*contenders, seconds=123.0)
    group = replace(EVEN, name=name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(valency, "RIVALS", tuple(contenders[1:]))
        growth = [{
            "class": "terrain 1000²", "nodes": 1_000_000, "filled": 3, "rounds": 3, "boot_seconds": 123.456,
            "fill_seconds": 123.456, "cpu_microseconds_a_node": 123.45, "ask_seconds": 123.4,
            "megabytes_filling": 12345.6, "megabytes_asking": 12345.6,
        }]  # fmt: skip
        results = valency.report([(section, [group])], run_stubs(section, group), growth)
    console = Console(width=table.WIDTH)
    with console.capture() as capture:
        valency_table.show_valency(console, results)
    shown = capture.get()
    assert "…" not in shown
    assert ">123000" in shown
    assert max(map(len, shown.splitlines())) <= 100
