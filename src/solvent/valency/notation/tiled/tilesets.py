"""Tilesets of Tiled, in XML (TSX) and JSON (TSJ) or inside a map, as far as terrain sets need them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element, read_elements
from solvent.valency.notation.task_json.files import read_json

CORNER, EDGE, MIXED = "corner", "edge", "mixed"
"""The kinds of terrain set: what must match."""
MAX_COLOURS = 255
WHAT = "a Tiled tileset"


class Sheet(msgspec.Struct, frozen=True):
    """Say where the tiles of a tileset are in its picture."""

    source: str
    tile_width: int
    tile_height: int
    margin: int = 0
    spacing: int = 0
    columns: int = 0
    """Tiles in a row; 0 for as many as fit."""


class Tile(msgspec.Struct, frozen=True):
    """Hold what a tileset says about one tile beside its colours."""

    kind: str = ""
    probability: float = 1.0
    source: str = ""
    """The picture of this tile alone, where each has one."""


class WangSet(msgspec.Struct, frozen=True):
    """Hold one terrain set."""

    name: str
    kind: str
    edge_probabilities: tuple[float, ...]
    """Of colours 1, 2, … where they stand on an edge."""
    corner_probabilities: tuple[float, ...]
    tiles: tuple[tuple[int, tuple[int, ...]], ...]
    """Tile numbers, and the eight colours of each."""
    where: Mapping[str, Any]
    """Where it stands, as keyword arguments of ParseError."""


class TileSet(msgspec.Struct, frozen=True):
    """Hold what is needed of a tileset."""

    name: str
    sheet: Sheet | None
    tiles: Mapping[int, Tile]
    sets: Sequence[WangSet]
    can_be_turned: bool = False
    """Whether Tiled may turn or flip its tiles."""


def read_tilesets(text: str) -> list[TileSet]:
    """Read a tileset, or those inside a map; tilesets in other files are not looked for."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        found = read_json(text, _JsonFile, WHAT)
        inside = [(f"$.tilesets[{number}]", one) for number, one in enumerate(found.tilesets)]
        tilesets = inside if found.tilesets else [("$", found)]
        sources = [one.source for _, one in tilesets if one.source]
        read = [_read_json_tileset(path, one) for path, one in tilesets if not one.source]
    else:
        root = read_elements(text, ("tileset", "map"), WHAT)
        elements = [root] if root.tag == "tileset" else list(root.all("tileset"))
        sources = [one.attributes["source"] for one in elements if one.attributes.get("source")]
        read = [_read_xml_tileset(one) for one in elements if not one.attributes.get("source")]
    if sources and not any(tileset.sets for tileset in read):
        raise ParseError(f"a map with the tileset inside it, or the tileset's own file: {sources[0]}")
    return read


class _JsonColour(msgspec.Struct):
    probability: float = 1.0


class _JsonWangTile(msgspec.Struct):
    tileid: int
    wangid: list[int]
    hflip: bool = False
    vflip: bool = False
    dflip: bool = False


class _JsonWangSet(msgspec.Struct):
    name: str = ""
    type: str = MIXED
    colors: list[_JsonColour] = []
    cornercolors: list[_JsonColour] = []
    edgecolors: list[_JsonColour] = []
    wangtiles: list[_JsonWangTile] = []


class _JsonTile(msgspec.Struct):
    id: int = -1
    type: str = ""
    class_: str = msgspec.field(name="class", default="")
    probability: float = 1.0
    image: str = ""


class _JsonTransformations(msgspec.Struct, frozen=True):
    hflip: bool = False
    vflip: bool = False
    rotate: bool = False


class _JsonTileSet(msgspec.Struct):
    name: str = ""
    source: str = ""
    image: str = ""
    tilewidth: int = 0
    tileheight: int = 0
    margin: int = 0
    spacing: int = 0
    columns: int = 0
    tiles: list[_JsonTile] | dict[str, _JsonTile] = []
    wangsets: list[_JsonWangSet] = []
    transformations: _JsonTransformations = _JsonTransformations()


class _JsonFile(_JsonTileSet):
    tilesets: list[_JsonTileSet] = []


def _read_json_tileset(path: str, said: _JsonTileSet) -> TileSet:
    tiles = [*said.tiles.values()] if isinstance(said.tiles, dict) else said.tiles
    numbers = [int(key) for key in said.tiles if key.isdigit()] if isinstance(said.tiles, dict) else []
    numbers = numbers if len(numbers) == len(tiles) else [tile.id for tile in tiles]
    where = {"path": path}
    return TileSet(
        said.name,
        _make_sheet(said.image, said.tilewidth, said.tileheight, said.margin, said.spacing, said.columns, where=where),
        {
            number: _make_tile(tile.class_ or tile.type, tile.probability, tile.image, where)
            for number, tile in zip(numbers, tiles, strict=True)
        },
        [_read_json_set(f"{path}.wangsets[{number}]", one) for number, one in enumerate(said.wangsets)],
        said.transformations.hflip or said.transformations.vflip or said.transformations.rotate,
    )


