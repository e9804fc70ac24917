"""Curves: how they are written, where one is on them, and how often they cross."""

from __future__ import annotations

import pytest

from solvent.drawing.curves import Curve, count_crossings, quadratic, runs_through, straight


def line(start: tuple[float, float], end: tuple[float, float]) -> Curve:
    return Curve((straight(start, end),))


def test_straight_pieces_are_written_as_lines():
    bent = Curve((straight((0, 0), (0, 10)), ((0, 10), (0, 20), (30, 20), (30, 30))))
    assert bent.write() == "M0.0 0.0L0.0 10.0C0.0 20.0 30.0 20.0 30.0 30.0"
    assert bent.reversed().write() == "M30.0 30.0C30.0 20.0 0.0 20.0 0.0 10.0L0.0 0.0"


def test_points_and_directions_along_a_line():
    across = line((0, 0), (100, 0))
    assert across.length() == 100
    assert across.along(30) == ((30, 0), 0)
    assert across.along(-30) == ((70, 0), 0)
    assert across.along(1000) == ((100, 0), 0)
    assert across.reversed().along(10) == ((90, 0), 180)


def test_a_curve_with_one_control_point_keeps_to_its_middle():
    bow = quadratic((0, 0), (50, 100), (100, 0))
    (x, y), turn = bow.along(bow.length() / 2)
    assert (x, y) == pytest.approx((50, 50), abs=1)
    assert abs(turn) < 10


def test_crossings_are_counted_once_and_touching_ends_are_none():
    assert count_crossings([line((0, 0), (10, 10)), line((0, 10), (10, 0))]) == 1
    assert count_crossings([line((0, 0), (10, 10)), line((10, 10), (20, 0))]) == 0
    assert count_crossings([line((0, 0), (10, 0)), line((0, 5), (10, 5))]) == 0
    fan = [line((0, y), (100, 100 - y)) for y in range(0, 101, 10)]
    assert count_crossings(fan[:5]) == 10


def test_lines_run_through_boxes_or_past_them():
    box = (50.0, 50.0, 10.0, 5.0)
    assert runs_through([(0, 0), (100, 100)], box)
    assert runs_through([(0, 50), (100, 50)], box)
    assert runs_through([(50, 0), (50, 48)], box)
    assert not runs_through([(0, 0), (39, 50), (39, 100)], box)
    assert not runs_through([(0, 44), (100, 44)], box)
    assert not runs_through([(50, 0), (50, 40)], box)
