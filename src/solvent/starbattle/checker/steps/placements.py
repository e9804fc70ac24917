"""All ways to place stars, written out: `placements` for one unit, `shapes` for two areas at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, Literal

import msgspec

from solvent.core.budget import UNLIMITED, Meter
from solvent.drawing.phrases import counted
from solvent.starbattle.checker.stars import Number
from solvent.starbattle.checker.steps.areas import area_of, open_in, tiled_parts
from solvent.starbattle.checker.steps.board import (
    Board,
    CellSet,
    Findings,
    NotShown,
    cells_around,
    name,
    names,
    on_board,
    touches_any,
    unit_name,
    unit_on_board,
    units_at,
)
from solvent.starbattle.checker.steps.certificate_schema import Cell, Cells, Tiles, Unit
from solvent.starbattle.model import MAX_STARS

MAX_PLACEMENTS = 20_000
"""Too many to follow; a witness that needs more is refused."""

Placement = Annotated[list[Cell], msgspec.Meta(max_length=MAX_STARS)]


class AllPlacements(msgspec.Struct):
    """Hold the witness of `placements`."""

    unit: Unit
    placements: Annotated[list[Placement], msgspec.Meta(max_length=MAX_PLACEMENTS)]


class KnownArea(Tiles):
    """Hold cells that have exactly `count` stars: a whole area, or the part of it in one of the blocks that tile it."""

    cells: Cells
    count: Number


class Shapes(msgspec.Struct):
    """Hold the witness of `shapes`."""

    areas: tuple[KnownArea, KnownArea]
    shape: Literal["kissing Ls", "M", "pressured T", "pair"]
    """What people call it; it proves nothing."""


def placements(board: Board, witness: dict[str, Any]) -> Findings:
    """Whatever all ways to place the stars of one unit agree on is so."""
    body = msgspec.convert(witness, AllPlacements)
    unit = unit_on_board(board, body.unit)
    if board.needs[unit] < 1:
        raise NotShown(f"{unit_name(unit)} needs no star")
    cells = open_in(board, [unit])
    every = ways_to_place(cells, board.needs[unit], board.meter)
    if [tuple(placement) for placement in body.placements] != every:
        raise NotShown(
            f"expected all {counted(len(every), 'placement')} of {unit_name(unit)} in order, "
            f"found {len(body.placements)} that are not these"
        )
    return _agreed(board, cells, every)


def shapes(board: Board, witness: dict[str, Any]) -> Findings:
    """Whatever all ways to place the stars of two areas agree on is so."""
    body = msgspec.convert(witness, Shapes)
    one, other = (_known_cells(board, area) for area in body.areas)
    if one & other:
        raise NotShown(f"both areas have {names(one & other)}")
    ways = [ways_to_place(cells, area.count, board.meter) for cells, area in zip((one, other), body.areas, strict=True)]
    if len(ways[0]) * len(ways[1]) > MAX_PLACEMENTS:
        raise NotShown(f"expected at most {MAX_PLACEMENTS} placements, found more")
    if min(board.needs.values()) < 0:  # a unit has too many stars already
        ways[0] = []
    both = board.meter.each(product(*ways), every=100)
    joint = [(*first, *second) for first, second in both if _fit(board, first, second)]
    return _agreed(board, one | other, joint)


def ways_to_place(cells: CellSet, count: int, meter: Meter = UNLIMITED) -> list[tuple[Cell, ...]]:
    """Return all ways to place so many stars on these cells, no two touching, in order."""
    around = {cell: cells_around(cell) for cell in cells}
    nothing: CellSet = frozenset()
    found: list[tuple[tuple[Cell, ...], list[Cell], int]] = [((), sorted(cells), 0)]
    """Stars placed so far, the cells that were free before the last one was placed, and how many of these are used."""
    for _ in range(count):
        longer: list[tuple[tuple[Cell, ...], list[Cell], int]] = []
        for placed, before, behind in meter.each(found, every=10):
            taken = around[placed[-1]] if placed else nothing
            free = [cell for cell in before[behind:] if cell not in taken]
            if len(longer) + len(free) > MAX_PLACEMENTS:
                raise NotShown(f"expected at most {MAX_PLACEMENTS} placements, found more")
            longer += [((*placed, cell), free, number) for number, cell in enumerate(free, start=1)]
        found = longer
    return [placed for placed, _, _ in found]


def _agreed(board: Board, cells: CellSet, ways: Sequence[tuple[Cell, ...]]) -> Findings:
    """Return what holds for cells of which it is known that their stars are placed in one of these ways."""
    if not ways:
        raise NotShown(f"there is no way to place the stars on {names(cells)}")
    always, sometimes = set(cells), set[Cell]()
    crowded = set(board.open - cells)
    for way in board.meter.each(ways, every=100):
        always.intersection_update(way)
        sometimes.update(way)
        if crowded:
            crowded &= frozenset().union(*(cells_around(cell) for cell in way))
    return Findings(stars=frozenset(always), crosses=(cells - sometimes) | crowded)


def _known_cells(board: Board, area: KnownArea) -> CellSet:
    """Return the cells of an area, once it is known that they have exactly as many stars as it says."""
    cells = frozenset(on_board(board, area.cells))
    if not cells or area.count < 1:
        raise NotShown("an area without cells or without stars shows nothing")
    whole = area_of(board, area.plus, area.minus)
    if area.blocks:
        if area.count != 1 or cells not in tiled_parts(board, whole, area.blocks):
            raise NotShown(f"{names(cells)} are not the part of a block that holds 1 star")
        return cells
    if whole.outside:
        raise NotShown(f"what is taken away has open cells outside: {names(whole.outside)}")
    if cells != whole.inside:
        raise NotShown(f"expected the area {names(whole.inside)}, found {names(cells)}")
    if area.count != whole.count:
        raise NotShown(f"the area at {name(min(cells))} needs {counted(whole.count, 'star')}, not {area.count}")
    return cells


def _fit(board: Board, first: Sequence[Cell], second: Sequence[Cell]) -> bool:
    """Tell whether stars can stand on all these cells: none touch, and no unit has more than it needs."""
    if any(touches_any(cell, second) for cell in first):
        return False
    counts = Counter(unit for cell in (*first, *second) for unit in units_at(board, cell))
    return all(count <= board.needs[unit] for unit, count in counts.items())
