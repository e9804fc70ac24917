"""Write dungeons as LDtk projects: a level for each floor, terrain as an IntGrid, all the rest as entities."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from solvent.dungeon.model import NOTHING, Dungeon
from solvent.dungeon.notation.editor.objects import TERRAIN_NAMES, PlacedObject
from solvent.dungeon.notation.editor.settings import SETTINGS, write_settings
from solvent.dungeon.notation.editor.writing import describe_objects
from solvent.dungeon.notation.ldtk.definitions import (
    COLOURS,
    ENTITIES_UID,
    ENTITY_UIDS,
    FIELD_UIDS,
    FIELDS,
    GRID,
    INT_GRID_UID,
    LEVEL_FIELD_UIDS,
    NEXT_UID,
    define,
    template,
)
from solvent.formats.json_layout import lay_out_json
from solvent.formats.tiled.model import ObjectLink

_VALUES = {letter: value for value, letter in enumerate(TERRAIN_NAMES, 1)} | {NOTHING: 0}
_BETWEEN = 2
"""Tiles left free between levels in the world."""


def format_ldtk(dungeon: Dungeon) -> str:
    """Write a project."""
    settings = write_settings(dungeon)
    objects = _with_order(describe_objects(dungeon))
    by_floor: dict[int, list[PlacedObject]] = {}
    for thing in objects:
        by_floor.setdefault(thing.floor, []).append(thing)
    floor_of = {thing.id: thing.floor for thing in objects}
    levels, x = [], 0
    for number, floor in enumerate(dungeon.floors):
        fields = {"name": floor.name, **(settings if number == 0 else {})}
        levels.append(_write_level(number, floor.terrain, x, fields, by_floor.get(number, []), floor_of))
        x += (len(floor.terrain[0]) + _BETWEEN) * GRID
    written = {
        **template("project"),
        "iid": _iid("project"),
        "nextUid": NEXT_UID + len(levels),
        "defs": define(),
        "levels": levels,
        "worlds": [],
        "dummyWorldIid": _iid("world"),
    }
    return lay_out_json(written) + "\n"


def _with_order(objects: list[PlacedObject]) -> list[PlacedObject]:
    """Number rooms, and gates that bar no tile, where the order of levels would put them into another order."""
    changed = {thing.id: thing for thing in objects}
    for group in (
        [thing for thing in objects if thing.kind == "room"],
        [thing for thing in objects if "ways_only" in thing.properties],
    ):
        floors = [thing.floor for thing in group]
        if floors != sorted(floors):
            for number, thing in enumerate(group, 1):
                changed[thing.id] = replace(thing, properties={**thing.properties, "order": number})
    return list(changed.values())


def _iid(name: str) -> str:
    """Return an identifier that is unique in the project, and the same each time."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"solvent dungeon {name}"))


def _write_level(
    number: int,
    terrain: tuple[str, ...],
    x: int,
    fields: Mapping[str, str],
    objects: list[PlacedObject],
    floor_of: Mapping[str, int],
) -> dict[str, Any]:
    uid = NEXT_UID + number
    height, width = len(terrain), len(terrain[0])
    entities = _layer(number, uid, "Entities", ENTITIES_UID, height, width)
    entities["entityInstances"] = [_entity(thing, x, floor_of) for thing in objects]
    grid = _layer(number, uid, "IntGrid", INT_GRID_UID, height, width)
    grid["intGridCsv"] = [_VALUES[letter] for row in terrain for letter in row]
    return {
        **template("level"),
        "identifier": f"Floor_{number}",
        "iid": _iid(f"level {number}"),
        "uid": uid,
        "worldX": x,
        "pxWid": width * GRID,
        "pxHei": height * GRID,
        "fieldInstances": [
            _field(word, "String", fields.get(word) or None, LEVEL_FIELD_UIDS[word], floor_of)
            for word in ("name", *SETTINGS)
        ],
        "layerInstances": [entities, grid],
    }


def _layer(level: int, level_uid: int, type: str, uid: int, height: int, width: int) -> dict[str, Any]:
    return {
        **template("layer"),
        "__identifier": "Objects" if type == "Entities" else "Terrain",
        "__type": type,
        "__cWid": width,
        "__cHei": height,
        "iid": _iid(f"layer {level} {type}"),
        "levelId": level_uid,
        "layerDefUid": uid,
    }


def _entity(thing: PlacedObject, world_x: int, floor_of: Mapping[str, int]) -> dict[str, Any]:
    row, column = thing.corner
    values = {"name": thing.name or None, **thing.properties}
    return {
        "__identifier": thing.kind.capitalize(),
        "__grid": [column, row],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": None,
        "__smartColor": COLOURS[thing.kind],
        "iid": _iid(f"entity {thing.id}"),
        "width": thing.width * GRID,
        "height": thing.height * GRID,
        "defUid": ENTITY_UIDS[thing.kind],
        "px": [column * GRID, row * GRID],
        "fieldInstances": [
            _field(word, type, values.get(word), FIELD_UIDS[thing.kind, word], floor_of)
            for word, type in FIELDS[thing.kind].items()
        ],
        "__worldX": world_x + column * GRID,
        "__worldY": row * GRID,
    }


def _field(word: str, type: str, value: Any, uid: int, floor_of: Mapping[str, int]) -> dict[str, Any]:
    shown, raw = value, value
    if isinstance(value, ObjectLink):
        level = floor_of[value.id]
        raw = _iid(f"entity {value.id}")
        shown = {
            "entityIid": raw,
            "layerIid": _iid(f"layer {level} Entities"),
            "levelIid": _iid(f"level {level}"),
            "worldIid": _iid("world"),
        }
    id = {"Int": "V_Int", "Bool": "V_Bool"}.get(type, "V_String")
    if type == "Bool":
        shown = raw = bool(value)
    return {
        "__identifier": word,
        "__type": type,
        "__value": shown,
        "__tile": None,
        "defUid": uid,
        "realEditorValues": [] if raw is None else [{"id": id, "params": [raw]}],
    }
