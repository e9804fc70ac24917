"""Where the points of a square Penpa+ grid are: cells and corners, numbered row by row with two more on each side."""

from __future__ import annotations

from typing import NamedTuple

BORDER = 2
"""Rows and columns of points around the whole grid."""
CELL, CORNER = 0, 1
"""The kinds of points that a Star Battle is made of; there are more, on edges and within cells."""


class Point(NamedTuple):
    """Say where a point is on the board: a cell, or the corner at the lower right of one."""

    kind: int
    row: int
    column: int


class Layout(NamedTuple):
    """Hold the measures of a grid, and number its points."""

    width: int
    """Columns, those of the margins included."""
    height: int
    top: int
    """Rows of the margin above the board."""
    left: int

    @property
    def stride(self) -> int:
        """Return how many points a row has."""
        return self.width + 2 * BORDER

    def number(self, kind: int, row: int, column: int) -> int:
        """Return the number of a point, its row and column counted on the board."""
        points = self.stride * (self.height + 2 * BORDER)
        return kind * points + (row + BORDER + self.top) * self.stride + column + BORDER + self.left

    def point(self, index: int) -> Point:
        """Return where the point with a number is."""
        kind, rest = divmod(index, self.stride * (self.height + 2 * BORDER))
        row, column = divmod(rest, self.stride)
        return Point(kind, row - BORDER - self.top, column - BORDER - self.left)
