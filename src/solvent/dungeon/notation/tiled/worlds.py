"""Tiled worlds: maps that lie side by side are one floor, so that one walks from one into the next."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.dungeon.notation.assembling import MAX_TILES
from solvent.dungeon.notation.editor.joining import WorldPiece, join_pieces, move_object
from solvent.dungeon.notation.editor.names import Names
from solvent.dungeon.notation.editor.objects import EditorMap, PlacedObject, clean_name
from solvent.dungeon.notation.tiled.reading import MapFloors, read_floors
from solvent.formats.tiled.maps import read_map
from solvent.formats.tiled.model import ObjectLink
from solvent.formats.tiled.world import MAP_FILE, WorldMap, read_world

_LINKS = ("target", "gate", "partof", "opens")
"""Properties whose numbers are ids of objects."""


class _ReadMap(Struct, frozen=True):
    """Hold a map of a world."""

    place: WorldMap
    floors: MapFloors
    tile_size: tuple[int, int]
    left_out: frozenset[str]
    """The ids of objects that were left out."""

    @property
    def found(self) -> EditorMap:
        return self.floors.found


def read_tiled_world(text: str, path: Path | None, names: Names) -> EditorMap:
    """Read the maps of a world as one; settings may stand in any one of them."""
    maps = _read_maps(read_world(text, path), path, names)
    whole = EditorMap({"path": "$"})
    pieces: list[WorldPiece] = []
    objects: list[tuple[int, PlacedObject]] = []
    planes: dict[str, int] = {}
    for number, one in enumerate(maps):
        for word, value in one.found.settings.items():
            if whole.settings.setdefault(word, value) != value:
                raise ParseError(f"{word} in one map of the world only", value, source=one.place.name)
        whole.left_out |= {f"{number}:{id}" for id in one.left_out}
        first = len(pieces)
        pieces += _pieces(one, maps[0].tile_size, planes)
        objects += [(first + thing.floor, _renamed(thing, number)) for thing in one.found.objects]
        whole.remarks += one.found.remarks
    rooms = [thing for _, thing in objects if thing.kind == "room"]
    joined = join_pieces(pieces, {thing.name or f"room {number}" for number, thing in enumerate(rooms, 1)})
    whole.floors += joined.floors
    for piece, corner in zip(pieces, joined.corners, strict=True):
        whole.levels.setdefault(piece.name, (*corner, len(piece.grid), len(piece.grid[0])))
    patches = [(patch, one.place.name) for one in maps for patch in one.found.patches]
    for (patch, name), (floor, row, column) in zip(patches, joined.corners, strict=True):
        # The tiles stand in the files of the maps, which are not the file that is read.
        whole.patches.append(replace(patch, floor=floor, corner=(row, column), map=name, tiles=()))
    whole.objects += [move_object(thing, joined.corners[at]) for at, thing in objects]
    whole.objects += joined.rooms
    whole.remarks += joined.remarks
    whole.remarks = list(dict.fromkeys(whole.remarks))
    sizes = {one.tile_size for one in maps}
    if len(sizes) > 1:
        whole.remarks.append(
            "the maps of the world have tiles of several sizes: only those of the first size are joined"
        )
    if any(one.place.x % one.tile_size[0] or one.place.y % one.tile_size[1] for one in maps):
        whole.remarks.append("maps of the world do not lie on whole tiles: each is moved to the nearest")
    return whole


def _read_maps(places: Sequence[WorldMap], path: Path | None, names: Names) -> list[_ReadMap]:
    """Read all maps; a world that is far too large is refused as soon as that is seen."""
    maps, tiles = [], 0
    for place in places:
        one = _read(place, path, names)
        tiles += sum(len(floor.grid) * len(floor.grid[0]) for floor in one.found.floors)
        if tiles > MAX_TILES:
            raise ParseError(f"at most {MAX_TILES:,} tiles in a world", tiles, **place.where)
        maps.append(one)
    return maps


def _read(one: WorldMap, path: Path | None, names: Names) -> _ReadMap:
    place = MAP_FILE.find(path, one.name, one.where)
    text = MAP_FILE.read(path, one.name, one.where)
    try:
        map = read_map(text, place)
        with names.reading(place):
            floors = read_floors(map, names)
            left_out = frozenset(names.left_out)
    except ParseError as error:
        raise error.in_source(one.name) from None
    _name_source(floors.found, one.name)
    return _ReadMap(one, floors, (map.tile_width, map.tile_height), left_out)


def _name_source(found: EditorMap, name: str) -> None:
    """Say in which file everything stands, for messages."""
    found.floors = [replace(floor, where={"source": name, **floor.where}) for floor in found.floors]
    found.objects = [replace(thing, where={"source": name, **thing.where}) for thing in found.objects]


def _pieces(one: _ReadMap, tile_size: tuple[int, int], planes: dict[str, int]) -> list[WorldPiece]:
    """Return the floors of a map; those of one name lie beside each other, and parts of a map are apart."""
    stem = clean_name(PurePosixPath(one.place.name.replace("\\", "/")).stem)
    width, height = one.tile_size
    pieces = []
    for floor, corner in zip(one.found.floors, one.floors.corners, strict=True):
        name = f"{stem} {floor.name}" if floor.name else stem
        plane = planes.setdefault(floor.name, len(planes))
        row = column = None
        if corner is not None and one.tile_size == tile_size:
            row = (one.place.y + height // 2) // height + corner[0]
            column = (one.place.x + width // 2) // width + corner[1]
        pieces.append(WorldPiece(name, name, floor.grid, floor.where, plane, row, column))
    return pieces


def _renamed(thing: PlacedObject, number: int) -> PlacedObject:
    """Return an object with ids that no other map has: each map numbers its own objects."""

    def renamed(word: str, value: Any) -> Any:
        is_number = isinstance(value, int) and not isinstance(value, bool) and word in _LINKS
        if isinstance(value, list):
            return [renamed(word, one) for one in value]
        if isinstance(value, ObjectLink) or is_number:
            return ObjectLink(f"{number}:{value.id if isinstance(value, ObjectLink) else value}")
        return value

    properties = {word: renamed(word, value) for word, value in thing.properties.items()}
    return replace(thing, id=f"{number}:{thing.id}", properties=properties)
