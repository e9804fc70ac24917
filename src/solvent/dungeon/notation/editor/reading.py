"""From the objects of a level editor to a dungeon.

Every object has a class and stands on the tile its middle lies in; goals, switches, one-ways, gates and rooms cover
every tile whose middle they cover. Properties by class; `editor.names` sees to it that there are no others:

| class | properties |
| --- | --- |
| `start`, `block` | |
| `goal` | `needs`: what all goals need |
| `monster` | `when` |
| `key` | `color`, `count` (1), `when`: it is there while this holds; `renews`: true if it is never used up |
| `bombs` | `count`, without it as many as the rules say; `when`, `renews` |
| `item` | its name, or `item`; `count` (1), `when` |
| `switch` | its name, or `switch`; all plates of one name are one switch; without any it is `switch` |
| | `opens`: links to the doors and barriers that it works; without a name it then is a switch of its own |
| | `sets`: the state it sets; `states`: all states of the switch, with commas between them; `held`: true if it is on |
| | only while something stands on it |
| `lever` | as a switch, but not `held`; `needs`; `reach`: `sight`, or tiles such as `3,4; Cellar 5,6`, or links |
| `relay` | `opens`: what a switch works that opens the relay |
| `oneway` | `direction`: north, east, south, west (up, right, down, left) |
| `lock` | `color`; `opened_by`; `requires`; `consumes` false: the key is kept (such keys are items called `red key`) |
| `cracked` | |
| `gate` | `requires`: items, with commas between them; or `needs` |
| `barrier` | `switch`: a name, or a link to a plate; `open`: true if it is open at first |
| `soft` | `room`: a name, or a link to a room; without it the smallest room around it |
| `stairs`, `warp`, `passage`, `way` | `target`: a link to any object, or its name; `twoway`; `kind` of a `way` (warp) |
| `door` | with a `target` as above; without one it is a gate, by its properties, or open |
| `room` | its name; `labels`, with commas between them |
| `place` | nothing: somewhere for a `target` to point to |

A gate is one object. More objects that have `part_of`, a link to the first, are the same gate. A gate with `ways_only`
bars no tile. A way is barred by `gate`: a link to a gate object, or its name, or a class of gate; or by what `color`,
`locked`, `opened_by`, `requires`, `needs`, `switch` or `room` say, as on a gate. `needs` and `when` are requirements,
such as `bow | bombs >= 2 & lamp`; `needs` on a lock makes it a gate. `opened_by` is the colour of a key or the name
of an item that there is, or a link to one. Two `stairs` or `warp` objects of one name without target
lead to each other; one that another leads to may have no target. Of what covers walls and other tiles, only the other
tiles count; a gate that covers nothing but walls makes them floor, since that is how doors are drawn, and a switch on
a wall is a niche in it. Rooms and gates
come in the order of the file, or of their numbers `order`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct, field

from solvent.drawing.phrases import listed
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    STEPS,
    WALL,
    Block,
    Dungeon,
    Floor,
    Gate,
    Have,
    Pickup,
    Place,
    Requirement,
    Room,
    Switch,
    Way,
)
from solvent.dungeon.notation.assembling import WAY_KINDS, DungeonParts, assemble
from solvent.dungeon.notation.editor.levers import read_dials, read_levers
from solvent.dungeon.notation.editor.object_index import ObjectIndex
from solvent.dungeon.notation.editor.objects import (
    DIRECTIONS,
    GATE_CLASSES,
    WAY_CLASSES,
    EditorMap,
    PlacedObject,
    Spot,
    plain_word,
)
from solvent.dungeon.notation.editor.openers import Openers
from solvent.dungeon.notation.editor.settings import Settings, read_settings, without_keys
from solvent.dungeon.notation.requirements import map_atoms
from solvent.dungeon.notation.requirements.form import Atom
from solvent.formats.companion_files import Where
from solvent.formats.recording import note
from solvent.formats.tiled.model import ObjectLink

Thing = TypeVar("Thing")

_COLOURS = frozenset(
    [
        "red",
        "green",
        "blue",
        "yellow",
        "orange",
        "purple",
        "violet",
        "pink",
        "white",
        "black",
        "brown",
        "grey",
        "gray",
        "gold",
        "silver",
    ]
)
_MOST_SEARCHED = 200_000
"""Tiles looked at to find out whether two places are one area."""


def build_dungeon(found: EditorMap) -> Dungeon:
    """Make the dungeon that floors, objects and settings describe, or raise ParseError."""
    note(map=found)
    return _Builder(found).build(read_settings(found.settings, found.where))


class _Bar(Struct):
    """Hold a gate while its parts are found."""

    kind: str
    needs: tuple[str, ...]
    open_at_first: bool
    name: str
    where: Where
    rule: Requirement | None = None
    cells: list[Place] = field(default_factory=list)


class _Builder:
    def __init__(self, found: EditorMap) -> None:
        self.floors = found.floors
        self.where, self.remarks = found.where, found.remarks
        self.index = ObjectIndex(found)
        self.rooms: list[Room] = []
        self.bars: list[_Bar] = []
        self.doorways: list[Place] = []
        """The tiles of doors that are open."""
        self.bar_of: dict[str, int] = {}
        self.ways: list[Way] = []
        self.stands: dict[int, tuple[object, Where]] = {}
        """Where each thing handed to `assemble` stands, by identity: equal things may stand in two places."""
        self.goal_rule_where = self.where

    def build(self, settings: Settings) -> Dungeon:
        self._read_rooms()
        self.openers = Openers(self.index, self.rooms)
        for thing in self.index.of("oneway"):
            self._lay_one_way(thing)
        self._read_gates()
        self._read_ways()
        gates = [
            self._stand(
                Gate(bar.kind, bar.needs, tuple(sorted(set(bar.cells))), bar.open_at_first, bar.name, bar.rule),
                bar.where,
            )
            for bar in self.bars
        ]
        self._open_walls()
        self._open_switches()
        self._note_colours()
        floors = [
            self._stand(Floor(floor.name, tuple("".join(row) for row in floor.grid)), floor.where)
            for floor in self.floors
        ]
        return assemble(
            DungeonParts(
                floors,
                starts=[self._stand(thing.place, thing.where) for thing in self.index.of("start")],
                goals=[
                    self._stand(cell, thing.where) for thing in self.index.of("goal") for cell in self._ground(thing)
                ],
                pickups=[
                    self._stand(self._pickup(thing), thing.where)
                    for thing in self.index.of("key", "bombs", "item", "monster")
                ],
                gates=gates,
                switches=[*self._plates(), *read_levers(self.index, floors, gates, self._rule, self._stand)],
                dials=[self._stand(dial, where) for dial, where in read_dials(self.index)],
                goal_rule=self._goal_rule(),
                blocks=[self._stand(Block(thing.place), thing.where) for thing in self.index.of("block")],
                ways=self.ways,
                rooms=self.rooms,
                rules=without_keys(settings.rules, self.openers.kept),
                title=settings.title,
                played=settings.played,
                remarks=self.remarks,
            ),
            locate=self._locate,
            strict=settings.strict,
        )

    def _stand(self, thing: Thing, where: Where) -> Thing:
        self.stands[id(thing)] = (thing, where)
        return thing

    def _locate(self, thing: object) -> Where:
        if thing == "goal rule":
            return self.goal_rule_where
        return self.stands.get(id(thing), (thing, self.where))[1]

    # Things on tiles

    def _ground(self, thing: PlacedObject) -> list[Place]:
        """Return the tiles it covers that one can stand on: pictures of doors and goals reach up walls."""
        cells = list(thing.cells())
        ground = [cell for cell in cells if self.floors[cell[0]].grid[cell[1]][cell[2]] not in (WALL, NOTHING)]
        return ground or cells

    def _pickup(self, thing: PlacedObject) -> Pickup:
        kind, count, renews = thing.kind, thing.number("count", 0 if thing.kind == "bombs" else 1), False
        name = thing.text("color") if kind == "key" else self.index.item_name(thing) if kind == "item" else ""
        if kind in ("key", "bombs"):
            renews = thing.flag("renews", False)
        if kind == "key" and name in self.openers.kept:
            kind, name = "item", self.openers.kept[name]
        return Pickup(thing.place, kind, name, count, self._rule(thing, "when"), renews)

    def _rule(self, thing: PlacedObject, word: str) -> Requirement | None:
        """Return a requirement; keys that locks do not take are items in it, as they are everywhere."""
        rule = thing.rule(word)
        return None if rule is None else map_atoms(rule, self._with_kept_keys)

    def _with_kept_keys(self, atom: Atom) -> Requirement:
        if isinstance(atom, Have) and atom.what == "key" and atom.name in self.openers.kept:
            return Have("item", self.openers.kept[atom.name], atom.count)
        return atom

    def _goal_rule(self) -> Requirement | None:
        rules = {self._rule(thing, "needs"): thing for thing in self.index.of("goal")}
        if len(rules) > 1:
            raise list(rules.values())[-1].error("needs: the same on all goals")
        for rule, thing in rules.items():
            if rule is not None:
                self.goal_rule_where = thing.where
            return rule
        return None

    def _plates(self) -> list[Switch]:
        return [
            self._stand(
                Switch(
                    cell,
                    self.index.switch_name(thing),
                    "held" if thing.flag("held", False) else "plate",
                    thing.text("sets"),
                ),
                thing.where,
            )
            for thing in self.index.of("switch")
            for cell in self._ground(thing)
        ]

    def _read_rooms(self) -> None:
        for number, thing in enumerate(_in_order(self.index.of("room")), 1):
            name = thing.name or f"room {number}"
            room = Room(name, (thing.floor, *thing.corner), thing.height, thing.width, tuple(thing.names("labels")))
            self.rooms.append(self._stand(room, thing.where))

    def _lay_one_way(self, thing: PlacedObject) -> None:
        word = thing.text("direction", otherwise=thing.name)
        if plain_word(word) not in DIRECTIONS:
            raise thing.error("direction: north, east, south or west", word)
        for floor, row, column in thing.cells():
            if self.floors[floor].grid[row][column] in (WALL, NOTHING):
                raise thing.error(f"floor under it, but there is none at row {row}, column {column}")
            self.floors[floor].grid[row][column] = DIRECTIONS[plain_word(word)]

    # Gates

    def _read_gates(self) -> None:
        parts, open_doors = [], []
        for thing in _in_order(self.index.of(*GATE_CLASSES, "door")):
            if thing.kind == "door" and thing.find("target") is not None:
                continue
            if thing.find("partof") is not None:
                parts.append(thing)
                continue
            kind = self.openers.gate_class(thing)
            if kind is None:
                open_doors.append(self._describe(thing))
                self.doorways += self._ground(thing)
                continue
            bar = self._bar(thing, kind)
            if not thing.flag("waysonly", False):
                bar.cells.extend(self._ground(thing))
            self.bar_of[thing.id] = len(self.bars)
            self.bars.append(bar)
        for thing in parts:
            whole = self.index.linked(thing, "partof")
            if whole.id not in self.bar_of or whole.kind != thing.kind:
                raise thing.error(f"part_of: a link to a {thing.kind} that is no part itself", whole.id)
            self.bars[self.bar_of[whole.id]].cells.extend(self._ground(thing))
        if open_doors:
            doors = listed(open_doors, 12)
            self.remarks.append(f"Doors that say nothing about what opens them are read as open: {doors}.")

    def _bar(self, thing: PlacedObject, kind: str) -> _Bar:
        name = thing.name if thing.kind in (*GATE_CLASSES, "door") else ""
        kind, needs, is_open = self.openers.needs(thing, kind)
        return _Bar(kind, needs, is_open, name, thing.where, self._rule(thing, "needs") if kind == "rule" else None)

    def _describe(self, thing: PlacedObject) -> str:
        """Return which object is meant: its name if it has one, and where it stands."""
        floor, row, column = thing.place
        called = f"{thing.name!r}, " if thing.name else ""
        on = f" of {self.floors[floor].name}" if len(self.floors) > 1 and self.floors[floor].name else ""
        return f"{called}row {row}, column {column}{on}"

    def _open_walls(self) -> None:
        gates = [cell for bar in self.bars for cell in bar.cells]
        for what, cells in (("gates", gates), ("open doors", self.doorways)):
            walls = [
                (floor, row, column) for floor, row, column in cells if self.floors[floor].grid[row][column] == WALL
            ]
            for floor, row, column in walls:
                self.floors[floor].grid[row][column] = FLOOR
            if walls:
                self.remarks.append(f"walls under {what} that cover nothing else are floor")

    def _note_colours(self) -> None:
        """Say which keys and locks are called by a colour that they do not have."""
        called = [
            self._describe(thing)
            for thing in self.index.of("key", "lock", "door")
            if thing.find("color", "openedby", "requires", "needs", "target") is None
            and not _COLOURS.isdisjoint(re.findall("[a-z]+", thing.name.lower()))
        ]
        if called:
            self.remarks.append(f"A name gives no colour, only the property color does: {listed(called, 12)}.")

    def _open_switches(self) -> None:
        """Make the wall behind a switch that hangs on it a niche, where that joins nothing that is apart."""
        niches = []
        for thing in self.index.of("switch"):
            for floor, row, column in thing.cells():
                if self.floors[floor].grid[row][column] == WALL and self._is_one_area_around(floor, row, column):
                    self.floors[floor].grid[row][column] = FLOOR
                    niches.append(self._describe(thing))
        if niches:
            self.remarks.append(
                f"Switches that hang on a wall are niches in it, pressed by stepping in: {listed(niches, 12)}."
            )

    def _is_one_area_around(self, floor: int, row: int, column: int) -> bool:
        """Tell whether the tiles beside a wall are one area of plain floor, so that a hole in it joins nothing new."""
        grid = self.floors[floor].grid
        shut = {cell for bar in self.bars for cell in bar.cells} | {thing.place for thing in self.index.of("block")}

        def beside(at: tuple[int, int]) -> list[tuple[int, int]]:
            near = [(at[0] + down, at[1] + right) for down, right in STEPS.values()]
            return [(r, c) for r, c in near if 0 <= r < len(grid) and 0 <= c < len(grid[0])]

        around = {(r, c) for r, c in beside((row, column)) if grid[r][c] not in (WALL, NOTHING)}
        if not around or any(grid[r][c] != FLOOR or (floor, r, c) in shut for r, c in around):
            return False
        reached, waiting = {next(iter(around))}, [next(iter(around))]
        while waiting and not around <= reached and len(reached) < _MOST_SEARCHED:
            for r, c in beside(waiting.pop()):
                if (r, c) not in reached and grid[r][c] == FLOOR and (floor, r, c) not in shut:
                    reached.add((r, c))
                    waiting.append((r, c))
        return around <= reached

    # Ways

    def _read_ways(self) -> None:
        reached = {
            self.index.linked(thing, "target").id
            for thing in self.index.of(*WAY_CLASSES)
            if isinstance(thing.find("target"), ObjectLink | str | int)
        }
        for thing in self.index.of(*WAY_CLASSES):
            target, both = self._target(thing), thing.flag("twoway", False)
            if target is None:
                if thing.kind != "door" and thing.id not in reached:
                    raise thing.error("target: a link to another object, or its name")
                continue
            kind = plain_word(thing.text("kind", otherwise="warp")) if thing.kind == "way" else thing.kind
            if kind not in WAY_KINDS:
                raise thing.error(f"kind: {', '.join(WAY_KINDS)}", kind)
            gate = self._way_gate(thing)
            self.ways.append(self._stand(Way(thing.place, target, kind, gate), thing.where))
            if both:
                self.ways.append(self._stand(Way(target, thing.place, kind, gate), thing.where))

    def _target(self, thing: PlacedObject) -> Place | None:
        given = thing.find("target")
        if isinstance(given, Spot):
            rows = self.floors[thing.floor].grid
            if not (0 <= given.row < len(rows) and 0 <= given.column < len(rows[0])):
                raise thing.error("target: a tile of its floor", f"row {given.row}, column {given.column}")
            return thing.floor, given.row, given.column
        if given is not None:
            return self.index.linked(thing, "target").place
        pair = [other for other in self.index.by_name.get(thing.name, ()) if other.kind == thing.kind]
        if thing.kind in ("stairs", "warp") and len(pair) == 2 and all(other.find("target") is None for other in pair):
            return pair[1 - pair.index(thing)].place
        return None

    def _way_gate(self, thing: PlacedObject) -> int | None:
        kind = self.openers.gate_class(thing)
        if self.openers.links_to_gate(thing):
            gate = self.index.linked(thing, "gate")
            whole = self.index.linked(gate, "partof") if gate.find("partof") is not None else gate
            if whole.id not in self.bar_of:
                raise thing.error("gate: a link to a gate", gate.id)
            return self.bar_of[whole.id]
        if kind is None:
            return None
        self.bars.append(self._bar(thing, kind))
        return len(self.bars) - 1


def _in_order(objects: Iterable[PlacedObject]) -> list[PlacedObject]:
    return sorted(objects, key=lambda thing: thing.number("order", 0))
