"""Levels that lie side by side in a world, put on one floor so that one walks from one into the next.

Each level keeps its name as a room of the floor. Levels that touch no other are floors of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.dungeon.model import NOTHING
from solvent.dungeon.notation.assembling import MAX_TILES
from solvent.dungeon.notation.editor.objects import EditorFloor, PlacedObject, Spot
from solvent.dungeon.notation.ruling import is_name
from solvent.formats.companion_files import Where
from solvent.formats.touching import Rectangle, group_touching

LAST = 999_999_999
"""The order of rooms that are whole levels: after those that people drew in them."""


class WorldPiece(Struct, frozen=True):
    """Hold a level and where it lies, all in tiles."""

    name: str
    """What people call it; it need not be a name that dungeons allow."""
    spare_name: str
    """What to call it where `name` will not do."""
    grid: list[list[str]]
    """Rows of terrain letters, all equally long."""
    where: Where
    plane: int = 0
    """Levels of two planes are never side by side."""
    row: int | None = None
    """Where its corner lies in the plane; None for a level that is beside nothing."""
    column: int | None = None


class JoinedWorld(Struct, frozen=True):
    """Hold the floors of a world, and where each piece lies on them."""

    floors: Sequence[EditorFloor]
    corners: Sequence[tuple[int, int, int]]
    """For each piece its floor, and the row and column of its corner there."""
    rooms: Sequence[PlacedObject]
    remarks: Sequence[str]


def join_pieces(pieces: Sequence[WorldPiece], taken: Collection[str]) -> JoinedWorld:
    """Put pieces that touch on one floor; rooms get none of the names that are `taken`."""
    rectangles = [
        None
        if piece.row is None or piece.column is None
        else Rectangle(piece.plane, piece.column, piece.row, len(piece.grid[0]), len(piece.grid))
        for piece in pieces
    ]
    groups = group_touching(rectangles)
    remarks = [
        f"the levels {_called(pieces[earlier])} and {_called(pieces[later])} overlap in the world: they are not joined"
        for later, earlier in groups.overlaps
    ]
    floors: list[EditorFloor] = []
    corners: dict[int, tuple[int, int, int]] = {}
    rooms: list[PlacedObject] = []
    floor_names: set[str] = set()
    room_names = set(taken)
    tiles = 0
    for members in groups.groups:
        number = len(floors)
        boxes = [_corner(pieces[member]) for member in members]
        top, left = min(row for row, _ in boxes), min(column for _, column in boxes)
        height = max(row + len(pieces[member].grid) for (row, _), member in zip(boxes, members, strict=True)) - top
        width = max(column + len(pieces[at].grid[0]) for (_, column), at in zip(boxes, members, strict=True)) - left
        tiles += height * width
        if tiles > MAX_TILES:
            raise ParseError(f"at most {MAX_TILES:,} tiles", tiles, **pieces[members[0]].where)
        grid = [[NOTHING] * width for _ in range(height)]
        for (row, column), member in zip(boxes, members, strict=True):
            piece = pieces[member]
            corner = row - top, column - left
            corners[member] = (number, *corner)
            for line, letters in enumerate(piece.grid, corner[0]):
                grid[line][corner[1] : corner[1] + len(letters)] = letters
            if len(members) > 1:
                name = _unused(_clean(piece), room_names)
                rooms.append(_room(name, number, corner, piece))
        name = _floor_name(pieces, members, len(groups.groups), floor_names)
        floors.append(EditorFloor(name, grid, pieces[members[0]].where))
    return JoinedWorld(floors, [corners[number] for number in range(len(pieces))], rooms, remarks)


def move_object(thing: PlacedObject, corner: tuple[int, int, int]) -> PlacedObject:
    """Return an object of a piece on the floor that the piece is on, at a corner that `join_pieces` gave."""
    floor, down, right = corner
    properties = thing.properties
    if any(isinstance(value, Spot) for value in properties.values()):
        properties = {
            word: Spot(value.row + down, value.column + right) if isinstance(value, Spot) else value
            for word, value in properties.items()
        }
    return replace(
        thing,
        floor=floor,
        corner=(thing.corner[0] + down, thing.corner[1] + right),
        centre=(thing.centre[0] + down, thing.centre[1] + right),
        properties=properties,
    )


def _called(piece: WorldPiece) -> str:
    return repr(piece.name or piece.spare_name)


def _corner(piece: WorldPiece) -> tuple[int, int]:
    return (0, 0) if piece.row is None or piece.column is None else (piece.row, piece.column)


def _room(name: str, floor: int, corner: tuple[int, int], piece: WorldPiece) -> PlacedObject:
    properties: Mapping[str, object] = {"order": LAST}
    size = len(piece.grid), len(piece.grid[0])
    return PlacedObject(f"level {name}", "room", name, floor, corner, *size, corner, properties, piece.where)


def _floor_name(pieces: Sequence[WorldPiece], members: Sequence[int], floors: int, taken: set[str]) -> str:
    """Return what to call a floor: like its level, or the first of them; a lone floor needs no name."""
    first = pieces[members[0]]
    if len(members) > 1:
        more = f" and {len(members) - 1} more"
        return "" if floors == 1 else _unused(_clean(first)[: 55 - len(more)].strip() + more, taken)
    if first.name != first.spare_name:
        taken.add(first.name)
        return first.name  # as people chose it: what is wrong with it is said later, with its place
    return "" if floors == 1 else _unused(_clean(first), taken)


def _clean(piece: WorldPiece) -> str:
    """Return a name that dungeons allow, as much like that of the piece as can be."""
    if is_name(piece.name):
        return piece.name
    letters = "".join(letter if letter.isalnum() else " " for letter in piece.spare_name[:60])
    return " ".join(letters.split()) or "level"


def _unused(name: str, taken: set[str]) -> str:
    """Return a name that is not taken, and take it."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name[:50].strip()} {number}"
    taken.add(found)
    return found
