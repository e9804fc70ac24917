"""Say cell by cell what follows once each of some blocks is known to hold exactly one star."""

from __future__ import annotations

from solvent.drawing.phrases import listed
from solvent.starbattle.cells import format_cell
from solvent.starbattle.hints.application import Why
from solvent.starbattle.hints.phrases import name_cells
from solvent.starbattle.hints.position import Cells, Position


def block_reasons(
    position: Position, area: Cells, blocks: tuple[int, ...], stars: Cells, crosses: Cells
) -> tuple[Why, ...]:
    """Say why blocks that hold one star of an area each make these cells stars, and those empty."""
    geometry = position.geometry
    parts = {corner: geometry.block(corner) & area for corner in blocks}
    names = {corner: f"the block at {format_cell(corner, position.size)}" for corner in blocks}
    whys = []
    for corner, part in parts.items():
        if part & stars and part & (part - 1) == 0:
            whys.append(Why(part, f"{{cells}} is all that {names[corner]} has left."))
    told = 0
    shared: dict[tuple[int, ...], Cells] = {}
    for bit in _bits(crosses & area):
        holding = tuple(corner for corner, part in parts.items() if part & bit)
        if len(holding) > 1:
            shared[holding] = shared.get(holding, 0) | bit
            told |= bit
    for holding, cells in shared.items():
        both = listed([names[corner] for corner in holding])
        whys.append(
            Why(
                cells,
                f"A star on {{cells}} would count for {both} at once, and one star would be missing.",
                f"A star on one of {{cells}} would count for {both} at once, and one star would be missing.",
            )
        )
    for corner, part in parts.items():
        cells = geometry.beside_all(part) & crosses & ~part & ~told if part else 0
        if cells:
            told |= cells
            left = name_cells(position, part)
            whys.append(
                Why(
                    cells,
                    f"{{cells}} touches {_all_of(left, part, names[corner])}.",
                    f"{{cells}} touch {_all_of(left, part, names[corner])}.",
                )
            )
    return tuple(whys)


def _all_of(named: str, part: Cells, block: str) -> str:
    if part & (part - 1) == 0:
        return f"{named}, the star of {block}"
    return f"{named}, one of which is a star"


def _bits(cells: Cells) -> list[Cells]:
    found = []
    while cells:
        found.append(cells & -cells)
        cells &= cells - 1
    return found
