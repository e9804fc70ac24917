"""An LDtk project, whichever version wrote it and however many files it is spread over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.formats.companion_files import Where

GRIDVANIA, FREE, LINEAR_HORIZONTAL, LINEAR_VERTICAL = "GridVania", "Free", "LinearHorizontal", "LinearVertical"
MANUAL_LAYOUTS = (GRIDVANIA, FREE)
"""The layouts of a world in which people put levels where they belong; in others they are only lined up."""
INT_GRID, ENTITIES, TILES, AUTO_LAYER = "IntGrid", "Entities", "Tiles", "AutoLayer"
"""The kinds of layers."""


class EntityLink(Struct, frozen=True):
    """Hold the value of a field that refers to an entity."""

    iid: str
    level: str = ""
    """The iid of its level, where the file says it."""


class GridPoint(Struct, frozen=True):
    """Hold the value of a field that is a point: a cell of the entity's layer, in its own level."""

    column: int
    row: int


class Field(Struct, frozen=True):
    """Hold a field of a level or entity."""

    identifier: str
    kind: str
    """Its type as LDtk writes it, such as `Int`, `LocalEnum.Item` or `Array<EntityRef>`; may be empty."""
    value: Any
    """None where it has none; links and points as above, lists of any of these."""


class Entity(Struct, frozen=True):
    """Hold an entity, measured in pixels from the corner of its layer."""

    identifier: str
    iid: str
    """May be empty: versions before 1.0 have none."""
    grid: tuple[int, int]
    """Column and row of the cell of its layer that it stands on."""
    left: float
    top: float
    width: int
    height: int
    has_box: bool
    """Whether the file says where its box is; otherwise its cell is all that is known."""
    tags: Sequence[str]
    fields: Sequence[Field]
    where: Where


class GridTile(Struct, frozen=True, gc=False):
    """Hold a tile of a layer, in pixels from the layer's corner."""

    x: int
    y: int
    id: int
    """Its number in the tileset; -1 where the file does not say it."""


class LayerDefinition(Struct, frozen=True):
    """Hold what a project says about a layer in all levels."""

    uid: int
    identifier: str
    kind: str
    value_names: Mapping[int, str | None]
    """The values of an IntGrid layer and what they are called, if anything."""


class Layer(Struct, frozen=True):
    """Hold a layer of a level."""

    identifier: str
    kind: str
    definition: int
    """The uid of its definition; -1 if the file does not say it."""
    width: int
    """In cells."""
    height: int
    grid: int
    """The side of a cell in pixels."""
    offset_x: int
    offset_y: int
    values: Sequence[int]
    """Of an IntGrid layer: row by row, 0 for none; as many as there are cells, or none at all."""
    tiles: Sequence[GridTile]
    """Tiles that people drew."""
    auto_tiles: Sequence[GridTile]
    """Tiles that rules made of the values."""
    tileset: int
    """The uid of its tileset; -1 for none."""
    entities: Sequence[Entity]
    where: Where


class Neighbour(Struct, frozen=True):
    """Hold what a level says about another that touches it."""

    level: str
    """Its iid, or for versions before 1.0 its uid."""
    direction: str
    """`n`, `e`, `s`, `w`, a corner such as `ne`, `<` and `>` for the next depths, `o` for one that overlaps it."""


class Level(Struct, frozen=True):
    """Hold a level. Its layers are in the order of the file: the first is the highest."""

    identifier: str
    iid: str
    uid: int
    x: int | None
    """Where it lies in its world, in pixels; None where that says nothing."""
    y: int | None
    depth: int
    width: int
    """In pixels; 0 where the file does not say it."""
    height: int
    fields: Sequence[Field]
    layers: Sequence[Layer]
    neighbours: Sequence[Neighbour]
    where: Where


class World(Struct, frozen=True):
    """Hold a world; a project without worlds of its own is one."""

    identifier: str
    layout: str
    """GRIDVANIA, FREE, LINEAR_HORIZONTAL or LINEAR_VERTICAL; empty where the file does not say it."""
    levels: Sequence[Level]


class TileSet(Struct, frozen=True):
    """Hold what a project says about a tileset's tiles: tags that are values of an enum, and texts."""

    uid: int
    identifier: str
    grid: int
    tags: Mapping[int, Sequence[str]]
    notes: Mapping[int, str]


class Enum(Struct, frozen=True):
    """Hold an enum and its values."""

    identifier: str
    values: Sequence[str]


class Project(Struct, frozen=True):
    """Hold a project."""

    version: str
    layers: Sequence[LayerDefinition]
    tilesets: Sequence[TileSet]
    enums: Sequence[Enum]
    worlds: Sequence[World]

    def levels(self) -> list[Level]:
        """Return the levels of all worlds."""
        return [level for world in self.worlds for level in world.levels]
