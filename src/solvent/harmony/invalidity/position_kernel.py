"""A board that kernels change in place: swaps are played on it and taken back."""

# mypy: ignore-errors

from __future__ import annotations

from array import array
from collections.abc import Sequence

import cython

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
        self.group_of_row = [0] * 26
        self.balance = [0] * 26
        for cell in range(self.cells):
            if self.colours[cell] < 0:
                raise ValueError(f"expected colours from 0, found {colours[cell]}")

    def exchange(self, a: cython.longlong, b: cython.longlong, change: cython.longlong) -> cython.void:
        """Let two tiles change places; `change` is added to the moves of both: -1 plays a swap, +1 takes it back."""
        colour = self.colours[a]
        moves = self.moves[a]
        self.colours[a] = self.colours[b]
        self.moves[a] = self.moves[b] + change
        self.colours[b] = colour
        self.moves[b] = moves + change

    def is_home(self) -> cython.bint:
        """Tell whether every tile stands in its colour's row."""
        cell: cython.longlong = 0
        for row in range(self.rows):
            for _ in range(self.cols):
                if self.colours[cell] != row:
                    return False
                cell += 1
        return True

    def group_rows(self) -> cython.void:
        """Find out which rows are connected: two live cells in one column connect their rows."""
        for row in range(self.rows):
            self.group_of_row[row] = row
        for col in range(self.cols):
            first: cython.longlong = -1
            for row in range(self.rows):
                if self.moves[row * self.cols + col] == 0:
                    continue
                if first < 0:
                    first = row
                elif self.group_of_row[row] != self.group_of_row[first]:
                    old = self.group_of_row[row]
                    for other in range(self.rows):
                        if self.group_of_row[other] == old:
                            self.group_of_row[other] = self.group_of_row[first]
