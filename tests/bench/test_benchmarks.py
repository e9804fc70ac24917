"""The benchmarks run, tell UNKNOWN from solved, and write what they promise. Nothing here looks at a time."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks import harmony, process, starbattle, starbattle_peers, starbattle_puzzles, starbattle_table, table
from benchmarks.__main__ import main
from benchmarks.harmony_boards import BoardClass, Size, solvable_class, spoil, unsolvable_class
from benchmarks.harmony_contenders import BASE, CONTENDERS, WITH_TESTS, WITHOUT_TESTS, Contender, Outcome
from benchmarks.measures import Measure, Run, Span, median_span, quantile, ratio, summarise
from benchmarks.repeats import OVER, Repeats, sum_up, take_turns
from benchmarks.starbattle import OURS, PROVED, PuzzleRun
from benchmarks.starbattle_puzzles import Kind, PuzzleClass
from click.testing import CliRunner
from rich.console import Console

import solvent
from solvent.core.answer import Answer, Verdict
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle

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
    assert written["machine"]["packages"]["numpy"]
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


def test_how_often_an_instance_is_repeated() -> None:
    repeats = Repeats(enough_seconds=1.0, short_seconds=0.5, fewest=3, most=5)
    enough = {(): False, (0.9,): False, (1.0,): True, (0.4, 0.9): False, (0.4, 0.9, 0.1): True, (0.1,) * 5: True}
    assert {times: repeats.are_enough(times) for times in enough} == enough
    assert not replace(repeats, most=None).are_enough([0.1] * 5)


def test_repeats_together_are_over_the_limit_if_they_are_late_or_undecided() -> None:
    sure = starbattle_peers.Outcome(Verdict.NO, certified=True)
    unsure = starbattle_peers.Outcome(Verdict.UNKNOWN, reason="told to")
    within = sum_up([0.1, 0.3, 9.0], [sure] * 3, 1.0)
    assert (within.verdict, within.seconds, within.certified, within.reason) == (Verdict.NO, 0.3, True, None)
    late = sum_up([2.0], [sure], 1.0)
    assert (late.verdict, late.seconds, late.certified, late.reason) == (Verdict.UNKNOWN, 2.0, False, OVER)
    assert late.said == {Verdict.NO}, "what was said late is not forgotten"
    undecided = sum_up([0.1, 0.1], [sure, unsure], 1.0)
    assert (undecided.verdict, undecided.seconds, undecided.reason) == (Verdict.UNKNOWN, 1.0, "told to")
    assert undecided.typical == 0.1


def test_the_order_changes_from_board_to_board() -> None:
    orders = [take_turns(CONTENDERS, index) for index in range(len(CONTENDERS))]
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


def cost(seconds: float, code: int = 0, output: str = "") -> process.Cost:
    return process.Cost(seconds, 20.0, code, output)


def test_the_costs_of_a_process_are_ratios_to_its_yardstick() -> None:
    commands = [
        process.Command("script", (), "script", answers=True),
        process.Command("solve", (), "script", answers=True),
        process.Command("hint", (), "script"),
    ]
    costs = {
        "script": [cost(2.0, output="NO\n"), cost(1.0, output="NO\n"), cost(3.0, output="NO\n")],
        "solve": [cost(4.0, 10), cost(4.0, 10), cost(6.0, 10)],
        "hint": [cost(1.0), cost(1.0), cost(1.0)],
    }
    results = process.report(costs, commands)
    assert [row["ratio"]["median"] for row in results["summary"]] == [1.0, 2.0, 0.5]
    assert results["summary"][1]["ratio"]["max"] == 2.0
    assert results["wrong"] == []
    costs["solve"][1] = cost(4.0, 0)
    assert process.report(costs, commands)["wrong"] == ["solve said NO, YES, script said NO"]


@pytest.mark.slow
def test_whole_processes_are_started_and_agree(tmp_path: Path) -> None:
    """Each minimal script answers what the domain's example is known to have, and so does the command."""
    out = tmp_path / "process.json"
    ran = CliRunner().invoke(main, ["process", "--rounds", "1", "--json", str(out)])
    assert ran.exit_code == 0, ran.output
    assert "Scripts and command gave the same answers." in ran.output
    assert max(map(len, ran.output.splitlines())) <= 100
    rows = {row["command"]: row for row in json.loads(out.read_text())["summary"]}
    assert rows.keys() >= {"python -c pass", "solvent --version", *(f"solve, {name}" for name in solvent.domains())}
    assert {f"script, {name}" for name in solvent.domains()} <= rows.keys()
    assert all(row["cpu_seconds"]["median"] > 0 and row["megabytes"]["median"] > 1 for row in rows.values())


