"""Every name met while a file of a level editor was read, with how often, samples of values, and what it was taken for.

Errors, remarks and first mappings are written from this.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct, field

from solvent.formats.tiled.model import ObjectLink

_SAMPLES = 4
_LONGEST_SAMPLE = 24


def sample_of(value: Any) -> str:
    """Return a value as a comment or message shows it."""
    if isinstance(value, ObjectLink):
        return "a link"
    if isinstance(value, list):
        inner = ", ".join(map(sample_of, value[:3]))
        return f"[{inner}{', …' if len(value) > 3 else ''}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str | int | float):
        return "a record"
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST_SAMPLE else text[: _LONGEST_SAMPLE - 1] + "…"


class Seen(Struct):
    """Hold a name: how often it was met, some values, and what it means."""

    count: int = 0
    samples: list[str] = field(default_factory=list)
    meaning: str | None = None
    """What it was taken for; None if that is not known."""
    is_by_layer: bool = False
    """Whether it was taken for what its layer is called."""
    must_be_decided: bool = False
    """Whether reading cannot go on before somebody says what it means."""

    def note(self, value: Any = None, count: int = 1) -> None:
        """Count a use, and keep a few different values."""
        self.count += count
        if value is not None and len(self.samples) < _SAMPLES:
            shown = sample_of(value)
            if shown not in self.samples:
                self.samples.append(shown)


class ClassSeen(Seen):
    """Hold a class of objects, with its properties."""

    properties: dict[str, Seen] = field(default_factory=dict)


class LayerSeen(Seen):
    """Hold a layer."""

    kind: str = "tiles"
    """`tiles`, `objects`, `IntGrid` or `image`."""
    is_hidden: bool = False
    has_classes: bool = False
    """Whether an object on it has a class."""
    tiles_without_meaning: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Tile set and id, and how many cells have it."""
    is_floor_by_name: bool = False
    """Whether tiles that say nothing were taken for floor since the layer is called so."""
    ruled_cells: int = 0
    """How many tiles that say nothing were drawn by rules."""


class TileSetSeen(Struct):
    """Hold a tile set: its tiles that are used, and the colours of its terrains."""

    ids: dict[int, Seen] = field(default_factory=dict)
    colours: dict[str, Seen] = field(default_factory=dict)
    """Names of Wang colours on the tiles in use."""


class Inventory(Struct):
    """Hold all names of one or more files."""

    classes: dict[str, ClassSeen] = field(default_factory=dict)
    nameless: dict[tuple[str, str], ClassSeen] = field(default_factory=dict)
    """Objects without a class, by layer and name."""
    layers: dict[str, LayerSeen] = field(default_factory=dict)
    tile_sets: dict[str, TileSetSeen] = field(default_factory=dict)
    tile_properties: dict[str, dict[str, Seen]] = field(default_factory=dict)
    """By name and value."""
    int_grids: dict[str, dict[str, Seen]] = field(default_factory=dict)
    """Values of each layer, by their name, or number if they have none."""
    settings: dict[str, Seen] = field(default_factory=dict)
    """Properties of maps and levels that are not understood."""
    layer_properties: dict[str, Seen] = field(default_factory=dict)
    collision_shapes: Seen = field(default_factory=Seen)
    missing_tiles: Counter[int] = field(default_factory=Counter)
    """Numbers of tiles that no tile set has."""
    outlines: list[str] = field(default_factory=list)
    """Polygons and lines that cover tiles, in words."""
    hidden_objects: Counter[str] = field(default_factory=Counter)
    """Objects that are read although they are hidden, in words."""
    contradictions: dict[tuple[str, int], str] = field(default_factory=dict)
    """Tiles, by set and id, of which two properties differ, and how, in words."""
    ignored_objects: int = 0
    """Objects that the file says are to be ignored, or that lie in layers that are."""
    lacks_tiles: bool = False
    """Whether there is a map with objects and without a tile layer."""
    says_wall: bool = False
    has_start: bool = False
    has_goal: bool = False
    empty_cells: int = 0
