"""Move borders until one solution is left."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.dice import Dice
from solvent.starbattle.generator.regions import puzzle_of, stays_connected
from solvent.starbattle.generator.rivals import outdo_rivals
from solvent.starbattle.rules import sides_of
from solvent.starbattle.solver.counting import Ending, Search

MAX_MOVES = 400
"""Border moves before the board is given up."""
NODES_A_LOOK = 4_000
ROOM_TO_SPARE = 4
"""Rows more than the stars need, from which on a board has many ways to be filled."""
LARGE, LARGE_ROOM = 18, 2
"""From this size on, so many are enough."""


def make_unique(
    per_unit: int, regions: list[int], stars: Sequence[int], dice: Dice, meter: Meter = UNLIMITED
) -> tuple[int, ...] | None:
    """Move borders, in place, until one solution is left; return its stars, or None if that does not come about.

    While there is another solution, one of its stars that is not among the given ones goes over to the region next
    door. That spoils the other solution, whose regions no longer count right, and keeps the given one. Where there is
    much more room than stars need, that takes more.
    """
    size, wanted = math.isqrt(len(regions)), frozenset(stars)
    if is_roomy(size, per_unit):
        return outdo_rivals(per_unit, regions, stars, dice, meter)
    for _ in range(MAX_MOVES):
        search = Search(puzzle_of(size, per_unit, regions))
        ending = search.run(2, meter.part(nodes=NODES_A_LOOK))
        meter.book(0)  # if it was not the number of positions that ended it
        if ending is Ending.EXHAUSTED:
            return tuple(stars)
        if ending is not Ending.FOUND:
            return None
        other = next(solution for solution in (search.solution(0), search.solution(1)) if frozenset(solution) != wanted)
        if not _spoil(size, regions, [cell for cell in other if cell not in wanted], dice):
            return None
    return None


def is_roomy(size: int, stars: int) -> bool:
    """Tell whether a board has much more room than its stars need; the least size is four times their number."""
    spare = size - 4 * stars
    return spare > ROOM_TO_SPARE or (size >= LARGE and spare >= LARGE_ROOM)


def _spoil(size: int, regions: list[int], cells: Sequence[int], dice: Dice) -> bool:
    """Hand one of the cells to a region next door; False if none can go."""
    for cell in dice.shuffled(cells):
        others = sorted({regions[side] for side in sides_of(size)[cell]} - {regions[cell]})
        if others and stays_connected(size, regions, cell):
            regions[cell] = dice.choice(others)
            return True
    return False
