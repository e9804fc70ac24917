"""A board that kernels change in place: swaps are played on it and taken back.

It counts what the invalidity tests ask for: live cells a row and column, tiles that are not home, and so on. A search
keeps the counts up to date with each swap (`keep_counts`), or has them made anew for each board (`recount`).
"""

# mypy: ignore-errors

from __future__ import annotations

from array import array
from collections.abc import Sequence

import cython

from solvent.engine.arrays import new_row
from solvent.harmony.model import MAX_ROWS


@cython.final
@cython.cclass
class Position:
    """Hold the tiles as they stand. The fields are described in `position_kernel.pxd`."""

    def __init__(self, rows: int, cols: int, colours: Sequence[int], moves: Sequence[int]) -> None:
        if len(colours) != rows * cols or len(moves) != rows * cols:
            raise ValueError(f"expected {rows * cols} tiles, found {len(colours)} colours and {len(moves)} moves")
        if rows > MAX_ROWS:
            raise ValueError(f"expected at most {MAX_ROWS} rows, found {rows}")
        self.rows = rows
        self.cols = cols
        self.cells = rows * cols
        self.colours = array("q", colours)
        self.moves = array("q", moves)
        self.row_of = new_row(self.cells)
        self.column_of = new_row(self.cells)
        cell: cython.longlong = 0
        for row in range(self.rows):
            for col in range(self.cols):
                if self.colours[cell] < 0:
                    raise ValueError(f"expected colours from 0, found {colours[cell]}")
                self.row_of[cell] = row
                self.column_of[cell] = col
                cell += 1
        self.live_in_row = [0] * 26
        self.live_in_column = new_row(cols)
        self.in_column = new_row(self.cells)
        self.group_of_row = [0] * 26
        self.balance = [0] * 26
        self.most = [0] * 26
        self.claims = new_row(self.cells)
        self.claim = 0
        self.keeps_counts = False
        self.recount()

    def keep_counts(self) -> None:
        """Keep the counts up to date from now on."""
        self.recount()
        self.keeps_counts = True

    def tiles(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the colours and the moves, cell by cell."""
        cells = range(self.cells)
        return tuple([self.colours[cell] for cell in cells]), tuple([self.moves[cell] for cell in cells])

    def counts(self) -> tuple[list[int], list[int], list[int], int, int, int, int]:
        """Return live cells a row and a column, tiles of each colour a column, total, away, restless and surplus."""
        rows = [self.live_in_row[row] for row in range(self.rows)]
        columns = [self.live_in_column[col] for col in range(self.cols)]
        colours = [self.in_column[cell] for cell in range(self.cells)]
        return rows, columns, colours, self.total, self.away, self.restless, self.surplus

    def swap(self, a: int, b: int, change: int) -> None:
        """Let two tiles change places, as `exchange` does."""
        self.exchange(a, b, change)

    def exchange(self, a: cython.longlong, b: cython.longlong, change: cython.longlong) -> cython.void:
        """Let two tiles change places; `change` is added to the moves of both: -1 plays a swap, +1 takes it back."""
        if self.keeps_counts:
            self.count_tile(a, -1)
            self.count_tile(b, -1)
            if self.moves[a] == 0 or self.moves[b] == 0:
                self.groups_are_known = False  # a cell opens again
        colour = self.colours[a]
        moves = self.moves[a]
        self.colours[a] = self.colours[b]
        self.moves[a] = self.moves[b] + change
        self.colours[b] = colour
        self.moves[b] = moves + change
        if self.keeps_counts:
            self.count_tile(a, 1)
            self.count_tile(b, 1)
            if self.moves[a] == 0 or self.moves[b] == 0:
                self.groups_are_known = False  # a cell is closed

    def count_tile(self, cell: cython.longlong, change: cython.longlong) -> cython.void:
        """Count a tile in (1) or out (-1)."""
        row = self.row_of[cell]
        col = self.column_of[cell]
        moves = self.moves[cell]
        colour = self.colours[cell]
        if moves > 0:
            self.live_in_row[row] += change
            self.live_in_column[col] += change
            self.total += change * moves
            if moves > 2:
                self.restless += change
        if colour != row:
            self.away += change
        if colour < self.rows:
            place = colour * self.cols + col
            if change > 0:
                if self.in_column[place] > 0:
                    self.surplus += 1
            elif self.in_column[place] > 1:
                self.surplus -= 1
            self.in_column[place] += change

    def recount(self) -> cython.void:
        """Count everything anew."""
        self.total = 0
        self.away = 0
        self.restless = 0
        self.surplus = 0
        for row in range(self.rows):
            self.live_in_row[row] = 0
        for col in range(self.cols):
            self.live_in_column[col] = 0
        for cell in range(self.cells):
            self.in_column[cell] = 0
        for cell in range(self.cells):
            self.count_tile(cell, 1)
        self.groups_are_known = False

    def is_home(self) -> cython.bint:
        """Tell whether every tile stands in its colour's row."""
        if self.keeps_counts:
            return self.away == 0
        cell: cython.longlong = 0
        for row in range(self.rows):
            for _ in range(self.cols):
                if self.colours[cell] != row:
                    return False
                cell += 1
        return True

    def group_rows(self) -> cython.void:
        """Find out which rows are connected: two live cells in one column connect their rows."""
        if self.groups_are_known:
            return
        self.groups_are_known = True
        for row in range(self.rows):
            self.group_of_row[row] = row
        for col in range(self.cols):
            if self.live_in_column[col] < 2:
                continue
            first: cython.longlong = -1
            cell: cython.longlong = col
            for row in range(self.rows):
                if self.moves[cell] > 0:
                    if first < 0:
                        first = row
                    elif self.group_of_row[row] != self.group_of_row[first]:
                        old = self.group_of_row[row]
                        for other in range(self.rows):
                            if self.group_of_row[other] == old:
                                self.group_of_row[other] = self.group_of_row[first]
                cell += self.cols
