"""Text resources of Godot 4 (.tres, .tscn): sections in brackets with properties below them, read with bounds.

Values are numbers, texts, true and false, and calls such as `Vector2i(16, 16)` or `SubResource("atlas")`; lists and
dictionaries are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError

LARGEST_TEXT = 16 << 20
MAX_PROPERTIES = 500_000
_HEADER = re.compile(r'\[(\w+)((?:\s+\w+\s*=\s*(?:"(?:[^"\\]|\\.)*+"|[^\s\]"]+))*)\s*\]\s*')
_ATTRIBUTE = re.compile(r'(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*+)"|([^\s\]"]+))')
_PROPERTY = re.compile(r"([^\s=\[\]\"]+)\s*=\s*")
_CALL = re.compile(r"(\w+)\(([^()]*)\)")
_OPENING, _CLOSING = "([{", ")]}"


class Call(Struct, frozen=True):
    """Hold a value such as `Vector2i(16, 16)`: its name, and the numbers or texts in it."""

    name: str
    arguments: tuple[Any, ...]


class Section(Struct, frozen=True):
    """Hold a section: its kind, the attributes of its header, and its properties."""

    kind: str
    attributes: Mapping[str, str]
    properties: Mapping[str, Any]
    line: int


def read_resource(text: str, what: str) -> list[Section]:
    """Read the sections of a text resource, or raise ParseError; `what` says what it should be."""
    if len(text) > LARGEST_TEXT:
        raise ParseError(f"{what} of at most {LARGEST_TEXT >> 20} million letters")
    sections: list[Section] = []
    properties: dict[str, Any] = {}
    count = 0
    for line, word, value in _lines(text.removeprefix("\ufeff"), what):
        if word is None:
            properties = {}
            sections.append(Section(value[0], value[1], properties, line))
            continue
        if not sections:
            raise ParseError(f"{what}, which begins with a section such as [gd_resource]", word, line=line)
        count += 1
        if count > MAX_PROPERTIES:
            raise ParseError(f"at most {MAX_PROPERTIES:,} properties", line=line)
        properties[word] = value
    return sections


def _lines(text: str, what: str) -> Iterator[tuple[int, str | None, Any]]:
    """Yield the headers, without a word, and the properties, with their lines."""
    at, line = 0, 1
    while at < len(text):
        if text[at] in " \t\r\n":
            line += text[at] == "\n"
            at += 1
            continue
        if text[at] == ";":
            at = (text.find("\n", at) + 1) or len(text)
            line += 1
            continue
        header = _HEADER.match(text, at)
        if header is not None:
            attributes = {name: _unescape(quoted) or bare for name, quoted, bare in _ATTRIBUTE.findall(header[2])}
            yield line, None, (header[1], attributes)
            line += header[0].count("\n")
            at = header.end()
            continue
        found = _PROPERTY.match(text, at)
        if found is None:
            raise ParseError(f"{what}: a section or a property", text[at : at + 40].partition("\n")[0], line=line)
        end = _end_of_value(text, found.end(), what, line)
        yield line, found[1], _value(text[found.end() : end].strip())
        line += text.count("\n", at, end)
        at = end


def _end_of_value(text: str, at: int, what: str, line: int) -> int:
    """Return where a value ends: at the end of its line, or where its last bracket is closed."""
    depth, quoted = 0, False
    while at < len(text):
        letter = text[at]
        if quoted:
            if letter == "\\":
                at += 1
            elif letter == '"':
                quoted = False
        elif letter == '"':
            quoted = True
        elif letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif letter == "\n" and depth <= 0:
            return at
        at += 1
    if quoted or depth > 0:
        raise ParseError(f"{what} in which texts and brackets are closed, but the file ends too early", line=line)
    return at


def _value(text: str) -> Any:
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        return _unescape(text[1:-1])
    if text in ("true", "false"):
        return text == "true"
    call = _CALL.fullmatch(text)
    if call is not None:
        return Call(call[1], tuple(_value(part.strip()) for part in call[2].split(",") if part.strip())[:64])
    try:
        return int(text) if re.fullmatch(r"[+-]?\d{1,15}", text) else float(text)
    except ValueError:
        return text


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text)


def pair(value: Any, otherwise: tuple[int, int]) -> tuple[int, int]:
    """Return a Vector2i as two numbers; what is none is `otherwise`."""
    if isinstance(value, Call) and len(value.arguments) == 2 and all(isinstance(one, int) for one in value.arguments):
        return value.arguments[0], value.arguments[1]
    return otherwise


def quote(text: str) -> str:
    """Return a text as such a file has it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
