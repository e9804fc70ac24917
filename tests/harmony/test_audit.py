"""The exhaustive trial: how many small boards there are, and what the command makes of a user's own test."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from harmony.boards import board_of, every_board
from harmony.brute_force import is_solvable, plan_solves
from solvent.cli.start import main
from solvent.core.errors import BadOption
from solvent.core.events import Event
from solvent.core.trial import Trial
from solvent.harmony.audit import SmallBoards, audit
from solvent.harmony.invalidity import ALL_TESTS, SOUND_TESTS
from solvent.harmony.invalidity.builtin.stuck_tiles_v2_kernel import TEST as STUCK_TILES_V2
from solvent.harmony.model import Board
from solvent.harmony.notation import parse_board
from solvent.harmony.positions import format_swap

SOLVABLE = {
    (2, 2): [1, 2, 6, 13, 27, 45, 75, 110, 162, 220, 300, 387, 501],
    (2, 3): [1, 2, 9, 35, 144, 532, 1661, 4239, 9125, 17560],
    (3, 2): [1, 2, 9, 38, 173, 718, 2657, 8353, 21829],
    (3, 3): [1, 2, 13, 83, 600, 4413, 30559],
    (2, 4): [1, 2, 11, 48, 260, 1325, 5958],
}
"""How many boards are solvable in exactly k swaps, k = 0, 1, 2 …, up to the order of rows and columns.

The sums from k = 1 on (33,307 for 2×3, 33,779 for 3×2, 35,670 for 3×3, 7,604 for 2×4) were found by another program,
which also listed them backwards from the solved board; for the first levels `test_levels_are_what_brute_force_finds`
counts again, forwards.
"""


@pytest.mark.parametrize("size", SOLVABLE)
def test_how_many_boards_are_solvable_in_so_many_swaps(size: tuple[int, int]):
    counts = SOLVABLE[size]
    boards = SmallBoards(*size, len(counts) - 1)
    assert [sum(1 for _ in boards.solvable(swaps)) for swaps in range(len(counts))] == counts


def symmetric_forms(board: Board) -> set[tuple[tuple[int, int], ...]]:
    """Return the board with its columns, and its rows with their colours, in every order."""
    forms = set()
    for rows in permutations(range(board.rows)):  # old row r becomes rows[r]
        for cols in permutations(range(board.cols)):
            tiles = [(0, 0)] * len(board.colours)
            for cell, (colour, moves) in enumerate(zip(board.colours, board.moves, strict=True)):
                row, col = divmod(cell, board.cols)
                tiles[rows[row] * board.cols + cols[col]] = (rows[colour], moves)
            forms.add(tuple(tiles))
    return forms


@pytest.mark.parametrize(("rows", "cols", "most_moves"), [(2, 2, 3), (3, 1, 3), (1, 4, 2), (2, 3, 1)])
def test_levels_are_what_brute_force_finds(rows: int, cols: int, most_moves: int):
    """Forwards over every board with so many moves a tile, against backwards: the same ones up to symmetry."""
    forwards = {min(symmetric_forms(board)) for board in every_board(rows, cols, most_moves) if is_solvable(board)}
    most_swaps = rows * cols * most_moves // 2
    boards = SmallBoards(rows, cols, most_swaps)
    backwards = [
        min(symmetric_forms(board))
        for swaps in range(most_swaps + 1)
        for board in boards.solvable(swaps)
        if max(board.moves) <= most_moves
    ]
    assert len(backwards) == len(set(backwards))
    assert set(backwards) == forwards


def test_just_lost_boards_are_one_swap_from_a_solvable_one_and_not_solvable():
    for rows, cols, most in ((2, 2, 5), (2, 3, 4), (3, 2, 3)):
        boards = SmallBoards(rows, cols, most)
        for swaps in range(1, most + 1):
            for board in boards.just_lost(swaps):
                assert board.swaps == swaps - 1
                assert not is_solvable(board)


def test_solutions_solve():
    boards = SmallBoards(2, 3, 4)
    for board in boards.solvable(4):
        assert plan_solves(board, [format_swap(swap, 3) for swap in boards.solution(board)])
    with pytest.raises(ValueError, match="cannot be solved"):
        boards.solution(board_of("1/1 0/0 0/0 | 1/0 1/0 0/1"))


def test_boards_too_large_to_list_are_refused():
    with pytest.raises(BadOption, match="too large to go through"):
        SmallBoards(4, 4, 8)
    with pytest.raises(BadOption, match="both rows and cols"):
        list(audit(Trial(SOUND_TESTS[0]), rows=2, cols=None, swaps=None))


@pytest.mark.slow
@pytest.mark.parametrize("test", ALL_TESTS, ids=lambda test: test.name)
def test_the_audit_of_each_test(test):
    """The default bounds: 2×2 with up to 12 swaps, 2×3 with 8, 3×2 with 7, 3×3 with 5."""
    news: list[Event] = []
    scopes = list(audit(Trial(test, listen=news.append), rows=None, cols=None, swaps=None))
    assert [scope.examined for scope in scopes] == [1848, 15747, 11950, 5111]
    assert len(news) == 12 + 8 + 7 + 5
    if test.sound:
        assert all(scope.false_positives == 0 and scope.first_counterexample is None for scope in scopes)
    else:
        assert [scope.false_positives > 0 for scope in scopes] == [False, True, True, True]
        assert all((scope.first_counterexample is None) == (scope.false_positives == 0) for scope in scopes)
    assert sum(scope.caught for scope in scopes) > 0
    assert all(0 <= scope.caught <= scope.unsolvable for scope in scopes)


def test_the_first_counterexample_comes_with_its_solution():
    [scope] = audit(Trial(STUCK_TILES_V2), rows=2, cols=3, swaps=4)
    boards = SmallBoards(2, 3, 4)
    first = next(board for k in range(5) for board in boards.solvable(k) if STUCK_TILES_V2.is_invalid(board))
    plan, text = counterexample(scope.first_counterexample)
    assert scope.first_counterexample.startswith(str(first))
    assert parse_board(text) == first
    assert plan_solves(first, plan)


def counterexample(told: str) -> tuple[list[str], str]:
    """Return the plan of a counterexample as printed, and the board as a file would hold it."""
    plan, text = told.split("Solved by ", 1)[1].split("\n", 1)
    return plan.split(), text


MINE = '''
class Hasty:
    """A user's test that is wrong: with three swaps left, some boards can still be solved."""
    name = "hasty"
    reason = "It looked hopeless."
    def is_invalid(self, board, /):
        return board.swaps == 3 and board.moves[0] > 1

