"""Draw walks over a map: a line that keeps to the right, so that coming back is told from going."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from solvent.drawing.markup import Child, Markup, join
from solvent.drawing.palette import WHITE, Paint
from solvent.drawing.shapes import Point, arrow_head, badge, group, path, put, write_point
from solvent.dungeon.drawing.colours import DANGER, PLAN
from solvent.dungeon.drawing.things import TILE
from solvent.dungeon.events import Event, Walk
from solvent.dungeon.model import RETURN, Place

LANE = 5.0
"""How far right of the middle of its tiles a walk is drawn."""
LANE_WIDTH = 72
"""Between the lines of ways that join the same two places."""
LONGEST_STRIDE = 6
"""Tiles that one move may cross and still be drawn as a straight line: a doorway, a leap over water."""

Locate = Callable[[Place], Point]


def draw_walk(
    places: Sequence[Place],
    locate: Locate,
    paint: Paint,
    *,
    width: float,
    faint: bool = False,
    moves: Sequence[str] = (),
) -> Markup:
    """Draw the line of a walk with arrow heads along it; moves that lead elsewhere are dashed arcs.

    With the `moves`, a return to the start is told from a step.
    """
    runs, jumps = _split(places, moves)
    lines, heads = "", ""
    for run in runs:
        points = _keep_right([locate(place) for place in run])
        if len(points) > 1:
            lines += "M" + "L".join(map(write_point, points))
            heads += "".join(_heads(points, width))
    arcs = "".join(bend(locate(a), locate(b)) for a, b in jumps)
    drawn: list[Child] = []
    if lines and not faint:
        drawn.append(path(lines, stroke=WHITE, stroke_width=width + 3))
    if lines:
        drawn.append(path(lines, stroke=paint, stroke_width=width))
    if arcs:
        dashes = f"{2 * width:g} {2 * width:g}"
        drawn.append(path(arcs, stroke=paint, stroke_width=width, stroke_dasharray=dashes))
    if heads:
        drawn.append(path(heads, fill=paint, stroke=WHITE, stroke_width=width / 3))
    opacity = 0.35 if faint else None
    return group(drawn, fill="none", stroke_linejoin="round", stroke_linecap="round", opacity=opacity)


def draw_numbers(events: Sequence[Event], locate: Locate, paint: Paint, *, size: float) -> Iterator[Markup]:
    """Yield the numbers of events at the corners of their tiles; those of one tile share a patch."""
    at: dict[Place, list[int]] = defaultdict(list)
    for event in events:
        at[event.place].append(event.number)
    for place, numbers in at.items():
        x, y = locate(place)
        yield put(badge(few_numbers(numbers, 3), paint, size=size), x + TILE * 0.42, y - TILE * 0.42)


def few_numbers(numbers: Sequence[int], most: int) -> str:
    """Write the first numbers of events that share a badge."""
    return ",".join(map(str, numbers[:most])) + ("…" if len(numbers) > most else "")


def draw_no_return(walk: Walk, locate: Locate, *, size: float) -> Markup:
    """Draw two bars across the last move of a walk, the fatal one."""
    start, end = locate(walk.places[-2]), locate(walk.places[-1])
    angle = math.degrees(math.atan2(end[1] - start[1], end[0] - start[0]))
    return put(no_return_bars(), (start[0] + end[0]) / 2, (start[1] + end[1]) / 2, turn=angle, size=size)


def no_return_bars() -> Markup:
    """Draw the sign of a fatal move."""
    return join(
        path("M-3 -13V13M4 -13V13", stroke=paint, stroke_width=width, stroke_linecap="round")
        for paint, width in ((WHITE, 6.5), (DANGER, 3.2))
    )


def draw_return() -> Markup:
    """Draw the sign of going back to the start: a dashed arc."""
    arc = path("M12 6Q0 -16 -11 5", stroke=PLAN, stroke_width=2.6, stroke_dasharray="5 4", fill="none")
    return arc + path("M-14 -3L-12 9L-4 1z", fill=PLAN)


def walk_paint(lost: bool) -> Paint:
    """Return the paint of a walk."""
    return DANGER if lost else PLAN


def bend(start: Point, end: Point, lane: int = 0) -> str:
    """Return a curve between two points that leans to one side, as path data; each lane further out."""
    return f"M{write_point(start)}Q{write_point(_lean(start, end, 1, lane))} {write_point(end)}"


def middle_of_bend(start: Point, end: Point, lane: int = 0) -> Point:
    """Return the point in the middle of the curve that `bend` draws."""
    return _lean(start, end, 0.5, lane)


def _lean(start: Point, end: Point, share: float, lane: int) -> Point:
    far = math.dist(start, end) + 1
    out = (lane + 1) // 2 * (1 if lane % 2 else -1)  # to either side in turn
    lean = share * (min(0.22, 60 / far) + out * LANE_WIDTH / far)
    across, down = end[0] - start[0], end[1] - start[1]
    return (start[0] + end[0]) / 2 - down * lean, (start[1] + end[1]) / 2 + across * lean


def _split(places: Sequence[Place], moves: Sequence[str]) -> tuple[list[list[Place]], list[tuple[Place, Place]]]:
    """Split a walk where a move leads elsewhere; return the parts and those moves."""
    runs, jumps = [[places[0]]], []
    for number, (here, there) in enumerate(pairwise(places)):
        move = moves[number] if number < len(moves) else ""
        if here == there:
            continue  # a lever was pulled
        straight = move != RETURN and here[0] == there[0] and (here[1] == there[1] or here[2] == there[2])
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
            tip = start[0] + right * along, start[1] + down * along
            yield arrow_head(tip, (right, down), back=2.6 * width, side=1.6 * width)
