"""Pressured exclusion: a star on this cell would fill other units as well, and together that leaves too little room.

As with exclusion the cells that the star touches are gone. So is the rest of every row, column and region that has
all its stars with this one. What is left is counted in 2×2 blocks, for one unit or for two that share no cell: two
neighbouring rows or columns, or two regions beside each other. With fewer blocks than stars the cell is empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.position import Cells, Position, cells_in
from solvent.starbattle.hints.techniques.exclusion import Excluded, Shortage, applications, shortages

NAME = "pressured exclusion"
TITLE = "Pressured exclusion"
DIFFICULTY = 6.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield cells whose star would leave a unit short, then two units; those that leave the least room first."""
    geometry = position.geometry
    touched = {cell: geometry.touching[cell] | 1 << cell for cell in cells_in(position.open)}
    lost = {cell: gone | geometry.cells_of(position.filled_by(cell)) for cell, gone in touched.items()}
    pressing = {cell: gone for cell, gone in lost.items() if gone != touched[cell]}
    seen: set[int] = set()
    alone = [
        shortage
        for unit in range(len(geometry.units))
        for shortage in shortages(position, (unit,), pressing, work)
        # without the pressure it might be plain exclusion
        if (lost[shortage.cell] & ~touched[shortage.cell]) & position.open_in(unit)
    ]
    yield from _plainest(position, alone, seen)
    left = {cell: gone for cell, gone in lost.items() if cell not in seen}
    together = [
        shortage
        for units in _neighbouring(position)
        for shortage in shortages(position, units, left, work)
        if not _short_alone(position, shortage, lost, work)
    ]
    yield from _plainest(position, together, seen)


def _plainest(position: Position, found: list[Shortage], seen: set[int]) -> Iterator[Application]:
    plainest: list[Excluded] = []
    for shortage in sorted(found, key=lambda one: (len(one.blocks), one.units, one.cell)):
        if shortage.cell not in seen:
            seen.add(shortage.cell)
            masks, area = position.geometry.masks, position.open & position.geometry.cells_of(shortage.units)
            filled = tuple(unit for unit in position.filled_by(shortage.cell) if masks[unit] & area)
            plainest.append((shortage, filled))
    yield from applications(position, NAME, plainest)


def _neighbouring(position: Position) -> Iterator[tuple[int, int]]:
    """Yield two neighbouring rows, then columns, then regions whose open cells touch."""
    geometry = position.geometry
    for lines in (geometry.rows, geometry.columns):
        for first in lines[:-1]:
            if position.needs[first] > 0 and position.needs[first + 1] > 0:
                yield first, first + 1
    needing = [unit for unit in geometry.regions if position.needs[unit] > 0]
    around = {unit: geometry.around(position.open_in(unit)) for unit in needing}
    for first, near in around.items():
        for second in around:
            if first < second and near & position.open_in(second):
                yield first, second


def _short_alone(position: Position, shortage: Shortage, lost: dict[int, Cells], work: Work) -> bool:
    """Tell whether one of the units alone would be short already: then the pair says nothing new."""
    star = {shortage.cell: lost[shortage.cell]}
    return any(True for unit in shortage.units for _ in shortages(position, (unit,), star, work))
