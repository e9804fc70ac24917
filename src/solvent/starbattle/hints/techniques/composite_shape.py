"""Composite shape: lines without the regions inside them, or regions without the lines inside them.

If all open cells of some regions lie in a band of lines, the rest of the band holds exactly as many stars as the lines
need more than the regions. If as many 2×2 blocks cover that rest, every block holds exactly one star of it, and no star
lies in two blocks. The same holds for a group of regions without the lines whose open cells all lie in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.blocks import apart
from solvent.starbattle.hints.counting import (
    Units,
    area_witness,
    cells_of,
    kind_of,
    need_of,
    needing,
    plus_sets,
    tile,
    tiled_application,
    verb,
)
from solvent.starbattle.hints.phrases import capitalised, say_count, say_units
from solvent.starbattle.hints.position import Position

NAME = "composite shape"
TITLE = "Composite shape"
DIFFICULTY = 10.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield tiled shapes, those of few units first."""
    told = set()
    for plus, others in plus_sets(position):
        work.spend()
        cells = cells_of(position, plus)
        inside = tuple(unit for unit in needing(position, others) if not position.open_in(unit) & ~cells)
        # Regions with just the room they need may as well stay: their blocks may reach into the rest.
        roomy = tuple(
            unit for unit in inside if apart(position.geometry, position.open_in(unit)) > position.needs[unit]
        )
        for minus in dict.fromkeys((inside, roomy)):
            if not minus:
                continue
            count = need_of(position, plus) - need_of(position, minus)
            tiling = tile(position, position.open & cells & ~cells_of(position, minus), count, work)
            if tiling is not None and (tiling.stars, tiling.crosses) not in told:
                told.add((tiling.stars, tiling.crosses))
                yield tiled_application(
                    position,
                    NAME,
                    tiling,
                    plus,
                    minus,
                    area_witness(position, plus, minus, tiling),
                    because=capitalised(
                        f"{say_units(position, plus)} without {say_units(position, minus)} "
                        f"{verb(plus, 'has', 'have')} {say_count(count, 'star')} left, "
                        f"and {say_count(count, 'block')} {'covers' if count == 1 else 'cover'} the rest."
                    ),
                    opening=_opening(position, plus, minus, count),
                )


def _opening(position: Position, plus: Units, minus: Units, count: int) -> tuple[str, ...]:
    stars, fewer = (say_count(need_of(position, units), "star") for units in (plus, minus))
    within = kind_of(position, plus)
    return (
        capitalised(f"{say_units(position, plus)} still {verb(plus, 'needs', 'need')} {stars}."),
        capitalised(
            f"{say_units(position, minus)} {verb(minus, 'needs', 'need')} {fewer}, "
            f"and all {verb(minus, 'its', 'their')} open cells lie in {within}."
        ),
        f"So the rest of {within} holds exactly {say_count(count, 'star')}.",
    )
