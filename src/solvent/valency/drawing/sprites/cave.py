"""A cave seen from above: rock and floor that meet in the corners of cells, narrow gates, and ledges to jump down."""

from __future__ import annotations

import numpy as np

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    SIDES,
    SIZE,
    Facing,
    Painter,
    Pixels,
    Truths,
    blank,
    box,
    depth,
    disc,
    put,
    speckled,
    stamp,
)
from solvent.valency.drawing.sprites.things import with_chest, with_flag, with_gate, with_key

ROCK, ROCK_DARK, ROCK_LIGHT, RIM, FACE = "#2e2a36", "#24212b", "#3b3645", "#6f6680", "#4a4357"


def floor() -> Pixels:
    """Return trodden ground with pebbles."""
    pixels = blank("#968a9c")
    put(pixels, speckled(23, 0.14), "#8a7e90")
    put(pixels, speckled(41, 0.07), "#a89dac")
    stamp(pixels, (3, 11), ".l./ldd", {"l": "#b9afbd", "d": "#6d6275"})
    return pixels


def corners(facing: Facing, *sides: str) -> list[tuple[int, int]]:
    """Return where on the canvas the corners lie that are between two sides, written `up left`."""
    found = []
    for pair in sides:
        turned = facing(*pair.split())
        found.append((SIZE - 1 if "right" in turned else 0, SIZE - 1 if "down" in turned else 0))
    return found


def near_corners(places: list[tuple[int, int]], radius: float) -> Truths:
    """Return which pixels lie around some corners of the canvas."""
    away = [(COLUMNS - x) ** 2 + (ROWS - y) ** 2 for x, y in places]
    inside: Truths = np.minimum.reduce(away) <= radius * radius
    return inside


def _rock(pixels: Pixels, where: Truths) -> None:
    """Paint rock, with a lit rim and a shadow where it ends."""
    edge = where & ~(np.roll(where, 1, 0) & np.roll(where, -1, 0) & np.roll(where, 1, 1) & np.roll(where, -1, 1))
    shadow = np.roll(where, 1, 0) & ~where
    shadow[0] = False
    put(pixels, shadow, "#6d6275")
    put(pixels, where, ROCK)
    put(pixels, where & speckled(7, 0.12), ROCK_DARK)
    put(pixels, where & speckled(19, 0.07), ROCK_LIGHT)
    inner = edge & (COLUMNS > 0) & (COLUMNS < SIZE - 1) & (ROWS > 0) & (ROWS < SIZE - 1)
    put(pixels, inner, RIM)


def paint_rock(_facing: Facing) -> Pixels:
    """Paint solid rock."""
    pixels = floor()
    _rock(pixels, np.ones((SIZE, SIZE), dtype=np.bool_))
    stamp(pixels, (4, 5), "l..../.ll../...l.", {"l": FACE})
    return pixels


def paint_floor(_facing: Facing) -> Pixels:
    """Paint the floor of the cave."""
    return floor()


def paint_face(facing: Facing) -> Pixels:
    """Paint a face of rock, above the floor unless it is turned."""
    pixels = floor()
    _rock(pixels, depth(facing("up")) < 8 + (COLUMNS + ROWS) // 3 % 2)
    return pixels


def paint_nook(facing: Facing) -> Pixels:
    """Paint rock with floor in one corner only, the lower left unless it is turned."""
    pixels = floor()
    _rock(pixels, ~near_corners(corners(facing, "down left"), 7.5))
    return pixels


def paint_spur(facing: Facing) -> Pixels:
    """Paint floor with rock in one corner only, the upper left unless it is turned."""
    pixels = floor()
    _rock(pixels, near_corners(corners(facing, "up left"), 7.5))
    return pixels


def paint_post(facing: Facing) -> Pixels:
    """Paint a face of rock with a hewn post that a gate hangs on."""
    pixels = paint_face(facing)
    post = (depth(facing("down")) < 8) & (depth(facing("left")) > 4) & (depth(facing("right")) > 4)
    put(pixels, post, FACE)
    put(pixels, post & (depth(frozenset(SIDES)) % 3 == 1), RIM)
    return pixels


def paint_gate(facing: Facing) -> Pixels:
    """Paint an iron gate, passed from above or below unless it is turned."""
    return with_gate(floor(), passed_upwards="up" in facing("up", "down"))


def paint_ledge(_facing: Facing) -> Pixels:
    """Paint a ledge that one can jump down from, southwards, and not climb."""
    pixels = floor()
    put(pixels, (ROWS >= 6) & (ROWS <= 12), FACE)
    put(pixels, (ROWS >= 7) & (ROWS <= 12) & speckled(11, 0.2), ROCK)
    put(pixels, ROWS == 6, "#cfc6d4")
    put(pixels, ROWS == 13, "#5d5366")
    stamp(pixels, (5, 8), "w....w/.w..w./..ww..", {"w": "#e8e2ec"})
    return pixels


def paint_treasury(_facing: Facing) -> Pixels:
    """Paint a niche in the rock, open below, with a chest in it."""
    pixels = floor()
    _rock(pixels, ~(disc(7.5, 8, 6.5) | box(2, 8, 13, 15)))
    return with_chest(pixels)


def paint_treasury_gate(facing: Facing) -> Pixels:
    """Paint a gate in a face of rock."""
    pixels = paint_face(facing)
    put(pixels, box(2, 0, 13, 9), "#8a7e90")
    return with_gate(pixels, passed_upwards=True)


CAVE: dict[str, Painter] = {
    "rock": paint_rock,
    "floor": paint_floor,
    "face": paint_face,
    "nook": paint_nook,
    "spur": paint_spur,
    "post": paint_post,
    "gate": paint_gate,
    "ledge": paint_ledge,
    "key": lambda _facing: with_key(floor()),
    "start": lambda _facing: with_flag(floor(), "#4fa36b"),
    "treasury": paint_treasury,
    "treasury_gate": paint_treasury_gate,
}
