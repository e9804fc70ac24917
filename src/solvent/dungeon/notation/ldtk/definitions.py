"""What the LDtk editor wants to know about layers, entities and fields before it opens a project (format 1.5.3).

Keys that are the same in every project are in `template.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import count
from typing import Any

from solvent.dungeon.model import WATER
from solvent.dungeon.notation.editor.objects import GATE_CLASSES, TERRAIN_NAMES
from solvent.dungeon.notation.editor.settings import SETTINGS

GRID = 16
"""Pixels along a tile."""

_TEXT, _NUMBER, _FLAG, _LINK = "String", "Int", "Bool", "EntityRef"
_GATE = {"name": _TEXT, "part_of": _LINK, "ways_only": _FLAG, "order": _NUMBER}
_WAY = {"target": _LINK, "gate": _LINK, "twoway": _FLAG}
FIELDS: Mapping[str, Mapping[str, str]] = {
    "start": {},
    "goal": {"needs": _TEXT},
    "key": {"color": _TEXT, "count": _NUMBER, "when": _TEXT, "renews": _FLAG},
    "bombs": {"count": _NUMBER, "when": _TEXT, "renews": _FLAG},
    "item": {"name": _TEXT, "count": _NUMBER, "when": _TEXT},
    "monster": {"when": _TEXT},
    "block": {},
    "switch": {"name": _TEXT, "sets": _TEXT, "states": _TEXT, "held": _FLAG},
    "lever": {"name": _TEXT, "sets": _TEXT, "states": _TEXT, "needs": _TEXT, "reach": _TEXT},
    "lock": {"color": _TEXT, **_GATE},
    "cracked": _GATE,
    "gate": {"requires": _TEXT, "needs": _TEXT, **_GATE},
    "barrier": {"switch": _TEXT, "open": _FLAG, **_GATE},
    "soft": {"room": _TEXT, **_GATE},
    "stairs": _WAY,
    "warp": _WAY,
    "door": _WAY,
    "passage": _WAY,
    "place": {},
    "room": {"name": _TEXT, "labels": _TEXT, "order": _NUMBER},
}
"""The fields of each class of entity, and their types."""
COLOURS: Mapping[str, str] = {
    **dict.fromkeys(FIELDS, "#B8B8B8"),
    **dict.fromkeys(("start", "goal"), "#3FA34D"),
    **dict.fromkeys(("key", "bombs", "item"), "#E0B000"),
    **dict.fromkeys(GATE_CLASSES, "#B5532A"),
    **dict.fromkeys(("stairs", "warp", "door", "passage"), "#6C5CC4"),
    **dict.fromkeys(("monster",), "#C0392B"),
}
_TERRAIN_COLOURS = {"#": "#3A3A42", ".": "#E2DAC8", WATER: "#5C94D6"}

INT_GRID_UID, ENTITIES_UID = 1, 2
_uids = count(3)
ENTITY_UIDS: Mapping[str, int] = {kind: next(_uids) for kind in FIELDS}
FIELD_UIDS: Mapping[tuple[str, str], int] = {(kind, word): next(_uids) for kind in FIELDS for word in FIELDS[kind]}
LEVEL_FIELD_UIDS: Mapping[str, int] = {word: next(_uids) for word in ("name", *SETTINGS)}
NEXT_UID = next(_uids)
"""The first number that is left for levels."""


@cache
def template(name: str) -> dict[str, Any]:
    """Return what the editor wants in every object of a kind; null stands for what differs from one to the next."""
    text = files("solvent.dungeon.notation.ldtk").joinpath("template.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)[name]
    return found


def define() -> dict[str, Any]:
    """Return the definitions, which are the same for all dungeons."""
    return {
        "layers": [_layer("Entities", "Objects", ENTITIES_UID), _layer("IntGrid", "Terrain", INT_GRID_UID)],
        "entities": [_entity(kind) for kind in FIELDS],
        "tilesets": [],
        "enums": [],
        "externalEnums": [],
        "levelFields": [_field(word, _TEXT, uid) for word, uid in LEVEL_FIELD_UIDS.items()],
    }


def _layer(type: str, identifier: str, uid: int) -> dict[str, Any]:
    values = [
        {
            "value": value,
            "identifier": name,
            "color": _TERRAIN_COLOURS.get(letter, "#96783C"),
            "tile": None,
            "groupUid": 0,
        }
        for value, (letter, name) in enumerate(TERRAIN_NAMES.items(), 1)
    ]
    return {
        **template("layer definition"),
        "__type": type,
        "identifier": identifier,
        "type": type,
        "uid": uid,
        "intGridValues": values if type == "IntGrid" else [],
    }


def _entity(kind: str) -> dict[str, Any]:
    is_area = kind == "room" or kind in GATE_CLASSES
    return {
        **template("entity definition"),
        "identifier": kind.capitalize(),
        "uid": ENTITY_UIDS[kind],
        "resizableX": is_area,
        "resizableY": is_area,
        "fillOpacity": 0.1 if kind == "room" else 0.8,
        "hollow": kind == "room",
        "color": COLOURS[kind],
        "renderMode": "Rectangle" if is_area else "Ellipse",
        "maxCount": 1 if kind == "start" else 0,
        "limitScope": "PerWorld" if kind == "start" else "PerLevel",
        "fieldDefs": [_field(word, type, FIELD_UIDS[kind, word]) for word, type in FIELDS[kind].items()],
    }


def _field(word: str, type: str, uid: int) -> dict[str, Any]:
    return {
        **template("field definition"),
        "identifier": word,
        "__type": type,
        "uid": uid,
        "type": f"F_{type}",
        "canBeNull": type != _FLAG,
        "editorDisplayMode": "RefLinkBetweenCenters" if type == _LINK else "NameAndValue",
    }
