"""Box-drawing characters as strokes: what their names say, and that neighbours join in pictures and in a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

from conformance.promises import assert_safe_picture
from solvent.valency.drawing import draw_svg, draw_text
from solvent.valency.drawing.strokes import DOUBLE, HEAVY, LIGHT, draw_strokes, join_between, read_arms
from solvent.valency.model import SQUARE_ORBITALS, Bonds, Lattice, Layer, Look, Module, Rules, Staging

INK, GROUND = (0, 0, 0), (255, 255, 255)


def staging(glyphs: str, width: int, height: int) -> Staging:
    modules = tuple(Module(glyph, glyph, (Bonds(),), look=Look("#ffffff", glyph)) for glyph in glyphs)
    return Staging(Rules((Layer("beside", SQUARE_ORBITALS),), modules), Lattice(width, height))


@pytest.mark.parametrize(
    ("glyph", "arms"),
    [
        ("─", {"LEFT": LIGHT, "RIGHT": LIGHT}),
        ("┗", {"UP": HEAVY, "RIGHT": HEAVY}),
        ("┍", {"DOWN": LIGHT, "RIGHT": HEAVY}),
        ("┢", {"UP": LIGHT, "RIGHT": HEAVY, "DOWN": HEAVY}),
        ("╂", {"UP": HEAVY, "DOWN": HEAVY, "LEFT": LIGHT, "RIGHT": LIGHT}),
        ("╃", {"LEFT": HEAVY, "UP": HEAVY, "RIGHT": LIGHT, "DOWN": LIGHT}),
        ("╬", dict.fromkeys(("UP", "DOWN", "LEFT", "RIGHT"), DOUBLE)),
        ("╤", {"DOWN": LIGHT, "LEFT": DOUBLE, "RIGHT": DOUBLE}),
        ("╭", {"DOWN": LIGHT, "RIGHT": LIGHT}),
        ("╾", {"LEFT": HEAVY, "RIGHT": LIGHT}),
        ("╻", {"DOWN": HEAVY}),
    ],
)
def test_arms_are_those_of_the_name(glyph: str, arms: dict[str, str]):
    assert read_arms(glyph)[0] == arms


def test_all_but_dashes_and_diagonals_are_strokes():
    for code in range(0x2500, 0x2580):
        name = unicodedata.name(chr(code))
        assert bool(draw_strokes(chr(code), INK, GROUND, 16)) == ("DASH" not in name and "DIAGONAL" not in name), name
    for other in ("", "a", "-", "──", "▀", "\u24ff"):
        assert draw_strokes(other, INK, GROUND, 16) == ""


@pytest.mark.parametrize("code", range(0x2500, 0x2580))
def test_strokes_touch_exactly_the_sides_they_lead_to(code: int):
    arms, _ = read_arms(chr(code))
    drawn = draw_strokes(chr(code), INK, GROUND, 16)
    ends = {(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", drawn.replace("0 0 ", ""))}
    sides = {"RIGHT": (16.0, 0.0), "DOWN": (0.0, 16.0), "LEFT": (-16.0, 0.0), "UP": (0.0, -16.0)}
    assert {side for side, end in sides.items() if end in ends} == set(arms)


def test_pictures_hold_strokes_instead_of_letters_however_small():
    for width in (3, 150):
        filled = {"form": "assignment", "modules": [n % 3 for n in range(3 * width)]}
        svg = draw_svg(staging("━┗x", width, 3), certificate=filled)
        assert_safe_picture(svg)
        assert "━" not in re.sub(r"<title>.*</title>|<desc>.*</desc>|━ ×", "", svg)
        used = Counter(re.findall(r'<use href="#v[0-9a-f]{8}(\d)"', svg))
        assert used == {"0": width, "1": width} | ({"2": width} if width == 3 else {}), "letters need room"


def test_what_reaches_for_its_neighbour_joins_it_in_a_terminal():
    assert [join_between(*pair) for pair in ("──", "━x", "x═", "┐┌", "ab", "│╺")] == ["─", "━", "═", " ", " ", " "]
    text = draw_text(staging("┏━┓┃ ", 4, 2), certificate={"form": "assignment", "modules": [0, 1, 2, 4, 3, 4, 3, 3]})
    assert text.splitlines()[1:3] == ["┏━━━┓", "┃   ┃ ┃"]
