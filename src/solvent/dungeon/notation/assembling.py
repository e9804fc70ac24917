"""From what a file says to a dungeon: what all formats must meet, and the order that makes equal ones equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    WALL,
    WATER,
    Block,
    Dial,
    Dungeon,
    Floor,
    Gate,
    Pickup,
    Place,
    Requirement,
    Room,
    Rules,
    Switch,
    Way,
)
from solvent.dungeon.notation.demands import check_demands, describe_unmet, unmet_needs
from solvent.dungeon.notation.requirements import ALWAYS, format_requirement, tidy_requirement
from solvent.dungeon.notation.ruling import MAX_OF_ANYTHING, USUAL_RULES, hint_at, is_name
from solvent.dungeon.notation.switches import USUAL_STATES, check_states, check_switches
from solvent.dungeon.rules import Game
from solvent.formats.recording import note

MAX_TILES = 1_000_000
MAX_THINGS = 20_000
"""The most pickups, gates, ways, or anything else of one kind."""
TERRAIN = frozenset((WALL, NOTHING, FLOOR, WATER, *ONE_WAYS))
PICKUP_KINDS = ("key", "bombs", "item", "monster")
GATE_KINDS = ("lock", "cracked", "item", "barrier", "soft", "rule")
WAY_KINDS = ("stairs", "warp", "door", "passage")

Locate = Callable[[object], Mapping[str, Any]]
"""Where a thing stands in the text: the keyword arguments of ParseError."""


def nowhere(_thing: object) -> Mapping[str, Any]:
    """Say nothing about where things stand."""
    return {}


class DungeonParts(Struct, frozen=True, eq=False):
    """Hold what a file says about a dungeon, nothing of it checked yet. Ways name gates by their number in `gates`."""

    floors: Sequence[Floor]
    starts: Sequence[Place]
    goals: Sequence[Place]
    pickups: Sequence[Pickup] = ()
    gates: Sequence[Gate] = ()
    switches: Sequence[Switch] = ()
    blocks: Sequence[Block] = ()
    ways: Sequence[Way] = ()
    rooms: Sequence[Room] = ()
    rules: Rules = USUAL_RULES
    title: str = ""
    dials: Sequence[Dial] = ()
    goal_rule: Requirement | None = None
    played: Sequence[str] = ()
    remarks: Sequence[str] = ()


def assemble(
    parts: DungeonParts, *, locate: Locate = nowhere, locate_need: Locate | None = None, strict: bool = True
) -> Dungeon:
    """Return the dungeon, or raise ParseError at the first thing that cannot be.

    `locate_need` tells where a text says what a thing needs or sets, if that is not where the thing stands.
    `strict=False` allows gates that need what lies nowhere, as corpora have them.
    """
    locate_need = locate_need or locate
    floors, starts, goals = parts.floors, parts.starts, parts.goals
    gates, switches, ways = parts.gates, parts.switches, parts.ways
    _check_floors(floors, locate)
    for things in (parts.pickups, gates, switches, parts.dials, parts.blocks, ways, parts.rooms, goals):
        if len(things) > MAX_THINGS:
            raise ParseError(f"at most {MAX_THINGS:,} things of one kind", len(things), **locate(things[MAX_THINGS]))
    ground = _Ground(floors, locate)
    if len(starts) != 1:
        raise _start_error(starts, locate)
    if not goals:
        raise ParseError("a goal, but there is none", **locate("goal"))
    ground.require(starts[0], starts[0], "start")
    for goal in goals:
        ground.require(goal, goal, "goal")
    _check_pickups(parts.pickups, ground)
    for switch in switches:
        if switch.kind != "lever":
            ground.require(switch.place, switch, "switch")
    check_states(switches, parts.dials, locate_need)
    check_switches(switches, parts.dials, floors, locate)
    plates = [switch for switch in switches if switch.kind != "lever"]
    _require_single(((plate.place, plate.name) for plate in plates), plates, "plate of a switch", locate)
    _check_rooms(parts.rooms, floors, locate)
    _check_gates(gates, ground, parts.rooms)
    check_demands(parts, locate_need)
    if parts.goal_rule is not None and starts[0] in goals:
        raise ParseError("a start that is no goal, where goals need something", **locate("goal rule"))
    _check_barriers(parts, locate_need)
    if strict:
        for thing, need in unmet_needs(parts):
            raise ParseError(describe_unmet(parts, thing, need), **locate_need(thing))
    _check_blocks(parts.blocks, ground, {starts[0], *goals}, parts.pickups, switches, gates)
    _check_ways(ways, ground, gates)
    used = {way.gate for way in ways}
    for number, gate in enumerate(gates):
        if not gate.cells and number not in used:
            raise ParseError(f"a {gate.kind} to bar something, but it has neither tiles nor ways", **locate(gate))
    order = sorted(range(len(gates)), key=lambda number: _gate_order(gates[number], number))
    number_of = {old: new for new, old in enumerate(order)}
    numbered = [way if way.gate is None else replace(way, gate=number_of[way.gate]) for way in ways]
    dungeon = Dungeon(
        floors=tuple(floors),
        start=starts[0],
        goals=tuple(sorted(set(goals))),
        pickups=tuple(sorted(map(_tidy_pickup, parts.pickups), key=_pickup_order)),
        gates=tuple(_sorted_gate(gates[number]) for number in order),
        switches=tuple(sorted(map(_tidy_switch, switches), key=_switch_order)),
        # Those of every switch need no saying.
        dials=tuple(
            sorted((dial for dial in parts.dials if dial.states != USUAL_STATES), key=lambda dial: dial.switch)
        ),
        blocks=tuple(sorted(parts.blocks, key=lambda block: block.place)),
        ways=tuple(sorted(numbered, key=way_order)),
        rooms=tuple(parts.rooms),
        rules=parts.rules,
        title=tidy_title(parts.title),
        goal_rule=_tidy(parts.goal_rule),
        played=tuple(parts.played),
        remarks=tuple(parts.remarks),
    )
    note(dungeon=dungeon, parts=parts, gates=order, locate=locate)
    bad = first_illegal_move(dungeon)
    if bad is not None:
        raise ParseError(f"moves that can be made, but number {bad + 1} cannot", parts.played[bad], **locate("played"))
    return dungeon


def first_illegal_move(dungeon: Dungeon) -> int | None:
    """Return which of the moves played is not legal, or None."""
    if not dungeon.played:
        return None
    game = Game(dungeon)
    made = sum(1 for _ in game.walk(game.start_state(), dungeon.played))
    return None if made == len(dungeon.played) else made


def tidy_title(title: str) -> str:
    """Return a title as one printable line, whatever a file had in it."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in title).split())


