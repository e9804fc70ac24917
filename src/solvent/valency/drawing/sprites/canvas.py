"""What sprites are painted with: a small canvas, textures that are the same everywhere, and letters as stamps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

SIZE = 16
"""Pixels along a side."""
Pixels = npt.NDArray[np.uint8]
"""Shape (SIZE, SIZE, 4): red, green, blue, opacity."""
Truths = npt.NDArray[np.bool_]
Side = Literal["right", "up", "left", "down"]
SIDES: tuple[Side, ...] = ("right", "up", "left", "down")
"""Anticlockwise, so that turning is counting on."""
Facing = Callable[..., frozenset[Side]]
"""Where some sides of an unturned sprite point once it is turned."""
Painter = Callable[[Facing], Pixels]

ROWS, COLUMNS = np.indices((SIZE, SIZE))


def turned(side: Side, quarter_turns: int) -> Side:
    """Return where a side points after some quarter turns, anticlockwise."""
    return SIDES[(SIDES.index(side) + quarter_turns) % 4]


def blank(colour: str) -> Pixels:
    """Return a canvas of one colour."""
    pixels = np.empty((SIZE, SIZE, 4), dtype=np.uint8)
    pixels[:] = (*_parts(colour), 255)
    return pixels


def put(pixels: Pixels, where: Truths, colour: str) -> None:
    """Paint all pixels where something holds."""
    pixels[where] = (*_parts(colour), 255)


def dots(pixels: Pixels, places: str, colour: str) -> None:
    """Paint single pixels, written as `x,y x,y`."""
    for place in places.split():
        x, y = place.split(",")
        pixels[int(y) % SIZE, int(x) % SIZE] = (*_parts(colour), 255)


def stamp(pixels: Pixels, at: tuple[int, int], rows: str, colours: Mapping[str, str]) -> None:
    """Paint rows of letters, each of which names a colour; others are left as they are. It wraps around the rim."""
    for y, row in enumerate(rows.split("/")):
        for x, letter in enumerate(row):
            if letter in colours:
                pixels[(at[1] + y) % SIZE, (at[0] + x) % SIZE] = (*_parts(colours[letter]), 255)


def speckled(salt: int, share: float) -> Truths:
    """Return which pixels are specks: the same on every machine, about this share of all."""
    mixed = (COLUMNS.astype(np.uint64) * 374761393 + ROWS.astype(np.uint64) * 668265263 + salt * 974634341) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> np.uint64(13))) * 1274126177) & 0xFFFFFFFF
    mixed ^= mixed >> np.uint64(16)
    specks: Truths = (mixed & 0xFFFF) < share * 0x10000
    return specks


def depth(sides: frozenset[Side]) -> npt.NDArray[np.int64]:
    """Return how far each pixel is from the nearest of some sides."""
    away = {"left": COLUMNS, "right": SIZE - 1 - COLUMNS, "up": ROWS, "down": SIZE - 1 - ROWS}
    return np.minimum.reduce([away[side] for side in sides]) if sides else np.full((SIZE, SIZE), SIZE)


def box(left: int, top: int, right: int, bottom: int) -> Truths:
    """Return which pixels lie in a box, its last column and row included."""
    inside: Truths = (left <= COLUMNS) & (right >= COLUMNS) & (top <= ROWS) & (bottom >= ROWS)
    return inside


def disc(x: float, y: float, radius: float) -> Truths:
    """Return which pixels lie in a disc."""
    inside: Truths = (COLUMNS - x) ** 2 + (ROWS - y) ** 2 <= radius * radius
    return inside


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
