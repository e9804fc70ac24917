"""Exclusion: a star on this cell would leave a row, column or region too little room.

Suppose the star were there. The cells it touches are gone. If what is left of a unit fits in fewer 2×2 blocks than
the unit still needs stars, they cannot all be placed, because a block holds one star at most. So the cell is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.cells import format_cell
from solvent.starbattle.hints.application import Application, Highlights, Why, Work, pairs, unit_keys
from solvent.starbattle.hints.blocks import apart, cover
from solvent.starbattle.hints.phrases import count_of, describe_room, name_units
from solvent.starbattle.hints.position import Cells, Geometry, Position, cells_in

NAME = "exclusion"
TITLE = "Exclusion"
DIFFICULTY = 4.5

MAX_STEPS = 60
"""Stars tried to see that a unit is not short, before its cells are covered with blocks."""


class Shortage(Struct, frozen=True):
    """Hold why a star on a cell would leave units short of stars."""

    cell: int
    units: tuple[int, ...]
    """They share no cell."""
    blocks: tuple[int, ...]
    """They cover what the star leaves of the units."""
    rest: Cells
    """What it leaves of them."""
    missing: int
    """How many stars they would still need: more than there are blocks."""


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield each cell whose star would leave some unit short, those that leave the least room first."""
    geometry = position.geometry
    lost = {cell: geometry.touching[cell] | 1 << cell for cell in cells_in(position.open)}
    found: dict[int, Shortage] = {}
    for unit in range(len(geometry.units)):
        for shortage in shortages(position, (unit,), lost, work):
            known = found.get(shortage.cell)
            if known is None or len(shortage.blocks) < len(known.blocks):
                found[shortage.cell] = shortage
    yield from applications(position, NAME, [(shortage, ()) for shortage in found.values()])


def shortages(position: Position, units: Sequence[int], lost: Mapping[int, Cells], work: Work) -> Iterator[Shortage]:
    """Yield the open cells whose star would leave these units short; `lost` has the cells that each star takes."""
    geometry = position.geometry
    needs = [position.needs[unit] for unit in units]
    if min(needs) < 0:
        return
    mask, need = geometry.cells_of(units), sum(needs)
    area = position.open & mask
    work.spend()
    if need == 0 or not area:
        return
    # stars that fit together now; as long as enough of them remain, the units are not short
    fitting = apart(geometry, area, most=need + 8)
    for cell, gone in lost.items():
        missing = need - (mask >> cell & 1)
        if not gone & area or (fitting & ~gone).bit_count() >= missing:
            continue
        work.spend()
        rest = area & ~gone
        if _fits(geometry, rest, missing, [MAX_STEPS]):
            continue
        work.spend(5)
        blocks = cover(geometry, rest, most=missing - 1)
        if blocks is not None:
            yield Shortage(cell, tuple(units), blocks, rest, missing)


def _fits(geometry: Geometry, area: Cells, count: int, steps: list[int]) -> bool:
    """Tell whether so many cells of which no two touch are found in a few steps: then no fewer blocks can cover them.

    That is far quicker to see than that there is no cover. Of the first cell and those it touches one can be picked.
    """
    if count <= 0:
        return True
    steps[0] -= 1
    if steps[0] < 0 or area.bit_count() < count:
        return False
    first = (area & -area).bit_length() - 1
    for cell in cells_in(area & (geometry.touching[first] | 1 << first)):
        if _fits(geometry, area & ~(geometry.touching[cell] | 1 << cell), count - 1, steps):
            return True
    return False


Excluded = tuple[Shortage, tuple[int, ...]]
"""Why a cell is excluded, and the units that its star would fill."""


def applications(position: Position, technique: str, found: Sequence[Excluded]) -> Iterator[Application]:
    """Yield what each set of units excludes, those first that a star leaves the least room."""
    groups: dict[tuple[int, ...], list[Excluded]] = {}
    for one in sorted(found, key=lambda one: (len(one[0].blocks), one[0].units, one[0].cell)):
        groups.setdefault(one[0].units, []).append(one)
    for group in groups.values():
        alone = [_application(position, technique, [one]) for one in group]
        yield _application(position, technique, group, parts=tuple(alone)) if len(alone) > 1 else alone[0]


def _application(
    position: Position, technique: str, group: Sequence[Excluded], *, parts: tuple[Application, ...] = ()
) -> Application:
    """Return the application that says some cells are empty, since a star on any would leave the same units short."""
    units = group[0][0].units
    names, need = name_units(position, units), sum(position.needs[unit] for unit in units)
    one = len(units) == 1
    whys = _merged([_why(position, shortage, filled) for shortage, filled in group])
    filled = {unit for _, units_filled in group for unit in units_filled}
    return Application(
        technique=technique,
        stars=0,
        crosses=sum(1 << shortage.cell for shortage, _ in group),
        witness={
            "plus": unit_keys(position, units),
            "cells": sorted((_entry(position, shortage) for shortage, _ in group), key=lambda entry: entry["cell"]),
        },
        because=_why(position, *group[0], brief=True).one.format(cells=format_cell(group[0][0].cell, position.size))
        if len(group) == 1
        else f"A star on {'either' if len(group) == 2 else 'any'} of them would leave {names} too little room.",
        proof=(
            capitalised(f"{names} {'needs' if one else 'need'} {count_of(need, 'more star')}, and stars never touch."),
        ),
        reasons=tuple(whys),
        highlights=Highlights(
            causes=group[0][0].rest if len(group) == 1 else position.open & position.geometry.cells_of(units),
            units=tuple(sorted({*units, *filled})),
            blocks=group[0][0].blocks if len(group) == 1 else (),
        ),
        parts=parts,
    )


def _entry(position: Position, shortage: Shortage) -> dict[str, Any]:
    return {
        "cell": list(divmod(shortage.cell, position.size)),
        "blocks": pairs(shortage.blocks, position.size),
    }


def _why(position: Position, shortage: Shortage, filled: tuple[int, ...], *, brief: bool = False) -> Why:
    """Say what a star on a cell would leave, in one sentence; a brief one does not name many blocks."""
    units = shortage.units
    last = f", as the last star of {name_units(position, filled)}," if filled else ""
    left = describe_room(position, shortage.rest, shortage.blocks, brief=brief)
    comma = "," if "," in left and shortage.rest else ""
    stars = _still_to_come(position, units, shortage.missing)
    would = f"{last} would leave {name_units(position, units)} {left}{comma} for {stars}."
    return Why(1 << shortage.cell, f"A star on {{cells}}{would}", f"A star on {{either}}{would}")


def _still_to_come(position: Position, units: tuple[int, ...], missing: int) -> str:
    """Name the stars that units still need once there is a star more, such as `its star` or `their last two stars`."""
    whose = "its" if len(units) == 1 else "their"
    last = "last " if missing < position.puzzle.stars * len(units) else ""
    return f"{whose} {last}{'star' if missing == 1 else count_of(missing, 'star')}"


def _merged(whys: Sequence[Why]) -> list[Why]:
    """Say the same of several cells in one sentence."""
    cells: dict[str, Cells] = {}
    for why in whys:
        cells[why.one] = cells.get(why.one, 0) | why.cells
    return [Why(cells[why.one], why.one, why.several) for why in {why.one: why for why in whys}.values()]
