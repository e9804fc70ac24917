"""Where each followed tile can stand after each of its swaps: going out from its cell, and back from its row.

A tile's instants are the times between its swaps: before the first, after the first, …, after the last. Here a set of
cells is known by how many of them are in each row and column; that is enough to tell which cells are a swap away.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

import cython

from solvent.engine.arrays import SHORT, TINY, new_row, new_table
from solvent.harmony.model import Board


@cython.final
@cython.cclass
class ReachableCells:
    """Hold where the tiles can stand at each instant. The fields are described in `reachable_cells_kernel.pxd`."""

    def __init__(self, board: Board, component: Sequence[int], tiles: Sequence[int]) -> None:
        """Follow some tiles of a live component."""
        self.rows = board.rows
        self.cols = board.cols
        self.cells = board.rows * board.cols
        self.instants = sum(board.moves[tile] + 1 for tile in tiles)
        self.inside = new_row(self.cells, TINY)
        for cell in component:
            self.inside[cell] = 1
        self.stands = new_table(self.instants, self.cells, TINY)
        self.cell_list = new_table(self.instants, self.cells, SHORT)
        self.cell_count = new_row(self.instants)
        self.in_row = new_row(self.rows)
        self.in_col = new_row(self.cols)
        first = 0
        for tile in tiles:
            self.follow_tile(first, tile, board.colours[tile], board.moves[tile])
            first += board.moves[tile] + 1

    def cells_at(self, instant: int) -> list[int]:
        """Return the cells the instant's tile can stand on."""
        return [self.cell_list[instant, place] for place in range(self.cell_count[instant])]

    def count_pairs(self) -> int:
        """Return how often two cells share an instant, or two instants a cell, each with itself included."""
        pairs: cython.longlong = 0
        for instant in range(self.instants):
            pairs += self.cell_count[instant] * self.cell_count[instant]
        for cell in range(self.cells):
            times: cython.longlong = 0
            for instant in range(self.instants):
                times += self.stands[instant, cell]
            pairs += times * times
        return pairs

    def count_steps(self, moves: Sequence[int]) -> int:
        """Return how many cells each tile can stand on before and after each of its moves, all added up."""
        steps: cython.longlong = 0
        instant: cython.longlong = 0
        for count in moves:
            for _ in range(count):
                steps += self.cell_count[instant] + self.cell_count[instant + 1]
                instant += 1
            instant += 1
        return steps

    def follow_tile(
        self, first: cython.longlong, tile: cython.longlong, colour: cython.longlong, moves: cython.longlong
    ) -> cython.void:
        """Find the cells of one tile, whose instants begin with `first`."""
        last = first + moves
        self.stands[first, tile] = 1
        for instant in range(first, last):
            self.take_set(instant)
            for cell in range(self.cells):
                if self.inside[cell] and self.is_one_step_away(cell, self.stands[instant, cell]):
                    self.stands[instant + 1, cell] = 1
        for cell in range(self.cells):
            if cell // self.cols != colour:
                self.stands[last, cell] = 0
        for instant in range(last, first, -1):
            self.take_set(instant)
            for cell in range(self.cells):
                if not self.is_one_step_away(cell, self.stands[instant, cell]):
                    self.stands[instant - 1, cell] = 0
        for instant in range(first, last + 1):
            for cell in range(self.cells):
                if self.stands[instant, cell]:
                    self.cell_list[instant, self.cell_count[instant]] = cell
                    self.cell_count[instant] += 1

    def forget_set(self) -> cython.void:
        """Begin a new set of cells."""
        for row in range(self.rows):
            self.in_row[row] = 0
        for col in range(self.cols):
            self.in_col[col] = 0

    def add_to_set(self, cell: cython.longlong) -> cython.void:
        """Add a cell to the set."""
        self.in_row[cell // self.cols] += 1
        self.in_col[cell % self.cols] += 1

    def take_set(self, instant: cython.longlong) -> cython.void:
        """Make the set that of an instant's cells."""
        self.forget_set()
        for cell in range(self.cells):
            if self.stands[instant, cell]:
                self.add_to_set(cell)

    def is_one_step_away(self, cell: cython.longlong, in_set: cython.bint) -> cython.bint:
        """Tell whether the set has another cell in the row or column of a cell; `in_set` says whether it has that."""
        aligned = self.in_row[cell // self.cols] + self.in_col[cell % self.cols]
        return aligned > (2 if in_set else 0)

    def are_aligned(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Tell whether two different cells share a row or a column."""
        return a != b and (a // self.cols == b // self.cols or a % self.cols == b % self.cols)

    def can_exchange(self, one_after: cython.longlong, other_after: cython.longlong) -> cython.bint:
        """Tell whether two tiles can swap with each other, given the instants after it.

        Each must be able to arrive where the other left, and those two cells must be aligned.
        """
        self.forget_set()
        for place in range(self.cell_count[one_after - 1]):
            cell = self.cell_list[one_after - 1, place]
            if self.stands[other_after, cell]:
                self.add_to_set(cell)
        for place in range(self.cell_count[one_after]):
            cell = self.cell_list[one_after, place]
            if self.stands[other_after - 1, cell]:
                left: cython.bint = self.stands[one_after - 1, cell] and self.stands[other_after, cell]
                if self.is_one_step_away(cell, left):
                    return True
        return False
