"""Rules as text: `bombs=unlimited`, `keys=1 + red 2`, `items=ladder + raft`. One home for every format and command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from solvent.core.errors import BadOption, show_value, unknown_name
from solvent.drawing.phrases import listed
from solvent.dungeon.model import Dungeon, Rules

USUAL_RULES = Rules()

MAX_OF_ANYTHING = 9_999
"""The most keys or bombs of a kind that anything may give."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "crossing": ("any", "one"),
    "soft": ("open", "clear", "shut"),
    "push": ("once", "on", "never"),
    "blocks": ("stay", "reset"),
    "home": ("never", "always"),
    "accessibility": ("full", "items", "minimal"),
    "player": ("any", "thorough"),
}
RULE_NAMES = tuple(field.name for field in fields(Rules))

_PLAIN, _NONE, _UNLIMITED = "", "none", "unlimited"


def with_rules(dungeon: Dungeon, values: Mapping[str, Any]) -> Dungeon:
    """Return the dungeon under other rules; raises BadOption for a value that is none, or moves it makes illegal."""
    rules = parse_rules(values, dungeon.rules)
    if rules == dungeon.rules:
        return dungeon
    from solvent.dungeon.notation.assembling import first_illegal_move

    changed = replace(dungeon, rules=rules)
    bad = first_illegal_move(changed)
    if bad is not None:
        raise BadOption(f"under these rules move {bad + 1} of those played, {dungeon.played[bad]!r}, is not legal")
    return changed


def parse_rules(values: Mapping[str, Any], base: Rules = USUAL_RULES) -> Rules:
    """Return the rules with some of them changed; values are texts, or of the rule's own type. None changes nothing."""
    changes: dict[str, Any] = {}
    for name, value in values.items():
        if name not in RULE_NAMES:
            raise unknown_name("rule", name, RULE_NAMES)
        if value is not None:
            changes[name] = _parse_rule(name, value)
    return replace(base, **changes)


def format_rules(rules: Rules) -> dict[str, str]:
    """Return the rules that differ from the defaults as texts that `parse_rules` reads."""
    changed = [name for name in RULE_NAMES if getattr(rules, name) != getattr(USUAL_RULES, name)]
    return {name: _format_rule(name, rules) for name in changed}


def describe_rules(rules: Rules) -> dict[str, str]:
    """Return all rules as texts that `parse_rules` reads."""
    return {name: _format_rule(name, rules) for name in RULE_NAMES}


def rules_as_json(rules: Rules) -> dict[str, Any]:
    """Return all rules as JSON values, for certificates and answers."""
    values = {name: getattr(rules, name) for name in RULE_NAMES}
    values["keys"] = [list(pair) for pair in rules.keys]
    values["items"] = list(rules.items)
    values["collect"] = list(rules.collect)
    return values


def _parse_rule(name: str, value: Any) -> Any:
    if name == "keys":
        return _parse_keys(value)
    if name in ("items", "collect"):
        return _parse_items(name, value)
    if name == "bombs" and isinstance(value, str) and value.strip() == _UNLIMITED:
        return None
    if name in ("bombs", "bombs_per_pickup"):
        return _parse_count(name, value, " or unlimited" if name == "bombs" else "")
    if name == "keys_counted":
        known = {"true": True, "yes": True, "false": False, "no": False}
        read = known.get(value.strip().lower(), value) if isinstance(value, str) else value
        if not isinstance(read, bool):
            raise BadOption(f"{name}: expected true or false, found {show_value(value)}")
        return read
    text = value.strip() if isinstance(value, str) else ""
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise BadOption(f"{name} is {listed(CHOICES[name], last='or')}, found {show_value(value)}")
        return text
    if not is_name(text):
        raise BadOption(f"{name}: expected the name of an item, found {show_value(value)}")
    return text


def _parse_keys(value: Any) -> tuple[tuple[str, int], ...]:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise BadOption(f"keys: expected a number, or such as 1 + red 2, found {show_value(value)}")
    counts: dict[str, int] = {}
    for part in value.split("+"):
        words = part.split()
        if words in ([_NONE], []):
            continue
        colour = " ".join(words[:-1])
        if colour and not is_name(colour):
            raise BadOption(f"keys: expected a colour, found {show_value(colour)}")
        counts[colour] = counts.get(colour, 0) + _parse_count("keys", words[-1], "")
    if any(count > MAX_OF_ANYTHING for count in counts.values()):
        raise BadOption(f"keys: expected at most {MAX_OF_ANYTHING} of a colour, found {show_value(value)}")
    return tuple(sorted((colour, count) for colour, count in counts.items() if count))


def _parse_items(rule: str, value: Any) -> tuple[str, ...]:
    parts = value.split("+") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise BadOption(f"{rule}: expected names joined by +, or none, found {show_value(value)}")
    names = {str(part).strip() for part in parts} - {_NONE, ""}
    for name in names:
        if not is_name(name):
            raise BadOption(f"{rule}: expected names joined by +, or none, found {show_value(name)}")
    return tuple(sorted(names))


def _parse_count(name: str, value: Any, otherwise: str) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()) or int(text[:9]) > MAX_OF_ANYTHING:
        raise BadOption(f"{name}: expected a number from 0 to {MAX_OF_ANYTHING}{otherwise}, found {show_value(value)}")
    return int(text)


def _format_rule(name: str, rules: Rules) -> str:
    value = getattr(rules, name)
    if name == "keys":
        return " + ".join(f"{colour} {count}".strip() for colour, count in value) or "0"
    if name in ("items", "collect"):
        return " + ".join(value) or _NONE
    if name == "bombs" and value is None:
        return _UNLIMITED
    return str(value).lower() if isinstance(value, bool) else str(value)


def hint_at(name: str, known: Iterable[str]) -> str:
    """Return which known name may be meant by a mistyped one, in parentheses; empty if none is like it."""
    import difflib

    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.6)
    return f" (is {close[0]!r} meant?)" if close else ""


def is_name(text: str) -> bool:
    """Tell whether a text can name an item, a colour, a switch, a gate, a room or a floor."""
    return 0 < len(text) <= 60 and text == text.strip() and all(letter.isalnum() or letter in " -'" for letter in text)
