"""The settings of a dungeon as a whole in a level editor's file: title, rules, moves played.

| property | meaning |
| --- | --- |
| `title` | the title |
| `rules` | rules as in the text format: `bombs=unlimited, keys=1 + red 2` |
| the name of a rule, such as `bombs` | that rule alone |
| `moves` | moves played already: `EEES 12 NN` |
| `missing` | `allowed`: gates may need keys and items that lie nowhere |
| `walls` | `none`: it is meant that nothing is a wall |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import WALL, Dungeon, Rules
from solvent.dungeon.notation.demands import unmet_needs
from solvent.dungeon.notation.editor.objects import plain_word, shown
from solvent.dungeon.notation.ruling import RULE_NAMES, USUAL_RULES, format_rules, parse_rules
from solvent.formats.companion_files import Where

SETTINGS = ("title", "rules", "moves", "missing", "walls")
KNOWN_SETTINGS = frozenset((*SETTINGS, *map(plain_word, RULE_NAMES)))
"""The properties of a whole that are understood, by plain word."""

_MOVE = re.compile(r"\s*([NESWr]|u?[0-9]{1,6}(?![0-9]))")
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What neither XML nor UTF-8 can hold."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold what holds for the dungeon as a whole."""

    title: str = ""
    rules: Rules = USUAL_RULES
    played: tuple[str, ...] = ()
    strict: bool = True


def read_settings(properties: Mapping[str, Any], where: Where) -> Settings:
    """Read the properties of a whole map, given by plain word; others are left alone."""
    values: dict[str, Any] = {}
    for pair in filter(None, map(str.strip, re.split(r"[,;\n]", _text(properties, "rules", where)))):
        name, equals, value = pair.partition("=")
        if not equals:
            raise ParseError("rules: such as bombs=unlimited, keys=2", pair, **where)
        values[name.strip()] = value.strip()
    for name in RULE_NAMES:
        if plain_word(name) in properties:
            values[name] = shown(properties[plain_word(name)])
    try:
        rules = parse_rules(values, USUAL_RULES)
    except BadOption as error:
        raise ParseError(f"rules that there are: {error}", **where) from None
    missing = _text(properties, "missing", where)
    if missing not in ("", "allowed"):
        raise ParseError("missing: allowed", missing, **where)
    walls = _text(properties, "walls", where)
    if walls.lower() not in ("", "none"):
        raise ParseError("walls: none", walls, **where)
    title = _text(properties, "title", where)
    return Settings(title, rules, parse_moves(_text(properties, "moves", where), where), strict=not missing)


def write_settings(dungeon: Dungeon) -> dict[str, str]:
    """Return the properties of the whole map; raises BadOption for a title that no file can hold."""
    found = _UNWRITABLE.search(dungeon.title)
    if found:
        raise BadOption(f"the title holds a character that cannot be written: {found[0]!r}")
    properties = {
        "title": dungeon.title,
        "rules": ", ".join(f"{name}={value}" for name, value in format_rules(dungeon.rules).items()),
        "moves": format_moves(dungeon.played),
        "missing": "allowed" if any(True for _ in unmet_needs(dungeon)) else "",
        "walls": "" if all(any(WALL in row for row in floor.terrain) for floor in dungeon.floors) else "none",
    }
    return {name: value for name, value in properties.items() if value}


def parse_moves(text: str, where: Where) -> tuple[str, ...]:
    """Read moves: letters, and numbers with blanks between them."""
    moves, at, end = [], 0, len(text.rstrip())
    while at < end:
        found = _MOVE.match(text, at)
        if found is None:
            expected = "moves: N, E, S, W, r, the number of a way, or u and that of a lever"
            raise ParseError(expected, text[at : at + 20].strip(), **where)
        number = found[1].lstrip("NESWru")
        moves.append(found[1].removesuffix(number) + (str(int(number)) if number else ""))
        at = found.end()
    return tuple(moves)


def format_moves(moves: tuple[str, ...]) -> str:
    """Write moves: letters close together, blanks around numbers."""
    return re.sub(r"(?<=[NESWr]) (?=[NESWr])", "", " ".join(moves))


def without_keys(rules: Rules, kept: Mapping[str, str]) -> Rules:
    """Return rules in which carried keys of some colours are items, given by colour, instead."""
    held = [colour for colour, _ in rules.keys if colour in kept]
    if not held:
        return rules
    keys = tuple(pair for pair in rules.keys if pair[0] not in kept)
    return replace(rules, keys=keys, items=tuple(sorted({*rules.items, *(kept[colour] for colour in held)})))


def _text(properties: Mapping[str, Any], word: str, where: Where) -> str:
    value = properties.get(word, "")
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ParseError(f"{word}: a text", shown(value), **where)
    return str(value)
