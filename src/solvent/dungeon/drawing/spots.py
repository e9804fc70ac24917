"""Find where the gates of a dungeon stand on the sheet of a map: on tiles, in doorways, on lines.

One gate may stand in many spots; each is drawn as a slab.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from solvent.dungeon.drawing.doors import Door, Gates, Link
from solvent.dungeon.drawing.terrain import Sheet
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.drawing.walk import middle_of_bend
from solvent.dungeon.model import Dungeon, Place
from solvent.dungeon.rules import beside

ON_LINE = 28
"""The side of a slab in the middle of a line."""

Box = tuple[float, float, float, float]
"""Left, top, width and height."""


class Spot(Struct, frozen=True):
    """Hold where a slab stands: its middle and its size."""

    gate: int
    """By number."""
    x: float
    y: float
    width: float
    height: float


def spots_on_tiles(dungeon: Dungeon, sheet: Sheet) -> Iterator[Spot]:
    """Yield the spots of gates that stand on tiles."""
    for number, gate in enumerate(dungeon.gates):
        for cells in _pieces(gate.cells):
            (left, top), (right, bottom) = sheet.middle(cells[0]), sheet.middle(cells[-1])
            yield Spot(number, (left + right) / 2, (top + bottom) / 2, right - left + TILE, bottom - top + TILE)


def _pieces(cells: Sequence[Place]) -> Iterator[list[Place]]:
    """Yield the cells of a gate as straight pieces."""
    left = set(cells)
    for cell in sorted(cells):
        if cell not in left:
            continue
        best = [cell]
        for direction in ("E", "S"):
            piece = [cell]
            while beside(piece[-1], direction) in left:
                piece.append(beside(piece[-1], direction))
            best = max(best, piece, key=len)
        left.difference_update(best)
        yield best


def spots_in_door(door: Door, sheet: Sheet) -> Iterator[Spot]:
    """Yield the spots of gates in a doorway; if its two directions differ, each has the half where one begins."""
    if door.there == door.back:
        yield from _side_by_side(door.there, opening(door, sheet))
        return
    for gates, half in zip((door.there, door.back), halves(door, sheet), strict=True):
        yield from _side_by_side(gates, half)


def spots_on_link(link: Link, sheet: Sheet) -> Iterator[Spot]:
    """Yield the spot of the gate that bars a link, if there is one."""
    if link.gate is not None:
        route = sheet.routes.get(link.number)
        x, y = route[1] if route else middle_of_bend(sheet.middle(link.source), sheet.middle(link.target), link.lane)
        yield Spot(link.gate, round(x, 1), round(y, 1), ON_LINE, ON_LINE)


def opening(door: Door, sheet: Sheet) -> Box:
    """Return the box between the ends of a door."""
    near_x, near_y = sheet.middle(door.near[0])
    far_x, far_y = sheet.middle(door.far[-1])
    half = TILE / 2
    if door.upright:
        return near_x - half, near_y + half, far_x - near_x + TILE, far_y - near_y - TILE
    return near_x + half, near_y - half, far_x - near_x - TILE, far_y - near_y + TILE


def halves(door: Door, sheet: Sheet) -> tuple[Box, Box]:
    """Return the near and the far half of the box between the ends of a door."""
    x, y, width, height = opening(door, sheet)
    if door.upright:
        return (x, y, width, height / 2), (x, y + height / 2, width, height / 2)
    return (x, y, width / 2, height), (x + width / 2, y, width / 2, height)


def _side_by_side(gates: Gates, box: Box) -> Iterator[Spot]:
    x, y, width, height = box
    shown = [gate for gate in gates if gate is not None]
    part = width / max(1, len(shown))
    for index, number in enumerate(shown):
        yield Spot(number, x + part * (index + 0.5), y + height / 2, part, height)
