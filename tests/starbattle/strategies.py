"""How hypothesis makes Star Battle puzzles, most of them without a solution: any regions, any legal marks."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from solvent.starbattle.model import CROSS, LARGEST_SIZE, SMALLEST_SIZE, STAR, UNKNOWN, Puzzle, most_stars
from solvent.starbattle.rules import neighbours_of


@st.composite
def puzzles(
    draw: st.DrawFn, *, least_size: int = SMALLEST_SIZE, most_size: int = LARGEST_SIZE, marked: bool | None = None
) -> Puzzle:
    """Draw a puzzle of any size and stars, its regions connected or not, with marks or without."""
    size = draw(st.integers(least_size, most_size))
    stars = draw(st.integers(1, most_stars(size)))
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    connected = draw(st.booleans())
    regions = connected_regions(size, chance) if connected else scattered_regions(size, chance)
    has_marks = draw(st.booleans()) if marked is None else marked
    return Puzzle(size, stars, regions, legal_marks(size, stars, regions, chance) if has_marks else UNKNOWN * size**2)


def connected_regions(size: int, chance: random.Random) -> tuple[int, ...]:
    """Let a region grow from each of as many cells as rows until they meet."""
    regions = [-1] * size**2
    for region, cell in enumerate(chance.sample(range(size**2), size)):
        regions[cell] = region
    edge = [cell for cell, region in enumerate(regions) if region >= 0]
    while edge:
        cell = edge[chance.randrange(len(edge))]
        free = [other for other in beside(cell, size) if regions[other] < 0]
        if not free:
            edge.remove(cell)
            continue
        grown = chance.choice(free)
        regions[grown] = regions[cell]
        edge.append(grown)
    return by_first_cell(regions)


def scattered_regions(size: int, chance: random.Random) -> tuple[int, ...]:
    """Give each cell any region, and each region at least one cell."""
    regions = [*range(size), *(chance.randrange(size) for _ in range(size**2 - size))]
    chance.shuffle(regions)
    return by_first_cell(regions)


def legal_marks(size: int, stars: int, regions: tuple[int, ...], chance: random.Random) -> str:
    """Mark some cells, never so that stars touch or are too many for a row, column or region."""
    marks = [UNKNOWN] * size**2
    rows, columns, held = [0] * size, [0] * size, [0] * size
    for cell in chance.sample(range(size**2), chance.randrange(1, size**2 + 1)):
        row, column = divmod(cell, size)
        full = max(rows[row], columns[column], held[regions[cell]]) >= stars
        if full or chance.random() < 0.5 or any(marks[other] == STAR for other in neighbours_of(size)[cell]):
            marks[cell] = CROSS
            continue
        marks[cell] = STAR
        rows[row] += 1
        columns[column] += 1
        held[regions[cell]] += 1
    return "".join(marks)


def beside(cell: int, size: int) -> list[int]:
    """Return the cells that share a side with a cell."""
    row, column = divmod(cell, size)
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size]


def by_first_cell(regions: list[int]) -> tuple[int, ...]:
    """Number regions in the order in which they first appear."""
    numbers: dict[int, int] = {}
    return tuple(numbers.setdefault(region, len(numbers)) for region in regions)
