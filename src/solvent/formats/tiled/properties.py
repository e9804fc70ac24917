"""Custom properties of Tiled, and what the classes of a project say where an object says nothing.

Values that are records of a class are taken apart: the member `color` of a property `lock` is `lock.color`. Values of
an enum that is stored as numbers are given by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element
from solvent.formats.companion_files import Where
from solvent.formats.tiled.model import ObjectLink
from solvent.formats.tiled.parsing import JsonElement

DEEPEST_RECORD = 8
MAX_MEMBERS = 10_000
"""The most values that a class stands for, those of its records counted one by one."""


class Member(Struct, frozen=True):
    """Hold a property as it is written: of an object, or as a class has it."""

    name: str
    kind: str
    """`string`, `int`, `float`, `bool`, `color`, `file`, `object` or `class`."""
    class_name: str
    """The class or enum of its value; may be empty."""
    value: Any
    where: Where = {}


class EnumType(Struct, frozen=True):
    """Hold an enum; `is_flags` if a value is any number of its names."""

    names: tuple[str, ...]
    is_flags: bool


class ObjectTypes(Struct):
    """Hold the classes and enums that a project or a file of object types defines."""

    classes: dict[str, list[Member]] = field(default_factory=dict)
    enums: dict[str, EnumType] = field(default_factory=dict)
    known: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The values of classes, as far as they were asked for."""

    def defaults(self, kind: str) -> Mapping[str, Any]:
        """Return the values that a thing of a class has where it says nothing itself."""
        if kind not in self.known:
            self.known[kind] = self.flatten(self.classes.get(kind, ()))
        return self.known[kind]

    def flatten(self, members: Iterable[Member]) -> dict[str, Any]:
        """Return members with plain values, those of records by their whole name; the first of a name counts."""
        found: dict[str, Any] = {}
        for name, value, where in self._walk(members, "", 0):
            found.setdefault(name, value)
            if len(found) > MAX_MEMBERS:
                raise ParseError(f"at most {MAX_MEMBERS:,} values in properties", name, **where)
        return found

    def _walk(self, members: Iterable[Member], prefix: str, depth: int) -> Iterator[tuple[str, Any, Where]]:
        for member in members:
            name = prefix + member.name
            if isinstance(member.value, list) and member.kind != "class":
                yield (
                    name,
                    [one for one in map(_item, member.value) if isinstance(one, str | int | float)],
                    member.where,
                )
            elif member.kind == "class" or isinstance(member.value, dict):
                if depth >= DEEPEST_RECORD:
                    raise ParseError(f"records at most {DEEPEST_RECORD} deep", name, **member.where)
                yield from self._walk(self._members_of(member), f"{name}.", depth + 1)
            else:
                value = self._value(member)
                if isinstance(value, str | int | float | ObjectLink):
                    yield name, value, member.where

    def _members_of(self, member: Member) -> list[Member]:
        """Return the members of a record: those it has, then those that its class has beside them."""
        usual = self.classes.get(member.class_name, [])
        if isinstance(member.value, list):  # as XML has them
            return [*(one for one in member.value if isinstance(one, Member)), *usual]
        kinds = {one.name: one for one in usual}
        given = member.value if isinstance(member.value, dict) else {}
        own = [
            Member(name, kinds[name].kind, kinds[name].class_name, value, member.where)
            if name in kinds
            else Member(name, "", "", value, member.where)
            for name, value in given.items()
        ]
        return [*own, *usual]

    def _value(self, member: Member) -> Any:
        value = member.value
        if member.kind == "object":
            return ObjectLink(str(value)) if isinstance(value, str | int) and value not in ("", "0", 0) else None
        enum = self.enums.get(member.class_name)
        if enum is None or isinstance(value, bool) or not isinstance(value, int):
            return value
        if enum.is_flags:
            return ",".join(name for at, name in enumerate(enum.names) if value >> at & 1)
        return enum.names[value] if 0 <= value < len(enum.names) else value


def _item(one: Any) -> Any:
    """Return a value of a list, which JSON wraps up with its type."""
    return one.get("value") if isinstance(one, dict) else one


def read_kind(element: Element) -> str:
    """Return the class of a tile or object, which some versions call its type."""
    return element.attributes.get("class") or element.attributes.get("type") or ""


def read_properties(element: Element, types: ObjectTypes) -> dict[str, Any]:
    """Return the properties an element has itself."""
    return types.flatten(read_members(element))


def read_members(element: Element, value: str = "value") -> list[Member]:
    """Return the properties of an element as they are written; `value` is the attribute that holds their values."""
    holder = element.first("properties")
    return [read_member(one, value) for one in (holder.all("property") if holder else ())]


def read_member(one: Element, value: str = "value") -> Member:
    """Read a property."""
    kind, class_name = one.attributes.get("type", "string"), one.attributes.get("propertytype", "")
    if isinstance(one, JsonElement):
        return Member(one.word("name"), kind, class_name, one.value, one.where)
    return Member(one.attributes.get("name", ""), kind, class_name, _read_value(one, kind, value), one.where)


def _read_value(one: Element, kind: str, value: str) -> Any:
    if kind == "bool":
        return one.attributes.get(value) == "true"
    if kind in ("int", "float"):
        if value not in one.attributes and value == "default":
            return 0
        return one.integer(value) if kind == "int" else one.number(value)
    if kind == "list":
        return [_read_value(item, item.attributes.get("type", "string"), "value") for item in one.all("item")]
    return read_members(one) if kind == "class" else one.attributes.get(value, "".join(one.text))
