"""From the objects of a level editor to a dungeon.

Every object has a class and stands on the tile its middle lies in; goals, switches, one-ways, gates and rooms cover
every tile whose middle they cover. Properties by class; `editor.names` sees to it that there are no others:

| class | properties |
| --- | --- |
| `start`, `goal`, `monster`, `block` | |
| `key` | `color`, `count` (1) |
| `bombs` | `count`; without it as many as the rules say |
| `item` | its name, or `item` |
| `switch` | its name, or `switch`; all plates of one name are one switch; without any it is `switch` |
| | `opens`: links to the doors and barriers that it works; without a name it then is a switch of its own |
| `relay` | `opens`: what a switch works that opens the relay |
| `oneway` | `direction`: north, east, south, west (up, right, down, left) |
| `lock` | `color`; `opened_by`; `requires`; `consumes` false: the key is kept (such keys are items called `red key`) |
| `cracked` | |
| `gate` | `requires`: items, with commas between them |
| `barrier` | `switch`: a name, or a link to a plate; `open`: true if it is open at first |
| `soft` | `room`: a name, or a link to a room; without it the smallest room around it |
| `stairs`, `warp`, `passage`, `way` | `target`: a link to any object, or its name; `twoway`; `kind` of a `way` (warp) |
| `door` | with a `target` as above; without one it is a gate, by its properties, or open |
| `room` | its name; `labels`, with commas between them |
| `place` | nothing: somewhere for a `target` to point to |

A gate is one object. More objects that have `part_of`, a link to the first, are the same gate. A gate with `ways_only`
bars no tile. A way is barred by `gate`: a link to a gate object, or its name, or a class of gate; or by what `color`,
`locked`, `opened_by`, `requires`, `switch` or `room` say, as on a gate. `opened_by` is the colour of a key or the name
of an item that there is, or a link to one. Two `stairs` or `warp` objects of one name without target
lead to each other; one that another leads to may have no target. Of what covers walls and other tiles, only the other
tiles count; a gate that covers nothing but walls makes them floor, since that is how doors are drawn, and a switch on
a wall is a niche in it. Rooms and gates
come in the order of the file, or of their numbers `order`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    Pickup,
    Place,
    Room,
    Switch,
    Way,
)
from solvent.dungeon.notation.assembling import WAY_KINDS, DungeonParts, assemble
from solvent.dungeon.notation.editor.objects import (
    DIRECTIONS,
    GATE_CLASSES,
    WAY_CLASSES,
    EditorMap,
    PlacedObject,
    Spot,
    clean_name,
    plain_word,
)
from solvent.dungeon.notation.editor.settings import Settings, read_settings, without_keys
from solvent.formats.companion_files import Where
from solvent.formats.tiled.model import ObjectLink

Thing = TypeVar("Thing")

_MOST_SEARCHED = 200_000
"""Tiles looked at to find out whether two places are one area."""


def build_dungeon(found: EditorMap) -> Dungeon:
    """Make the dungeon that floors, objects and settings describe, or raise ParseError."""
    return _Builder(found).build(read_settings(found.settings, found.where))


class _Bar(Struct):
    """Hold a gate while its parts are found."""

    kind: str
    needs: tuple[str, ...]
    open_at_first: bool
    name: str
    where: Where
    cells: list[Place] = field(default_factory=list)


class _Builder:
    def __init__(self, found: EditorMap) -> None:
        self.floors, self.objects = found.floors, found.objects
        self.where, self.remarks = found.where, found.remarks
        self.by_id: dict[str, PlacedObject] = {}
        self.by_name: dict[str, list[PlacedObject]] = {}
        for thing in self.objects:
            if self.by_id.setdefault(thing.id, thing) is not thing:
                raise thing.error("an id that no other object has", thing.id)
            if thing.name:
                self.by_name.setdefault(thing.name, []).append(thing)
        self.rooms: list[Room] = []
        self.bars: list[_Bar] = []
        self.bar_of: dict[str, int] = {}
        self.ways: list[Way] = []
        self.left_out = found.left_out
        self.worked_by: dict[str, str] = {}
        """The switch that works a door or barrier, by its id, where the switch says so."""
        self.kept: Mapping[str, str] = {}
        """Items that stand for the keys of a colour whose locks give them back."""
        self.stands: dict[int, tuple[object, Where]] = {}
        """Where each thing handed to `assemble` stands, by identity: equal things may stand in two places."""

    def build(self, settings: Settings) -> Dungeon:
        self._read_rooms()
        self._read_workings()
        self.kept = self._find_kept_colours()
        for thing in self._of("oneway"):
            self._lay_one_way(thing)
        self._read_gates()
        self._read_ways()
        gates = [
            self._stand(
                Gate(bar.kind, bar.needs, tuple(sorted(set(bar.cells))), bar.open_at_first, bar.name), bar.where
            )
            for bar in self.bars
        ]
        self._open_walls()
        self._open_switches()
        floors = [
            self._stand(Floor(floor.name, tuple("".join(row) for row in floor.grid)), floor.where)
            for floor in self.floors
        ]
        return assemble(
            DungeonParts(
                floors,
                starts=[self._stand(thing.place, thing.where) for thing in self._of("start")],
                goals=[self._stand(cell, thing.where) for thing in self._of("goal") for cell in self._ground(thing)],
                pickups=[
                    self._stand(self._pickup(thing), thing.where)
                    for thing in self._of("key", "bombs", "item", "monster")
                ],
                gates=gates,
                switches=[
                    self._stand(Switch(cell, self._switch_name(thing)), thing.where)
                    for thing in self._of("switch")
                    for cell in self._ground(thing)
                ],
                blocks=[self._stand(Block(thing.place), thing.where) for thing in self._of("block")],
                ways=self.ways,
                rooms=self.rooms,
                rules=without_keys(settings.rules, self.kept),
                title=settings.title,
                played=settings.played,
                remarks=self.remarks,
            ),
            locate=self._locate,
            strict=settings.strict,
        )

    def _of(self, *kinds: str) -> list[PlacedObject]:
        return [thing for thing in self.objects if thing.kind in kinds]

    def _stand(self, thing: Thing, where: Where) -> Thing:
        self.stands[id(thing)] = (thing, where)
        return thing

    def _locate(self, thing: object) -> Where:
        return self.stands.get(id(thing), (thing, self.where))[1]

    # Things on tiles

    def _ground(self, thing: PlacedObject) -> list[Place]:
        """Return the tiles it covers that one can stand on: pictures of doors and goals reach up walls."""
        cells = list(thing.cells())
        ground = [cell for cell in cells if self.floors[cell[0]].grid[cell[1]][cell[2]] not in (WALL, NOTHING)]
        return ground or cells

    def _pickup(self, thing: PlacedObject) -> Pickup:
        if thing.kind == "key":
            colour = thing.text("color")
            if colour in self.kept:
                return Pickup(thing.place, "item", self.kept[colour])
            return Pickup(thing.place, "key", colour, thing.number("count", 1))
        if thing.kind == "bombs":
            return Pickup(thing.place, "bombs", count=thing.number("count", 0))
        if thing.kind == "monster":
            return Pickup(thing.place, "monster")
        return Pickup(thing.place, "item", self._item_name(thing))

    def _item_name(self, thing: PlacedObject) -> str:
        name = thing.text("item", otherwise=thing.name)
        if not name:
            raise thing.error("an item with a name")
        return name

    def _switch_name(self, thing: PlacedObject) -> str:
        name = thing.text("switch", otherwise=thing.name)
        if not name and thing.find("opens") is not None:  # it says itself what it works, and that alone
            nameless = [other for other in self._of("switch") if not other.name and other.find("switch") is None]
            return f"switch {[other.id for other in nameless].index(thing.id) + 1}"
        return name or "switch"

    def _read_rooms(self) -> None:
        for number, thing in enumerate(_in_order(self._of("room")), 1):
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

    def _find_kept_colours(self) -> dict[str, str]:
        """Find the colours whose locks keep no key; a colour must be all one or all the other."""
        consumed: dict[str, bool] = {}
        for thing in self.objects:
            if self._gate_class(thing) == "lock" and not thing.names("requires"):
                consumes, colour = thing.flag("consumes", True), self._colour(thing)
                if consumed.setdefault(colour, consumes) != consumes:
                    raise thing.error("consumes: the same for all locks of a colour", consumes)
        return {colour: f"{colour} key".strip() for colour, consumes in consumed.items() if not consumes}

    def _read_workings(self) -> None:
        """Find what switches say that they open."""
        for thing in self._of("switch"):
            name, passed, waiting = self._switch_name(thing), set[str](), [thing]
            while waiting:
                holder = waiting.pop()
                for target in self._opened(holder):
                    if target.kind == "relay":
                        if target.id not in passed:
                            passed.add(target.id)
                            waiting.append(target)
                    elif target.kind not in ("barrier", *WAY_CLASSES):
                        raise holder.error("opens: links to doors, barriers or relays", target.kind)
                    elif self.worked_by.setdefault(target.id, name) != name:
                        raise holder.error("opens: doors that no other switch works", target.id)

    def _opened(self, thing: PlacedObject) -> list[PlacedObject]:
        """Return what a switch or relay links to; what was left out is not there."""
        given = thing.find("opens")
        links = given if isinstance(given, list) else [] if given is None else [given]
        return [
            self._linked(thing, "opens", link)
            for link in links
            if not (isinstance(link, ObjectLink) and link.id in self.left_out)
        ]

    def _opener(self, thing: PlacedObject) -> tuple[str, tuple[str, ...]] | None:
        """Return the class of gate and what it needs, where `opened_by` says so."""
        given = thing.find("opened_by")
        if given is None or str(given).lower() in ("false", "no", "none"):
            return None
        if str(given).lower() in ("true", "yes", "key", "keys", "small key", "any key"):
            return "lock", ("",)
        if isinstance(given, ObjectLink):
            return self._opener_of(thing, self._linked(thing, "opened_by"))
        if isinstance(given, list) and len(given) == 1 and isinstance(given[0], ObjectLink):
            return self._opener_of(thing, self._linked(thing, "opened_by", given[0]))
        names = [thing.text("opened_by")] if isinstance(given, int) else thing.names("opened_by")
        if [plain_word(name) for name in names] in (["bomb"], ["bombs"]):
            return "cracked", ()
        items = {self._item_name(other) for other in self._of("item")}
        colours = {other.text("color") for other in self._of("key")} - {""}
        if len(names) == 1 and (names[0] in items) != (names[0] in colours):
            return ("gate", (names[0],)) if names[0] in items else ("lock", (names[0],))
        if names and items.issuperset(names) and colours.isdisjoint(names):
            return "gate", tuple(sorted(set(names)))
        known = ", ".join(sorted({*items, *(f"{colour} (a key)" for colour in colours)})) or "there are none"
        raise thing.error(f"opened_by: the colour of a key or the name of an item ({known})", given)

    def _opener_of(self, thing: PlacedObject, other: PlacedObject) -> tuple[str, tuple[str, ...]]:
        if other.kind == "key":
            return "lock", (other.text("color"),)
        if other.kind == "item":
            return "gate", (self._item_name(other),)
        raise thing.error("opened_by: a link to a key or an item", other.kind)

    def _colour(self, thing: PlacedObject) -> str:
        """Return the colour of a lock."""
        opener = self._opener(thing)
        return opener[1][0] if opener is not None and opener[0] == "lock" else thing.text("color")

    def _gate_class(self, thing: PlacedObject) -> str | None:
        """Return which class of gate an object is, or its way is barred by."""
        if thing.kind not in (*GATE_CLASSES, *WAY_CLASSES):
            return None
        kind = self._said_class(thing)
        self._require_consistent(thing, kind)
        return kind

    def _require_consistent(self, thing: PlacedObject, kind: str | None) -> None:
        """Refuse a gate that says two things about what opens it: one of them would be dropped."""
        ways = [word for word in ("color", "requires", "openedby", "switch", "room") if thing.find(word) is not None]
        if self._opener(thing) is None:
            ways = [word for word in ways if word != "openedby"]
        if thing.id in self.worked_by and "switch" not in ways:
            ways.append("switch")
        is_link = thing.kind in WAY_CLASSES and self._links_to_gate(thing)
        if len(ways) > 1 or (is_link and ways):
            raise thing.error(f"one thing that opens it, but there are {', '.join([*ways, *['gate'] * is_link])}")
        fitting = {
            "lock": ("count", "consumes", "color", "requires", "openedby"),
            "gate": ("consumes", "requires", "openedby"),
            "cracked": ("requires", "openedby"),
            "barrier": ("switch", "open"),
            "soft": ("room",),
        }.get(kind or "", ())
        for word in ("count", "consumes", "open", *ways):
            is_used = word in fitting or (word == "switch" and thing.id in self.worked_by)
            is_open = kind is None and word == "open" and thing.flag("open", False)
            if thing.find(word) is not None and not is_used and not is_open:
                raise thing.error(f"{word}: nothing, since that does not go with a {kind or 'door that is open'}")
        if thing.find("locked") is not None and not thing.flag("locked", False) and (kind is not None or is_link):
            raise thing.error("locked: true, since something opens it", False)

    def _links_to_gate(self, thing: PlacedObject) -> bool:
        given = thing.find("gate")
        return given is not None and not (isinstance(given, str) and plain_word(given) in GATE_CLASSES)

    def _said_class(self, thing: PlacedObject) -> str | None:
        opener = self._opener(thing)
        if thing.kind in GATE_CLASSES:
            return thing.kind if opener is None else opener[0]
        given = thing.find("gate")
        if isinstance(given, str) and plain_word(given) in GATE_CLASSES:
            return plain_word(given)
        if thing.id in self.worked_by:
            return "barrier"
        if opener is not None:
            return opener[0]
        if thing.find("color") is not None or (thing.flag("locked", False) and not self._is_barred(thing)):
            return "lock"
        for word, kind in (("requires", "gate"), ("switch", "barrier"), ("room", "soft")):
            if thing.find(word) is not None:
                return kind
        return None

    def _is_barred(self, thing: PlacedObject) -> bool:
        """Tell whether something else than a key is said to open it."""
        return any(thing.find(word) is not None for word in ("requires", "switch", "room")) or self._links_to_gate(
            thing
        )

    def _read_gates(self) -> None:
        parts, open_doors = [], []
        for thing in _in_order(self._of(*GATE_CLASSES, "door")):
            if thing.kind == "door" and thing.find("target") is not None:
                continue
            if thing.find("partof") is not None:
                parts.append(thing)
                continue
            kind = self._gate_class(thing)
            if kind is None:
                open_doors.append(self._describe(thing))
                continue
            bar = self._bar(thing, kind)
            if not thing.flag("waysonly", False):
                bar.cells.extend(self._ground(thing))
            self.bar_of[thing.id] = len(self.bars)
            self.bars.append(bar)
        for thing in parts:
            whole = self._linked(thing, "partof")
            if whole.id not in self.bar_of or whole.kind != thing.kind:
                raise thing.error(f"part_of: a link to a {thing.kind} that is no part itself", whole.id)
            self.bars[self.bar_of[whole.id]].cells.extend(self._ground(thing))
        if open_doors:
            doors = listed(open_doors, 12)
            self.remarks.append(f"Doors that say nothing about what opens them are read as open: {doors}.")

    def _bar(self, thing: PlacedObject, kind: str) -> _Bar:
        name = thing.name if thing.kind in (*GATE_CLASSES, "door") else ""
        kind, needs, is_open = self._needs(thing, kind)
        return _Bar(kind, needs, is_open, name, thing.where)

    def _describe(self, thing: PlacedObject) -> str:
        """Return which object is meant: its name if it has one, and where it stands."""
        floor, row, column = thing.place
        called = f"{thing.name!r}, " if thing.name else ""
        on = f" of {self.floors[floor].name}" if len(self.floors) > 1 and self.floors[floor].name else ""
        return f"{called}row {row}, column {column}{on}"

    def _needs(self, thing: PlacedObject, kind: str) -> tuple[str, tuple[str, ...], bool]:
        opener = self._opener(thing)
        items = list(opener[1]) if opener is not None and opener[0] == "gate" else thing.names("requires")
        if kind == "lock" and not items:
            colour = self._colour(thing)
            if thing.number("count", 1) != 1:
                raise thing.error("count: 1, a lock takes one key", thing.number("count", 1))
            return ("item", (self.kept[colour],), False) if colour in self.kept else ("lock", (colour,), False)
        if kind == "cracked" or (kind == "lock" and [plain_word(item) for item in items] in (["bomb"], ["bombs"])):
            return "cracked", (), False
        if kind in ("lock", "gate"):
            if not items:
                raise thing.error("requires: the names of items")
            if thing.flag("consumes", False):
                raise thing.error("consumes: false, since items are never used up", True)
            return "item", tuple(sorted(set(items))), False
        if kind == "barrier":
            is_linked = isinstance(thing.find("switch"), ObjectLink)
            switch = self._switch_name(self._linked(thing, "switch")) if is_linked else thing.text("switch")
            switch = self.worked_by.get(thing.id, switch)
            return "barrier", (switch or "switch",), thing.flag("open", False)
        return "soft", (self._room_of(thing),), False

    def _room_of(self, thing: PlacedObject) -> str:
        given = thing.find("room")
        if isinstance(given, ObjectLink):
            return self._linked(thing, "room").name
        if given is not None:
            return thing.text("room")
        floor, row, column = thing.place
        around = [
            room
            for room in self.rooms
            if room.corner[0] == floor
            and 0 <= row - room.corner[1] < room.height
            and 0 <= column - room.corner[2] < room.width
        ]
        if not around:
            raise thing.error("room: the name of the room it belongs to, or a room around it")
        return min(around, key=lambda room: room.height * room.width).name

    def _open_walls(self) -> None:
        opened = 0
        for bar in self.bars:
            for floor, row, column in bar.cells:
                grid = self.floors[floor].grid
                if grid[row][column] == WALL:
                    grid[row][column] = FLOOR
                    opened += 1
        if opened:
            self.remarks.append("walls under gates that cover nothing else are floor")

    def _open_switches(self) -> None:
        """Make the wall behind a switch that hangs on it a niche, where that joins nothing that is apart."""
        niches = []
        for thing in self._of("switch"):
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
        shut = {cell for bar in self.bars for cell in bar.cells} | {thing.place for thing in self._of("block")}

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
            self._linked(thing, "target").id
            for thing in self._of(*WAY_CLASSES)
            if isinstance(thing.find("target"), ObjectLink | str | int)
        }
        for thing in self._of(*WAY_CLASSES):
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
            return self._linked(thing, "target").place
        pair = [other for other in self.by_name.get(thing.name, ()) if other.kind == thing.kind]
        if thing.kind in ("stairs", "warp") and len(pair) == 2 and all(other.find("target") is None for other in pair):
            return pair[1 - pair.index(thing)].place
        return None

    def _way_gate(self, thing: PlacedObject) -> int | None:
        kind = self._gate_class(thing)
        if self._links_to_gate(thing):
            gate = self._linked(thing, "gate")
            whole = self._linked(gate, "partof") if gate.find("partof") is not None else gate
            if whole.id not in self.bar_of:
                raise thing.error("gate: a link to a gate", gate.id)
            return self.bar_of[whole.id]
        if kind is None:
            return None
        self.bars.append(self._bar(thing, kind))
        return len(self.bars) - 1

    def _linked(self, thing: PlacedObject, word: str, given: object = None) -> PlacedObject:
        """Return the object that a property, or `given`, links to, by id or by name."""
        given = thing.find(word) if given is None else given
        if isinstance(given, list) and len(given) == 1:
            given = given[0]
        if isinstance(given, ObjectLink) and given.id in self.left_out:
            raise thing.error(f"{word}: a link to an object that is not left out", given)
        if isinstance(given, ObjectLink) and given.id in self.by_id:
            return self.by_id[given.id]
        if isinstance(given, int) and not isinstance(given, bool) and str(given) in self.by_id:
            return self.by_id[str(given)]
        if isinstance(given, str):
            called = [other for other in self.by_name.get(clean_name(given), ()) if other is not thing]
            if len(called) > 1:
                raise thing.error(f"{word}: the name of one object, but several have it", given)
            if called or given in self.by_id:
                return called[0] if called else self.by_id[given]
        raise thing.error(f"{word}: a link to an object, or its name, but there is none such", given)


def _in_order(objects: Iterable[PlacedObject]) -> list[PlacedObject]:
    return sorted(objects, key=lambda thing: thing.number("order", 0))
