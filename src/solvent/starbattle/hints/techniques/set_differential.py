"""Set differential: the rest of one set of units holds so many stars more than the rest of another.

What lines and regions share counts for both. So the lines outside the regions hold as many stars more than the regions
outside the lines as the lines need more stars than the regions. If no more blocks than this difference cover the lines
outside the regions, they hold just that many: the regions outside the lines hold no star, every block holds exactly
one, and no star lies in two blocks. Lines and regions may change places.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.blocks import apart
from solvent.starbattle.hints.counting import (
    Tiling,
    need_of,
    needing,
    plus_sets,
    tile,
    tiled_application,
    verb,
)
from solvent.starbattle.hints.phrases import count_of, name_number, name_units
from solvent.starbattle.hints.position import Position, Units

NAME = "set differential"
TITLE = "Set differential"
DIFFICULTY = 12.0

MAX_TIES = 3
"""If more units than this may as well be taken away as not, only all or none of them are."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield differences that are tiled, those of few units first."""
    seen = set()
    for plus, others in plus_sets(position):
        cells = position.geometry.cells_of(plus)
        for minus in _worth_taking_away(position, plus, others, work):
            rest = position.geometry.cells_of(minus)
            outside = position.open & rest & ~cells
            if not outside:  # a composite shape
                continue
            count = need_of(position, plus) - need_of(position, minus)
            tiling = tile(position, position.open & cells & ~rest, count, work, outside=outside)
            if tiling is not None and (tiling.stars, tiling.crosses) not in seen:
                seen.add((tiling.stars, tiling.crosses))
                yield _application(position, plus, minus, count, tiling)


def _worth_taking_away(position: Position, plus: Units, others: range, work: Work) -> list[Units]:
    """Return which units to take away so that the rest may be short of room.

    A unit that could hold more stars inside `plus` than it needs is better counted by its need; one with less room than
    it needs is better counted by its room; where both are the same, either way is tried.
    """
    cells = position.geometry.cells_of(plus)
    taken, ties = [], []
    for unit in needing(position, others):
        shared = position.open_in(unit) & cells
        if not shared:
            continue
        work.spend()
        room, need = apart(position.geometry, shared).bit_count(), position.needs[unit]
        if room > need:
            taken.append(unit)
        elif room == need:
            ties.append(unit)
    choices: list[Units] = [tuple(sorted((*taken, *ties))), tuple(taken)]
    if len(ties) <= MAX_TIES:
        for tie in ties:
            choices.append(tuple(sorted((*taken, tie))))
            choices.append(tuple(sorted((*taken, *(other for other in ties if other != tie)))))
    return [choice for choice in dict.fromkeys(choices) if choice]


def _application(position: Position, plus: Units, minus: Units, count: int, tiling: Tiling) -> Application:
    more, less, stars = name_units(position, plus), name_units(position, minus), count_of(count, "star")
    needs = count_of(need_of(position, plus), "star")
    opening = (
        capitalised(
            f"{more} {verb(plus, 'needs', 'need')} {needs}, {less} {verb(minus, 'needs', 'need')} "
            f"{name_number(need_of(position, minus))}: {name_number(count)} fewer."
        ),
        f"What they share counts for both, so {more} outside {less} must hold {stars} more than {less} outside {more}.",
    )
    return tiled_application(
        position,
        NAME,
        tiling,
        (plus, minus),
        where=f"of {more} outside {less}",
        because=capitalised(
            f"{more} {verb(plus, 'needs', 'need')} {stars} more than {less}, "
            f"and outside {less} there is room for no more."
        ),
        opening=opening,
    )
