"""Lay out the floors of a dungeon on one sheet, and draw their ground: walls, water, rooms."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct

from solvent.drawing.curves import Curve
from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK, Paint, mix
from solvent.drawing.rulers import draw_rulers, ruler_room
from solvent.drawing.shapes import Point, group, label, path, put
from solvent.drawing.tiles import cover, find_runs
from solvent.dungeon.drawing.colours import GROUND, ROOM_TINTS, SEA, STONE, STONE_EDGE
from solvent.dungeon.drawing.things import TILE, draw_one_way
from solvent.dungeon.model import NOTHING, ONE_WAYS, WALL, WATER, Dungeon, Floor, Place, Room
from solvent.dungeon.rooms import Area, room_of


class Sheet(Struct, frozen=True):
    """Say where each floor lies on the sheet, in units of which a tile has 32, and how much the sheet is scaled."""

    corners: tuple[Point, ...]
    width: float
    height: float
    scale: float
    named: bool
    """Whether the floors have their names above them."""
    ruled: bool = True
    """Whether the numbers of rows and columns stand beside the floors."""
    routes: Mapping[int, tuple[Curve, Point]] = {}
    """Where the line of a way goes, by its number, and where its gate stands; other ways are bows."""

    def middle(self, place: Place) -> Point:
        """Return the middle of a tile."""
        x, y = self.corners[place[0]]
        return x + (place[2] + 0.5) * TILE, y + (place[1] + 0.5) * TILE

    @property
    def pixels(self) -> tuple[float, float]:
        """Return the size of the sheet in pixels."""
        return self.width * self.scale, self.height * self.scale


def lay_out(dungeon: Dungeon, *, ruled: bool = True) -> Sheet:
    """Place the floors in rows, in their order, on a sheet about as wide as high, with room for rulers if `ruled`."""
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
    x = y = tallest = widest = 0.0
    for (width, height), floor in zip(sizes, dungeon.floors, strict=True):
        left, above = ruler_room(len(floor.terrain)) if ruled and has_rulers(floor) else (0.0, 0.0)
        left, above = left / scale, above / scale
        taken = max(width + left, len(floor.name) * 8 / scale) if named else width + left
        if x and x + taken > room:
            x, y, tallest = 0.0, y + tallest + gap, 0.0
        corners.append((x + left, y + caption + above))
        x += taken + gap
        widest = max(widest, x - gap)
        tallest = max(tallest, height + caption + above)
    return Sheet(tuple(corners), widest, y + tallest, scale, named, ruled)


def has_rulers(floor: Floor) -> bool:
    """Tell whether a floor has more than one tile to tell apart."""
    return len(floor.terrain) * len(floor.terrain[0]) > 1


def draw_terrain(dungeon: Dungeon, sheet: Sheet, rooms: Iterable[Area], *, numbered: bool = True) -> Iterator[Markup]:
    """Yield walls, floor in the tint of its room, water and one-way tiles; rulers only if `numbered`."""
    tint_of = _choose_tints(dungeon.rooms)
    room = room_of(dungeon, tuple(rooms))

    def paint(place: Place, letter: str) -> Paint:
        number = room.get(place, -1)
        floor = ROOM_TINTS[tint_of[number]] if 0 <= number < len(tint_of) else GROUND
        return {WALL: STONE, WATER: SEA}.get(letter, floor)

    for floor, corner in enumerate(sheet.corners):
        yield put(_draw_floor(dungeon, floor, sheet, paint, numbered=numbered), *corner)


def _draw_floor(
    dungeon: Dungeon, floor: int, sheet: Sheet, paint: Callable[[Place, str], Paint], *, numbered: bool
) -> Iterator[Markup]:
    storey = dungeon.floors[floor]
    yield from draw_frame(storey, sheet, numbered=numbered)
    yield draw_tiles(dungeon, floor, paint)
    waves = "".join(f"M{x * TILE + 5} {y * TILE + 17}q5.5 -6 11 0t11 0" for x, y in _find(storey.terrain, WATER))
    if waves:
        yield path(waves, stroke=mix(SEA, (0, 60, 110), 0.5), stroke_width=2)
    yield path(_shores(storey.terrain), stroke=STONE_EDGE, stroke_width=2.5)
    for letter, direction in ONE_WAYS.items():
        for column, row in _find(storey.terrain, letter):
            yield put(draw_one_way(direction), (column + 0.5) * TILE, (row + 0.5) * TILE)


def draw_frame(floor: Floor, sheet: Sheet, *, numbered: bool = True) -> Iterator[Markup]:
    """Yield what stands around a floor: its name and, if it is `numbered`, the numbers of its rows and columns."""
    rows, columns = len(floor.terrain), len(floor.terrain[0])
    ruled = sheet.ruled and has_rulers(floor)
    if sheet.named:
        above = (ruler_room(rows)[1] if ruled else 0.0) + 6
        yield label(floor.name, 0, -above / sheet.scale, 14 / sheet.scale, bold=True, fill=FAINT_INK)
    if ruled and numbered:
        yield draw_rulers(rows, columns, tile=TILE, scale=sheet.scale)


def draw_tiles(dungeon: Dungeon, floor: int, paint: Callable[[Place, str], Paint]) -> Markup:
    """Draw the tiles of a floor in their paints, with no hairs between them."""
    looks: dict[Paint, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row, line in enumerate(dungeon.floors[floor].terrain):
        for column, letter in enumerate(line):
            if letter != NOTHING:
                looks[paint((floor, row, column), letter)][row].append(column)
    return group((path(cover_rows(looks[look]), fill=look) for look in sorted(looks)), shape_rendering="crispEdges")


def cover_rows(columns_by_row: dict[int, list[int]]) -> str:
    """Return path data that covers tiles, given as sorted columns by row."""
    return cover((run for row in sorted(columns_by_row) for run in find_runs(row, columns_by_row[row])), TILE)


def _find(rows: tuple[str, ...], wanted: str) -> Iterator[tuple[int, int]]:
    """Yield the column and row of each tile with a letter."""
    return ((x, y) for y, line in enumerate(rows) for x, letter in enumerate(line) if letter == wanted)


def _shores(rows: tuple[str, ...]) -> str:
    """Return path data of the lines between walls (or nothing) and where one can stand."""
    height, width = len(rows), len(rows[0])
    around = [True] * (width + 2)
    solid = [around, *([True, *(letter in (WALL, NOTHING) for letter in line), True] for line in rows), around]
    lines = []
    for row in range(height + 1):
        edges = [column for column in range(width) if solid[row][column + 1] != solid[row + 1][column + 1]]
        lines += [f"M{first * TILE} {row * TILE}h{(end - first) * TILE}" for _, first, end in find_runs(row, edges)]
    for column in range(width + 1):
        edges = [row for row in range(height) if solid[row + 1][column] != solid[row + 1][column + 1]]
        x = column * TILE
        lines += [f"M{x} {first * TILE}v{(end - first) * TILE}" for _, first, end in find_runs(column, edges)]
    return "".join(lines)


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
