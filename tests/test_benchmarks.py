"""The benchmarks run, tell UNKNOWN from solved, and write what they promise. Nothing here looks at a time."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import harmony, table
from benchmarks.harmony_boards import BoardClass, Size, solvable_class, spoil, unsolvable_class
from benchmarks.harmony_contenders import BASE, CONTENDERS, WITH_TESTS, WITHOUT_TESTS, Contender, Outcome
from benchmarks.measures import Measure, Run, quantile, ratio, summarise
from benchmarks.startup import summarise_startup
from rich.console import Console

import solvent
from solvent.core.answer import Verdict

TINY = Size(2, 3)
NO_CLOCK = harmony.Limits(seconds=None, slow_seconds=None, nodes=200_000)


def run_all(group: BoardClass, limits: harmony.Limits, contenders=CONTENDERS) -> list[Run]:
    return [run for _, runs in harmony.run_class(group, limits, contenders) for run in runs]


def made_up(contender: str, verdict: Verdict, seconds: float, instance: str = "seed 0", **more) -> Run:
    return Run("class", instance, contender, verdict, seconds, **more)


def test_a_small_comparison_writes_everything(tmp_path: Path) -> None:
    groups = [solvable_class(TINY, 1), unsolvable_class(TINY, 1)]
    runs = [run for group in groups for run in run_all(group, NO_CLOCK)]
    results = harmony.report(groups, runs, NO_CLOCK)
    written = json.loads(table.write_json("harmony", results, tmp_path / "deep" / "out.json").read_text())

    assert written["benchmark"] == "harmony"
    assert {"cpu", "cores", "python", "packages"} <= written["machine"].keys()
    assert written["machine"]["packages"]["numba"]
    assert "commit" in written
    assert [group["name"] for group in written["classes"]] == ["2×2 K=3", "NO 2×2 K=3"]
    assert len(written["summary"]) == len(written["runs"]) == 2 * len(CONTENDERS)
    verdict = {(row["class"], row["contender"]): row["verdicts"] for row in written["summary"]}
    assert verdict["2×2 K=3", BASE] == {"YES": 1, "NO": 0, "UNKNOWN": 0}
    assert verdict["NO 2×2 K=3", BASE] == {"YES": 0, "NO": 1, "UNKNOWN": 0}
    assert verdict["NO 2×2 K=3", "annealing"] == {"YES": 0, "NO": 0, "UNKNOWN": 1}
    assert written["disagreements"] == []
    certified = {(run["class"], run["contender"]): run["certified"] for run in written["runs"]}
    assert certified["NO 2×2 K=3", BASE]
    assert not certified["NO 2×2 K=3", WITHOUT_TESTS]
    assert {row["test"] for row in written["invalidity_tests"]} >= {"WrongRowZeroMoves"}


def test_an_exhausted_budget_is_not_solved() -> None:
    limits = replace(NO_CLOCK, nodes=1)
    group = solvable_class(Size(3, 8), 1)
    runs = run_all(group, limits, [one for one in CONTENDERS if one.name in (WITH_TESTS, WITHOUT_TESTS)])
    for row in harmony.report([group], runs, limits)["summary"]:
        assert row["solved"] == 0
        assert row["verdicts"] == {"YES": 0, "NO": 0, "UNKNOWN": 1}
        assert not row["seconds"]["median"]["exact"]
        assert row["answered_by"] == {}
    assert all(run.reason is not None and "nodes" in run.reason for run in runs)


def test_the_search_agrees_with_and_without_its_tests() -> None:
    group = solvable_class(Size(3, 6), 3)
    runs = run_all(group, NO_CLOCK, [one for one in CONTENDERS if one.name in (WITH_TESTS, WITHOUT_TESTS)])
    worth = harmony.worth_of_tests(group.name, runs)
    assert worth is not None
    assert (worth["tried"], worth["both"]) == (3, 3)
    assert worth["nodes_with"] < worth["nodes_without"]


def test_no_answer_sorts_last_and_is_only_a_bound() -> None:
    runs = [made_up("a", Verdict.UNKNOWN, 0.1), made_up("a", Verdict.YES, 5.0), made_up("a", Verdict.NO, 1.0)]
    assert quantile(runs, 0.5) == Measure(5.0)
    assert quantile(runs, 1.0) == Measure(5.0, exact=False)
    assert ratio(Measure(2.0, exact=False), Measure(0.5)) == Measure(4.0, exact=False)
    assert ratio(Measure(2.0), Measure(0.5, exact=False)) is None


def test_ratios_compare_the_same_boards() -> None:
    base = [made_up(BASE, Verdict.YES, 1.0, "seed 0")]
    base += [made_up(BASE, Verdict.YES, 100.0, f"seed {seed}") for seed in (1, 2)]
    row = summarise([made_up("other", Verdict.YES, 3.0, "seed 0")], base)
    assert row["ratio"]["median"] == {"value": 3.0, "exact": True}


def test_answers_that_only_the_longer_limit_allowed_are_told() -> None:
    group = BoardClass("class", {})
    limits = harmony.Limits(seconds=10.0, slow_seconds=2.0)
    runs = [
        made_up(BASE, Verdict.YES, 5.0, "seed 0"),
        made_up(BASE, Verdict.YES, 1.0, "seed 1"),
        made_up(BASE, Verdict.UNKNOWN, 10.0, "seed 2"),
        made_up("order", Verdict.YES, 2.1, "seed 0"),
    ]
    results = harmony.report([group], runs, limits)
    assert table.count_late(results, "class") == 1
    assert any("1 of the portfolio's answers" in line for line in table.remarks(results))


def test_opposite_answers_are_reported() -> None:
    runs = [made_up("a", Verdict.YES, 1.0), made_up("b", Verdict.NO, 1.0), made_up("c", Verdict.UNKNOWN, 1.0)]
    assert harmony.find_disagreements(runs) == ["class, seed 0"]
    assert harmony.find_disagreements(runs[1:]) == []


@pytest.mark.parametrize(("answers_at", "expected"), [(None, 3), (4, 3), (2, 6)])
def test_who_decides_none_of_the_first_boards_sits_out_the_rest(answers_at: int | None, expected: int) -> None:
    tries = 0

    def attempt(board, budget, listen) -> Outcome:
        nonlocal tries
        tries += 1
        return Outcome(Verdict.NO if tries == answers_at else Verdict.UNKNOWN, reason="told to")

    runs = run_all(solvable_class(TINY, 6), NO_CLOCK, [Contender("stub", attempt)])
    assert len(runs) == tries == expected


def test_the_order_changes_from_board_to_board() -> None:
    orders = [harmony.take_turns(CONTENDERS, index) for index in range(len(CONTENDERS))]
    assert all(sorted(one.name for one in order) == sorted(one.name for one in CONTENDERS) for order in orders)
    assert len({tuple(one.name for one in order) for order in orders}) == len(CONTENDERS)
    assert len({order[0].name for order in orders}) >= len(CONTENDERS) // 2


def test_spoiling_keeps_the_plain_counts() -> None:
    for seed in range(20):
        board = Size(4, 8).generate(seed)
        spoilt = spoil(board, seed)
        assert spoilt != board
        assert sorted(spoilt.colours) == sorted(board.colours)
        assert sum(spoilt.moves) == sum(board.moves)
        assert spoilt == spoil(board, seed)


def test_near_misses_break_no_invariant() -> None:
    for board in unsolvable_class(Size(3, 8), 2, near_misses=True).boards.values():
        answer = solvent.ask(board, nodes=200_000)
        assert answer.verdict is Verdict.NO
        assert answer.stats["answered_by"] != "invariant"


def test_tables_fit_100_columns() -> None:
    row = summarise(
        [made_up("dfs, no tests", Verdict.NO, 1234.5, nodes=10**9, answered_by="invariant")],
        [made_up(BASE, Verdict.NO, 0.0001)],
    ) | {"class": "near 6×6 K=20", "answered_by": {"annealing": 12, "invariant": 3, "order": 5}}
    console = Console(width=table.WIDTH)
    with console.capture() as capture:
        console.print(table.summary_table([row]))
    shown = capture.get()
    assert "…" not in shown
    assert "0/1*/0" in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_startup_rows_are_ratios_to_bare_python() -> None:
    rows = summarise_startup({"python -c pass": [2.0, 1.0, 3.0], "solvent --version": [4.0, 4.0, 6.0]})
    assert [row["ratio"]["median"] for row in rows] == [1.0, 2.0]
    assert rows[1]["ratio"]["max"] == 2.0
