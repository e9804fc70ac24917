"""Find the line that a key of a TOML file stands on, which Python's own reader does not tell."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

Keys = tuple[str, ...]
_HEADING = re.compile(r"\s*\[")


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """Return the line, from 1, of the key with this path in a text that is TOML; None if it is not there.

    A key inside a value, as in an inline table, is on the line where the value begins.
    """
    wanted = tuple(keys)
    around: tuple[int, int] | None = None
    for line, found in _keys(text):
        if found[: len(wanted)] == wanted:
            return line
        if found == wanted[: len(found)] and (around is None or len(found) > around[0]):
            around = (len(found), line)
    return None if around is None else around[1]


def _keys(text: str) -> Iterator[tuple[int, Keys]]:
    """Yield every heading and every key with its line."""
    heading: Keys = ()
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        if not lines[number].strip() or lines[number].lstrip().startswith("#"):
            number += 1
            continue
        end, value = _statement(lines, number)
        path = _first_path(value)
        if _HEADING.match(lines[number]):
            heading = path
            yield number + 1, heading
        else:
            yield number + 1, heading + path
        number = end


def _statement(lines: Sequence[str], first: int) -> tuple[int, dict[str, Any]]:
    """Read one statement, which may go on for several lines; returns the number of the line after it."""
    for end in range(first + 1, len(lines) + 1):
        try:
            return end, tomllib.loads("\n".join(lines[first:end]))
        except tomllib.TOMLDecodeError:
            continue
    return first + 1, {}


def _first_path(value: Any) -> Keys:
    """Return the names that lead to the value of a statement; inside it, names are the value's own."""
    path = []
    while isinstance(value, dict) and len(value) == 1:
        name, value = next(iter(value.items()))
        path.append(name)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            break
    return tuple(path)
