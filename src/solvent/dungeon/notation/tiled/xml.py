"""Tiled maps and tilesets in XML: TMX and TSX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element, read_elements
from solvent.dungeon.notation.editor.objects import with_values
from solvent.dungeon.notation.tiled.json import LoadTileSet, read_value
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


def read_tmx(text: str, load: LoadTileSet) -> TiledMap:
    """Read a map."""
    root = read_elements(text, "map", "a Tiled map")
    width, height = root.integer("width"), root.integer("height")
    tile_width, tile_height = root.integer("tilewidth"), root.integer("tileheight")
    check_map(root.attributes.get("orientation", "orthogonal"), width, height, tile_width, tile_height, root.where)
    tilesets = []
    for tileset in root.all("tileset"):
        first = tileset.integer("firstgid", 1)
        source = tileset.attributes.get("source")
        tilesets.append(load(source, first, tileset.where) if source else _read_tileset(tileset, first))
    is_infinite = root.attributes.get("infinite", "0") == "1"
    return TiledMap(
        width=width,
        height=height,
        tile_width=tile_width,
        tile_height=tile_height,
        is_infinite=is_infinite,
        properties=_read_properties(root),
        tilesets=tilesets,
        layers=_read_layers(root, (height, width), CellBudget(), 1),
        where=root.where,
    )


def read_tsx(text: str, first: int) -> TileSet:
    """Read a tileset that is a file of its own."""
    return _read_tileset(read_elements(text, "tileset", "a Tiled tileset"), first)


def _read_tileset(found: Element, first: int) -> TileSet:
    return TileSet(
        first, {tile.integer("id"): Tile(_read_class(tile), _read_properties(tile)) for tile in found.all("tile")}
    )


def _read_class(found: Element) -> str:
    return found.attributes.get("class") or found.attributes.get("type") or ""


def _read_properties(found: Element) -> Mapping[str, Any]:
    properties = found.first("properties")
    said: dict[str, Any] = {}
    for one in properties.all("property") if properties else ():
        type = one.attributes.get("type", "string")
        value: Any = one.attributes.get("value", "".join(one.text))
        if type == "bool":
            value = value == "true"
        elif type in ("int", "float"):
            value = one.integer("value") if type == "int" else one.number("value")
        elif type == "object":
            value = "" if value == "0" else value
        elif type == "class":
            continue
        said.setdefault(one.attributes.get("name", ""), read_value(value, type))
    return with_values(said)


def _read_layers(found: Element, size: tuple[int, int], budget: CellBudget, depth: int) -> list[Layer]:
    layers = []
    for element in found.children:
        if element.tag not in ("layer", "objectgroup", "group"):
            continue
        budget.take_layer(depth, element.where)
        name, kind, said = (
            element.attributes.get("name", ""),
            element.attributes.get("class", ""),
            _read_properties(element),
        )
        if element.tag == "layer":
            layers.append(Layer(name, kind, said, element.where, chunks=_read_chunks(element, size, budget)))
        elif element.tag == "objectgroup":
            objects = [_read_object(thing) for thing in element.all("object")]
            layers.append(Layer(name, kind, said, element.where, objects=objects))
        else:
            inner = _read_layers(element, size, budget, depth + 1)
            layers.append(Layer(name, kind, said, element.where, layers=inner, is_group=True))
    return layers


def _read_chunks(layer: Element, size: tuple[int, int], budget: CellBudget) -> list[Chunk]:
    data = layer.first("data")
    if data is None:
        raise ParseError("data of a tile layer", **layer.where)
    chunks = list(data.all("chunk"))
    if chunks:
        return [
            Chunk(
                chunk.integer("y"),
                chunk.integer("x"),
                _read_gids(chunk, data, chunk.integer("height"), chunk.integer("width"), budget),
            )
            for chunk in chunks
        ]
    height, width = layer.integer("height", size[0]), layer.integer("width", size[1])
    if not data.children and not "".join(data.text).strip():
        return []  # an infinite layer on which nothing was drawn
    return [Chunk(0, 0, _read_gids(data, data, height, width, budget))]


def _read_gids(holder: Element, data: Element, height: int, width: int, budget: CellBudget) -> Gids:
    budget.take(height, width, holder.where)
    encoding, text = data.attributes.get("encoding", ""), "".join(holder.text)
    if encoding == "base64":
        return from_base64(text, data.attributes.get("compression", ""), height, width, holder.where)
    if encoding == "csv":
        return from_csv(text, height, width, holder.where)
    if encoding:
        raise ParseError("tile layers as CSV or base64", encoding, **data.where)
    return from_numbers([tile.integer("gid", 0) for tile in holder.all("tile")], height, width, holder.where)


def _read_object(found: Element) -> MapObject:
    if "template" in found.attributes:
        raise ParseError("objects without a template (detach it in Tiled)", found.attributes["template"], **found.where)
    return MapObject(
        id=found.integer("id", 0),
        name=found.attributes.get("name", ""),
        kind=_read_class(found),
        x=found.number("x"),
        y=found.number("y"),
        width=found.number("width", 0),
        height=found.number("height", 0),
        rotation=found.number("rotation", 0),
        gid=found.integer("gid", 0) & ~FLIPS & 0xFFFFFFFF,
        properties=_read_properties(found),
        where=found.where,
    )
