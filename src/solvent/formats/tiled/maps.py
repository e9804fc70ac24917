"""Read Tiled maps: layers, objects, tilesets and properties, from all the files they are spread over."""

from __future__ import annotations

import math
from pathlib import Path

from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.tiled.cells import CellBudget, find_numbers, read_gids
from solvent.formats.tiled.model import Chunk, Gids, Layer, TiledMap, TileSet
from solvent.formats.tiled.object_types import find_object_types
from solvent.formats.tiled.objects import ObjectReader, Projection
from solvent.formats.tiled.parsing import MAP_LISTS, JsonElement, read_tiled
from solvent.formats.tiled.properties import ObjectTypes, read_properties
from solvent.formats.tiled.tilesets import TileSetReader

_SHAPES = ("orthogonal", "isometric", "hexagonal", "staggered")
_REFUSED = {
    "hexagonal": "a map of squares: a tile of a hexagonal map has six neighbours, and only four are walked to here",
    "staggered": "an orthogonal or isometric map: tiles that touch in a staggered one are not neighbours in the file",
}


def read_map(text: str, path: Path | None, *, as_drawn: bool = False) -> TiledMap:
    """Read an orthogonal or isometric map in XML or JSON.

    Tilesets, templates and the classes of its project are looked for beside `path`. A map `as_drawn` may be hexagonal
    or staggered too, and its tiles keep the bits that say how they are flipped.
    """
    root = read_tiled(text, ("map",), "a Tiled map", MAP_LISTS)
    width, height = root.integer("width"), root.integer("height")
    tile_width, tile_height = root.integer("tilewidth"), root.integer("tileheight")
    orientation = root.attributes.get("orientation", "orthogonal")
    if orientation not in (_SHAPES if as_drawn else _SHAPES[:2]):
        expected = _REFUSED.get(orientation, "an orthogonal or isometric map")
        raise ParseError(expected, orientation, **root.where)
    if tile_width < 1 or tile_height < 1:
        raise ParseError("tiles of at least one pixel", f"{tile_width} x {tile_height}", **root.where)
    CellBudget().take(height, width, root.where)
    is_infinite = root.attributes.get("infinite", "0") in ("1", "true")
    types = find_object_types(path)
    tilesets = TileSetReader(types)
    for tileset in root.all("tileset"):
        tilesets.add(tileset, path)
    projection = Projection(tile_width, tile_height, orientation == "isometric")
    objects = ObjectReader(path, types, tilesets, projection)
    reader = _LayerReader((height, width), is_infinite, objects, keep_flips=as_drawn)
    layers = reader.read(root, (0.0, 0.0), 1)
    return TiledMap(
        width=width,
        height=height,
        tile_width=tile_width,
        tile_height=tile_height,
        is_infinite=is_infinite,
        is_isometric=projection.is_isometric,
        orientation=orientation,
        hex_side=root.integer("hexsidelength", 0) if as_drawn else 0,
        stagger_axis=root.attributes.get("staggeraxis", "y"),
        stagger_index=root.attributes.get("staggerindex", "odd"),
        properties={**types.defaults(root.attributes.get("class", "")), **read_properties(root, types)},
        tilesets=[_with_defaults(tileset, types) for tileset in tilesets.tilesets],
        layers=layers,
        where=root.where,
    )


def _with_defaults(tileset: TileSet, types: ObjectTypes) -> TileSet:
    """Return a tileset whose tiles have what their classes say as well."""
    if not types.classes:
        return tileset
    tiles = {
        number: replace(tile, properties={**types.defaults(tile.kind), **tile.properties})
        for number, tile in tileset.tiles.items()
    }
    return replace(tileset, tiles=tiles)


