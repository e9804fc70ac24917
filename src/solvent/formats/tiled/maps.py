"""Read Tiled maps: layers, objects, tilesets and properties."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Companion
from solvent.formats.tiled.cells import FLIPS, CellBudget, read_gids
from solvent.formats.tiled.model import Chunk, Layer, MapObject, ObjectLink, Record, Tile, TiledMap, TileSet
from solvent.formats.tiled.parsing import MAP_LISTS, JsonElement, read_tiled
from solvent.formats.tiled.tile_colours import read_tile_colours

SHAPES = ("ellipse", "point", "polygon", "polyline", "text")
_TILESET = Companion("tileset", (".tsx", ".tsj", ".json", ".xml"))


def read_map(text: str, path: Path | None) -> TiledMap:
    """Read an orthogonal map in XML or JSON; tilesets in other files are looked for beside `path`."""
    root = read_tiled(text, ("map",), "a Tiled map", MAP_LISTS)
    width, height = root.integer("width"), root.integer("height")
    tile_width, tile_height = root.integer("tilewidth"), root.integer("tileheight")
    orientation = root.attributes.get("orientation", "orthogonal")
    if orientation != "orthogonal":
        raise ParseError("an orthogonal map", orientation, **root.where)
    if tile_width < 1 or tile_height < 1:
        raise ParseError("tiles of at least one pixel", f"{tile_width} x {tile_height}", **root.where)
    CellBudget().take(height, width, root.where)
    is_infinite = root.attributes.get("infinite", "0") in ("1", "true")
    return TiledMap(
        width=width,
        height=height,
        tile_width=tile_width,
        tile_height=tile_height,
        is_infinite=is_infinite,
        properties=_read_properties(root),
        tilesets=[_read_tileset(tileset, path) for tileset in root.all("tileset")],
        layers=_read_layers(root, _Extent(height, width, is_infinite), 1),
        where=root.where,
    )


def read_kind(element: Element) -> str:
    """Return the class of a tile or object, which some versions call its type."""
    return element.attributes.get("class") or element.attributes.get("type") or ""


def _read_tileset(element: Element, path: Path | None) -> TileSet:
    first, source = element.integer("firstgid", 1), element.attributes.get("source")
    if source:
        text = _TILESET.read(path, source, element.where)
        try:
            return _read_tiles(first, read_tiled(text, ("tileset",), "a Tiled tileset", MAP_LISTS), source)
        except ParseError as error:
            raise error.in_source(source) from None
    return _read_tiles(first, element, "")


def _read_tiles(first: int, tileset: Element, source: str) -> TileSet:
    tiles = {
        tile.integer("id"): Tile(
            read_kind(tile),
            _read_properties(tile),
            "objectgroup" in tile.attributes or any(list(shapes.all("object")) for shapes in tile.all("objectgroup")),
        )
        for tile in tileset.all("tile")
    }
    name = tileset.attributes.get("name") or PurePosixPath(source.replace("\\", "/")).stem
    return TileSet(first, tiles, name, max(0, tileset.integer("tilecount", 0)), read_tile_colours(tileset))


def _read_properties(element: Element) -> dict[str, Any]:
    """Return the properties that have a plain value or link to an object."""
    properties = element.first("properties")
    found: dict[str, Any] = {}
    for one in properties.all("property") if properties else ():
        type = one.attributes.get("type", "string")
        if isinstance(one, JsonElement):
            name, value = one.word("name"), one.value
        else:
            name, value = one.attributes.get("name", ""), _read_value(one, type)
        if type == "object":
            value = ObjectLink(str(value)) if isinstance(value, str | int) and value not in ("", "0", 0) else None
        if isinstance(value, dict) or type == "class":
            value = Record(one.attributes.get("propertytype", ""))
        if isinstance(value, str | int | float | list | ObjectLink | Record):
            found.setdefault(name, value)
    return found


def _read_value(one: Element, type: str) -> Any:
    if type == "bool":
        return one.attributes.get("value") == "true"
    if type in ("int", "float"):
        return one.integer("value") if type == "int" else one.number("value")
    return None if type == "class" else one.attributes.get("value", "".join(one.text))


class _Extent:
    """Know how large a map is, and count what its layers hold."""

    def __init__(self, height: int, width: int, is_infinite: bool) -> None:
        self.height = height
        self.width = width
        self.is_infinite = is_infinite
        self.budget = CellBudget()


def _read_layers(parent: Element, extent: _Extent, depth: int) -> list[Layer]:
    layers = []
    for element in parent.children:
        if element.tag not in ("layer", "objectgroup", "group", "imagelayer"):
            continue
        extent.budget.take_layer(depth, element.where)
        layers.append(
            Layer(
                element.attributes.get("name", ""),
                element.attributes.get("class", ""),
                _read_properties(element),
                element.where,
                chunks=_read_chunks(element, extent) if element.tag == "layer" else (),
                objects=[_read_object(one) for one in element.all("object")],
                layers=_read_layers(element, extent, depth + 1) if element.tag == "group" else (),
                is_group=element.tag == "group",
                is_image=element.tag == "imagelayer",
                is_hidden=element.attributes.get("visible", "1").lower() in ("0", "false"),
            )
        )
    return layers


def _read_chunks(layer: Element, extent: _Extent) -> list[Chunk]:
    data = layer.first("data")
    if data is None:
        if extent.is_infinite:
            return []
        raise ParseError("data of a tile layer", **layer.where)
    chunks = list(data.all("chunk"))
    is_empty = not data.children and not "".join(data.text).strip()
    if is_empty and not (isinstance(data, JsonElement) and data.value is not None):
        return []  # an infinite layer on which nothing was drawn
    if not chunks:
        size = layer.integer("height", extent.height), layer.integer("width", extent.width)
        return [_read_chunk(data, data, (0, 0), size, extent.budget)]
    return [
        _read_chunk(
            chunk,
            data,
            (chunk.integer("y"), chunk.integer("x")),
            (chunk.integer("height"), chunk.integer("width")),
            extent.budget,
        )
        for chunk in chunks
    ]


def _read_chunk(
    holder: Element, data: Element, corner: tuple[int, int], size: tuple[int, int], budget: CellBudget
) -> Chunk:
    budget.take(*size, holder.where)
    return Chunk(*corner, read_gids(holder, data, *size))


def _read_object(element: Element) -> MapObject:
    template = element.attributes.get("template")
    if template:
        raise ParseError("objects without a template (detach it in Tiled)", template, **element.where)
    return MapObject(
        id=element.integer("id", 0),
        name=element.attributes.get("name", ""),
        kind=read_kind(element),
        x=element.number("x"),
        y=element.number("y"),
        width=element.number("width", 0),
        height=element.number("height", 0),
        rotation=element.number("rotation", 0),
        gid=element.integer("gid", 0) & ~FLIPS & 0xFFFFFFFF,
        properties=_read_properties(element),
        where=element.where,
        shape=_read_shape(element),
    )


def _read_shape(element: Element) -> str:
    """Return what is drawn instead of a rectangle, if something is."""
    return next((shape for shape in SHAPES if shape in element.attributes or element.first(shape) is not None), "")
