"""A Tiled map as both of its file formats have it. Data, and the numbers of tiles in a layer."""

from __future__ import annotations

import base64
import binascii
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.notation.editor.objects import MAX_CELLS, Where

FLIPS = 0xF0000000
"""The bits of a tile's number that say how it is flipped and turned."""
MAX_CELLS_OF_ALL_LAYERS = 24_000_000
MAX_LAYERS = 500
DEEPEST_GROUP = 20

Gids = list[list[int]]
"""Rows of tile numbers, all equally long; 0 where there is no tile."""


class Tile(Struct, frozen=True):
    """Hold what a tileset says about one of its tiles."""

    kind: str
    properties: Mapping[str, Any]


class TileSet(Struct, frozen=True):
    """Hold a tileset: tiles by their number in it, those it says nothing about left out."""

    first: int
    tiles: Mapping[int, Tile]


class Chunk(Struct, frozen=True):
    """Hold a rectangle of tile numbers; a finite layer is one chunk."""

    row: int
    column: int
    gids: Gids


class MapObject(Struct, frozen=True):
    """Hold an object, measured in pixels; y is the lower edge of one that shows a tile."""

    id: int
    name: str
    kind: str
    x: float
    y: float
    width: float
    height: float
    rotation: float
    gid: int
    properties: Mapping[str, Any]
    where: Where


class Layer(Struct, frozen=True):
    """Hold a layer: chunks of tiles, objects, or other layers."""

    name: str
    kind: str
    properties: Mapping[str, Any]
    where: Where
    chunks: Sequence[Chunk] = ()
    objects: Sequence[MapObject] = ()
    layers: Sequence[Layer] = ()
    is_group: bool = False


class TiledMap(Struct, frozen=True):
    """Hold a map."""

    width: int
    height: int
    tile_width: int
    tile_height: int
    is_infinite: bool
    properties: Mapping[str, Any]
    tilesets: Sequence[TileSet]
    layers: Sequence[Layer]
    where: Where = field(default_factory=dict)


class CellBudget:
    """Count cells as they are read, so that a small file cannot ask for much memory."""

    def __init__(self) -> None:
        self.cells = 0
        self.layers = 0

    def take(self, height: int, width: int, where: Where) -> int:
        """Return how many cells a rectangle has, or raise ParseError for too many."""
        if height < 0 or width < 0 or height * width > MAX_CELLS:
            raise ParseError(f"at most {MAX_CELLS:,} cells", f"{width} x {height}", **where)
        self.cells += height * width
        if self.cells > MAX_CELLS_OF_ALL_LAYERS:
            raise ParseError(f"at most {MAX_CELLS_OF_ALL_LAYERS:,} cells in all layers", self.cells, **where)
        return height * width

    def take_layer(self, depth: int, where: Where) -> None:
        """Count a layer, or raise ParseError for too many, or too deep in groups."""
        self.layers += 1
        if self.layers > MAX_LAYERS or depth > DEEPEST_GROUP:
            raise ParseError(f"at most {MAX_LAYERS} layers, groups at most {DEEPEST_GROUP} deep", **where)


def check_map(orientation: str, width: int, height: int, tile_width: int, tile_height: int, where: Where) -> None:
    """Insist on an orthogonal map of a size that can be."""
    if orientation != "orthogonal":
        raise ParseError("an orthogonal map", orientation, **where)
    if tile_width < 1 or tile_height < 1:
        raise ParseError("tiles of at least one pixel", f"{tile_width} x {tile_height}", **where)
    CellBudget().take(height, width, where)


def from_numbers(numbers: Sequence[int], height: int, width: int, where: Where) -> Gids:
    """Make a rectangle of tile numbers, flips taken off."""
    if len(numbers) != height * width:
        raise ParseError(f"{height * width} tiles in {height} rows of {width}", len(numbers), **where)
    if numbers and not 0 <= min(numbers) <= max(numbers) < 1 << 32:
        raise ParseError("numbers of tiles from 0 to 4294967295", max(numbers, key=abs), **where)
    return _without_flips(numbers, height, width)


def _without_flips(numbers: Sequence[int], height: int, width: int) -> Gids:
    """Cut numbers into rows, and take flips off, of which most maps have none."""
    flipped = {number: number & ~FLIPS for number in set(numbers) if number & FLIPS}
    if flipped:
        numbers = [flipped.get(number, number) for number in numbers]
    return [list(numbers[row * width : (row + 1) * width]) for row in range(height)]


def from_csv(text: str, height: int, width: int, where: Where) -> Gids:
    """Read tile numbers with commas between them."""
    words = text.split(",")
    try:
        if max(map(len, words)) > 1000:
            raise ValueError
        return from_numbers([int(word) for word in words], height, width, where)
    except ValueError as error:
        if isinstance(error, ParseError):
            raise
        bad = next((word.strip() for word in words if not word.strip().isdecimal()), "")
        raise ParseError("numbers of tiles with commas between them", bad, **where) from None


def from_base64(text: str, compression: str, height: int, width: int, where: Where) -> Gids:
    """Read tile numbers in base64, plain or compressed; never unpacks more than there may be."""
    size = height * width * 4
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ParseError("tiles in base64", text.strip()[:40], **where) from None
    if compression in ("zlib", "gzip"):
        unpacker = zlib.decompressobj(wbits=31 if compression == "gzip" else 15)
        try:
            data = unpacker.decompress(data, size + 1)
        except zlib.error as error:
            raise ParseError(f"tiles packed with {compression} ({error})", **where) from None
        if len(data) <= size and not unpacker.eof:
            raise ParseError(f"tiles packed with {compression}, but they end too early", **where)
    elif compression:
        raise ParseError("tile layers as CSV, or base64 with no, zlib or gzip compression", compression, **where)
    if len(data) != size:
        found = f"{len(data)} bytes" if len(data) <= size else f"more than {size} bytes"
        raise ParseError(f"{height * width} tiles, which are {size} bytes", found, **where)
    numbers = array("I", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return _without_flips(numbers.tolist(), height, width)
