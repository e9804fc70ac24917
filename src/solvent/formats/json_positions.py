"""Find the line and column of a value in a JSON text by its path, such as `$.levels[2].entities[0]`.

The values before it are skipped, not kept, so this takes about as long as reading the text once.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

_BLANK = re.compile(r"[ \t\r\n]*")
_INDEX = re.compile(r"\[([0-9]{1,9})\]")
_DECODER = json.JSONDecoder()


class TextPosition(NamedTuple):
    """Say where something begins in a text; both are counted from 1."""

    line: int
    column: int


def find_json_position(text: str, path: str) -> TextPosition | None:
    """Return where the value at a path begins; None if there is no such value, or the text is no JSON."""
    if not path.startswith("$"):
        return None
    try:
        at = _descend(text, _skip(text, 1 if text.startswith("\ufeff") else 0), path[1:])
    except (ValueError, RecursionError, IndexError):
        return None
    return None if at is None else position_at(text, at)


def find_json_span(text: str, path: str) -> tuple[int, int] | None:
    """Return where the value at a path begins and ends, as indices; None if there is no such value."""
    try:
        start = _descend(text, _skip(text, 1 if text.startswith("\ufeff") else 0), path.removeprefix("$"))
        return None if start is None else (start, _end_of_value(text, start))
    except (ValueError, RecursionError, IndexError):
        return None


def position_at(text: str, at: int) -> TextPosition:
    """Return the line and column of an index in a text, whatever system its line ends come from."""
    before = text[:at]
    lines = before.count("\n") + before.count("\r") - before.count("\r\n")
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    # A mark of the byte order is no letter of the first line.
    return TextPosition(lines + 1, at - start + 1 - (start == 0 and text.startswith("\ufeff")))


def _descend(text: str, at: int, path: str) -> int | None:
    """Return the index of the value at the rest of a path, from the value that begins at an index."""
    while path:
        found = _find_index(text, at, path) if path[0] == "[" else _find_key(text, at, path)
        if found is None:
            return None
        at, path = found
    return at


def _find_index(text: str, at: int, path: str) -> tuple[int, str] | None:
    wanted = _INDEX.match(path)
    if wanted is None or text[at] != "[":
        return None
    at = _skip(text, at + 1)
    for _ in range(int(wanted[1])):
        at = _skip(text, _end_of_value(text, at))
        if text[at] != ",":
            return None
        at = _skip(text, at + 1)
    return (at, path[wanted.end() :]) if text[at] != "]" else None


def _find_key(text: str, at: int, path: str) -> tuple[int, str] | None:
    """Find the key that a path goes on with. Names may hold points and brackets: the longest key that fits is meant."""
    if path[0] != "." or text[at] != "{":
        return None
    best: tuple[int, str] | None = None
    at = _skip(text, at + 1)
    while text[at] == '"':
        key, end = _DECODER.raw_decode(text, at)
        at = _skip(text, end)
        if text[at] != ":":
            return None
        at = _skip(text, at + 1)
        rest = path[1 + len(key) :]
        if path.startswith(key, 1) and rest[:1] in ("", ".", "[") and (best is None or len(rest) <= len(best[1])):
            best = at, rest
            if not rest:
                return best
        at = _skip(text, _end_of_value(text, at))
        if text[at] != ",":
            break
        at = _skip(text, at + 1)
    return best


def _end_of_value(text: str, at: int) -> int:
    return _DECODER.raw_decode(text, at)[1]


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None, "any number of blanks is matched, also none"
    return found.end()
