"""A user's own invalidity test in the real search: it prunes, it is counted, and no verdict rests on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import solvent
from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import is_solvable, plan_solves
from helpers.command import Ran, Run
from solvent.core.answer import Cause, Verdict
from solvent.core.errors import BadOption, UnsoundTest
from solvent.core.events import Event
from solvent.harmony.invalidity import SEARCH_TESTS
from solvent.harmony.model import Board
from solvent.harmony.notation import format_board, parse_board

MINE = '''
def lonely_moves(board):
    """A tile can't have more moves than all others together: each of its swaps takes a move from another."""
    return 2 * max(board.moves) > sum(board.moves)


def finished_row(board):
    """A row whose tiles are all home uses up its moves in pairs, so they can't be odd in number."""
    for row in range(board.rows):
        cells = range(row * board.cols, (row + 1) * board.cols)
        if all(board.colours[cell] == row for cell in cells):
            if sum(board.moves[cell] for cell in cells) % 2 == 1:
                return True
    return False
'''


def crossed_pair(board: Board) -> bool:
    """Two tiles of one colour, one move each, both away in one column, need the same cell."""
    for col in range(board.cols):
        waiting = [
            board.colours[cell]
            for cell in range(col, board.rows * board.cols, board.cols)
            if board.moves[cell] == 1 and board.colours[cell] != cell // board.cols
        ]
        if len(set(waiting)) < len(waiting):
            return True
    return False


def silent(board: Board) -> bool:
    """Never fires."""
    return False


def wrong_on_large_boards(board: Board) -> bool:
    """Fires on nothing a trial goes through."""
    return board.rows * board.cols > 9


class Counting:
    name = "counting"
    reason = "Counts its calls."

    def __init__(self) -> None:
        self.asked: list[Board] = []

    def is_invalid(self, board: Board, /) -> bool:
        self.asked.append(board)
        return crossed_pair(board)


def counts_of(answer: solvent.Answer) -> dict[str, tuple[int, int]]:
    return {name: (count["calls"], count["hits"]) for name, count in answer.stats["invalidity_tests"].items()}


def test_a_users_test_prunes_the_real_search(monkeypatch: pytest.MonkeyPatch):
    """Without the built-in test for the same thing: fewer boards with it than without it, and the same answers."""
    from solvent.harmony import invalidity

    rest = tuple(test for test in SEARCH_TESTS if test.name != "ColourCluster")
    monkeypatch.setattr(invalidity, "SEARCH_TESTS", rest)
    hits = fewer = 0
    for seed in (1, 3, 4, 6, 9):
        board = near_miss(3, 4, 9, seed)
        bare = solvent.ask(board, solver="dfs")
        helped = solvent.ask(board, solver="dfs", tests=[crossed_pair])
        assert helped.verdict is bare.verdict is not Verdict.UNKNOWN
        assert helped.certified
        hits += counts_of(helped).get("crossed_pair", (0, 0))[1]
        fewer += helped.stats["nodes"] < bare.stats["nodes"]
    assert hits > 50
    assert fewer > 3


def test_tests_are_asked_in_order_until_one_fires_and_counted():
    mine = Counting()
    answer = solvent.ask(near_miss(3, 4, 9, 6), solver="dfs", tests=[silent, mine])
    on_trial = len([board for board in mine.asked if board.swaps == 0 or board.rows == 2 or board.cols == 2])
    assert on_trial > 10_000
    counts = counts_of(answer)
    assert list(counts) == [*(test.name for test in SEARCH_TESTS), "silent", "counting"]
    for (calls, hits), (following, _) in zip(counts.values(), list(counts.values())[1:], strict=False):
        assert following == calls - hits
    again = len(mine.asked)
    solvent.ask(near_miss(3, 4, 9, 6), solver="dfs", tests=[silent, mine])
    assert len(mine.asked) - again == counts["counting"][0]  # no second trial


def test_time_is_measured_on_the_boards_of_the_search():
    board = near_miss(4, 4, 12, 0)
    tests: Any = solvent.ask(board, solver="dfs", nodes=3000, tests=[silent]).stats["invalidity_tests"]
    for name, count in tests.items():
        every = 1 if name == "silent" else 13
        assert count["timed"] == -(-count["calls"] // every)
        assert count["seconds"] >= 0
    assert tests["silent"]["seconds"] > 0
    timed: Any = solvent.ask(board, solver="dfs", nodes=3000, time_tests=True).stats["invalidity_tests"]
    assert all(count["timed"] == count["calls"] for count in timed.values())


@pytest.mark.parametrize("solver", ["portfolio", "dfs"])
@pytest.mark.parametrize("proof", [True, False])
def test_no_verdict_rests_on_a_users_test(solver: str, proof: bool):
    """The test is wrong on every board here; the answers are those of brute force, or certified, and say so."""
    caught = 0
    for text in ("1/1 0/1 0/0 0/0 0/0 | 0/1 1/1 1/0 1/0 1/0", "0/1 0/1 1/1 0/0 0/0 | 1/1 1/0 0/1 1/1 1/0"):
        board = board_of(text)
        answer = solvent.ask(board, solver=solver, proof=proof, tests=[wrong_on_large_boards])
        assert answer.verdict is (Verdict.YES if is_solvable(board) else Verdict.NO)
        if answer.verdict is Verdict.YES and "misfires" in answer.stats:
            caught += 1
            assert answer.stats["misfires"] == {"wrong_on_large_boards": {"after_swaps": 0}}
            assert answer.because == "Your test wrong_on_large_boards is not sound: it calls this board impossible."
    for seed in range(4):
        board = near_miss(4, 4, 8, seed)
        alone = solvent.ask(board)
        helped = solvent.ask(board, solver=solver, proof=proof, tests=[wrong_on_large_boards])
        assert helped.verdict is alone.verdict
        assert helped.certified or not proof
        caught += "misfires" in helped.stats
    assert caught > 1


def test_a_no_that_cannot_be_proved_without_the_test_is_unknown():
    board = near_miss(3, 4, 9, 1)
    assert solvent.ask(board).verdict is Verdict.NO
    for proof in (True, False):
        answer = solvent.ask(board, solver="dfs", nodes=5, proof=proof, tests=[wrong_on_large_boards])
        assert answer.verdict is Verdict.UNKNOWN
        assert answer.reason is not None
        assert answer.reason.cause is Cause.NODES
    assert "lines were cut by wrong_on_large_boards, which proves nothing" in str(answer.reason)


def test_answers_are_the_same_with_a_sound_test_of_the_user():
    for board in tiny_boards(60, seed=49):
        expected = Verdict.YES if is_solvable(board) else Verdict.NO
        for solver in ("portfolio", "dfs"):
            answer = solvent.ask(board, solver=solver, tests=[crossed_pair])
            assert (answer.verdict, answer.certified) == (expected, True)
            assert "misfires" not in answer.stats


def test_an_unsound_test_is_refused_with_its_counterexample():
    def hasty(board: Board) -> bool:
        return board.swaps == 3

    with pytest.raises(UnsoundTest, match="hasty is not sound") as caught:
        solvent.ask(near_miss(3, 3, 7, 0), tests=[hasty])
    plan, text = caught.value.counterexample.split("Solved by ")[1].split("\n", 1)
    board = parse_board(text)
    assert board.swaps == 3
    assert plan_solves(board, plan.split())


def test_what_a_test_raises_in_the_search_is_raised():
    def brittle(board: Board) -> bool:
        if board.rows * board.cols > 9 and board.swaps < 10:
            raise ZeroDivisionError("on purpose")
        return False

    for solver in ("portfolio", "dfs"):
        with pytest.raises(
            solvent.BrokenTest, match=r"brittle is broken: ZeroDivisionError: on purpose \(test_own_"
        ) as caught:
            solvent.ask(near_miss(4, 4, 12, 0), solver=solver, tests=[brittle])
        assert isinstance(caught.value.__cause__, ZeroDivisionError)
        assert "4×4" in caught.value.instance


def test_a_trial_counts_against_the_budget_and_can_be_cancelled():
    cancellation = solvent.Cancellation()

    def slow_to_decide(board: Board) -> bool:
        cancellation.cancel()
        return False

    news: list[Event] = []
    answer = solvent.ask(near_miss(3, 3, 7, 0), tests=[slow_to_decide], cancellation=cancellation, listen=news.append)
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.reason is not None
    assert answer.reason.cause is Cause.CANCELLED
    assert any("trying slow_to_decide on small instances" in event.message for event in news)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"tests": [3]}, "expected a function or an object with is_invalid"),
        ({"tests": [silent, silent]}, "two tests are called silent"),
        ({"tests": [silent], "solver": "annealing"}, "the solver annealing asks no invalidity tests"),
        ({"tests": [SEARCH_TESTS[0]]}, f"the search asks {SEARCH_TESTS[0].name} already"),
    ],
)
def test_what_cannot_join_is_refused(options: dict[str, Any], told: str):
    with pytest.raises(BadOption, match=told):
        solvent.ask(near_miss(3, 3, 7, 0), **options)


@pytest.mark.parametrize(
    "strategy",
    [
        {"only_affected": False},
        {"cached_counts": False},
        {"only_affected": False, "cached_counts": False},
        {"test_order": "name"},
        {"dear_tests_after": 3},
        {"dear_tests_after": 3, "cached_counts": False, "test_order": "name"},
    ],
    ids=str,
)
def test_a_strategy_changes_no_answer(strategy: dict[str, Any]):
    """All but skipping tests prune the very same boards; skipping prunes fewer."""
    skipped = 0
    for seed in range(8):
        board = near_miss(3, 4, 9, seed)
        plain = solvent.ask(board, solver="dfs", proof=False)
        other = solvent.ask(board, solver="dfs", proof=False, **strategy)
        assert other.verdict is plain.verdict
        if "dear_tests_after" in strategy:
            assert other.stats["nodes"] >= plain.stats["nodes"]
            skipped += other.stats["nodes"] > plain.stats["nodes"]
        else:
            assert other.stats["nodes"] == plain.stats["nodes"]
    assert skipped > 0 or "dear_tests_after" not in strategy


# The command


@pytest.fixture
def _users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "my_own_tests.py").write_text(MINE)
    (tmp_path / "board.txt").write_text(format_board(near_miss(3, 4, 9, 6)))
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    yield
    sys.path[:] = path
    sys.modules.pop("my_own_tests", None)


@pytest.mark.usefixtures("_users_folder")
def test_the_command_prunes_with_a_test_of_the_user(run: Run):
    words = ("solve", "board.txt", "--solver", "dfs", "--json", "--with-test", "my_own_tests:lonely_moves")
    assert run(*words).code == 2  # nothing here is run unasked
    ran = run(*words, "--path", ".")
    told = json.loads(ran.out)
    assert (ran.code, told["verdict"], told["certified"]) == (10, "NO", True)
    assert told["stats"]["invalidity_tests"]["lonely_moves"]["calls"] > 0


@pytest.mark.usefixtures("_users_folder")
def test_the_command_refuses_an_unsound_test(run: Run):
    words = ("solve", "board.txt", "--path", ".", "--with-test", "my_own_tests:finished_row")
    ran = run(*words)
    assert ran.code == 30
    assert "finished_row is not sound, so the search does not use it" in ran.err
    assert "Solved by A3-B3 B2-B3 B1-B2 B1-B3 A3-B3" in ran.err
    told = json.loads(run(*words, "--json").out)["error"]
    assert (told["kind"], told["exit_code"], told["test"]) == ("unsound_test", 30, "finished_row")
    assert "Solved by" in told["counterexample"]
    assert run("solve", "board.txt", "--with-test", "StuckTilesV2").code == 30


@pytest.mark.usefixtures("_users_folder")
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return board.tiles", "AttributeError: 'Board' object has no attribute 'tiles' (my_own_tests.py, line 2)"),
        ("raise SystemExit(3)", "SystemExit: 3 (my_own_tests.py, line 2)"),
        ("return 'no'", "expected True or False, found 'no'"),
        ("yield True", "expected True or False, found <generator object broken at"),
    ],
)
def test_the_command_says_where_a_test_is_broken(run: Run, body: str, told: str):
    Path("my_own_tests.py").write_text(f"def broken(board):\n    {body}\n")
    for words in (("solve", "board.txt", "--with-test"), ("audit", "--as", "harmony", "--rows", "2", "--cols", "2")):
        ran = run(*words, "my_own_tests:broken", "--path", ".")
        assert ran.code == 30
        assert f"solvent: broken is broken: {told}" in ran.err
        assert "  A   R" in ran.err
    error = json.loads(run("solve", "board.txt", "--with-test", "my_own_tests:broken", "--path", ".", "--json").out)
    assert (error["error"]["kind"], error["error"]["test"]) == ("broken_test", "broken")
    assert told in error["error"]["message"]


@pytest.mark.usefixtures("_users_folder")
def test_the_command_leaves_a_test_alone_that_does_not_come_back(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("solvent.cli.solve.SECONDS_FOR_A_CALL", 0.1)
    Path("my_own_tests.py").write_text("import time\n\n\ndef slow(board):\n    time.sleep(8)\n    raise SystemExit\n")
    words = ("solve", "board.txt", "--with-test", "my_own_tests:slow", "--path", ".", "--seconds", "0.1")
    ran = run(*words)
    assert ran.code == 20
    assert ran.err == "solvent: out of time (limit 0.1 s, and a test of yours has not come back)\n"


@pytest.mark.usefixtures("_users_folder")
def test_other_domains_say_that_they_take_none(run: Run, project: Path):
    file = project / "src" / "solvent" / "starbattle" / "examples" / "04_two_stars.txt"
    told = "solvent: --with-test: starbattle takes no invalidity tests of your own\n"
    assert run("solve", str(file), "--with-test", "my_own_tests:gone") == Ran(2, "", told)
