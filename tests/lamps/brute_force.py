"""Decide lamps by trying every set of presses: too slow to use, too simple to be wrong."""

from __future__ import annotations

from itertools import combinations, product

from template_domain.model import Grid


def all_grids(rows: int, cols: int) -> list[Grid]:
    return [Grid(rows, cols, lit) for lit in product((False, True), repeat=rows * cols)]


def fewest_presses(grid: Grid) -> int | None:
    """Return how many presses light all lamps, or None if no presses do. Order and repetition never matter."""
    cells = [(row, col) for row in range(grid.rows) for col in range(grid.cols)]
    for count in range(len(cells) + 1):
        for pressed in combinations(cells, count):
            if all(lamp != changes(cell, pressed) for cell, lamp in zip(cells, grid.lit, strict=True)):
                return count
    return None


def changes(cell: tuple[int, int], pressed: tuple[tuple[int, int], ...]) -> bool:
    """Tell whether a lamp ends up changed: it, or a lamp beside it, was pressed an odd number of times."""
    row, col = cell
    around = {(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
    return len(around.intersection(pressed)) % 2 == 1