class _LayerReader:
    """Read the layers of a map, and count what they hold."""

    def __init__(self, size: tuple[int, int], is_infinite: bool, objects: ObjectReader, *, keep_flips: bool) -> None:
        self.height, self.width = size
        self.is_infinite = is_infinite
        self.objects = objects
        self.keep_flips = keep_flips
        self.budget = CellBudget()

    def read(self, parent: Element, offset: tuple[float, float], depth: int) -> list[Layer]:
        """Read the layers in a map or group; groups shift what is in them by `offset`, in pixels."""
        layers = []
        for element in parent.children:
            if element.tag not in ("layer", "objectgroup", "group", "imagelayer"):
                continue
            self.budget.take_layer(depth, element.where)
            shift = self._shift(element, offset)
            kind = element.attributes.get("class", "")
            types = self.objects.types
            layers.append(
                Layer(
                    element.attributes.get("name", ""),
                    kind,
                    {**types.defaults(kind), **read_properties(element, types)},
                    element.where,
                    chunks=self._chunks(element, shift) if element.tag == "layer" else (),
                    objects=[self.objects.read(one, shift) for one in element.all("object")],
                    layers=self.read(element, shift, depth + 1) if element.tag == "group" else (),
                    is_group=element.tag == "group",
                    is_image=element.tag == "imagelayer",
                    is_hidden=element.attributes.get("visible", "1").lower() in ("0", "false"),
                )
            )
        return layers

    def _shift(self, element: Element, offset: tuple[float, float]) -> tuple[float, float]:
        """Return how far a layer is shifted; that of isometric maps shows how high it is, and moves nothing."""
        if self.objects.projection.is_isometric:
            return offset
        return offset[0] + element.number("offsetx", 0), offset[1] + element.number("offsety", 0)

    def _chunks(self, layer: Element, shift: tuple[float, float]) -> list[Chunk]:
        data = layer.first("data")
        if data is None:
            if self.is_infinite:
                return []
            raise ParseError("data of a tile layer", **layer.where)
        chunks = list(data.all("chunk"))
        is_empty = not data.children and not "".join(data.text).strip()
        if is_empty and not (isinstance(data, JsonElement) and data.value is not None):
            return []  # an infinite layer on which nothing was drawn
        if not chunks:
            size = layer.integer("height", self.height), layer.integer("width", self.width)
            return [self._shifted(self._chunk(data, data, (0, 0), size), shift)]
        return [
            self._shifted(
                self._chunk(
                    chunk,
                    data,
                    (chunk.integer("y"), chunk.integer("x")),
                    (chunk.integer("height"), chunk.integer("width")),
                ),
                shift,
            )
            for chunk in chunks
        ]

    def _chunk(self, holder: Element, data: Element, corner: tuple[int, int], size: tuple[int, int]) -> Chunk:
        self.budget.take(*size, holder.where)
        return Chunk(*corner, read_gids(holder, data, *size, keep_flips=self.keep_flips), find_numbers(holder, data))

    def _shifted(self, chunk: Chunk, shift: tuple[float, float]) -> Chunk:
        """Return a chunk shifted by the nearest number of tiles; of a finite map, what is then outside is cut off."""
        projection = self.objects.projection
        right, down = (
            math.floor(part / side + 0.5)
            for part, side in zip(shift, (projection.tile_width, projection.tile_height), strict=True)
        )
        if not right and not down:
            return chunk
        moved = Chunk(chunk.row + down, chunk.column + right, chunk.gids, chunk.where)
        return moved if self.is_infinite else _cut(moved, self.height, self.width)


def _width(chunk: Chunk) -> int:
    return len(chunk.gids[0]) if chunk.gids else 0


def _cut(chunk: Chunk, height: int, width: int) -> Chunk:
    above, before = max(0, -chunk.row), max(0, -chunk.column)
    if not above and not before and chunk.row + len(chunk.gids) <= height and chunk.column + _width(chunk) <= width:
        return chunk
    rows = chunk.gids[above : max(above, height - chunk.row)]
    gids: Gids = [line[before : max(before, width - chunk.column)] for line in rows]
    if not gids or not gids[0]:
        return Chunk(0, 0, [])
    return Chunk(chunk.row + above, chunk.column + before, gids)
