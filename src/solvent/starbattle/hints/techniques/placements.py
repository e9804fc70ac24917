"""Placements: look at every way to place the stars of a unit, and keep what all of them agree on.

One of the ways is the right one. So a cell that has a star in all of them is a star, a cell of the unit that has one
in none is empty, and so is a cell outside the unit that touches a star in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solvent.starbattle.hints.application import Application, Highlights, Work, pairs, unit_keys
from solvent.starbattle.hints.phrases import capitalised, say_cells, say_count, say_units
from solvent.starbattle.hints.position import Cells, Geometry, Position, cells_in

NAME = "placements"
TITLE = "All placements"
DIFFICULTY = 4.0

MAX_PLACEMENTS = 40
"""A person must be able to go through them."""
LISTED = 40
"""Placements that are named one by one in the proof."""


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
    found: list[Cells] = []
    steps = [10 * most]
    complete = area.bit_count() >= need and _place(position.geometry, area, 0, need, found, most, steps)
    if work is not None:
        work.spend((10 * most - steps[0]) // 8)
    return tuple(found) if complete else ()


def _place(
    geometry: Geometry, area: Cells, placed: Cells, need: int, found: list[Cells], most: int, steps: list[int]
) -> bool:
    """Gather placements in order of their cells; returns False if there are too many."""
    while area.bit_count() >= need:
        lowest = area & -area
        area ^= lowest
        steps[0] -= 1
        if steps[0] < 0:
            return False
        if need == 1:
            found.append(placed | lowest)
            if len(found) > most:
                return False
        else:
            away = area & ~geometry.touching[lowest.bit_length() - 1]
            if not _place(geometry, away, placed | lowest, need - 1, found, most, steps):
                return False
    return True


def agreed(position: Position, area: Cells, placements: Sequence[Cells]) -> tuple[Cells, Cells]:
    """Return the cells that are stars in all placements on an area, and the open cells that are none in each."""
    touching = position.geometry.touching
    always = beside = -1
    ever = 0
    around: dict[int, Cells] = {cell: touching[cell] for cell in cells_in(area)}
    for placement in placements:
        always &= placement
        ever |= placement
        if beside & position.open & ~area:
            close = 0
            for cell in cells_in(placement):
                close |= around[cell]
            beside &= close
    return always, (area & ~ever) | (beside & position.open & ~area)


def _application(
    position: Position, unit: int, placements: tuple[Cells, ...], stars: Cells, crosses: Cells
) -> Application:
    name = capitalised(say_units(position, [unit]))
    area = position.open_in(unit)
    count = len(placements)
    need = position.needs[unit]
    wanted = f"{'last ' if need < position.puzzle.stars else ''}{'star' if need == 1 else say_count(need, 'star')}"
    ways = "one way" if count == 1 else say_count(count, "way")
    named = [say_cells(position, placement) for placement in placements]
    proof = [f"There {'is' if count == 1 else 'are'} {ways} to place the {wanted} of {say_units(position, [unit])}."]
    if count <= LISTED:
        proof.append(f"{'It is' if count == 1 else 'They are'}: {'; '.join(named)}.")
    if stars:
        proof.append(
            f"{say_cells(position, stars)} {'is a star' if stars & (stars - 1) == 0 else 'are stars'} in each."
        )
    if crosses & area:
        proof.append(f"{say_cells(position, crosses & area)} cannot be part of any.")
    if crosses & ~area:
        proof.append(f"Each puts a star beside {say_cells(position, crosses & ~area)}.")
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
        highlights=Highlights(causes=area, units=(unit,)),
    )
