"""Draw how often each tile was counted as SVG: the hotter the darker, with totals by room and a scale."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from solvent.drawing.markup import Markup, tag
from solvent.drawing.palette import FAINT_INK, INK, WHITE, Paint, heat_paint
from solvent.drawing.paper import Lettering, draw_paper
from solvent.drawing.phrases import counted
from solvent.drawing.shapes import Outlined, Point, group, path, put, rect, write_outlined
from solvent.dungeon.drawing.colours import STONE_EDGE
from solvent.dungeon.drawing.terrain import Sheet, draw_frame, draw_tiles, lay_out
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.model import WALL, Dungeon, Place
from solvent.dungeon.rooms import Area, room_of, rooms_of

LEVELS = 32
"""How many paints there are; each level is one path, so that big maps make small files."""
MAX_TOTALS = 200
"""Rooms that have their total written on them, the highest first."""
_WALLS: Paint = (201, 201, 198)
_BAR_WIDTH, _BAR_HEIGHT = 280, 14


def draw_heat(
    dungeon: Dungeon,
    tile_counts: Mapping[Place, int],
    *,
    caption: str | None = None,
    totals: Mapping[int, int] | None = None,
) -> str:
    """Draw the counts on a scale of logarithms; tiles that were not counted are white.

    `totals` are written on the rooms, by their numbers; without them, what was counted on their tiles.
    """
    sheet = lay_out(dungeon)
    counts = {place: count for place, count in tile_counts.items() if count > 0}
    most = max(counts.values(), default=0)
    width, height = sheet.pixels
    total = f"{sum(counts.values()):,} on {counted(len(counts), 'tile')}"
    caption = caption or f"{total}, at most {most:,} on one."
    rooms = rooms_of(dungeon)
    in_rooms = _totals(dungeon, rooms, counts) if totals is None else Counter({n: totals[n] for n in totals if n >= 0})
    elements = [
        group(_draw_floors(dungeon, counts, (rooms, in_rooms), sheet), transform=f"scale({sheet.scale:g})"),
        put(_draw_scale(most), 0, height + 16),
    ]
    lettering = Lettering(
        name="Dungeon",
        title=dungeon.title,
        captions=[caption],
        description=f"A heat map. {caption} {_describe_rooms(rooms, in_rooms)}",
    )
    return draw_paper((max(width, _BAR_WIDTH + 40), height + 54), elements, lettering)


def level_of(count: int, most: int) -> int:
    """Return the level of a count, from 0 to one below `LEVELS`, by its logarithm."""
    share = math.log1p(count) / math.log1p(most) if most else 0.0
    return min(LEVELS - 1, int(share * LEVELS))


def shorten(count: int) -> str:
    """Write a count in at most four characters, such as 950, 1.2k or 34M."""
    value, ending = float(count), ""
    for unit in ("k", "M", "G", "T"):
        if value < 999.5:
            break
        value, ending = value / 1000, unit
    shown = f"{value:.1f}".removesuffix(".0") if ending and value < 9.95 else f"{value:.0f}"
    return shown + ending


def _draw_floors(
    dungeon: Dungeon, counts: Mapping[Place, int], by_room: tuple[tuple[Area, ...], Counter[int]], sheet: Sheet
) -> Iterator[Markup]:
    most = max(counts.values(), default=0)

    def paint(place: Place, letter: str) -> Paint:
        if place in counts:
            return heat_paint(level_of(counts[place], most) / (LEVELS - 1))
        return _WALLS if letter == WALL else WHITE

    for floor, corner in enumerate(sheet.corners):
        storey = dungeon.floors[floor]
        yield put([*draw_frame(storey, sheet), draw_tiles(dungeon, floor, paint)], *corner)
    for room in dungeon.rooms:
        x, y = sheet.corners[room.corner[0]]
        box = x + room.corner[2] * TILE, y + room.corner[1] * TILE, room.width * TILE, room.height * TILE
        yield rect(*box, fill="none", stroke=STONE_EDGE, stroke_width=1.5 / sheet.scale)
    size = 13 / sheet.scale
    rooms, in_rooms = by_room
    totals = []
    for number, count in in_rooms.most_common(MAX_TOTALS):
        if not count:
            continue
        x, y = _middle(rooms[number], sheet)
        totals.append(Outlined(shorten(count), x, y + size / 3))
    yield from write_outlined(totals, size, fill=INK, bold=True, text_anchor="middle")


def _totals(dungeon: Dungeon, rooms: tuple[Area, ...], counts: Mapping[Place, int]) -> Counter[int]:
    room = room_of(dungeon, rooms)
    totals: Counter[int] = Counter()
    for place, count in sorted(counts.items()):
        if place in room:
            totals[room[place]] += count
    return totals


def _middle(room: Area, sheet: Sheet) -> Point:
    """Return the middle of the tile of a room that is nearest to the middle of them all."""
    points = [sheet.middle(place) for place in room.places]
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    return min(points, key=lambda point: math.dist(point, middle))


def _draw_scale(most: int) -> Iterator[Markup]:
    step = _BAR_WIDTH / LEVELS
    for level in range(LEVELS):
        yield rect(level * step, 0, step + 0.5, _BAR_HEIGHT, fill=heat_paint(level / (LEVELS - 1)))
    yield rect(0, 0, _BAR_WIDTH, _BAR_HEIGHT, fill="none", stroke=FAINT_INK)
    if not most:
        return
    ticks = [1]
    while ticks[-1] * 10 < most * 0.6:
        ticks.append(ticks[-1] * 10)
    names = []
    # A tick stands where the level of its count begins to be that count, as `level_of` has it.
    for tick in dict.fromkeys([*ticks, most]):
        x = _BAR_WIDTH * math.log1p(tick) / math.log1p(most)
        names.append(path(f"M{x:.1f} {_BAR_HEIGHT}v5", stroke=INK))
        names.append(tag("text", shorten(tick), x=x, y=_BAR_HEIGHT + 18))
    yield group(names, font_size=12, text_anchor="middle", fill=INK)


def _describe_rooms(rooms: tuple[Area, ...], totals: Counter[int]) -> str:
    return " ".join(f"{rooms[number].name}: {count:,}." for number, count in totals.most_common(MAX_TOTALS))
