"""Smooth lines through a picture: pieces of cubic curves, and where one is after a share of the way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.drawing.shapes import Point, write_point

Piece = tuple[Point, Point, Point, Point]
"""Where a piece begins, its two control points, and where it ends."""
_SAMPLES = 12


class Curve(Struct, frozen=True):
    """Hold a line of one or more pieces, each beginning where the last one ends."""

    pieces: tuple[Piece, ...]

    @property
    def start(self) -> Point:
        """Return where it begins."""
        return self.pieces[0][0]

    @property
    def end(self) -> Point:
        """Return where it ends."""
        return self.pieces[-1][3]

    def write(self) -> str:
        """Write it as path data."""
        written = f"M{write_point(self.start)}"
        for begin, first, second, end in self.pieces:
            if _is_straight(begin, first, second, end):
                written += f"L{write_point(end)}"
            else:
                written += f"C{write_point(first)} {write_point(second)} {write_point(end)}"
        return written

    def mapped(self, move: Callable[[Point], Point]) -> Curve:
        """Return the same with every point moved by a function."""
        return Curve(tuple((move(a), move(b), move(c), move(d)) for a, b, c, d in self.pieces))

    def reversed(self) -> Curve:
        """Return the same line from its end to its start."""
        return Curve(tuple(piece[::-1] for piece in self.pieces[::-1]))

    def points(self) -> list[Point]:
        """Return points along the line, close enough to walk it in straight steps."""
        found = [self.start]
        for piece in self.pieces:
            steps = 1 if _is_straight(*piece) else _SAMPLES
            found.extend(_point(piece, step / steps) for step in range(1, steps + 1))
        return found

    def length(self) -> float:
        """Return how long it is."""
        points = self.points()
        return sum(map(math.dist, points, points[1:]))

    def along(self, distance: float) -> tuple[Point, float]:
        """Return the point so far from the start, and the direction there in degrees; from the end if below zero."""
        points = self.points()
        if distance < 0:
            distance += sum(map(math.dist, points, points[1:]))
        last = points[0], 0.0
        for one, other in pairwise(points):
            step = math.dist(one, other)
            if not step:
                continue
            turn = math.degrees(math.atan2(other[1] - one[1], other[0] - one[0]))
            share = max(0.0, min(1.0, distance / step))
            last = (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share), turn
            if distance <= step:
                break
            distance -= step
        return last


def straight(start: Point, end: Point) -> Piece:
    """Return a straight piece."""
    return start, start, end, end


def quadratic(start: Point, control: Point, end: Point) -> Curve:
    """Return a curve with one control point."""
    first = start[0] + (control[0] - start[0]) * 2 / 3, start[1] + (control[1] - start[1]) * 2 / 3
    second = end[0] + (control[0] - end[0]) * 2 / 3, end[1] + (control[1] - end[1]) * 2 / 3
    return Curve(((start, first, second, end),))


def count_crossings(curves: Sequence[Curve]) -> int:
    """Count how often curves cross each other, ends that touch left out. For pictures of up to a few hundred."""
    boxes: list[tuple[float, float, int, Point, Point]] = []
    for number, curve in enumerate(curves):
        points = curve.points()
        boxes.extend((min(a[0], b[0]), max(a[0], b[0]), number, a, b) for a, b in pairwise(points))
    boxes.sort(key=lambda box: box[:3])
    crossings = 0
    active: list[tuple[float, float, int, Point, Point]] = []
    for box in boxes:
        active = [other for other in active if other[1] >= box[0]]
        crossings += sum(other[2] != box[2] and _cross(other[3], other[4], box[3], box[4]) for other in active)
        active.append(box)
    return crossings


def runs_through(points: Sequence[Point], box: tuple[float, float, float, float]) -> bool:
    """Tell whether a line of straight steps runs through a box, given by its middle and half its width and height."""
    x, y, wide, high = box
    for (a, b), (c, d) in pairwise(points):
        first, last = 0.0, 1.0
        for start, step, low, top in ((a, c - a, x - wide, x + wide), (b, d - b, y - high, y + high)):
            if step == 0:
                if not low < start < top:
                    first = 2.0
                continue
            enter, leave = sorted(((low - start) / step, (top - start) / step))
            first, last = max(first, enter), min(last, leave)
        if first < last:
            return True
    return False


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
        return False
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def _side(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _point(piece: Piece, share: float) -> Point:
    (a, b), (c, d), (e, f), (g, h) = piece
    rest = 1 - share
    weights = rest**3, 3 * rest * rest * share, 3 * rest * share * share, share**3
    return (
        weights[0] * a + weights[1] * c + weights[2] * e + weights[3] * g,
        weights[0] * b + weights[1] * d + weights[2] * f + weights[3] * h,
    )


def _is_straight(begin: Point, first: Point, second: Point, end: Point) -> bool:
    return abs(_side(begin, end, first)) < 0.01 and abs(_side(begin, end, second)) < 0.01
