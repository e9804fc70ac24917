"""Rooms of stone, and the corridors between them, seen from above."""

from __future__ import annotations

from solvent.valency.drawing.sprites.canvas import (
    COLUMNS,
    ROWS,
    SIDES,
    Facing,
    Painter,
    Pixels,
    Truths,
    blank,
    box,
    depth,
    dots,
    put,
    speckled,
    stamp,
)

ROCK, ROCK_DARK, ROCK_LIGHT = "#35302c", "#2b2724", "#453f39"
CAP, FACE, MORTAR, SHINE, FOOT = "#57493d", "#8c7a66", "#5f5042", "#b09b82", "#3f352d"


def paint_rock(_facing: Facing) -> Pixels:
    """Paint solid rock with cracks."""
    pixels = blank(ROCK)
    put(pixels, speckled(7, 0.12), ROCK_DARK)
    put(pixels, speckled(19, 0.06), ROCK_LIGHT)
    stamp(pixels, (2, 3), "k..../.kk../...kk/....k", {"k": "#221f1c"})
    stamp(pixels, (10, 9), "..kk/.k../k...", {"k": "#221f1c"})
    stamp(pixels, (3, 2), "l..../.ll..", {"l": "#4c453f"})
    return pixels


def floor() -> Pixels:
    """Return flagstones, four to a cell."""
    pixels = blank("#dccdab")
    put(pixels, speckled(13, 0.1), "#d2c29d")
    put(pixels, (COLUMNS % 8 == 7) | (ROWS % 8 == 7), "#b8a682")
    put(pixels, ((COLUMNS % 8 == 0) | (ROWS % 8 == 0)) & (COLUMNS % 8 < 7) & (ROWS % 8 < 7), "#eee2c6")
    dots(pixels, "3,11 4,12 12,3", "#c0ae8a")
    return pixels


def paint_floor(_facing: Facing) -> Pixels:
    """Paint a floor of flagstones."""
    return floor()


def _bricks(pixels: Pixels, where: Truths) -> None:
    put(pixels, where, FACE)
    put(pixels, where & speckled(21, 0.14), "#7e6d5a")
    shifted = (COLUMNS + 4 * (ROWS // 4 % 2)) % 8
    put(pixels, where & (ROWS % 4 == 0) & (shifted != 7), "#a08d76")
    put(pixels, where & ((ROWS % 4 == 3) | (shifted == 7)), MORTAR)


def _wall(outside: frozenset[str]) -> Pixels:
    """Return a wall with rock behind these sides and a floor before the others."""
    pixels = floor()
    away = depth(outside)  # type: ignore[arg-type]
    _bricks(pixels, away <= 12)
    put(pixels, away == 13, FOOT)
    put(pixels, away == 14, "#b3a07c")
    put(pixels, away <= 3, ROCK)
    put(pixels, (away <= 3) & speckled(7, 0.14), ROCK_DARK)
    put(pixels, away == 4, SHINE)
    put(pixels, away == 5, CAP)
    return pixels


def paint_wall(facing: Facing) -> Pixels:
    """Paint a straight wall; the floor is below it unless it is turned."""
    return _wall(facing("up"))


def paint_corner(facing: Facing) -> Pixels:
    """Paint the corner of a room, at its upper left unless it is turned."""
    return _wall(facing("up", "left"))


def paint_door(facing: Facing) -> Pixels:
    """Paint a wooden door in a wall."""
    pixels = _wall(facing("up"))
    way = facing("up", "down")
    across = COLUMNS if "up" in way else ROWS
    along = ROWS if "up" in way else COLUMNS
    put(pixels, (across >= 3) & (across <= 12), "#4a3524")
    inside = (across >= 4) & (across <= 11)
    put(pixels, inside, "#cdb992")
    leaf = inside & (along >= 4) & (along <= 11)
    put(pixels, leaf, "#a86c33")
    put(pixels, leaf & (across % 3 == 0), "#7d4c20")
    put(pixels, leaf & (across % 3 == 1), "#c2864a")
    put(pixels, leaf & ((along == 5) | (along == 10)), "#5d6066")
    put(pixels, leaf & ((along == 4) | (along == 11)), "#6a3f1a")
    put(pixels, (across == 10) & (along == 8), "#f2c94c")
    return pixels


def _corridor(open_sides: frozenset[str]) -> Pixels:
    pixels = blank("#a89674")
    put(pixels, speckled(17, 0.16), "#9a8866")
    shifted = (COLUMNS + 3 * (ROWS // 4 % 2)) % 6
    put(pixels, (ROWS % 4 == 3) | (shifted == 5), "#84724f")
    put(pixels, (ROWS % 4 == 0) & (shifted < 5), "#bfae8c")
    closed = frozenset(SIDES) - open_sides
    away = depth(closed)
    # Where two open sides meet, rock stands in the corner between them.
    for one, other in (("up", "left"), ("left", "down"), ("down", "right"), ("right", "up")):
        if one in open_sides and other in open_sides:
            near_one, near_other = depth(frozenset({one})), depth(frozenset({other}))  # type: ignore[arg-type]
            corner = (near_one <= 4) & (near_other <= 4)
            away[corner] = 4
            away[(near_one <= 3) & (near_other <= 3)] = 0
    put(pixels, away == 5, "#7d6c4c")
    put(pixels, away == 4, "#1f1b18")
    put(pixels, away <= 3, ROCK)
    put(pixels, (away <= 3) & speckled(7, 0.14), ROCK_DARK)
    put(pixels, (away <= 3) & speckled(19, 0.07), ROCK_LIGHT)
    return pixels


def paint_straight(facing: Facing) -> Pixels:
    """Paint a corridor from left to right."""
    return _corridor(facing("left", "right"))


def paint_bend(facing: Facing) -> Pixels:
    """Paint a corridor that turns from up to right."""
    return _corridor(facing("up", "right"))


def paint_fork(facing: Facing) -> Pixels:
    """Paint a corridor from left to right with a way down."""
    return _corridor(facing("left", "right", "down"))


def _stairs(rug: str, rug_dark: str, rows: str) -> Pixels:
    pixels = floor()
    put(pixels, box(2, 2, 13, 13), rug_dark)
    put(pixels, box(3, 3, 12, 12), rug)
    steps = {"k": "#2b2724", "d": "#6d655b", "m": "#a39a8c", "l": "#d8d0c1", "w": "#fffdf6"}
    stamp(pixels, (4, 4), rows, steps)
    return pixels


def paint_entrance(_facing: Facing) -> Pixels:
    """Paint stairs that come up, on a green rug."""
    return _stairs("#4fa36b", "#35794d", "kkkkkkkk/kddddddk/kmmmmddk/kmmmmddk/kllllmdk/kllllmdk/kwwwllmk/kkkkkkkk")


def paint_exit(_facing: Facing) -> Pixels:
    """Paint stairs that lead down into the dark, on a red rug."""
    return _stairs("#c0504d", "#8d3532", "kkkkkkkk/kwwllllk/klllmmmk/kmmmmddk/kmmdddkk/kdddkkkk/kdkkkkkk/kkkkkkkk")


ROOMS: dict[str, Painter] = {
    "rock": paint_rock,
    "floor": paint_floor,
    "wall": paint_wall,
    "corner": paint_corner,
    "door": paint_door,
    "straight": paint_straight,
    "bend": paint_bend,
    "fork": paint_fork,
    "entrance": paint_entrance,
    "exit": paint_exit,
}