def odd(board):
    """Each swap uses up two moves."""
    return sum(board.moves) % 2 == 1

def closed_and_astray(board):
    """A tile without moves never gets home."""
    return any(left == 0 and board.colours[cell] != cell // board.cols for cell, left in enumerate(board.moves))
'''


@pytest.fixture
def users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "my_harmony_tests.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    path = list(sys.path)
    yield tmp_path
    sys.path[:] = path
    sys.modules.pop("my_harmony_tests", None)


def run_audit(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["audit", *words])
    return code, capfd.readouterr().out


def test_a_users_wrong_test_is_caught(users_folder: Path, capfd: pytest.CaptureFixture[str]):
    size = ("--path", ".", "--as", "harmony", "--rows", "2", "--cols", "2", "--swaps", "4")
    code, out = run_audit(capfd, "my_harmony_tests:Hasty", *size)
    assert code == 10
    assert "hasty" in out
    assert "Solved by" in out
    code, out = run_audit(capfd, "my_harmony_tests:Hasty", *size, "--json")
    assert code == 10
    [scope] = json.loads(out)["scopes"]
    assert scope["false_positives"] > 0
    plan, text = counterexample(scope["first_counterexample"])
    board = parse_board(text)
    assert (board.swaps, len(plan)) == (3, 3)
    assert board.moves[0] > 1
    assert plan_solves(board, plan)


@pytest.mark.parametrize(("name", "caught"), [("odd", False), ("closed_and_astray", True)])
def test_a_users_right_test_passes(users_folder: Path, capfd: pytest.CaptureFixture[str], name: str, caught: bool):
    size = ("--path", ".", "--as", "harmony", "--rows", "2", "--cols", "3", "--swaps", "4", "--json")
    code, out = run_audit(capfd, f"my_harmony_tests:{name}", *size)
    [scope] = json.loads(out)["scopes"]
    assert (code, scope["examined"], scope["false_positives"]) == (0, 2 + 9 + 35 + 144, 0)
    assert (scope["caught"] > 0) == caught


def test_the_built_in_tests_by_name(capfd: pytest.CaptureFixture[str]):
    size = ("--rows", "2", "--cols", "3", "--swaps", "5")
    assert run_audit(capfd, "LiveParity", *size)[0] == 0
    code, out = run_audit(capfd, "StuckTilesV2", *size)
    assert code == 10
    assert "Solved by" in out
