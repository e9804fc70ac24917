"""A dungeon while it is changed: ways know their gates, levers how they are worked, and nothing is numbered.

Finishing a sketch gives a dungeon that can be written and read again, or says in a designer's words why there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from solvent.core.errors import BadOption, ParseError
from solvent.drawing.phrases import counted, listed
from solvent.dungeon.events import describe_need
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    WALL,
    WATER,
    Block,
    Cleared,
    Dungeon,
    Floor,
    Gate,
    Place,
    Switch,
    SwitchAt,
)
from solvent.dungeon.model import Way as ModelWay
from solvent.dungeon.notation.assembling import DungeonParts, assemble, describe_place
from solvent.dungeon.notation.demands import remarks_about_switches, requirements_of
from solvent.dungeon.notation.requirements import atoms_of
from solvent.dungeon.notation.switches import is_standable, places_beside, places_in_sight

BESIDE, SIGHT = "beside", "sight"


@dataclass(slots=True, eq=False)
class Storey:
    """Hold a floor that can be painted."""

    name: str
    rows: list[list[str]]


@dataclass(slots=True, eq=False)
class SketchGate:
    """Hold a gate; its `cells` are here."""

    gate: Gate
    cells: set[Place]


@dataclass(slots=True, eq=False)
class SketchWay:
    """Hold a way and the gate that bars it."""

    source: Place
    target: Place
    kind: str
    gate: SketchGate | None = None


@dataclass(slots=True, eq=False)
class SketchSwitch:
    """Hold a plate or a lever; `worked` is from where a lever is: beside it, in sight of it, or places of its own."""

    switch: Switch
    worked: str | None = None

    @property
    def place(self) -> Place:
        return self.switch.place


@dataclass(slots=True)
class Removed:
    """Count what was taken away, to say it."""

    kinds: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        return listed([counted(count, kind) for kind, count in self.kinds.items()])


class Sketch:
    """Hold all of a dungeon in lists that can be changed."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        """As it was before any change."""
        self.floors = [Storey(floor.name, [list(row) for row in floor.terrain]) for floor in dungeon.floors]
        self.start = dungeon.start
        self.goals = list(dungeon.goals)
        self.pickups = list(dungeon.pickups)
        self.gates = [SketchGate(gate, set(gate.cells)) for gate in dungeon.gates]
        self.ways = [
            SketchWay(way.source, way.target, way.kind, None if way.gate is None else self.gates[way.gate])
            for way in dungeon.ways
        ]
        shut = {cell for gate in dungeon.gates for cell in gate.cells}
        self.switches = [SketchSwitch(each, _worked(dungeon, each, shut)) for each in dungeon.switches]
        self.blocks = [block.place for block in dungeon.blocks]
        self.dials = list(dungeon.dials)
        self.rooms = list(dungeon.rooms)
        self.rules = dungeon.rules
        self.title = dungeon.title
        self.goal_rule = dungeon.goal_rule
        self.said_before = frozenset(dungeon.remarks)
        self.removed = Removed()
        self.notes: list[str] = []
        """What else happened, in words."""

    # looking at it

    def terrain(self, place: Place) -> str:
        floor, row, column = place
        return self.floors[floor].rows[row][column]

    def require(self, places: Iterable[Place]) -> None:
        """Refuse places that are not on the map."""
        for floor, row, column in places:
            on_map = 0 <= floor < len(self.floors) and row >= 0 and column >= 0
            if not on_map or row >= len(self.floors[floor].rows) or column >= len(self.floors[floor].rows[0]):
                raise BadOption("That tile is not on the map.")

    def rectangle(self, corner: Place, height: int, width: int) -> list[Place]:
        """Return the tiles of a rectangle, all of which must be on the map."""
        floor, top, left = corner
        self.require([corner, (floor, top + height - 1, left + width - 1)])
        return [(floor, top + row, left + column) for row in range(height) for column in range(width)]

    def gate_at(self, place: Place) -> SketchGate | None:
        return next((gate for gate in self.gates if place in gate.cells), None)

    def name(self, place: Place) -> str:
        """Return a place in words."""
        return describe_place(place, [Floor(floor.name, tuple(map("".join, floor.rows))) for floor in self.floors])

    # changing it

    def lay(self, place: Place, letter: str) -> None:
        """Lay terrain; what stands there is the caller's."""
        floor, row, column = place
        self.floors[floor].rows[row][column] = letter

    def take_away(self, places: set[Place], *, what: frozenset[str] | None = None, levers: bool = True) -> None:
        """Take things off tiles: all of them, or those of some kinds. The start and the last goal are the caller's."""

        def goes(kind: str) -> bool:
            return what is None or kind in what

        if goes("pickup"):
            gone = [pickup.kind for pickup in self.pickups if pickup.place in places]
            self._count("bomb pickup" if kind == "bombs" else kind for kind in gone)
            self.pickups = [pickup for pickup in self.pickups if pickup.place not in places]
        if goes("gate"):
            for gate in self.gates:
                if gate.cells & places:
                    self._count(["gate"])
                    gate.cells -= places
            self.drop_empty_gates()
        if goes("switch"):
            off = [each for each in self.switches if each.place in places and (levers or each.switch.kind != "lever")]
            self._count("lever" if each.switch.kind == "lever" else "plate" for each in off)
            self.switches = [each for each in self.switches if each not in off]
        if goes("block"):
            self._count("block" for block in self.blocks if block in places)
            self.blocks = [block for block in self.blocks if block not in places]
        if goes("goal"):
            self._count("goal" for goal in self.goals if goal in places)
            self.goals = [goal for goal in self.goals if goal not in places]
        if goes("way"):
            self.remove_ways([way for way in self.ways if way.source in places or way.target in places])

    def remove_ways(self, gone: list[SketchWay]) -> None:
        """Take ways away, and gates that bar nothing any more."""
        self._count("way" for _ in gone)
        self.ways = [way for way in self.ways if way not in gone]
        self.drop_empty_gates()

    def drop_empty_gates(self) -> None:
        used = {id(way.gate) for way in self.ways if way.gate is not None}
        self.gates = [gate for gate in self.gates if gate.cells or id(gate) in used]

    def _count(self, kinds: Iterable[str]) -> None:
        self.removed.kinds.update(kinds)

    # finishing it

    def finish(self) -> Dungeon:
        """Return the dungeon; raises BadOption in a designer's words if it is none."""
        floors = [Floor(floor.name, tuple("".join(row) for row in floor.rows)) for floor in self.floors]
        self.drop_empty_gates()
        number_of = {id(gate): number for number, gate in enumerate(self.gates)}
        gates = [replace(each.gate, cells=tuple(sorted(each.cells))) for each in self.gates]
        cells = {cell for each in self.gates for cell in each.cells}
        known = {each.switch.name for each in self.switches}
        parts = DungeonParts(
            floors,
            starts=[self.start],
            goals=self.goals,
            pickups=self.pickups,
            gates=gates,
            switches=[self._finished_switch(each, floors, cells) for each in self.switches],
            blocks=[Block(place) for place in self.blocks],
            ways=[
                ModelWay(way.source, way.target, way.kind, None if way.gate is None else number_of[id(way.gate)])
                for way in self.ways
            ],
            rooms=self.rooms,
            rules=self.rules,
            title=self.title,
            dials=[dial for dial in self.dials if dial.switch in known],
            goal_rule=self.goal_rule,
        )
        self._check(parts)
        if self.removed.kinds:
            self.notes.insert(0, f"Taken away: {self.removed}.")
        try:
            dungeon = assemble(parts, strict=False)
        except ParseError as error:
            raise BadOption(f"That cannot be done: {error}.") from None
        news = (remark for remark in remarks_about_switches(parts) if remark not in self.said_before)
        return replace(dungeon, remarks=(*self.notes, *news))

    def _finished_switch(self, each: SketchSwitch, floors: list[Floor], cells: set[Place]) -> Switch:
        switch = each.switch
        if switch.kind != "lever":
            return switch
        if each.worked == BESIDE:
            reach = places_beside(floors, switch.place)
        elif each.worked == SIGHT:
            reach = places_in_sight(floors, switch.place, cells)
        else:
            reach = tuple(place for place in switch.reach if is_standable(floors, place))
        if not reach:
            where = describe_place(switch.place, floors)
            raise BadOption(f"The lever at {where} needs a tile to be worked from: leave floor beside it, or erase it.")
        return replace(switch, reach=reach)

    def _check(self, parts: DungeonParts) -> None:
        """Refuse, with where it is, what leaves something without its switch or its room."""
        switches = {switch.name for switch in parts.switches}
        rooms = {room.name for room in parts.rooms}

        def place_of(gate: Gate) -> str:
            return f"at {describe_place(min(gate.cells), parts.floors)}" if gate.cells else "on a way"

        for gate in parts.gates:
            if gate.kind == "barrier" and gate.needs[0] not in switches:
                raise BadOption(
                    f"The barrier {place_of(gate)} is worked by the switch {gate.needs[0]!r}, and there is none: "
                    "put a plate or a lever of that name first, or take the barrier away first."
                )
            if gate.kind == "soft" and gate.needs[0] not in rooms:
                raise BadOption(
                    f"The soft door {place_of(gate)} belongs to the room {gate.needs[0]!r}, and there is none: "
                    "name that room first, or take the door away first."
                )
        for thing, rule in requirements_of(parts):
            about = f"the {describe_need(thing)} {place_of(thing)}" if isinstance(thing, Gate) else "something"
            about = "the goal" if thing == "goal rule" else about
            for atom in atoms_of(rule):
                if isinstance(atom, SwitchAt) and atom.switch not in switches:
                    raise BadOption(f"There is no switch {atom.switch!r}, and {about} needs it.")
                if isinstance(atom, Cleared) and atom.room not in rooms:
                    raise BadOption(f"There is no room {atom.room!r}, and {about} needs it cleared.")


def _worked(dungeon: Dungeon, switch: Switch, shut: set[Place]) -> str | None:
    if switch.kind != "lever":
        return None
    if switch.reach == places_beside(dungeon.floors, switch.place):
        return BESIDE
    return SIGHT if switch.reach == places_in_sight(dungeon.floors, switch.place, shut) else None


def can_stand(kind: str, letter: str) -> bool:
    """Tell whether something of a kind can stand on terrain."""
    if kind == "lever":
        return True
    if letter in (WALL, NOTHING):
        return False
    if kind == "block":
        return letter == FLOOR
    return letter != WATER or kind == "pickup"
