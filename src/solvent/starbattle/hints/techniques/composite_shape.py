"""Composite shape: lines without the regions inside them, or regions without the lines inside them.

If all open cells of some regions lie in a band of lines, the rest of the band holds exactly as many stars as the lines
need more than the regions. If as many 2×2 blocks cover that rest, every block holds exactly one star of it, and no star
lies in two blocks. The same holds for a group of regions without the lines whose open cells all lie in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.blocks import apart
from solvent.starbattle.hints.counting import (
    need_of,
    needing,
    plus_sets,
    these,
    tile,
    tiled_application,
    verb,
)
from solvent.starbattle.hints.phrases import count_of, name_units
from solvent.starbattle.hints.position import Position, Units

NAME = "composite shape"
TITLE = "Composite shape"
DIFFICULTY = 10.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield tiled shapes, those of few units first."""
    seen = set()
    for plus, others in plus_sets(position):
        work.spend()
        cells = position.geometry.cells_of(plus)
        inside = tuple(unit for unit in needing(position, others) if not position.open_in(unit) & ~cells)
        # Regions with just the room they need may as well stay: their blocks may reach into the rest.
        room = {unit: apart(position.geometry, position.open_in(unit)).bit_count() for unit in inside}
        roomy = tuple(unit for unit in inside if room[unit] > position.needs[unit])
        for minus in dict.fromkeys((inside, roomy)):
            if not minus:
                continue
            count = need_of(position, plus) - need_of(position, minus)
            tiling = tile(position, position.open & cells & ~position.geometry.cells_of(minus), count, work)
            if tiling is not None and (tiling.stars, tiling.crosses) not in seen:
                seen.add((tiling.stars, tiling.crosses))
                yield tiled_application(
                    position,
                    NAME,
                    tiling,
                    (plus, minus),
                    because=capitalised(
                        f"{name_units(position, plus)} without {name_units(position, minus)} "
                        f"{verb(plus, 'has', 'have')} {count_of(count, 'star')} left, "
                        f"and {count_of(count, 'block')} {'covers' if count == 1 else 'cover'} the rest."
                    ),
                    opening=_opening(position, plus, minus, count),
                )


def _opening(position: Position, plus: Units, minus: Units, count: int) -> tuple[str, ...]:
    stars, fewer = (count_of(need_of(position, units), "star") for units in (plus, minus))
    within = these(position, plus)
    return (
        capitalised(f"{name_units(position, plus)} still {verb(plus, 'needs', 'need')} {stars}."),
        capitalised(
            f"{name_units(position, minus)} {verb(minus, 'needs', 'need')} {fewer}, "
            f"and all {verb(minus, 'its', 'their')} open cells lie in {within}."
        ),
        f"So the rest of {within} holds exactly {count_of(count, 'star')}.",
    )
