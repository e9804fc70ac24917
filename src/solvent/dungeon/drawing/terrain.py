"""Lay out the floors of a dungeon on one sheet, and draw their ground: walls, water, rooms.

Tiles of one look are joined into as few rectangles as a simple sweep finds, so that big maps make small files.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from solvent.core.paint import INK, as_hex, mix
from solvent.dungeon.drawing.colours import FAINT_INK, GROUND, ROOM_TINTS, SEA, STONE, STONE_EDGE
from solvent.dungeon.drawing.phrases import escape
from solvent.dungeon.drawing.things import TILE, draw_one_way, put
from solvent.dungeon.model import NOTHING, ONE_WAYS, WALL, WATER, Dungeon, Place, Room
from solvent.dungeon.rooms import Area, room_of

Point = tuple[float, float]


class Sheet(Struct, frozen=True):
    """Say where each floor lies on the sheet, in units of which a tile has 32, and how much the sheet is scaled."""

    corners: tuple[Point, ...]
    width: float
    height: float
    scale: float
    named: bool
    """Whether the floors have their names above them."""

    def middle(self, place: Place) -> Point:
        """Return the middle of a tile."""
        x, y = self.corners[place[0]]
        return x + (place[2] + 0.5) * TILE, y + (place[1] + 0.5) * TILE

    @property
    def pixels(self) -> tuple[float, float]:
        """Return the size of the sheet in pixels."""
        return self.width * self.scale, self.height * self.scale


def lay_out(dungeon: Dungeon) -> Sheet:
    """Place the floors in rows, in their order, on a sheet about as wide as high."""
    sizes = [(len(floor.terrain[0]) * TILE, len(floor.terrain) * TILE) for floor in dungeon.floors]
    named = len(sizes) > 1 or bool(dungeon.floors[0].name)
    longest = max(max(size) for size in sizes) / TILE
    total = math.sqrt(sum(width * height for width, height in sizes)) / TILE
    extent = max(longest, total)
    scale = 1.0 if extent <= 26 else 0.75 if extent <= 44 else max(0.08, min(0.5, 128 / extent))
    caption = 22 / scale if named else 0.0
    gap = 24 / scale
    room = max(max(width for width, _ in sizes), 1.25 * total * TILE)
    corners: list[Point] = []
    x = y = shelf = widest = 0.0
    for (width, height), floor in zip(sizes, dungeon.floors, strict=True):
        taken = max(width, len(floor.name) * 8 / scale) if named else width
        if x and x + taken > room:
            x, y, shelf = 0.0, y + shelf + gap, 0.0
        corners.append((x, y + caption))
        x += taken + gap
        widest = max(widest, x - gap)
        shelf = max(shelf, height + caption)
    return Sheet(tuple(corners), widest, y + shelf, scale, named)


def draw_terrain(dungeon: Dungeon, sheet: Sheet, rooms: Iterable[Area]) -> Iterator[str]:
    """Yield walls, floor in the tint of its room, water and one-way tiles."""
    tint_of = _choose_tints(dungeon.rooms)
    room = room_of(dungeon, tuple(rooms))
    for floor, storey in enumerate(dungeon.floors):
        x, y = sheet.corners[floor]
        looks: dict[str, dict[int, list[int]]] = {}
        arrows = []
        for row, line in enumerate(storey.terrain):
            for column, letter in enumerate(line):
                if letter == NOTHING:
                    continue
                if letter == WALL:
                    look = as_hex(STONE)
                elif letter == WATER:
                    look = as_hex(SEA)
                else:
                    number = room.get((floor, row, column), -1)
                    look = as_hex(ROOM_TINTS[tint_of[number]] if 0 <= number < len(tint_of) else GROUND)
                    if letter in ONE_WAYS:
                        arrows.append((row, column, ONE_WAYS[letter]))
                looks.setdefault(look, {}).setdefault(row, []).append(column)
        yield f'<g transform="translate({x:g} {y:g})">'
        if sheet.named:
            size = 14 / sheet.scale
            yield (
                f'<text y="{-6 / sheet.scale:g}" font-size="{size:g}" font-weight="bold" '
                f'fill="{as_hex(FAINT_INK)}">{escape(storey.name)}</text>'
            )
        yield '<g shape-rendering="crispEdges">'
        for look in sorted(looks):
            yield f'<path d="{cover(looks[look])}" fill="{look}"/>'
        yield "</g>"
        yield from _draw_waves(storey.terrain)
        yield f'<path d="{_shores(storey.terrain)}" stroke="{as_hex(STONE_EDGE)}" stroke-width="2.5" fill="none"/>'
        for row, column, direction in arrows:
            yield put(draw_one_way(direction), (column + 0.5) * TILE, (row + 0.5) * TILE)
        yield "</g>"


def draw_room_names(dungeon: Dungeon, sheet: Sheet) -> Iterator[str]:
    """Yield the name and labels of each named room in its north-west corner, as far as they fit."""
    size = 11 / sheet.scale
    yield (
        f'<g font-size="{size:g}" font-weight="bold" fill="{as_hex(INK)}" stroke="#FFFFFF" '
        f'stroke-width="{size / 4:g}" stroke-opacity="0.8" stroke-linejoin="round" paint-order="stroke">'
    )
    for room in dungeon.rooms:
        floor, top, left = room.corner
        x, y = sheet.corners[floor]
        words = room.name + (f" · {', '.join(room.labels)}" if room.labels else "")
        fits = max(2, int(room.width * TILE / (size * 0.56)))
        if len(words) > fits:
            words = words[: fits - 1] + "…"
        yield f'<text x="{x + left * TILE + 5:g}" y="{y + top * TILE + size:g}">{escape(words)}</text>'
    yield "</g>"


def cover(columns_by_row: dict[int, list[int]]) -> str:
    """Return path data of rectangles that cover the tiles, given as sorted columns by row."""
    rectangles: list[str] = []
    growing: dict[tuple[int, int], int] = {}
    last = -2

    def finish(runs: Iterable[tuple[int, int]], end: int) -> None:
        for first, after in runs:
            top = growing.pop((first, after))
            width, height = (after - first) * TILE, (end - top) * TILE
            rectangles.append(f"M{first * TILE} {top * TILE}h{width}v{height}h-{width}z")

    for row in sorted(columns_by_row):
        if row != last + 1:
            finish(list(growing), last + 1)
        runs = _runs(columns_by_row[row])
        finish([run for run in growing if run not in runs], row)
        for run in runs:
            growing.setdefault(run, row)
        last = row
    finish(list(growing), last + 1)
    return "".join(rectangles)


def _runs(columns: list[int]) -> dict[tuple[int, int], None]:
    """Return the runs of neighbouring columns as first and one after the last, in order."""
    runs: dict[tuple[int, int], None] = {}
    first = previous = columns[0]
    for column in columns[1:]:
        if column != previous + 1:
            runs[first, previous + 1] = None
            first = column
        previous = column
    runs[first, previous + 1] = None
    return runs


def _shores(rows: tuple[str, ...]) -> str:
    """Return path data of the lines between walls (or nothing) and where one can stand."""
    height, width = len(rows), len(rows[0])
    solid = [[letter in (WALL, NOTHING) for letter in line] for line in rows]
    lines = []
    for row in range(height + 1):
        edge = [
            (row == 0 or solid[row - 1][column]) != (row == height or solid[row][column]) for column in range(width)
        ]
        columns = [column for column in range(width) if edge[column]]
        if columns:
            lines += [f"M{first * TILE} {row * TILE}h{(end - first) * TILE}" for first, end in _runs(columns)]
    for column in range(width + 1):
        down = [
            row
            for row in range(height)
            if (column == 0 or solid[row][column - 1]) != (column == width or solid[row][column])
        ]
        if down:
            lines += [f"M{column * TILE} {first * TILE}v{(end - first) * TILE}" for first, end in _runs(down)]
    return "".join(lines)


def _draw_waves(rows: tuple[str, ...]) -> Iterator[str]:
    waves = "".join(
        f"M{column * TILE + 5} {row * TILE + 17}q5.5 -6 11 0t11 0"
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter == WATER
    )
    if waves:
        yield f'<path d="{waves}" fill="none" stroke="{as_hex(mix(SEA, (0, 60, 110), 0.5))}" stroke-width="2"/>'


def _choose_tints(rooms: tuple[Room, ...]) -> list[int]:
    """Choose a tint for each room, another than rooms beside it have where that is easily done."""
    if len(rooms) > 400:  # so many are no bigger than dots; comparing each with each would take long
        return [number % len(ROOM_TINTS) for number in range(len(rooms))]
    tints: list[int] = []
    for number, room in enumerate(rooms):
        near = [tints[other] for other in range(number) if _touch(room, rooms[other])]
        tints.append(min(range(len(ROOM_TINTS)), key=lambda tint: (near.count(tint), tints.count(tint))))
    return tints


def _touch(room: Room, other: Room) -> bool:
    (floor, top, left), (other_floor, other_top, other_left) = room.corner, other.corner
    return (
        floor == other_floor
        and top <= other_top + other.height
        and other_top <= top + room.height
        and left <= other_left + other.width
        and other_left <= left + room.width
    )
