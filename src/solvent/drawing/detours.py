"""Lead a line around boxes: the shortest way along their corners, with the corners rounded."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence

from solvent.drawing.curves import Curve, Piece, runs_through, straight
from solvent.drawing.shapes import Point

Box = tuple[float, float, float, float]
"""A middle, half a width and half a height."""

MARGIN = 11.0
"""How far from boxes a line keeps."""
MAX_BOXES, MAX_CORNERS_TRIED = 70, 160
"""More would take long: then there is no detour."""
_ROUND = 16.0


def find_detour(start: Point, end: Point, boxes: Sequence[Box]) -> list[Point] | None:
    """Return the corners of the shortest line that runs through no box, start and end included; None if none is found.

    Neither start nor end may lie in a box.
    """
    if len(boxes) > MAX_BOXES:
        return None
    corners = [
        (x + across * (wide + MARGIN), y + down * (high + MARGIN))
        for x, y, wide, high in boxes
        for across in (-1, 1)
        for down in (-1, 1)
    ]
    walls = [(x, y, wide + MARGIN - 1, high + MARGIN - 1) for x, y, wide, high in boxes]
    points = [start, end, *(corner for corner in corners if not any(_is_inside(corner, wall) for wall in walls))]
    best = {0: 0.0}
    before: dict[int, int] = {}
    waiting = [(math.dist(start, end), 0)]
    done: set[int] = set()
    while waiting and len(done) < MAX_CORNERS_TRIED:
        _, here = heapq.heappop(waiting)
        if here in done:
            continue
        done.add(here)
        if here == 1:
            found = [1]
            while found[-1]:
                found.append(before[found[-1]])
            return [points[number] for number in reversed(found)]
        for other, point in enumerate(points):
            length = best[here] + math.dist(points[here], point)
            if other in done or length >= best.get(other, math.inf):
                continue
            if any(_touches(points[here], point, wall) and runs_through((points[here], point), wall) for wall in walls):
                continue
            best[other], before[other] = length, here
            heapq.heappush(waiting, (length + math.dist(point, end), other))
    return None


def round_corners(points: Sequence[Point]) -> Curve:
    """Return a line through points whose corners are rounded."""
    pieces: list[Piece] = []
    here = points[0]
    for number in range(1, len(points) - 1):
        corner, after = points[number], points[number + 1]
        enter, leave = _short_of(corner, here, _ROUND), _short_of(corner, after, _ROUND)
        pieces += [straight(here, enter), (enter, corner, corner, leave)]
        here = leave
    return Curve((*pieces, straight(here, points[-1])))


def _short_of(corner: Point, other: Point, distance: float) -> Point:
    """Return the point so far from a corner towards another point, but no further than half the way."""
    length = math.dist(corner, other) or 1.0
    share = min(distance / length, 0.5)
    return corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share


def _is_inside(point: Point, box: Box) -> bool:
    return abs(point[0] - box[0]) < box[2] and abs(point[1] - box[1]) < box[3]


def _touches(one: Point, other: Point, box: Box) -> bool:
    """Tell whether a box may lie on a line, before it is looked at closely."""
    x, y, wide, high = box
    return (
        min(one[0], other[0]) < x + wide
        and max(one[0], other[0]) > x - wide
        and min(one[1], other[1]) < y + high
        and max(one[1], other[1]) > y - high
    )
