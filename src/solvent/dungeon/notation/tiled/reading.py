"""From the layers of a Tiled map to floors with objects on them. The package says what everything means."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.dungeon.formats import sniff_tiled_world
from solvent.dungeon.model import FLOOR, NOTHING, Dungeon
from solvent.dungeon.notation.editor.completion import finish_reading
from solvent.dungeon.notation.editor.names import Names, read_mapped
from solvent.dungeon.notation.editor.objects import (
    GATE_CLASSES,
    EditorFloor,
    EditorMap,
    MapPatch,
    PlacedObject,
    TileSource,
    clean_name,
    covered,
    plain_properties,
    plain_word,
    shown,
)
from solvent.dungeon.notation.editor.raw import (
    Decided,
    RawObject,
    RawTile,
    TileMeaning,
    is_about_ground,
    own_tile_property,
    terrain_word,
)
from solvent.dungeon.notation.editor.reading import build_dungeon
from solvent.dungeon.notation.editor.settings import KNOWN_SETTINGS
from solvent.dungeon.notation.editor.vocabulary import FILL_NOTES
from solvent.dungeon.notation.mapping.model import IGNORE, NameMapping
from solvent.dungeon.notation.mapping.parsing import letter_of
from solvent.dungeon.rooms import pieces
from solvent.formats.companion_files import Where
from solvent.formats.tiled.cells import MAX_CELLS
from solvent.formats.tiled.maps import read_map
from solvent.formats.tiled.model import Gids, Layer, MapObject, ObjectLink, Tile, TiledMap
from solvent.formats.tiled.tilesets import TileFinder

Letters = list[list[str]]
"""Rows of terrain letters."""
Box = tuple[int, int, int, int]
"""Top, left, height and width, in tiles of the map."""

_FLOOR_NAME = re.compile(r"(floor|level|storey|story|basement|cellar)([ _-]+\S.*|\d+)|b?\d+f?", re.IGNORECASE)
_WHOLE = (*GATE_CLASSES, "room", "oneway")
"""Classes that must lie inside the map as a whole; of others, a picture may reach over the edge."""
_NO_TILE = Tile("", {})
_EMPTY = "\0"
"""A cell in which nothing was drawn yet."""
_LAYER_PROPERTIES = ("floor", "terrain", "walk")
_FEW = 1e7
"""More tiles than this away from the corner is outside any map."""


class _Sheet(Struct):
    """Hold the layers that lie over each other."""

    name: str
    where: Where
    tile_layers: list[tuple[Layer, str | None]] = field(default_factory=list)
    """With what each says of tiles that say nothing themselves."""
    object_layers: list[Layer] = field(default_factory=list)


def parse_tiled(text: str, path: Path | None, mapping: NameMapping | None = None) -> Dungeon:
    """Read a map in JSON or XML, or a world of maps; what is in other files is looked for beside `path`.

    So is a mapping, unless one is given.
    """
    names = read_mapped(mapping, path)
    found = read_tiled_file(text, path, names)
    finish_reading(names, found)
    return build_dungeon(found)


def read_tiled_file(text: str, path: Path | None, names: Names) -> EditorMap:
    """Read floors and objects; `names` says what they are, and keeps account of all that were met."""
    if sniff_tiled_world(text):
        from solvent.dungeon.notation.tiled.worlds import read_tiled_world

        return read_tiled_world(text, path, names)
    return read_floors(read_map(text, path), names).found


class MapFloors(Struct, frozen=True):
    """Hold what a map gave, and where on the map its floors are."""

    found: EditorMap
    corners: Sequence[tuple[int, int] | None]
    """Of each floor that is the whole map, the row and column of its first tile; None for a floor that is a part."""


def read_floors(map: TiledMap, names: Names) -> MapFloors:
    """Return the floors of a map and the objects on them."""
    found = EditorMap(map.where, plain_properties(map.properties))
    names.settings(map.properties, (*KNOWN_SETTINGS, *FILL_NOTES))
    for tileset in map.tilesets:
        names.settings({f"{name} of tile set {tileset.name}": it for name, it in tileset.properties.items()}, ())
    sheets = _find_sheets(map, names)
    box = _extent(map, sheets)
    tiles = TileFinder(map)
    corners: list[tuple[int, int] | None] = []
    for sheet in sheets:
        letters, painted = _paint(sheet, box, tiles, names)
        _cut(map, sheet, letters, painted, box, _Placing(tiles, names, found))
        for floor in found.floors[len(corners) :]:
            is_whole = (len(floor.grid), len(floor.grid[0])) == box[2:]
            corners.append(box[:2] if is_whole else None)
    if map.is_isometric:
        found.remarks.append("the map is isometric: its rows run down to the right, so north is up to the right")
    return MapFloors(found, corners)


# Sheets


def _find_sheets(map: TiledMap, names: Names) -> list[_Sheet]:
    sheets: dict[str, _Sheet] = {}
    loose = _Sheet("", map.where)
    for layer, floor in _walk(map.layers, None, names, top=True):
        kind = "image" if layer.is_image else "objects" if layer.objects else "tiles"
        own = _layer_terrain(layer, names) if kind == "tiles" else None
        usual = names.layer(layer.name, kind, is_hidden=layer.is_hidden, own=own)
        sheet = loose if floor is None else sheets.setdefault(floor, _Sheet(floor, layer.where))
        if layer.is_image or usual == IGNORE:
            names.seen.ignored_objects += len(layer.objects)
            continue
        if layer.objects:
            sheet.object_layers.append(layer)
        elif layer.chunks:
            sheet.tile_layers.append((layer, usual))
    if sheets and (loose.tile_layers or any(thing.kind for layer in loose.object_layers for thing in layer.objects)):
        outside = [*(layer for layer, _ in loose.tile_layers), *loose.object_layers][0]
        raise ParseError("every layer in a group that is a floor, since some are", outside.name, **outside.where)
    found = list(sheets.values()) or [loose]
    for sheet in found:
        if not sheet.tile_layers and sheet is loose and sheet.object_layers and not map.is_infinite:
            names.seen.lacks_tiles = True
        elif not sheet.tile_layers:
            called = f" of the floor {sheet.name!r}" if sheet.name else ""
            raise ParseError(f"a tile layer{called}, but there is none", **sheet.where)
    return found


def _walk(layers: Sequence[Layer], floor: str | None, names: Names, *, top: bool) -> Iterator[tuple[Layer, str | None]]:
    """Yield layers that are no groups, lowest first, with the floor they belong to."""
    for layer in layers:
        if plain_word(layer.kind) == IGNORE or (layer.is_group and names.mapping.layers.get(layer.name) == IGNORE):
            names.layer(layer.name, "objects" if layer.objects else "tiles", own=IGNORE)
            names.seen.ignored_objects += len(layer.objects)
            continue
        names.layer_properties(layer.properties, _LAYER_PROPERTIES)
        if layer.is_group and layer.is_hidden:
            names.layer(layer.name, "group", is_hidden=True)
        name = plain_properties(layer.properties).get("floor")
        inside = clean_name(name) if isinstance(name, str) else floor
        is_floor = plain_word(layer.kind) == "floor" or (top and _FLOOR_NAME.fullmatch(layer.name.strip()))
        if layer.is_group and inside is None and is_floor:
            inside = clean_name(layer.name)
        if layer.is_group:
            yield from _walk(layer.layers, inside, names, top=False)
        else:
            yield layer, inside


def _extent(map: TiledMap, sheets: Sequence[_Sheet]) -> Box:
    """Return the whole map; for an infinite one, the part that has tiles."""
    if not map.is_infinite:
        return 0, 0, map.height, map.width
    top = left = 1 << 40
    bottom = right = -(1 << 40)
    for sheet in sheets:
        for chunk in (chunk for layer, _ in sheet.tile_layers for chunk in layer.chunks):
            for row, line in enumerate(chunk.gids, chunk.row):
                columns = [column for column, gid in enumerate(line, chunk.column) if gid]
                if columns:
                    top, bottom = min(top, row), max(bottom, row)
                    left, right = min(left, columns[0]), max(right, columns[-1])
    height, width = bottom - top + 1, right - left + 1
    if height < 1:
        raise ParseError("a tile layer with tiles, but there is none", **map.where)
    if height * width > MAX_CELLS:
        raise ParseError(f"tiles within {MAX_CELLS:,} cells", f"{width} x {height}", **map.where)
    return top, left, height, width


# Terrain


class _Painted(Struct, frozen=True):
    """Hold tiles in a tile layer that are objects: all that touch and look the same."""

    kind: str
    tile: Tile
    cells: tuple[tuple[int, int], ...]
    layer: Layer


def _paint(sheet: _Sheet, box: Box, tiles: TileFinder, names: Names) -> tuple[Letters, list[_Painted]]:
    """Return the terrain of a sheet, and the tiles that stand for objects."""
    top, left, height, width = box
    letters = [[_EMPTY] * width for _ in range(height)]
    painted: list[_Painted] = []
    for layer, usual in sheet.tile_layers:
        for chunk in layer.chunks:
            gids, (row, column) = chunk.gids, (chunk.row - top, chunk.column - left)
            if row < 0 or column < 0 or row + len(gids) > height or column + _width(gids) > width:
                gids, row, column = _clip(chunk.gids, row, column, height, width, layer)
            over = {0: ""}  # what a tile makes of any terrain, and of none
            under = {0: _EMPTY}
            classes: dict[int, tuple[TileMeaning, Tile]] = {}
            counts = Counter(gid for line in gids for gid in line)
            for gid in sorted(counts.keys() - {0}):
                meaning = names.tile(_raw_tile(gid, tiles, layer.where, names), layer.name, usual, counts[gid])
                over[gid], under[gid] = meaning.letter or "", _EMPTY if meaning.is_ignored else FLOOR
                if meaning.kind is not None:
                    classes[gid] = meaning, tiles.find(gid, layer.where)
            for line, below in zip(gids, letters[row : row + len(gids)], strict=True):
                part = slice(column, column + len(line))
                below[part] = [
                    over[gid] or (under[gid] if letter == _EMPTY else letter)
                    for gid, letter in zip(line, below[part], strict=True)
                ]
            for gid, cells in _cells_of(gids, row, column, classes).items():
                painted += _painted(*classes[gid], cells, layer)
    empty = letter_of(names.mapping.empty or "nothing") or NOTHING
    return [[empty if letter == _EMPTY else letter for letter in row] for row in letters], painted


def _width(gids: Gids) -> int:
    return len(gids[0]) if gids else 0


def _clip(gids: Gids, row: int, column: int, height: int, width: int, layer: Layer) -> tuple[Gids, int, int]:
    """Return the part of a chunk inside the map; it is an error to lose a tile."""
    down, right = max(0, -row), max(0, -column)
    part = [line[right : max(right, width - column)] for line in gids[down : max(down, height - row)]]
    if _count(part) != _count(gids):
        raise ParseError("layers no larger than the map", f"{_width(gids)} x {len(gids)}", **layer.where)
    return part, max(0, row), max(0, column)


def _count(gids: Gids) -> int:
    """Return how many tiles there are."""
    return sum(len(line) - line.count(0) for line in gids)


def _cells_of(gids: Gids, row: int, column: int, wanted: Collection[int]) -> dict[int, list[tuple[int, int]]]:
    """Return where tiles of some numbers lie, in the order of the numbers; the chunk begins at this row and column."""
    found: dict[int, list[tuple[int, int]]] = {gid: [] for gid in wanted}
    for down, line in enumerate(gids, row):
        if not found.keys().isdisjoint(line):
            for right, gid in enumerate(line, column):
                if gid in found:
                    found[gid].append((down, right))
    return found


def _layer_terrain(layer: Layer, names: Names) -> str | None:
    """Return the terrain of tiles that have none of their own."""
    properties = plain_properties(layer.properties)
    for word in ("terrain", "walk"):
        if word in properties:
            meaning = own_tile_property(word, str(properties[word]).lower())
            if meaning is None:
                expected = "floor, wall, water, north, east, south or west" if word == "terrain" else "true or false"
                raise ParseError(f"{word}: {expected}", shown(properties[word]), **layer.where)
            return meaning
    kind = terrain_word(layer.kind)
    if layer.kind and kind is None:
        names.layer_properties({"class": layer.kind}, ())
    return kind or terrain_word(layer.name)


def _painted(meaning: TileMeaning, tile: Tile, where: Sequence[tuple[int, int]], layer: Layer) -> Iterator[_Painted]:
    kind, cells = meaning.kind or "", sorted(where)
    for piece in pieces(cells) if kind in GATE_CLASSES else ([cell] for cell in cells):
        yield _Painted(kind, tile, tuple(piece), layer)


# Objects


class _Placing(Struct):
    """Hold what placing objects needs: what tiles are, what names mean, and the map that is read."""

    tiles: TileFinder
    names: Names
    found: EditorMap


def _cut(
    map: TiledMap, sheet: _Sheet, letters: Letters, painted: Sequence[_Painted], box: Box, placing: _Placing
) -> None:
    """Cut a sheet into the floors drawn on it, and put each object on its floor."""
    names, found = placing.names, placing.found
    areas, things = [], []
    for layer in sheet.object_layers:
        for thing in layer.objects:
            raw = _raw_object(thing, layer, placing)
            if plain_word(raw.kind) == "floor":
                areas.append((clean_name(thing.name), _inside(_box(thing, map), box, thing), thing.where))
                names.settings(thing.properties, ())
            elif plain_word(raw.kind) != IGNORE:
                decided = names.object(raw)
                if decided is not None:
                    things.append((thing, decided, layer.name))
                else:
                    names.left_out.add(str(thing.id))
            else:
                names.seen.ignored_objects += 1
    if not areas:
        areas = [(sheet.name, box, sheet.where)]
    first = len(found.floors)
    tiles = _tile_sources(sheet)
    for name, (top, left, height, width), where in areas:
        patch = MapPatch(len(found.floors), (0, 0), (height, width), (top, left), tiles=tiles)
        found.patches.append(patch)
        part = [row[left - box[1] : left - box[1] + width] for row in letters[top - box[0] : top - box[0] + height]]
        found.floors.append(EditorFloor(name, part, where))
    plan = _Plan(box, [area for _, area, _ in areas], first)
    for thing, decided, layer_name in things:
        id = str(thing.id) if thing.id else f"object {len(found.objects)}"
        placed = _place(thing, id, decided, map, plan)
        found.objects.append(replace(placed, editor_id=str(thing.id) if thing.id else "", layer=layer_name))
    for number, group in enumerate(painted):
        raw = RawObject(group.tile.kind, "", group.tile.properties, group.layer.where, group.layer.name)
        decided = names.object_of_tile(raw, group.kind)
        found.objects += _place_painted(group, decided, f"tile {first}.{number}", plan)


def _tile_sources(sheet: _Sheet) -> list[TileSource]:
    """Return where the tiles of a sheet stand in the file, those that lie on top first."""
    return [
        TileSource(layer.name, (chunk.row, chunk.column), chunk.gids, chunk.where)
        for layer, _ in reversed(sheet.tile_layers)
        for chunk in layer.chunks
    ]


def _raw_tile(gid: int, tiles: TileFinder, where: Where, names: Names) -> RawTile:
    """Return a tile with all that its tileset says; one that the tileset does not have is kept account of."""
    tileset = tiles.tileset(gid, where)
    id = gid - tileset.first
    tile = tileset.tiles.get(id, _NO_TILE)
    if tileset.count and id >= tileset.count and id not in tileset.tiles:
        names.seen.missing_tiles[gid] += 1
    return RawTile(tileset.name, id, tile.kind, tile.properties, tileset.colours.get(id, ()), tile.has_shapes)


def _raw_object(thing: MapObject, layer: Layer, placing: _Placing) -> RawObject:
    """Return an object; what its tile says about walking on it is about the tile alone."""
    if not thing.gid:
        return RawObject(
            thing.kind,
            thing.name,
            thing.properties,
            thing.where,
            layer.name,
            shape=thing.shape,
            is_hidden=thing.is_hidden,
        )
    tile = _raw_tile(thing.gid, placing.tiles, thing.where, placing.names)
    properties = {
        name: value
        for name, value in thing.properties.items()
        if not (is_about_ground(name) and tile.properties.get(name) == value)
    }
    given = {name: value for name, value in thing.properties.items() if is_about_ground(name)}
    tile = replace(tile, properties={**tile.properties, **given})
    return RawObject(thing.kind, thing.name, properties, thing.where, layer.name, tile=tile, is_hidden=thing.is_hidden)


class _Plan:
    """Know which floor each tile of a sheet belongs to; where floors overlap, the first has it."""

    def __init__(self, box: Box, boxes: Sequence[Box], first: int) -> None:
        self.box = box
        self.boxes = boxes
        self.first = first

    def find(self, row: int, column: int) -> tuple[int, Box] | None:
        """Return the number of the floor at a tile of the map, and its box."""
        for at, (top, left, height, width) in enumerate(self.boxes, self.first):
            if 0 <= row - top < height and 0 <= column - left < width:
                return at, (top, left, height, width)
        return None


def _place(thing: MapObject, id: str, decided: Decided, map: TiledMap, plan: _Plan) -> PlacedObject:
    kind = decided.kind
    x, y = _middle(thing)
    row, column = math.floor(y / map.tile_height), math.floor(x / map.tile_width)
    found = plan.find(row, column)
    if found is None:
        raise ParseError(f"objects inside the map, but {kind} {thing.name!r} lies outside", **thing.where)
    floor, edge = found
    area = _box(thing, map)
    top, left, height, width = _inside(area, edge, thing) if kind in _WHOLE else _clipped(area, edge)
    return PlacedObject(
        id=id,
        kind=kind,
        name=decided.name,
        floor=floor,
        corner=(top - edge[0], left - edge[1]),
        height=height,
        width=width,
        centre=(row - edge[0], column - edge[1]),
        properties=decided.properties,
        where=thing.where,
    )


def _place_painted(group: _Painted, decided: Decided, id: str, plan: _Plan) -> Iterator[PlacedObject]:
    """Yield the objects that painted tiles stand for; those between floors stand for nothing."""
    whole: Mapping[str, object] = decided.properties
    properties = whole
    for row, column in sorted(group.cells):
        found = plan.find(row + plan.box[0], column + plan.box[1])
        if found is None:
            continue
        floor, edge = found
        corner = (row + plan.box[0] - edge[0], column + plan.box[1] - edge[1])
        part = id if properties is whole else f"{id}.{row}.{column}"
        yield PlacedObject(
            part,
            group.kind,
            decided.name,
            floor,
            corner,
            1,
            1,
            corner,
            properties,
            group.layer.where,
            layer=group.layer.name,
        )
        properties = {**whole, "partof": ObjectLink(id)}


def _middle(thing: MapObject) -> tuple[float, float]:
    """Return the middle of an object in pixels; objects turn about their origin, the lower left one of tiles."""
    x, y = thing.width / 2, -thing.height / 2 if thing.gid else thing.height / 2
    angle = math.radians(thing.rotation)
    middle = (
        thing.x + x * math.cos(angle) - y * math.sin(angle),
        thing.y + x * math.sin(angle) + y * math.cos(angle),
    )
    if not all(math.isfinite(part) and abs(part) < _FEW * 100 for part in middle):
        raise ParseError("objects inside the map", f"x {thing.x}, y {thing.y}", **thing.where)
    # Turning leaves crumbs that would push a middle over the edge of its tile.
    return round(middle[0], 6), round(middle[1], 6)


def _box(thing: MapObject, map: TiledMap) -> Box:
    """Return the tiles an object covers."""
    x, y = _middle(thing)
    width, height = thing.width, thing.height
    if round(thing.rotation) % 180 == 90:
        width, height = height, width
    if not (0 <= width / map.tile_width < _FEW and 0 <= height / map.tile_height < _FEW):
        raise ParseError("an object of a size that can be", f"{width} x {height}", **thing.where)
    top, rows = covered((y - height / 2) / map.tile_height, (y + height / 2) / map.tile_height)
    left, columns = covered((x - width / 2) / map.tile_width, (x + width / 2) / map.tile_width)
    return top, left, rows, columns


def _clipped(box: Box, edge: Box) -> Box:
    top, left = max(box[0], edge[0]), max(box[1], edge[1])
    bottom, right = min(box[0] + box[2], edge[0] + edge[2]), min(box[1] + box[3], edge[1] + edge[3])
    return top, left, max(1, bottom - top), max(1, right - left)


def _inside(box: Box, edge: Box, thing: MapObject) -> Box:
    top, left, height, width = box
    down, right = top - edge[0], left - edge[1]
    if down < 0 or right < 0 or down + height > edge[2] or right + width > edge[3]:
        raise ParseError(f"objects inside the map, but {thing.name or thing.kind!r} lies outside", **thing.where)
    return box
