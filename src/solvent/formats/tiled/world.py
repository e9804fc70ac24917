"""Tiled worlds: which maps lie where, one by one or by patterns of file names.

A pattern is a regular expression of a file that anybody may have written, so it is matched by `simple_pattern`, in time
that no pattern can stretch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.formats.companion_files import Companion, Where, files_with_ending
from solvent.formats.tiled.simple_pattern import SimplePattern, parse_pattern
from solvent.formats.typed_json import read_json

MAX_MAPS = 1_000
MAX_PATTERNS = 20
_FAR = 1 << 30
MAP_FILE = Companion("map", (".tmx", ".tmj", ".json", ".xml"))
_MAP_ENDINGS = (".tmx", ".tmj", ".json")


class WorldMap(Struct, frozen=True):
    """Hold a map of a world and where its corner lies, in pixels."""

    name: str
    """Its file, from the folder of the world."""
    x: int
    y: int
    where: Where


class _MapShape(Struct):
    fileName: str
    x: int
    y: int


class _PatternShape(Struct):
    regexp: str
    multiplierX: int = 1
    multiplierY: int = 1
    offsetX: int = 0
    offsetY: int = 0


class _WorldShape(Struct):
    maps: list[_MapShape] | None = None
    patterns: list[_PatternShape] | None = None


def read_world(text: str, path: Path | None) -> list[WorldMap]:
    """Return the maps of a world; its patterns are held against the files beside `path`."""
    shape = read_json(text, _WorldShape, "a Tiled world")
    if path is None:
        raise ParseError("a world in a file on disk, since its maps are in others")
    if len(shape.patterns or ()) > MAX_PATTERNS:
        raise ParseError(f"at most {MAX_PATTERNS} patterns", len(shape.patterns or ()), path="$.patterns")
    found: dict[str, WorldMap] = {}
    for at, one in enumerate(shape.maps or ()):
        found.setdefault(one.fileName, WorldMap(one.fileName, one.x, one.y, {"path": f"$.maps[{at}]"}))
    for at, pattern in enumerate(shape.patterns or ()):
        for map in _matching(pattern, {"path": f"$.patterns[{at}]"}, path):
            found.setdefault(map.name, map)
    if not found:
        raise ParseError("maps in the world, but there are none", path="$")
    if len(found) > MAX_MAPS:
        raise ParseError(f"at most {MAX_MAPS:,} maps", len(found), path="$.maps")
    for map in found.values():
        if max(abs(map.x), abs(map.y)) > _FAR:
            raise ParseError("a map that is not so far off", f"{map.x}, {map.y}", **map.where)
    return list(found.values())


def _matching(shape: _PatternShape, where: Where, path: Path) -> Iterator[WorldMap]:
    """Yield the maps beside the world whose names fit a pattern: its first two groups are numbers of a place."""
    pattern: SimplePattern = parse_pattern(shape.regexp, {**where, "path": f"{where['path']}.regexp"})
    if pattern.groups < 2:
        expected = "a pattern with two groups of digits, such as level-(\\d+)-(\\d+)\\.tmx"
        raise ParseError(expected, shape.regexp, **where)
    for file in files_with_ending(Path(os.path.abspath(path)).parent, *_MAP_ENDINGS):
        groups = pattern.search(file.name)
        if groups is None:
            continue
        numbers = [int(group) for group in groups[:2] if group.isdecimal() and len(group) < 10]
        if len(numbers) == 2:
            x = numbers[0] * shape.multiplierX + shape.offsetX
            y = numbers[1] * shape.multiplierY + shape.offsetY
            yield WorldMap(file.name, x, y, where)
