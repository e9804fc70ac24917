"""The portfolio against brute force, on tiny boards of every kind. Every answer went through the checker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

import solvent
from harmony.boards import TINY_SIZES, board_of, every_board, tiny_boards
from harmony.brute_force import find_plan, is_solvable, plan_solves
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.harmony.model import Board
from solvent.harmony.positions import format_swap

BATCHES = 10
BOARDS_A_BATCH = 250


def compare(boards: Iterable[Board]) -> Counter[str]:
    """Ask about each board, require on what brute force says, and count how the answers are certified."""
    forms: Counter[str] = Counter()
    for board in boards:
        answer = solvent.ask(board)
        assert answer.verdict is (Verdict.YES if is_solvable(board) else Verdict.NO), repr(board)
        assert answer.certified
        forms[answer.certificate["form"]] += 1
        if answer.verdict is Verdict.YES:
            assert len(answer.certificate["plan"]) == board.swaps
            assert plan_solves(board, answer.certificate["plan"]), repr(board)
    return forms


@pytest.mark.parametrize("batch", range(up_to(4, deep=BATCHES)))
def test_tiny_boards(batch: int):
    forms = compare(tiny_boards(BOARDS_A_BATCH, seed=batch))
    assert forms["plan"] > 50
    assert forms["invariant"] > 50
    assert forms["closed set"] > 10
    assert forms.total() == BOARDS_A_BATCH


@pytest.mark.parametrize(
    ("rows", "cols", "most_moves", "solvable"),
    [(1, 2, 4, 5), (2, 1, 4, 5), (1, 3, 3, 23), (3, 1, 3, 40), (2, 2, 2, 33), (2, 3, 1, 32)],
)
def test_every_board_of_a_size(rows: int, cols: int, most_moves: int, solvable: int):
    """How many of them can be solved was counted with brute force."""
    forms = compare(every_board(rows, cols, most_moves))
    assert forms["plan"] == solvable


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(up_to(5, deep=20)))
def test_more_tiny_boards(batch: int):
    compare(tiny_boards(600, seed=1000 + batch))


@pytest.mark.slow
def test_every_2x2_board_with_up_to_three_moves():
    compare(every_board(2, 2, 3))


def test_brute_force_knows_the_rules():
    solved = board_of("0/0 0/0 | 1/0 1/0")
    assert find_plan(solved) == []
    assert find_plan(board_of("1/1 0/0 | 0/1 1/0")) == [(0, 2)]
    assert find_plan(board_of("1/1 0/0 | 1/0 0/1")) is None  # no diagonal swaps
    assert find_plan(board_of("0/1 0/1 0/0 | 1/0 1/0 1/0")) == [(0, 1)]
    assert find_plan(board_of("0/1 0/0 0/1 | 1/0 1/0 1/0")) == [(0, 2)]  # not only neighbours
    assert find_plan(board_of("0/1 0/0 | 1/0 1/0")) is None
    assert plan_solves(board_of("1/1 0/0 | 0/1 1/0"), ["A1-B1"])
    assert not plan_solves(solved, ["A1-B1"])
    assert not plan_solves(board_of("1/3 0/0 | 0/3 1/0"), ["A1-B1"])


def test_brute_force_meets_every_kind_of_board():
    """The boards above are of every size, solvable and not, with strangers, odd sums and closed cells."""
    boards = [board for batch in range(BATCHES) for board in tiny_boards(BOARDS_A_BATCH, seed=batch)]
    assert len(boards) >= 2000
    assert len(set(boards)) > 1500
    assert {(board.rows, board.cols) for board in boards} == {(rows, cols) for rows, cols, _ in TINY_SIZES}
    assert sum(max(board.colours) >= board.rows for board in boards) > 50
    assert sum(sum(board.moves) % 2 for board in boards) > 100
    assert sum(any(c != n // b.cols and not b.moves[n] for n, c in enumerate(b.colours)) for b in boards) > 200


def test_a_plan_is_written_as_players_write_it():
    board = board_of("0/0 0/1 1/2 | 0/2 1/1 1/0")
    plan = solvent.ask(board).certificate["plan"]
    found = find_plan(board)
    assert found is not None
    assert plan_solves(board, plan)
    assert plan_solves(board, [format_swap(swap, 3) for swap in found])
