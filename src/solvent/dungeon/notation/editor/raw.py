"""Objects and tiles as an editor has them, before anything is decided about them, and what our own words say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.dungeon.notation.editor.objects import plain_word, terrain_of
from solvent.dungeon.notation.editor.vocabulary import WALL_FLAGS
from solvent.dungeon.notation.mapping.parsing import TERRAIN_WORDS, letter_of
from solvent.formats.companion_files import Where


class RawTile(Struct, frozen=True):
    """Hold a tile as its tile set has it."""

    tile_set: str
    id: int
    kind: str
    properties: Mapping[str, Any]
    colours: Sequence[str] = ()
    """The names of its Wang colours."""
    has_shapes: bool = False
    labels: Mapping[str, Sequence[str]] = {}
    """Tags and texts, by what they are called; it is their values that say what the tile is."""
    is_by_rule: bool = False
    """Whether a rule of the editor drew it, so that it only shows what is said elsewhere."""


class RawObject(Struct, frozen=True):
    """Hold an object as the editor has it, before anything is decided about it."""

    kind: str
    """Its class in the project's words; may be empty."""
    name: str
    properties: Mapping[str, Any]
    where: Where
    layer: str = ""
    level: str = ""
    shape: str = ""
    tile: RawTile | None = None
    """The tile it shows."""
    is_hidden: bool = False


class Decided(Struct, frozen=True):
    """Hold what an object is in our words."""

    kind: str
    """One of our classes, or a name of terrain."""
    name: str
    properties: Mapping[str, Any]
    """By plain word, those without a value left out."""


class TileMeaning(Struct, frozen=True):
    """Hold what a tile is: terrain, an object, nothing at all, or unknown."""

    letter: str | None = None
    kind: str | None = None
    is_ignored: bool = False


def given_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties that have a value."""
    return {name: value for name, value in properties.items() if value is not None and value != "" and value != []}


def ground_properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a tile's properties say about walking on it."""
    return {name: value for name, value in given_properties(properties).items() if is_about_ground(name)}


def is_about_ground(name: str) -> bool:
    """Tell whether a property of a tile says what it is to walk on, in our own words."""
    return plain_word(name) in ("terrain", "walk") or plain_word(name) in WALL_FLAGS


def terrain_word(text: str) -> str | None:
    """Return the name of the terrain that a word of ours means, if it means one."""
    letter = terrain_of(text)
    return None if letter is None else next(word for word in TERRAIN_WORDS if letter_of(word) == letter)


def own_tile_property(word: str, shown: str) -> str | None:
    """Return the terrain that a property of a tile, by plain word, means in our own words; None if it means none."""
    flag = {"true": True, "false": False, "1": True, "0": False}.get(shown.lower())
    if word == "terrain":
        return terrain_word(shown)
    if word == "walk" and shown.lower() in ("true", "false"):
        return "floor" if flag else "wall"
    if word in WALL_FLAGS and flag is not None:
        return "wall" if flag == WALL_FLAGS[word] else "floor"
    return None