def test_a_command_that_fails_is_told() -> None:
    broken = process.Command("broken", (sys.executable, "-c", "raise SystemExit('no such luck')"), "broken")
    with pytest.raises(RuntimeError, match="exit code 1: no such luck"):
        process.measure_processes(1, [broken])


# On 4×4 with one star, only r1c2 r2c4 r3c1 r4c3 and its mirror image keep all stars apart.
ONE_WAY = frozenset({1, 7, 8, 14})
TWO_WAYS = Puzzle(4, 1, (0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3), UNKNOWN * 16)
UNIQUE = Puzzle(4, 1, (0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 3, 0), UNKNOWN * 16)
IMPOSSIBLE = Puzzle(4, 1, (0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3), UNKNOWN * 16)
TOO_SMALL = Puzzle(4, 2, UNIQUE.regions, UNKNOWN * 16)
"""Three regions have one cell and want two stars."""
PEERS = [
    pytest.param(
        peer.contender.attempt,
        id=peer.package,
        marks=pytest.mark.skipif(not peer.installed, reason=f"{peer.package} is not installed; the extra is `bench`"),
    )
    for peer in starbattle_peers.PEERS
]


def mark(puzzle: Puzzle, cell: int, value: str) -> Puzzle:
    return replace(puzzle, marks=puzzle.marks[:cell] + value + puzzle.marks[cell + 1 :])


@pytest.mark.parametrize("attempt", PEERS)
def test_a_peer_finds_the_solution_and_that_there_is_no_other(attempt) -> None:
    outcome = attempt(UNIQUE, 60.0)
    assert (outcome.verdict, outcome.solutions, outcome.stars) == (Verdict.YES, 1, ONE_WAY)


@pytest.mark.parametrize("attempt", PEERS)
@pytest.mark.parametrize(("puzzle", "solutions"), [(TWO_WAYS, 2), (IMPOSSIBLE, 0), (TOO_SMALL, 0)])
def test_a_peer_says_no_to_none_and_to_several(attempt, puzzle: Puzzle, solutions: int) -> None:
    outcome = attempt(puzzle, 60.0)
    assert (outcome.verdict, outcome.solutions, outcome.stars) == (Verdict.NO, solutions, None)


@pytest.mark.parametrize("attempt", PEERS)
def test_a_peer_keeps_the_marks(attempt) -> None:
    assert attempt(mark(TWO_WAYS, 1, STAR), 60.0).stars == ONE_WAY
    assert attempt(mark(TWO_WAYS, 2, CROSS), 60.0).stars == ONE_WAY
    assert attempt(mark(mark(TWO_WAYS, 1, CROSS), 2, CROSS), 60.0).solutions == 0


@pytest.mark.parametrize("attempt", PEERS)
def test_a_peer_without_time_never_says_no_for_it(attempt) -> None:
    outcome = attempt(UNIQUE, 0.0)
    if outcome.verdict is Verdict.UNKNOWN:
        assert (outcome.solutions, outcome.stars, outcome.reason) == (None, None, starbattle_peers.OVER)
    else:  # it was quicker than whoever looked at the clock
        assert outcome.stars == ONE_WAY


