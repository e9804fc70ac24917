"""Flower beds, each cell one plant."""

from __future__ import annotations

from collections.abc import Mapping

from solvent.valency.drawing.sprites.canvas import Facing, Painter, Pixels, blank, put, speckled, stamp

SOIL = "#6f5138"


def _bed(rows: str, colours: Mapping[str, str]) -> Pixels:
    pixels = blank(SOIL)
    put(pixels, speckled(61, 0.16), "#5f4430")
    put(pixels, speckled(67, 0.07), "#86654a")
    for x, y in ((1, 1), (9, 1), (1, 9), (9, 9)):
        stamp(pixels, (x, y), rows, {"g": "#4f9a48", "e": "#2f6f34", **colours})
    return pixels


def paint_rose(_facing: Facing) -> Pixels:
    """Paint red roses."""
    return _bed(".ppp../prrrp./prdrp./.prpg./..geg./.ge...", {"p": "#e9667c", "r": "#c8324d", "d": "#8f1f35"})


def paint_tulip(_facing: Facing) -> Pixels:
    """Paint yellow tulips."""
    return _bed("y.y.y./yyoyo./yyooo./.ooo../g.e.g./.geg..", {"y": "#ffd95a", "o": "#eda61f"})


def paint_lavender(_facing: Facing) -> Pixels:
    """Paint lavender."""
    return _bed("l..l../v.lv.l/l.vl.v/v.lv.l/e.ee.e/.geeg.", {"l": "#c3b4f0", "v": "#8672cc"})


def paint_fern(_facing: Facing) -> Pixels:
    """Paint ferns."""
    return _bed("g.l.g./.glg../lgelg./.glg../gleglg/..e...", {"l": "#93cf7c"})


def paint_gravel(_facing: Facing) -> Pixels:
    """Paint gravel."""
    pixels = blank("#d2c7b3")
    for salt, share, colour in ((71, 0.22, "#bdb09a"), (73, 0.16, "#e9e1d2"), (79, 0.08, "#9c907b")):
        put(pixels, speckled(salt, share), colour)
    return pixels


GARDENS: dict[str, Painter] = {
    "rose": paint_rose,
    "tulip": paint_tulip,
    "lavender": paint_lavender,
    "fern": paint_fern,
    "gravel": paint_gravel,
}
