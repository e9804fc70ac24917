"""Write the lines of a mapping as TOML: no line is wider than a terminal, unless a name is."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

WIDTH = 79
"""Letters in a line."""


class Line(Struct, frozen=True):
    """Hold a name with its meaning, and a comment."""

    key: tuple[str, ...]
    meaning: str
    comment: str

    def __str__(self) -> str:
        """Return it with its comment behind it, or above it where that is too wide."""
        text = f'{".".join(map(quoted, self.key))} = "{self.meaning}"'
        if not self.comment:
            return text
        comment = "".join(letter if letter.isprintable() else "?" for letter in self.comment)
        whole = f"{text}  # {comment}"
        return whole if len(whole) <= WIDTH else f"{as_comment(comment)}{text}"


def as_comment(text: str) -> str:
    """Return a text as lines of comment."""
    return "".join(f"{line}\n" for line in _wrap(text))


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent="# ",
        subsequent_indent="#   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def quoted(name: str) -> str:
    """Return a part of a key."""
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return name
    return '"' + "".join(_escaped(letter) for letter in name) + '"'


def _escaped(letter: str) -> str:
    if letter in '\\"':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


def flatten(raw: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each value of nested tables with its key; lists of tables are left out."""
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from flatten(value, (*at, name))
        elif not isinstance(value, list):
            yield (*at, name), value


def shorthands(raw: Mapping[str, Any]) -> set[tuple[str, ...]]:
    """Return the classes that are decided as a whole, in short."""
    classes = raw.get("classes", {})
    names = raw.get("names", {})
    return {("classes", name) for name, value in classes.items() if isinstance(value, str)} | {
        ("names", name) for name, value in names.items() if isinstance(value, str)
    }


def write_tables(raw: Mapping[str, Any]) -> str:
    """Return the lists of tables of a mapping."""
    text = ""
    for section in ("objects", "place"):
        for one in raw.get(section, []):
            text += f"\n[[{section}]]\n"
            text += "".join(f"{quoted(name)} = {_inline(value)}\n" for name, value in one.items())
    return text


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{quoted(name)} = {_inline(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else '"' + "".join(map(_escaped, str(value))) + '"'
