"""Draw walks over a map: a line that keeps to the right, so that coming back is told from going."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from solvent.core.paint import as_hex
from solvent.dungeon.drawing.colours import DANGER, PLAN
from solvent.dungeon.drawing.paper import badge
from solvent.dungeon.drawing.things import TILE, put
from solvent.dungeon.events import Event, Walk
from solvent.dungeon.model import Place

LANE = 5.0
"""How far right of the middle of its tiles a walk is drawn."""
LONGEST_STRIDE = 6
"""Tiles that one move may cross and still be drawn as a straight line: a doorway, a leap over water."""

Point = tuple[float, float]
Locate = Callable[[Place], Point]


def draw_walk(
    places: Sequence[Place], locate: Locate, paint: str, *, width: float, faint: bool = False
) -> Iterator[str]:
    """Yield the line of a walk with arrow heads along it; moves that lead elsewhere are dashed arcs."""
    runs, jumps = _split(places)
    lines: list[str] = []
    heads: list[str] = []
    for run in runs:
        points = _keep_right([locate(place) for place in run])
        if len(points) > 1:
            lines.append("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points))
            heads.extend(_heads(points, width))
    arcs = [bend(locate(a), locate(b)) for a, b in jumps]
    opacity = ' opacity="0.35"' if faint else ""
    yield f'<g fill="none" stroke-linejoin="round" stroke-linecap="round"{opacity}>'
    for colour, stroke in ((None, width + 3), (paint, width)):
        if colour is None and faint:
            continue
        look = f'stroke="{colour or "#FFFFFF"}" stroke-width="{stroke:g}"'
        if lines:
            yield f'<path d="{"".join(lines)}" {look}/>'
        if arcs and colour:
            yield f'<path d="{"".join(arcs)}" {look} stroke-dasharray="{2 * width:g} {2 * width:g}"/>'
    if heads:
        yield f'<path d="{"".join(heads)}" fill="{paint}" stroke="#FFFFFF" stroke-width="{width / 3:.2g}"/>'
    yield "</g>"


def draw_numbers(events: Sequence[Event], locate: Locate, paint: str, *, size: float) -> Iterator[str]:
    """Yield the numbers of events at the corners of their tiles; those of one tile share a patch."""
    at: dict[Place, list[str]] = defaultdict(list)
    for event in events:
        at[event.place].append(str(event.number))
    for place, numbers in at.items():
        x, y = locate(place)
        words = ",".join(numbers[:3]) + ("…" if len(numbers) > 3 else "")
        yield put(badge(words, paint, size=size), x + TILE * 0.42, y - TILE * 0.42)


def draw_no_return(walk: Walk, locate: Locate, *, size: float) -> str:
    """Draw two bars across the last move of a walk, the one that cannot be made good."""
    start, end = locate(walk.places[-2]), locate(walk.places[-1])
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    return f'<g transform="translate({x:.1f} {y:.1f}) rotate({angle:.1f}) scale({size:g})">{no_return_bars()}</g>'


def no_return_bars() -> str:
    """Draw the sign of a move that cannot be made good."""
    return "".join(
        f'<path d="M-3 -13V13M4 -13V13" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'
        for colour, width in (("#FFFFFF", 6.5), (as_hex(DANGER), 3.2))
    )


def walk_paint(lost: bool) -> str:
    """Return the paint of a walk."""
    return as_hex(DANGER if lost else PLAN)


def bend(start: Point, end: Point) -> str:
    """Return a curve between two points that leans to one side, as path data."""
    (x, y), (to_x, to_y) = start, end
    lean = min(0.22, 60 / (math.dist(start, end) + 1))
    middle = (x + to_x) / 2 - (to_y - y) * lean, (y + to_y) / 2 + (to_x - x) * lean
    return f"M{x:.1f} {y:.1f}Q{middle[0]:.1f} {middle[1]:.1f} {to_x:.1f} {to_y:.1f}"


def middle_of_bend(start: Point, end: Point) -> Point:
    """Return the point in the middle of the curve that `bend` draws."""
    lean = min(0.22, 60 / (math.dist(start, end) + 1)) / 2
    return (
        (start[0] + end[0]) / 2 - (end[1] - start[1]) * lean,
        (start[1] + end[1]) / 2 + (end[0] - start[0]) * lean,
    )


def _split(places: Sequence[Place]) -> tuple[list[list[Place]], list[tuple[Place, Place]]]:
    """Split a walk where a move leads elsewhere; return the parts and those moves."""
    runs, jumps = [[places[0]]], []
    for here, there in pairwise(places):
        straight = here[0] == there[0] and (here[1] == there[1] or here[2] == there[2])
        if straight and abs(here[1] - there[1]) + abs(here[2] - there[2]) <= LONGEST_STRIDE:
            runs[-1].append(there)
        else:
            jumps.append((here, there))
            runs.append([there])
    return runs, jumps


def _keep_right(points: Sequence[Point]) -> list[Point]:
    """Move each piece of a line to its right, and join the pieces; points in the middle of a straight are left out."""
    if len(points) < 2:
        return list(points)
    ways = [_direction(a, b) for a, b in pairwise(points)]
    moved = [_aside(points[0], ways[0])]
    for point, (before, after) in zip(points[1:-1], pairwise(ways), strict=True):
        if after == before:
            continue
        if (after[0], after[1]) == (-before[0], -before[1]):
            moved += [_aside(point, before), _aside(point, after)]
        else:
            moved.append(_aside(_aside(point, before), after))
    return [*moved, _aside(points[-1], ways[-1])]


def _direction(start: Point, end: Point) -> Point:
    reach = math.dist(start, end) or 1.0
    return round((end[0] - start[0]) / reach, 6), round((end[1] - start[1]) / reach, 6)


def _aside(point: Point, way: Point) -> Point:
    return point[0] - way[1] * LANE, point[1] + way[0] * LANE


def _heads(points: Sequence[Point], width: float) -> Iterator[str]:
    """Yield an arrow head in the middle of each longer straight, and every dozen tiles of a long one."""
    for start, end in pairwise(points):
        length = math.dist(start, end)
        if length < 1.6 * TILE:
            continue
        right, down = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        count = max(1, round(length / (10 * TILE)))
        for index in range(count):
            along = length * (index + 0.5) / count + width
            x, y = start[0] + right * along, start[1] + down * along
            back, side = 2.6 * width, 1.6 * width
            yield (
                f"M{x:.1f} {y:.1f}L{x - back * right - side * down:.1f} {y - back * down + side * right:.1f}"
                f"L{x - back * right + side * down:.1f} {y - back * down - side * right:.1f}z"
            )
