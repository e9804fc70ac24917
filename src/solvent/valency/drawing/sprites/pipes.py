"""Metal pipes on a plastered wall."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    Facing,
    Painter,
    Pixels,
    Side,
    blank,
    box,
    disc,
    dots,
    put,
    speckled,
    stamp,
)

METAL = ("#22394a", "#3f6a86", "#6fa3c2", "#b9dcee", "#7fb1cd", "#4d7b98", "#2b4659")
"""Across a pipe, from the lit side to the other."""
FLANGE = ("#16262f", "#5b6d78", "#8ea2ae", "#c9d6dd", "#eef4f7", "#a9bac4", "#7a8d99", "#52646f", "#16262f")


def _plaster() -> Pixels:
    pixels = blank("#e6ddcc")
    put(pixels, speckled(31, 0.1), "#ded3bf")
    put(pixels, (ROWS % 8 == 7) | ((COLUMNS + 8 * (ROWS // 8 % 2)) % 16 == 15), "#d3c6af")
    put(pixels, (ROWS % 8 == 0) & ((COLUMNS + 8 * (ROWS // 8 % 2)) % 16 != 15), "#f0e9dc")
    return pixels


def paint_wall(_facing: Facing) -> Pixels:
    """Paint a wall of large blocks."""
    return _plaster()


def _arm(pixels: Pixels, side: Side) -> None:
    """Paint half a pipe, from the middle to a side, with a flange at its end."""
    upright = side in ("up", "down")
    across, along = (COLUMNS, ROWS) if upright else (ROWS, COLUMNS)
    reach = (along <= 8) if side in ("up", "left") else (along >= 7)
    for number, colour in enumerate(METAL):
        put(pixels, reach & (across == 5 + number), colour)
    end = (along <= 1) if side in ("up", "left") else (along >= 14)
    for number, colour in enumerate(FLANGE):
        put(pixels, end & (across == 4 + number), colour)
    inner = (along == 2) if side in ("up", "left") else (along == 13)
    put(pixels, inner & (across >= 5) & (across <= 11), METAL[0])
    shadow = reach & ~end & (across == 12)
    pixels[shadow, :3] = (pixels[shadow, :3] * 0.72).astype("uint8")


def _fitting(pixels: Pixels) -> None:
    """Paint the round body in which pipes meet."""
    put(pixels, disc(8, 8, 4.9), METAL[0])
    put(pixels, disc(8, 8, 4.1), METAL[1])
    put(pixels, disc(7.6, 7.6, 3.4), METAL[2])
    put(pixels, disc(7, 7, 2), METAL[4])
    put(pixels, disc(6.6, 6.6, 1.1), METAL[3])
    dots(pixels, "5,10 10,5 11,10", "#22394a")


def _pipe(sides: frozenset[Side], *, fitting: bool) -> Pixels:
    pixels = _plaster()
    for side in ("right", "down", "left", "up"):
        if side in sides:
            _arm(pixels, side)
    if fitting:
        _fitting(pixels)
    return pixels


def paint_straight(facing: Facing) -> Pixels:
    """Paint a pipe from left to right with a band around it."""
    sides = facing("left", "right")
    pixels = _pipe(sides, fitting=False)
    across, along = (COLUMNS, ROWS) if "up" in sides else (ROWS, COLUMNS)
    put(pixels, (along == 7) & (across > 5) & (across < 11), "#5a8fb0")
    return pixels


def paint_corner(facing: Facing) -> Pixels:
    """Paint a pipe that turns from up to right."""
    return _pipe(facing("up", "right"), fitting=True)


def paint_tee(facing: Facing) -> Pixels:
    """Paint a pipe from left to right with one up."""
    return _pipe(facing("left", "right", "up"), fitting=True)


def paint_cross(_facing: Facing) -> Pixels:
    """Paint four pipes that meet."""
    return _pipe(frozenset({"left", "right", "up", "down"}), fitting=True)


def paint_cap(facing: Facing) -> Pixels:
    """Paint a pipe to the right that ends in a valve."""
    pixels = _pipe(facing("right"), fitting=False)
    put(pixels, disc(8, 8, 4.9), "#3a1512")
    put(pixels, disc(8, 8, 4.1), "#b23b32")
    put(pixels, disc(8, 8, 2.4), "#7d241d")
    put(pixels, (disc(8, 8, 4.1)) & ((COLUMNS == 8) | (ROWS == 8)), "#d9635a")
    put(pixels, disc(8, 8, 1), "#f0e3df")
    dots(pixels, "6,5 5,6", "#f3a59f")
    return pixels


MACHINE = {
    "k": "#2a1a18",
    "r": "#c9443c",
    "d": "#8f2b26",
    "l": "#ee8078",
    "w": "#fbf3ea",
    "g": "#55606a",
    "y": "#ffd34d",
}


def paint_pump(facing: Facing) -> Pixels:
    """Paint a red pump with a gauge; its pipe leads to the right."""
    pixels = _pipe(facing("right"), fitting=False)
    rows = (
        ".kkkkkkkkk./kllllllllrk/klrrrrrrrdk/klrkkkkrrdk/klkwwwwkrdk/klkwwkwkrdk/klkwkwwkrdk/"
        "klrkkkkrrdk/klrrrryyrdk/krdddddddkk/.kkkkkkkkk./..kgk.kgk../..kkk.kkk.."
    )
    stamp(pixels, (1, 2), rows, MACHINE)
    return pixels


def paint_drain(facing: Facing) -> Pixels:
    """Paint a tank that the water runs into; its pipe comes from the left."""
    pixels = _pipe(facing("left"), fitting=False)
    put(pixels, box(4, 2, 14, 14), "#16263f")
    put(pixels, box(5, 3, 13, 13), "#3b6fb5")
    put(pixels, box(5, 3, 13, 3) | box(5, 3, 5, 13), "#7faae0")
    put(pixels, box(13, 4, 13, 13) | box(6, 13, 13, 13), "#264c80")
    put(pixels, box(7, 5, 12, 11), "#10203a")
    put(pixels, box(7, 5, 12, 11) & (COLUMNS % 2 == 1), "#6b7f99")
    put(pixels, box(7, 11, 12, 11), "#4aa3e0")
    return pixels


PIPES: dict[str, Painter] = {
    "wall": paint_wall,
    "straight": paint_straight,
    "corner": paint_corner,
    "tee": paint_tee,
    "cross": paint_cross,
    "cap": paint_cap,
    "pump": paint_pump,
    "drain": paint_drain,
}
