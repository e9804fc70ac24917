"""A Tiled map as both of its notations have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.formats.companion_files import Where

Gids = list[list[int]]
"""Rows of tile numbers, all equally long; 0 where there is no tile."""


class ObjectLink(Struct, frozen=True):
    """Hold the value of a property that links to an object."""

    id: str


class Record(Struct, frozen=True):
    """Hold the place of a value that is a record of a class of its own; what is in it is not read."""

    kind: str = ""


class Tile(Struct, frozen=True):
    """Hold what a tileset says about one of its tiles."""

    kind: str
    """Its class, which some versions call its type."""
    properties: Mapping[str, Any]
    has_shapes: bool = False
    """Whether it has shapes drawn in the collision editor."""


class TileSet(Struct, frozen=True):
    """Hold a tileset: tiles by their number in it, those it says nothing about left out."""

    first: int
    """The number in the map of its tile 0; beyond all numbers of the map for one that only templates use."""
    tiles: Mapping[int, Tile]
    name: str = ""
    count: int = 0
    """How many tiles it has; 0 if it does not say."""
    colours: Mapping[int, Sequence[str]] = {}
    """The names of the Wang colours on each tile that has some."""
    tile_width: int = 0
    """In pixels; 0 where it does not say."""
    tile_height: int = 0
    alignment: str = ""
    """Which point of a tile is at the place of an object that shows it, such as `bottomleft`; empty for the usual."""
    properties: Mapping[str, Any] = {}
    """Of the tileset as a whole."""


class Chunk(Struct, frozen=True):
    """Hold a rectangle of tile numbers; a finite layer is one chunk."""

    row: int
    column: int
    gids: Gids
    where: Where = {}
    """Where its numbers stand one by one: the line of the element, or the path of the list; empty if they do not."""


class MapObject(Struct, frozen=True):
    """Hold an object, measured in pixels of an orthogonal map, whatever the map is; offsets of layers are in it.

    The place of one that shows a tile is its lower left corner, of others the upper left one; it turns about that.
    What its template, its tile and its class say is in it, where it says nothing itself.
    """

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
    shape: str = ""
    """`ellipse`, `point`, `polygon`, `polyline`, `text` or `capsule`; empty for a rectangle or a tile. Polygons and
    lines are as large as the box around them."""
    is_hidden: bool = False


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
    is_image: bool = False
    is_hidden: bool = False


class TiledMap(Struct, frozen=True):
    """Hold a map."""

    width: int
    height: int
    tile_width: int
    tile_height: int
    is_infinite: bool
    is_isometric: bool
    properties: Mapping[str, Any]
    tilesets: Sequence[TileSet]
    layers: Sequence[Layer]
    where: Where
    orientation: str = "orthogonal"
    hex_side: int = 0
    """Pixels of the straight side of a hexagon, where the map is drawn with some."""
    stagger_axis: str = "y"
    """Along which axis every second row or column of a hexagonal or staggered map is shifted."""
    stagger_index: str = "odd"
