"""Dungeons by brute force: every state one by one. Restates the rules plainly; shares nothing but the model."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Gate, Pickup, Place, Room


class TooLarge(Exception):
    """Say that a dungeon has more states than anybody wants to look at one by one."""


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
    moved: frozenset[tuple[int, str]] = frozenset()
    """Blocks that were pushed, and in which direction."""


class Twin:
    """Play one dungeon by the rule book."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.rules = dungeon.rules
        self.moves = [*STEPS, *(str(number) for number in range(len(dungeon.ways)))]
        """Every move that has a name, legal or not."""
        self.pickups_at: dict[Place, list[int]] = {}
        for number, pickup in enumerate(dungeon.pickups):
            self.pickups_at.setdefault(pickup.place, []).append(number)
        self.plates_at: dict[Place, frozenset[str]] = {}
        for switch in dungeon.switches:
            self.plates_at[switch.place] = self.plates_at.get(switch.place, frozenset()) | {switch.name}
        self.gate_at = {cell: number for number, gate in enumerate(dungeon.gates) for cell in gate.cells}
        self.block_at = {block.place: number for number, block in enumerate(dungeon.blocks)}
        self.room_named = {room.name: room for room in dungeon.rooms}
        self.never_bare = {pickup.place for pickup in dungeon.pickups}
        self.never_bare.update(self.gate_at, self.block_at, dungeon.goals)
        self.never_bare.update(switch.place for switch in dungeon.switches)
        self.never_bare.update(end for way in dungeon.ways for end in (way.source, way.target))
        self.matters = [self._matters(pickup) for pickup in dungeon.pickups]
        self.regions: dict[State, frozenset[Place]] = {}

    def _matters(self, pickup: Pickup) -> bool:
        gates = self.dungeon.gates
        if pickup.kind == "key":
            return self.rules.keys_counted and any(g.kind == "lock" and g.needs[0] == pickup.name for g in gates)
        if pickup.kind == "bombs":
            return self.rules.bombs is not None and any(gate.kind == "cracked" for gate in gates)
        if pickup.kind == "item":
            wet = any(WATER in row for floor in self.dungeon.floors for row in floor.terrain)
            needed = any(gate.kind == "item" and pickup.name in gate.needs for gate in gates)
            return needed or (wet and pickup.name == self.rules.water)
        rooms = [self.room_named[gate.needs[0]] for gate in gates if gate.kind == "soft"]
        return self.rules.soft == "clear" and any(lies_in(pickup.place, room) for room in rooms)

    def terrain(self, place: Place) -> str:
        """Return what a place is made of; outside there is nothing."""
        floor, row, column = place
        rows = self.dungeon.floors[floor].terrain
        return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING

    def beginning(self) -> State:
        """Return the state before any move; plates under the start are not pressed."""
        start = self.dungeon.start
        return State(start, taken=frozenset(self.pickups_at.get(start, ())))

    def is_won(self, state: State) -> bool:
        """Tell whether the player stands on a goal."""
        return state.place in self.dungeon.goals

    def has_item(self, state: State, name: str) -> bool:
        """Tell whether an item is held."""
        found = any(
            self.dungeon.pickups[n].kind == "item" and self.dungeon.pickups[n].name == name for n in state.taken
        )
        return found or name in self.rules.items

    def keys(self, state: State, colour: str) -> int:
        """Count the keys of a colour in hand."""
        found = [self.dungeon.pickups[number] for number in state.taken]
        had = sum(pickup.count for pickup in found if pickup.kind == "key" and pickup.name == colour)
        gates = [self.dungeon.gates[number] for number in state.opened]
        spent = sum(1 for gate in gates if gate.kind == "lock" and gate.needs[0] == colour)
        return dict(self.rules.keys).get(colour, 0) + had - spent

    def bombs(self, state: State) -> int:
        """Count the bombs in hand, where they are counted."""
        found = [self.dungeon.pickups[number] for number in state.taken]
        had = sum(pickup.count or self.rules.bombs_per_pickup for pickup in found if pickup.kind == "bombs")
        spent = sum(1 for number in state.opened if self.dungeon.gates[number].kind == "cracked")
        return (self.rules.bombs or 0) + had - spent

    def pass_gate(self, state: State, number: int) -> State | None:
        """Return the state after passing a gate from where the player stands, still there; None if it is barred."""
        gate = self.dungeon.gates[number]
        if gate.kind == "lock":
            if number in state.opened or not self.rules.keys_counted:
                return state
            return state._replace(opened=state.opened | {number}) if self.keys(state, gate.needs[0]) >= 1 else None
        if gate.kind == "cracked":
            if number in state.opened or self.rules.bombs is None:
                return state
            return state._replace(opened=state.opened | {number}) if self.bombs(state) >= 1 else None
        if gate.kind == "item":
            return state if all(self.has_item(state, name) for name in gate.needs) else None
        if gate.kind == "barrier":
            return state if (gate.needs[0] in state.on) != gate.open_at_first else None
        return self._pass_soft(state, number, gate)

    def _pass_soft(self, state: State, number: int, gate: Gate) -> State | None:
        if self.rules.soft == "open":
            return state
        if self.rules.soft == "clear":
            room = self.room_named[gate.needs[0]]
            held_up = any(
                pickup.kind == "monster" and monster not in state.taken and lies_in(pickup.place, room)
                for monster, pickup in enumerate(self.dungeon.pickups)
            )
            return None if held_up and lies_in(state.place, room) else state
        return None if number in state.fallen else state._replace(fallen=state.fallen | {number})

    def _pass_all(self, state: State, gates: Iterable[int]) -> State | None:
        for gate in gates:
            after = self.pass_gate(state, gate)
            if after is None:
                return None
            state = after
        return state

    def step(self, state: State, move: str) -> State | None:
        """Return the state after a move, or None if it is not legal."""
        if self.is_won(state):
            return None
        return self._walk(state, move) if move in STEPS else self._take_way(state, int(move))

    def _walk(self, state: State, direction: str) -> State | None:
        if ONE_WAYS.get(self.terrain(state.place), direction) != direction:
            return None
        target = beside(state.place, direction)
        if not self._lets_in(target, direction):
            return None
        leap = False
        if self.terrain(target) == WATER:
            if not self.has_item(state, self.rules.water):
                return None
            if self.rules.crossing == "one":
                leap = True
                target = beside(target, direction)
                if self.terrain(target) == WATER or not self._lets_in(target, direction):
                    return None
        after = self._pass_all(state, [self.gate_at[target]] if target in self.gate_at else [])
        if after is None:
            return None
        if self._is_rest(state, target):
            return None
        if self._stands_block(state, target):
            behind = beside(target, direction)
            if leap or self.rules.push == "never" or not self._is_bare(state, behind):
                return None
            after = after._replace(moved=after.moved | {(self.block_at[target], direction)})
        return self._arrive(after, target)

    def _take_way(self, state: State, number: int) -> State | None:
        way = self.dungeon.ways[number]
        if way.source != state.place:
            return None
        gates = [way.gate] if way.gate is not None else []
        if way.target in self.gate_at and self.gate_at[way.target] not in gates:
            gates.append(self.gate_at[way.target])
        after = self._pass_all(state, gates)
        if after is None:
            return None
        if self._stands_block(state, way.target) or self._is_rest(state, way.target):
            return None
        return self._arrive(after, way.target)

    def _lets_in(self, place: Place, direction: str) -> bool:
        terrain = self.terrain(place)
        return terrain not in (WALL, NOTHING) and ONE_WAYS.get(terrain, direction) == direction

    def _stands_block(self, state: State, place: Place) -> bool:
        """Tell whether a block that was never pushed stands on a place."""
        return place in self.block_at and self.block_at[place] not in dict(state.moved)

    def _is_rest(self, state: State, place: Place) -> bool:
        """Tell whether a block that was pushed rests on a place."""
        return any(beside(self.dungeon.blocks[block].place, direction) == place for block, direction in state.moved)

    def _is_bare(self, state: State, place: Place) -> bool:
        return self.terrain(place) == FLOOR and place not in self.never_bare and not self._is_rest(state, place)

    def _arrive(self, state: State, place: Place) -> State:
        taken = state.taken.union(self.pickups_at.get(place, ()))
        return state._replace(place=place, taken=taken, on=state.on ^ self.plates_at.get(place, frozenset()))

    def calm_target(self, state: State, move: str) -> Place | None:
        """Return where a calm move leads: one that changes only the place, whatever lies there to be taken."""
        after = self.step(state, move)
        if after is None or self.is_won(after) or after._replace(place=state.place, taken=state.taken) != state:
            return None
        return after.place

    def region(self, state: State) -> frozenset[Place]:
        """Return the places that calm moves lead to and back from, with what is held now."""
        if state not in self.regions:
            calm = {
                place: {target for move in self.moves if (target := self.calm_target(here, move)) is not None}
                for place in self._calmly_reached(state)
                for here in [state._replace(place=place)]
            }
            back = {state.place}
            while more := {place for place, targets in calm.items() if place not in back and targets & back}:
                back |= more
            for place in back:
                self.regions[state._replace(place=place)] = frozenset(back)
        return self.regions[state]

    def _calmly_reached(self, state: State) -> set[Place]:
        reached, waiting = {state.place}, [state.place]
        while waiting:
            here = state._replace(place=waiting.pop())
            for move in self.moves:
                target = self.calm_target(here, move)
                if target is not None and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return reached

    def is_full(self, state: State) -> bool:
        """Tell whether nothing that matters, and is not held yet, lies in the region."""
        for place in self.region(state):
            for number in self.pickups_at.get(place, ()):
                pickup = self.dungeon.pickups[number]
                had = self.has_item(state, pickup.name) if pickup.kind == "item" else number in state.taken
                if self.matters[number] and not had:
                    return False
        return True

    def is_thorough(self, state: State, move: str) -> bool:
        """Tell whether a thorough player makes this move: it stays in the region, or nothing is left there."""
        target = self.calm_target(state, move)
        return (target is not None and target in self.region(state)) or self.is_full(state)


