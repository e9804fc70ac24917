"""Rulers: which lines have numbers, and that these stand beside their lines."""

from __future__ import annotations

import pytest

from helpers.pictures import elements
from solvent.drawing.paper import frame
from solvent.drawing.rulers import choose_step, draw_rulers, ruler_room, text_margin, write_columns, write_row


@pytest.mark.parametrize(
    ("count", "pixels", "step"), [(6, 32, 1), (16, 32, 1), (17, 32, 5), (80, 16, 5), (200, 5, 10), (600, 1.3, 20)]
)
def test_large_grids_have_fewer_numbers(count: int, pixels: float, step: int):
    assert choose_step(count, pixels) == step


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_numbers_stand_in_the_middle_of_their_lines(scale: float):
    svg = frame(10, 10, [draw_rulers(20, 30, tile=32, scale=scale)], title="t", description="d")
    texts = elements(svg, "text")
    above = {text.text: float(text.get("x", "")) for text in texts if text.get("text-anchor") == "middle"}
    left = {text.text: float(text.get("y", "")) for text in texts if text.get("text-anchor") == "end"}
    assert list(above) == ["0", "5", "10", "15", "20", "25"]
    assert list(left) == ["0", "5", "10", "15"]
    assert above["10"] == 10.5 * 32
    assert left["5"] == pytest.approx(5.5 * 32, abs=5 / scale)


def test_rulers_have_the_room_they_take():
    assert ruler_room(9)[0] < ruler_room(99)[0] < ruler_room(999)[0]


def test_rulers_in_a_terminal():
    assert text_margin(1) == 2
    assert text_margin(100) == 3
    assert write_row(7, 3) == " 7 "
    assert write_columns(0, 12, margin=3, width=1) == "   0    5    10"
    assert write_columns(7, 22, margin=2, width=2) == "        10        15        20"
