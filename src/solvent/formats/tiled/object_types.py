"""Find and read the classes of a Tiled project: `.tiled-project`, and files of object or property types.

Tiled maps do not name their project. It is looked for in the folder of the map and in a few folders above it; the
nearest folder that has something counts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.core.safe_xml import read_elements
from solvent.formats.companion_files import Companion, files_with_ending, is_there, read_text
from solvent.formats.tiled.properties import EnumType, Member, ObjectTypes, read_member
from solvent.formats.typed_json import read_json

MAX_FOLDERS_ABOVE = 4
MAX_PROJECTS = 5
_TYPES = Companion("file of object types", (".xml", ".json"))
_USUAL_NAMES = ("objecttypes.xml", "objecttypes.json", "propertytypes.json")


class _MemberShape(Struct):
    name: str
    type: str = "string"
    propertyType: str | None = None
    propertytype: str | None = None
    value: Any = None


class _TypeShape(Struct):
    """Describe a class or enum of a project, or an object type of older versions."""

    name: str
    type: str = "class"
    members: list[_MemberShape] = []
    properties: list[_MemberShape] = []
    values: list[str] = []
    valuesAsFlags: bool = False


class _ProjectShape(Struct):
    propertyTypes: list[_TypeShape] = []
    objectTypesFile: str | None = None


def find_object_types(path: Path | None) -> ObjectTypes:
    """Return the classes of the project that a map belongs to, as far as there is one."""
    types = ObjectTypes()
    if path is None:
        return types
    folder = Path(os.path.abspath(path)).parent
    for place in [folder, *folder.parents][: MAX_FOLDERS_ABOVE + 1]:
        projects = files_with_ending(place, ".tiled-project")[:MAX_PROJECTS]
        named = [place / name for name in _USUAL_NAMES if is_there(place / name)]
        for project in projects:
            _read_file(project, _read_project, types)
        for file in named:
            _read_file(file, _read_types, types)
        if projects or named:
            break
    return types


def read_object_types(text: str) -> ObjectTypes:
    """Read a file of object or property types, in XML or JSON."""
    types = ObjectTypes()
    _read_types(text, Path(), types)
    return types


def _read_file(path: Path, read: Any, types: ObjectTypes) -> None:
    try:
        read(read_text(path, "project"), path, types)
    except ParseError as error:
        raise error.in_source(path.name) from None


def _read_project(text: str, path: Path, types: ObjectTypes) -> None:
    project = read_json(text, _ProjectShape, "a Tiled project")
    _add(project.propertyTypes, types)
    if project.objectTypesFile:
        name = project.objectTypesFile
        if Path(name).is_absolute() or not is_there(path.parent / name):
            return  # on the machine of those who made it
        found = _TYPES.read(path, name, {"path": "$.objectTypesFile"})
        try:
            _read_types(found, path, types)
        except ParseError as error:
            raise error.in_source(name) from None


def _read_types(text: str, _path: Path, types: ObjectTypes) -> None:
    if text[:100].lstrip("\ufeff \t\r\n").startswith("["):
        _add(read_json(text, list[_TypeShape], "object types"), types)
        return
    for one in read_elements(text, "objecttypes", "object types").all("objecttype"):
        members = [read_member(inner, "default") for inner in one.all("property")]
        types.classes.setdefault(one.word("name"), members)


def _add(shapes: Iterable[_TypeShape], types: ObjectTypes) -> None:
    for one in shapes:
        if one.type == "enum":
            types.enums.setdefault(one.name, EnumType(tuple(one.values), one.valuesAsFlags))
        else:
            types.classes.setdefault(one.name, list(_members(one)))


def _members(shape: _TypeShape) -> Iterator[Member]:
    for one in (*shape.members, *shape.properties):
        yield Member(one.name, one.type, one.propertyType or one.propertytype or "", one.value)
