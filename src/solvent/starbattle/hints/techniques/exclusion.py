"""Exclusion: a star on this cell would leave a row, column or region too little room.

Suppose the star were there. The cells it touches are gone. If what is left of a unit fits in fewer 2×2 blocks than
the unit still needs stars, they cannot all be placed, because a block holds one star at most. So the cell is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.cells import format_cell
from solvent.starbattle.hints.application import Application, Highlights, Work, pairs, unit_keys
from solvent.starbattle.hints.blocks import apart, cover
from solvent.starbattle.hints.phrases import count_of, name_blocks, name_cells, name_units
from solvent.starbattle.hints.position import Cells, Geometry, Position, cells_in

NAME = "exclusion"
TITLE = "Exclusion"
DIFFICULTY = 6.0

MAX_STEPS = 60
"""Stars tried to see that a unit is not short, before its cells are covered with blocks."""
NAMED_CELLS = 4
"""Cells left over that are still named one by one."""


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
    for shortage in sorted(found.values(), key=lambda one: (len(one.blocks), one.units, one.cell)):
        yield application(position, NAME, shortage, filled=())


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


def application(position: Position, technique: str, shortage: Shortage, *, filled: tuple[int, ...]) -> Application:
    """Return the application that says a cell is empty; `filled` are the units its star would complete."""
    star = format_cell(shortage.cell, position.size)
    names = name_units(position, shortage.units)
    one = len(shortage.units) == 1
    still = f"{'it' if one else 'they'} would still need {count_of(shortage.missing, 'more star')}"
    proof = [f"Suppose {star} were a star."]
    if filled:
        proof.append(f"It would be the last star of {name_units(position, filled)}.")
    if not shortage.rest:
        proof.append(f"Then no open cell of {names} would be left, but {still}.")
    else:
        few = shortage.rest.bit_count() <= NAMED_CELLS
        left = f"Then only {name_cells(position, shortage.rest)} would be left" if few else "What would be left"
        inside = f"{'all ' if few else ''}in {name_blocks(position, shortage.blocks)}"
        room = count_of(len(shortage.blocks), "star")
        proof.append(f"{left} of {names}{',' if few else ' lies'} {inside}: room for {room} at most.")
        proof.append(f"But {still}.")
    return Application(
        technique=technique,
        stars=0,
        crosses=1 << shortage.cell,
        witness={
            "cell": list(divmod(shortage.cell, position.size)),
            "plus": unit_keys(position, shortage.units),
            "blocks": pairs(shortage.blocks, position.size),
        },
        because=capitalised(f"a star on {star} would leave {names} too little room."),
        proof=tuple(proof),
        highlights=Highlights(
            causes=shortage.rest, units=tuple(sorted({*shortage.units, *filled})), blocks=shortage.blocks
        ),
    )
