"""From an LDtk project to floors with objects on them. The package says what everything means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.errors import NotRecognised, ParseError
from solvent.dungeon.formats import sniff_ldtk_level
from solvent.dungeon.model import FLOOR, NOTHING, Dungeon
from solvent.dungeon.notation.editor.joining import WorldPiece, join_pieces, move_object
from solvent.dungeon.notation.editor.objects import (
    GATE_CLASSES,
    EditorMap,
    PlacedObject,
    Spot,
    clean_name,
    covered,
    plain_properties,
    plain_word,
    read_class,
    terrain_of,
)
from solvent.dungeon.notation.editor.reading import build_dungeon
from solvent.dungeon.notation.editor.settings import SETTINGS
from solvent.dungeon.notation.ruling import RULE_NAMES
from solvent.formats.ldtk.model import INT_GRID, Entity, EntityLink, Field, GridPoint, Layer, Level, Project
from solvent.formats.ldtk.reading import MAX_CELLS, read_level, read_project
from solvent.formats.tiled.model import ObjectLink


def parse_ldtk(text: str, path: Path | None) -> Dungeon:
    """Read a project, or one level of it that is a file of its own; other files are looked for beside `path`."""
    if not sniff_ldtk_level(text):
        return build_dungeon(read_ldtk(read_project(text, path)))
    project, project_path = read_level(text, path)
    found = read_ldtk(project)
    kinds = {thing.kind for thing in found.objects}
    if not {"start", "goal"} <= kinds:
        what = "start" if "start" not in kinds else "goal"
        raise NotRecognised(f"a {what} in this level, since it is opened alone; its project is {project_path.name}")
    found.remarks.append(f"this level alone, without the others of {project_path.name}")
    return build_dungeon(found)


def read_ldtk(project: Project) -> EditorMap:
    """Return what the levels of a project hold, those that lie side by side on one floor."""
    terrain = _Terrain(project)
    found = EditorMap({"path": "$"})
    tile_side = _tile_side(project, terrain)
    drawn: list[_DrawnLevel] = []
    for number, world in enumerate(project.worlds):
        for level in world.levels:
            drawn.append(_DrawnLevel(level, number, terrain, tile_side))
            _read_settings(level, found)
    objects = [
        (at, _place(entity, layer, one, f"entity {number}"))
        for at, one in enumerate(drawn)
        for layer in one.level.layers
        for number, entity in enumerate(layer.entities, at << 20)
        if not any(plain_word(tag) == "ignore" for tag in entity.tags)
    ]
    rooms = [thing for _, thing in objects if thing.kind == "room"]
    taken = {thing.name or f"room {number}" for number, thing in enumerate(rooms, 1)}
    world_planes: dict[tuple[int, int], int] = {}
    pieces = [one.piece(world_planes) for one in drawn]
    joined = join_pieces(pieces, taken)
    found.floors += joined.floors
    found.objects += [move_object(thing, joined.corners[at]) for at, thing in objects]
    found.objects += joined.rooms
    found.remarks += joined.remarks
    by_floor: dict[int, set[tuple[int, int]]] = {}
    for one, (floor, _, _) in zip(drawn, joined.corners, strict=True):
        if one.place is not None:
            by_floor.setdefault(floor, set()).add((one.place[0] % tile_side, one.place[1] % tile_side))
    if any(len(places) > 1 for places in by_floor.values()):
        found.remarks.append(
            f"levels that lie side by side are not on one grid of {tile_side} pixels: each is moved to the nearest tile"
        )
    for world in project.worlds:
        if len(world.levels) > 1 and world.layout.startswith("Linear"):
            found.remarks.append(f"the levels of a {world.layout} world are only lined up, so they are not joined")
    if len({layer.grid for one in drawn for layer in one.layers}) > 1:
        found.remarks.append(f"IntGrid layers have grids of several sizes: a tile is {tile_side} x {tile_side} pixels")
    if not terrain.has_floor:
        found.remarks.append("no IntGrid value is called floor: empty cells are floor")
    return found


class _Terrain:
    """Know what the values of IntGrid layers mean."""

    def __init__(self, project: Project) -> None:
        self.letters: dict[tuple[int, int], str] = {}
        self.names: dict[tuple[int, int], str | None] = {}
        for layer in project.layers:
            for value, name in layer.value_names.items():
                self.names[layer.uid, value] = name
                letter = terrain_of(name or "") or terrain_of(layer.identifier)
                if letter is not None:
                    self.letters[layer.uid, value] = letter
        self.has_floor = FLOOR in self.letters.values()

    def matters(self, layer: Layer) -> bool:
        """Tell whether a layer says anything about the terrain."""
        return layer.kind == INT_GRID and any(layer.values)

    def letter(self, layer: Layer, value: int) -> str:
        """Return what a value is, or raise ParseError."""
        letter = self.letters.get((layer.definition, value))
        if letter is None:
            name = self.names.get((layer.definition, value)) or value
            where = {**layer.where, "path": f"{layer.where['path']}.intGridCsv"}
            raise ParseError(
                "IntGrid values called wall, floor, water, north, east, south, west or nothing", name, **where
            )
        return letter


def _tile_side(project: Project, terrain: _Terrain) -> int:
    """Return the side of a tile in pixels: the grid of the layers with terrain, or what divides all of their grids."""
    every = [layer for level in project.levels() for layer in level.layers if layer.kind == INT_GRID]
    return gcd(*(layer.grid for layer in [layer for layer in every if terrain.matters(layer)] or every))


class _DrawnLevel:
    """Hold a level with its terrain drawn in tiles."""

    def __init__(self, level: Level, world: int, terrain: _Terrain, side: int) -> None:
        self.level = level
        self.world = world
        self.side = side
        grids = [layer for layer in level.layers if layer.kind == INT_GRID]
        if not grids:
            path = f"{level.where['path']}.layerInstances"
            raise ParseError("an IntGrid layer, but there is none", **{**level.where, "path": path})
        self.layers = [layer for layer in grids if terrain.matters(layer)] or grids
        """Those with terrain, the highest first."""
        base = self.layers[0]
        self.origin = base.offset_x, base.offset_y
        """Where its first tile begins, in pixels from the corner of the level."""
        self.place = None if level.x is None or level.y is None else (level.x + base.offset_x, level.y + base.offset_y)
        """Where its first tile begins, in pixels of the world."""
        self.width = max(-(-layer.width * layer.grid // side) for layer in self.layers)
        self.height = max(-(-layer.height * layer.grid // side) for layer in self.layers)
        if self.width * self.height > MAX_CELLS:
            size = f"{self.width} x {self.height}, grid {side}"
            raise ParseError("a level of a size that can be", size, **base.where)
        empty = NOTHING if terrain.has_floor else FLOOR
        self.grid = [[empty] * self.width for _ in range(self.height)]
        for layer in reversed(self.layers):
            self._paint(layer, terrain)

    def _paint(self, layer: Layer, terrain: _Terrain) -> None:
        """Lay a layer over the terrain, each cell on the tiles whose middles it covers."""
        letters = {value: terrain.letter(layer, value) for value in sorted(set(layer.values)) if value}
        down, right = layer.offset_y - self.origin[1], layer.offset_x - self.origin[0]
        columns = [
            range(*_between(right + at * layer.grid, layer.grid, self.side, self.width)) for at in range(layer.width)
        ]
        for row in range(layer.height):
            values = layer.values[row * layer.width : (row + 1) * layer.width]
            if not any(values):
                continue
            for line in range(*_between(down + row * layer.grid, layer.grid, self.side, self.height)):
                tiles = self.grid[line]
                for value, across in zip(values, columns, strict=True):
                    if value:
                        for column in across:
                            tiles[column] = letters[value]

    def piece(self, planes: dict[tuple[int, int], int]) -> WorldPiece:
        """Return where the level lies in its world; each depth of each world is a plane."""
        level = self.level
        plane = planes.setdefault((self.world, level.depth), len(planes))
        row = column = None
        if self.place is not None:
            column, row = ((place + self.side // 2) // self.side for place in self.place)
        name = _read_fields(level.fields).get("name", "")
        if not isinstance(name, str):
            raise ParseError("name: a text", name, **{**level.where, "path": f"{level.where['path']}.fieldInstances"})
        spare = clean_name(level.identifier)
        return WorldPiece(clean_name(name) or spare, spare, self.grid, level.where, plane, row, column)

    def tile_at(self, x: float, y: float, layer: Layer) -> tuple[int, int]:
        """Return the row and column of the tile at a point of a layer, in pixels."""
        left, top = layer.offset_x - self.origin[0], layer.offset_y - self.origin[1]
        return int((y + top) // self.side), int((x + left) // self.side)


def _between(low: int, length: int, side: int, tiles: int) -> tuple[int, int]:
    """Return the first tile whose middle lies in a stretch of pixels, and the first after it, among those there are."""
    first, end = (-(-(2 * edge - side) // (2 * side)) for edge in (low, low + length))
    return min(max(first, 0), tiles), min(max(end, 0), tiles)


def _read_settings(level: Level, found: EditorMap) -> None:
    fields = _read_fields(level.fields)
    for word in (*SETTINGS, *map(plain_word, RULE_NAMES)):
        if word in fields:
            if word in found.settings:
                where = {**level.where, "path": f"{level.where['path']}.fieldInstances"}
                raise ParseError(f"{word} in one level only", fields[word], **where)
            found.settings[word] = fields[word]


# Entities


def _place(entity: Entity, layer: Layer, drawn: _DrawnLevel, spare_id: str) -> PlacedObject:
    """Return an entity as an object of its level, which is the only floor yet."""
    kind = read_class(entity.identifier, entity.where)
    side = drawn.side
    middle = ((entity.grid[0] + 0.5) * layer.grid, (entity.grid[1] + 0.5) * layer.grid)
    row, column = drawn.tile_at(*middle, layer)
    if not (0 <= row < drawn.height and 0 <= column < drawn.width):
        raise ParseError(f"entities inside their level, but {entity.identifier} lies outside", **entity.where)
    top, left, height, width = row, column, 1, 1
    if entity.has_box:
        x = entity.left + layer.offset_x - drawn.origin[0]
        y = entity.top + layer.offset_y - drawn.origin[1]
        left, width = covered(x / side, (x + entity.width) / side)
        top, height = covered(y / side, (y + entity.height) / side)
    if top < 0 or left < 0 or top + height > drawn.height or left + width > drawn.width:
        if kind in (*GATE_CLASSES, "room", "oneway"):
            raise ParseError(f"entities inside their level, but {entity.identifier} lies outside", **entity.where)
        top, left, height, width = row, column, 1, 1
    fields = _read_fields(entity.fields, _Points(layer, drawn))
    name = fields.get("name", "")
    return PlacedObject(
        id=entity.iid or spare_id,
        kind=kind,
        name=clean_name(name) if isinstance(name, str) else "",
        floor=0,
        corner=(top, left),
        height=height,
        width=width,
        centre=(row, column),
        properties=fields,
        where=entity.where,
    )


class _Points(Struct, frozen=True):
    """Know the tiles of the points that fields of an entity hold: cells of its layer."""

    layer: Layer
    drawn: _DrawnLevel

    def find(self, point: GridPoint) -> Spot:
        grid = self.layer.grid
        return Spot(*self.drawn.tile_at((point.column + 0.5) * grid, (point.row + 0.5) * grid, self.layer))


def _read_fields(fields: Sequence[Field], points: _Points | None = None) -> Mapping[str, Any]:
    return plain_properties({one.identifier: _read_value(one.value, points) for one in fields})


def _read_value(value: Any, points: _Points | None) -> Any:
    if isinstance(value, EntityLink):
        return ObjectLink(value.iid)
    if isinstance(value, GridPoint):
        return None if points is None else points.find(value)
    return None if isinstance(value, dict) else value
