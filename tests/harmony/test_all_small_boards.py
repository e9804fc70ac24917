"""On all small boards, the clauses that the checker refutes can be satisfied exactly if there is a solution."""

from __future__ import annotations

import pytest

from harmony.boards import every_board
from harmony.brute_force import is_solvable
from harmony.test_order_formula import satisfiable
from helpers.marks import slow
from solvent.harmony.checker.refutation import Statements
from solvent.harmony.checker.tiles import live_groups, tiles_of


@pytest.mark.parametrize(
    ("rows", "cols", "most_moves"),
    [
        (1, 2, 4),
        (1, 3, 3),
        (2, 1, 4),
        (3, 1, 2),
        (2, 2, 2),
        *slow([(1, 4, 3), (2, 2, 3), (4, 1, 2), (2, 3, 1), (3, 2, 1)]),
    ],
)
def test_the_formula_is_exact(rows: int, cols: int, most_moves: int):
    """With every tile followed: each component can be satisfied, and tiles without moves are home."""
    outcomes = []
    for board in every_board(rows, cols, most_moves):
        tiles = tiles_of(board)
        exact = all(moves or colour == cell // cols for cell, (colour, moves) in enumerate(tiles))
        for component in set(live_groups(tiles, cols).values()):
            exact = exact and satisfiable(Statements(tiles, sorted(component), most_moves, cols).formula())
        assert exact == is_solvable(board), board
        outcomes.append(exact)
    assert 0 < outcomes.count(True) < len(outcomes)