def describe_place(place: Place, floors: Sequence[Floor]) -> str:
    """Return a place in words."""
    floor, row, column = place
    if not 0 <= floor < len(floors):
        return f"floor {floor}, row {row}, column {column}"
    if floors[floor].terrain == (FLOOR,):
        return floors[floor].name
    where = f"row {row}, column {column}"
    return f"{where} of {floors[floor].name}" if len(floors) > 1 and floors[floor].name else where


class _Ground:
    """Look up terrain, and require that things stand where a player can."""

    def __init__(self, floors: Sequence[Floor], locate: Locate) -> None:
        self.floors = floors
        self.locate = locate

    def terrain(self, place: Place) -> str:
        floor, row, column = place
        if not 0 <= floor < len(self.floors):
            return NOTHING
        rows = self.floors[floor].terrain
        return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING

    def require(self, place: Place, thing: object, what: str, *, dry: bool = True) -> None:
        found = self.terrain(place)
        if found in (WALL, NOTHING) or (dry and found == WATER):
            where = describe_place(place, self.floors)
            on = {WALL: "a wall", NOTHING: "nothing", WATER: "water"}[found]
            wanted = "floor" if dry else "floor or water"
            raise ParseError(f"the {what} at {where} to stand on {wanted}, but it stands on {on}", **self.locate(thing))


def _start_error(starts: Sequence[Place], locate: Locate) -> ParseError:
    if not starts:
        return ParseError("a start, but there is none", **locate("start"))
    return ParseError("one start, but there is another", **locate(starts[1]))


