"""Levels of any size, each large in its own way: in floor, corridors, doors, things, switches, blocks, ways.

Each function takes about how many tiles there are to be, and keeps to what a file may hold.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isqrt

from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Place, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import MAX_THINGS, MAX_TILES, DungeonParts, assemble


def _floor(rows: Sequence[str], name: str = "") -> Floor:
    return Floor(name, tuple(rows))


def _side(tiles: int) -> int:
    return max(3, isqrt(min(tiles, MAX_TILES)))


def open_floor(tiles: int) -> Dungeon:
    """Return one hall with nothing in it."""
    side = _side(tiles)
    return assemble(DungeonParts([_floor(["." * side] * side)], [(0, 0, 0)], [(0, side - 1, side - 1)]))


def corridor(tiles: int) -> Dungeon:
    """Return one row of tiles."""
    length = min(tiles, MAX_TILES)
    return assemble(DungeonParts([_floor(["." * length])], [(0, 0, 0)], [(0, 0, length - 1)]))


def walled_off(tiles: int) -> Dungeon:
    """Return a hall with a wall across it, the goal behind."""
    side = _side(tiles)
    rows = ["." * side] * (side - 2) + ["#" * side, "." * side]
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, side - 1, side - 1)]))


def maze(tiles: int) -> Dungeon:
    """Return a maze without circles, the goal in the far corner."""
    side = _side(tiles) | 1
    if side * side > MAX_TILES:
        side -= 2
    dice = random.Random(side)
    rows = [bytearray(b"#" * side) for _ in range(side)]
    for row in range(1, side, 2):
        for column in range(1, side, 2):
            rows[row][column] = ord(".")
            if row > 1 and (column == 1 or dice.random() < 0.5):
                rows[row - 1][column] = ord(".")
            elif column > 1:
                rows[row][column - 1] = ord(".")
    return assemble(
        DungeonParts([_floor([bytes(row).decode() for row in rows])], [(0, 1, 1)], [(0, side - 2, side - 2)])
    )


def keys_then_locks(tiles: int) -> Dungeon:
    """Return a corridor of keys, then locks."""
    many = max(1, min(MAX_THINGS, (tiles - 2) // 2))
    length = max(2 * many + 2, min(tiles, MAX_TILES))
    keys = [Pickup((0, 0, 1 + number), "key") for number in range(many)]
    locks = [Gate("lock", ("",), ((0, 0, 1 + many + number),)) for number in range(many)]
    rows = [_floor(["." * length])]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, 0, length - 1)], pickups=keys, gates=locks))


def lock_fan(tiles: int) -> Dungeon:
    """Return a hall of cells behind locks, with a key in some of them: too many situations to count."""
    many = max(2, min(MAX_THINGS, tiles // 4))
    width = 2 * many + 1
    rows = ["." * width, "".join(".#" for _ in range(many)) + ".", "".join(".#" for _ in range(many)) + "."]
    locks = [Gate("lock", ("",), ((0, 1, 2 * number),)) for number in range(many)]
    keys = [Pickup((0, 0, 1), "key", count=2)]
    keys += [Pickup((0, 2, 2 * number), "key", count=2) for number in range(0, many - 1, 3)]
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, 2, 2 * many - 2)], pickups=keys, gates=locks))


def locked_rooms(tiles: int) -> Dungeon:
    """Return rooms of 4 x 4 in rows, each with a key, and a lock between neighbours in a row."""
    side = max(1, min(isqrt(MAX_THINGS), (_side(tiles) - 1) // 5))
    rows: list[str] = []
    keys: list[Pickup] = []
    locks: list[Gate] = []
    for line in range(side):
        top = 5 * line
        rows += ["....#" * (side - 1) + "....", "....." * (side - 1) + "...."]
        rows += ["....#" * (side - 1) + "...."] * 2
        rows.append("#" * (5 * side - 4) + "." + "#" * 2)
        rows[-1] = rows[-1].ljust(5 * side - 1, "#")
        for place in range(side):
            keys.append(Pickup((0, top, 5 * place), "key"))
            if place + 1 < side:
                locks.append(Gate("lock", ("",), ((0, top + 1, 5 * place + 4),)))
    rows.pop()
    floor = _floor(rows)
    goal = (0, len(rows) - 1, len(rows[0]) - 1)
    return assemble(DungeonParts([floor], [(0, 0, 1)], [goal], pickups=keys, gates=locks))


def item_chain(tiles: int) -> Dungeon:
    """Return a corridor in which each item opens the way to the next."""
    many = max(1, min(MAX_THINGS, (tiles - 2) // 2))
    items = [Pickup((0, 0, 1 + 2 * number), "item", f"i{number}") for number in range(many)]
    gates = [Gate("item", (f"i{number}",), ((0, 0, 2 + 2 * number),)) for number in range(many)]
    rows = [_floor(["." * (2 * many + 2)])]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, 0, 2 * many + 1)], pickups=items, gates=gates))


def item_chain_home(tiles: int) -> Dungeon:
    """Return a hall with items behind gates side by side, each with what opens the next: all of one region."""
    many = max(2, min(MAX_THINGS, tiles // 4))
    width = 2 * many + 1
    rows = ["." * width, "".join(".#" for _ in range(many)) + ".", "".join(".#" for _ in range(many)) + "."]
    gates = [Gate("item", (f"i{number}",), ((0, 1, 2 * number),)) for number in range(many)]
    items = [Pickup((0, 0, 1), "item", f"i{many - 1}")]
    items += [Pickup((0, 2, 2 * number), "item", f"i{number - 1}") for number in range(1, many)]
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, 2, 0)], pickups=items, gates=gates))


def switches(tiles: int) -> Dungeon:
    """Return a corridor of plates and barriers, each plate a switch of its own."""
    many = max(1, min(MAX_THINGS, (tiles - 2) // 3))
    plates = [Switch((0, 1, 1 + number), f"s{number}") for number in range(many)]
    barriers = [Gate("barrier", (f"s{number}",), ((0, 0, many + 1 + number),)) for number in range(many)]
    rows = [_floor(["." * (2 * many + 2), "." * (many + 1) + "#" * (many + 1)])]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, 0, 2 * many + 1)], switches=plates, gates=barriers))


def plates(tiles: int) -> Dungeon:
    """Return a hall full of plates of one switch, and a barrier before the goal."""
    side = _side(min(tiles, MAX_THINGS))
    laid = [Switch((0, row, column), "lever") for row in range(1, side) for column in range(side)][:MAX_THINGS]
    rows = ["." * side] * side + ["#" * (side - 1) + ".", "#" * (side - 1) + "."]
    barrier = Gate("barrier", ("lever",), ((0, side, side - 1),))
    goal = (0, side + 1, side - 1)
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [goal], switches=laid, gates=[barrier]))


def blocks(tiles: int) -> Dungeon:
    """Return a hall with a block on every fourth tile."""
    side = _side(min(tiles, 4 * MAX_THINGS)) | 1
    placed = [Block((0, row, column)) for row in range(1, side - 1, 2) for column in range(1, side - 1, 2)]
    rows = ["." * side] * side
    goal = (0, side - 1, side - 1)
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [goal], blocks=placed[:MAX_THINGS]))


def one_way_snake(tiles: int) -> Dungeon:
    """Return corridors of one-way tiles, each leading to the next: every tile is a place that no way leads back to."""
    side = max(4, _side(tiles))
    rows = []
    for number in range(side // 2):
        east = number % 2 == 0
        rows.append("." + (">" if east else "<") * (side - 2) + ".")
        rows.append("#" * (side - 1) + "." if east else "." + "#" * (side - 1))
    rows.pop()
    end = side - 1 if len(rows) // 2 % 2 == 0 else 0
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, len(rows) - 1, end)]))


def one_way_field(tiles: int) -> Dungeon:
    """Return a hall with one-way tiles strewn about."""
    side = _side(tiles)
    dice = random.Random(side)
    rows = ["".join(dice.choices(".^>v<", (6, 1, 1, 1, 1), k=side)) for _ in range(side)]
    rows[0] = "." * side
    rows[-1] = "." * side
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, side - 1, side - 1)]))


def lakes(tiles: int, crossing: str = "any") -> Dungeon:
    """Return floor and water like a chessboard, and what crosses water."""
    side = _side(tiles)
    rows = ["." * side]
    for row in range(1, side):
        line = (".~" * (side // 2 + 1))[row % 2 :][:side]
        rows.append(line)
    rows[-1] = "." * side
    ladder = Pickup((0, 0, side // 2), "item", "ladder")
    rules = Rules(crossing=crossing)
    return assemble(DungeonParts([_floor(rows)], [(0, 0, 0)], [(0, side - 1, side - 1)], pickups=[ladder], rules=rules))


def leaps(tiles: int) -> Dungeon:
    """Return lakes that are leapt over."""
    return lakes(tiles, "one")


def stairs(tiles: int) -> Dungeon:
    """Return many small floors, joined by stairs in a row."""
    many = max(2, min(MAX_THINGS // 2, tiles // 50))
    floors = [_floor(["." * 10] * 5, f"f{number}") for number in range(many)]
    ways = []
    for number in range(many - 1):
        down, up = (number, 4, 9), (number + 1, 0, 0)
        ways += [Way(down, up), Way(up, down)]
    return assemble(DungeonParts(floors, [(0, 0, 0)], [(many - 1, 4, 9)], ways=ways))


def places(tiles: int) -> Dungeon:
    """Return rooms of a single tile, joined by ways at random, some of them locked."""
    many = max(2, min(MAX_THINGS // 4, tiles))
    dice = random.Random(many)
    floors = [_floor(["."], f"p{number}") for number in range(many)]
    ways, gates = [], []
    for number in range(1, many):
        other = dice.randrange(max(0, number - 20), number)
        gate = None
        if dice.random() < 0.3:
            gate = len(gates)
            gates.append(Gate("lock", ("",)))
        ways += [Way((other, 0, 0), (number, 0, 0), "door", gate), Way((number, 0, 0), (other, 0, 0), "door", gate)]
    keys = [Pickup((number, 0, 0), "key") for number in range(0, many, 3)]
    return assemble(DungeonParts(floors, [(0, 0, 0)], [(many - 1, 0, 0)], pickups=keys, gates=gates, ways=ways))


def monsters(tiles: int, soft: str = "clear") -> Dungeon:
    """Return rooms in a row, each with a monster and soft-locked doors."""
    many = max(1, min(MAX_THINGS // 2, tiles // 15))
    rows = ["....#" * many, "....." * many, "....#" * many]
    rooms = [Room(f"r{number}", (0, 0, 5 * number), 3, 4) for number in range(many)]
    beasts = [Pickup((0, 0, 5 * number + 1), "monster") for number in range(many)]
    doors = [Gate("soft", (f"r{number}",), ((0, 1, 5 * number + 4),)) for number in range(many)]
    return assemble(
        DungeonParts(
            [_floor(rows)], [(0, 1, 0)], [(0, 1, 5 * many - 2)], pickups=beasts, gates=doors, rooms=rooms,
            rules=Rules(soft=soft),
        )
    )  # fmt: skip


def falling_doors(tiles: int) -> Dungeon:
    """Return the rooms of `monsters` with doors that fall shut."""
    return monsters(tiles, "shut")


def wide_lock(tiles: int) -> Dungeon:
    """Return one lock that is nearly the whole map."""
    side = _side(tiles)
    cells = tuple((0, row, column) for row in range(1, side - 1) for column in range(side))
    gate = Gate("lock", ("",), cells)
    key = Pickup((0, 0, 1), "key")
    rows = [_floor(["." * side] * side)]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, side - 1, side - 1)], pickups=[key], gates=[gate]))


def pile(tiles: int) -> Dungeon:
    """Return a hall with all keys on one tile, and locks along the wall that lead nowhere."""
    many = max(1, min(MAX_THINGS, tiles // 2))
    keys = [Pickup((0, 0, 1), "key", count=1 + number % 9) for number in range(many)]
    locks = [Gate("lock", ("",), ((0, 1, number),)) for number in range(many)]
    rows = [_floor(["." * (many + 1), "." * many + "#"])]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, 0, many)], pickups=keys, gates=locks))


def colours(tiles: int) -> Dungeon:
    """Return a corridor with a key and a lock of each of many colours."""
    many = max(1, min(MAX_THINGS, (tiles - 2) // 2))
    keys = [Pickup((0, 0, 1 + number), "key", f"c{number}") for number in range(many)]
    locks = [Gate("lock", (f"c{number}",), ((0, 0, 1 + many + number),)) for number in range(many)]
    rows = [_floor(["." * (2 * many + 2)])]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, 0, 2 * many + 1)], pickups=keys, gates=locks))


def bombs(tiles: int) -> Dungeon:
    """Return the rooms of `locked_rooms` with cracked walls and bombs, some behind one-way tiles."""
    found = locked_rooms(tiles)
    pickups = tuple(Pickup(pickup.place, "bombs", count=1) for pickup in found.pickups)
    gates = tuple(Gate("cracked", (), gate.cells) for gate in found.gates)
    return replace(found, pickups=pickups, gates=gates)


def warps(tiles: int) -> Dungeon:
    """Return an open floor with ways from tile to tile at random, one way only."""
    side = _side(tiles)
    dice = random.Random(side)

    def anywhere() -> Place:
        return 0, dice.randrange(side), dice.randrange(side)

    ends = {(anywhere(), anywhere()) for _ in range(min(MAX_THINGS, side * side // 4))}
    ways = [Way(source, target, "warp") for source, target in sorted(ends) if source != target]
    rows = [_floor(["." * side] * side)]
    return assemble(DungeonParts(rows, [(0, 0, 0)], [(0, side - 1, side - 1)], ways=ways))


def items_and_water(tiles: int) -> Dungeon:
    """Return a maze with water in it and six items behind gates."""
    base = maze(tiles)
    rows = [list(row) for row in base.floors[0].terrain]
    free = [(0, row, column) for row in range(1, len(rows), 2) for column in range(1, len(rows), 2)]
    dice = random.Random(len(rows))
    spots = dice.sample(free[1:-1], min(12, len(free) - 2))
    half = len(spots) // 2
    items = [Pickup(spot, "item", f"i{number}") for number, spot in enumerate(spots[:half])]
    gates = [Gate("item", (f"i{number}",), (spot,)) for number, spot in enumerate(spots[half : 2 * half])]
    return replace(base, pickups=tuple(sorted(items, key=lambda item: item.place)), gates=tuple(gates))


FAMILIES: dict[str, Callable[[int], Dungeon]] = {
    made.__name__: made
    for made in (
        open_floor, corridor, walled_off, maze, keys_then_locks, lock_fan, locked_rooms, item_chain, item_chain_home,
        switches, plates, blocks, one_way_snake, one_way_field, lakes, leaps, stairs, places, monsters, falling_doors,
        wide_lock, pile, colours, bombs, warps, items_and_water,
    )
}  # fmt: skip
"""All of them, by name."""
