"""Rulers beside a grid: the numbers of rows and columns, counted from 0 as in messages, for pictures and terminals."""

from __future__ import annotations

from solvent.drawing.markup import Markup
from solvent.drawing.palette import FAINT_INK
from solvent.drawing.shapes import group, label, path
from solvent.drawing.text_width import text_width

SIZE = 10.0
"""Of the numbers, in pixels; so much is a tick and the gap to the grid."""
_TICK = 4.0
_STEPS = (1, 5, 10, 20, 50, 100, 200, 500, 1000)
_NARROWEST = 2.6
"""The least distance between two numbers, in sizes of the font."""
MAX_ALL = 16
"""Lines up to which each has its number, where there is room."""


def choose_step(count: int, pixels: float) -> int:
    """Return which lines have a number: every one of a small grid, every fifth of a large one, or fewer yet."""
    fitting = (step for step in _STEPS if step * pixels >= _NARROWEST * SIZE * (0.7 if step == 1 else 1))
    return next((step for step in fitting if step > 1 or count <= MAX_ALL), _STEPS[-1])


def ruler_room(rows: int) -> tuple[float, float]:
    """Return how much room the numbers take left of a grid and above it, in pixels."""
    return text_width(str(max(0, rows - 1)), SIZE) + _TICK + 3, SIZE + _TICK + 2


def draw_rulers(rows: int, columns: int, *, tile: float, scale: float) -> Markup:
    """Draw the numbers left of a grid whose corner is at the origin and above it; it will be scaled later on."""
    size, tick = SIZE / scale, _TICK / scale
    texts: list[Markup] = []
    ticks = ""
    step = choose_step(columns, tile * scale)
    for column in range(0, columns, step):
        x = (column + 0.5) * tile
        ticks += f"M{x:g} {-tick / 4:g}v{-tick / 2:g}"
        texts.append(label(str(column), x, -tick, size, text_anchor="middle"))
    step = choose_step(rows, tile * scale)
    for row in range(0, rows, step):
        y = (row + 0.5) * tile
        ticks += f"M{-tick / 4:g} {y:g}h{-tick / 2:g}"
        texts.append(label(str(row), -tick, y + size * 0.36, size, text_anchor="end"))
    return group(path(ticks, stroke=FAINT_INK, stroke_width=1 / scale), texts, fill=FAINT_INK)


def text_margin(rows: int) -> int:
    """Return how many characters the numbers of rows take left of a grid in a terminal."""
    return len(str(max(0, rows - 1))) + 1


def write_row(row: int, margin: int) -> str:
    """Write the number of a row to the left of its line."""
    return f"{row:>{margin - 1}} "


def write_columns(first: int, end: int, *, margin: int, width: int) -> str:
    """Write every fifth number above the columns from `first` on; a column is so many characters wide."""
    line = " " * margin
    for column in range(-(-first // 5) * 5, end, 5):
        at = margin + (column - first) * width
        if len(line) <= at:
            line = line.ljust(at) + str(column)
    return line