def beside(place: Place, direction: str) -> Place:
    """Return the next place in a direction."""
    down, right = STEPS[direction]
    return place[0], place[1] + down, place[2] + right


def lies_in(place: Place, room: Room) -> bool:
    """Tell whether a place lies in the rectangle of a room."""
    floor, top, left = room.corner
    return place[0] == floor and 0 <= place[1] - top < room.height and 0 <= place[2] - left < room.width


def play(dungeon: Dungeon, moves: Iterable[str]) -> State | None:
    """Return the state after moves that follow those played, or None if one of them is not legal."""
    twin = Twin(dungeon)
    state = twin.beginning()
    for move in (*dungeon.played, *moves):
        after = twin.step(state, move) if move in twin.moves else None
        if after is None:
            return None
        state = after
    return state


def first_state(dungeon: Dungeon) -> State:
    """Return the state after the moves played, which questions are about."""
    state = play(dungeon, ())
    if state is None:
        raise ValueError(f"the moves played are not legal: {dungeon.played}")
    return state


def all_states(dungeon: Dungeon, most: int = 200_000) -> dict[State, dict[str, State]]:
    """Return every state that can be reached, nearest first, each with its legal moves and where they lead."""
    twin = Twin(dungeon)
    first = first_state(dungeon)
    found: dict[State, dict[str, State]] = {first: {}}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        for move in twin.moves:
            after = twin.step(state, move)
            if after is None:
                continue
            found[state][move] = after
            if after not in found:
                if len(found) >= most:
                    raise TooLarge(f"more than {most} states")
                found[after] = {}
                waiting.append(after)
    return found


