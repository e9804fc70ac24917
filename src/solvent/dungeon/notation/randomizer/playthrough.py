"""The playthrough of a file: its spheres, and how they differ from what its own logic says.

A playthrough lists what a player picks up, sphere by sphere, usually only what winning takes. So it is compared with
the spheres of a player who takes what it lists and nothing else; events that it does not list happen by themselves.
Where keys are used up, a sphere may depend on what the player opens first. Only what differs in any case is called a
difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.errors import ParseError
from solvent.drawing.phrases import counted
from solvent.dungeon.notation.randomizer.building import BuiltLogic
from solvent.dungeon.notation.randomizer.spheres import Spheres, Taking, can_be_compared, find_spheres

MAX_DIFFERENCES = 200
"""How many differences are named, each by itself."""

SphereList = Sequence[Mapping[str, str]]
"""For each sphere the locations, and what lies there; an empty text where the file does not say."""


def read_playthrough(value: dict[str, Any] | list[Any], path: str) -> SphereList:
    """Read the spheres, in order. The first is what can be had at once.

    In a map, they stand under their numbers, and number 0 may be a list of what is carried at the start.
    """
    if isinstance(value, list):
        return [_read_sphere(one, f"{path}[{number}]") for number, one in enumerate(value)]
    numbered: dict[int, tuple[Any, str]] = {}
    for key, one in value.items():
        if not (key.isascii() and key.isdigit() and len(key) < 6):
            raise ParseError("the number of a sphere", key, path=path)
        numbered[int(key)] = (one, f"{path}.{key}")
    if 0 in numbered and (isinstance(numbered[0][0], list) or not numbered[0][0]):
        del numbered[0]
    return [_read_sphere(*numbered[number]) for number in sorted(numbered)]


def _read_sphere(value: Any, path: str) -> Mapping[str, str]:
    if isinstance(value, list):
        if not all(isinstance(name, str) for name in value):
            raise ParseError("the names of locations", value, path=path)
        return dict.fromkeys(value, "")
    if not isinstance(value, dict):
        raise ParseError("a sphere: an object of locations and items", value, path=path)
    return {name: _item_name(held, f"{path}.{name}") for name, held in value.items()}


def _item_name(value: Any, path: str) -> str:
    if isinstance(value, dict):
        value = value.get("item", value.get("name"))
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ParseError("the name of an item", value, path=path)
    return value


def compare_playthrough(built: BuiltLogic, spheres: SphereList) -> list[str]:
    """Return how the playthrough differs from the logic, for people; that it agrees, if it does."""
    if not can_be_compared(built.dungeon):
        return ["the playthrough is not compared: some rule asks for something not to be had, or moves were played"]
    given: dict[str, int] = {}
    differences: list[str] = []
    for number, sphere in enumerate(spheres, 1):
        for name, item in sphere.items():
            if name not in built.locations:
                differences.append(f"{name!r} in sphere {number} is no location of this file")
            elif name in given:
                differences.append(f"{name!r} is in sphere {given[name]} and again in sphere {number}")
            else:
                given[name] = number
                differences += _compare_items(built, name, item)
    places = built.places
    listed = frozenset(places[name] for name in given)
    left = frozenset(places[name] for name, one in built.locations.items() if name not in given and not one.event)
    taking = Taking(listed, left, built.reaching)
    earliest, latest = (find_spheres(built.dungeon, taking, earliest=first) for first in (True, False))
    everything = find_spheres(built.dungeon, Taking(frozenset(places.values())), earliest=True)
    moved: list[tuple[int, str]] = []
    for name, number in given.items():
        place = places[name]
        first, last = earliest.of.get(place), latest.of.get(place) if latest.is_bound else None
        if difference := _compare_spheres(name, number, first, last, is_ever=place in everything.of):
            moved.append((number, difference))
    # One mistake moves all that depends on it: only the first sphere with one is told in full.
    differences += (difference for number, difference in moved if number == moved[0][0])
    following = sum(number != moved[0][0] for number, _ in moved)
    if earliest.goal is None:
        differences.append(_describe_goal(everything))
    is_certain = latest.is_bound and (earliest.of, earliest.goal) == (latest.of, latest.goal)
    return _summary(
        differences, following, f"locations {len(given):,}, spheres {len(spheres):,}", is_certain=is_certain
    )


def _compare_items(built: BuiltLogic, name: str, item: str) -> list[str]:
    there = [held.item for held in built.locations[name].holdings]
    if not item or item in there:
        return []
    found = f"{there[0]!r} lies there" if there else "nothing lies there"
    return [f"{item!r} is not at {name!r}: {found}"]


def _compare_spheres(name: str, given: int, first: int | None, last: int | None, *, is_ever: bool) -> str:
    """Compare a sphere with the first that it can be, and the last; empty if it may be right."""
    if first is None:
        why = (
            "can be reached only with something that the playthrough leaves out" if is_ever else "can never be reached"
        )
        return f"{name!r} is in sphere {given}, but {why}"
    if first > given:
        return f"{name!r} is in sphere {given}, but can be reached only later, in sphere {first}"
    if last is not None and last < given:
        return f"{name!r} is in sphere {given}, but can be reached earlier, in sphere {last}"
    return ""


def _describe_goal(everything: Spheres) -> str:
    if everything.goal is None:
        return "the goal is out of reach, even with everything that can be found"
    return "the goal is out of reach with what the playthrough lists, though not with everything that can be found"


def _summary(differences: list[str], following: int, compared: str, *, is_certain: bool) -> list[str]:
    doubt = "" if is_certain else " as far as is certain, since it depends on what the player opens first"
    if not differences:
        return [f"the playthrough agrees with the logic{doubt}: {compared}"]
    head = f"the playthrough differs from the logic in {counted(len(differences) + following, 'place')}"
    more = len(differences) - MAX_DIFFERENCES
    rest = [f"playthrough: {more:,} more differences"] if more > 0 else []
    if following:
        more_places = counted(following, "location of a later sphere differs", "locations of later spheres differ")
        rest.append(f"playthrough: {more_places} too, and may follow from the first")
    return [head, *(f"playthrough: {line}" for line in differences[:MAX_DIFFERENCES]), *rest]
