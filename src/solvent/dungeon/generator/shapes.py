"""Shape rooms: pillars, pools, courtyards, alcoves, cut corners. A shape never cuts a door off."""

from __future__ import annotations

from collections.abc import Callable

from solvent.dungeon.model import FLOOR, STEPS, WALL, WATER
from solvent.engine.dice import Dice

Tile = tuple[int, int]
"""Row and column within a room."""
Shape = dict[Tile, str]
"""The terrain of each tile of a room's rectangle."""


def shape_room(dice: Dice, height: int, width: int, doors: list[Tile], *, wet: bool, moat: str | None) -> Shape:
    """Return a room in which one can walk between all tiles of floor, with floor at the doors.

    There is water in it only with `wet`. With `moat`, a side of the room, all tiles along that side are water; a door
    there is the only one not kept dry.
    """
    shore = _moat(height, width, moat)
    dry = [door for door in doors if door not in shore]
    for _ in range(4):
        shape = _plain(height, width)
        dice.choice(MAKERS + WET_MAKERS if wet else MAKERS)(dice, height, width, shape)
        shape |= dict.fromkeys(shore, WATER)
        if _holds_together(shape, dry) and all(_inward(tile, moat, shape) for tile in shore if tile in doors):
            return shape
    return _plain(height, width) | dict.fromkeys(shore, WATER)


def _plain(height: int, width: int) -> Shape:
    return {(row, column): FLOOR for row in range(height) for column in range(width)}


def _moat(height: int, width: int, side: str | None) -> set[Tile]:
    if side in ("N", "S"):
        return {(0 if side == "N" else height - 1, column) for column in range(width)}
    if side in ("E", "W"):
        return {(row, 0 if side == "W" else width - 1) for row in range(height)}
    return set()


def _inward(tile: Tile, moat: str | None, shape: Shape) -> bool:
    """Tell whether there is floor on the other side of the moat."""
    assert moat is not None
    down, right = STEPS[moat]
    return shape.get((tile[0] - down, tile[1] - right)) == FLOOR


def _holds_together(shape: Shape, doors: list[Tile]) -> bool:
    floor = {tile for tile, terrain in shape.items() if terrain == FLOOR}
    if 2 * len(floor) < len(shape) or not floor.issuperset(doors):
        return False
    waiting = [min(floor)]
    seen = {waiting[0]}
    while waiting:
        row, column = waiting.pop()
        for down, right in STEPS.values():
            beside = row + down, column + right
            if beside in floor and beside not in seen:
                seen.add(beside)
                waiting.append(beside)
    return len(seen) == len(floor)


def _leave_plain(_dice: Dice, _height: int, _width: int, _shape: Shape) -> None:
    """Leave the room as it is."""


def _cut_corners(dice: Dice, height: int, width: int, shape: Shape) -> None:
    size = 2 if min(height, width) >= 6 and dice.chance(50) else 1
    for row in range(size):
        for column in range(size - row):
            for r in (row, height - 1 - row):
                for c in (column, width - 1 - column):
                    shape[r, c] = WALL


def _set_pillars(dice: Dice, height: int, width: int, shape: Shape) -> None:
    gap = dice.between(2, 3)
    # pillars stand alike from both walls where they can
    first = 1 if (width - 3) % gap == 0 or gap == 2 else 2
    for row in range(1, height - 1, 2):
        for column in range(first, width - 1, gap):
            shape[row, column] = WALL


def _set_columns(_dice: Dice, height: int, width: int, shape: Shape) -> None:
    for row in (1, height - 2):
        for column in (1, width - 2):
            shape[row, column] = WALL


def _dig_pool(_dice: Dice, height: int, width: int, shape: Shape) -> None:
    edge = 2 if width >= 8 else 1
    for row in range(1, height - 1):
        for column in range(edge, width - edge):
            corner = height > 4 and row in (1, height - 2) and column in (edge, width - edge - 1)
            shape[row, column] = FLOOR if corner else WATER


def _wall_courtyard(dice: Dice, height: int, width: int, shape: Shape) -> None:
    edge = 2 if width >= 8 else 1
    for row in range(1, height - 1):
        for column in range(edge, width - edge):
            shape[row, column] = WALL
    if height >= 5 and width - 2 * edge >= 4:  # a garden inside, open to one side
        for column in range(edge + 1, width - edge - 1):
            for row in range(2, height - 2):
                shape[row, column] = FLOOR
        shape[1 if dice.chance(50) else height - 2, width // 2] = FLOOR


def _set_alcoves(dice: Dice, height: int, width: int, shape: Shape) -> None:
    first = dice.below(2)
    for column in range(first, width, 2):
        if dice.chance(80):
            shape[0, column] = WALL
        if dice.chance(80):
            shape[height - 1, column] = WALL


def _fold_arms(_dice: Dice, height: int, width: int, shape: Shape) -> None:
    """Make it a cross."""
    down, right = max(1, height // 4), max(1, width // 4)
    for row in (*range(down), *range(height - down, height)):
        for column in (*range(right), *range(width - right, width)):
            shape[row, column] = WALL


def _fill_a_corner(dice: Dice, height: int, width: int, shape: Shape) -> None:
    down, right = height // 2 - 1, width // 2 - 1
    top, left = dice.chance(50), dice.chance(50)
    for row in range(down) if top else range(height - down, height):
        for column in range(right) if left else range(width - right, width):
            shape[row, column] = WALL


def _drop_rubble(dice: Dice, height: int, width: int, shape: Shape) -> None:
    for _ in range(height * width // 10):
        shape[dice.below(height), dice.below(width)] = WALL


def _let_a_brook_in(dice: Dice, height: int, width: int, shape: Shape) -> None:
    """Run water along a wall, with a bend."""
    row = 0 if dice.chance(50) else height - 1
    inward = 1 if row == 0 else -1
    bend = dice.between(2, max(2, width - 3))
    for column in range(width):
        shape[row, column] = WATER
        if column >= bend and height > 4:
            shape[row + inward, column] = WATER


def _part_it(dice: Dice, height: int, width: int, shape: Shape) -> None:
    """Set a wall across with a gap."""
    column = dice.between(2, width - 3)
    gap = dice.below(height)
    for row in range(height):
        if row != gap:
            shape[row, column] = WALL


MAKERS: tuple[Callable[[Dice, int, int, Shape], None], ...] = (
    _leave_plain,
    _cut_corners,
    _cut_corners,
    _set_pillars,
    _set_columns,
    _wall_courtyard,
    _set_alcoves,
    _fold_arms,
    _fill_a_corner,
    _drop_rubble,
    _part_it,
)
WET_MAKERS = (_dig_pool, _dig_pool, _let_a_brook_in)
