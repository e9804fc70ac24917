"""The files of level editors: typed JSON with errors that say where, JSON for people, and files beside a file."""

from __future__ import annotations

import json
import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar

import msgspec

from solvent.core.errors import ParseError
from solvent.core.file_access import may_open
from solvent.dungeon.notation.editor.objects import Where

LARGEST_FILE_BYTES = 16 << 20
"""The most of a tileset or level that lies beside the map."""
LONGEST_LINE = 200
"""Letters in a line of JSON, unless what is in it cannot be parted: most objects fit into one."""

Shape = TypeVar("Shape")

_PLACE = re.compile(r"^(.*) - at `([^`]*)`$", re.DOTALL)
_BYTE = re.compile(r"^(.*) \(byte (\d+)\)$", re.DOTALL)


def read_json(text: str, shape: type[Shape], what: str) -> Shape:
    """Read JSON of a certain shape, or raise ParseError at its JSON path or line."""
    try:
        return msgspec.json.decode(text.removeprefix("\ufeff"), type=shape)
    except msgspec.ValidationError as error:
        raise _shape_error(str(error), what) from None
    except msgspec.DecodeError as error:
        found = _BYTE.match(str(error))
        if found is None:
            raise ParseError(f"{what} as JSON ({_lower(str(error))})") from None
        before = text.removeprefix("\ufeff").encode("utf-8", "replace")[: int(found[2])].decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ParseError(f"{what} as JSON ({_lower(found[1])})", line=line, column=column) from None
    except UnicodeEncodeError:
        raise ParseError(f"{what} as JSON in UTF-8") from None
    except RecursionError:
        raise ParseError(f"{what} as JSON, but it is nested too deeply") from None


def write_json(value: Any, indent: str = "", *, row: int = 0) -> str:
    """Write JSON with what fits into a line on one line, and numbers of tiles in rows."""
    short = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(short) <= LONGEST_LINE or not value or not isinstance(value, dict | list):
        return short
    inner = indent + " "
    if isinstance(value, dict):
        row = int(value.get("width") or value.get("__cWid") or 0)
        parts = [
            f"{json.dumps(name, ensure_ascii=False)}: {write_json(part, inner, row=row)}"
            for name, part in value.items()
        ]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    if row and isinstance(value[0], int):
        rows = [", ".join(map(str, value[start : start + row])) for start in range(0, len(value), row)]
        return "[\n" + ",\n".join(inner + line for line in rows) + f"\n{indent}]"
    return "[\n" + ",\n".join(inner + write_json(part, inner) for part in value) + f"\n{indent}]"


def read_beside(path: Path | None, relative: str, endings: tuple[str, ...], what: str, where: Where) -> str:
    """Read a file that another names, relative to it; only a regular file of a known kind and bounded size."""
    if path is None:
        raise ParseError(f"a file on disk, since its {what} lies in another: {relative}", **where)
    if PurePosixPath(relative).is_absolute() or PureWindowsPath(relative).anchor or "\0" in relative:
        raise ParseError(f"a path of the {what} relative to the file", relative, **where)
    if PurePosixPath(relative).suffix.lower() not in endings:
        raise ParseError(f"a {what} in a file that ends in {' or '.join(endings)}", relative, **where)
    beside = path.parent / relative.replace("\\", "/")
    try:
        if not may_open(beside):
            raise ParseError(f"a {what} among the files that may be opened here", relative, **where)
        if not beside.is_file():
            raise ParseError(f"the {what} beside the file, but there is no such file", relative, **where)
        with beside.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except OSError as error:
        raise ParseError(f"the {what} beside the file ({error.strerror})", relative, **where) from None
    if len(data) > LARGEST_FILE_BYTES:
        raise ParseError(f"a {what} of at most {LARGEST_FILE_BYTES >> 20} MB", relative, **where)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ParseError(f"a {what} in UTF-8", relative, **where) from None


def _shape_error(message: str, what: str) -> ParseError:
    """Turn msgspec's words into ours: what was expected, what was found, and the JSON path."""
    found = _PLACE.match(message)
    said, path = (found[1], found[2]) if found else (message, "$")
    said = said.replace("`", "").replace(" | null", "")
    for named, plain in (("array", "a list"), ("object", "an object"), ("int", "a whole number"), ("str", "a text")):
        said = re.sub(rf"\b{named}\b", plain, said)
    for named, plain in (("float", "a number"), ("bool", "true or false")):
        said = re.sub(rf"\b{named}\b", plain, said)
    if said.startswith("Expected ") and ", got " in said:
        wanted, got = said.removeprefix("Expected ").split(", got ", 1)
        return ParseError(f"{wanted} ({what}), found {got}", path=path)
    return ParseError(f"{what} ({_lower(said)})", path=path)


def _lower(said: str) -> str:
    return said[:1].lower() + said[1:]
