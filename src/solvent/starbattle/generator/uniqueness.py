"""Move borders until one solution is left."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.dice import Dice
from solvent.starbattle.generator.regions import sides_of, stays_connected
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import Ending, Search

MAX_MOVES = 400
"""Border moves before the board is given up."""
NODES_A_LOOK = 4_000


def number_regions(regions: Sequence[int]) -> tuple[int, ...]:
    """Number regions in the order in which they first appear."""
    order: dict[int, int] = {}
    return tuple(order.setdefault(region, len(order)) for region in regions)


def puzzle_of(size: int, stars: int, regions: Sequence[int]) -> Puzzle:
    """Return the puzzle with these regions and no marks."""
    return Puzzle(size, stars, number_regions(regions), UNKNOWN * (size * size))


def make_unique(per_unit: int, regions: list[int], stars: Sequence[int], dice: Dice, meter: Meter = UNLIMITED) -> bool:
    """Move borders, in place, until the given stars are the only solution; False if that does not come about.

    While there is another solution, one of its stars that is not among the given ones goes over to the region next
    door. That spoils the other solution, whose regions no longer count right, and keeps the given one.
    """
    size, wanted = math.isqrt(len(regions)), frozenset(stars)
    for _ in range(MAX_MOVES):
        search = Search(puzzle_of(size, per_unit, regions))
        ending = search.run(2, meter.part(nodes=NODES_A_LOOK))
        meter.book(0)  # if it was not the number of positions that ended it
        if ending is Ending.EXHAUSTED:
            return True
        if ending is not Ending.FOUND:
            return False
        other = next(solution for solution in (search.solution(0), search.solution(1)) if frozenset(solution) != wanted)
        if not _spoil(size, regions, [cell for cell in other if cell not in wanted], dice):
            return False
    return False


def _spoil(size: int, regions: list[int], cells: Sequence[int], dice: Dice) -> bool:
    """Hand one of the cells to a region next door; False if none can go."""
    for cell in dice.shuffled(cells):
        others = sorted({regions[side] for side in sides_of(size)[cell]} - {regions[cell]})
        if others and stays_connected(size, regions, cell):
            regions[cell] = dice.choice(others)
            return True
    return False
