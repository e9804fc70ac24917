"""What the page has to know of a dungeon to edit it: the ground, and each thing in words and in parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from solvent.dungeon.model import Dungeon, Gate, Pickup, Place, Requirement, Switch
from solvent.dungeon.notation.requirements import format_requirement
from solvent.dungeon.notation.ruling import describe_rules
from solvent.dungeon.notation.text.things import GATES, SWITCHES, Thing, format_thing
from solvent.dungeon.page.editing.sketch import SIGHT, Sketch

MAX_TILES = 62_500
"""Dungeons with more tiles are not edited in a page."""
_GATE_WORDS = {kind: word for word, kind in GATES.items()}
_SWITCH_WORDS = {kind: word for word, kind in SWITCHES.items()}


def describe_level(dungeon: Dungeon) -> dict[str, Any] | None:
    """Return the dungeon as JSON values, with nothing that depends on the moves played; None if it is too large.

    `things` are numbered as actions number them. Each has its `words` as the text format has them, and what they say.
    """
    return _described(replace(dungeon, played=()))


@lru_cache(maxsize=4)
def _described(dungeon: Dungeon) -> dict[str, Any] | None:
    if sum(len(floor.terrain) * len(floor.terrain[0]) for floor in dungeon.floors) > MAX_TILES:
        return None
    return {
        "title": dungeon.title,
        "floors": [{"name": floor.name, "rows": list(floor.terrain)} for floor in dungeon.floors],
        "things": list(_things(dungeon)),
        "ways": list(_ways(dungeon)),
        "rooms": [
            {
                "name": room.name,
                "corner": list(room.corner),
                "height": room.height,
                "width": room.width,
                "labels": list(room.labels),
            }
            for room in dungeon.rooms
        ],
        "switches": [
            {"name": name, "states": next((list(dial.states) for dial in dungeon.dials if dial.switch == name), [])}
            for name in sorted({switch.name for switch in dungeon.switches})
        ],
        "goal_rule": _rule(dungeon.goal_rule),
        "rules": describe_rules(dungeon.rules),
    }


def _rule(rule: Requirement | None) -> str:
    return "" if rule is None else format_requirement(rule)


def _things(dungeon: Dungeon) -> Iterator[dict[str, Any]]:
    yield _thing("start", 0, [dungeon.start], Thing("start"))
    for number, goal in enumerate(dungeon.goals):
        yield _thing("goal", number, [goal], Thing("goal"))
    for number, pickup in enumerate(dungeon.pickups):
        yield _thing("pickup", number, [pickup.place], _pickup(pickup))
    for number, gate in enumerate(dungeon.gates):
        if gate.cells:
            yield _thing("gate", number, gate.cells, gate_thing(gate))
    worked = [each.worked for each in Sketch(dungeon).switches] if dungeon.switches else []
    for number, (switch, how) in enumerate(zip(dungeon.switches, worked, strict=True)):
        yield _thing("switch", number, [switch.place], _switch(dungeon, switch, how))
    for number, block in enumerate(dungeon.blocks):
        yield _thing("block", number, [block.place], Thing("block"))


def _thing(what: str, number: int, places: Any, thing: Thing) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "names": list(thing.names),
        "count": thing.count,
        "renews": thing.renews,
        "sets": thing.sets,
        "from": "; ".join(thing.reach),
        "open": thing.open_at_first,
        "called": thing.called,
        "rule": _rule(thing.rule),
    }
    said = {name: value for name, value in parts.items() if value not in ("", [], False, 1)}
    at = [list(place) for place in places]
    return {"what": what, "number": number, "at": at, "word": thing.word, "words": format_thing(thing), **said}


def _pickup(pickup: Pickup) -> Thing:
    names = (pickup.name,) if pickup.name else ()
    return Thing(pickup.kind, names, pickup.count, rule=pickup.rule, renews=pickup.renews)


def gate_thing(gate: Gate) -> Thing:
    """Return a gate as it is written."""
    names = tuple(need for need in gate.needs if need)
    return Thing(_GATE_WORDS[gate.kind], names, open_at_first=gate.open_at_first, called=gate.name, rule=gate.rule)


def _switch(dungeon: Dungeon, switch: Switch, worked: str | None) -> Thing:
    reach: tuple[str, ...] = (SIGHT,) if worked == SIGHT else ()
    if switch.kind == "lever" and worked is None:
        reach = tuple(_reference(dungeon, place) for place in switch.reach)
    return Thing(_SWITCH_WORDS[switch.kind], (switch.name,), sets=switch.sets, rule=switch.rule, reach=reach)


def _reference(dungeon: Dungeon, place: Place) -> str:
    name = dungeon.floors[place[0]].name
    return f"{name} {place[1]},{place[2]}".strip()


def _ways(dungeon: Dungeon) -> Iterator[dict[str, Any]]:
    """Yield each way with the number of the one that leads back; of the two only the first."""
    taken: set[int] = set()
    for number, way in enumerate(dungeon.ways):
        if number in taken:
            continue
        back = next(
            (
                other
                for other, each in enumerate(dungeon.ways)
                if other > number
                and other not in taken
                and (each.source, each.target, each.kind, each.gate) == (way.target, way.source, way.kind, way.gate)
            ),
            None,
        )
        taken |= set() if back is None else {back}
        gate = "" if way.gate is None else format_thing(gate_thing(dungeon.gates[way.gate]))
        yield {
            "number": number,
            "from": list(way.source),
            "to": list(way.target),
            "kind": way.kind,
            "both": back is not None,
            "gate": gate,
        }
