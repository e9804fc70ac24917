"""Solve small puzzles row by row, trying everything: slow and obvious."""

from __future__ import annotations

from itertools import combinations, pairwise

from solvent.starbattle.model import CROSS, STAR, Puzzle

Cells = frozenset[int]


def solutions(puzzle: Puzzle, *, most: int | None = None) -> list[Cells]:
    """Return the sets of cells that solve the puzzle and keep its marks, in order; at most so many."""
    found: list[Cells] = []
    _place(puzzle, 0, [], found, most)
    return found


def is_solution(puzzle: Puzzle, cells: Cells) -> bool:
    """Tell whether stars on these cells, and no others, solve the puzzle and keep its marks."""
    size, numbers = puzzle.size, range(puzzle.size)
    stars = [divmod(cell, size) for cell in cells]
    return (
        all(0 <= row < size and 0 <= col < size for row, col in stars)
        and all(sum(row == number for row, _ in stars) == puzzle.stars for number in numbers)
        and all(sum(col == number for _, col in stars) == puzzle.stars for number in numbers)
        and all(sum(puzzle.regions[cell] == number for cell in cells) == puzzle.stars for number in numbers)
        and all(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in combinations(stars, 2))
        and all(mark != STAR or cell in cells for cell, mark in enumerate(puzzle.marks))
        and all(mark != CROSS or cell not in cells for cell, mark in enumerate(puzzle.marks))
    )


def _place(puzzle: Puzzle, row: int, above: list[tuple[int, ...]], found: list[Cells], most: int | None) -> None:
    """Place the stars of this row and all below; `above` holds the columns of the stars in each row above."""
    size, stars = puzzle.size, puzzle.stars
    if row == size:
        cells = frozenset(r * size + col for r, columns in enumerate(above) for col in columns)
        if is_solution(puzzle, cells):
            found.append(cells)
        return
    for columns in combinations(range(size), stars):
        rows = [*above, columns]
        in_column = [sum(col in placed for placed in rows) for col in columns]
        regions = [puzzle.regions[r * size + col] for r, placed in enumerate(rows) for col in placed]
        if (
            all(right - left > 1 for left, right in pairwise(columns))
            and all(abs(col - other) > 1 for col in columns for other in (above[-1] if above else ()))
            and max(in_column) <= stars
            and max(regions.count(region) for region in regions) <= stars
        ):
            _place(puzzle, row + 1, rows, found, most)
            if most is not None and len(found) >= most:
                return
