"""Hexagons of a Tiled map that are turned: two of the highest bits turn by 60 and 120 degrees instead of flipping."""

from __future__ import annotations

import numpy as np

from solvent.valency.art import FLIPPED_ACROSS, FLIPPED_DOWN
from solvent.valency.notation.pictures import Pixels

TURNED_60, TURNED_120 = 0x20000000, 0x10000000
HALF_TURN = 3


def read_sixths(gid: int) -> tuple[int, bool]:
    """Return by how many times 60 degrees a hexagon is turned, clockwise, and whether it was mirrored before."""
    sixths = (1 if gid & TURNED_60 else 0) + (2 if gid & TURNED_120 else 0)
    if gid & FLIPPED_DOWN:  # top to bottom is left to right, turned by half
        sixths += HALF_TURN
    return sixths % 6, bool(gid & FLIPPED_ACROSS) != bool(gid & FLIPPED_DOWN)


def name_turn(gid: int) -> str:
    """Return what to say behind the name of a tile; nothing if it stands as it is drawn."""
    sixths, mirrored = read_sixths(gid)
    return (" mirrored" if mirrored else "") + (f" turned {60 * sixths}°" if sixths else "")


def turn_hexagon(pixels: Pixels, gid: int) -> Pixels:
    """Return the picture of a hexagon as a cell shows it, turned about its middle."""
    sixths, mirrored = read_sixths(gid)
    if mirrored:
        pixels = pixels[:, ::-1]
    if not sixths:
        return pixels
    height, width = pixels.shape[:2]
    y, x = np.indices((height, width)) - np.array([(height - 1) / 2, (width - 1) / 2])[:, None, None]
    angle = np.pi / 3 * sixths
    # A pixel shows what was there before the turn, so it is looked for the other way round; y leads down.
    column = np.rint(x * np.cos(angle) + y * np.sin(angle) + (width - 1) / 2).astype(np.int64)
    row = np.rint(-x * np.sin(angle) + y * np.cos(angle) + (height - 1) / 2).astype(np.int64)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    turned = np.zeros_like(pixels)
    turned[inside] = pixels[row[inside], column[inside]]
    return turned