@pytest.fixture(autouse=True)
def _few_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stub answers in no time, and would be asked a hundred thousand times before that adds up to enough."""
    monkeypatch.setattr(starbattle, "REPEATS", replace(starbattle.REPEATS, most=3))


def stub(name: str, *outcomes: starbattle_peers.Outcome) -> starbattle_peers.Contender:
    """Return a contender that says these in turn, and the last one for ever."""
    left = list(outcomes)
    return starbattle_peers.Contender(name, lambda puzzle, seconds: left.pop(0) if len(left) > 1 else left[0])


YES = starbattle_peers.Outcome(Verdict.YES, solutions=1, stars=ONE_WAY)
NO = starbattle_peers.Outcome(Verdict.NO, solutions=2)
GAVE_UP = starbattle_peers.Outcome(Verdict.UNKNOWN, reason=OVER)
GROUP = PuzzleClass(Kind(4, 1), {"one": UNIQUE, "two": UNIQUE}, 2)


def run_stubs(*contenders: starbattle_peers.Contender, seconds: float = 1000.0) -> list[PuzzleRun]:
    return [run for _, runs in starbattle.run_class(GROUP, seconds, contenders) for run in runs]


def test_a_star_battle_comparison_writes_everything(tmp_path: Path) -> None:
    contenders = [stub(OURS, YES), stub(PROVED, replace(YES, certified=True, proof_lines=7)), stub("clingo", YES)]
    runs = run_stubs(*contenders)
    results = starbattle.report([GROUP], runs, 20.0, contenders)
    written = json.loads(table.write_json("starbattle", results, tmp_path / "out.json").read_text())

    assert {"machine", "commit", "peers", "limit_seconds"} <= written.keys()
    assert written["classes"] == [{"name": "4-1", "instances": 2, "available": 2}]
    assert [row["contender"] for row in written["summary"]] == [OURS, PROVED, "clingo"]
    assert [row["median_proof_lines"] for row in written["summary"]] == [None, 7, None]
    assert written["comparison"][0]["fastest"] == "clingo"
    assert len(written["runs"]) == 6
    assert all(run["repeats"] >= starbattle.REPEATS.fewest and not run["over"] for run in written["runs"])
    assert written["disagreements"] == []


def test_an_answer_after_the_limit_is_over_it_and_still_compared() -> None:
    runs = run_stubs(stub(OURS, YES), stub("clingo", NO), seconds=0.0)
    assert all(run.verdict is Verdict.UNKNOWN and run.reason == starbattle_peers.OVER for run in runs)
    assert len(starbattle.find_disagreements(runs)) == 2


def test_a_run_over_the_limit_counts_as_at_least_the_limit() -> None:
    run = run_stubs(stub("clingo", GAVE_UP), seconds=1000.0)[0]
    assert (run.verdict, run.seconds) == (Verdict.UNKNOWN, 1000.0)


def puzzle_run(contender: str, seconds: float, instance: str = "one", *, decided: bool = True, **more) -> PuzzleRun:
    verdict = Verdict.YES if decided else Verdict.UNKNOWN
    usual = {"said": frozenset({verdict}), "first_seconds": seconds}
    return PuzzleRun("4-1", instance, contender, verdict, seconds, **(usual | more))


def test_the_fastest_peer_has_the_smallest_median() -> None:
    ours = [puzzle_run(OURS, seconds, name) for seconds, name in ((1.0, "a"), (2.0, "b"), (4.0, "c"))]
    steady = [puzzle_run("steady", 6.0, name) for name in "abc"]
    uneven = [puzzle_run("uneven", seconds, name) for seconds, name in ((0.5, "a"), (8.0, "b"), (9.0, "c"))]
    row = starbattle.compare("4-1", [*ours, *steady, *uneven], [OURS, PROVED, "uneven", "steady"])
    assert row is not None
    assert row["fastest"] == "steady"
    assert row["medians"] == {"low": 3.0, "high": 3.0}
    assert row["typical"] == {"low": 3.0, "high": 3.0}  # of 6, 3 and 1.5
    assert row["best"] == {"low": 1.5, "high": 1.5}  # of 0.5, 3 and 1.5
    assert row["won"] == 2


def test_first_calls_and_proofs_are_compared_by_themselves() -> None:
    ours, proved = puzzle_run(OURS, 1.0, first_seconds=4.0), puzzle_run(PROVED, 3.0, first_seconds=5.0)
    steady, eager = puzzle_run("steady", 6.0, first_seconds=20.0), puzzle_run("eager", 9.0, first_seconds=10.0)
    names = [OURS, PROVED, "steady", "eager"]
    row = starbattle.compare("4-1", [ours, proved, steady, eager], names)
    assert row is not None
    assert [row[key]["low"] for key in ("medians", "first", "proved", "proved_first")] == [6.0, 2.5, 2.0, 2.0]
    unproved = starbattle.compare("4-1", [ours, steady, eager], names)
    assert unproved is not None
    assert unproved["proved"] is None


def test_ratios_with_runs_over_the_limit_are_bounds() -> None:
    fast, slow = [puzzle_run(OURS, 2.0)], [puzzle_run(OURS, 20.0, decided=False)]
    over, done = [puzzle_run("peer", 20.0, decided=False)], [puzzle_run("peer", 5.0)]
    bounds = [
        starbattle.compare("4-1", [*a, *b], [OURS, "peer"]) for a, b in ((fast, over), (slow, done), (slow, over))
    ]
    assert [row and row["medians"] for row in bounds] == [
        {"low": 10.0, "high": None},
        {"low": 0.0, "high": 0.25},
        {"low": 0.0, "high": None},
    ]
    assert [row and table.format_span(row["typical"]) for row in bounds] == [">10.0", "<0.25", "–"]
    assert median_span([Span(1, 1), Span(3, math.inf), Span(0, 2)]) == Span(1, 2)


def test_every_kind_of_disagreement_is_told() -> None:
    agree = puzzle_run("a", 1.0, solutions=1, stars=ONE_WAY)
    assert starbattle.find_disagreements([agree, puzzle_run(OURS, 1.0), puzzle_run("b", 1.0, decided=False)]) == []
    for other in (
        puzzle_run("b", 1.0, said=frozenset({Verdict.NO})),
        puzzle_run("b", 1.0, said=frozenset({Verdict.YES, Verdict.NO})),
        puzzle_run("b", 1.0, solutions=2),
        puzzle_run("b", 1.0, solutions=1, stars=frozenset({2, 4, 11, 13})),
    ):
        (line,) = starbattle.find_disagreements([agree, other])
        assert line.startswith("4-1, one: a YES (1), b ")


def test_proof_lines_are_counted_in_the_certificate() -> None:
    answer = Answer("starbattle", "unique", Verdict.YES, {"proof": "1 2 0\nd 1 2 0\n0\n"}, None, {}, 0.0)
    assert starbattle.count_proof_lines(answer) == 3
    assert starbattle.count_proof_lines(replace(answer, certificate=None)) is None


def test_puzzles_are_chosen_from_the_whole_list() -> None:
    names = [f"{number:02}" for number in range(40)]
    assert starbattle_puzzles.choose_evenly(names, 4) == ["05", "15", "25", "35"]
    assert starbattle_puzzles.choose_evenly(names, 40) == starbattle_puzzles.choose_evenly(names, 99) == names
    assert len(set(starbattle_puzzles.choose_evenly(names, 39))) == 39


def test_classes_are_read_from_the_command_line() -> None:
    assert starbattle_puzzles.parse_kinds("8-1, 10-2") == (Kind(8, 1), Kind(10, 2))
    with pytest.raises(ValueError, match="found '8x1'"):
        starbattle_puzzles.parse_kinds("10-2,8x1")


def test_star_battle_without_puzzles_is_skipped_with_a_word(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["starbattle", "--folder", str(tmp_path / "none"), "--classes", "8-1"])
    assert result.exit_code == 0
    assert "Star Battle is skipped: no puzzles of the classes 8-1" in result.output
    assert CliRunner().invoke(main, ["starbattle", "--per-class", "0"]).exit_code == 2
    assert CliRunner().invoke(main, ["starbattle", "--classes", "big"]).exit_code == 2


def test_contradictions_on_star_battle_end_with_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starbattle_puzzles, "load_classes", lambda *_: ([GROUP], {"odd": "not a puzzle"}))
    for said, code in ((YES, 0), (NO, 1)):
        monkeypatch.setattr(starbattle, "all_contenders", lambda said=said: [stub(OURS, YES), stub("clingo", said)])
        result = CliRunner().invoke(main, ["starbattle", "--json", str(tmp_path / "out.json")])
        assert result.exit_code == code
        assert ("CONTENDERS DISAGREE" in result.output) == bool(code)
        assert "Could not read odd" in result.output


def test_star_battle_tables_fit_100_columns() -> None:
    contenders = [stub(OURS, YES), stub(PROVED, replace(YES, proof_lines=123456)), stub("Glucose", GAVE_UP)]
    results = starbattle.report([GROUP], run_stubs(*contenders, seconds=1000.0), 1000.0, contenders)
    console = Console(width=table.WIDTH)
    with console.capture() as capture:
        starbattle_table.show_starbattle(console, results)
    shown = capture.get()
    assert "…" not in shown
    assert ">1000000" in shown
    assert max(map(len, shown.splitlines())) <= 100
