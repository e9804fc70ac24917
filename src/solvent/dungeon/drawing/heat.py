"""Draw how often each tile was counted as SVG: the hotter the darker, with totals by room and a scale."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from solvent.core.paint import INK, as_hex, heat_paint
from solvent.dungeon.drawing.colours import FAINT_INK, STONE_EDGE
from solvent.dungeon.drawing.paper import draw_paper
from solvent.dungeon.drawing.terrain import Sheet, cover, lay_out
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.model import NOTHING, WALL, Dungeon, Place
from solvent.dungeon.rooms import Area, room_of, rooms_of

LEVELS = 32
"""How many paints there are; each level is one path, so that big maps make small files."""
MAX_TOTALS = 200
"""Rooms that have their total written on them, the highest first."""
_UNCOUNTED, _WALLS = "#FFFFFF", "#C9C9C6"
_BAR_WIDTH, _BAR_HEIGHT = 280, 14


def draw_heat(dungeon: Dungeon, tile_counts: Mapping[Place, int]) -> str:
    """Draw the counts on a scale of logarithms; tiles that were not counted are white."""
    sheet = lay_out(dungeon)
    counts = {place: count for place, count in tile_counts.items() if count > 0}
    most = max(counts.values(), default=0)
    total = sum(counts.values())
    width, height = sheet.pixels
    bar = 54
    caption = f"{total:,} on {len(counts):,} tile{'' if len(counts) == 1 else 's'}, at most {most:,} on one."
    elements = [
        *_draw_floors(dungeon, counts, most, sheet),
        f'<g transform="translate(0 {height + 16:g})">',
        *_draw_scale(most),
        "</g>",
    ]
    return draw_paper(
        (max(width, _BAR_WIDTH + 40), height + bar),
        elements,
        title=dungeon.title,
        captions=[caption],
        description=f"A heat map. {caption} {_describe_rooms(dungeon, counts)}",
    )


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


def _draw_floors(dungeon: Dungeon, counts: Mapping[Place, int], most: int, sheet: Sheet) -> Iterator[str]:
    yield f'<g transform="scale({sheet.scale:g})">'
    for floor, storey in enumerate(dungeon.floors):
        x, y = sheet.corners[floor]
        looks: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for row, line in enumerate(storey.terrain):
            for column, letter in enumerate(line):
                if letter == NOTHING:
                    continue
                count = counts.get((floor, row, column), 0)
                look = _WALLS if letter == WALL else _UNCOUNTED
                if count:
                    look = as_hex(heat_paint(level_of(count, most) / (LEVELS - 1)))
                looks[look][row].append(column)
        yield f'<g transform="translate({x:g} {y:g})" shape-rendering="crispEdges">'
        for look in sorted(looks):
            yield f'<path d="{cover(looks[look])}" fill="{look}"/>'
        yield "</g>"
    yield from _draw_rooms(dungeon, counts, sheet)
    yield "</g>"


def _draw_rooms(dungeon: Dungeon, counts: Mapping[Place, int], sheet: Sheet) -> Iterator[str]:
    """Yield the outlines of named rooms, and the total of each room."""
    line = 1.5 / sheet.scale
    for room in dungeon.rooms:
        x, y = sheet.corners[room.corner[0]]
        yield (
            f'<rect x="{x + room.corner[2] * TILE:g}" y="{y + room.corner[1] * TILE:g}" width="{room.width * TILE}" '
            f'height="{room.height * TILE}" fill="none" stroke="{as_hex(STONE_EDGE)}" stroke-width="{line:g}"/>'
        )
    size = 13 / sheet.scale
    yield (
        f'<g font-size="{size:g}" font-weight="bold" text-anchor="middle" fill="{as_hex(INK)}" stroke="#FFFFFF" '
        f'stroke-width="{size / 4:g}" stroke-linejoin="round" paint-order="stroke">'
    )
    rooms = rooms_of(dungeon)
    for number, count in _totals(dungeon, rooms, counts).most_common(MAX_TOTALS):
        x, y = _middle(rooms[number], sheet)
        yield f'<text x="{x:.1f}" y="{y + size / 3:.1f}">{shorten(count)}</text>'
    yield "</g>"


def _totals(dungeon: Dungeon, rooms: tuple[Area, ...], counts: Mapping[Place, int]) -> Counter[int]:
    room = room_of(dungeon, rooms)
    totals: Counter[int] = Counter()
    for place, count in sorted(counts.items()):
        if place in room:
            totals[room[place]] += count
    return totals


def _middle(room: Area, sheet: Sheet) -> tuple[float, float]:
    """Return the middle of the tile of a room that is nearest to the middle of them all."""
    points = [sheet.middle(place) for place in room.places]
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    return min(points, key=lambda point: math.dist(point, middle))


def _draw_scale(most: int) -> Iterator[str]:
    step = _BAR_WIDTH / LEVELS
    for level in range(LEVELS):
        paint = as_hex(heat_paint(level / (LEVELS - 1)))
        yield f'<rect x="{level * step:g}" width="{step + 0.5:g}" height="{_BAR_HEIGHT}" fill="{paint}"/>'
    yield f'<rect width="{_BAR_WIDTH}" height="{_BAR_HEIGHT}" fill="none" stroke="{as_hex(FAINT_INK)}"/>'
    if not most:
        return
    ticks = [1]
    while ticks[-1] * 10 < most * 0.6:
        ticks.append(ticks[-1] * 10)
    yield f'<g font-size="12" text-anchor="middle" fill="{as_hex(INK)}">'
    # A tick stands where the level of its count begins to be that count, as `level_of` has it.
    for tick in dict.fromkeys([*ticks, most]):
        x = _BAR_WIDTH * math.log1p(tick) / math.log1p(most)
        yield f'<path d="M{x:.1f} {_BAR_HEIGHT}v5" stroke="{as_hex(INK)}"/>'
        yield f'<text x="{x:.1f}" y="{_BAR_HEIGHT + 18}">{shorten(tick)}</text>'
    yield "</g>"


def _describe_rooms(dungeon: Dungeon, counts: Mapping[Place, int]) -> str:
    rooms = rooms_of(dungeon)
    totals = _totals(dungeon, rooms, counts)
    return " ".join(f"{rooms[number].name}: {count:,}." for number, count in totals.most_common(MAX_TOTALS))
