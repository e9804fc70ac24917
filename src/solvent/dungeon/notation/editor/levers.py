"""Levers and the states of switches in the files of level editors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solvent.dungeon.model import Dial, Floor, Gate, Place, Requirement, Switch
from solvent.dungeon.notation.editor.object_index import ObjectIndex
from solvent.dungeon.notation.editor.objects import PlacedObject, Spot, clean_name, plain_word
from solvent.dungeon.notation.switches import places_beside, places_in_sight
from solvent.formats.companion_files import Where
from solvent.formats.tiled.model import ObjectLink

_TILE = re.compile(r"(?:(.*\S)\s+)?([0-9]{1,7})\s*,\s*([0-9]{1,7})", re.DOTALL)


def read_levers(
    index: ObjectIndex,
    floors: Sequence[Floor],
    gates: Sequence[Gate],
    rule: Callable[[PlacedObject, str], Requirement | None],
    stand: Callable[[Switch, Where], Switch],
) -> list[Switch]:
    """Return the levers, each with the tiles it can be worked from; `stand` keeps where they are in the file."""
    shut = {cell for gate in gates for cell in gate.cells}
    return [
        stand(
            Switch(
                thing.place,
                index.switch_name(thing),
                "lever",
                thing.text("sets"),
                _reach(index, thing, floors, shut),
                rule(thing, "needs"),
            ),
            thing.where,
        )
        for thing in index.of("lever")
    ]


def _reach(index: ObjectIndex, thing: PlacedObject, floors: Sequence[Floor], shut: set[Place]) -> tuple[Place, ...]:
    given: Any = thing.find("reach")
    if given is None or (isinstance(given, str) and plain_word(given) == "beside"):
        return places_beside(floors, thing.place)
    if isinstance(given, str) and plain_word(given) == "sight":
        return places_in_sight(floors, thing.place, shut)
    if isinstance(given, Spot):
        return ((thing.floor, given.row, given.column),)
    if isinstance(given, str):
        return tuple(_tile(thing, text.strip(), floors) for text in given.split(";"))
    links = given if isinstance(given, list) else [given]
    if not all(isinstance(link, ObjectLink) for link in links):
        raise thing.error("reach: beside, sight, or tiles such as 3,4; 3,5", given)
    return tuple(index.linked(thing, "reach", link).place for link in links)


def _tile(thing: PlacedObject, text: str, floors: Sequence[Floor]) -> Place:
    """Read a tile of the same floor, or of another that is called by its name."""
    found = _TILE.fullmatch(text)
    if found is None:
        raise thing.error("reach: beside, sight, or tiles such as 3,4; 3,5", text)
    names = {floor.name: number for number, floor in enumerate(floors)}
    name = clean_name(found[1] or "")
    if name and name not in names:
        raise thing.error("reach: tiles of floors that there are", text)
    return names[name] if name else thing.floor, int(found[2]), int(found[3])


def read_dials(index: ObjectIndex) -> Iterator[tuple[Dial, Where]]:
    """Yield the states of switches that some plate or lever lists, and where."""
    seen: dict[str, tuple[str, ...]] = {}
    for thing in index.of("switch", "lever"):
        states = tuple(thing.names("states"))
        if not states:
            continue
        name = index.switch_name(thing)
        if seen.setdefault(name, states) != states:
            raise thing.error(f"states: the same on all of the switch {name!r}", ", ".join(states))
    for thing in index.of("switch", "lever"):
        name = index.switch_name(thing)
        if name in seen:
            yield Dial(name, seen.pop(name)), thing.where
