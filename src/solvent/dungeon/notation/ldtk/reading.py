"""From an LDtk project to floors with objects on them. The package says what everything means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, NOTHING, Dungeon
from solvent.dungeon.notation.editor.names import Decided, Names, RawObject, read_mapped
from solvent.dungeon.notation.editor.objects import (
    GATE_CLASSES,
    EditorFloor,
    EditorMap,
    PlacedObject,
    Spot,
    clean_name,
    covered,
    plain_properties,
    plain_word,
)
from solvent.dungeon.notation.editor.reading import build_dungeon
from solvent.dungeon.notation.editor.settings import KNOWN_SETTINGS
from solvent.dungeon.notation.mapping.model import IGNORE, NameMapping
from solvent.dungeon.notation.mapping.parsing import letter_of
from solvent.formats.companion_files import Companion, Where
from solvent.formats.tiled.cells import MAX_CELLS
from solvent.formats.tiled.model import ObjectLink, Record
from solvent.formats.typed_json import read_json

_FAR = 1 << 30
_LEVEL = Companion("level", (".ldtkl",))


class _Value(msgspec.Struct):
    value: int
    identifier: str | None = None


class _LayerDef(msgspec.Struct):
    identifier: str = ""
    uid: int = -1
    intGridValues: list[_Value] = []


class _Definitions(msgspec.Struct):
    layers: list[_LayerDef] = []


class _Field(msgspec.Struct):
    identifier: str = msgspec.field(name="__identifier")
    value: Any = msgspec.field(name="__value", default=None)
    type: str = msgspec.field(name="__type", default="")


class _Entity(msgspec.Struct):
    identifier: str = msgspec.field(name="__identifier")
    grid: tuple[int, int] = msgspec.field(name="__grid")
    px: tuple[int, int] | None = None
    pivot: tuple[float, float] = msgspec.field(name="__pivot", default=(0.0, 0.0))
    tags: list[str] = msgspec.field(name="__tags", default=[])
    width: int = 0
    height: int = 0
    iid: str = ""
    fieldInstances: list[_Field] = []


class _Layer(msgspec.Struct):
    identifier: str = msgspec.field(name="__identifier")
    type: str = msgspec.field(name="__type")
    width: int = msgspec.field(name="__cWid")
    height: int = msgspec.field(name="__cHei")
    grid: int = msgspec.field(name="__gridSize")
    offset_x: int = msgspec.field(name="__pxTotalOffsetX", default=0)
    offset_y: int = msgspec.field(name="__pxTotalOffsetY", default=0)
    layerDefUid: int = -1
    visible: bool = True
    intGridCsv: list[int] = []
    entityInstances: list[_Entity] = []


class _Level(msgspec.Struct):
    identifier: str
    iid: str = ""
    externalRelPath: str | None = None
    fieldInstances: list[_Field] = []
    layerInstances: list[_Layer] | None = None


class _World(msgspec.Struct):
    levels: list[_Level] = []


class _Project(msgspec.Struct):
    defs: _Definitions
    levels: list[_Level]
    worlds: list[_World] = []


def parse_ldtk(text: str, path: Path | None, mapping: NameMapping | None = None) -> Dungeon:
    """Read a project; levels in other files are looked for beside `path`, and so is a mapping."""
    names = read_mapped(mapping, path)
    found = read_project(text, path, names)
    names.finish(found)
    return build_dungeon(found)


def read_project(text: str, path: Path | None, names: Names) -> EditorMap:
    """Read floors and objects; `names` says what they are, and keeps account of all that were met."""
    project = read_json(text, _Project, "an LDtk project")
    levels = [(level, f"$.levels[{at}]") for at, level in enumerate(project.levels)]
    for number, world in enumerate(project.worlds):
        levels += [(level, f"$.worlds[{number}].levels[{at}]") for at, level in enumerate(world.levels)]
    levels = [(level, here) for level, here in levels if names.mapping.levels.get(level.identifier) != IGNORE]
    terrain = _Terrain(project.defs, names)
    found = EditorMap({"path": "$"})
    for level, here in levels:
        _read_level(level, here, terrain, path, found, is_only=len(levels) == 1)
    if terrain.empty == FLOOR and names.mapping.empty is None:
        found.remarks.append("No IntGrid value is called floor: empty cells are floor.")
    return found


class _Terrain:
    """Know what the values of IntGrid layers mean."""

    def __init__(self, definitions: _Definitions, names: Names) -> None:
        self.names = names
        self.identifiers: dict[tuple[int, int], str | None] = {}
        self.layers = {layer.uid: layer.identifier for layer in definitions.layers}
        for layer in definitions.layers:
            for value in layer.intGridValues:
                self.identifiers[layer.uid, value.value] = value.identifier
                names.int_value(layer.identifier, value.value, value.identifier, 0)
        self.has_floor = any(
            one.meaning == "floor" for values in names.seen.int_grids.values() for one in values.values()
        )
        mapped = letter_of(names.mapping.empty or "")
        self.empty = mapped if mapped is not None else NOTHING if self.has_floor else FLOOR

    def paint(self, grid: list[list[str]], layer: _Layer, path: str, budget: int) -> None:
        """Lay a layer over the terrain."""
        where: Where = {"path": f"{path}.intGridCsv"}
        if len(layer.intGridCsv) != layer.width * layer.height or layer.width * layer.height > budget:
            expected = f"{layer.width * layer.height} cells in {layer.height} rows of {layer.width}"
            raise ParseError(expected, len(layer.intGridCsv), **where)
        called = self.layers.get(layer.layerDefUid) or layer.identifier
        letters = {}
        for value, cells in sorted(Counter(layer.intGridCsv).items()):
            if value:
                key = layer.layerDefUid, value
                letters[value] = self.names.int_value(
                    called, value, self.identifiers.get(key), cells, is_defined=key in self.identifiers
                )
        for at, value in enumerate(layer.intGridCsv):
            if value and letters[value]:
                grid[at // layer.width][at % layer.width] = letters[value]


def _read_level(
    level: _Level, here: str, terrain: _Terrain, path: Path | None, found: EditorMap, *, is_only: bool
) -> None:
    where: Where = {"path": here}
    if level.layerInstances is None:
        if not level.externalRelPath:
            raise ParseError("layerInstances, or the level in a file", path=here)
        text = _LEVEL.read(path, level.externalRelPath, where)
        try:
            level = read_json(text, _Level, "an LDtk level")
        except ParseError as error:
            raise error.in_source(level.externalRelPath or "") from None
        if level.layerInstances is None:
            raise ParseError("layerInstances", path=here)
    layers = level.layerInstances
    names = terrain.names
    meanings = [names.layer(layer.identifier, layer.type, is_hidden=not layer.visible) for layer in layers]
    grids = [at for at, layer in enumerate(layers) if layer.type == "IntGrid" and meanings[at] != IGNORE]
    if not grids:
        raise ParseError("an IntGrid layer, but there is none", path=f"{here}.layerInstances")
    base = layers[grids[0]]
    if base.width < 1 or base.height < 1 or base.grid < 1 or base.width * base.height > MAX_CELLS:
        size = f"{base.width} x {base.height}, grid {base.grid}"
        raise ParseError("a level of a size that can be", size, path=f"{here}.layerInstances[{grids[0]}]")
    grid = [[terrain.empty] * base.width for _ in range(base.height)]
    for at in reversed(grids):  # the first layer is the highest
        layer, there = layers[at], f"{here}.layerInstances[{at}]"
        if (layer.width, layer.height, layer.grid) != (base.width, base.height, base.grid):
            raise ParseError("IntGrid layers of one grid in a level", layer.identifier, path=there)
        terrain.paint(grid, layer, there, MAX_CELLS)
    given = _read_fields(level.fieldInstances)
    names.settings(given, {*KNOWN_SETTINGS, "name"})
    fields = plain_properties(given)
    name = fields.get("name", "" if is_only else level.identifier)
    if not isinstance(name, str):
        raise ParseError("name: a text", name, path=f"{here}.fieldInstances")
    floor = len(found.floors)
    found.floors.append(EditorFloor(clean_name(name), grid, where))
    found.levels[level.identifier] = floor, 0, 0, base.height, base.width
    for word in KNOWN_SETTINGS:
        if word in fields:
            if word in found.settings:
                raise ParseError(f"{word} in one level only", fields[word], path=f"{here}.fieldInstances")
            found.settings[word] = fields[word]
    for at, layer in enumerate(layers):
        for number, entity in enumerate(layer.entityInstances):
            there = f"{here}.layerInstances[{at}].entityInstances[{number}]"
            if any(plain_word(tag) == IGNORE for tag in entity.tags):
                names.left_out.add(entity.iid)
                continue
            given = _read_fields(entity.fieldInstances)
            raw = RawObject(entity.identifier, "", given, {"path": there}, layer.identifier, level.identifier)
            decided = names.object(raw)
            if decided is None:
                names.left_out.add(entity.iid)
            else:
                found.objects.append(_place(entity, decided, layer, base, floor, raw.where))


def _place(entity: _Entity, decided: Decided, layer: _Layer, base: _Layer, floor: int, where: Where) -> PlacedObject:
    kind = decided.kind
    if layer.grid < 1 or max(map(abs, (*entity.grid, *(entity.px or ()), entity.width, entity.height))) > _FAR:
        raise ParseError("an entity of a size and place that can be", entity.identifier, **where)
    shift_x, shift_y = layer.offset_x - base.offset_x, layer.offset_y - base.offset_y
    column = int(((entity.grid[0] + 0.5) * layer.grid + shift_x) // base.grid)
    row = int(((entity.grid[1] + 0.5) * layer.grid + shift_y) // base.grid)
    if not (0 <= row < base.height and 0 <= column < base.width):
        raise ParseError(f"entities inside their level, but {entity.identifier} lies outside", **where)
    top, left, height, width = row, column, 1, 1
    if entity.px is not None:
        x = entity.px[0] - entity.pivot[0] * entity.width + shift_x
        y = entity.px[1] - entity.pivot[1] * entity.height + shift_y
        left, width = covered(x / base.grid, (x + entity.width) / base.grid)
        top, height = covered(y / base.grid, (y + entity.height) / base.grid)
    if top < 0 or left < 0 or top + height > base.height or left + width > base.width:
        if kind in (*GATE_CLASSES, "room", "oneway"):
            raise ParseError(f"entities inside their level, but {entity.identifier} lies outside", **where)
        top, left, height, width = row, column, 1, 1
    return PlacedObject(
        id=entity.iid or f"entity at {where.get('path')}",
        kind=kind,
        name=decided.name,
        floor=floor,
        corner=(top, left),
        height=height,
        width=width,
        centre=(row, column),
        properties=decided.properties,
        where=where,
    )


def _read_fields(fields: Sequence[_Field]) -> Mapping[str, Any]:
    return {one.identifier: _read_value(one.value, one.type) for one in fields}


def _read_value(value: Any, type: str) -> Any:
    """Return a field's value; links to entities and points on the grid become what they mean."""
    if isinstance(value, dict):
        if isinstance(value.get("entityIid"), str):
            return ObjectLink(value["entityIid"])
        if isinstance(value.get("cx"), int) and isinstance(value.get("cy"), int):
            return Spot(value["cy"], value["cx"])
        return Record(type)
    if isinstance(value, list):
        inner = type.removeprefix("Array<").removesuffix(">")
        return [_read_value(one, inner) for one in value]
    # Versions before 1.0 wrote links as texts, and misspelt their type.
    return ObjectLink(value) if isinstance(value, str) and type in ("EntityRef", "EntifyRef") else value
