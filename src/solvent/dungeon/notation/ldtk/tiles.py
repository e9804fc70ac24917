"""Tiles on the layers of an LDtk level: what they mean by number, tags, data and layer, and where they lie.

Tiles that people drew may say anything. Those that rules drew only show values of an IntGrid layer, so they count by
number, tags, data or layer alone, and not as the rest of their tile set.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from solvent.dungeon.notation.editor.names import Names
from solvent.dungeon.notation.editor.objects import GATE_CLASSES, PlacedObject
from solvent.dungeon.notation.editor.raw import RawObject, RawTile, TileMeaning
from solvent.dungeon.notation.editor.vocabulary import decides
from solvent.dungeon.notation.mapping.model import IGNORE
from solvent.dungeon.rooms import pieces
from solvent.formats.ldtk.model import AUTO_LAYER, INT_GRID, TILES, GridTile, Layer, Level, TileSet
from solvent.formats.tiled.model import ObjectLink

CUSTOM_DATA = "custom_data"
"""What the texts of tiles are called in a mapping."""
_KINDS = {TILES: "tiles", AUTO_LAYER: "auto tiles"}
_LONGEST_LABEL = 120
_GROUND_WORDS = re.compile("floor|ground", re.IGNORECASE)

Cell = tuple[int, int]


class LayerTiles(Struct, frozen=True):
    """Hold the tiles of a layer that was read."""

    layer: Layer
    tiles: Sequence[GridTile]
    """In the order in which they are drawn."""
    meanings: Mapping[int, TileMeaning]
    """What each number means."""
    side: int
    """Of a tile, in pixels."""

    @property
    def says_something(self) -> bool:
        """Tell whether a tile on it is terrain or an object."""
        return any(one.letter is not None or one.kind is not None for one in self.meanings.values())


def read_layer_tiles(layer: Layer, tile_sets: Mapping[int, TileSet], names: Names) -> LayerTiles | None:
    """Return the tiles of a layer, all kept account of; None for a layer that has none, or is left out."""
    tiles = layer.tiles or layer.auto_tiles
    if layer.kind == TILES and not tiles:
        return None
    usual = names.layer(layer.identifier, _KINDS.get(layer.kind, layer.kind), is_hidden=layer.is_hidden)
    if not tiles or usual == IGNORE:
        return None
    tile_set = tile_sets.get(layer.tileset)
    called = tile_set.identifier if tile_set is not None else f"tile set {layer.tileset}"
    meanings = {}
    for id, cells in sorted(Counter(tile.id for tile in tiles).items()):
        labels = {} if tile_set is None else _labels(tile_set, id)
        raw = RawTile(called, id, "", {}, labels=labels, is_by_rule=not layer.tiles)
        meanings[id] = names.tile(raw, layer.identifier, usual if layer.kind != INT_GRID else None, cells)
    seen = names.seen.layers[layer.identifier]
    if seen.tiles_without_meaning and decides(_GROUND_WORDS.sub("", layer.identifier)):
        seen.must_be_decided = True
    side = tile_set.grid if tile_set is not None and tile_set.grid > 0 else layer.grid
    return LayerTiles(layer, tiles, meanings, side)


def _labels(tile_set: TileSet, id: int) -> dict[str, list[str]]:
    labels = {}
    if id in tile_set.tags:
        labels[tile_set.tag_enum or "tags"] = list(tile_set.tags[id])
    if tile_set.notes.get(id, "").strip():
        labels[CUSTOM_DATA] = [" ".join(tile_set.notes[id].split())[:_LONGEST_LABEL]]
    return labels


class PaintedCells(Struct, frozen=True):
    """Hold the cells of a level with tiles of one number that stand for objects."""

    kind: str
    cells: Sequence[Cell]
    layer: Layer


def place_painted(painted: Sequence[PaintedCells], level: Level, at: int, names: Names) -> Iterator[PlacedObject]:
    """Yield the objects that tiles of a level stand for; gates that touch and look the same are one."""
    for number, group in enumerate(painted):
        raw = RawObject("", "", {}, group.layer.where, group.layer.identifier, level.identifier)
        cells = sorted(set(group.cells))
        whole = pieces(cells) if group.kind in GATE_CLASSES else [[cell] for cell in cells]
        for part_number, piece in enumerate(whole):
            decided = names.object_of_tile(raw, group.kind)
            id = f"tile {at}.{number}.{part_number}"
            properties = decided.properties
            for order, cell in enumerate(sorted(piece)):
                own = id if order == 0 else f"{id}.{order}"
                yield PlacedObject(own, group.kind, "", 0, cell, 1, 1, cell, properties, group.layer.where)
                properties = {**decided.properties, "partof": ObjectLink(id)}
