"""From a dungeon to objects as level editors have them, the counterpart of `editor.reading`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from solvent.dungeon.model import Dungeon, Gate, Place, Requirement, Switch
from solvent.dungeon.notation.editor.objects import PlacedObject
from solvent.dungeon.notation.requirements import format_requirement
from solvent.dungeon.notation.switches import places_beside, places_in_sight
from solvent.formats.tiled.model import ObjectLink

Rectangle = tuple[Place, int, int]
"""Its north-west tile, height and width."""


def describe_objects(dungeon: Dungeon) -> list[PlacedObject]:
    """Return what stands in the dungeon as objects; their ids are the numbers from 1."""
    found = _Objects()
    for room in dungeon.rooms:
        found.add("room", room.corner, room.height, room.width, name=room.name, labels=", ".join(room.labels))
    found.add("start", dungeon.start)
    for goal in dungeon.goals:
        found.add("goal", goal, needs=_rule(dungeon.goal_rule))
    for pickup in dungeon.pickups:
        usual = 0 if pickup.kind == "bombs" else 1
        found.add(
            pickup.kind,
            pickup.place,
            name="" if pickup.kind == "key" else pickup.name,
            color=pickup.name if pickup.kind == "key" else None,
            count=None if pickup.count == usual else pickup.count,
            when=_rule(pickup.rule),
            renews=True if pickup.renews else None,
        )
    _add_switches(found, dungeon)
    for block in dungeon.blocks:
        found.add("block", block.place)
    # A gate that bars no tile is drawn at the beginning of a way it bars.
    sources = {way.gate: way.source for way in reversed(dungeon.ways)}
    gates = [_add_gate(found, gate, sources.get(number, dungeon.start)) for number, gate in enumerate(dungeon.gates)]
    _add_ways(found, dungeon, gates)
    return found.objects


def rectangles(cells: Iterable[Place]) -> Iterator[Rectangle]:
    """Yield rectangles that cover the cells, each once."""
    left = set(cells)
    for floor, row, column in sorted(left):
        if (floor, row, column) not in left:
            continue
        width = height = 1
        while (floor, row, column + width) in left:
            width += 1
        while all((floor, row + height, column + step) in left for step in range(width)):
            height += 1
        left.difference_update((floor, row + down, column + right) for down in range(height) for right in range(width))
        yield (floor, row, column), height, width


class _Objects:
    def __init__(self) -> None:
        self.objects: list[PlacedObject] = []

    def add(
        self, kind: str, corner: Place, height: int = 1, width: int = 1, *, name: str = "", **properties: Any
    ) -> str:
        """Append an object and return its id; properties without a value are left out."""
        id = str(len(self.objects) + 1)
        floor, row, column = corner
        given = {word: value for word, value in properties.items() if value is not None and value != ""}
        centre = (row + height // 2, column + width // 2)
        self.objects.append(PlacedObject(id, kind, name, floor, (row, column), height, width, centre, given))
        return id


def _rule(rule: Requirement | None) -> str | None:
    return None if rule is None else format_requirement(rule)


def _add_switches(found: _Objects, dungeon: Dungeon) -> None:
    states = {dial.switch: ", ".join(dial.states) for dial in dungeon.dials}
    shut = {cell for gate in dungeon.gates for cell in gate.cells}
    for switch in dungeon.switches:
        is_lever = switch.kind == "lever"
        found.add(
            "lever" if is_lever else "switch",
            switch.place,
            name=switch.name,
            held=True if switch.kind == "held" else None,
            sets=switch.sets,
            states=states.pop(switch.name, None),
            needs=_rule(switch.rule),
            reach=_reach(dungeon, switch, shut) if is_lever else None,
        )


def _reach(dungeon: Dungeon, switch: Switch, shut: set[Place]) -> str | None:
    if switch.reach == places_beside(dungeon.floors, switch.place):
        return None
    if switch.reach == places_in_sight(dungeon.floors, switch.place, shut):
        return "sight"
    names = [f"{floor.name} " if len(dungeon.floors) > 1 else "" for floor in dungeon.floors]
    return "; ".join(f"{names[floor]}{row},{column}" for floor, row, column in switch.reach)


def _add_gate(found: _Objects, gate: Gate, otherwise: Place) -> str:
    kind = "gate" if gate.kind in ("item", "rule") else gate.kind
    properties: dict[str, Any] = {}
    if gate.kind == "lock":
        properties["color"] = gate.needs[0]
    elif gate.kind == "item":
        properties["requires"] = ", ".join(gate.needs)
    elif gate.kind == "barrier":
        properties = {"switch": gate.needs[0], "open": True if gate.open_at_first else None}
    elif gate.kind == "soft":
        properties["room"] = gate.needs[0]
    elif gate.kind == "rule":
        properties["needs"] = _rule(gate.rule)
    areas = list(rectangles(gate.cells))
    if not areas:
        return found.add(kind, otherwise, name=gate.name, **properties, ways_only=True)
    whole = found.add(kind, *areas[0], name=gate.name, **properties)
    for area in areas[1:]:
        found.add(kind, *area, part_of=ObjectLink(whole))
    return whole


def _add_ways(found: _Objects, dungeon: Dungeon, gates: list[str]) -> None:
    first = len(found.objects) + 1
    by_ends: dict[tuple[Place, Place], str] = {}
    by_source: dict[Place, str] = {}
    for number, way in enumerate(dungeon.ways):
        by_ends.setdefault((way.source, way.target), str(first + number))
        by_source.setdefault(way.source, str(first + number))
    landings: dict[Place, str] = {}
    for way in dungeon.ways:
        # An arrow to the way back shows best; a mere mark is drawn only where nothing else stands.
        target = by_ends.get((way.target, way.source)) or by_source.get(way.target)
        if target is None:
            target = landings.setdefault(way.target, str(first + len(dungeon.ways) + len(landings)))
        gate = None if way.gate is None else ObjectLink(gates[way.gate])
        found.add(way.kind, way.source, target=ObjectLink(target), gate=gate)
    for place in landings:
        found.add("place", place)