def _check_floors(floors: Sequence[Floor], locate: Locate) -> None:
    if not floors:
        raise ParseError("a map, but there is none", **locate("map"))
    tiles = 0
    for floor in floors:
        if not floor.terrain or not floor.terrain[0]:
            raise ParseError(f"at least one tile in the map {floor.name!r}", **locate(floor))
        width = len(floor.terrain[0])
        for row, line in enumerate(floor.terrain):
            if len(line) != width:
                raise ParseError(f"{width} tiles in row {row}, as in row 0", len(line), **locate(floor))
            if not TERRAIN.issuperset(line):
                bad = next(letter for letter in line if letter not in TERRAIN)
                raise ParseError(f"terrain in row {row}", bad, **locate(floor))
        tiles += width * len(floor.terrain)
        if len(floors) > 1 or (floor.name and not is_name(floor.name)):
            _require_name(floor.name, "a floor", locate(floor))
    _require_single((floor.name for floor in floors), floors, "floor called", locate)
    if tiles > MAX_TILES:
        raise ParseError(f"at most {MAX_TILES:,} tiles", tiles, **locate(floors[-1]))


def _check_pickups(pickups: Sequence[Pickup], ground: _Ground) -> None:
    for pickup in pickups:
        where = ground.locate(pickup)
        if pickup.kind not in PICKUP_KINDS:
            raise ParseError(f"a pickup: {', '.join(PICKUP_KINDS)}", pickup.kind, **where)
        ground.require(pickup.place, pickup, pickup.kind, dry=False)
        if pickup.kind == "item" or (pickup.kind == "key" and pickup.name):
            _require_name(pickup.name, f"the name of the {pickup.kind}", where)
        elif pickup.name:
            raise ParseError(f"no name for {pickup.kind}", pickup.name, **where)
        least = 0 if pickup.kind == "bombs" else 1
        most = 1 if pickup.kind == "monster" else MAX_OF_ANYTHING
        if not least <= pickup.count <= most:
            raise ParseError(f"from {least} to {most} of {pickup.kind}", pickup.count, **where)
        if pickup.renews and pickup.kind not in ("key", "bombs"):
            raise ParseError("only keys and bombs to be renewed", pickup.kind, **where)


def _check_rooms(rooms: Sequence[Room], floors: Sequence[Floor], locate: Locate) -> None:
    for room in rooms:
        floor, top, left = room.corner
        _require_name(room.name, "a room", locate(room))
        rows = floors[floor].terrain if 0 <= floor < len(floors) else ()
        inside = (
            rows and top >= 0 and left >= 0 and top + room.height <= len(rows) and left + room.width <= len(rows[0])
        )
        if not inside or room.height < 1 or room.width < 1:
            raise ParseError(f"the room {room.name!r} to lie inside its floor", **locate(room))
        for label in room.labels:
            _require_name(label, "a label", locate(room))
    _require_single((room.name for room in rooms), rooms, "room called", locate)


def _check_gates(gates: Sequence[Gate], ground: _Ground, rooms: Sequence[Room]) -> None:
    names = {room.name for room in rooms}
    seen: set[Place] = set()
    for gate in gates:
        where = ground.locate(gate)
        if gate.kind not in GATE_KINDS:
            raise ParseError(f"a gate: {', '.join(GATE_KINDS)}", gate.kind, **where)
        if gate.name:
            _require_name(gate.name, "a gate", where)
        least = 0 if gate.kind in ("cracked", "rule") else 1
        most = 50 if gate.kind == "item" else least
        if not least <= len(gate.needs) <= most:
            raise ParseError(f"{'one need' if least else 'no need'} of a {gate.kind}", gate.needs, **where)
        for need in gate.needs:
            if need or gate.kind != "lock":  # a plain lock needs a key of no colour
                _require_name(need, f"what a {gate.kind} needs", where)
        if (gate.rule is None) == (gate.kind == "rule"):
            raise ParseError("a rule for a gate of the kind rule, and only there", gate.kind, **where)
        if gate.open_at_first and gate.kind != "barrier":
            raise ParseError("only a barrier to be open at first", gate.kind, **where)
        if gate.kind == "soft" and gate.needs[0] not in names:
            raise ParseError(f"a soft door of an existing room{hint_at(gate.needs[0], names)}", gate.needs[0], **where)
        for cell in gate.cells:
            ground.require(cell, gate, gate.kind)
            if cell in seen:
                place = describe_place(cell, ground.floors)
                raise ParseError(f"one gate on a tile, but there is another at {place}", **where)
            seen.add(cell)


def _own_states(dials: Iterable[Dial]) -> list[Dial]:
    """Return the dials that say something: `off, on` goes without saying."""
    return [dial for dial in dials if dial.states != USUAL_STATES]


