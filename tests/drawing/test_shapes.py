"""Shapes: the elements that pictures are made of."""

from __future__ import annotations

import math

from solvent.drawing.palette import INK, WHITE
from solvent.drawing.shapes import arrow_head, badge, circle, group, label, path, put, rect, star_points


def test_elements():
    assert rect(1, 2.5, 3, 4, rx=1, fill=INK) == '<rect x="1" y="2.5" width="3" height="4" rx="1" fill="#1B1B1B"/>'
    assert circle(0, 0, 2, stroke=WHITE) == '<circle cx="0" cy="0" r="2" stroke="#FFFFFF"/>'
    assert label("<", 1, 2, 13, bold=True) == '<text x="1" y="2" font-size="13" font-weight="bold">&lt;</text>'
    assert group(rect(0, 0, 1, 1), None, opacity=0.4).startswith('<g opacity="0.4"><rect')


def test_lines_are_not_filled_unless_asked():
    assert 'fill="none"' in path("M0 0h1", stroke=INK)
    assert 'fill="#FFFFFF"' in path("M0 0h1", stroke=INK, fill=WHITE)
    assert "fill" not in path("M0 0h1")


def test_signs_are_placed_turned_and_scaled():
    sign = circle(0, 0, 1)
    assert put(sign, 1, 2) == f'<g transform="translate(1 2)">{sign}</g>'
    placed = put(sign, 1, 2, size=0.5, turn=90, faint=True, title="a & b")
    assert placed == (
        f'<g transform="translate(1 2) rotate(90) scale(0.5)" opacity="0.3"><title>a &amp; b</title>{sign}</g>'
    )


def test_badges_grow_with_what_they_say():
    assert 'width="18"' in badge("1", INK)
    assert 'width="40"' in badge("1,12", INK)


def test_stars_and_arrows():
    points = star_points(10)
    assert points[0] == (0, -10)
    assert [round(math.hypot(*point), 6) for point in points] == [10, 4.5] * 5
    assert arrow_head((10, 0), (1, 0), back=4, side=2) == "M10.0 0.0L6.0 2.0L6.0 -2.0z"
