"""Star Battle by brute force: every way to fill the lines, of which those that suit regions and marks are solutions."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise

from solvent.starbattle.model import CROSS, STAR, Puzzle

KNOWN_SIZES = ((4, 1), (5, 1), (6, 1), (7, 1), (8, 1), (8, 2), (9, 2))
"""Sizes and stars with so few ways to fill the lines that all can be kept."""


@cache
def fillings(size: int, stars: int) -> tuple[int, ...]:
    """Return every way to have so many stars in each row and column, none touching, as bits of cells."""
    found: list[int] = []
    rows = [
        (sum(1 << column for column in columns), columns)
        for columns in combinations(range(size), stars)
        if all(right - left > 1 for left, right in pairwise(columns))
    ]

    def place(row: int, above: int, held: tuple[int, ...], cells: int) -> None:
        if row == size:
            found.append(cells)
            return
        for bits, columns in rows:
            if bits & (above | above << 1 | above >> 1) or any(held[column] == stars for column in columns):
                continue
            now = tuple(count + (column in columns) for column, count in enumerate(held))
            place(row + 1, bits, now, cells | bits << row * size)

    place(0, 0, (0,) * size, 0)
    return tuple(found)


def all_solutions(puzzle: Puzzle) -> list[frozenset[int]]:
    """Return the cells of each solution that keeps the marks."""
    cells = range(puzzle.size**2)
    marked = sum(1 << cell for cell in cells if puzzle.marks[cell] == STAR)
    crossed = sum(1 << cell for cell in cells if puzzle.marks[cell] == CROSS)
    regions = [sum(1 << cell for cell in cells if puzzle.regions[cell] == region) for region in range(puzzle.size)]
    fitting = [
        bits
        for bits in fillings(puzzle.size, puzzle.stars)
        if bits & marked == marked
        and not bits & crossed
        and all((bits & region).bit_count() == puzzle.stars for region in regions)
    ]
    return [frozenset(cell for cell in cells if bits >> cell & 1) for bits in fitting]
