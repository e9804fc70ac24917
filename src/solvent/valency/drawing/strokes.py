"""Draw box-drawing characters (┗ ╬ ╭) as strokes that reach the sides of a cell, so that neighbours join.

A letter of a font stops short of its cell; pipes and walls made of letters have gaps. What each character looks like is
told from its Unicode name, such as DOWN LIGHT AND RIGHT HEAVY. Dashes and diagonals stay letters.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

from solvent.drawing.markup import Markup, join
from solvent.drawing.palette import Paint
from solvent.drawing.shapes import path

LIGHT, HEAVY, DOUBLE = "light", "heavy", "double"
WIDTHS = {LIGHT: 2.6, HEAVY: 7.0, DOUBLE: 8.0}
"""Of a whole stroke, on a cell of 32."""
BETWEEN = 3.4
"""Between the two lines of a double stroke."""

_SIDES = {"RIGHT": (1, 0), "DOWN": (0, 1), "LEFT": (-1, 0), "UP": (0, -1)}
_OPPOSITE = {"RIGHT": "LEFT", "LEFT": "RIGHT", "UP": "DOWN", "DOWN": "UP"}
_MEANT = {side: (side,) for side in _SIDES} | {"HORIZONTAL": ("LEFT", "RIGHT"), "VERTICAL": ("UP", "DOWN")}
_WEIGHTS = {"LIGHT": LIGHT, "SINGLE": LIGHT, "HEAVY": HEAVY, "DOUBLE": DOUBLE}
_LINES = {LIGHT: "─", HEAVY: "━", DOUBLE: "═"}
_FIRST, _LAST, _PREFIX = "\u2500", "\u257f", "BOX DRAWINGS "

Arms = Mapping[str, str]
"""For each side that a character reaches, how heavy the stroke is that leads there from the centre."""


@cache
def read_arms(glyph: str) -> tuple[Arms, bool]:
    """Return the arms of a box-drawing character, and whether it is an arc; there are none for anything else."""
    if len(glyph) != 1 or not _FIRST <= glyph <= _LAST:
        return {}, False
    name = unicodedata.name(glyph).removeprefix(_PREFIX)
    is_arc = " ARC " in name
    arms: dict[str, str] = {}
    weight = ""
    for part in name.replace(" ARC ", " ").split(" AND "):
        words = part.split()
        # Either the weight stands before the sides, then also for those after AND, or behind them.
        weight = next((_WEIGHTS[word] for word in words if word in _WEIGHTS), weight)
        for word in words:
            if word in _WEIGHTS:
                continue
            if word not in _MEANT:
                return {}, False  # a dash or a diagonal
            arms |= dict.fromkeys(_MEANT[word], weight)
    return arms, is_arc


def draw_strokes(glyph: str, ink: Paint, ground: Paint, reach: float) -> Markup:
    """Draw a box-drawing character around the origin with arms of length `reach`; empty for other characters."""
    arms, is_arc = read_arms(glyph)
    if is_arc:
        (x, y), (other_x, other_y) = (_SIDES[side] for side in arms)
        steps = f"M{x * reach:.4g} {y * reach:.4g}Q0 0 {other_x * reach:.4g} {other_y * reach:.4g}"
        return path(steps, stroke=ink, stroke_width=WIDTHS[LIGHT])
    drawn = []
    # Lines are drawn over double strokes, whose inside is painted in the colour of the ground.
    for weight in (DOUBLE, LIGHT, HEAVY):
        steps = "".join(_steps(arms, weight, reach, WIDTHS[weight] / 2))
        if steps:
            drawn.append(path(steps, stroke=ink, stroke_width=WIDTHS[weight]))
        if steps and weight == DOUBLE:
            inside = "".join(_steps(arms, weight, reach, BETWEEN / 2))
            drawn.append(path(inside, stroke=ground, stroke_width=BETWEEN))
    return join(drawn)


def join_between(glyph: str, after: str) -> str:
    """Return what stands between two characters of a row that are set apart: a line if one reaches for the other."""
    weight = read_arms(glyph)[0].get("RIGHT") or read_arms(after)[0].get("LEFT")
    return " " if weight is None else _LINES[weight]


def _steps(arms: Arms, weight: str, reach: float, half: float) -> Iterator[str]:
    """Yield a line for each arm of a weight, from its side to a little beyond the centre, so that corners are full."""
    for side, found in arms.items():
        if found != weight:
            continue
        x, y = _SIDES[side]
        start = -_beyond(arms, side, half)
        yield f"M{x * reach:.4g} {y * reach:.4g}L{x * start:.4g} {y * start:.4g}"


def _beyond(arms: Arms, side: str, half: float) -> float:
    """Return how far an arm goes on behind the centre, for a stroke of this half width."""
    across = [arms[other] for other in arms if other not in (side, _OPPOSITE[side])]
    if not across:
        return half if _OPPOSITE[side] not in arms else 0.0
    if DOUBLE not in across:
        return max(half if weight == arms[side] else WIDTHS[weight] / 2 for weight in across)
    if arms[side] == DOUBLE:
        return half
    # A line ends at a double stroke that runs across, and crosses it only if it goes on behind it.
    ends_there = len(across) == 2 and _OPPOSITE[side] not in arms
    return -BETWEEN / 2 if ends_there else WIDTHS[DOUBLE] / 2
