"""Hints: the next swap, why it is forced where it is, and what to say when the board is lost."""

from __future__ import annotations

import re

import pytest

import solvent
from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Cause, Verdict
from solvent.harmony.generator import generate
from solvent.harmony.invalidity import SOUND_TESTS
from solvent.harmony.model import Board
from solvent.harmony.positions import format_cell, parse_swap
from solvent.harmony.rules import is_legal, is_solved, legal_swaps, play

TEST_NAMES = {test.name for test in SOUND_TESTS}


def hints(board: Board, **options):
    return list(solvent.hints(board, **options))


@pytest.mark.parametrize("seed", range(12))
def test_following_the_hints_solves_the_board(seed: int):
    board = generate(rows=4, cols=4, swaps=4 + seed, seed=seed)
    told = hints(board)
    assert [hint.data["step"] for hint in told] == list(range(1, board.swaps + 1))
    for hint in told:
        swap = parse_swap(hint.move, board)
        assert is_legal(board, swap)
        assert hint.caption == f"Swap {hint.move}."
        assert not hint.lost
        board = play(board, swap)
    assert is_solved(board)


def test_the_next_swap_leads_to_a_board_that_can_be_solved():
    looked = 0
    for board in tiny_boards(120, seed=80):
        first = hints(board)[0]
        assert first.lost == (not is_solvable(board))
        if first.move is not None:
            looked += 1
            assert is_solvable(play(board, parse_swap(first.move, board)))
            solvent.check(board, first.certificate)
    assert looked > 40


def test_a_hint_can_be_asked_again_after_each_swap():
    board = generate(rows=5, cols=5, swaps=15, seed=3)
    for _ in range(3):
        hint = next(solvent.hints(board))
        board = play(board, parse_swap(hint.move, board))
    assert solvent.ask(board).verdict is Verdict.YES


@pytest.mark.parametrize("part", ["portfolio", "dfs", "order", "annealing"])
def test_a_forced_pair_comes_first_and_is_explained(part: str):
    board = board_of("0/1 0/1 1/1 | 1/1 1/1 0/1")
    first, second, third = hints(board, solver=part)
    assert first.move == "A3-B3"
    assert first.data == {"step": 1, "steps": 3, "forced": True}
    assert first.narrative == (
        "Forced: A3 and B3 have one move each and need each other's row. Neither can do anything else. "
        "After it 2 more swaps solve the board."
    )
    assert {second.move, third.move} == {"A1-A2", "B1-B2"}
    assert "swap along row" in second.narrative
    assert "After it 1 more swap solves the board." in second.narrative
    assert "After it" not in third.narrative
    assert (first.certificate is not None, second.certificate, third.certificate) == (True, None, None)


def test_a_swap_along_a_column_says_so():
    [lost] = hints(board_of("1/2 0/0 | 0/2 1/0"))
    assert lost.lost  # two swaps bring both back where they were
    first = hints(board_of("1/3 0/0 | 0/3 1/0"))[0]
    assert first.narrative.startswith("A1 and B1 swap along column 1.")


def test_a_swap_says_which_tile_must_move_and_why():
    """A must is checked against every solution of small boards: the tile's next swap is with that partner in all."""
    musts = 0
    for seed in range(12):
        board = generate(rows=2, cols=3, swaps=4, seed=seed)
        for hint in hints(board):
            swap = parse_swap(hint.move, board)
            for cell, to in (swap, swap[::-1]):
                told = re.search(rf"{format_cell(cell, board.cols)} \([a-z0-9]+\) must go: ([^.]*)", hint.narrative)
                if told is not None:
                    musts += 1
                    assert first_partners(board, cell) == {to}, hint.narrative
            board = play(board, swap)
    assert musts >= 10


def first_partners(board: Board, cell: int) -> set[int]:
    """Return the cells that the tile on a cell swaps with first, over all ways to solve the board."""
    found: set[int] = set()
    seen: set[Board] = set()
    waiting = [board]
    while waiting:
        here = waiting.pop()
        for swap in legal_swaps(here):
            after = play(here, swap)
            if cell in swap:
                if is_solvable(after):
                    found.add(sum(swap) - cell)
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("1/0 0/0 | 0/1 1/1", "WrongRowZeroMoves"),
        ("0/0 1/1 0/0 | 0/1 1/0 1/0", "BlockedSwap"),
        ("0/1 0/0 | 1/1 1/2", "StuckTile"),
        ("0/1 0/3 | 1/0 1/0", "LiveParity"),
        ("2/2 0/0 | 1/2 1/0 | 2/0 0/2 | 3/0 3/2", "LiveColours"),
    ],
)
def test_a_lost_board_names_the_test_that_shows_it(text: str, test: str):
    board = board_of(text)
    [hint] = hints(board)
    assert (hint.lost, hint.move) == (True, None)
    assert hint.data["test"] == test
    assert hint.narrative.startswith(hint.data["because"])
    assert f"The test {test} sees it at once." in hint.narrative
    solvent.check(board, hint.certificate)
    assert hint.certificate["verdict"] == "NO"


def test_a_lost_board_that_no_test_shows_rests_on_its_proof():
    forms = set()
    for seed in range(30):
        board = near_miss(3, 3, 5 + seed % 2, seed)
        told = hints(board)
        if told[0].lost and told[0].data["test"] is None:
            assert len(told) == 1
            assert told[0].narrative == told[0].data["because"] != ""
            solvent.check(board, told[0].certificate)
            forms.add(told[0].certificate["form"])
    assert {"closed set", "refutation"} <= forms


def test_a_solved_board():
    board = board_of("0/0 0/0 | 1/0 1/0")
    [hint] = hints(board)
    assert (hint.caption, hint.move, hint.lost) == ("The board is solved.", None, False)
    solvent.check(board, hint.certificate)


def test_no_budget_is_no_news():
    [hint] = hints(generate(rows=6, cols=6, swaps=30, seed=1), nodes=0)
    assert (hint.move, hint.lost, hint.certificate) == (None, False, None)
    assert hint.caption == "No hint: out of nodes (limit 0)."
    assert hint.reason is not None
    assert hint.reason.cause is Cause.NODES
    assert "not known" in hint.narrative
