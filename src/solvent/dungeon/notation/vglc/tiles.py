"""Tile maps as the Video Game Level Corpus has them: a grid of rooms, 16 rows by 11 columns of letters each.

A room has walls two tiles thick around an interior of 12 by 7. A door is drawn as `D` in the inner row or column of a
wall: `DDD` in the middle of a north or south wall, two `D` in the middle of an east or west wall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.formats import LETTERS, ROOM_HEIGHT, ROOM_WIDTH
from solvent.dungeon.model import STEPS
from solvent.dungeon.rooms import pieces

RoomAt = tuple[int, int]
"""Row and column of a room in the grid of rooms, from 0."""
Tile = tuple[int, int]
"""Row and column of a tile within its room, from 0."""

INSIDE = tuple((row, column) for row in range(2, ROOM_HEIGHT - 2) for column in range(2, ROOM_WIDTH - 2))
"""The tiles of a room within its walls."""
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
DOORWAYS: Mapping[str, tuple[Tile, ...]] = {
    "N": ((1, 4), (1, 5), (1, 6)),
    "S": ((14, 4), (14, 5), (14, 6)),
    "W": ((7, 1), (8, 1)),
    "E": ((7, 9), (8, 9)),
}
"""Where a door is drawn in each wall; tiles of the same rank face each other."""
THRESHOLDS: Mapping[str, tuple[Tile, ...]] = {
    "N": ((2, 4), (2, 5), (2, 6)),
    "S": ((13, 4), (13, 5), (13, 6)),
    "W": ((7, 2), (8, 2)),
    "E": ((7, 8), (8, 8)),
}
"""The interior tiles just inside each doorway, in the same order."""

_WALKABLE = "FOSD-"
_LONGEST_MAP = 4000
"""Rows or columns; far beyond any dungeon drawn in this manner."""
_LINE_END = re.compile(r"\r\n|\r|\n")


class TileRoom(Struct, frozen=True):
    """Hold one room of the map."""

    at: RoomAt
    rows: tuple[str, ...]
    regions: tuple[frozenset[Tile], ...]
    """The walkable interior in pieces that hang together, the largest first; water and blocks divide them."""
    doors: frozenset[str]
    """The walls (N, E, S, W) in which a door is drawn."""
    is_sand: bool
    """Whether the whole interior is drawn as water, which in this game is sand one can walk on."""

    @property
    def has_stairs(self) -> bool:
        """Tell whether stairs are drawn; hidden ones never are."""
        return any("S" in row for row in self.rows)

    @property
    def is_dark(self) -> bool:
        """Tell whether the interior is drawn empty."""
        return sum(self.letter(tile) == "-" for tile in INSIDE) > len(INSIDE) * 5 // 7

    def letter(self, tile: Tile) -> str:
        """Return what is drawn on a tile."""
        return self.rows[tile[0]][tile[1]]

    def inside_count(self, letters: str) -> int:
        """Count the tiles within the walls that are drawn with one of these letters."""
        return sum(self.letter(tile) in letters for tile in INSIDE)

    def regions_at(self, side: str) -> frozenset[int]:
        """Return the regions that touch the threshold of a wall, by number."""
        return frozenset(
            number for number, region in enumerate(self.regions) if any(tile in region for tile in THRESHOLDS[side])
        )


class TileMap(Struct, frozen=True):
    """Hold a whole map."""

    rows: tuple[str, ...]
    rooms: Mapping[RoomAt, TileRoom]
    """Every room that is drawn, by its place in the grid, in reading order."""
    first_line: int = 1
    """The line of the text that the first row stands in."""

    def neighbour(self, at: RoomAt, side: str) -> RoomAt | None:
        """Return the room behind a wall, or None where none is drawn."""
        step = STEPS[side]
        beyond = (at[0] + step[0], at[1] + step[1])
        return beyond if beyond in self.rooms else None

    def outside_doors(self) -> list[tuple[RoomAt, str]]:
        """Return the drawn doors behind which no room is drawn."""
        return [
            (at, side)
            for at, room in self.rooms.items()
            for side in STEPS
            if side in room.doors and self.neighbour(at, side) is None
        ]

    def side_towards(self, one: RoomAt, other: RoomAt) -> str | None:
        """Return the wall of one room behind which the other is, or None if they are not neighbours."""
        return next((side for side in STEPS if self.neighbour(one, side) == other), None)


def parse_tiles(text: str) -> TileMap:
    """Read a tile map, or raise ParseError."""
    lines = [line.rstrip() for line in _LINE_END.split(text)]
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    while lines and not lines[-1]:
        lines.pop()
    rows = lines[first:]
    if not rows:
        raise ParseError("a tile map, but the text is empty")
    width = len(rows[0])
    if width % ROOM_WIDTH or width > _LONGEST_MAP:
        raise ParseError(f"rows of rooms that are {ROOM_WIDTH} tiles wide", f"{width} tiles", line=first + 1)
    for number, row in enumerate(rows, first + 1):
        if len(row) != width:
            raise ParseError(f"rows of {width} tiles, as the first one", f"{len(row)} tiles", line=number)
        column = next((column for column, letter in enumerate(row) if letter not in LETTERS), None)
        if column is not None:
            raise ParseError(f"one of the letters {LETTERS}", row[column], line=number, column=column + 1)
    if len(rows) % ROOM_HEIGHT or len(rows) > _LONGEST_MAP:
        raise ParseError(f"rooms that are {ROOM_HEIGHT} tiles high", f"{len(rows)} rows", line=first + len(rows))
    rooms = dict(_read_rooms(rows))
    if not rooms:
        raise ParseError("a room, but the map is empty", line=first + 1)
    return TileMap(tuple(rows), rooms, first + 1)


def _read_rooms(rows: list[str]) -> Iterator[tuple[RoomAt, TileRoom]]:
    for top in range(0, len(rows), ROOM_HEIGHT):
        for left in range(0, len(rows[0]), ROOM_WIDTH):
            cut = tuple(row[left : left + ROOM_WIDTH] for row in rows[top : top + ROOM_HEIGHT])
            if any(row.strip("-") for row in cut):
                at = (top // ROOM_HEIGHT, left // ROOM_WIDTH)
                yield at, _read_room(at, cut)


def _read_room(at: RoomAt, rows: tuple[str, ...]) -> TileRoom:
    is_sand = all(rows[row][column] == "P" for row, column in INSIDE)
    free = {tile for tile in INSIDE if is_sand or rows[tile[0]][tile[1]] in _WALKABLE}
    doors = frozenset(
        side for side, doorway in DOORWAYS.items() if any(rows[row][column] == "D" for row, column in doorway)
    )
    # The largest part first.
    regions = sorted((frozenset(piece) for piece in pieces(free)), key=lambda piece: (-len(piece), min(piece)))
    return TileRoom(at, rows, tuple(regions), doors, is_sand)
