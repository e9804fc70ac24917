"""Read LDtk projects and levels from the files they are in."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Companion, Where, files_with_ending, is_there, read_text
from solvent.formats.ldtk.model import (
    INT_GRID,
    MANUAL_LAYOUTS,
    Entity,
    EntityLink,
    Enum,
    Field,
    GridPoint,
    GridTile,
    Layer,
    LayerDefinition,
    Level,
    Neighbour,
    Project,
    TileSet,
    World,
)
from solvent.formats.ldtk.shapes import (
    DefinitionsShape,
    EntityShape,
    FieldShape,
    LayerDefShape,
    LayerShape,
    LevelShape,
    ProjectShape,
    TileSetShape,
    TileShape,
)
from solvent.formats.typed_json import read_json

FAR = 1 << 30
"""Pixels and cells beyond this are no place in any level."""
MAX_CELLS = 6_000_000
"""The most cells of one layer."""
MAX_CELLS_OF_ALL_LAYERS = 24_000_000
_LEVEL = Companion("level", (".ldtkl",))
_PROJECT_ENDING = ".ldtk"
_MAX_PROJECTS_TRIED = 20


def read_project(text: str, path: Path | None) -> Project:
    """Read a project; levels in files of their own are looked for beside `path`."""
    shape = read_json(text, ProjectShape, "an LDtk project")
    reader = _Reader(path)
    worlds = []
    if shape.levels or not shape.worlds:
        levels = reader.levels(shape.levels, shape.worldLayout or "", "$.levels")
        worlds.append(World("", shape.worldLayout or "", levels))
    for number, world in enumerate(shape.worlds or ()):
        layout = world.worldLayout or shape.worldLayout or ""
        levels = reader.levels(world.levels, layout, f"$.worlds[{number}].levels")
        worlds.append(World(world.identifier, layout, levels))
    return _project(shape, worlds)


def read_level(text: str, path: Path | None) -> tuple[Project, Path]:
    """Read a level in a file of its own as a project of nothing else; returns the path of its project as well.

    What its values mean stands in the project, which is looked for where LDtk puts it: above the level's folder, and
    called like the folder; or else beside the level, or above its folder.
    """
    shape = read_json(text, LevelShape, "an LDtk level")
    if path is None:
        raise ParseError("a level in a file on disk, since its project is in another; or the project itself")
    found = _find_project(path, shape)
    if found is None:
        raise ParseError(
            f"the level's project, a file that ends in {_PROJECT_ENDING} beside it or above its folder and names it, "
            "but there is none",
            path.name,
        )
    project_path, project = found
    layout = project.worldLayout or ""
    level = _Reader(project_path).level(shape, layout, {"path": "$"})
    return _project(project, [World("", layout, [level])]), project_path


def _project(shape: ProjectShape, worlds: Sequence[World]) -> Project:
    definitions: DefinitionsShape = shape.defs
    return Project(
        shape.jsonVersion,
        [_define_layer(layer) for layer in definitions.layers],
        [_define_tileset(tileset) for tileset in definitions.tilesets],
        [
            Enum(enum.identifier, [value.id for value in enum.values])
            for enum in (*definitions.enums, *definitions.externalEnums)
        ],
        worlds,
    )


def _define_layer(layer: LayerDefShape) -> LayerDefinition:
    kind = layer.kind or layer.type or ""
    names: dict[int, str | None] = {}
    if kind in (INT_GRID, ""):  # some versions give every layer a value
        for at, value in enumerate(layer.intGridValues or (), 1):
            names.setdefault(value.value or at, value.identifier)
    return LayerDefinition(layer.uid, layer.identifier, kind, names)


def _define_tileset(shape: TileSetShape) -> TileSet:
    tags: dict[int, list[str]] = {}
    for tag in shape.enumTags or ():
        for tile in tag.tileIds:
            tags.setdefault(tile, []).append(tag.enumValueId)
    notes = {one.tileId: one.data for one in shape.customData or ()}
    return TileSet(shape.uid, shape.identifier, shape.tileGridSize, tags, notes)


# Files


def _find_project(path: Path, level: LevelShape) -> tuple[Path, ProjectShape] | None:
    for candidate in _projects_near(path):
        try:
            project = read_json(read_text(candidate, "project"), ProjectShape, "an LDtk project")
        except ParseError:
            continue
        every = [*project.levels, *(one for world in project.worlds or () for one in world.levels)]
        for one in every:
            named = (
                one.externalRelPath and (candidate.parent / one.externalRelPath.replace("\\", "/")).name == path.name
            )
            if (level.iid and one.iid == level.iid) or (named and one.identifier == level.identifier):
                return candidate, project
    return None


def _projects_near(path: Path) -> Iterator[Path]:
    """Yield the projects that a level may belong to, likeliest first."""
    folder = Path(os.path.abspath(path)).parent
    usual = folder.parent / (folder.name + _PROJECT_ENDING)
    candidates = [
        usual,
        *files_with_ending(folder, _PROJECT_ENDING),
        *files_with_ending(folder.parent, _PROJECT_ENDING),
    ]
    for number, candidate in enumerate(dict.fromkeys(candidates)):
        if number < _MAX_PROJECTS_TRIED and is_there(candidate):
            yield candidate


class _Reader:
    """Read levels, and count what they hold, so that a small file cannot ask for much memory."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.cells = 0

    def levels(self, shapes: Sequence[LevelShape], layout: str, here: str) -> list[Level]:
        return [self.level(shape, layout, {"path": f"{here}[{at}]"}) for at, shape in enumerate(shapes)]

    def level(self, shape: LevelShape, layout: str, where: Where) -> Level:
        """Return a level, from its own file where the project only names it."""
        whole = shape
        if shape.layerInstances is None:
            if not shape.externalRelPath:
                raise ParseError("layerInstances, or the level in a file", **where)
            name = shape.externalRelPath
            text = _LEVEL.read(self.path, name, where)
            try:
                whole = read_json(text, LevelShape, "an LDtk level")
                if whole.layerInstances is None:
                    raise ParseError("layerInstances", path="$")
            except ParseError as error:
                raise error.in_source(name) from None
            where = {"source": name, "path": "$"}
        here = where["path"]
        is_placed = layout in MANUAL_LAYOUTS or (not layout and (shape.worldX, shape.worldY) != (-1, -1))
        x, y = (shape.worldX, shape.worldY) if is_placed else (None, None)
        size = (whole.pxWid or 0, whole.pxHei or 0)
        if max(map(abs, (x or 0, y or 0, *size, shape.worldDepth or 0))) > FAR or min(size) < 0:
            raise ParseError("a level of a size and place that can be", f"{size[0]} x {size[1]}", **where)
        neighbours = shape.neighbours or whole.neighbours or ()
        return Level(
            identifier=shape.identifier,
            iid=shape.iid or whole.iid or "",
            uid=shape.uid if shape.uid is not None else -1,
            x=x,
            y=y,
            depth=shape.worldDepth or 0,
            width=size[0],
            height=size[1],
            fields=_read_fields(whole.fieldInstances or ()),
            layers=[
                self.layer(layer, {**where, "path": f"{here}.layerInstances[{at}]"})
                for at, layer in enumerate(whole.layerInstances or ())
            ],
            neighbours=[
                Neighbour(one.levelIid if one.levelIid is not None else str(one.levelUid), one.dir)
                for one in neighbours
            ],
            where=where,
        )

    def layer(self, shape: LayerShape, where: Where) -> Layer:
        area, least = shape.width * shape.height, 1 if shape.type == INT_GRID else 0
        if not (least <= min(shape.width, shape.height) and 0 < shape.grid <= FAR and area <= MAX_CELLS):
            size = f"{shape.width} x {shape.height}, grid {shape.grid}"
            raise ParseError("a level of a size that can be", size, **where)
        total = shape.total_offset_x, shape.total_offset_y
        offset_x, offset_y = (
            whole if whole is not None else own or 0
            for whole, own in zip(total, (shape.pxOffsetX, shape.pxOffsetY), strict=True)
        )
        if max(abs(offset_x), abs(offset_y)) > FAR:
            raise ParseError("a layer that is not so far off", f"{offset_x}, {offset_y}", **where)
        return Layer(
            identifier=shape.identifier,
            kind=shape.type,
            definition=-1 if shape.layerDefUid is None else shape.layerDefUid,
            width=shape.width,
            height=shape.height,
            grid=shape.grid,
            offset_x=offset_x,
            offset_y=offset_y,
            values=self.values(shape, where) if shape.type == INT_GRID else (),
            tiles=_read_tiles(shape.gridTiles or ()),
            auto_tiles=_read_tiles(shape.autoLayerTiles or ()),
            tileset=-1 if shape.tileset is None else shape.tileset,
            entities=[
                _read_entity(one, {**where, "path": f"{where['path']}.entityInstances[{at}]"})
                for at, one in enumerate(shape.entityInstances or ())
            ],
            where=where,
        )

    def values(self, shape: LayerShape, where: Where) -> Sequence[int]:
        """Return the values of all cells; versions before 0.8 listed those that have one."""
        area = shape.width * shape.height
        values = shape.intGridCsv or []
        self.cells += area
        if self.cells > MAX_CELLS_OF_ALL_LAYERS:
            raise ParseError(f"at most {MAX_CELLS_OF_ALL_LAYERS:,} cells in all layers", self.cells, **where)
        if shape.intGrid and not values:
            values = [0] * area
            for cell in shape.intGrid:
                if not 0 <= cell.coordId < area:
                    raise ParseError(f"cells from 0 to {area - 1}", cell.coordId, **where)
                values[cell.coordId] = cell.v + 1
        if len(values) != area:
            expected = f"{area} cells in {shape.height} rows of {shape.width}"
            raise ParseError(expected, len(values), **{**where, "path": f"{where['path']}.intGridCsv"})
        return values


