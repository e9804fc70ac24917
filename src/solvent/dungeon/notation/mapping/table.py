"""A mapping as a table: each name with what it may mean, and meanings changed one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.domain import MappingRow
from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.notation.editor.objects import CLASSES
from solvent.dungeon.notation.editor.vocabulary import OUR_PROPERTIES, PROPERTIES, our_property
from solvent.dungeon.notation.mapping.model import IGNORE, UNDECIDED, NameMapping
from solvent.dungeon.notation.mapping.parsing import SECTIONS, TERRAIN_WORDS, parse_mapping
from solvent.dungeon.notation.mapping.toml_lines import Line, flatten, quoted, write_tables

THINGS = (*sorted(CLASSES), *TERRAIN_WORDS, IGNORE)
TERRAINS = (*TERRAIN_WORDS, IGNORE)
_WHERE = {
    "classes": "class",
    "names": "objects of this name",
    "properties": "property",
    "layers": "layer",
    "levels": "level",
    "tiles": "tiles of a tile set",
    "wang": "terrain colour",
    "tile_properties": "tiles with a property",
    "int_grid": "value of an IntGrid layer",
    "map": "the whole map",
}
_WHOLE_MAP = {
    "walls": ("whether a map without walls is meant", ("none",)),
    "empty": ("cells in which nothing was drawn", TERRAINS),
    "tiles": ("tiles about which nothing else says anything", TERRAINS),
    "collision_shapes": ("tiles with collision shapes", TERRAINS),
}
HEADING = "# What the names of this project mean to Solvent.\n"
MAX_LETTERS = 200


def rows_of(mapping: NameMapping, comments: Mapping[tuple[str, ...], str], open_keys: set[str]) -> list[MappingRow]:
    """Return the names of a mapping; those in `open_keys` are undecided and come first."""
    rows = []
    for key, value in flatten(mapping.raw):
        where, choices = _describe(key, mapping)
        is_open = ".".join(key) in open_keys
        note = comments.get(key, "")
        rows.append(MappingRow(key=key, where=where, meaning=str(value), choices=choices, note=note, undecided=is_open))
    return sorted(rows, key=lambda row: not row.undecided)


def _describe(key: tuple[str, ...], mapping: NameMapping) -> tuple[str, Sequence[str]]:
    """Return what kind of name a key is about, and what it may mean."""
    section = key[0]
    if section == "map":
        return _WHOLE_MAP.get(key[-1], ("the whole map", ()))
    if "values" in key[2:-1]:
        return "value of a property", ()
    if "properties" in key[:-1] and section in ("classes", "names", "properties"):
        owner = (mapping.names if section == "names" else mapping.classes).get(key[1]) if len(key) > 2 else None
        kind = None if owner is None else owner.is_
        ours = ("name", *PROPERTIES[kind]) if kind is not None and kind in PROPERTIES else OUR_PROPERTIES
        known = [word for word in OUR_PROPERTIES if word in ours or our_property(word) in ours]
        return f"property of {key[1]}" if len(key) > 2 else "property", (*known, IGNORE)
    if section == "levels":
        return "level", (IGNORE,)
    return _WHERE[section], TERRAINS if section in ("wang", "int_grid") else THINGS


def decide(known: str, decisions: Sequence[tuple[Sequence[str], str]], places: Sequence[Mapping[str, Any]]) -> str:
    """Return a mapping with other meanings, and with things on tiles; raises BadOption for what cannot be said in one.

    One that people wrote keeps its lines and comments where a line alone says what is changed.
    """
    before = parse_mapping(known)
    keys = [_checked(key) for key, _ in decisions]
    wanted = dict(flatten(before.raw)) | dict(zip(keys, (meaning for _, meaning in decisions), strict=True))
    tables = {**before.raw, "place": [*before.raw.get("place", []), *places]}
    text = known
    if known.startswith(HEADING) or not known.strip():
        text = _rewritten(wanted, before.raw)
    else:
        for key, (_, meaning) in zip(keys, decisions, strict=True):
            text = _replaced(text, key, meaning)
    text += write_tables({"place": tables["place"][len(before.raw.get("place", [])) :]})
    try:
        after = parse_mapping(text)
        if dict(flatten(after.raw)) != {key: str(value) for key, value in wanted.items()} and text != known:
            text = _rewritten(wanted, before.raw) + write_tables({"place": list(places)})
            parse_mapping(text)
    except ParseError as error:
        raise BadOption(f"That cannot be said in a mapping: {error}") from None
    return text


def _checked(key: Sequence[str]) -> tuple[str, ...]:
    fits = 2 <= len(key) <= 6 and key[0] in SECTIONS and all(0 < len(part) <= MAX_LETTERS for part in key)
    if not fits:
        raise BadOption(f"There is no such name in a mapping: {'.'.join(key)[:80]}")
    return tuple(key)


def _rewritten(wanted: Mapping[tuple[str, ...], Any], raw: Mapping[str, Any]) -> str:
    lines = [Line(key, str(value), "") for key, value in wanted.items()]
    undecided = [str(line) for line in lines if line.meaning == UNDECIDED]
    decided = [str(line) for line in lines if line.meaning != UNDECIDED]
    text = HEADING
    text += "\n# Undecided:\n" + "".join(f"{line}\n" for line in undecided) if undecided else ""
    text += "\n" + "".join(f"{line}\n" for line in decided) if decided else ""
    return text + write_tables(raw)


def _replaced(text: str, key: tuple[str, ...], meaning: str) -> str:
    """Return a mapping with the line of a key changed, or added on top if no line has it as a whole."""
    line = str(Line(key, meaning, ""))
    name = re.escape(".".join(map(quoted, key)))
    changed, found = re.subn(rf'^(\s*){name}\s*=\s*"[^"\n]*"', lambda _: line, text, count=1, flags=re.MULTILINE)
    return changed if found else f"{line}\n{text}"
