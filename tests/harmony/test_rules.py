"""The rules against a naive restatement, and backwards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harmony.boards import solved_board, unplay
from harmony.strategies import boards, boards_with_swaps, solvable_boards
from solvent.harmony import rules
from solvent.harmony.model import Board, Swap

Tile = tuple[int, int]


def as_grid(board: Board) -> list[list[Tile]]:
    """Return rows of (colour, moves)."""
    tiles = list(zip(board.colours, board.moves, strict=True))
    return [tiles[row * board.cols : (row + 1) * board.cols] for row in range(board.rows)]


def naive_legal_swaps(board: Board) -> set[Swap]:
    grid, found = as_grid(board), set()
    places = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    for first in places:
        for second in places:
            one_line = (first[0] == second[0]) != (first[1] == second[1])
            both_move = grid[first[0]][first[1]][1] >= 1 and grid[second[0]][second[1]][1] >= 1
            if first < second and one_line and both_move:
                found.add((first[0] * board.cols + first[1], second[0] * board.cols + second[1]))
    return found


def naive_play(board: Board, swap: Swap) -> list[list[Tile]]:
    grid = as_grid(board)
    (row_a, col_a), (row_b, col_b) = divmod(swap[0], board.cols), divmod(swap[1], board.cols)
    (colour_a, moves_a), (colour_b, moves_b) = grid[row_a][col_a], grid[row_b][col_b]
    grid[row_a][col_a], grid[row_b][col_b] = (colour_b, moves_b - 1), (colour_a, moves_a - 1)
    return grid


def naive_solved(board: Board) -> bool:
    return all(tile == (row, 0) for row, tiles in enumerate(as_grid(board)) for tile in tiles)


@given(boards(most_rows=4, most_cols=4, most_moves=3))
def test_legal_swaps_are_those_of_the_rule_book(board: Board):
    listed = list(rules.legal_swaps(board))
    assert len(listed) == len(set(listed))
    assert set(listed) == naive_legal_swaps(board)
    cells = range(len(board.colours))
    assert {(a, b) for a in cells for b in cells if a < b and rules.is_legal(board, (a, b))} == set(listed)


@given(boards(most_rows=4, most_cols=4, most_moves=3))
def test_play_is_that_of_the_rule_book_and_unplay_takes_it_back(board: Board):
    for swap in rules.legal_swaps(board):
        played = rules.play(board, swap)
        assert as_grid(played) == naive_play(board, swap)
        assert unplay(played, swap) == board


@given(boards_with_swaps())
def test_play_takes_unplay_back(case: tuple[Board, tuple[Swap, ...]]):
    board, swaps = case
    for swap in swaps:
        assert rules.play(unplay(board, swap), swap) == board


@given(boards(), st.data())
def test_illegal_swaps_are_refused(board: Board, data: st.DataObject):
    cell = st.integers(0, len(board.colours) - 1)
    swap = data.draw(st.tuples(cell, cell))
    if swap in naive_legal_swaps(board) or swap[::-1] in naive_legal_swaps(board):
        rules.play(board, swap)
    else:
        with pytest.raises(ValueError, match="not a legal swap"):
            rules.play(board, swap)


@given(solvable_boards())
def test_a_board_played_backwards_is_solved_forwards(case: tuple[Board, tuple[Swap, ...]]):
    board, plan = case
    assert len(plan) == board.swaps
    for swap in plan:
        assert swap in naive_legal_swaps(board)
        board = rules.play(board, swap)
    assert naive_solved(board)
    assert rules.is_solved(board)


@given(boards(most_rows=2, most_cols=2, most_moves=1))
def test_solved_means_home_and_out_of_moves(board: Board):
    assert rules.is_solved(board) == naive_solved(board)


def test_solved_board_is_solved():
    board = solved_board(3, 2, ("RED", "BLUE", "GREEN"))
    assert as_grid(board) == [[(0, 0), (0, 0)], [(1, 0), (1, 0)], [(2, 0), (2, 0)]]
    assert rules.is_solved(board)


def test_swapping_a_pair_twice_only_uses_up_moves():
    board = Board(2, 1, ("RED", "BLUE"), (0, 1), (2, 2))
    assert rules.play(rules.play(board, (0, 1)), (0, 1)) == Board(2, 1, ("RED", "BLUE"), (0, 1), (0, 0))
