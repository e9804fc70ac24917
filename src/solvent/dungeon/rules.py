"""The forward model: what a move does. Plain Python; the solver's kernels restate it over arrays.

`Game` looks things up by place, so that a step costs the same in a dungeon of any size. A `State` is what the rules can
tell apart: where the player is, and everything that was taken, opened, switched or pushed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    RETURN,
    STEPS,
    USE,
    WALL,
    WATER,
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Gate,
    Have,
    Not,
    Place,
    Requirement,
    Room,
    Switch,
    SwitchAt,
)

BOMBS = "bombs"


class State(NamedTuple):
    """Hold a position of the game."""

    place: Place
    taken: frozenset[int]
    """Pickups by number, all of them."""
    opened: frozenset[int]
    """Locks and cracked walls that were opened, by the number of the gate."""
    fallen: frozenset[int]
    """Soft gates that fell shut, by number."""
    on: frozenset[str]
    """Switches that are on, of those with no states of their own."""
    moved: tuple[str, ...]
    """For each block how it was pushed from where it stood, as the shortest walk there: north or south first. Empty if
    it stands there."""
    dials: tuple[int, ...] = ()
    """For each of the dungeon's dials the number of its state."""
    stock: tuple[int, ...] = ()
    """How many are in hand of each resource that renews, in the order of `renewing_resources`."""


def inside(place: Place, room: Room) -> bool:
    """Tell whether a place lies in a room."""
    floor, row, column = place
    top, left = room.corner[1:]
    return floor == room.corner[0] and 0 <= row - top < room.height and 0 <= column - left < room.width


def resource_of(kind: str, name: str) -> str:
    """Return the resource that a key pickup, bombs, a lock or a cracked wall is about."""
    return BOMBS if kind in ("bombs", "cracked") else f"key {name}".strip()


def renewing_resources(dungeon: Dungeon) -> tuple[str, ...]:
    """Return the resources of which some pickup renews: how many are in hand does not follow from what was taken."""
    return tuple(sorted({resource_of(pickup.kind, pickup.name) for pickup in dungeon.pickups if pickup.renews}))