def _read_json_set(path: str, said: _JsonWangSet) -> WangSet:
    tiles = []
    for number, tile in enumerate(said.wangtiles):
        where = {"path": f"{path}.wangtiles[{number}]"}
        _require_unflipped(tile.hflip or tile.vflip or tile.dflip, where)
        tiles.append((tile.tileid, tile.wangid, where))
    colours = [colour.probability for colour in said.colors]
    corners = [colour.probability for colour in said.cornercolors]
    edges = [colour.probability for colour in said.edgecolors]
    return _make_set(said.name, said.type, (colours or edges, colours or corners), tiles, {"path": path})


def _read_xml_tileset(found: Element) -> TileSet:
    image = found.first("image")
    size = [found.integer(name, 0) for name in ("tilewidth", "tileheight", "margin", "spacing", "columns")]
    tiles = {}
    for tile in found.all("tile"):
        own = tile.first("image")
        tiles[tile.integer("id")] = _make_tile(
            tile.attributes.get("class") or tile.attributes.get("type") or "",
            tile.number("probability", 1.0),
            own.attributes.get("source", "") if own else "",
            tile.where,
        )
    sets = found.first("wangsets")
    turning = found.first("transformations")
    return TileSet(
        found.attributes.get("name", ""),
        _make_sheet(image.attributes.get("source", "") if image else "", *size, where=found.where),
        tiles,
        [_read_xml_set(one) for one in sets.all("wangset")] if sets else [],
        turning is not None and any(turning.attributes.get(name) == "1" for name in ("hflip", "vflip", "rotate")),
    )


def _read_xml_set(found: Element) -> WangSet:
    tiles = []
    for tile in found.all("wangtile"):
        _require_unflipped(any(tile.attributes.get(name) == "true" for name in ("hflip", "vflip", "dflip")), tile.where)
        tiles.append((tile.integer("tileid"), _read_wang_id(tile), tile.where))
    colours, corners, edges = (
        [colour.number("probability", 1.0) for colour in found.all(tag)]
        for tag in ("wangcolor", "wangcornercolor", "wangedgecolor")
    )
    kind = found.attributes.get("type", MIXED)
    return _make_set(found.attributes.get("name", ""), kind, (colours or edges, colours or corners), tiles, found.where)


def _read_wang_id(tile: Element) -> list[int]:
    """Read eight numbers, or as Tiled wrote them before 1.5: one in hexadecimal, four bits a colour, lowest first."""
    said = tile.word("wangid").strip()
    try:
        if said.lower().startswith("0x"):
            whole = int(said, 16)
            return [whole >> 4 * place & 15 for place in range(8)] if whole < 1 << 32 else []
        return [int(part) for part in said.split(",")]
    except ValueError:
        raise ParseError("wangid: eight whole numbers", said, **tile.where) from None


def _make_sheet(
    source: str, width: int, height: int, margin: int, spacing: int, columns: int, *, where: Mapping[str, Any]
) -> Sheet | None:
    if not source:
        return None
    if min(width, height) < 1 or min(margin, spacing, columns) < 0:
        raise ParseError("tiles at least 1 pixel wide and high, and no margin or spacing below 0", **where)
    return Sheet(source, width, height, margin, spacing, columns)


def _make_tile(kind: str, probability: float, source: str, where: Mapping[str, Any]) -> Tile:
    _require_probability(probability, where)
    return Tile(kind, probability, source)


def _make_set(
    name: str,
    kind: str,
    probabilities: tuple[list[float], list[float]],
    tiles: Sequence[tuple[int, list[int], Mapping[str, Any]]],
    where: Mapping[str, Any],
) -> WangSet:
    if kind not in (CORNER, EDGE, MIXED):
        raise ParseError(f"type: {CORNER}, {EDGE} or {MIXED}", kind, **where)
    for probability in (*probabilities[0], *probabilities[1]):
        _require_probability(probability, where)
    known = [min(len(colours), MAX_COLOURS) for colours in probabilities]
    for number, colours, place in tiles:
        if number < 0:
            raise ParseError("tileid: the number of a tile", number, **place)
        if len(colours) != 8:
            raise ParseError("wangid: eight whole numbers", colours, **place)
        for at, colour in enumerate(colours):
            if not 0 <= colour <= known[at % 2]:
                raise ParseError(f"wangid: colours from 0 to {known[at % 2]}", colour, **place)
    edges, corners = probabilities
    return WangSet(name, kind, tuple(edges), tuple(corners), tuple((one, tuple(ids)) for one, ids, _ in tiles), where)


def _require_probability(probability: float, where: Mapping[str, Any]) -> None:
    if not 0 <= probability <= 1e9:
        raise ParseError("probability: a number that is not below 0", probability, **where)


def _require_unflipped(is_flipped: bool, where: Mapping[str, Any]) -> None:
    if is_flipped:
        raise ParseError("tiles that are not flipped in the terrain set (saving with Tiled 1.5 mends it)", **where)
