"""Land and sea, seen from above."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    Facing,
    Painter,
    Pixels,
    blank,
    box,
    disc,
    dots,
    put,
    speckled,
    stamp,
)

SHADE = "#1d4a2c"


def paint_sea(_facing: Facing) -> Pixels:
    """Paint deep water with long waves."""
    pixels = blank("#28609f")
    put(pixels, speckled(3, 0.1), "#255a96")
    wave = {"l": "#4f8cc7", "w": "#86b8e2", "d": "#1f4f87"}
    for x, y in ((1, 2), (9, 6), (3, 11)):
        stamp(pixels, (x, y), ".lwwl./l....l/.dddd.", wave)
    dots(pixels, "12,1 7,9 14,13 0,8", "#3f7dba")
    return pixels


def paint_shallows(_facing: Facing) -> Pixels:
    """Paint clear water over sand."""
    pixels = blank("#6fbce0")
    put(pixels, speckled(8, 0.12), "#64b2d8")
    put(pixels, disc(11.5, 11, 2.6) | disc(4, 5, 2.1), "#86c9e4")
    for x, y in ((2, 3), (9, 8), (1, 12)):
        stamp(pixels, (x, y), ".ll../l..l.", {"l": "#b9e4f4"})
    dots(pixels, "12,2 6,9 13,14", "#dff4fb")
    return pixels


def paint_sand(_facing: Facing) -> Pixels:
    """Paint a beach with ripples and a shell."""
    pixels = blank("#ecdca6")
    put(pixels, speckled(5, 0.13), "#e2cf94")
    put(pixels, speckled(11, 0.07), "#f7ebc4")
    for x, y in ((2, 4), (9, 10), (8, 1)):
        stamp(pixels, (x, y), "ddd../...dd", {"d": "#d3bd80"})
    stamp(pixels, (4, 11), "wp/pw", {"w": "#fff8ea", "p": "#dfa58c"})
    return pixels


def grass(base: str = "#86b957", dark: str = "#6a9d43", light: str = "#a3d06f") -> Pixels:
    """Return a meadow with tufts."""
    pixels = blank(base)
    put(pixels, speckled(2, 0.12), "#7cb04e" if base == "#86b957" else dark)
    for x, y in ((2, 3), (9, 1), (12, 7), (5, 9), (1, 13), (10, 13)):
        stamp(pixels, (x, y), "d.d/ldl", {"d": dark, "l": light})
    return pixels


def paint_grass(_facing: Facing) -> Pixels:
    """Paint a meadow with a few flowers."""
    pixels = grass()
    dots(pixels, "7,5 14,11 3,7", "#f4e58b")
    dots(pixels, "13,3 7,14", "#f3f0ea")
    return pixels


def paint_meadow(_facing: Facing) -> Pixels:
    """Paint a meadow without flowers."""
    return grass()


TREE = {"k": SHADE, "d": "#28683c", "m": "#3a8550", "l": "#5aa768", "h": "#86c78a", "t": "#5b4228", "s": "#3f7a3a"}
CROWN = "..mmm../.mhhlm./mhllmmd/mllmmdd/mlmmddk/.mmddk./..dtk../.sstss."


def paint_forest(_facing: Facing) -> Pixels:
    """Paint trees close together."""
    pixels = grass("#4f8f4a", "#3f7a3a", "#5fa058")
    for x, y in ((8, -2), (0, 1), (9, 6), (1, 8)):
        stamp(pixels, (x, y), CROWN, TREE)
    return pixels


def paint_mountain(_facing: Facing) -> Pixels:
    """Paint peaks with snow on them."""
    pixels = blank("#7f8a78")
    put(pixels, speckled(4, 0.15), "#737e6d")
    for x, top, reach in ((11, 4, 5), (5, 1, 7)):
        away = ROWS - top
        inside = (abs(COLUMNS - x) <= away * 0.55 + 0.3) & (away >= 0) & (away <= reach * 1.8)
        put(pixels, inside, "#9c9a97")
        put(pixels, inside & (x - COLUMNS > 0) & ((COLUMNS + ROWS) % 3 > 0), "#b9b6b1")
        put(pixels, inside & (x - COLUMNS < 0), "#6c6966")
        put(pixels, inside & (x - COLUMNS < -1) & (speckled(9, 0.35)), "#57544f")
        put(pixels, inside & (away <= 3 + (COLUMNS % 2)), "#f5f7f9")
        put(pixels, inside & (away <= 3 + (COLUMNS % 2)) & (x < COLUMNS), "#c4d0dc")
    put(pixels, box(0, 14, 15, 15) & speckled(6, 0.5), "#5d6a55")
    return pixels


def paint_hill(_facing: Facing) -> Pixels:
    """Paint rounded hills."""
    pixels = grass("#b49a68", "#9a804f", "#cdb684")
    for x, y in ((4, 5), (12, 11)):
        hump = disc(x, y, 4) & (y + 1 >= ROWS)
        put(pixels, hump, "#c6ae7b")
        put(pixels, hump & ~disc(x - 1, y + 1, 4), "#8d7446")
        put(pixels, hump & disc(x - 1.5, y - 1.5, 1.3), "#e0cc9d")
    return pixels


STONE = {"k": "#4a4640", "d": "#79736a", "m": "#a39d92", "l": "#c9c3b6", "h": "#e8e3d8", "r": "#b8453d", "n": "#2e2a26"}


def paint_castle(_facing: Facing) -> Pixels:
    """Paint a keep with two towers and a flag."""
    pixels = grass()
    rows = (
        "....krr...../....krrr..../....k......./l.l.l.l.l.ld/lmlmlmlmlmld/lmmklmmklmmd/lmmmlmmmlmmd/"
        "lmmmlnnmlmmd/lmmmlnnmlmmd/lmmmnnnnlmmd/lmmmnnnnlmmd/ddddnnnndddd"
    )
    stamp(pixels, (2, 2), rows, STONE)
    put(pixels, box(2, 14, 14, 14), "#5f8f3f")
    return pixels


def paint_lighthouse(_facing: Facing) -> Pixels:
    """Paint a striped tower on a rock in the water."""
    pixels = paint_sea(_facing)
    put(pixels, disc(7.5, 13.5, 5) & (ROWS > 10), "#6f6a63")
    put(pixels, disc(7, 13, 3.6) & (ROWS > 10), "#938d84")
    rows = "..kk../.kyyk./.kyyk./kkkkkk/.hlm../.hlmd./.rrqq./.rrqq./.hlmd./.hlmd./.rrqq./rrrqqq"
    colours = {**STONE, "y": "#ffe27a", "q": "#8f2f2a", "h": "#ffffff", "l": "#f1ece2", "m": "#cfc8ba"}
    stamp(pixels, (5, 1), rows, colours)
    return pixels


def paint_reef(_facing: Facing) -> Pixels:
    """Paint rocks that the sea breaks on."""
    pixels = paint_sea(_facing)
    colours = {"f": "#d5ebf7", "l": "#8b97a0", "m": "#5b6a75", "d": "#3b4852"}
    for x, y in ((3, 4), (9, 9)):
        stamp(pixels, (x, y), "..ff../.flmf./flmmdf/fmmddf/.ffff.", colours)
    return pixels


TERRAIN: dict[str, Painter] = {
    "sea": paint_sea,
    "shallows": paint_shallows,
    "sand": paint_sand,
    "grass": paint_grass,
    "meadow": paint_meadow,
    "forest": paint_forest,
    "mountain": paint_mountain,
    "hill": paint_hill,
    "castle": paint_castle,
    "lighthouse": paint_lighthouse,
    "reef": paint_reef,
}
