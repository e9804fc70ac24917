"""What tiles of tile layers and values of IntGrid layers mean, by the project's mapping and by our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, NOTHING, WALL
from solvent.dungeon.notation.editor.inventory import ClassSeen, Inventory, LayerSeen, Seen, TileSetSeen, sample_of
from solvent.dungeon.notation.editor.objects import find_class, plain_word
from solvent.dungeon.notation.editor.raw import (
    RawTile,
    TileMeaning,
    given_properties,
    ground_properties,
    own_tile_property,
    terrain_word,
)
from solvent.dungeon.notation.editor.vocabulary import PROPERTIES, decides, is_like_a_class
from solvent.dungeon.notation.mapping.model import IGNORE, ClassMeaning, NameMapping
from solvent.dungeon.notation.mapping.parsing import letter_of

_NARROWER = {("wall", "water"), *(("floor", word) for word in ("north", "east", "south", "west"))}
"""Terrain that says the same as another, and more: what is walked on in one direction is walked on."""


class GroundNames:
    """Decide what tiles and values mean, and keep account of them."""

    def __init__(self, mapping: NameMapping) -> None:
        self.mapping = mapping
        self.seen = Inventory()
        self._alike = {plain_word(name): meaning for name, meaning in mapping.classes.items()}

    def class_meaning(self, kind: str) -> ClassMeaning | None:
        """Return what the mapping says of a class; one that is spelt alike will do."""
        return self.mapping.classes.get(kind) or self._alike.get(plain_word(kind)) if kind else None

    # Tiles

    def tile(self, raw: RawTile, layer: str, usual: str | None, cells: int) -> TileMeaning:
        """Return what a tile is; `usual` is what its layer says of tiles that say nothing themselves."""
        known = self.seen.tile_sets.setdefault(raw.tile_set, TileSetSeen())
        seen = Seen() if raw.is_by_rule else known.ids.setdefault(raw.id, Seen())
        seen.note(count=cells)
        for colour in raw.colours:
            known.colours.setdefault(colour, Seen()).note(count=cells)
        meaning = self._tile(raw, known, cells)
        if meaning is None:
            meaning = usual
            if usual == "floor" == terrain_word(layer) and layer not in self.mapping.layers:
                self.seen.layers.setdefault(layer, LayerSeen()).is_floor_by_name = True
        given = self.mapping.tiles.get(raw.tile_set)
        if meaning is None and not raw.is_by_rule:
            meaning = (given.rest if given is not None else None) or self.mapping.tiles_otherwise
        seen.meaning = meaning
        if meaning is None:
            account = self.seen.layers.setdefault(layer, LayerSeen())
            if raw.is_by_rule:
                account.ruled_cells += cells
            else:
                account.tiles_without_meaning[raw.tile_set, raw.id] += cells
            return TileMeaning()
        if meaning == IGNORE:
            return TileMeaning(is_ignored=True)
        letter = letter_of(meaning)
        if letter is None:  # an object, whose tile may say as well what lies under it
            below = self._tile_property(ground_properties(raw.properties), cells, (raw.tile_set, raw.id))
            return TileMeaning(letter_of(below or ""), meaning)
        self.seen.says_wall = self.seen.says_wall or letter == WALL
        return TileMeaning(letter)

    def shown_terrain(self, raw: RawTile) -> str | None:
        """Return what bars the cells of an object that shows a tile; None if the tile bars nothing.

        A picture of floor that hangs on a wall is no hole in it.
        """
        known = self.seen.tile_sets.setdefault(raw.tile_set, TileSetSeen())
        for colour in raw.colours:
            known.colours.setdefault(colour, Seen())
        meaning = self._tile(replace(raw, kind=""), known, 1)
        letter = letter_of(meaning or "")
        if letter in (None, FLOOR, NOTHING):
            return None
        self.seen.says_wall = self.seen.says_wall or letter == WALL
        return meaning

    def _tile(self, raw: RawTile, known: TileSetSeen, cells: int) -> str | None:
        """Return what a tile's own set and the mapping say of it."""
        mapping = self.mapping
        given = mapping.tiles.get(raw.tile_set)
        if given is not None and raw.id in given.ids:
            return given.ids[raw.id]
        is_object = self._class_of_tile(raw)
        properties = given_properties(raw.properties)
        found = None if is_object is not None else self._tile_property(properties, cells, (raw.tile_set, raw.id))
        for name, values in raw.labels.items():
            for value in values:
                meaning = self._value_of_tile(name, value, cells, matters=decides(name) or decides(value))
                found = meaning if found is None and meaning != IGNORE else found
        if found is not None:
            return found
        if is_object is not None:
            return is_object
        if raw.has_shapes:
            self.seen.collision_shapes.note(count=cells)
            if mapping.collision_shapes not in (None, IGNORE):
                return mapping.collision_shapes
        return self._wang(raw, known)

    def _class_of_tile(self, raw: RawTile) -> str | None:
        if not raw.kind:
            return None
        mapped = self.class_meaning(raw.kind)
        kind = mapped.is_ if mapped is not None and mapped.is_ is not None else None
        own = find_class(raw.kind)
        kind = kind or (None if own is None else own)
        if kind in PROPERTIES or kind == IGNORE:
            # What it has in common with objects of its class is kept account of where it is placed.
            self.seen.classes.setdefault(raw.kind, ClassSeen()).meaning = kind
            return kind
        kind = kind or terrain_word(raw.kind)
        account = self.seen.classes.setdefault(raw.kind, ClassSeen())
        account.note()
        account.meaning = kind
        if kind is None:
            account.must_be_decided = account.must_be_decided or decides(raw.kind) or is_like_a_class(raw.kind)
        # A tile's own properties come before its class, so that terrain is left to the caller.
        return None if kind is None or self._says_terrain(raw.properties) else kind

    def _says_terrain(self, properties: Mapping[str, Any]) -> bool:
        return any(
            plain_word(name) in ("terrain", "walk") or plain_word(name) in self.mapping.tile_properties
            for name in given_properties(properties)
        )

    def _tile_property(self, properties: Mapping[str, Any], cells: int, tile: tuple[str, int]) -> str | None:
        """Return what the properties of a tile say; where two differ, that is kept account of."""
        found: str | None = None
        first = ""
        for name, value in properties.items():
            matters = decides(name) or plain_word(name) in ("terrain", "walk")
            meaning = self._value_of_tile(name, sample_of(value), cells, matters=matters)
            if meaning is None or meaning == IGNORE:
                continue
            said = f"{name} = {sample_of(value)} is {meaning}"
            if found is None or (found, meaning) in _NARROWER:
                found, first = meaning, said
            elif meaning != found and (meaning, found) not in _NARROWER:
                self.seen.contradictions.setdefault(tile, f"{first}, but {said}")
        return found

    def _value_of_tile(self, name: str, value: str, cells: int, *, matters: bool) -> str | None:
        """Return what a value of a property or label of a tile means; one that matters must mean something."""
        seen = self.seen.tile_properties.setdefault(name, {}).setdefault(value, Seen())
        seen.note(count=cells)
        mapped = {
            _plain_value(key): meaning
            for key, meaning in self.mapping.tile_properties.get(plain_word(name), {}).items()
        }
        seen.meaning = mapped.get(_plain_value(value)) or own_tile_property(plain_word(name), value)
        seen.must_be_decided = seen.meaning is None and matters
        return seen.meaning

    def _wang(self, raw: RawTile, known: TileSetSeen) -> str | None:
        given = self.mapping.wang.get(raw.tile_set)
        if not given or not raw.colours:
            return None
        meanings = set()
        for colour in raw.colours:
            known.colours[colour].meaning = given.get(colour)
            meanings.add(given.get(colour))
        if len(meanings) == 1:
            return meanings.pop()
        return given.get("mixed")

    # IntGrid

    def int_value(self, layer: str, value: int, identifier: str | None, cells: int, *, is_defined: bool = True) -> str:
        """Return the terrain letter of a value of an IntGrid layer; FLOOR for one that is still to be decided.

        A value that the project does not define is not what its layer is called.
        """
        called = identifier or str(value)
        seen = self.seen.int_grids.setdefault(layer, {}).setdefault(called, Seen())
        seen.note(count=cells)
        given = self.mapping.int_grid.get(layer, {})
        meaning = given.get(called) or given.get(str(value)) or self.mapping.layers.get(layer)
        if meaning is None and is_defined:
            own = terrain_word(identifier or "") or terrain_word(layer)
            if own is not None and terrain_word(identifier or "") is None and identifier and decides(identifier):
                own = None  # a ladder in a layer called Collisions is not a wall for certain
            meaning = own
            seen.is_by_layer = own is not None and terrain_word(identifier or "") is None
        seen.meaning = meaning
        if meaning is None:
            seen.must_be_decided = seen.must_be_decided or cells > 0
            return FLOOR
        if meaning == IGNORE:
            return ""
        letter = letter_of(meaning)
        if letter is None:
            raise ParseError("terrain for the values of an IntGrid layer", meaning, source=self.mapping.source or None)
        if cells:
            self.seen.says_wall = self.seen.says_wall or letter == WALL
        return letter


def _plain_value(text: str) -> str:
    return text.strip().lower()
