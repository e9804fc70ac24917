"""What the JSON of an LDtk project may hold, as far as it is read; keys of other versions may be there or not."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field


class ValueShape(Struct):
    """Describe a value of an IntGrid layer."""

    value: int = 0
    """0 in versions that number values by their order."""
    identifier: str | None = None


class LayerDefShape(Struct):
    """Describe the definition of a layer."""

    identifier: str = ""
    uid: int = -1
    type: str | None = None
    kind: str = field(name="__type", default="")
    intGridValues: list[ValueShape] | None = None


class EnumTagShape(Struct):
    """Describe the tiles that have a tag."""

    enumValueId: str = ""
    tileIds: list[int] = []


class TileDataShape(Struct):
    """Describe the text of a tile."""

    tileId: int = -1
    data: str = ""


class TileSetShape(Struct):
    """Describe a tileset."""

    identifier: str = ""
    uid: int = -1
    tileGridSize: int = 0
    enumTags: list[EnumTagShape] | None = None
    customData: list[TileDataShape] | None = None


class EnumValueShape(Struct):
    """Describe a value of an enum."""

    id: str = ""


class EnumShape(Struct):
    """Describe an enum."""

    identifier: str = ""
    values: list[EnumValueShape] = []


class DefinitionsShape(Struct):
    """Describe the definitions."""

    layers: list[LayerDefShape] = []
    tilesets: list[TileSetShape] = []
    enums: list[EnumShape] = []
    externalEnums: list[EnumShape] = []


class FieldShape(Struct):
    """Describe a field."""

    identifier: str = field(name="__identifier")
    value: Any = field(name="__value", default=None)
    type: str | None = field(name="__type", default="")


class EntityShape(Struct):
    """Describe an entity."""

    identifier: str = field(name="__identifier")
    grid: tuple[int, int] = field(name="__grid")
    px: tuple[int, int] | None = None
    pivot: tuple[float, float] | None = field(name="__pivot", default=None)
    tags: list[str] | None = field(name="__tags", default=None)
    width: int | None = None
    height: int | None = None
    iid: str | None = None
    fieldInstances: list[FieldShape] | None = None


class TileShape(Struct, gc=False):
    """Describe a tile."""

    px: tuple[int, int] = (0, 0)
    t: int = -1


class OldCellShape(Struct):
    """Describe a cell with a value, as versions before 0.8 wrote it."""

    coordId: int
    v: int


class LayerShape(Struct):
    """Describe a layer of a level."""

    identifier: str = field(name="__identifier")
    type: str = field(name="__type")
    width: int = field(name="__cWid")
    height: int = field(name="__cHei")
    grid: int = field(name="__gridSize")
    total_offset_x: int | None = field(name="__pxTotalOffsetX", default=None)
    total_offset_y: int | None = field(name="__pxTotalOffsetY", default=None)
    pxOffsetX: int | None = None
    pxOffsetY: int | None = None
    tileset: int | None = field(name="__tilesetDefUid", default=None)
    layerDefUid: int | None = None
    intGridCsv: list[int] | None = None
    intGrid: list[OldCellShape] | None = None
    gridTiles: list[TileShape] | None = None
    autoLayerTiles: list[TileShape] | None = None
    entityInstances: list[EntityShape] | None = None


class NeighbourShape(Struct):
    """Describe a neighbour."""

    levelIid: str | None = None
    levelUid: int | None = None
    dir: str = ""


class LevelShape(Struct):
    """Describe a level, in a project or in a file of its own."""

    identifier: str
    iid: str | None = None
    uid: int | None = None
    worldX: int | None = None
    worldY: int | None = None
    worldDepth: int | None = None
    pxWid: int | None = None
    pxHei: int | None = None
    externalRelPath: str | None = None
    fieldInstances: list[FieldShape] | None = None
    layerInstances: list[LayerShape] | None = None
    neighbours: list[NeighbourShape] | None = field(name="__neighbours", default=None)


class WorldShape(Struct):
    """Describe a world."""

    identifier: str = ""
    worldLayout: str | None = None
    levels: list[LevelShape] = []


class ProjectShape(Struct):
    """Describe a project."""

    defs: DefinitionsShape
    levels: list[LevelShape]
    jsonVersion: str = ""
    worldLayout: str | None = None
    worlds: list[WorldShape] | None = None
