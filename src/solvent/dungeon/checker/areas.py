"""Number the tiles, and join those into areas that are one for every purpose.

A *plain* tile is floor that holds no gate, plate, goal, nor anything that matters when taken, where no block stands or
can ever come to rest, from where no lever is worked, and that is not closed. A step between two plain tiles is legal in
every state, both ways, and changes nothing else; so in every situation neighbouring plain tiles lie in the same region,
and an area of them can stand for all of them. The same holds for plain water if water can be walked on: a player who
stands there holds the item that crosses it and never loses it, as long as no way and no start is on that tile. A pair
of ways without a gate joins areas alike. Every other tile on which any player can stand is an area of its own, so
nothing is simplified about it.

There are rooms that a player cannot leave without consequence: those that blocks go back to, and that of a soft-locked
door on the start, where one can return to the start from everywhere. Tiles in such a room that lie at its edge are
areas of their own, and ways do not join areas inside and outside. So all tiles of an area lie in the same of these
rooms, and a move from any of them does the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.board import Board, inside, terrain_at
from solvent.dungeon.checker.ledger import Ledger
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, WALL, WATER, Dungeon, Place, Room

SPECIAL = "!"
_RUNS = re.compile(r"\.+|~+")


class Tiles(Struct, frozen=True):
    """Hold all floors as one row of letters, so that a tile is a number.

    Each floor has a row of wall above and below and a wall at the end of each row: no step can leave a floor.
    """

    letters: str
    bases: tuple[int, ...]
    """The number of the north-west tile of each floor."""
    strides: tuple[int, ...]
    """How far one step south is on each floor."""


class Areas(Struct, frozen=True):
    """Hold which area each tile belongs to."""

    tiles: Tiles
    sketch: str
    """`tiles.letters` with plain floor and plain water as they are, SPECIAL for tiles that are areas of their own, and
    WALL wherever a player cannot stand."""
    special: dict[int, int]
    """Tile and area, for each area that is a single tile."""
    tile_of: dict[int, int]
    """Area and tile of the same."""
    run_starts: list[int]
    """Where each row of plain tiles begins."""
    run_areas: list[int]
    """The area of each such row."""
    count: int


def lay_tiles(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Tiles:
    """Number the tiles of all floors."""
    parts: list[str] = []
    bases, strides, length = [], [], 0
    for floor in meter.each(dungeon.floors):
        stride = len(floor.terrain[0]) + 1
        edge = WALL * stride
        rows = "".join([row + WALL for row in floor.terrain])
        parts += (edge, rows, edge)
        bases.append(length + stride)
        strides.append(stride)
        length += 2 * stride + len(rows)
    return Tiles("".join(parts), tuple(bases), tuple(strides))


def tile_at(tiles: Tiles, place: Place) -> int:
    """Return the number of a tile inside the grid."""
    floor, row, column = place
    return tiles.bases[floor] + row * tiles.strides[floor] + column


def floor_of(tiles: Tiles, tile: int) -> int:
    """Return the floor a tile is on."""
    return bisect_right(tiles.bases, tile) - 1


def place_of(tiles: Tiles, tile: int) -> Place:
    """Return where a tile is."""
    floor = floor_of(tiles, tile)
    return (floor, *divmod(tile - tiles.bases[floor], tiles.strides[floor]))


def area_at(areas: Areas, tile: int) -> int | None:
    """Return the area of a tile, or None if a player cannot stand there."""
    letter = areas.sketch[tile]
    if letter == SPECIAL:
        return areas.special[tile]
    if letter == WALL:
        return None
    return areas.run_areas[bisect_right(areas.run_starts, tile) - 1]


def find_areas(board: Board, ledger: Ledger) -> Areas:
    """Join plain tiles into areas."""
    meter = board.meter
    tiles = lay_tiles(board.dungeon, meter)
    sketch, special = _sketch(board, ledger, tiles)
    runs = [match.span() for match in meter.each(_RUNS.finditer(sketch))]
    starts = [start for start, _ in runs]
    pairs: list[tuple[int, int]] = []
    for run, (start, end) in enumerate(meter.each(runs)):
        stride = tiles.strides[floor_of(tiles, start)]
        # A row of wall follows each floor, so what lies a stride further is still on the same floor.
        other = max(bisect_right(starts, start + stride) - 1, run + 1)
        while other < len(runs) and runs[other][0] < end + stride:
            if runs[other][1] > start + stride and sketch[start] == sketch[runs[other][0]]:
                pairs.append((run, other))
            other += 1
    rooms = rooms_with_an_edge(board)
    for one, another in _free_pairs_of_ways(board.dungeon):
        if any(inside(one, room) != inside(another, room) for room in rooms):
            continue
        tile, other_tile = tile_at(tiles, one), tile_at(tiles, another)
        if sketch[tile] == FLOOR == sketch[other_tile]:
            pairs.append((bisect_right(starts, tile) - 1, bisect_right(starts, other_tile) - 1))
    numbers: dict[int, int] = {}
    run_areas = [numbers.setdefault(first, len(numbers)) for first in meter.each(join(len(runs), pairs, meter))]
    own = {tile: len(numbers) + index for index, tile in enumerate(meter.each(special))}
    tile_of = {area: tile for tile, area in own.items()}
    return Areas(tiles, sketch, own, tile_of, starts, run_areas, len(numbers) + len(own))


def join(count: int, pairs: Iterable[tuple[int, int]], meter: Meter = UNLIMITED) -> list[int]:
    """Return for each of so many things the first of all that pairs join it with."""
    first = list(range(count))

    def find(thing: int) -> int:
        while first[thing] != thing:
            first[thing] = first[first[thing]]
            thing = first[thing]
        return thing

    for pair in meter.each(pairs):
        one, other = sorted(map(find, pair))
        first[other] = one
    return [find(thing) for thing in meter.each(range(count))]


def _sketch(board: Board, ledger: Ledger, tiles: Tiles) -> tuple[str, list[int]]:
    """Return the sketch, and the special tiles in order."""
    dungeon = board.dungeon
    walkable_water = dungeon.rules.crossing == "any"
    table: dict[str, str | int | None] = {
        NOTHING: WALL,
        WATER: WATER if walkable_water else WALL,
        **dict.fromkeys(ONE_WAYS, SPECIAL),
    }
    sketch = list(tiles.letters.translate(str.maketrans(table)))
    for place in board.meter.each(_places_that_are_special(board, ledger)):
        tile = tile_at(tiles, place)
        if tiles.letters[tile] != WATER or walkable_water:
            sketch[tile] = SPECIAL
    # Here one may come to stand on water without having crossed any.
    for place in (dungeon.start, *(way.target for way in dungeon.ways)):
        tile = tile_at(tiles, place)
        if tiles.letters[tile] == WATER:
            sketch[tile] = SPECIAL
    if dungeon.rules.push == "never":
        for block in dungeon.blocks:
            sketch[tile_at(tiles, block.place)] = WALL
    joined = "".join(sketch)
    return joined, [match.start() for match in board.meter.each(re.finditer(SPECIAL, joined))]


def _places_that_are_special(board: Board, ledger: Ledger) -> Iterable[Place]:
    yield from board.gates
    yield from board.plates
    yield from board.held
    yield from board.levers
    yield from board.goals
    yield from board.closed
    for number, pickup in enumerate(board.dungeon.pickups):
        known = number in ledger.pickups or number in ledger.renewing
        if known or (pickup.kind == "item" and pickup.name in ledger.items):
            yield pickup.place
    if board.dungeon.rules.push != "never":
        yield from ledger.blocks_on
    for room in rooms_with_an_edge(board):
        yield from _edge_of(board, room)


def rooms_with_an_edge(board: Board) -> list[Room]:
    """Return the rooms of which it matters whether a move leaves them, wherever in them it begins."""
    dungeon, rules = board.dungeon, board.dungeon.rules
    names: set[str] = set()
    if rules.blocks == "reset" and rules.push != "never":
        for block in board.meter.each(dungeon.blocks, every=20):
            names.update(room.name for room in dungeon.rooms if inside(block.place, room))
    gate = board.gates.get(dungeon.start)
    if rules.home == "always" and gate is not None and dungeon.gates[gate].kind == "soft":
        names.add(dungeon.gates[gate].needs[0])
    return [room for room in dungeon.rooms if room.name in names]


def _edge_of(board: Board, room: Room) -> Iterable[Place]:
    """Yield the tiles along the edge of a room, inside it."""
    floor, top, left = room.corner
    if not 0 <= floor < len(board.dungeon.floors):
        return
    rows = board.dungeon.floors[floor].terrain
    bottom, right = top + room.height - 1, left + room.width - 1
    for column in range(max(left, 0), min(right + 1, len(rows[0]))):
        for row in (top, bottom):
            if terrain_at(board, (floor, row, column)) not in (WALL, NOTHING):
                yield floor, row, column
    for row in range(max(top, 0), min(bottom + 1, len(rows))):
        for column in (left, right):
            if terrain_at(board, (floor, row, column)) not in (WALL, NOTHING):
                yield floor, row, column


def _free_pairs_of_ways(dungeon: Dungeon) -> Iterable[tuple[Place, Place]]:
    free = {(way.source, way.target) for way in dungeon.ways if way.gate is None}
    return ((source, target) for source, target in free if (target, source) in free)
