"""The benchmark of very many instances: what is measured, that it goes on where it stopped, what tables say."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks import scale, scale_table
from benchmarks.__main__ import main
from benchmarks.batch_runs import Used
from benchmarks.scale import Notes, Step
from click.testing import CliRunner
from rich.console import Console

USED = Used(seconds=8.0, cpu_seconds=6.0, leader_cpu_seconds=1.5, samples=[(0.0, 30.0), (1.0, 41.5)])


def measured(**more: Any) -> dict[str, Any]:
    return {"load_at_start": 1.0, "load_at_end": 3.0, **scale.figures_of(USED, Path("none.db")), **more}


def test_sizes_grow_tenfold() -> None:
    assert scale.sizes_up_to(1_000_000) == [10_000, 100_000, 1_000_000]
    assert scale.sizes_up_to(25_000) == [10_000, 25_000]
    assert scale.sizes_up_to(30) == [30]


def test_the_plan_has_a_cluster_only_for_sizes_that_end_in_time(tmp_path: Path) -> None:
    names = [step.name for step in scale.plan(tmp_path, [100_000, 1_000_000])]
    assert {"100000/cluster-2", "100000/cluster-4", "1000000/run", "1000000/comparison"} <= set(names)
    assert not [name for name in names if name.startswith("1000000/cluster")]
    assert [step.name for step in scale.plan(tmp_path, [30], ["run"])] == ["30/run"]


def test_instances_are_distinct_lines_and_kept(tmp_path: Path) -> None:
    told: list[str] = []
    scale.write_boards(tmp_path, [30], told.append)
    lines = (tmp_path / "boards-30.jsonl").read_text().splitlines()
    assert len({json.loads(line)["text"] for line in lines}) == 30
    scale.write_boards(tmp_path, [30], told.append)
    assert told == ["making 30 instances"]


def test_a_step_that_was_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = iter([Used(5.0, 4.0, 1.0, [(0.0, 50.0)], finished=False), USED])
    monkeypatch.setattr(scale, "measure", lambda *_, **__: next(parts))
    store = tmp_path / "a.db"
    step = Step("30/run", "run", ("-m", "solvent"), store, fresh=True)
    store.write_text("left over")
    with pytest.raises(KeyboardInterrupt):
        scale.carry_out(step, Notes(tmp_path / "measured.json"))
    assert not store.exists(), "the first part begins with nothing"
    store.write_text("half of it")
    notes = Notes(tmp_path / "measured.json")
    assert not notes.is_done("30/run")
    scale.carry_out(step, notes)
    assert store.exists(), "the second goes on"
    found = Notes(tmp_path / "measured.json").steps["30/run"]
    assert (found["seconds"], found["cpu_seconds"], found["leader_cpu_seconds"]) == (13.0, 10.0, 2.5)
    assert (found["leader_megabytes"], found["done"], found["parts_without_figures"]) == (50.0, True, 0)


def test_a_part_that_was_killed_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "measure", lambda *_, **__: USED)
    notes = Notes(tmp_path / "measured.json")
    notes.write("30/run", at_work=True)
    scale.carry_out(Step("30/run", "run", (), tmp_path / "a.db", fresh=True), notes)
    assert notes.steps["30/run"]["parts_without_figures"] == 1


def test_tables_say_what_was_measured_and_what_was_not() -> None:
    page = {"list of runs": 0.5, "one run": 0.25, "charts": 3.0, "check begins": 150.0}
    steps = {
        "10000/run": measured(store_megabytes=15.0),
        "10000/page": measured(parts=page),
        "10000/cluster-2": measured(),
    }
    results = {
        "sizes": [10_000, 100_000],
        "steps": steps,
        "missing": ["100000/run"],
        "written": "20260102T000000Z",
        "machine": {"cpu": "a processor", "cores": 2, "python": "3.11.7"},
    }
    _, runs = scale_table.runs_table(results)
    assert runs[0] == ["10,000", "0.60 ms", "0.15 ms", "42 MB", "15 MB", "8.0 s, load 2", "–"]
    assert runs[1] == ["100,000", "–", "–", "–", "–", "–", "–"]
    _, reading = scale_table.reading_table(results)
    assert reading[0] == ["10,000", "–", "–", "–", "0.50 s", "0.25 s", "3.0 s", "2 min"]
    assert scale_table.cluster_table(results)[1] == [["10,000", "2", "0.15 ms", "42 MB", "8.0 s, load 2"]]
    heading, rows = scale_table.billion_table(results)
    assert heading[1] == "from 10,000 measured"
    figures = {row[0]: row[1] for row in rows}
    assert (figures["core hours"], figures["dollars"], figures["disk"]) == ("167", "7", "1.5 TB")
    assert "not measured: 100,000 (run)" in scale_table.describe_measurement(results)
    shown = io.StringIO()
    scale_table.show_scale(Console(file=shown, width=120), results)
    assert "Not measured: 100000/run." in shown.getvalue()


def test_one_command_measures_and_writes(tmp_path: Path) -> None:
    words = ["scale", "--up-to", "20", "--sections", "run,page", "--folder", str(tmp_path / "kept")]
    done = CliRunner().invoke(main, [*words, "--json", str(tmp_path / "out.json")])
    assert done.exit_code == 0, done.output
    results = json.loads((tmp_path / "out.json").read_text())
    assert results["missing"] == ["20/report", "20/table", "20/comparison", "20/again"]
    assert set(results["steps"]["20/page"]["parts"]) >= {"list of runs", "charts", "check begins"}
    assert results["steps"]["20/run"]["store_megabytes"] > 0
