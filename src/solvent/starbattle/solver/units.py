"""Rows, columns and regions by number, and sets of cells of one line: what all Star Battle kernels share.

A line is a row or a column. Cells of a line are a word: bit j is its j-th cell, which is its *place*. Kernels get this
from `units.pxd`, the functions inlined; this file is what runs where nothing is compiled.
"""

from __future__ import annotations

from typing import Any

ROWS, COLUMNS, REGIONS = 0, 1, 2
"""The kinds of unit. Rows and columns are also the two orientations of lines."""
WIDEST = 25
"""Units of a kind there can be, and cells of a line."""
MAX_STARS = 6
"""Stars a unit can want."""


def widened(cells: int) -> int:
    """Return these cells of a line and those next to them: what stars on them exclude on a line beside theirs."""
    return cells | (cells << 1) | (cells >> 1)


def room_on(cells: int) -> int:
    """Return the most stars that fit on these cells of a line, no two next to each other; greedy is best on a line."""
    count = 0
    while cells != 0:
        lowest = cells & -cells
        cells &= ~(lowest | (lowest << 1))
        count += 1
    return count


def zeros(length: int, *shape: int) -> list[Any]:
    """Return nested lists of zeros, which stand for C's arrays where nothing is compiled."""
    return [zeros(*shape) for _ in range(length)] if shape else [0] * length
