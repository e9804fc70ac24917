"""Write the names of rooms on a map where they cover no door, gate or thing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from solvent.drawing.markup import Markup
from solvent.drawing.palette import INK
from solvent.drawing.shapes import Outlined, write_outlined
from solvent.drawing.text_width import fit_text, text_width
from solvent.dungeon.drawing.doors import Door, Link
from solvent.dungeon.drawing.terrain import Sheet
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.model import Dungeon, Place, Room
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.rules import beside

SIZE = 11
"""Of the letters, in pixels."""
_BESIDE = 5.0
"""Between a name and the edge of its tiles."""

Span = tuple[int, int, int]
"""Free tiles of a room side by side: their first row, the first column and one after the last, from its corner."""


def draw_room_names(dungeon: Dungeon, sheet: Sheet, doors: Sequence[Door], links: Sequence[Link]) -> Iterator[Markup]:
    """Yield the name and labels of each named room, as far up and left in it as they are free, cut if need be."""
    size = SIZE / sheet.scale
    covered = _covered(dungeon, doors, links)
    names = []
    for room in dungeon.rooms:
        if sheet.named and room.name == dungeon.floors[room.corner[0]].name and is_single_tile(dungeon, room.corner[0]):
            continue  # written above it
        full = room.name + (f" · {', '.join(room.labels)}" if room.labels else "")
        spans = list(_free_spans(room, covered, rows=math.ceil(size * 1.15 / TILE)))
        (row, column, _), text = _choose(room, full, spans, size)
        floor, top, left = room.corner
        x, y = sheet.corners[floor]
        at = x + (left + column) * TILE + _BESIDE, y + (top + row) * TILE + size
        names.append(Outlined(text, *at, full if text != full else ""))
    yield from write_outlined(names, size, fill=INK, bold=True)


def _choose(room: Room, full: str, spans: Sequence[Span], size: float) -> tuple[Span, str]:
    """Return where a name stands, and as much of it as fits: all of it, the name without labels, or its beginning."""

    def room_in(span: Span) -> float:
        return (span[2] - span[1]) * TILE - _BESIDE

    for text in dict.fromkeys((full, room.name)):
        for span in spans:
            if text_width(text, size, bold=True) <= room_in(span):
                return span, text
    widest = max(spans, key=room_in, default=(0, 0, room.width))
    if room_in(widest) < 2.2 * size:  # less than two letters: rather cover something than say nothing
        widest = (0, 0, room.width)
    return widest, fit_text(room.name, max(room_in(widest), 2.2 * size), size, bold=True)


def _free_spans(room: Room, covered: set[Place], *, rows: int) -> Iterator[Span]:
    """Yield the free spans of a room: those along its north wall first, then along its south wall, then the others."""
    floor, top, left = room.corner
    last = max(0, room.height - rows)
    for row in dict.fromkeys((0, last, *range(1, last))):
        taken = [
            any((floor, top + row + down, left + column) in covered for down in range(min(rows, room.height)))
            for column in range(room.width)
        ]
        begin = 0
        for column in range(room.width + 1):
            if column == room.width or taken[column]:
                if column > begin:
                    yield row, begin, column
                begin = column + 1


def _covered(dungeon: Dungeon, doors: Sequence[Door], links: Sequence[Link]) -> set[Place]:
    """Return the tiles on which something is drawn that must stay in sight."""
    covered = {dungeon.start, *dungeon.goals}
    for things in (dungeon.pickups, dungeon.switches, dungeon.blocks):
        covered.update(thing.place for thing in things)
    covered.update(cell for gate in dungeon.gates for cell in gate.cells)
    covered.update(place for link in links for place in (link.source, link.target))
    for door in doors:
        direction = "S" if door.upright else "E"
        for near, far in zip(door.near, door.far, strict=True):
            here = near
            while here != far:
                covered.add(here)
                here = beside(here, direction)
            covered.add(far)
    return covered
