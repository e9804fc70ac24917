"""Plates, levers and the states of switches: what they must meet, and where a lever can be worked from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from solvent.core.errors import ParseError
from solvent.dungeon.model import NOTHING, STEPS, WALL, Dial, Floor, Place, Switch
from solvent.dungeon.notation.ruling import hint_at, is_name

SWITCH_KINDS = ("plate", "held", "lever")
USUAL_STATES = ("off", "on")
MAX_STATES = 60
MAX_REACH = 1_000_000
"""The most places that all levers together can be worked from."""


def states_of(switches: Sequence[Switch], dials: Sequence[Dial]) -> Mapping[str, tuple[str, ...]]:
    """Return the states of each switch, by its name."""
    own = {dial.switch: dial.states for dial in dials}
    return {switch.name: own.get(switch.name, USUAL_STATES) for switch in switches}


def check_switches(
    switches: Sequence[Switch],
    dials: Sequence[Dial],
    floors: Sequence[Floor],
    locate: Callable[[object], Mapping[str, Any]],
) -> None:
    """Require that plates, levers and states fit together, or raise ParseError."""
    held: dict[str, bool] = {}
    levers: set[Switch] = set()
    reached = 0
    for switch in switches:
        where = locate(switch)
        if not is_name(switch.name):
            raise ParseError("a switch: up to 60 letters, digits, spaces, - and '", switch.name, **where)
        if switch.kind not in SWITCH_KINDS:
            raise ParseError(f"a switch: {', '.join(SWITCH_KINDS)}", switch.kind, **where)
        is_held = switch.kind == "held"
        if held.setdefault(switch.name, is_held) != is_held:
            raise ParseError(f"all plates of the switch {switch.name!r} to be held, or none", switch.kind, **where)
        if switch.kind == "lever":
            if switch in levers:
                raise ParseError(f"one lever of a kind on a tile, but there is another of {switch.name!r}", **where)
            levers.add(switch)
            _check_reach(switch, floors, where)
            reached += len(switch.reach)
            if reached > MAX_REACH:
                raise ParseError(f"levers that can be worked from at most {MAX_REACH:,} places in all", **where)
        elif switch.reach or switch.rule is not None:
            raise ParseError("only levers to be worked from elsewhere, or to need something", switch.kind, **where)
    _check_dials(dials, held, locate)


def check_states(
    switches: Sequence[Switch], dials: Sequence[Dial], locate: Callable[[object], Mapping[str, Any]]
) -> None:
    """Require that plates and levers set states that their switches have, or raise ParseError."""
    states = states_of(switches, dials)
    for switch in switches:
        if switch.sets and switch.kind == "held":
            raise ParseError("nothing to set for a held plate: it cannot set a state", switch.sets, **locate(switch))
        if switch.sets and switch.sets not in states[switch.name]:
            hint = hint_at(switch.sets, states[switch.name])
            expected = f"a state for {switch.name!r} to be set to ({', '.join(states[switch.name])}){hint}"
            raise ParseError(expected, switch.sets, **locate(switch))


def _check_reach(switch: Switch, floors: Sequence[Floor], where: Mapping[str, Any]) -> None:
    if _terrain(floors, switch.place) is None:
        raise ParseError(f"the lever {switch.name!r} to be on the map", switch.place, **where)
    if not switch.reach:
        raise ParseError(f"a place from which the lever {switch.name!r} can be worked, but there is none", **where)
    for place in switch.reach:
        if not is_standable(floors, place):
            expected = f"the lever {switch.name!r} to be worked from tiles where one can stand"
            raise ParseError(expected, f"row {place[1]}, column {place[2]}", **where)


def _check_dials(
    dials: Sequence[Dial], held: Mapping[str, bool], locate: Callable[[object], Mapping[str, Any]]
) -> None:
    seen: set[str] = set()
    for dial in dials:
        where = locate(dial)
        if dial.switch not in held:
            raise ParseError(f"the switch {dial.switch!r} somewhere, whose states these are", **where)
        if held[dial.switch]:
            raise ParseError("no states for a switch that is held: it is off or on", dial.switch, **where)
        if dial.switch in seen:
            raise ParseError(f"the states of {dial.switch!r} only once", **where)
        seen.add(dial.switch)
        if not 2 <= len(set(dial.states)) == len(dial.states) <= MAX_STATES:
            raise ParseError(f"from 2 to {MAX_STATES} states of {dial.switch!r}, each once", dial.states, **where)
        for state in dial.states:
            if not is_name(state):
                raise ParseError("a state: up to 60 letters, digits, spaces, - and '", state, **where)


def is_standable(floors: Sequence[Floor], place: Place) -> bool:
    """Tell whether a player can ever stand on a place."""
    return _terrain(floors, place) not in (None, WALL, NOTHING)


def places_beside(floors: Sequence[Floor], place: Place) -> tuple[Place, ...]:
    """Return where a lever is worked from: the tiles beside it, and its own if it is not in a wall."""
    around = [place, *(_beside(place, direction) for direction in STEPS)]
    return tuple(sorted(near for near in around if is_standable(floors, near)))


def places_in_sight(floors: Sequence[Floor], place: Place, gate_cells: Collection[Place]) -> tuple[Place, ...]:
    """Return the tiles in the row and the column of a lever from which it can be seen.

    Walls and gates end the view, open or not: from the tile of a gate one sees the lever, from those behind it not.
    Blocks do not, since they can be pushed away.
    """
    found = {place} if is_standable(floors, place) else set()
    for direction in STEPS:
        found.update(_view(floors, place, direction, gate_cells))
    return tuple(sorted(found))


def _view(floors: Sequence[Floor], place: Place, direction: str, gate_cells: Collection[Place]) -> Iterator[Place]:
    at = _beside(place, direction)
    while is_standable(floors, at):
        yield at
        if at in gate_cells:
            return
        at = _beside(at, direction)


def _beside(place: Place, direction: str) -> Place:
    down, right = STEPS[direction]
    return place[0], place[1] + down, place[2] + right


def _terrain(floors: Sequence[Floor], place: Place) -> str | None:
    floor, row, column = place
    if not 0 <= floor < len(floors):
        return None
    rows = floors[floor].terrain
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else None
