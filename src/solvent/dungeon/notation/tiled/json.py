"""Tiled maps and tilesets in JSON: TMJ and TSJ, also as versions before 1.2 wrote them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from solvent.core.errors import ParseError
from solvent.dungeon.notation.editor.files import read_json
from solvent.dungeon.notation.editor.objects import Reference, Where, with_values
from solvent.dungeon.notation.tiled.map import (
    FLIPS,
    CellBudget,
    Chunk,
    Gids,
    Layer,
    MapObject,
    Tile,
    TiledMap,
    TileSet,
    check_map,
    from_base64,
    from_csv,
    from_numbers,
)

LoadTileSet = Callable[[str, int, Where], TileSet]
"""Read the tileset in a file beside the map, given its path, first number, and who asks."""


class _Property(msgspec.Struct):
    name: str
    value: Any = None
    type: str = "string"


_Properties = list[_Property] | dict[str, Any]


class _Tile(msgspec.Struct):
    id: int = -1
    type: str = ""
    class_: str = msgspec.field(name="class", default="")
    properties: _Properties = []


class _TileSet(msgspec.Struct):
    firstgid: int = 1
    source: str | None = None
    tiles: list[_Tile] | dict[str, _Tile] = []
    tileproperties: dict[str, dict[str, Any]] = {}


class _Chunk(msgspec.Struct):
    x: int
    y: int
    width: int
    height: int
    data: list[int] | str


class _Object(msgspec.Struct):
    x: float
    y: float
    id: int = 0
    name: str = ""
    type: str = ""
    class_: str = msgspec.field(name="class", default="")
    width: float = 0
    height: float = 0
    rotation: float = 0
    gid: int = 0
    template: str | None = None
    properties: _Properties = []


class _Layer(msgspec.Struct):
    type: str
    name: str = ""
    class_: str = msgspec.field(name="class", default="")
    properties: _Properties = []
    width: int | None = None
    height: int | None = None
    data: list[int] | str | None = None
    encoding: str = "csv"
    compression: str = ""
    chunks: list[_Chunk] = []
    objects: list[_Object] = []
    layers: list[_Layer] = []


class _Map(msgspec.Struct):
    width: int
    height: int
    tilewidth: int
    tileheight: int
    layers: list[_Layer]
    orientation: str = "orthogonal"
    infinite: bool = False
    tilesets: list[_TileSet] = []
    properties: _Properties = []


def read_tmj(text: str, load: LoadTileSet) -> TiledMap:
    """Read a map."""
    found = read_json(text, _Map, "a Tiled map")
    where = {"path": "$"}
    check_map(found.orientation, found.width, found.height, found.tilewidth, found.tileheight, where)
    tilesets = []
    for number, tileset in enumerate(found.tilesets):
        path = f"$.tilesets[{number}]"
        if tileset.source:
            tilesets.append(load(tileset.source, tileset.firstgid, {"path": f"{path}.source"}))
        else:
            tilesets.append(_read_tileset(tileset, tileset.firstgid, path))
    return TiledMap(
        width=found.width,
        height=found.height,
        tile_width=found.tilewidth,
        tile_height=found.tileheight,
        is_infinite=found.infinite,
        properties=_read_properties(found.properties),
        tilesets=tilesets,
        layers=_read_layers(found.layers, found, "$.layers", CellBudget(), 1),
        where=where,
    )


def read_tsj(text: str, first: int) -> TileSet:
    """Read a tileset that is a file of its own."""
    return _read_tileset(read_json(text, _TileSet, "a Tiled tileset"), first, "$")


def _read_tileset(found: _TileSet, first: int, path: str) -> TileSet:
    numbered = found.tiles if isinstance(found.tiles, dict) else {str(tile.id): tile for tile in found.tiles}
    tiles: dict[int, Tile] = {}
    for key in {**numbered, **found.tileproperties}:
        if not (key.isascii() and key.isdigit() and len(key) < 10):
            raise ParseError("tiles by number", key, path=f"{path}.tiles")
        tile = numbered.get(key, _Tile())
        said = {**_read_properties(tile.properties), **with_values(found.tileproperties.get(key, {}))}
        tiles[int(key)] = Tile(tile.class_ or tile.type, said)
    return TileSet(first, tiles)


def _read_properties(found: _Properties) -> Mapping[str, Any]:
    if isinstance(found, dict):
        return with_values(found)
    return with_values({said.name: read_value(said.value, said.type) for said in found})


def read_value(value: Any, type: str) -> Any:
    """Return a property's value; links to objects become references, and one to nothing is left out."""
    if type != "object":
        return value if isinstance(value, str | int | float) else None
    return Reference(str(value)) if value and not isinstance(value, dict | list) else None


def _read_layers(found: Sequence[_Layer], map: _Map, path: str, budget: CellBudget, depth: int) -> list[Layer]:
    layers = []
    for number, layer in enumerate(found):
        here = f"{path}[{number}]"
        where = {"path": here}
        budget.take_layer(depth, where)
        kind, said = layer.class_, _read_properties(layer.properties)
        if layer.type == "tilelayer":
            layers.append(Layer(layer.name, kind, said, where, chunks=_read_chunks(layer, map, here, budget)))
        elif layer.type == "objectgroup":
            objects = [_read_object(thing, f"{here}.objects[{at}]") for at, thing in enumerate(layer.objects)]
            layers.append(Layer(layer.name, kind, said, where, objects=objects))
        elif layer.type == "group":
            inner = _read_layers(layer.layers, map, f"{here}.layers", budget, depth + 1)
            layers.append(Layer(layer.name, kind, said, where, layers=inner, is_group=True))
        elif layer.type != "imagelayer":
            raise ParseError("a layer: tilelayer, objectgroup, imagelayer or group", layer.type, path=f"{here}.type")
    return layers


def _read_chunks(layer: _Layer, map: _Map, path: str, budget: CellBudget) -> list[Chunk]:
    if layer.chunks:
        return [
            Chunk(
                chunk.y,
                chunk.x,
                _read_gids(chunk.data, layer, chunk.height, chunk.width, f"{path}.chunks[{at}]", budget),
            )
            for at, chunk in enumerate(layer.chunks)
        ]
    if layer.data is None:
        if map.infinite:
            return []
        raise ParseError("data of a tile layer", path=path)
    height = map.height if layer.height is None else layer.height
    width = map.width if layer.width is None else layer.width
    return [Chunk(0, 0, _read_gids(layer.data, layer, height, width, path, budget))]


def _read_gids(data: list[int] | str, layer: _Layer, height: int, width: int, path: str, budget: CellBudget) -> Gids:
    where = {"path": f"{path}.data"}
    budget.take(height, width, where)
    if isinstance(data, list):
        return from_numbers(data, height, width, where)
    if layer.encoding == "base64":
        return from_base64(data, layer.compression, height, width, where)
    return from_csv(data, height, width, where)


def _read_object(found: _Object, path: str) -> MapObject:
    if found.template:
        raise ParseError("objects without a template (detach it in Tiled)", found.template, path=path)
    return MapObject(
        id=found.id,
        name=found.name,
        kind=found.class_ or found.type,
        x=found.x,
        y=found.y,
        width=found.width,
        height=found.height,
        rotation=found.rotation,
        gid=found.gid & ~FLIPS & 0xFFFFFFFF,
        properties=_read_properties(found.properties),
        where={"path": path},
    )
