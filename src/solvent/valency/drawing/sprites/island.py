"""Islands in a sea, the bridges between them, and toll gates on the bridges."""

from __future__ import annotations

import numpy as np

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    SIZE,
    Facing,
    Painter,
    Pixels,
    Truths,
    blank,
    depth,
    disc,
    put,
    speckled,
    stamp,
)
from solvent.valency.drawing.sprites.cave import corners, near_corners
from solvent.valency.drawing.sprites.things import with_chest, with_flag, with_gate, with_key

SEA, SAND, WET, WOOD, WOOD_DARK, WOOD_LIGHT = "#3a78b0", "#e4cf94", "#79b3d6", "#a5743e", "#6e4a24", "#c8965a"


def sea() -> Pixels:
    """Return open water with small waves."""
    pixels = blank(SEA)
    put(pixels, speckled(5, 0.08), "#3570a6")
    stamp(pixels, (2, 4), ".ll./l..l", {"l": "#6ba3d2"})
    stamp(pixels, (9, 11), ".ll./l..l", {"l": "#6ba3d2"})
    return pixels


def grass() -> Pixels:
    """Return a meadow."""
    pixels = blank("#84b65f")
    put(pixels, speckled(29, 0.13), "#79aa55")
    stamp(pixels, (3, 3), "l.l/.l.", {"l": "#9ccb75"})
    stamp(pixels, (10, 9), "l.l/.l.", {"l": "#9ccb75"})
    return pixels


def _coast(land: Truths, land_far: Truths) -> Pixels:
    """Return water with a beach, and grass behind the beach."""
    pixels = sea()
    foam = np.roll(land, 1, 0) | np.roll(land, -1, 0) | np.roll(land, 1, 1) | np.roll(land, -1, 1)
    rim = (COLUMNS > 0) & (COLUMNS < SIZE - 1) & (ROWS > 0) & (ROWS < SIZE - 1)
    put(pixels, foam & ~land & rim, WET)
    put(pixels, land, SAND)
    put(pixels, land & speckled(17, 0.12), "#d6bf81")
    meadow = grass()
    pixels[land_far] = meadow[land_far]
    return pixels


def paint_sea(_facing: Facing) -> Pixels:
    """Paint the open sea."""
    return sea()


def paint_grass(_facing: Facing) -> Pixels:
    """Paint a meadow."""
    return grass()


def paint_tree(_facing: Facing) -> Pixels:
    """Paint a tree on a meadow."""
    pixels = grass()
    put(pixels, disc(8, 13, 4), "#6a9a4c")
    put(pixels, (COLUMNS >= 7) & (COLUMNS <= 8) & (ROWS >= 10) & (ROWS <= 14), "#5b4028")
    put(pixels, disc(7.5, 6.5, 6), "#2f6b3f")
    put(pixels, disc(6.5, 5.5, 4.2), "#3f8450")
    put(pixels, disc(5.5, 4.5, 2), "#5aa268")
    return pixels


def paint_shore(facing: Facing) -> Pixels:
    """Paint a straight shore with the sea above it, unless it is turned."""
    away = depth(facing("up"))
    return _coast(away >= 8, away >= 13)


def paint_cape(facing: Facing) -> Pixels:
    """Paint sea with land in one corner only, the lower left unless it is turned."""
    places = corners(facing, "down left")
    return _coast(near_corners(places, 7.5), near_corners(places, 2.5))


def paint_bay(facing: Facing) -> Pixels:
    """Paint land with sea in one corner only, the upper left unless it is turned."""
    places = corners(facing, "up left")
    return _coast(~near_corners(places, 7.5), ~near_corners(places, 12.5))


def _planks(pixels: Pixels, where: Truths, *, upwards: bool) -> None:
    across, along = (COLUMNS, ROWS) if upwards else (ROWS, COLUMNS)
    deck = where & (across >= 3) & (across <= 12)
    put(pixels, deck, WOOD)
    put(pixels, deck & (along % 4 == 3), WOOD_DARK)
    put(pixels, deck & (along % 4 == 0), WOOD_LIGHT)
    put(pixels, where & ((across == 2) | (across == 13)), WOOD_DARK)


def paint_pier(facing: Facing) -> Pixels:
    """Paint a shore from which a bridge leads out to sea, upwards unless it is turned."""
    pixels = paint_shore(facing)
    _planks(pixels, depth(facing("up")) <= 11, upwards="up" in facing("up", "down"))
    return pixels


def _bridge(facing: Facing) -> Pixels:
    pixels = sea()
    _planks(pixels, np.ones((SIZE, SIZE), dtype=np.bool_), upwards="up" in facing("left", "right"))
    return pixels


def paint_bridge(facing: Facing) -> Pixels:
    """Paint a bridge from left to right, unless it is turned."""
    return _bridge(facing)


def paint_gate(facing: Facing) -> Pixels:
    """Paint a toll gate on a bridge."""
    return with_gate(_bridge(facing), passed_upwards="up" in facing("left", "right"))


def paint_islet(_facing: Facing) -> Pixels:
    """Paint an islet with a treasure chest, and a jetty below it."""
    pixels = _coast(disc(7.5, 7.5, 7), disc(7.5, 7.5, 4))
    _planks(pixels, ROWS >= 12, upwards=True)
    return with_chest(pixels)


ISLAND: dict[str, Painter] = {
    "sea": paint_sea,
    "grass": paint_grass,
    "tree": paint_tree,
    "shore": paint_shore,
    "cape": paint_cape,
    "bay": paint_bay,
    "pier": paint_pier,
    "bridge": paint_bridge,
    "gate": paint_gate,
    "key": lambda _facing: with_key(grass()),
    "start": lambda _facing: with_flag(grass(), "#c0504d"),
    "islet": paint_islet,
}
