"""Read Tiled's tilesets with their terrain sets (Wang sets), also as versions 1.1 to 1.4 wrote them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Where
from solvent.formats.tiled.parsing import TERRAIN_LISTS, JsonElement, read_tiled
from solvent.formats.tiled.properties import read_kind
from solvent.formats.tiled.tilesets import TILESET_FILE

CORNER, EDGE, MIXED = "corner", "edge", "mixed"
"""The kinds of terrain set: what must match."""
MAX_COLOURS = 255


class Sheet(Struct, frozen=True):
    """Say where the tiles of a tileset are in its picture."""

    source: str
    tile_width: int
    tile_height: int
    margin: int = 0
    spacing: int = 0
    columns: int = 0
    """Tiles in a row; 0 for as many as fit."""
    image_size: tuple[int, int] = (0, 0)
    """Width and height of the picture in pixels; 0 where it does not say."""
    see_through: tuple[int, int, int] | None = None
    """The colour of the picture, red, green and blue, that stands for nothing."""


class TerrainTile(Struct, frozen=True):
    """Hold what a tileset says about one tile beside its colours."""

    kind: str = ""
    probability: float = 1.0
    source: str = ""
    """The picture of this tile alone, where each has one."""


class TerrainSet(Struct, frozen=True):
    """Hold one terrain set."""

    name: str
    kind: str
    edge_probabilities: tuple[float, ...]
    """Of colours 1, 2, … where they stand on an edge."""
    corner_probabilities: tuple[float, ...]
    tiles: tuple[tuple[int, tuple[int, ...]], ...]
    """Tile numbers, and the eight colours of each."""
    where: Where


class TerrainTileSet(Struct, frozen=True):
    """Hold a tileset as far as its terrain sets need it."""

    name: str
    sheet: Sheet | None
    tiles: Mapping[int, TerrainTile]
    sets: Sequence[TerrainSet]
    can_be_turned: bool
    """Whether Tiled may turn or flip its tiles."""
    first: int = 1
    """The number of its tile 0 in the map that has it."""
    source: str = ""
    """The file that it stands in, as the map names it; empty where that is the file that was read."""
    tile_size: tuple[int, int] = (0, 0)
    count: int = 0
    offset: tuple[int, int] = (0, 0)
    """By how many pixels tiles are drawn to the right and further down."""
    orientation: str = "orthogonal"
    """How the grid of its tiles is drawn: `isometric` for diamonds."""


def read_terrain_sets(text: str, path: Path | None = None) -> list[TerrainTileSet]:
    """Read a tileset, or those of a map, in XML or JSON; with `path`, those in files of their own beside it as well."""
    root = read_tiled(text, ("tileset", "map"), "a Tiled tileset", TERRAIN_LISTS)
    if root.tag == "tileset":
        return [_read_tileset(root)]
    found = []
    for element in root.all("tileset"):
        source, first = element.attributes.get("source", ""), element.integer("firstgid", 1)
        if not source:
            found.append(_read_tileset(element, first=first))
        elif path is None:
            raise ParseError(f"a map with the tileset inside it, or the tileset's own file: {source}", **element.where)
        else:
            beside = TILESET_FILE.read(path, source, element.where)
            try:
                inner = read_tiled(beside, ("tileset",), "a Tiled tileset", TERRAIN_LISTS)
                found.append(_read_tileset(inner, first=first, source=source))
            except ParseError as error:
                raise error.in_source(source) from None
    return sorted(found, key=lambda tileset: tileset.first)


def _read_tileset(element: Element, *, first: int = 1, source: str = "") -> TerrainTileSet:
    sets = element.first("wangsets")
    turning = element.first("transformations")
    tiles = {}
    for tile in element.all("tile"):
        number = tile.integer("id", -1 if isinstance(tile, JsonElement) else None)
        tiles[number] = TerrainTile(read_kind(tile), _read_probability(tile), _read_image(tile))
    return TerrainTileSet(
        element.attributes.get("name", ""),
        _read_sheet(element),
        tiles,
        [_read_set(one) for one in sets.all("wangset")] if sets else [],
        turning is not None
        and any(turning.attributes.get(name) in ("1", "true") for name in ("hflip", "vflip", "rotate")),
        first,
        source,
        (max(0, element.integer("tilewidth", 0)), max(0, element.integer("tileheight", 0))),
        max(0, element.integer("tilecount", 0)),
        _read_offset(element),
        _read_orientation(element),
    )


def _read_offset(tileset: Element) -> tuple[int, int]:
    offset = tileset.first("tileoffset")
    return (0, 0) if offset is None else (offset.integer("x", 0), offset.integer("y", 0))


def _read_orientation(tileset: Element) -> str:
    grid = tileset.first("grid")
    return "orthogonal" if grid is None else grid.attributes.get("orientation", "orthogonal")


def _read_sheet(tileset: Element) -> Sheet | None:
    names = ("tilewidth", "tileheight", "margin", "spacing", "columns")
    width, height, margin, spacing, columns = (tileset.integer(name, 0) for name in names)
    source = _read_image(tileset)
    if not source:
        return None
    if min(width, height) < 1 or min(margin, spacing, columns) < 0:
        raise ParseError("tiles at least 1 pixel wide and high, and no margin or spacing below 0", **tileset.where)
    size, see_through = _read_image_size(tileset), _read_see_through(tileset)
    return Sheet(source, width, height, margin, spacing, columns, size, see_through)


def _read_see_through(tileset: Element) -> tuple[int, int, int] | None:
    image = tileset.first("image")
    word = (image.attributes.get("trans") if image else None) or tileset.attributes.get("transparentcolor", "")
    found = re.fullmatch(r"#?([0-9A-Fa-f]{2})?([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})", word.strip())
    return (int(found[2], 16), int(found[3], 16), int(found[4], 16)) if found else None


def _read_image_size(tileset: Element) -> tuple[int, int]:
    """Return the size of the picture: XML says it of the image, JSON of the tileset."""
    image = tileset.first("image")
    if image is not None and "width" in image.attributes:
        return max(0, image.integer("width", 0)), max(0, image.integer("height", 0))
    return max(0, tileset.integer("imagewidth", 0)), max(0, tileset.integer("imageheight", 0))


def _read_image(element: Element) -> str:
    image = element.first("image")
    return image.attributes.get("source", "") if image else ""


def _read_probability(element: Element) -> float:
    probability = element.number("probability", 1.0)
    if not 0 <= probability <= 1e9:
        raise ParseError("probability: a number that is not below 0", probability, **element.where)
    return probability


def _read_set(element: Element) -> TerrainSet:
    kind = element.attributes.get("type", MIXED)
    if kind not in (CORNER, EDGE, MIXED):
        raise ParseError(f"type: {CORNER}, {EDGE} or {MIXED}", kind, **element.where)
    both, corners, edges = (
        tuple(_read_probability(colour) for colour in element.all(tag))
        for tag in ("wangcolor", "wangcornercolor", "wangedgecolor")
    )
    edges, corners = both or edges, both or corners
    tiles = []
    for tile in element.all("wangtile"):
        number, colours = tile.integer("tileid"), _read_wang_id(tile)
        if any(tile.attributes.get(name) == "true" for name in ("hflip", "vflip", "dflip")):
            expected = "tiles that are not flipped in the terrain set (saving with Tiled 1.5 fixes it)"
            raise ParseError(expected, **tile.where)
        if number < 0:
            raise ParseError("tileid: the number of a tile", number, **tile.where)
        for at, colour in enumerate(colours):
            known = min(len(corners if at % 2 else edges), MAX_COLOURS)
            if not 0 <= colour <= known:
                raise ParseError(f"wangid: colours from 0 to {known}", colour, **tile.where)
        tiles.append((number, colours))
    return TerrainSet(element.attributes.get("name", ""), kind, edges, corners, tuple(tiles), element.where)


def _read_wang_id(tile: Element) -> tuple[int, ...]:
    """Read eight numbers, or as Tiled wrote them before 1.5: one in hexadecimal, four bits a colour, lowest first."""
    text = tile.word("wangid").strip()
    try:
        if text.lower().startswith("0x") and int(text, 16) < 1 << 32:
            return tuple(int(text, 16) >> 4 * place & 15 for place in range(8))
        colours = tuple(int(part) for part in text.split(","))
        if len(colours) != 8:
            raise ValueError
    except ValueError:
        raise ParseError("wangid: eight whole numbers", text, **tile.where) from None
    return colours
