"""Changes that give a board without solution one: stars are placed first, and regions that lack some grow to them.

Stars go to random cells of random regions as long as no rule is broken, and the solver places the rest where only rows
and columns count. What comes out is a solution of the changed board, not of the board itself.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace

from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.engine.dice import Dice
from solvent.starbattle.explaining.borders import Borders
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import neighbours_of
from solvent.starbattle.solver.counting import Ending, Search

PLACINGS = 400
"""How many placings of stars are tried."""
NODES_A_PLACING = 2_000

Start = tuple[tuple[int, ...], dict[int, int]]
"""Where stars stand, and the changes after which they are a solution."""


def solvable_changes(puzzle: Puzzle, borders: Borders, meter: Meter, most: int) -> list[Start]:
    """Return up to so many changes that give the board a solution, fewer cells first; they may be hard to find.

    Where the budget ends the search, what was found until then is returned.
    """
    found: dict[tuple[int, ...], dict[int, int]] = {}
    try:
        for seed in range(PLACINGS):
            dice = Dice(seed)
            stars = _place(puzzle, dice, meter)
            changes = None if stars is None or stars in found else _grow_regions(puzzle, borders, stars)
            if stars is not None and changes is not None:
                found[stars] = changes
            meter.book(0)
    except LimitReached:
        pass
    return sorted(found.items(), key=lambda start: (len(start[1]), start[0]))[:most]


def _place(puzzle: Puzzle, dice: Dice, meter: Meter) -> tuple[int, ...] | None:
    """Place stars as rows, columns and distance want it, with the right number in as many regions as comes about."""
    size = puzzle.size
    rows_only = replace(puzzle, regions=tuple(cell // size for cell in range(size * size)))
    stars = list(_scatter(puzzle, dice))
    while True:
        marks = "".join(STAR if cell in stars else UNKNOWN for cell in range(size * size))
        search = Search(replace(rows_only, marks=marks))
        if search.run(1, meter.part(nodes=NODES_A_PLACING)) is Ending.FOUND:
            return tuple(sorted(search.solution(0)))
        if not stars:
            return None
        del stars[-max(1, len(stars) // 8) :]


def _scatter(puzzle: Puzzle, dice: Dice) -> Iterator[int]:
    """Yield cells for stars, region by region, which neither touch nor are too many in a row, column or region."""
    size, neighbours = puzzle.size, neighbours_of(puzzle.size)
    lines: Counter[int] = Counter()
    closed: set[int] = set()
    for region in dice.shuffled(range(size)):
        left = puzzle.stars
        for cell in dice.shuffled([cell for cell, own in enumerate(puzzle.regions) if own == region]):
            row, col = cell // size, size + cell % size
            if left and cell not in closed and max(lines[row], lines[col]) < puzzle.stars:
                left -= 1
                lines.update((row, col))
                closed.update((cell, *neighbours[cell]))
                yield cell


def _grow_regions(puzzle: Puzzle, borders: Borders, stars: tuple[int, ...]) -> dict[int, int] | None:
    """Give each region that lacks a star one of a region that has too many, by the shortest ways, or return None."""
    changes: dict[int, int] = {}
    while True:
        regions = borders.with_changes(changes)
        counts = Counter(regions[cell] for cell in stars)
        lacking = [region for region in range(puzzle.size) if counts[region] < puzzle.stars]
        if not lacking:
            return changes
        spare = {cell for cell in stars if counts[regions[cell]] > puzzle.stars and cell not in changes}
        ways = [way for region in lacking for way in _ways(borders, regions, region, spare, set(stars))]
        for region, way in sorted(ways, key=lambda each: len(each[1])):
            grown = {**changes, **{cell: region for cell in way if borders.regions[cell] != region}}
            if borders.allow(grown, borders.with_changes(grown)):
                changes = grown
                break
        else:
            return None


def _ways(
    borders: Borders, regions: tuple[int, ...], region: int, spare: set[int], stars: set[int]
) -> Iterator[tuple[int, list[int]]]:
    """Yield the shortest way from a region to each spare star, over cells without stars."""
    before: dict[int, int | None] = {cell: None for cell, own in enumerate(regions) if own == region}
    waiting = deque(before)
    while waiting:
        cell = waiting.popleft()
        for side in borders.sides[cell]:
            if side in before:
                continue
            before[side] = cell
            if side in spare:
                way = [side]
                while (step := before[way[-1]]) is not None and regions[step] != region:
                    way.append(step)
                yield region, way
            elif side not in stars:
                waiting.append(side)
