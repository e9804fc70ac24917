"""Place stars at random, and draw regions around them: connected, of varied sizes, k stars in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.dice import Dice
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import sides_of
from solvent.starbattle.solver.counting import Ending, Search

FREE = -1
TRIES = 200
MAX_CONTRAST = 20.0
NODES_A_LOOK = 500
"""Positions to visit before a star is taken to be in the way; leaving it out is always right."""


def random_stars(size: int, stars: int, dice: Dice, meter: Meter = UNLIMITED) -> tuple[int, ...]:
    """Return the cells of a random full set of stars, which keeps every rule but the regions': they come later."""
    rows = tuple(cell // size for cell in range(size * size))  # regions that ask for nothing more than the rows do
    puzzle = Puzzle(size, stars, rows, UNKNOWN * (size * size))
    while True:
        found = _fill(puzzle, dice.shuffled(range(size * size)), meter)
        if found is not None:
            return found


def _fill(puzzle: Puzzle, order: list[int], meter: Meter) -> tuple[int, ...] | None:
    """Try stars in the given order; each stays if the board can still be filled with it. None if that misled."""
    marks = puzzle.marks
    for cell in order:
        if marks[cell] != UNKNOWN:
            continue
        attempt = replace(puzzle, marks=marks[:cell] + STAR + marks[cell + 1 :])
        search = Search(attempt)
        ending = search.run(1, meter.part(nodes=NODES_A_LOOK))
        meter.book(0)  # if it was not the number of positions that ended it
        if ending is Ending.FOUND:
            marks = attempt.marks
        else:
            marks = marks[:cell] + CROSS + marks[cell + 1 :]
    stars = tuple(cell for cell, mark in enumerate(marks) if mark == STAR)
    return stars if len(stars) == puzzle.size * puzzle.stars else None


def draw_regions(size: int, per_region: int, stars: Sequence[int], dice: Dice) -> list[int] | None:
    """Return the region of each cell, or None if the stars could not be joined up this time."""
    for _ in range(TRIES):
        regions = _join_stars(size, per_region, stars, dice)
        if regions is not None:
            _grow(size, regions, dice, contrast=_contrast(size, per_region))
            return regions
    return None


def _join_stars(size: int, per_region: int, stars: Sequence[int], dice: Dice) -> list[int] | None:
    """Join each star to near ones, k at a time, by paths of free cells; None if some are left that cannot be."""
    regions = [FREE] * (size * size)
    loose = set(stars)
    for region in range(size):
        # the star with the fewest others near it has the least choice
        start = min(dice.shuffled(sorted(loose)), key=lambda star: _crowd(size, star, loose))
        loose.discard(start)
        members = [start]
        regions[start] = region
        for _ in range(per_region - 1):
            path = _path_to_star(size, members, regions, loose, dice)
            if path is None:
                return None
            for cell in path:
                regions[cell] = region
            members += path
            loose.discard(path[-1])
    return regions


def _crowd(size: int, star: int, loose: set[int]) -> int:
    row, col = divmod(star, size)
    return sum(abs(other // size - row) + abs(other % size - col) <= 4 for other in loose)


def _path_to_star(
    size: int, members: Sequence[int], regions: Sequence[int], loose: set[int], dice: Dice
) -> list[int] | None:
    """Return the cells from a region to a near loose star, that star last; None if none can be reached."""
    came: dict[int, int] = {cell: cell for cell in members}
    frontier = dice.shuffled(members)
    while frontier:
        reached: list[int] = []
        for cell in frontier:
            for side in dice.shuffled(sides_of(size)[cell]):
                if side in came or regions[side] != FREE:
                    continue
                came[side] = cell
                if side in loose:
                    path = [side]
                    while came[path[-1]] not in members:
                        path.append(came[path[-1]])
                    return path[::-1]
                reached.append(side)
        frontier = dice.shuffled(reached)
    return None


def _contrast(size: int, per_region: int) -> float:
    """Return how much the sizes of regions should differ.

    Where there is much more room than stars need, regions of like size would leave too many solutions; a few large
    ones among many small ones leave few.
    """
    spare = size - 4 * per_region  # the least size for this many stars is four times their number
    return MAX_CONTRAST if size > 17 and spare > 4 else min(MAX_CONTRAST, 2.0 + 2.0 * max(0, spare - 4))


def _grow(size: int, regions: list[int], dice: Dice, *, contrast: float) -> None:
    """Give every free cell to a region beside it. Some regions are greedier than others, so sizes vary."""
    appetite = [0.4 / contrast + dice.unit() ** contrast for _ in range(size)]
    free = sum(region == FREE for region in regions)
    while free:
        edge = [
            (cell, regions[side])
            for cell in range(size * size)
            if regions[cell] == FREE
            for side in sides_of(size)[cell]
            if regions[side] != FREE
        ]
        for cell, region in dice.shuffled(edge):
            if regions[cell] == FREE and dice.unit() < appetite[region]:
                regions[cell] = region
                free -= 1


def stays_connected(size: int, regions: Sequence[int], cell: int) -> bool:
    """Tell whether the region of a cell has other cells and holds together without it."""
    region = regions[cell]
    beside = [side for side in sides_of(size)[cell] if regions[side] == region]
    if not beside:
        return False
    seen = {beside[0]}
    waiting = [beside[0]]
    while waiting:
        for side in sides_of(size)[waiting.pop()]:
            if regions[side] == region and side != cell and side not in seen:
                seen.add(side)
                waiting.append(side)
    return all(side in seen for side in beside)


def shake(size: int, regions: list[int], stars: frozenset[int], dice: Dice, cells: int) -> None:
    """Hand so many cells at random to a region next door, none of them a star; regions stay connected."""
    for cell in dice.shuffled(range(size * size)):
        others = sorted({regions[side] for side in sides_of(size)[cell]} - {regions[cell]})
        if others and cell not in stars and stays_connected(size, regions, cell):
            regions[cell] = dice.choice(others)
            cells -= 1
            if cells <= 0:
                return


def number_regions(regions: Sequence[int]) -> tuple[int, ...]:
    """Number regions in the order in which they first appear."""
    order: dict[int, int] = {}
    return tuple(order.setdefault(region, len(order)) for region in regions)


def puzzle_of(size: int, stars: int, regions: Sequence[int]) -> Puzzle:
    """Return the puzzle with these regions and no marks."""
    return Puzzle(size, stars, number_regions(regions), UNKNOWN * (size * size))
