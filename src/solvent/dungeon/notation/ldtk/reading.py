"""From an LDtk project to floors with objects on them. The package says what everything means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import gcd
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.errors import NotRecognised, ParseError
from solvent.dungeon.formats import sniff_ldtk_level
from solvent.dungeon.model import FLOOR, NOTHING, Dungeon
from solvent.dungeon.notation.editor.completion import finish_reading, placed_kinds
from solvent.dungeon.notation.editor.joining import WorldPiece, join_pieces, move_object
from solvent.dungeon.notation.editor.names import Names, read_mapped
from solvent.dungeon.notation.editor.objects import (
    GATE_CLASSES,
    EditorMap,
    MapPatch,
    PlacedObject,
    Spot,
    TileSource,
    clean_name,
    covered,
    plain_properties,
    plain_word,
)
from solvent.dungeon.notation.editor.raw import RawObject
from solvent.dungeon.notation.editor.reading import build_dungeon
from solvent.dungeon.notation.editor.settings import KNOWN_SETTINGS
from solvent.dungeon.notation.ldtk.tiles import LayerTiles, PaintedCells, place_painted, read_layer_tiles
from solvent.dungeon.notation.mapping.model import IGNORE, NameMapping
from solvent.dungeon.notation.mapping.parsing import letter_of
from solvent.formats.companion_files import Where
from solvent.formats.ldtk.model import (
    AUTO_LAYER,
    INT_GRID,
    TILES,
    Entity,
    EntityLink,
    Field,
    GridPoint,
    Layer,
    Level,
    Project,
)
from solvent.formats.ldtk.reading import MAX_CELLS, read_level, read_project
from solvent.formats.tiled.model import ObjectLink, Record


def parse_ldtk(text: str, path: Path | None, mapping: NameMapping | None = None) -> Dungeon:
    """Read a project, or one level of it that is a file of its own; other files are looked for beside `path`.

    So is a mapping, unless one is given.
    """
    names = read_mapped(mapping, path)
    found = read_ldtk_file(text, path, names)
    finish_reading(names, found)
    return build_dungeon(found)


def read_ldtk_file(text: str, path: Path | None, names: Names) -> EditorMap:
    """Read floors and objects; `names` says what they are, and keeps account of all that were met."""
    if not sniff_ldtk_level(text):
        return read_ldtk(read_project(text, path), names)
    project, project_path = read_level(text, path)
    found = read_ldtk(project, names)
    kinds = {thing.kind for thing in found.objects} | placed_kinds(names, found)
    if not {"start", "goal"} <= kinds:
        what = "start" if "start" not in kinds else "goal"
        raise NotRecognised(f"a {what} in this level, since it is opened alone; its project is {project_path.name}")
    found.remarks.append(f"this level alone, without the others of {project_path.name}")
    return found


def read_ldtk(project: Project, names: Names) -> EditorMap:
    """Return what the levels of a project hold, those that lie side by side on one floor."""
    levels = [
        (number, level)
        for number, world in enumerate(project.worlds)
        for level in world.levels
        if names.mapping.levels.get(level.identifier) != IGNORE
    ]
    terrain = _Terrain(project, [level for _, level in levels], names)
    found = EditorMap({"path": "$"})
    tile_side = _tile_side(project, terrain)
    drawn: list[_DrawnLevel] = []
    for number, level in levels:
        drawn.append(_DrawnLevel(level, number, terrain, tile_side))
        _read_settings(level, found, names)
    objects = [
        (at, placed)
        for at, one in enumerate(drawn)
        for layer in one.level.layers
        for number, entity in enumerate(layer.entities, at << 20)
        for placed in [_place(entity, layer, one, f"entity {number}", names)]
        if placed is not None
    ]
    for at, one in enumerate(drawn):
        objects += [(at, thing) for thing in place_painted(one.painted, one.level, at, names)]
    rooms = [thing for _, thing in objects if thing.kind == "room"]
    taken = {thing.name or f"room {number}" for number, thing in enumerate(rooms, 1)}
    world_planes: dict[tuple[int, int], int] = {}
    pieces = [one.piece(world_planes) for one in drawn]
    joined = join_pieces(pieces, taken)
    found.floors += joined.floors
    found.objects += [move_object(thing, joined.corners[at]) for at, thing in objects]
    found.objects += joined.rooms
    found.remarks += joined.remarks
    for one, corner in zip(drawn, joined.corners, strict=True):
        found.levels.setdefault(one.level.identifier, (*corner, one.height, one.width))
        found.patches.append(one.patch(corner))
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
    if terrain.empty == FLOOR and names.mapping.empty is None:
        found.remarks.append("no IntGrid value is called floor: empty cells are floor")
    return found


class _Terrain:
    """Know what the values of IntGrid layers and the tiles of others mean."""

    def __init__(self, project: Project, levels: Sequence[Level], names: Names) -> None:
        self.names = names
        self.layers = {layer.uid: layer for layer in project.layers}
        for layer in project.layers:
            for value, name in layer.value_names.items():
                names.int_value(layer.identifier, value, name, 0)
        values = [one for layer in names.seen.int_grids.values() for one in layer.values()]
        mapped = letter_of(names.mapping.empty or "")
        every = [layer for level in levels for layer in level.layers]
        self.is_drawn_only = not any(layer.kind == INT_GRID and not self.is_ignored(layer) for layer in every)
        """Whether there are no values at all, so that a cell with a tile is floor unless the tile says otherwise."""
        is_nothing = self.is_drawn_only or any(one.meaning == "floor" for one in values)
        self.empty = mapped or (NOTHING if is_nothing else FLOOR)
        """What a cell without a value is."""
        tile_sets = {one.uid: one for one in project.tilesets}
        read = ((layer, read_layer_tiles(layer, tile_sets, names)) for layer in every)
        self.tiles = {id(layer): tiles for layer, tiles in read if tiles is not None}
        """The tiles of each layer object that has some."""

    def matters(self, layer: Layer) -> bool:
        """Tell whether a layer says anything about the terrain."""
        return layer.kind == INT_GRID and any(layer.values) and not self.is_ignored(layer)

    def is_ignored(self, layer: Layer) -> bool:
        """Tell whether the mapping leaves a layer out."""
        return self.names.mapping.layers.get(layer.identifier) == IGNORE

    def letters(self, layer: Layer) -> dict[int, str]:
        """Return what the values in a layer are; empty for those that leave what lies below."""
        definition = self.layers.get(layer.definition)
        known = {} if definition is None else definition.value_names
        called = layer.identifier if definition is None else definition.identifier
        return {
            value: self.names.int_value(called, value, known.get(value), cells, is_defined=value in known)
            for value, cells in sorted(Counter(layer.values).items())
            if value
        }


def _tile_side(project: Project, terrain: _Terrain) -> int:
    """Return the side of a tile in pixels: the grid of the layers with terrain, or what divides all of their grids."""
    grids = [layer for level in project.levels() for layer in level.layers if layer.kind == INT_GRID]
    used = [layer for layer in grids if terrain.matters(layer)]
    drawn = [one for one in terrain.tiles.values() if one.says_something or terrain.is_drawn_only]
    sides = [layer.grid for layer in used or grids if not terrain.is_drawn_only]
    return gcd(*sides, *(part for one in drawn for part in (one.layer.grid, one.side)))


class _DrawnLevel:
    """Hold a level with its terrain drawn in tiles."""

    def __init__(self, level: Level, world: int, terrain: _Terrain, side: int) -> None:
        self.level = level
        self.world = world
        self.side = side
        grids = [layer for layer in level.layers if layer.kind == INT_GRID and not terrain.is_ignored(layer)]
        if terrain.is_drawn_only:
            grids = [layer for layer in level.layers if layer.kind in (TILES, AUTO_LAYER)] if side else []
        if not grids:
            path = f"{level.where['path']}.layerInstances"
            raise ParseError("an IntGrid layer, or a layer with tiles", **{**level.where, "path": path})
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
        self.grid = [[terrain.empty] * self.width for _ in range(self.height)]
        self.painted: list[PaintedCells] = []
        """Tiles that stand for objects."""
        with_values = {id(layer) for layer in self.layers if layer.kind == INT_GRID}
        for layer in reversed(level.layers):
            if id(layer) in with_values:
                self._paint(layer, terrain)
            if id(layer) in terrain.tiles:
                self._paint_tiles(terrain.tiles[id(layer)], terrain)

    def _paint(self, layer: Layer, terrain: _Terrain) -> None:
        """Lay a layer over the terrain, each cell on the tiles whose middles it covers."""
        letters = terrain.letters(layer)
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
                    if value and letters[value]:
                        for column in across:
                            tiles[column] = letters[value]

    def _paint_tiles(self, drawn: LayerTiles, terrain: _Terrain) -> None:
        """Lay the tiles of a layer that say something over the terrain; without values, any other is floor."""
        if not drawn.says_something and not terrain.is_drawn_only:
            return
        left, top = drawn.layer.offset_x - self.origin[0], drawn.layer.offset_y - self.origin[1]
        objects: dict[int, list[tuple[int, int]]] = {}
        for tile in drawn.tiles:
            meaning = drawn.meanings[tile.id]
            rows = range(*_between(tile.y + top, drawn.side, self.side, self.height))
            columns = range(*_between(tile.x + left, drawn.side, self.side, self.width))
            for row in rows:
                for column in columns:
                    if meaning.letter is not None:
                        self.grid[row][column] = meaning.letter
                    elif terrain.is_drawn_only and not meaning.is_ignored and self.grid[row][column] == NOTHING:
                        self.grid[row][column] = FLOOR
            if meaning.kind is not None and rows and columns:
                every = [(row, column) for row in rows for column in columns]
                objects.setdefault(tile.id, []).extend(every if meaning.kind in GATE_CLASSES else every[:1])
        for number, cells in objects.items():
            self.painted.append(PaintedCells(drawn.meanings[number].kind or "", cells, drawn.layer))

    def piece(self, planes: dict[tuple[int, int], int]) -> WorldPiece:
        """Return where the level lies in its world; each depth of each world is a plane."""
        level = self.level
        plane = planes.setdefault((self.world, level.depth), len(planes))
        row = column = None
        if self.place is not None:
            column, row = ((place + self.side // 2) // self.side for place in self.place)
        name = plain_properties(_read_fields(level.fields)).get("name", "")
        if not isinstance(name, str):
            raise ParseError("name: a text", name, **{**level.where, "path": f"{level.where['path']}.fieldInstances"})
        spare = clean_name(level.identifier)
        return WorldPiece(clean_name(name) or spare, spare, self.grid, level.where, plane, row, column)

    def patch(self, corner: tuple[int, int, int]) -> MapPatch:
        """Say which part of a floor the level is, from the tile at a corner of the floor on."""
        tiles = [
            TileSource(layer.identifier, (0, 0), _rows(layer), _in_this_file(layer.where, "intGridCsv"))
            for layer in self.layers
            if layer.values and layer.grid == self.side and (layer.offset_x, layer.offset_y) == self.origin
        ]
        return MapPatch(corner[0], corner[1:], (self.height, self.width), (0, 0), self.level.identifier, tiles)

    def tile_at(self, x: float, y: float, layer: Layer) -> tuple[int, int]:
        """Return the row and column of the tile at a point of a layer, in pixels."""
        left, top = layer.offset_x - self.origin[0], layer.offset_y - self.origin[1]
        return int((y + top) // self.side), int((x + left) // self.side)


def _between(low: int, length: int, side: int, tiles: int) -> tuple[int, int]:
    """Return the first tile whose middle lies in a stretch of pixels, and the first after it, among those there are."""
    first, end = (-(-(2 * edge - side) // (2 * side)) for edge in (low, low + length))
    return min(max(first, 0), tiles), min(max(end, 0), tiles)


def _rows(layer: Layer) -> list[Sequence[int]]:
    return [layer.values[row * layer.width : (row + 1) * layer.width] for row in range(layer.height)]


def _in_this_file(where: Where, name: str) -> Where:
    """Return where a list of an object stands; nowhere if that is in another file."""
    return {} if "source" in where else {"path": f"{where['path']}.{name}"}


def _read_settings(level: Level, found: EditorMap, names: Names) -> None:
    given = _read_fields(level.fields)
    names.settings(given, {*KNOWN_SETTINGS, "name"})
    fields = plain_properties(given)
    for word in sorted(KNOWN_SETTINGS):
        if word in fields:
            if word in found.settings:
                where = {**level.where, "path": f"{level.where['path']}.fieldInstances"}
                raise ParseError(f"{word} in one level only", fields[word], **where)
            found.settings[word] = fields[word]


# Entities


def _place(entity: Entity, layer: Layer, drawn: _DrawnLevel, spare_id: str, names: Names) -> PlacedObject | None:
    """Return an entity as an object of its level, which is the only floor yet; None if it is left out."""
    decided = None
    if any(plain_word(tag) == IGNORE for tag in entity.tags):
        names.seen.ignored_objects += 1
    else:
        fields = _read_fields(entity.fields, _Points(layer, drawn))
        level = drawn.level.identifier
        decided = names.object(RawObject(entity.identifier, "", fields, entity.where, layer.identifier, level))
    if decided is None:
        names.left_out.add(entity.iid)
        return None
    kind, side = decided.kind, drawn.side
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
    return PlacedObject(
        id=entity.iid or spare_id,
        kind=kind,
        name=decided.name,
        floor=0,
        corner=(top, left),
        height=height,
        width=width,
        centre=(row, column),
        properties=decided.properties,
        where=entity.where,
        editor_id=entity.iid,
        layer=layer.identifier,
    )


class _Points(Struct, frozen=True):
    """Know the tiles of the points that fields of an entity hold: cells of its layer."""

    layer: Layer
    drawn: _DrawnLevel

    def find(self, point: GridPoint) -> Spot:
        grid = self.layer.grid
        return Spot(*self.drawn.tile_at((point.column + 0.5) * grid, (point.row + 0.5) * grid, self.layer))


def _read_fields(fields: Sequence[Field], points: _Points | None = None) -> Mapping[str, Any]:
    return {one.identifier: _read_value(one.value, points) for one in fields}


def _read_value(value: Any, points: _Points | None) -> Any:
    if isinstance(value, EntityLink):
        return ObjectLink(value.iid)
    if isinstance(value, GridPoint):
        return Record("Point") if points is None else points.find(value)
    if isinstance(value, list):
        return [_read_value(one, points) for one in value]
    return Record() if isinstance(value, dict) else value
