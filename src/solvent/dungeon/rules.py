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
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Gate, Place, Room


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
    """Switches that are on."""
    moved: tuple[str, ...]
    """For each block the direction it was pushed in, empty if it was not."""


def inside(place: Place, room: Room) -> bool:
    """Tell whether a place lies in a room."""
    floor, row, column = place
    top, left = room.corner[1:]
    return floor == room.corner[0] and 0 <= row - top < room.height and 0 <= column - left < room.width


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
        self.plates_at: dict[Place, list[str]] = defaultdict(list)
        for switch in dungeon.switches:
            self.plates_at[switch.place].append(switch.name)
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
            and place not in self.goals
            and place not in self._way_ends
            and place not in self.block_at
        )

    # what is had

    def keys(self, state: State, colour: str) -> int:
        """Return how many keys of a colour are in hand."""
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
        pickups, gates = self.dungeon.pickups, self.dungeon.gates
        found = sum(
            pickups[number].count or self.rules.bombs_per_pickup
            for number in state.taken
            if pickups[number].kind == "bombs"
        )
        return self.rules.bombs + found - sum(gates[number].kind == "cracked" for number in state.opened)

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
        taken = frozenset(self.pickups_at.get(start, ()))
        return State(start, taken, nothing, nothing, frozenset(), ("",) * len(self.dungeon.blocks))

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
        for move in (*STEPS, *(str(number) for number in self.ways_from.get(state.place, ()))):
            after = self.step(state, move)
            if after is not None:
                yield move, after

    def step(self, state: State, move: str) -> State | None:
        """Return the state after a move, or None if it is not legal."""
        if self.is_won(state):
            return None
        if move in STEPS:
            return self._walk(state, move)
        if move.isascii() and move.isdigit() and int(move) < len(self.dungeon.ways):
            return self._take_way(state, int(move))
        return None

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
        after = self._pass(state, self.gate_at.get(target))
        if after is None:
            return None
        block = self.block_at.get(target)
        if block is not None and not state.moved[block]:
            behind = beside(target, direction)
            leap = wet and self.rules.crossing == "one"
            if leap or self.rules.push == "never" or not self.is_bare(behind) or self._is_rested_on(state, behind):
                return None
            after = after._replace(moved=(*state.moved[:block], direction, *state.moved[block + 1 :]))
        return self._arrive(after, target)

    def _take_way(self, state: State, number: int) -> State | None:
        way = self.dungeon.ways[number]
        if way.source != state.place:
            return None
        after = self._pass(state, way.gate)
        if after is not None and self.gate_at.get(way.target) != way.gate:
            after = self._pass(after, self.gate_at.get(way.target))
        block = self.block_at.get(way.target)
        if after is None or (block is not None and not state.moved[block]):
            return None
        return self._arrive(after, way.target)

    def _arrive(self, state: State, place: Place) -> State | None:
        if self._is_rested_on(state, place):
            return None
        taken, on = state.taken, state.on
        if place in self.pickups_at and not taken.issuperset(self.pickups_at[place]):
            taken = taken.union(self.pickups_at[place])
        if place in self.plates_at:
            on = on.symmetric_difference(self.plates_at[place])
        return state._replace(place=place, taken=taken, on=on)

    def _is_rested_on(self, state: State, place: Place) -> bool:
        """Tell whether a block that was pushed lies on a place."""
        for direction in STEPS if self.block_at else ():
            down, right = STEPS[direction]
            block = self.block_at.get((place[0], place[1] - down, place[2] - right))
            if block is not None and state.moved[block] == direction:
                return True
        return False

    def _pass(self, state: State, number: int | None) -> State | None:
        """Return the state once the gate is passed, or None if it bars the way."""
        if number is None or number in state.opened:
            return state
        gate: Gate = self.dungeon.gates[number]
        if gate.kind == "lock":
            if not self.rules.keys_counted:
                return state
            return state._replace(opened=state.opened | {number}) if self.keys(state, gate.needs[0]) > 0 else None
        if gate.kind == "cracked":
            bombs = self.bombs(state)
            if bombs is None:
                return state
            return state._replace(opened=state.opened | {number}) if bombs > 0 else None
        if gate.kind == "item":
            return state if all(self.holds(state, item) for item in gate.needs) else None
        if gate.kind == "barrier":
            return state if (gate.needs[0] in state.on) != gate.open_at_first else None
        return self._pass_soft(state, number, gate.needs[0])

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
