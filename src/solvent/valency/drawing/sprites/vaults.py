"""Vaults beside the rooms of stone: red carpets, doors with a lock, and what is kept behind them."""

from __future__ import annotations

import numpy as np

from solvent.valency.drawing.sprites.canvas import COLUMNS, ROWS, Facing, Painter, Pixels, blank, box, put, speckled
from solvent.valency.drawing.sprites.rooms import (
    floor,
    paint_corner,
    paint_door,
    paint_entrance,
    paint_wall,
)
from solvent.valency.drawing.sprites.things import GOLD, with_chest, with_key


def carpet() -> Pixels:
    """Return a red carpet with a fine pattern."""
    pixels = blank("#9c4650")
    put(pixels, speckled(31, 0.12), "#8f3d48")
    put(pixels, (COLUMNS + ROWS) % 8 == 0, "#b25e63")
    put(pixels, (COLUMNS - ROWS) % 8 == 0, "#b25e63")
    return pixels


def _carpeted(pixels: Pixels) -> Pixels:
    """Lay the carpet wherever there was the floor of a room."""
    stone = np.all(pixels == floor(), axis=2)
    pixels[stone] = carpet()[stone]
    return pixels


def paint_locked(facing: Facing) -> Pixels:
    """Paint a door in a wall with a golden lock on it."""
    pixels = _carpeted(paint_door(facing))
    put(pixels, box(5, 5, 10, 10), GOLD["k"])
    put(pixels, box(6, 6, 9, 9), GOLD["y"])
    put(pixels, box(7, 7, 8, 9), GOLD["k"])
    return pixels


VAULTS: dict[str, Painter] = {
    "floor": lambda _facing: carpet(),
    "wall": lambda facing: _carpeted(paint_wall(facing)),
    "corner": lambda facing: _carpeted(paint_corner(facing)),
    "locked": paint_locked,
    "key": lambda _facing: with_key(floor()),
    "treasure": lambda _facing: with_chest(carpet()),
    "entrance": paint_entrance,
}