def _check_barriers(parts: DungeonParts, locate: Locate) -> None:
    known = {switch.name for switch in parts.switches}
    with_states = {dial.switch for dial in _own_states(parts.dials)}
    for gate in parts.gates:
        if gate.kind != "barrier":
            continue
        if gate.needs[0] not in known:
            hint = hint_at(gate.needs[0], known)
            raise ParseError(f"the switch {gate.needs[0]!r} somewhere, for the barrier it works{hint}", **locate(gate))
        if gate.needs[0] in with_states:
            expected = f"a rule such as needs switch {gate.needs[0]} is STATE, as the switch has states of its own"
            raise ParseError(expected, "barrier", **locate(gate))


def _check_blocks(
    blocks: Sequence[Block],
    ground: _Ground,
    ends: set[Place],
    pickups: Sequence[Pickup],
    switches: Sequence[Switch],
    gates: Sequence[Gate],
) -> None:
    taken = ends | {pickup.place for pickup in pickups}
    taken.update(switch.place for switch in switches if switch.kind == "plate")
    taken.update(cell for gate in gates for cell in gate.cells)
    _require_single((block.place for block in blocks), blocks, "block at", ground.locate)
    for block in blocks:
        if ground.terrain(block.place) != FLOOR or block.place in taken:
            place = describe_place(block.place, ground.floors)
            raise ParseError(f"the block at {place} to stand alone on floor", **ground.locate(block))


def _check_ways(ways: Sequence[Way], ground: _Ground, gates: Sequence[Gate]) -> None:
    for way in ways:
        where = ground.locate(way)
        if way.kind not in WAY_KINDS:
            raise ParseError(f"a way: {', '.join(WAY_KINDS)}", way.kind, **where)
        ground.require(way.source, way, f"beginning of a way ({way.kind})")
        ground.require(way.target, way, f"end of a way ({way.kind})")
        if way.source == way.target:
            place = describe_place(way.source, ground.floors)
            raise ParseError(f"a way to another place, but it leads from {place} to itself", **where)
        if way.gate is not None and not 0 <= way.gate < len(gates):
            raise ParseError("an existing gate", way.gate, **where)


def _require_name(name: str, what: str, where: Mapping[str, Any]) -> None:
    if not is_name(name):
        raise ParseError(f"{what}: up to 60 letters, digits, spaces, - and '", name, **where)


def _require_single(keys: Iterable[object], things: Sequence[object], what: str, locate: Locate) -> None:
    counts: Counter[object] = Counter()
    for key, thing in zip(keys, things, strict=True):
        counts[key] += 1
        if counts[key] > 1:
            raise ParseError(f"one {what} {key!r}, but there is another", **locate(thing))


def _gate_order(gate: Gate, number: int) -> tuple[Any, ...]:
    """Sort gates with cells by their first; the others after them, in the order they were given."""
    return (0, *min(gate.cells)) if gate.cells else (1, number)


def _sorted_gate(gate: Gate) -> Gate:
    needs = tuple(sorted(set(gate.needs))) if gate.kind == "item" else gate.needs
    rule = None if gate.rule is None else tidy_requirement(gate.rule)
    return replace(gate, needs=needs, cells=tuple(sorted(gate.cells)), rule=rule)


def _tidy(rule: Requirement | None) -> Requirement | None:
    """Return a rule in its one form; None if it always holds."""
    tidy = None if rule is None else tidy_requirement(rule)
    return None if tidy == ALWAYS else tidy


def _tidy_pickup(pickup: Pickup) -> Pickup:
    return pickup if pickup.rule is None else replace(pickup, rule=_tidy(pickup.rule))


def _pickup_order(pickup: Pickup) -> tuple[Any, ...]:
    rule = "" if pickup.rule is None else format_requirement(pickup.rule)
    return pickup.place, pickup.kind, pickup.name, pickup.count, rule, pickup.renews


def _tidy_switch(switch: Switch) -> Switch:
    if switch.kind != "lever":
        return switch
    return replace(switch, reach=tuple(sorted(set(switch.reach))), rule=_tidy(switch.rule))


def _switch_order(switch: Switch) -> tuple[Any, ...]:
    rule = "" if switch.rule is None else format_requirement(switch.rule)
    return switch.place, switch.name, switch.kind, switch.sets, switch.reach, rule


def way_order(way: Way) -> tuple[Any, ...]:
    """Return what ways are sorted by, and so numbered."""
    return way.source, way.target, way.kind, -1 if way.gate is None else way.gate