class Monsters:
    """Know which monsters are in a room, without looking at all of them."""

    def __init__(self, dungeon: Dungeon) -> None:
        found: dict[int, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
        for number, pickup in enumerate(dungeon.pickups):
            if pickup.kind == "monster":
                floor, row, column = pickup.place
                found[floor][row].append((column, number))
        self._rows = {
            floor: sorted((row, sorted(there)) for row, there in rows.items()) for floor, rows in found.items()
        }
        """For each floor the rows with monsters, and in each column and number of every one; all sorted."""

    def inside(self, room: Room) -> list[int]:
        """Return the numbers of the monsters in a room, rising."""
        floor, top, left = room.corner
        numbers: list[int] = []
        rows = self._rows.get(floor, [])
        for _, there in rows[bisect_left(rows, (top,)) : bisect_left(rows, (top + room.height,))]:
            first = bisect_left(there, (left,))
            last = bisect_left(there, (left + room.width,), first)
            numbers += (number for _, number in there[first:last])
        return sorted(numbers)


class Game:
    """Play a dungeon. Holds nothing that changes; states are passed in and out."""

    def __init__(self, dungeon: Dungeon, meter: Meter = UNLIMITED) -> None:
        self.dungeon = dungeon
        self.rules = dungeon.rules
        self.pickups_at: dict[Place, list[int]] = defaultdict(list)
        for number, pickup in enumerate(dungeon.pickups):
            self.pickups_at[pickup.place].append(number)
        self.plates_at: dict[Place, list[Switch]] = defaultdict(list)
        """Plates that a step onto them turns."""
        self.held_plates: dict[str, set[Place]] = defaultdict(set)
        """Plates that turn their switch on while something stands on them, by the switch."""
        self.levers_from: dict[Place, list[int]] = defaultdict(list)
        """Numbers of the levers that can be worked from a place."""
        for number, switch in enumerate(dungeon.switches):
            if switch.kind == "plate":
                self.plates_at[switch.place].append(switch)
            elif switch.kind == "held":
                self.held_plates[switch.name].add(switch.place)
            else:
                for place in switch.reach:
                    self.levers_from[place].append(number)
        self.dial_number = {dial.switch: number for number, dial in enumerate(dungeon.dials)}
        self.renewing = {resource: number for number, resource in enumerate(renewing_resources(dungeon))}
        self.closed = frozenset(dungeon.closed)
        # A gate may have as many cells as the map.
        tiles = ((cell, number) for number, gate in enumerate(dungeon.gates) for cell in gate.cells)
        self.gate_at = dict(meter.each(tiles))
        self.block_at = {block.place: number for number, block in enumerate(dungeon.blocks)}
        self.ways_from: dict[Place, list[int]] = defaultdict(list)
        for number, way in enumerate(dungeon.ways):
            self.ways_from[way.source].append(number)
        self.goals = frozenset(dungeon.goals)
        self.room_named = {room.name: room for room in dungeon.rooms}
        self._monsters: Monsters | None = None
        self._monsters_of: dict[str, list[int]] = {}
        self._way_ends = {end for way in dungeon.ways for end in (way.source, way.target)}

    # what is where

    def terrain(self, place: Place) -> str:
        """Return the terrain letter of a place; NOTHING outside the map."""
        floor, row, column = place
        rows = self.dungeon.floors[floor].terrain
        if 0 <= row < len(rows) and 0 <= column < len(rows[row]):
            return rows[row][column]
        return NOTHING

    def monsters_of(self, room_name: str) -> list[int]:
        """Return the numbers of the monsters in a room."""
        if self._monsters is None:
            self._monsters = Monsters(self.dungeon)
        if room_name not in self._monsters_of:
            self._monsters_of[room_name] = self._monsters.inside(self.room_named[room_name])
        return self._monsters_of[room_name]

    def is_bare(self, place: Place) -> bool:
        """Tell whether a block may ever come to rest on a place."""
        return (
            self.terrain(place) == FLOOR
            and place not in self.pickups_at
            and place not in self.gate_at
            and place not in self.plates_at
            and place not in self.closed
            and place not in self.goals
            and place not in self._way_ends
            and place not in self.block_at
        )

    def takes_block(self, block: int, place: Place) -> bool:
        """Tell whether a block may ever come to rest on a place: its own, or one that is bare."""
        own = self.dungeon.blocks[block].place == place
        return (own and self.rules.push == "on") or self.is_bare(place)

    def block_places(self, state: State) -> list[Place]:
        """Return where each block is."""
        return [walk_from(block.place, moved) for block, moved in zip(self.dungeon.blocks, state.moved, strict=True)]

    def block_on(self, state: State, place: Place) -> int | None:
        """Return the number of the block on a place."""
        number = self.block_at.get(place)
        if number is not None and not state.moved[number]:
            return number
        if self.rules.push == "on":
            places = self.block_places(state) if self.block_at else []
            return places.index(place) if place in places else None
        for direction in STEPS if self.block_at else ():
            down, right = STEPS[direction]
            number = self.block_at.get((place[0], place[1] - down, place[2] - right))
            if number is not None and state.moved[number] == direction:
                return number
        return None

    # what holds

    def is_on(self, state: State, switch: str) -> bool:
        """Tell whether a switch without states of its own is on."""
        plates = self.held_plates.get(switch)
        if plates is None:
            return switch in state.on
        return state.place in plates or any(self.block_on(state, plate) is not None for plate in plates)

    def switch_state(self, state: State, switch: str) -> str:
        """Return the state that a switch is in."""
        number = self.dial_number.get(switch)
        if number is None:
            return "on" if self.is_on(state, switch) else "off"
        return self.dungeon.dials[number].states[state.dials[number]]

    def meets(self, state: State, rule: Requirement | None) -> bool:
        """Tell whether a requirement holds for a player who stands where the state says."""
        match rule:
            case None:
                return True
            case Have("item", name, count):
                return self.items(state, name) >= count
            case Have("key", name, count):
                return not self.rules.keys_counted or self.keys(state, name) >= count
            case Have(_, _, count):
                bombs = self.bombs(state)
                return bombs is None or bombs >= count
            case SwitchAt(switch, wanted):
                return self.switch_state(state, switch) == wanted
            case Cleared(room):
                return state.taken.issuperset(self.monsters_of(room))
            case Not(part):
                return not self.meets(state, part)
            case AllOf(parts):
                return all(self.meets(state, part) for part in parts)
            case AnyOf(parts):
                return any(self.meets(state, part) for part in parts)
        raise AssertionError(f"{rule!r} is no requirement")

    # what is had

    def keys(self, state: State, colour: str) -> int:
        """Return how many keys of a colour are in hand."""
        renewing = self.renewing.get(resource_of("key", colour))
        if renewing is not None:
            return state.stock[renewing]
        pickups, gates = self.dungeon.pickups, self.dungeon.gates
        carried = dict(self.rules.keys).get(colour, 0)
        found = sum(
            pickups[number].count
            for number in state.taken
            if pickups[number].kind == "key" and pickups[number].name == colour
        )
        spent = sum(gates[number].kind == "lock" and gates[number].needs[0] == colour for number in state.opened)
        return carried + found - spent

    def bombs(self, state: State) -> int | None:
        """Return how many bombs are in hand; None for as many as one likes."""
        if self.rules.bombs is None:
            return None
        if BOMBS in self.renewing:
            return state.stock[self.renewing[BOMBS]]
        pickups, gates = self.dungeon.pickups, self.dungeon.gates
        found = sum(
            pickups[number].count or self.rules.bombs_per_pickup
            for number in state.taken
            if pickups[number].kind == "bombs"
        )
        return self.rules.bombs + found - sum(gates[number].kind == "cracked" for number in state.opened)

    def items(self, state: State, item: str) -> int:
        """Return how many of an item are in hand."""
        pickups = self.dungeon.pickups
        taken = [pickups[number] for number in state.taken]
        found = sum(pickup.count for pickup in taken if pickup.kind == "item" and pickup.name == item)
        return found + (item in self.rules.items)

    def holds(self, state: State, item: str) -> bool:
        """Tell whether an item is in hand."""
        if item in self.rules.items:
            return True
        pickups = self.dungeon.pickups
        return any(pickups[number].kind == "item" and pickups[number].name == item for number in state.taken)

    # what happens

    def start_state(self) -> State:
        """Return the state before the first move."""
        start = self.dungeon.start
        nothing: frozenset[int] = frozenset()
        carried = dict(self.rules.keys)
        stock = tuple(
            (self.rules.bombs or 0) if resource == BOMBS else carried.get(resource.removeprefix("key").strip(), 0)
            for resource in self.renewing
        )
        unmoved, unturned = ("",) * len(self.dungeon.blocks), (0,) * len(self.dungeon.dials)
        return self._take_all(State(start, nothing, nothing, nothing, frozenset(), unmoved, unturned, stock))

    def present_state(self, meter: Meter = UNLIMITED) -> State:
        """Return the state after the moves that the dungeon says were played; they are legal."""
        state = self.start_state()
        for move in meter.each(self.dungeon.played, every=20):
            after = self.step(state, move)
            assert after is not None, f"the move {move} was checked when the dungeon was read"
            state = after
        return state

    def is_won(self, state: State) -> bool:
        """Tell whether the player stands on a goal."""
        return state.place in self.goals

    def moves(self, state: State) -> Iterator[tuple[str, State]]:
        """Yield every legal move and the state after it."""
        ways = (str(number) for number in self.ways_from.get(state.place, ()))
        levers = (f"{USE}{number}" for number in self.levers_from.get(state.place, ()))
        for move in (*STEPS, *ways, *levers, RETURN):
            after = self.step(state, move)
            if after is not None:
                yield move, after

    def step(self, state: State, move: str) -> State | None:
        """Return the state after a move, or None if it is not legal."""
        if self.is_won(state):
            return None
        if move in STEPS:
            return self._walk(state, move)
        if move == RETURN:
            return self._return(state)
        number = move.removeprefix(USE)
        if not (number.isascii() and number.isdigit()):
            return None
        if number != move:
            return self._use(state, int(number)) if int(number) < len(self.dungeon.switches) else None
        return self._take_way(state, int(number)) if int(number) < len(self.dungeon.ways) else None

    def walk(self, state: State, moves: Iterable[str]) -> Iterator[State]:
        """Yield the state after each move; ends early, without a word, at one that is not legal."""
        for move in moves:
            after = self.step(state, move)
            if after is None:
                return
            state = after
            yield state

    def landing(self, place: Place, direction: str) -> tuple[Place, bool] | None:
        """Return where a step leads as far as terrain goes, and whether it crosses water; None for nowhere."""
        here = self.terrain(place)
        if here in ONE_WAYS and ONE_WAYS[here] != direction:
            return None
        target, wet = beside(place, direction), False
        if self.terrain(target) == WATER:
            wet = True
            if self.rules.crossing == "one":
                target = beside(target, direction)
                if self.terrain(target) == WATER:
                    return None
        there = self.terrain(target)
        if there in (WALL, NOTHING) or (there in ONE_WAYS and ONE_WAYS[there] != direction):
            return None
        return target, wet

    def _walk(self, state: State, direction: str) -> State | None:
        found = self.landing(state.place, direction)
        if found is None:
            return None
        target, wet = found
        if wet and not self.holds(state, self.rules.water):
            return None
        after = self._enter(state, target, None)
        if after is None:
            return None
        block = self.block_on(state, target)
        if block is not None:
            behind = beside(target, direction)
            if wet and self.rules.crossing == "one":
                return None
            pushed = self._push(after, block, behind)
            if pushed is None:
                return None
            after = pushed
        return self._arrive(after, target)

    def _take_way(self, state: State, number: int) -> State | None:
        way = self.dungeon.ways[number]
        if way.source != state.place:
            return None
        after = self._enter(state, way.target, way.gate)
        if after is None or self.block_on(state, way.target) is not None:
            return None
        return self._arrive(after, way.target)

    def _return(self, state: State) -> State | None:
        """Go back to the start, as by a way that leads there from everywhere."""
        start = self.dungeon.start
        if self.rules.home != "always" or state.place == start or self.block_on(state, start) is not None:
            return None
        after = self._enter(state, start, None)
        return None if after is None else self._arrive(after, start)

    def _use(self, state: State, number: int) -> State | None:
        """Work a lever, which leaves the player where they are."""
        switch = self.dungeon.switches[number]
        if switch.kind != "lever" or state.place not in switch.reach or not self.meets(state, switch.rule):
            return None
        return self._take_all(self._turn(state, switch))

    def _enter(self, state: State, target: Place, gate: int | None) -> State | None:
        """Return the state once all that bars the way onto a place is passed, with the gate of a way first."""
        if target in self.closed or (target in self.goals and not self.meets(state, self.dungeon.goal_rule)):
            return None
        on_tile = self.gate_at.get(target)
        # Rules are about what is held before the move: what it spends at another gate does not count.
        rules = [self.dungeon.gates[number].rule for number in (gate, on_tile) if number is not None]
        if not all(self.meets(state, rule) for rule in rules):
            return None
        after = self._pass(state, gate)
        return after if after is None or on_tile == gate else self._pass(after, on_tile)

    def _push(self, state: State, block: int, behind: Place) -> State | None:
        """Push a block onto the place behind it, or return None if it stands fast."""
        moved = state.moved[block]
        if self.rules.push == "never" or (moved and self.rules.push == "once"):
            return None
        if not self.takes_block(block, behind) or self.block_on(state, behind) is not None:
            return None
        return self._with_block(state, block, walk_between(self.dungeon.blocks[block].place, behind))

    def _with_block(self, state: State, block: int, moved: str) -> State:
        return state._replace(moved=(*state.moved[:block], moved, *state.moved[block + 1 :]))

    def _arrive(self, state: State, place: Place) -> State:
        """Come to stand on a place: blocks go back, plates turn, things are taken."""
        if self.rules.blocks == "reset" and any(state.moved):
            for number, block in enumerate(self.dungeon.blocks):
                if state.moved[number] and any(
                    inside(block.place, room) and inside(state.place, room) and not inside(place, room)
                    for room in self.dungeon.rooms
                ):
                    state = self._with_block(state, number, "")
        state = state._replace(place=place)
        for plate in self.plates_at.get(place, ()):
            state = self._turn(state, plate)
        return self._take_all(state)

    def _turn(self, state: State, switch: Switch) -> State:
        number = self.dial_number.get(switch.name)
        if number is None:
            turned_on = switch.sets == "on" if switch.sets else switch.name not in state.on
            return state._replace(on=state.on | {switch.name} if turned_on else state.on - {switch.name})
        states = self.dungeon.dials[number].states
        to = states.index(switch.sets) if switch.sets else (state.dials[number] + 1) % len(states)
        return state._replace(dials=(*state.dials[:number], to, *state.dials[number + 1 :]))

    def _take_all(self, state: State) -> State:
        """Take everything that is there where the player stands; what is taken may make more appear."""
        waiting = [number for number in self.pickups_at.get(state.place, ()) if number not in state.taken]
        changed = True
        while waiting and changed:
            changed = False
            for number in waiting:
                pickup = self.dungeon.pickups[number]
                if number not in state.taken and self.meets(state, pickup.rule):
                    after = self._take(state, number)
                    changed = changed or after != state
                    state = after
        return state

    def _take(self, state: State, number: int) -> State:
        pickup = self.dungeon.pickups[number]
        count = pickup.count or (self.rules.bombs_per_pickup if pickup.kind == "bombs" else 0)
        resource = self.renewing.get(resource_of(pickup.kind, pickup.name)) if pickup.kind in ("key", "bombs") else None
        if resource is not None:
            had = state.stock[resource]
            has = max(had, count) if pickup.renews else had + count
            state = state._replace(stock=(*state.stock[:resource], has, *state.stock[resource + 1 :]))
        return state if pickup.renews else state._replace(taken=state.taken | {number})

    def _pass(self, state: State, number: int | None) -> State | None:
        """Return the state once the gate is passed, or None if it bars the way."""
        if number is None or number in state.opened:
            return state
        gate: Gate = self.dungeon.gates[number]
        if gate.kind == "lock":
            if not self.rules.keys_counted:
                return state
            return self._open(state, number) if self.keys(state, gate.needs[0]) > 0 else None
        if gate.kind == "cracked":
            bombs = self.bombs(state)
            if bombs is None:
                return state
            return self._open(state, number) if bombs > 0 else None
        if gate.kind == "item":
            return state if all(self.holds(state, item) for item in gate.needs) else None
        if gate.kind == "barrier":
            return state if self.is_on(state, gate.needs[0]) != gate.open_at_first else None
        if gate.kind == "rule":
            return state  # it was looked at before the move
        return self._pass_soft(state, number, gate.needs[0])

    def _open(self, state: State, number: int) -> State:
        """Open a gate for good with a key or a bomb."""
        gate = self.dungeon.gates[number]
        resource = self.renewing.get(resource_of(gate.kind, gate.needs[0] if gate.needs else ""))
        if resource is not None:
            has = state.stock[resource] - 1
            state = state._replace(stock=(*state.stock[:resource], has, *state.stock[resource + 1 :]))
        return state._replace(opened=state.opened | {number})

    def _pass_soft(self, state: State, number: int, room_name: str) -> State | None:
        if self.rules.soft == "open":
            return state
        if self.rules.soft == "shut":
            return None if number in state.fallen else state._replace(fallen=state.fallen | {number})
        shut_in = inside(state.place, self.room_named[room_name])
        return None if shut_in and not state.taken.issuperset(self.monsters_of(room_name)) else state


def beside(place: Place, direction: str) -> Place:
    """Return the neighbouring place in a direction, which may lie outside the map."""
    down, right = STEPS[direction]
    return place[0], place[1] + down, place[2] + right


def walk_from(place: Place, walk: str) -> Place:
    """Return where a walk leads, letter by letter."""
    for direction in walk:
        place = beside(place, direction)
    return place


def walk_between(place: Place, other: Place) -> str:
    """Return the walk from a place to another of the same floor: north or south first."""
    down, right = other[1] - place[1], other[2] - place[2]
    return ("S" if down > 0 else "N") * abs(down) + ("E" if right > 0 else "W") * abs(right)
