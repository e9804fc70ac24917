"""Detours: the shortest way around boxes, and none through them."""

from __future__ import annotations

import math
import random

from solvent.drawing.curves import runs_through
from solvent.drawing.detours import MAX_BOXES, find_detour, round_corners


def test_a_free_line_is_straight():
    assert find_detour((0, 0), (100, 0), [(50, 60, 20, 20)]) == [(0, 0), (100, 0)]


def test_a_line_goes_around_a_box_on_the_shorter_side():
    points = find_detour((0, 0), (200, 0), [(100, 10, 30, 20)])
    assert points is not None
    assert len(points) == 4
    assert all(y < -10 for _, y in points[1:-1]), "less of the box is above the line"


def test_detours_run_through_no_box():
    for seed in range(8):
        chance = random.Random(seed)
        boxes = [(chance.uniform(80, 720), chance.uniform(0, 400), 30.0, 18.0) for _ in range(25)]
        points = find_detour((0, 200), (800, 200), boxes)
        assert points is not None
        curve = round_corners(points)
        assert not [box for box in boxes if runs_through(curve.points(), box)]
        assert curve.length() < 2 * math.dist(points[0], points[-1])


def test_where_there_is_no_way_or_too_much_to_try_there_is_no_detour():
    ring = [(0, -60, 200, 20), (0, 60, 200, 20), (-150, 0, 20, 200), (150, 0, 20, 200)]
    assert find_detour((0, 0), (900, 0), ring) is None
    assert find_detour((0, 0), (9, 9), [(500.0, 500.0, 1.0, 1.0)] * (MAX_BOXES + 1)) is None
