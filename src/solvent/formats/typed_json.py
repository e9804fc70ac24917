"""JSON of a certain shape, read with errors that say what was expected, what was found, and its JSON path or line."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from solvent.core.errors import ParseError
from solvent.core.file_kinds import CUT_SHORT, end_of_text

LARGEST_TEXT = 64 << 20
"""Letters of JSON at most."""

Shape = TypeVar("Shape")

_PATH = re.compile(r"^(.*) - at `([^`]*)`$", re.DOTALL)
_BYTE = re.compile(r"^(.*) \(byte (\d+)\)$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_TYPES = {
    "array": "a list",
    "object": "an object",
    "int": "a whole number",
    "str": "a text",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
}


def read_json(text: str, shape: type[Shape], what: str) -> Shape:
    """Read JSON of a certain shape, or raise ParseError; `what` says what it should be: "a task"."""
    text = text.removeprefix("\ufeff")
    if len(text) > LARGEST_TEXT:
        raise ParseError(f"{what} of at most {LARGEST_TEXT >> 20} million letters")
    try:
        return msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as error:
        raise shape_error(error, what, text) from None
    except msgspec.DecodeError as error:
        found = _BYTE.match(str(error))
        if CUT_SHORT in str(error):
            line, column = end_of_text(text)
            raise ParseError(f"{what} as JSON, but the file ends too early", line=line, column=column) from None
        if found is None:
            raise ParseError(f"{what} as JSON ({_lower(str(error))})") from None
        before = text.encode("utf-8", "replace")[: int(found[2])].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ParseError(f"{what} as JSON ({_lower(found[1])})", line=line, column=column) from None
    except UnicodeEncodeError:
        raise ParseError(f"{what} as JSON in UTF-8") from None
    except RecursionError:
        raise ParseError(f"{what} as JSON, but it is nested too deeply") from None


def shape_error(error: msgspec.ValidationError, what: str, source: Any, prefix: str = "$") -> ParseError:
    """Turn msgspec's error into ours; `source` is the text, or the data, in which it stood, at the path `prefix`."""
    found = _PATH.match(str(error))
    message, path = (found[1], found[2]) if found else (str(error), "$")
    message = re.sub(r"`([^`]*)`", lambda quoted: _describe_types(quoted[1]), message)
    shown = prefix + path.removeprefix("$")
    if message.startswith("Expected ") and ", got " in message:
        wanted = message.removeprefix("Expected ").split(", got ", 1)[0]
        whole = f" ({what})" if shown == "$" else ""
        return ParseError(wanted + whole, *_value_at(source, path), path=shown)
    key = message.rpartition(" ")[2].strip("'")
    if message.startswith("Object contains unknown field"):
        return ParseError("only keys that mean something here", key, path=shown)
    if message.startswith("Object missing required field"):
        return ParseError(f"the key '{key}', but it is missing", path=shown)
    return ParseError(f"{what} ({_lower(message)})", path=shown)


def _describe_types(types: str) -> str:
    """Return msgspec's names of types as a person would say them; anything else stays as it is, in quotes."""
    parts = [part for part in types.split(" | ") if part != "null" or types == "null"]
    if all(part in _TYPES for part in parts):
        return " or ".join(_TYPES[part] for part in parts)
    return f"'{types}'"


def _value_at(source: Any, path: str) -> tuple[Any, ...]:
    """Return the value at a JSON path as a tuple of one; an empty tuple where it cannot be found."""
    try:
        value = msgspec.json.decode(source) if isinstance(source, str) else source
        for step in _STEP.finditer(path):
            value = value[step[1]] if step[1] is not None else value[int(step[2])]
    except (msgspec.DecodeError, RecursionError, KeyError, IndexError, TypeError, ValueError):
        return ()
    return () if "[...]" in path else (value,)


def _lower(message: str) -> str:
    return message if message[1:2].isupper() else message[:1].lower() + message[1:]
