"""A repair that is found at once, though perhaps not with the fewest cells: a bound for the search that proves.

One solution is kept; a board that has none is changed until it has one. While there is another, one of its stars goes
over to the region next door, which spoils it. In the end, every changed cell that can go back does.
"""

from __future__ import annotations

from collections.abc import Sequence

from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.engine.dice import Dice
from solvent.starbattle.explaining.borders import Borders
from solvent.starbattle.explaining.candidates import solutions_of
from solvent.starbattle.explaining.regions_for_stars import Start, solvable_changes
from solvent.starbattle.model import Puzzle

SOLUTIONS_TO_KEEP = 40
"""How many solutions are tried as the one to keep."""
MAX_ROUNDS = 5
"""How often those are tried while none could be kept; the choices differ each time."""
MAX_CHANGES = 40
SHARE_TO_BEGIN = 0.4
"""How much of the time may go to giving a board a solution in the first place."""


def near_repair(puzzle: Puzzle, borders: Borders, meter: Meter) -> dict[int, int] | None:
    """Return changes that leave the board one solution, or None if none came about within the budget."""
    best: dict[int, int] | None = None
    try:
        kept: list[Start] = [(stars, {}) for stars in solutions_of(puzzle, borders.regions, SOLUTIONS_TO_KEEP, meter)]
        kept = kept or solvable_changes(puzzle, borders, meter.part(fraction=SHARE_TO_BEGIN), SOLUTIONS_TO_KEEP)
        for seed in range(MAX_ROUNDS * len(kept)):
            if best is not None and seed >= len(kept):
                break
            start, most = kept[seed % len(kept)], MAX_CHANGES if best is None else len(best) - 1
            changes = _spoil_others(puzzle, borders, start, Dice(seed), meter, most)
            if changes is not None:
                changes = _reduced(puzzle, borders, changes, meter)
                best = changes if best is None or len(changes) < len(best) else best
            meter.book(0)
    except LimitReached:
        pass  # the best so far will do
    return best


def _spoil_others(
    puzzle: Puzzle, borders: Borders, start: Start, dice: Dice, meter: Meter, most: int
) -> dict[int, int] | None:
    wanted, changes = start
    while True:
        regions = borders.with_changes(changes)
        others = [found for found in solutions_of(puzzle, regions, 8, meter) if found != wanted]
        if not others:
            return changes
        if len(changes) >= most:
            return None
        tries = (_spoil(borders, changes, set(other) - set(wanted), others, dice) for other in others)
        spoiled = next((each for each in tries if each is not None), None)
        if spoiled is None:
            return None
        changes = spoiled


def _spoil(
    borders: Borders, changes: dict[int, int], cells: set[int], others: Sequence[tuple[int, ...]], dice: Dice
) -> dict[int, int] | None:
    """Hand one of the cells to a region next door, one that many of the other solutions need; None if none can go."""
    now = borders.with_changes(changes)
    shuffled = dice.shuffled(sorted(cells - set(changes)))
    for cell in sorted(shuffled, key=lambda each: -sum(each in other for other in others)):
        for region in dice.shuffled(sorted({now[side] for side in borders.sides[cell]} - {borders.regions[cell]})):
            changed = {**changes, cell: region}
            if borders.allow(changed, borders.with_changes(changed)):
                return changed
    return None


def _reduced(puzzle: Puzzle, borders: Borders, changes: dict[int, int], meter: Meter) -> dict[int, int]:
    """Take back what need not be changed."""
    for cell in list(changes):
        fewer = {other: region for other, region in changes.items() if other != cell}
        regions = borders.with_changes(fewer)
        if borders.allow(fewer, regions) and len(solutions_of(puzzle, regions, 2, meter)) == 1:
            changes = fewer
    return changes
