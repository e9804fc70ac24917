"""Find out where in its file everything in a dungeon stands, by reading the file a second time.

Nothing is guessed: a line is given only where it is known exactly, and nothing at all where what the file says is not
the dungeon any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from msgspec import Struct

from solvent.core.errors import SolventError
from solvent.core.source import Source
from solvent.dungeon.model import Dungeon, Gate, Place, Way
from solvent.dungeon.notation.assembling import DungeonParts, Locate
from solvent.dungeon.notation.editor.objects import EditorMap, MapPatch, PlacedObject, TileSource
from solvent.formats.companion_files import Where
from solvent.formats.json_positions import find_json_position, position_at
from solvent.formats.recording import record
from solvent.formats.tiled.cells import FLIPS

PICKUP, GATE, SWITCH, BLOCK, WAY, GOAL, TILE = "pickup", "gate", "switch", "block", "way", "goal", "tile"
"""What stands somewhere."""


class Spot(Struct, frozen=True):
    """Name something in a dungeon, and the place that is meant."""

    what: str
    """PICKUP, GATE, SWITCH, BLOCK, WAY, GOAL, or TILE for the place itself."""
    place: Place
    number: int = -1
    """Its number in the dungeon; -1 for a goal or a tile."""


class Position(Struct, frozen=True):
    """Say where something stands in a file. The fields are those of `core.location.Location`."""

    line: int | None = None
    column: int | None = None
    tile: tuple[int, int] | None = None
    map: str = ""
    layer: str = ""
    object: str = ""


NOWHERE = Position()


def find_positions(dungeon: Dungeon) -> Positions | None:
    """Read the file of a dungeon again; None if it has none, or the dungeon is no longer what stands there."""
    if dungeon.source is None:
        return None
    try:
        with record() as notes:
            _read(dungeon.source)
    except (SolventError, OSError):  # a file beside it may be gone by now
        return None
    read: Dungeon | None = notes.get("dungeon")
    # What is played, and by which rules, may differ from the file; what stands where may not.
    if read is None or replace(read, rules=dungeon.rules, played=dungeon.played, closed=dungeon.closed) != dungeon:
        return None
    return Positions(dungeon.source.text, read, notes)


def _read(source: Source) -> Dungeon:
    from pathlib import Path

    from solvent.dungeon.formats import FORMATS
    from solvent.dungeon.notation.mapping import read_with_mapping

    path = None if source.path is None else Path(source.path)
    if source.mapping is not None:
        return read_with_mapping(source.text, path, Path(source.mapping))
    return FORMATS.parse(source.text, path)


class Positions:
    """Know where the things of one dungeon stand in its file."""

    def __init__(self, text: str, dungeon: Dungeon, notes: Mapping[str, Any]) -> None:
        self.text = text
        self.dungeon = dungeon
        self.parts: DungeonParts = notes["parts"]
        self.gates: Sequence[int] = notes["gates"]
        """For each gate of the dungeon its number in the parts."""
        self.locate: Locate = notes["locate"]
        self.map: EditorMap | None = notes.get("map")

    def find(self, spot: Spot) -> Position:
        """Say where something stands, as precisely as its file does."""
        where = self._where(spot)
        if self.map is None:
            return Position(*self._line_and_column(where))
        return self._on_map(self.map, spot, where)

    def _where(self, spot: Spot) -> Where:
        """Return what the reader knows of it: a line and a column, or a path."""
        if spot.what == TILE:
            return self._where_of_tile(spot.place)
        part = next(self._parts(spot), None)
        if part is None:
            return {}
        if spot.what == GATE and isinstance(part, Gate) and spot.place in part.cells and self.map is None:
            return self._where_of_tile(spot.place)
        return self.locate(part)

    def _where_of_tile(self, place: Place) -> Where:
        return {} if self.map is not None else self.locate(place)

    def _parts(self, spot: Spot) -> Iterator[object]:
        """Yield the things that the reader made, of which this is one."""
        dungeon, parts, number = self.dungeon, self.parts, spot.number
        if spot.what == GATE:
            yield parts.gates[self.gates[number]]
        elif spot.what == WAY:
            yield from (way for way in parts.ways if self._is_same_way(way, dungeon.ways[number]))
        elif spot.what == GOAL:
            yield from (goal for goal in parts.goals if goal == spot.place)
        elif spot.what == PICKUP:
            wanted = dungeon.pickups[number]
            yield from (
                each
                for each in parts.pickups
                if (each.place, each.kind, each.name) == (wanted.place, wanted.kind, wanted.name)
            )
        elif spot.what == SWITCH:
            switch = dungeon.switches[number]
            yield from (
                each
                for each in parts.switches
                if (each.place, each.name, each.kind) == (switch.place, switch.name, switch.kind)
            )
        elif spot.what == BLOCK:
            yield from (each for each in parts.blocks if each.place == dungeon.blocks[number].place)

    def _is_same_way(self, part: Way, way: Way) -> bool:
        gate = None if way.gate is None else self.gates[way.gate]
        return (part.source, part.target, part.kind, part.gate) == (way.source, way.target, way.kind, gate)

    def _line_and_column(self, where: Where) -> tuple[int | None, int | None]:
        """Return the line and column in the file that was read; none for what stands in another."""
        if "source" in where:
            return None, None
        line: int | None = where.get("line")
        if line is not None:
            return line, where.get("column")
        path = where.get("path", "$")
        found = None if path == "$" else find_json_position(self.text, path)
        return (None, None) if found is None else found

    # Maps of level editors

    def _on_map(self, map: EditorMap, spot: Spot, where: Mapping[str, Any]) -> Position:
        thing = self._objects.get(id(where))
        if thing is not None and spot.what == GATE and spot.place not in thing.cells():
            thing = next((part for part in self._gate_parts(map) if spot.place in part.cells()), thing)
            where = thing.where
        if thing is not None and not thing.editor_id:
            thing = None  # a tile stands for it
        patch = self._patch(map, spot.place)
        tile = None if patch is None else _tile_on_map(patch, spot.place)
        name = "" if patch is None else patch.map
        if thing is not None:
            return Position(*self._line_and_column(where), tile, name, thing.layer, thing.editor_id)
        if patch is None or tile is None:
            return NOWHERE
        source = _source_of_tile(patch, tile)
        if source is None:
            return Position(tile=tile, map=name)
        return Position(*self._find_tile(source, tile), tile, name, source.layer)

    @cached_property
    def _objects(self) -> dict[int, PlacedObject]:
        """Objects by the identity of what says where they stand, which the things made of them share."""
        return {} if self.map is None else {id(thing.where): thing for thing in self.map.objects}

    def _gate_parts(self, map: EditorMap) -> Iterator[PlacedObject]:
        """Yield objects that are one gate together with another."""
        return (thing for thing in map.objects if thing.find("partof") is not None)

    def _patch(self, map: EditorMap, place: Place) -> MapPatch | None:
        """Return the map that a place is on; of maps that lie over each other, the last was drawn there."""
        return next((patch for patch in reversed(map.patches) if _covers(patch, place)), None)

    def _find_tile(self, source: TileSource, tile: tuple[int, int]) -> tuple[int | None, int | None]:
        """Return the line and column of the number of a tile."""
        (top, left), (column, row) = source.corner, tile
        number = (row - top) * len(source.rows[0]) + column - left
        if "path" in source.where:
            return self._line_and_column({"path": f"{source.where['path']}[{number}]"})
        if "line" not in source.where:
            return None, None
        at = _end_of_tag(self.text, source.where["line"])
        for _ in range(number):
            at = self.text.find(",", at) + 1
            if at <= 0:
                return None, None
        found = re.compile(r"\s*([0-9]+)").match(self.text, at)
        if found is None or int(found[1]) & ~FLIPS != source.rows[row - top][column - left]:
            return None, None
        return position_at(self.text, found.start(1))


def _covers(patch: MapPatch, place: Place) -> bool:
    floor, row, column = place
    top, left = patch.corner
    return patch.floor == floor and 0 <= row - top < patch.size[0] and 0 <= column - left < patch.size[1]


def _tile_on_map(patch: MapPatch, place: Place) -> tuple[int, int]:
    """Return the column and row of a place as the editor counts them."""
    row = place[1] - patch.corner[0] + patch.map_corner[0]
    return place[2] - patch.corner[1] + patch.map_corner[1], row


def _source_of_tile(patch: MapPatch, tile: tuple[int, int]) -> TileSource | None:
    """Return the layer whose tile is seen there: the topmost that has one."""
    column, row = tile
    for source in patch.tiles:
        down, right = row - source.corner[0], column - source.corner[1]
        if 0 <= down < len(source.rows) and 0 <= right < len(source.rows[0]) and source.rows[down][right]:
            return source
    return None


def _end_of_tag(text: str, line: int) -> int:
    """Return the index behind the tag that opens the numbers of tiles in a line of XML; the end if there are two."""
    line_end = re.compile(r"\r\n|\r|\n|\Z")
    at = 0
    for _ in range(line - 1):
        found = line_end.search(text, at)
        at = len(text) if found is None else found.end()
    end = line_end.search(text, at)
    opening = list(re.compile(r"<(?:data|chunk)\b").finditer(text, at, len(text) if end is None else end.start()))
    return text.find(">", opening[0].start()) + 1 if len(opening) == 1 else len(text)
