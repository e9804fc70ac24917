"""A village: lanes, houses, and what a tower is built of."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    Facing,
    Painter,
    Pixels,
    Truths,
    blank,
    box,
    depth,
    disc,
    dots,
    put,
    speckled,
    stamp,
)
from solvent.valency.drawing.sprites.terrain import grass

DIRT, DIRT_DARK, DIRT_LIGHT = "#d3bd8e", "#b59c6b", "#e5d4ac"


def _lane(sides: frozenset[str]) -> Pixels:
    pixels = grass()
    way = box(4, 4, 11, 11)
    for side in sides:
        near = depth(frozenset({side}))  # type: ignore[arg-type]
        across = COLUMNS if side in ("up", "down") else ROWS
        way |= (near < 8) & (across >= 4) & (across <= 11)
    put(pixels, way, DIRT)
    put(pixels, way & speckled(41, 0.14), DIRT_LIGHT)
    put(pixels, way & speckled(43, 0.1), DIRT_DARK)
    put(pixels, _rim(way), "#8f7a4d")
    return pixels


def _rim(inside: Truths) -> Truths:
    """Return the pixels just inside whose neighbour on the canvas is outside."""
    rim = inside & False
    rim[1:] |= inside[1:] & ~inside[:-1]
    rim[:-1] |= inside[:-1] & ~inside[1:]
    rim[:, 1:] |= inside[:, 1:] & ~inside[:, :-1]
    rim[:, :-1] |= inside[:, :-1] & ~inside[:, 1:]
    return rim


def paint_lane(facing: Facing) -> Pixels:
    """Paint a lane from left to right."""
    return _lane(facing("left", "right"))


def paint_crossroads(_facing: Facing) -> Pixels:
    """Paint two lanes that cross."""
    return _lane(frozenset({"left", "right", "up", "down"}))


HOUSE = {"k": "#4a2a1c", "r": "#c96f4a", "d": "#9c4f31", "l": "#e59a75", "h": "#f0b795", "c": "#6d6258"}


def paint_house(facing: Facing) -> Pixels:
    """Paint a roof from above, with a path from its door, which is below unless it is turned."""
    door = facing("down")
    pixels = _lane(door)
    put(pixels, box(4, 4, 11, 11), "#86b957")
    upright = bool(door & {"up", "down"})
    put(pixels, box(2, 3, 13, 13) if upright else box(3, 2, 13, 13), HOUSE["k"])
    inside = box(3, 4, 12, 12) if upright else box(4, 3, 12, 12)
    across, along = (ROWS, COLUMNS) if upright else (COLUMNS, ROWS)
    put(pixels, inside, HOUSE["r"])
    put(pixels, inside & (across < 8), HOUSE["l"])
    put(pixels, inside & (across > 8), HOUSE["d"])
    put(pixels, inside & (across == 8), HOUSE["h"])
    put(pixels, inside & (along % 3 == 0) & (across != 8), "#b0603e")
    put(pixels, box(10, 5, 11, 6), HOUSE["c"])
    dots(pixels, "10,5", "#cfc6bb")
    near = depth(door)
    middle = (along >= 6) & (along <= 9)
    put(pixels, (near >= 2) & (near <= 3) & middle, "#5f3d22")
    put(pixels, (near == 2) & middle, "#f0d27a")
    return pixels


def paint_well(_facing: Facing) -> Pixels:
    """Paint a well of stone."""
    pixels = grass()
    put(pixels, disc(8, 9, 5.6), "#5f8f3f")
    put(pixels, disc(7.5, 7.5, 5.6), "#55504a")
    put(pixels, disc(7.5, 7.5, 4.9), "#b3aca0")
    put(pixels, disc(7.5, 7.5, 4.9) & ((COLUMNS + ROWS) % 4 == 0), "#8d867b")
    put(pixels, disc(7.5, 7.5, 3.2), "#2a5d8c")
    put(pixels, disc(6.7, 6.7, 1.5), "#6fb3dd")
    dots(pixels, "6,5 5,6", "#d9f0fb")
    return pixels


def paint_gate(facing: Facing) -> Pixels:
    """Paint a gate in a wall, whose lane leads to the right."""
    pixels = _lane(facing("right"))
    wall = depth(facing("left")) <= 7
    put(pixels, wall, "#8c8378")
    put(pixels, wall & ((ROWS % 4 == 3) | ((COLUMNS + 4 * (ROWS // 4 % 2)) % 8 == 7)), "#645c53")
    put(pixels, wall & (ROWS % 4 == 0), "#aaa195")
    lane = facing("right")
    across = ROWS if lane & {"left", "right"} else COLUMNS
    put(pixels, wall & (across >= 4) & (across <= 11), "#5a3c22")
    put(pixels, wall & (across >= 5) & (across <= 10), "#8a5f37")
    put(pixels, wall & (across >= 5) & (across <= 10) & (across % 2 == 0), "#a5764a")
    return pixels


def paint_base(_facing: Facing) -> Pixels:
    """Paint the foot of a tower in the grass."""
    pixels = grass()
    put(pixels, box(2, 2, 13, 13), "#4f483f")
    _stones(pixels, box(3, 3, 12, 12), "#857b6e", "#655c51", "#a69b8c")
    return pixels


def _stones(pixels: Pixels, where: Truths, face: str, mortar: str, light: str) -> None:
    put(pixels, where, face)
    shifted = (COLUMNS + 3 * (ROWS // 4 % 2)) % 6
    put(pixels, where & (ROWS % 4 == 0), light)
    put(pixels, where & ((ROWS % 4 == 3) | (shifted == 5)), mortar)


def _sky() -> Pixels:
    pixels = blank("#cfe5f2")
    put(pixels, speckled(51, 0.06), "#dceefa")
    return pixels


def paint_air(_facing: Facing) -> Pixels:
    """Paint sky with a small cloud."""
    pixels = _sky()
    stamp(pixels, (3, 5), "..www...../.wwwwww.../wwwwwwwww./.sssssss..", {"w": "#f7fcff", "s": "#b6d3e6"})
    return pixels


def paint_storey(_facing: Facing) -> Pixels:
    """Paint one floor of a tower, with windows."""
    pixels = _sky()
    put(pixels, box(1, 1, 14, 14), "#5f564b")
    _stones(pixels, box(2, 2, 13, 13), "#b8ab99", "#8c8070", "#d3c8b8")
    for x in (4, 9):
        put(pixels, box(x, 5, x + 2, 10), "#4a4138")
        put(pixels, box(x, 6, x + 1, 10), "#2c3f55")
        put(pixels, box(x, 6, x, 7), "#7fa8c9")
    return pixels


def paint_tower_gate(facing: Facing) -> Pixels:
    """Paint a floor of a tower with a door to a bridge on its right."""
    pixels = paint_storey(facing)
    door = facing("right")
    across = ROWS if door & {"left", "right"} else COLUMNS
    way = (depth(door) <= 7) & (across >= 4) & (across <= 11)
    put(pixels, way, "#4a2f18")
    put(pixels, way & (across >= 5) & (across <= 10), "#b37b42")
    put(pixels, way & (across >= 5) & (across <= 10) & (depth(door) % 3 == 0), "#855628")
    return pixels


def paint_bridge(facing: Facing) -> Pixels:
    """Paint a bridge of planks from left to right."""
    pixels = _sky()
    way = facing("left", "right")
    across, along = (ROWS, COLUMNS) if "left" in way else (COLUMNS, ROWS)
    put(pixels, (across >= 3) & (across <= 12), "#5a3a1c")
    planks = (across >= 4) & (across <= 11)
    put(pixels, planks, "#a8763f")
    put(pixels, planks & (along % 4 == 0), "#c79659")
    put(pixels, planks & (along % 4 == 3), "#74491f")
    put(pixels, ((across == 3) | (across == 12)) & (along % 4 == 1), "#d9b27a")
    return pixels


def paint_roof(_facing: Facing) -> Pixels:
    """Paint a pointed roof from above."""
    pixels = _sky()
    put(pixels, box(1, 1, 14, 14), "#6b241f")
    inside = box(2, 2, 13, 13)
    put(pixels, inside & (ROWS <= COLUMNS) & (ROWS + COLUMNS <= 15), "#e0736a")
    put(pixels, inside & (ROWS > COLUMNS) & (ROWS + COLUMNS <= 15), "#cf5a51")
    put(pixels, inside & (ROWS <= COLUMNS) & (ROWS + COLUMNS > 15), "#a83e37")
    put(pixels, inside & (ROWS > COLUMNS) & (ROWS + COLUMNS > 15), "#8f322c")
    put(pixels, inside & ((ROWS == COLUMNS) | (ROWS + COLUMNS == 15)), "#f0a39c")
    put(pixels, box(7, 7, 8, 8), "#ffe27a")
    return pixels


VILLAGE: dict[str, Painter] = {
    "lane": paint_lane,
    "crossroads": paint_crossroads,
    "house": paint_house,
    "well": paint_well,
    "gate": paint_gate,
    "base": paint_base,
    "storey": paint_storey,
    "tower gate": paint_tower_gate,
    "bridge": paint_bridge,
    "roof": paint_roof,
    "air": paint_air,
}
