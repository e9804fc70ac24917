"""The rules of dungeons, restated plainly: what each move does, straight from the rule book."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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
    Pickup,
    Place,
    Requirement,
    Room,
    Switch,
    SwitchAt,
)


class State(NamedTuple):
    """Hold all that can change."""

    place: Place
    taken: frozenset[int] = frozenset()
    """Numbers of the pickups taken, also of those that have no effect."""
    opened: frozenset[int] = frozenset()
    """Numbers of the locks and cracked walls opened."""
    fallen: frozenset[int] = frozenset()
    """Numbers of the soft gates that fell shut."""
    on: frozenset[str] = frozenset()
    """Switches with no states of their own that were turned on; held ones are not among them."""
    moved: frozenset[tuple[int, str]] = frozenset()
    """Blocks that are not where they stood at first, and the walk from there: rows before columns."""
    dials: frozenset[tuple[str, str]] = frozenset()
    """Switches with states of their own that are not in the first of them, and the state they are in."""
    stock: tuple[tuple[str, int], ...] = ()
    """How many are in hand, of each key or of bombs that renew somewhere."""


class Rulebook:
    """Play one dungeon by the rule book."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.rules = dungeon.rules
        ways = [str(number) for number in range(len(dungeon.ways))]
        levers = [f"{USE}{number}" for number, switch in enumerate(dungeon.switches) if switch.kind == "lever"]
        self.moves = [*STEPS, *ways, *levers, *([RETURN] if self.rules.home == "always" else [])]
        """Every move that has a name, legal or not."""
        self.ground = {
            (number, row, column): letter
            for number, floor in enumerate(dungeon.floors)
            for row, line in enumerate(floor.terrain)
            for column, letter in enumerate(line)
        }
        self.pickups_at: dict[Place, list[int]] = {}
        for number, pickup in enumerate(dungeon.pickups):
            self.pickups_at.setdefault(pickup.place, []).append(number)
        self.plates = [switch for switch in dungeon.switches if switch.kind == "plate"]
        self.held_plates = {switch.place for switch in dungeon.switches if switch.kind == "held"}
        self.held_names = {switch.name for switch in dungeon.switches if switch.kind == "held"}
        self.states_of = {dial.switch: dial.states for dial in dungeon.dials}
        self.gate_at = {cell: number for number, gate in enumerate(dungeon.gates) for cell in gate.cells}
        self.room_named = {room.name: room for room in dungeon.rooms}
        self.never_bare = {pickup.place for pickup in dungeon.pickups}
        self.never_bare.update(self.gate_at, dungeon.goals, dungeon.closed)
        self.never_bare.update(plate.place for plate in self.plates)
        self.never_bare.update(end for way in dungeon.ways for end in (way.source, way.target))
        self._landings: dict[tuple[Place, str], tuple[Place, bool] | None] = {}
        self._blocks: dict[frozenset[tuple[int, str]], dict[Place, int]] = {}

    def terrain(self, place: Place) -> str:
        """Return what a place is made of; outside there is nothing."""
        return self.ground.get(place, NOTHING)

    def beginning(self, found: set[int] | None = None) -> State:
        """Return the state before any move; plates under the start are not pressed."""
        carried = {"bombs": self.rules.bombs or 0}
        carried.update((resource_named("key", colour), count) for colour, count in self.rules.keys)
        renewing = {str(resource(pickup)) for pickup in self.dungeon.pickups if pickup.renews}
        stock = tuple((name, carried.get(name, 0)) for name in sorted(renewing))
        return self._take_everything(State(self.dungeon.start, stock=stock), found)

    def is_won(self, state: State) -> bool:
        """Tell whether the player stands on a goal."""
        return state.place in self.dungeon.goals

    # what is in hand

    def has_item(self, state: State, name: str) -> bool:
        """Tell whether an item is held."""
        return self.items(state, name) >= 1

    def items(self, state: State, name: str) -> int:
        """Count how many of an item are held."""
        found = [self.dungeon.pickups[number] for number in state.taken]
        had = sum(pickup.count for pickup in found if pickup.kind == "item" and pickup.name == name)
        return had + (1 if name in self.rules.items else 0)

    def keys(self, state: State, colour: str) -> int:
        """Count the keys of a colour in hand."""
        if resource_named("key", colour) in dict(state.stock):
            return dict(state.stock)[resource_named("key", colour)]
        found = [self.dungeon.pickups[number] for number in state.taken]
        had = sum(pickup.count for pickup in found if pickup.kind == "key" and pickup.name == colour)
        gates = [self.dungeon.gates[number] for number in state.opened]
        spent = sum(1 for gate in gates if gate.kind == "lock" and gate.needs[0] == colour)
        return dict(self.rules.keys).get(colour, 0) + had - spent

    def bombs(self, state: State) -> int:
        """Count the bombs in hand, where they are counted."""
        if "bombs" in dict(state.stock):
            return dict(state.stock)["bombs"]
        found = [self.dungeon.pickups[number] for number in state.taken]
        had = sum(self.count(pickup) for pickup in found if pickup.kind == "bombs")
        spent = sum(1 for number in state.opened if self.dungeon.gates[number].kind == "cracked")
        return (self.rules.bombs or 0) + had - spent

    def count(self, pickup: Pickup) -> int:
        """Return how many there are in a pickup."""
        return self.rules.bombs_per_pickup if pickup.kind == "bombs" and pickup.count == 0 else pickup.count

    # what holds

    def holds(self, state: State, rule: Requirement | None) -> bool:
        """Tell whether a requirement holds, with the player where the state says."""
        if rule is None:
            return True
        if isinstance(rule, Not):
            return not self.holds(state, rule.part)
        if isinstance(rule, AllOf):
            return all(self.holds(state, part) for part in rule.parts)
        if isinstance(rule, AnyOf):
            return any(self.holds(state, part) for part in rule.parts)
        if isinstance(rule, Cleared):
            return not self.monsters_left(state, self.room_named[rule.room])
        if isinstance(rule, SwitchAt):
            return self.switch_state(state, rule.switch) == rule.state
        return self._has(state, rule)

    def _has(self, state: State, wanted: Have) -> bool:
        if wanted.what == "item":
            return self.items(state, wanted.name) >= wanted.count
        if wanted.what == "key":
            return not self.rules.keys_counted or self.keys(state, wanted.name) >= wanted.count
        return self.rules.bombs is None or self.bombs(state) >= wanted.count

    def monsters_left(self, state: State, room: Room) -> bool:
        """Tell whether a room holds a monster that was not beaten, be it there yet or not."""
        return any(
            pickup.kind == "monster" and number not in state.taken and lies_in(pickup.place, room)
            for number, pickup in enumerate(self.dungeon.pickups)
        )

    def switch_state(self, state: State, name: str) -> str:
        """Return the state that a switch is in."""
        if name in self.held_names:
            weights = {state.place, *self.blocks(state)}
            held = any(
                one.kind == "held" and one.name == name and one.place in weights for one in self.dungeon.switches
            )
            return "on" if held else "off"
        if name in self.states_of:
            return dict(state.dials).get(name, self.states_of[name][0])
        return "on" if name in state.on else "off"

    def blocks(self, state: State) -> dict[Place, int]:
        """Return the places with a block on them, each with the number of the block."""
        if state.moved not in self._blocks:
            walks = dict(state.moved)
            homes = [block.place for block in self.dungeon.blocks]
            self._blocks[state.moved] = {walk(home, walks.get(number, "")): number for number, home in enumerate(homes)}
        return self._blocks[state.moved]

    # gates

    def pass_gate(self, state: State, number: int) -> State | None:
        """Return the state after passing a gate from where the player stands, still there; None if it is barred."""
        gate = self.dungeon.gates[number]
        if gate.kind == "lock":
            if number in state.opened or not self.rules.keys_counted:
                return state
            return self._spend(state, number) if self.keys(state, gate.needs[0]) >= 1 else None
        if gate.kind == "cracked":
            if number in state.opened or self.rules.bombs is None:
                return state
            return self._spend(state, number) if self.bombs(state) >= 1 else None
        if gate.kind == "item":
            return state if all(self.has_item(state, name) for name in gate.needs) else None
        if gate.kind == "barrier":
            return state if (self.switch_state(state, gate.needs[0]) == "on") != gate.open_at_first else None
        if gate.kind == "rule":
            return state if self.holds(state, gate.rule) else None
        return self._pass_soft(state, number, gate)

    def _spend(self, state: State, number: int) -> State:
        """Open a gate with a key or a bomb."""
        gate = self.dungeon.gates[number]
        name = "bombs" if gate.kind == "cracked" else resource_named("key", gate.needs[0])
        stock = tuple((one, left - 1 if one == name else left) for one, left in state.stock)
        return state._replace(opened=state.opened | {number}, stock=stock)

    def _pass_soft(self, state: State, number: int, gate: Gate) -> State | None:
        if self.rules.soft == "open":
            return state
        if self.rules.soft == "clear":
            room = self.room_named[gate.needs[0]]
            return None if lies_in(state.place, room) and self.monsters_left(state, room) else state
        return None if number in state.fallen else state._replace(fallen=state.fallen | {number})

    def _enter(self, state: State, target: Place, gates: Iterable[int]) -> State | None:
        """Return the state once nothing bars the way onto a place any more, the player still where they were."""
        if target in self.dungeon.closed:
            return None
        if target in self.dungeon.goals and not self.holds(state, self.dungeon.goal_rule):
            return None
        before = state
        for number in gates:
            # A rule is about what is in hand before the move, whatever other gates took.
            passed = self.pass_gate(before if self.dungeon.gates[number].kind == "rule" else state, number)
            if passed is None:
                return None
            if self.dungeon.gates[number].kind != "rule":
                state = passed
        return state

    # moves

    def step(self, state: State, move: str, found: set[int] | None = None) -> State | None:
        """Return the state after a move, or None if it is not legal; add what was found to be there for the taking."""
        if self.is_won(state):
            return None
        if move in STEPS:
            return self._walk(state, move, found)
        if move == RETURN:
            away = self.rules.home == "always" and state.place != self.dungeon.start
            return self._jump(state, self.dungeon.start, None, found) if away else None
        if move.startswith(USE):
            return self._work(state, self.dungeon.switches[int(move.removeprefix(USE))], found)
        way = self.dungeon.ways[int(move)]
        return self._jump(state, way.target, way.gate, found) if way.source == state.place else None

    def _walk(self, state: State, direction: str, found: set[int] | None) -> State | None:
        if (state.place, direction) not in self._landings:
            self._landings[state.place, direction] = self._landing(state.place, direction)
        landing = self._landings[state.place, direction]
        if landing is None:
            return None
        target, wet = landing
        if wet and not self.has_item(state, self.rules.water):
            return None
        leap = wet and self.rules.crossing == "one"
        after = self._enter(state, target, [self.gate_at[target]] if target in self.gate_at else [])
        if after is None:
            return None
        if target in self.blocks(state):
            pushed = None if leap else self._push(after, self.blocks(state)[target], beside(target, direction))
            if pushed is None:
                return None
            after = pushed
        return self._arrive(after, target, found)

    def _landing(self, place: Place, direction: str) -> tuple[Place, bool] | None:
        """Return where the ground lets a step lead, and whether over water; None if it does not."""
        if ONE_WAYS.get(self.terrain(place), direction) != direction:
            return None
        target = beside(place, direction)
        if not self._lets_in(target, direction):
            return None
        wet = self.terrain(target) == WATER
        if wet and self.rules.crossing == "one":
            target = beside(target, direction)
            if self.terrain(target) == WATER or not self._lets_in(target, direction):
                return None
        return target, wet

    def _jump(self, state: State, target: Place, gate: int | None, found: set[int] | None) -> State | None:
        """Take a way, or go back to the start."""
        gates = [gate] if gate is not None else []
        if target in self.gate_at and self.gate_at[target] not in gates:
            gates.append(self.gate_at[target])
        after = self._enter(state, target, gates)
        return None if after is None or target in self.blocks(state) else self._arrive(after, target, found)

    def _work(self, state: State, lever: Switch, found: set[int] | None) -> State | None:
        if state.place not in lever.reach or not self.holds(state, lever.rule):
            return None
        return self._take_everything(self._turn(state, lever), found)

    def _lets_in(self, place: Place, direction: str) -> bool:
        terrain = self.terrain(place)
        return terrain not in (WALL, NOTHING) and ONE_WAYS.get(terrain, direction) == direction

    def _push(self, state: State, block: int, target: Place) -> State | None:
        home = self.dungeon.blocks[block].place
        if self.rules.push == "never" or (self.rules.push == "once" and block in dict(state.moved)):
            return None
        back_home = target == home
        homes = [one.place for one in self.dungeon.blocks]
        bare = self.terrain(target) == FLOOR and target not in self.never_bare and target not in homes
        if not (back_home or bare) or target in self.blocks(state):
            return None
        others = frozenset(pair for pair in state.moved if pair[0] != block)
        return state._replace(moved=others if back_home else others | {(block, shortest_walk(home, target))})

    def _arrive(self, state: State, target: Place, found: set[int] | None) -> State:
        """Go from where the player stands to a place that nothing bars."""
        if self.rules.blocks == "reset" and state.moved:
            left = [room for room in self.dungeon.rooms if lies_in(state.place, room) and not lies_in(target, room)]
            homes = [block.place for block in self.dungeon.blocks]
            kept = [pair for pair in state.moved if not any(lies_in(homes[pair[0]], room) for room in left)]
            state = state._replace(moved=frozenset(kept))
        state = state._replace(place=target)
        for plate in self.plates:
            if plate.place == target:
                state = self._turn(state, plate)
        return self._take_everything(state, found)

    def _turn(self, state: State, switch: Switch) -> State:
        name = switch.name
        states = self.states_of.get(name, ("off", "on"))
        now = states.index(self.switch_state(state, name))
        to = switch.sets or [*states[1:], states[0]][now]
        if name in self.states_of:
            others = frozenset(pair for pair in state.dials if pair[0] != name)
            return state._replace(dials=others if to == states[0] else others | {(name, to)})
        return state._replace(on=state.on - {name} | ({name} if to == "on" else set()))

    def _take_everything(self, state: State, found: set[int] | None) -> State:
        """Take what is there where the player stands, one after the other, round by round until a round brings nothing.

        What is there, of things not taken before, is added to those found.
        """
        while True:
            before = state
            for number in self.pickups_at.get(state.place, ()):
                pickup = self.dungeon.pickups[number]
                if number not in state.taken and self.holds(state, pickup.rule):
                    if found is not None:
                        found.add(number)
                    state = self._take(state, number, pickup)
            if state == before:
                return state

    def _take(self, state: State, number: int, pickup: Pickup) -> State:
        name, count = resource(pickup), self.count(pickup)
        if pickup.renews:
            return state._replace(
                stock=tuple((one, max(had, count) if one == name else had) for one, had in state.stock)
            )
        stock = tuple((one, had + count if one == name else had) for one, had in state.stock)
        return state._replace(taken=state.taken | {number}, stock=stock)


