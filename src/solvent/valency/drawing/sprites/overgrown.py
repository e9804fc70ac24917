"""Old masonry that plants take back: flagstones and bricks, from bare to overgrown, and pools between them."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import COLUMNS, ROWS, Facing, Painter, Pixels, blank, put, speckled, stamp
from solvent.valency.drawing.sprites.rooms import ROCK_DARK, floor

MOSS, MOSS_DARK, MOSS_LIGHT = "#6f9a4a", "#587f3a", "#92ba63"
_SHARES = {"bare": 0.0, "patchy": 0.3, "green": 0.8}
"""How much of a tile moss covers."""


def _grow(pixels: Pixels, state: str) -> Pixels:
    share = _SHARES[state]
    if share:
        put(pixels, speckled(51, share), MOSS)
        put(pixels, speckled(57, share / 3), MOSS_DARK)
        put(pixels, speckled(63, share / 5), MOSS_LIGHT)
    return pixels


def _flags(state: str) -> Painter:
    def paint(_facing: Facing) -> Pixels:
        pixels = _grow(floor(), state)
        if state == "green":
            stamp(pixels, (4, 5), ".r./ryr/.r.", {"r": "#e8eef5", "y": "#f2c94c"})
        return pixels

    return paint


def _bricks(state: str) -> Painter:
    def paint(_facing: Facing) -> Pixels:
        pixels = blank("#6f6258")
        shifted = (COLUMNS + 4 * (ROWS // 4 % 2)) % 8
        put(pixels, speckled(21, 0.16), "#64584f")
        put(pixels, (ROWS % 4 == 0) & (shifted != 7), "#857769")
        put(pixels, (ROWS % 4 == 3) | (shifted == 7), "#453c35")
        pixels = _grow(pixels, state)
        if state == "green":
            put(pixels, (COLUMNS % 5 == 2) & (ROWS % 7 != 3), "#3f6b30")
        return pixels

    return paint


def paint_pool(_facing: Facing) -> Pixels:
    """Paint still, dark water."""
    pixels = blank("#3f7f86")
    put(pixels, speckled(71, 0.1), "#37727a")
    stamp(pixels, (3, 4), "llll", {"l": "#6fb0b3"})
    stamp(pixels, (8, 11), "lll", {"l": "#6fb0b3"})
    return pixels


def paint_dark(_facing: Facing) -> Pixels:
    """Paint what lies outside all walls."""
    pixels = blank("#1d1a18")
    put(pixels, speckled(7, 0.1), ROCK_DARK)
    return pixels


OVERGROWN: dict[str, Painter] = {
    **{f"{state}_flags": _flags(state) for state in _SHARES},
    **{f"{state}_bricks": _bricks(state) for state in _SHARES},
    "pool": paint_pool,
    "dark": paint_dark,
}
