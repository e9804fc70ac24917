"""What a mapping says, checked and ready to be asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

IGNORE = "ignore"
UNDECIDED = "?"
"""What a first mapping has where nothing is decided yet; it counts as not being there."""


class PropertyMeaning(Struct, frozen=True):
    """Hold what a property of theirs is to us."""

    is_: str
    """One of our properties, by plain word, or IGNORE."""
    values: Mapping[str, Any] = {}
    """Their values, as texts, and ours; others stay as they are."""


class ClassMeaning(Struct, frozen=True):
    """Hold what a class of theirs is to us."""

    is_: str | None = None
    """One of our classes, the name of a terrain, or IGNORE; None where only properties are decided."""
    properties: Mapping[str, PropertyMeaning] = {}
    """By `plain_word` of their name."""


class ObjectRule(Struct, frozen=True):
    """Hold what some objects are; all of its conditions must hold."""

    meaning: ClassMeaning
    kind: str | None = None
    """Their class; empty for objects without one."""
    name: str | None = None
    layer: str | None = None
    level: str | None = None
    file: str | None = None
    where: Mapping[str, Any] = {}
    """Properties with the values they must have, by plain word."""
    path: str = ""


class PlacedThing(Struct, frozen=True):
    """Hold a thing that the project has no object for."""

    is_: str
    row: int
    column: int
    level: str | None = None
    height: int = 1
    width: int = 1
    name: str = ""
    file: str | None = None
    properties: Mapping[str, Any] = {}
    path: str = ""


class TileSetMeaning(Struct, frozen=True):
    """Hold what the tiles of a tile set are."""

    ids: Mapping[int, str] = {}
    rest: str | None = None


class NameMapping(Struct, frozen=True):
    """Hold a mapping. Meanings are our classes, names of terrain, or IGNORE."""

    source: str = ""
    """The file it came from, as messages call it."""
    walls: str | None = None
    """`none` where a map without any wall is meant."""
    empty: str | None = None
    """What a cell is in which nothing was drawn."""
    tiles_otherwise: str | None = None
    """What a tile is about which nothing else says anything."""
    collision_shapes: str | None = None
    """What a tile is that has shapes of Tiled's collision editor."""
    classes: Mapping[str, ClassMeaning] = {}
    names: Mapping[str, ClassMeaning] = {}
    """What objects of a certain name are, whatever their class."""
    properties: Mapping[str, PropertyMeaning] = {}
    layers: Mapping[str, str] = {}
    levels: Mapping[str, str] = {}
    tiles: Mapping[str, TileSetMeaning] = {}
    wang: Mapping[str, Mapping[str, str]] = {}
    tile_properties: Mapping[str, Mapping[str, str]] = {}
    int_grid: Mapping[str, Mapping[str, str]] = {}
    objects: Sequence[ObjectRule] = ()
    places: Sequence[PlacedThing] = ()
    raw: Mapping[str, Any] = field(default_factory=dict)
    """The file as it was, for writing it again."""


NO_MAPPING = NameMapping()
