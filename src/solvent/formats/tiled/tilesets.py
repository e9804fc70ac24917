"""The tilesets of a Tiled map, inside it or in files of their own, and those that only its templates use."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Companion, Where
from solvent.formats.tiled.model import Tile, TiledMap, TileSet
from solvent.formats.tiled.parsing import MAP_LISTS, read_tiled
from solvent.formats.tiled.properties import ObjectTypes, read_kind, read_properties
from solvent.formats.tiled.tile_colours import read_tile_colours

TILESET_FILE = Companion("tileset", (".tsx", ".tsj", ".json", ".xml"))
_NO_TILE = Tile("", {})
_BEYOND = 1 << 32
"""No number of a tile in a map reaches this."""


class TileSetReader:
    """Read the tilesets of a map, each file once."""

    def __init__(self, types: ObjectTypes) -> None:
        self.types = types
        self.tilesets: list[TileSet] = []
        self._firsts: dict[Path, int] = {}
        """Of tilesets in files, by their path."""
        self._files: dict[Path, TileSet] = {}

    def add(self, element: Element, path: Path | None) -> None:
        """Read a tileset of the map, in the file `path`."""
        first = element.integer("firstgid", 1)
        self.tilesets.append(replace(self._read(element, path), first=first))
        source = element.attributes.get("source")
        if source and path is not None:
            self._firsts.setdefault(_real(TILESET_FILE.find(path, source, element.where)), first)

    def first_of_template(self, element: Element, path: Path) -> int:
        """Return the number in the map of tile 0 of a template's tileset, which need not be one of the map's."""
        source = element.attributes.get("source", "")
        place = _real(TILESET_FILE.find(path, source, element.where)) if source else path
        if place not in self._firsts:
            first = _BEYOND * (len(self.tilesets) + 1)
            self.tilesets.append(replace(self._read(element, path), first=first))
            self._firsts[place] = first
        return self._firsts[place]

    def _read(self, element: Element, path: Path | None) -> TileSet:
        source = element.attributes.get("source")
        if not source:
            return self._read_tiles(element, "")
        place = TILESET_FILE.find(path, source, element.where)
        if place not in self._files:
            text = TILESET_FILE.read(path, source, element.where)
            try:
                root = read_tiled(text, ("tileset",), "a Tiled tileset", MAP_LISTS)
                self._files[place] = self._read_tiles(root, source)
            except ParseError as error:
                raise error.in_source(source) from None
        return self._files[place]

    def _read_tiles(self, tileset: Element, source: str) -> TileSet:
        return TileSet(
            first=1,
            tiles={
                tile.integer("id"): Tile(read_kind(tile), read_properties(tile, self.types), _has_shapes(tile))
                for tile in tileset.all("tile")
            },
            count=max(0, tileset.integer("tilecount", 0)),
            colours=read_tile_colours(tileset),
            name=tileset.attributes.get("name") or PurePosixPath(source.replace("\\", "/")).stem,
            tile_width=max(0, tileset.integer("tilewidth", 0)),
            tile_height=max(0, tileset.integer("tileheight", 0)),
            alignment=tileset.attributes.get("objectalignment", ""),
            properties=read_properties(tileset, self.types),
        )


class TileFinder:
    """Find what the tilesets say about a tile by its number in the map."""

    def __init__(self, tilesets: TiledMap | list[TileSet]) -> None:
        known = tilesets.tilesets if isinstance(tilesets, TiledMap) else tilesets
        self.tilesets = sorted(known, key=lambda tileset: tileset.first)
        self.firsts = [tileset.first for tileset in self.tilesets]

    def tileset(self, gid: int, where: Where) -> TileSet:
        """Return the tileset of a tile, or raise ParseError for a tile of none."""
        at = bisect_right(self.firsts, gid) - 1
        if at < 0:
            raise ParseError("tiles of a tileset that the map has", gid, **where)
        return self.tilesets[at]

    def find(self, gid: int, where: Where) -> Tile:
        """Return the tile, or raise ParseError for one of no tileset."""
        tileset = self.tileset(gid, where)
        return tileset.tiles.get(gid - tileset.first, _NO_TILE)


def _has_shapes(tile: Element) -> bool:
    """Tell whether shapes were drawn on a tile in the collision editor."""
    return "objectgroup" in tile.attributes or any(list(group.all("object")) for group in tile.all("objectgroup"))


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path
