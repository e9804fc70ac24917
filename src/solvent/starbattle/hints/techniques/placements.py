"""Placements: look at every way to place the stars of a unit, and keep what all of them agree on.

One of the ways is the right one. So a cell that has a star in all of them is a star, a cell of the unit that has one
in none is empty, and so is a cell outside the unit that touches a star in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Why, Work, pairs, unit_keys
from solvent.starbattle.hints.phrases import count_of, name_cells, name_units
from solvent.starbattle.hints.placing import in_common, place_all
from solvent.starbattle.hints.position import Cells, Position

NAME = "placements"
TITLE = "All placements"
DIFFICULTY = 5.0

MAX_PLACEMENTS = 4
"""A person must be able to go through them, and the proof names each."""


def find(position: Position, work: Work, *, most: int = MAX_PLACEMENTS) -> Iterator[Application]:
    """Yield units whose placements agree on something, those with the fewest placements first.

    Units with more than `most` placements are left alone.
    """
    found: list[tuple[int, int, tuple[Cells, ...]]] = []
    for unit, need in enumerate(position.needs):
        work.spend()
        if need > 0:
            placements = placements_of(position, position.open_in(unit), need, most=most, work=work)
            if placements:
                found.append((len(placements), unit, placements))
    seen: set[tuple[Cells, Cells]] = set()
    for _, unit, placements in sorted(found):
        stars, crosses = agreed(position, position.open_in(unit), placements)
        if (stars or crosses) and (stars, crosses) not in seen:
            seen.add((stars, crosses))
            yield _application(position, unit, placements, stars, crosses)


def placements_of(
    position: Position, area: Cells, need: int, *, most: int, work: Work | None = None
) -> tuple[Cells, ...]:
    """Return every way to place so many stars on an area with no two touching; none if there are more than `most`."""
    found = place_all(position.geometry, area, need, most=most, most_steps=10 * most)
    if work is not None:
        work.spend(found.steps // 8)
    return found.ways


def agreed(position: Position, area: Cells, placements: Sequence[Cells]) -> tuple[Cells, Cells]:
    """Return the cells that are stars in all placements on an area, and the open cells that are none in each."""
    outside = position.open & ~area
    every, some, beside = in_common(position.geometry, placements, outside=outside)
    return every, (area & ~some) | (beside & outside)


def agreement(stars: Cells, crosses: Cells, area: Cells, count: int) -> tuple[Why, ...]:
    """Say what so many ways to fill an area have in common, cell by cell."""
    each, none = ("it", "it does not use") if count == 1 else ("each", "none uses")
    return (
        Why(stars, f"{{cells}} is a star in {each}.", f"{{cells}} are stars in {each}."),
        Why(crosses & area, f"{capitalised(none)} {{cells}}."),
        Why(crosses & ~area, f"{{cells}} touches a star in {each}.", f"{{cells}} touch a star in {each}."),
    )


def _application(
    position: Position, unit: int, placements: tuple[Cells, ...], stars: Cells, crosses: Cells
) -> Application:
    name = capitalised(name_units(position, [unit]))
    area = position.open_in(unit)
    count = len(placements)
    need = position.needs[unit]
    wanted = f"{'last ' if need < position.puzzle.stars else ''}{'star' if need == 1 else count_of(need, 'star')}"
    ways = "one way" if count == 1 else count_of(count, "way")
    named = [name_cells(position, placement) for placement in placements]
    proof = [f"There {'is' if count == 1 else 'are'} {ways} to place the {wanted} of {name_units(position, [unit])}."]
    proof.append(f"{'It is' if count == 1 else 'They are'}: {'; '.join(named)}.")
    return Application(
        technique=NAME,
        stars=stars,
        crosses=crosses,
        witness={
            "unit": unit_keys(position, [unit])[0],
            "placements": sorted(pairs(placement, position.size) for placement in placements),
        },
        because=f"{name} has {'only ' if count < 4 else ''}{ways} to place its {wanted}"
        + ("." if count == 1 else ", and they agree here."),
        proof=tuple(proof),
        reasons=agreement(stars, crosses, area, count),
        highlights=Highlights(causes=area, units=(unit,)),
    )