class Truth(NamedTuple):
    """Hold what is true of a dungeon."""

    states: int
    """How many states can be reached."""
    plan: int | None
    """The fewest moves to a goal; None if no goal can be reached."""
    lost: int | None
    """The fewest moves into a state from which no goal can be reached; None if nobody gets there.

    Where only a thorough player may lose, only the walks of such a player count.
    """


def truth(dungeon: Dungeon, most: int = 200_000) -> Truth:
    """Return what is true of a dungeon, or raise TooLarge."""
    states = all_states(dungeon, most)
    won = {state for state in states if state.place in dungeon.goals}
    alive = can_win(states, won)
    depths = depths_of(states)
    plan = min((depths[state] for state in won), default=None)
    if len(alive) < len(states) and dungeon.rules.player == "thorough":
        depths = depths_of(thorough_moves(dungeon, states))
    lost = min((depths[state] for state in states if state not in alive and state in depths), default=None)
    return Truth(len(states), plan, lost)


def shortest_plan(dungeon: Dungeon, most: int = 200_000) -> int | None:
    """Return the fewest moves to a goal, or None if no goal can be reached."""
    return truth(dungeon, most).plan


def shortest_lost_walk(dungeon: Dungeon, most: int = 200_000) -> int | None:
    """Return the fewest moves into a state from which no goal can be reached, or None if nobody gets there."""
    return truth(dungeon, most).lost


def dead_states(dungeon: Dungeon, most: int = 200_000) -> set[State]:
    """Return the states that can be reached and from which no goal can."""
    states = all_states(dungeon, most)
    return set(states) - can_win(states, {state for state in states if state.place in dungeon.goals})


def depths_of(states: dict[State, dict[str, State]]) -> dict[State, int]:
    """Return the fewest moves to each state that the moves given lead to from the first."""
    first = next(iter(states))
    depths, waiting = {first: 0}, deque([first])
    while waiting:
        state = waiting.popleft()
        for after in states[state].values():
            if after not in depths:
                depths[after] = depths[state] + 1
                waiting.append(after)
    return depths


def can_win(states: dict[State, dict[str, State]], won: set[State]) -> set[State]:
    """Return the states from which the moves given lead to one that is won."""
    before: dict[State, list[State]] = {state: [] for state in states}
    for state, moves in states.items():
        for after in moves.values():
            before[after].append(state)
    alive, waiting = set(won), list(won)
    while waiting:
        for state in before[waiting.pop()]:
            if state not in alive:
                alive.add(state)
                waiting.append(state)
    return alive


def thorough_moves(dungeon: Dungeon, states: dict[State, dict[str, State]]) -> dict[State, dict[str, State]]:
    """Return the states with only the moves that a thorough player makes."""
    twin = Twin(dungeon)
    return {
        state: {move: after for move, after in moves.items() if twin.is_thorough(state, move)}
        for state, moves in states.items()
    }
