"""Typed JSON with errors that say where, and files that another file names."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

import msgspec

from solvent.core.errors import ParseError
from solvent.core.file_access import may_open

LARGEST_FILE_BYTES = 64 << 20

Shape = TypeVar("Shape")

_PLACE = re.compile(r"^(.*) - at `([^`]*)`$", re.DOTALL)
_BYTE = re.compile(r"^(.*) \(byte (\d+)\)$", re.DOTALL)
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]")
_IN_WORDS = (
    ("array", "a list"),
    ("object", "an object"),
    ("int", "a whole number"),
    ("str", "a text"),
    ("float", "a number"),
    ("bool", "true or false"),
    ("null", "nothing"),
)


def read_json(text: str, shape: type[Shape], what: str) -> Shape:
    """Read JSON of a certain shape, or raise ParseError at its JSON path or line."""
    text = text.removeprefix("\ufeff")
    try:
        return msgspec.json.decode(text, type=shape)
    except msgspec.ValidationError as error:
        raise shape_error(error, what, text) from None
    except msgspec.DecodeError as error:
        found = _BYTE.match(str(error))
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
    """Turn msgspec's words into ours; `source` is the text, or the data, in which it stood."""
    found = _PLACE.match(str(error))
    said, path = (found[1], found[2]) if found else (str(error), "$")
    said = re.sub(r"`([^`]*)`", lambda quoted: _kinds_in_words(quoted[1]), said)
    shown = prefix + path.removeprefix("$")
    if said.startswith("Expected ") and ", got " in said:
        wanted = said.removeprefix("Expected ").split(", got ", 1)[0]
        value = _value_at(source, path)
        return ParseError(wanted, *value, path=shown)
    key = said.rpartition(" ")[2].strip("'")
    if said.startswith("Object contains unknown field"):
        return ParseError("only keys that mean something here", key, path=shown)
    if said.startswith("Object missing required field"):
        return ParseError(f"the key '{key}', but it is missing", path=shown)
    return ParseError(f"{what} ({_lower(said)})", path=shown)


def read_beside(path: Path | None, relative: str, endings: tuple[str, ...], what: str, where: str) -> str:
    """Read a text file that another names: a regular file of a known kind and bounded size, in its folder or below."""
    beside = find_beside(path, relative, endings, what, where)
    try:
        with beside.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise ParseError(f"the {what} beside the file ({error.strerror})", relative, path=where) from None
    if len(data) > LARGEST_FILE_BYTES:
        raise ParseError(f"a {what} of at most {LARGEST_FILE_BYTES >> 20} MB", relative, path=where)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError(f"a {what} in UTF-8", relative, path=where) from None


def find_beside(path: Path | None, relative: str, endings: tuple[str, ...], what: str, where: str) -> Path:
    """Return the path of a file that another names, which never leads out of its folder."""
    if path is None:
        raise ParseError(f"a file on disk, since its {what} is in another", relative, path=where)
    if PurePosixPath(relative).is_absolute() or PureWindowsPath(relative).anchor or "\0" in relative:
        raise ParseError(f"a path of the {what} relative to the file", relative, path=where)
    if PurePosixPath(relative).suffix.lower() not in endings:
        raise ParseError(f"a {what} in a file that ends in {' or '.join(endings)}", relative, path=where)
    try:
        folder = path.parent.resolve()
        beside = (path.parent / relative.replace("\\", "/")).resolve()
        if not beside.is_relative_to(folder):
            raise ParseError(f"a {what} in the folder of the file or below it", relative, path=where)
        if not may_open(beside):
            raise ParseError(f"a {what} among the files that may be opened here", relative, path=where)
        if not beside.is_file():
            raise ParseError(f"the {what} beside the file, but there is no such file", relative, path=where)
    except (OSError, RuntimeError) as error:
        raise ParseError(f"the {what} beside the file ({error})", relative, path=where) from None
    return beside


def _kinds_in_words(kinds: str) -> str:
    """Return msgspec's names of types as a person would say them; anything else stays as it is, in quotes."""
    names = dict(_IN_WORDS)
    parts = [part for part in kinds.split(" | ") if part != "null" or kinds == "null"]
    if all(part in names for part in parts):
        return " or ".join(names[part] for part in parts)
    return f"'{kinds}'"


def _value_at(source: Any, path: str) -> tuple[Any, ...]:
    """Return the value at a JSON path as a tuple of one, or an empty one where it cannot be told."""
    try:
        value = msgspec.json.decode(source) if isinstance(source, str) else source
        for step in _STEP.finditer(path):
            value = value[step[1]] if step[1] is not None else value[int(step[2])]
    except (msgspec.DecodeError, RecursionError, KeyError, IndexError, TypeError, ValueError):
        return ()
    return () if "[...]" in path else (value,)


def _lower(said: str) -> str:
    return said if said[1:2].isupper() else said[:1].lower() + said[1:]