def _read_tiles(tiles: Iterable[TileShape]) -> list[GridTile]:
    return [GridTile(*tile.px, tile.t) for tile in tiles]


def _read_entity(shape: EntityShape, where: Where) -> Entity:
    width, height = shape.width or 0, shape.height or 0
    pivot, px = shape.pivot or (0.0, 0.0), shape.px
    numbers = (*shape.grid, *(px or ()), width, height)
    if max(map(abs, numbers)) > FAR or not all(-100 <= part <= 100 for part in pivot):
        raise ParseError("an entity of a size and place that can be", shape.identifier, **where)
    left, top = (0.0, 0.0) if px is None else (px[0] - pivot[0] * width, px[1] - pivot[1] * height)
    return Entity(
        identifier=shape.identifier,
        iid=shape.iid or "",
        grid=shape.grid,
        left=left,
        top=top,
        width=width,
        height=height,
        has_box=px is not None,
        tags=shape.tags or (),
        fields=_read_fields(shape.fieldInstances or ()),
        where=where,
    )


def _read_fields(fields: Iterable[FieldShape]) -> list[Field]:
    return [Field(one.identifier, one.type or "", _read_value(one.value, one.type or "")) for one in fields]


def _read_value(value: Any, kind: str) -> Any:
    """Return a value; links to entities and points on the grid become what they mean, other objects stay as they are.

    Versions before 1.0 wrote links as texts, and misspelt their type.
    """
    if isinstance(value, list):
        inner = kind.removeprefix("Array<").removesuffix(">")
        return [one if isinstance(one, list) else _read_value(one, inner) for one in value]
    if isinstance(value, dict):
        if isinstance(value.get("entityIid"), str):
            level = value.get("levelIid")
            return EntityLink(value["entityIid"], level if isinstance(level, str) else "")
        point = value.get("cx"), value.get("cy")
        if all(isinstance(part, int) and abs(part) <= FAR for part in point):
            return GridPoint(value["cx"], value["cy"])
        return value
    return EntityLink(value) if isinstance(value, str) and kind in ("EntityRef", "EntifyRef") else value