def resource_named(kind: str, name: str) -> str:
    """Return what keys of a colour, or bombs, are called in a stock."""
    return "bombs" if kind == "bombs" else f"key {name}" if name else "key"


def resource(pickup: Pickup) -> str | None:
    """Return which keys a pickup holds, or that it holds bombs; None for neither."""
    return resource_named(pickup.kind, pickup.name) if pickup.kind in ("key", "bombs") else None


def beside(place: Place, direction: str) -> Place:
    """Return the next place in a direction."""
    down, right = STEPS[direction]
    return place[0], place[1] + down, place[2] + right


def walk(place: Place, directions: str) -> Place:
    """Return where a walk over open ground leads."""
    for direction in directions:
        place = beside(place, direction)
    return place


def shortest_walk(place: Place, target: Place) -> str:
    """Return a walk over open ground of one floor: first along the column, then along the row."""
    directions = ""
    while place != target:
        if place[1] != target[1]:
            directions += "N" if place[1] > target[1] else "S"
        else:
            directions += "W" if place[2] > target[2] else "E"
        place = beside(place, directions[-1])
    return directions


def lies_in(place: Place, room: Room) -> bool:
    """Tell whether a place lies in the rectangle of a room."""
    floor, top, left = room.corner
    return place[0] == floor and 0 <= place[1] - top < room.height and 0 <= place[2] - left < room.width
