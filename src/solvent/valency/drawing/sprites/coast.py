"""A coast whose edges match: land and sea meet along a line that goes on from tile to tile.

Each corner of a tile is land or sea. In between it fades evenly, so that what two tiles show along the side they share
depends on the two corners there, and is the same on both.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.drawing.sprites.canvas import COLUMNS, ROWS, SIZE, Facing, Painter, Pixels, Side, put, speckled
from solvent.valency.drawing.sprites.terrain import paint_meadow, paint_sand, paint_sea, paint_shallows

CORNERS: tuple[frozenset[Side], ...] = (
    frozenset(("up", "left")),
    frozenset(("up", "right")),
    frozenset(("down", "left")),
    frozenset(("down", "right")),
)
"""In the order of reading."""
SHALLOWS, FOAM, SAND, GRASS = 0.3, 0.44, 0.5, 0.66
"""How much land there has to be for each to begin."""


def _height(land: frozenset[frozenset[Side]]) -> npt.NDArray[np.float64]:
    """Return how much land there is at each pixel, from 0 to 1, given the corners that are land."""
    right, down = (COLUMNS + 0.5) / SIZE, (ROWS + 0.5) / SIZE
    shares = ((1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down)
    total = np.zeros((SIZE, SIZE))
    for corner, share in zip(CORNERS, shares, strict=True):
        if corner in land:
            total += share
    return total


def _paint(land: frozenset[frozenset[Side]], facing: Facing) -> Pixels:
    height = _height(land)
    pixels = paint_sea(facing)
    for least, ground in ((SHALLOWS, paint_shallows), (SAND, paint_sand), (GRASS, paint_meadow)):
        part = height >= least
        pixels[part] = ground(facing)[part]
    put(pixels, (height >= FOAM) & (height < SAND), "#e9f6fb")
    put(pixels, (height >= FOAM) & (height < SAND) & speckled(3, 0.3), "#c5e6f3")
    put(pixels, (height >= GRASS) & (height < GRASS + 0.06), "#6a9d43")
    return pixels


def paint_shore(facing: Facing) -> Pixels:
    """Paint land along the upper side."""
    [side] = facing("up")
    return _paint(frozenset(corner for corner in CORNERS if side in corner), facing)


def paint_cape(facing: Facing) -> Pixels:
    """Paint land in the upper left corner."""
    return _paint(frozenset((facing("up", "left"),)), facing)


def paint_bay(facing: Facing) -> Pixels:
    """Paint land everywhere but in the upper left corner."""
    return _paint(frozenset(CORNERS) - {facing("up", "left")}, facing)


COAST: dict[str, Painter] = {"shore": paint_shore, "cape": paint_cape, "bay": paint_bay}
