"""The rules as solvers and hints use them: units, neighbours, and what the marks already break."""

from __future__ import annotations

import functools

from msgspec import Struct

from solvent.starbattle.cells import format_region
from solvent.starbattle.model import Puzzle


class Unit(Struct, frozen=True):
    """Hold one row, column or region: a set of cells with exactly k stars."""

    kind: str
    """`row`, `column` or `region`."""
    index: int
    """Its number, from 0."""
    cells: tuple[int, ...]

    def __str__(self) -> str:
        return f"region {format_region(self.index)}" if self.kind == "region" else f"{self.kind} {self.index + 1}"


@functools.lru_cache(maxsize=64)
def lines_of(size: int) -> tuple[Unit, ...]:
    """Return the rows, then the columns."""
    rows = [Unit("row", row, tuple(range(row * size, (row + 1) * size))) for row in range(size)]
    columns = [Unit("column", col, tuple(range(col, size * size, size))) for col in range(size)]
    return (*rows, *columns)


@functools.lru_cache(maxsize=64)
def regions_of(size: int, regions: tuple[int, ...]) -> tuple[Unit, ...]:
    """Return the regions in order."""
    cells: list[list[int]] = [[] for _ in range(size)]
    for cell, region in enumerate(regions):
        cells[region].append(cell)
    return tuple(Unit("region", region, tuple(members)) for region, members in enumerate(cells))


def units_of(puzzle: Puzzle) -> tuple[Unit, ...]:
    """Return all rows, then columns, then regions."""
    return (*lines_of(puzzle.size), *regions_of(puzzle.size, puzzle.regions))


@functools.lru_cache(maxsize=64)
def neighbours_of(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells it touches, diagonals included."""
    touching = []
    for row in range(size):
        for col in range(size):
            around = [(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
            touching.append(tuple(r * size + c for r, c in around if 0 <= r < size and 0 <= c < size))
    return tuple(touching)


@functools.lru_cache(maxsize=32)
def sides_of(size: int) -> tuple[tuple[int, ...], ...]:
    """Return for each cell the cells it shares a side with."""
    sides = []
    for cell in range(size * size):
        row, col = divmod(cell, size)
        around = [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
        sides.append(tuple(r * size + c for r, c in around if 0 <= r < size and 0 <= c < size))
    return tuple(sides)
