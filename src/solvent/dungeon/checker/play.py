"""The rules of play once more, for checking: what one move does to one state, or which rule it breaks.

Terrain is looked up where the player walks, so following a plan costs the plan's length and not the dungeon's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import show_value
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Gate, Place, Room


class State(Struct, frozen=True):
    """Hold everything that moves can change."""

    place: Place
    taken: frozenset[int]
    """Numbers of pickups."""
    opened: frozenset[int] = frozenset()
    """Numbers of locks and cracked walls opened for good."""
    fallen: frozenset[int] = frozenset()
    """Numbers of soft-locked doors that fell shut."""
    on: frozenset[str] = frozenset()
    """Names of switches."""
    moved: frozenset[tuple[int, str]] = frozenset()
    """Numbers of blocks that were pushed, each with the direction."""


class Board(Struct, frozen=True):
    """Hold the dungeon by place."""

    dungeon: Dungeon
    pickups: dict[Place, list[int]]
    gates: dict[Place, int]
    plates: dict[Place, list[str]]
    blocks: dict[Place, int]
    goals: frozenset[Place]
    cluttered: frozenset[Place]
    """Where no block comes to rest, whatever the terrain."""
    rooms: dict[str, Room]
    items: dict[str, frozenset[int]]
    """The numbers of the pickups of each item."""
    monsters: dict[tuple[int, int], list[tuple[int, int]]]
    """For each floor and row, the column and the number of every monster there."""
    guards: dict[str, frozenset[int]] = field(default_factory=dict)
    """The monsters of rooms by name, filled as asked for."""
    meter: Meter = UNLIMITED
    """What the check may cost."""


def lay_out(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Board:
    """Sort the things of a dungeon by place."""
    pickups: dict[Place, list[int]] = {}
    items: dict[str, list[int]] = {}
    monsters: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, pickup in enumerate(meter.each(dungeon.pickups)):
        pickups.setdefault(pickup.place, []).append(number)
        if pickup.kind == "item":
            items.setdefault(pickup.name, []).append(number)
        if pickup.kind == "monster":
            floor, row, column = pickup.place
            monsters.setdefault((floor, row), []).append((column, number))
    plates: dict[Place, list[str]] = {}
    for switch in meter.each(dungeon.switches):
        plates.setdefault(switch.place, []).append(switch.name)
    gates = dict(meter.each((cell, number) for number, gate in enumerate(dungeon.gates) for cell in gate.cells))
    blocks = {block.place: number for number, block in enumerate(dungeon.blocks)}
    ends = [end for way in dungeon.ways for end in (way.source, way.target)]
    meter.checkpoint()
    return Board(
        dungeon=dungeon,
        pickups=pickups,
        gates=gates,
        plates=plates,
        blocks=blocks,
        goals=frozenset(dungeon.goals),
        cluttered=frozenset((*pickups, *gates, *plates, *blocks, *dungeon.goals, *ends)),
        rooms={room.name: room for room in dungeon.rooms},
        items={name: frozenset(numbers) for name, numbers in items.items()},
        monsters=monsters,
        meter=meter,
    )


def beginning(board: Board) -> State:
    """Return the state before any move."""
    start = board.dungeon.start
    return State(start, frozenset(board.pickups.get(start, ())))


def follow(board: Board, state: State, moves: Iterable[str]) -> Iterator[State | str]:
    """Yield the state after each move; at the first that is illegal, a sentence that says why, and nothing more."""
    for number, move in enumerate(board.meter.each(moves, every=20), start=1):
        reached = take(board, state, move)
        if isinstance(reached, str):
            yield f"move {number}, {_show_move(move)} at {show_place(board.dungeon, state.place)}: {reached}"
            return
        state = reached
        yield state


def position(board: Board) -> State | str:
    """Return the state that questions are about: after the moves played so far."""
    state: State | str = beginning(board)
    for state in follow(board, beginning(board), board.dungeon.played):
        if isinstance(state, str):
            return f"the moves played so far cannot be played: {state}"
    return state


def take(board: Board, state: State, move: str) -> State | str:
    """Return the state after a move, or a sentence that says which rule it breaks."""
    if state.place in board.goals:
        return "the game is over, for the player stands on a goal"
    if move in STEPS:
        return _step(board, state, move)
    if not (move.isascii() and move.isdigit() and len(move) < 10 and str(int(move)) == move):
        return "expected N, E, S, W or the number of a way"
    if int(move) >= len(board.dungeon.ways):
        return f"there is no such way, only {len(board.dungeon.ways)} of them"
    return _take_way(board, state, int(move))


def terrain_at(board: Board, place: Place) -> str:
    """Return the terrain, which is NOTHING outside the grid."""
    floor, row, column = place
    rows = board.dungeon.floors[floor].terrain
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING


def neighbour(place: Place, direction: str) -> Place:
    """Return the next place in a direction, which may lie outside the grid."""
    floor, row, column = place
    south, east = STEPS[direction]
    return floor, row + south, column + east


def inside(place: Place, room: Room) -> bool:
    """Tell whether a place lies in the rectangle of a room."""
    floor, row, column = place
    top_floor, top, left = room.corner
    return floor == top_floor and top <= row < top + room.height and left <= column < left + room.width


def is_bare(board: Board, place: Place) -> bool:
    """Tell whether a block may come to rest here, if no other block rests here."""
    return terrain_at(board, place) == FLOOR and place not in board.cluttered


def show_place(dungeon: Dungeon, place: Place) -> str:
    """Return a place in words, counted from 0 as everywhere."""
    floor, row, column = place
    name = dungeon.floors[floor].name
    if len(dungeon.floors[floor].terrain) == 1 and len(dungeon.floors[floor].terrain[0]) == 1 and name:
        return name
    return f"row {row}, column {column}{f' of {name}' if name else ''}"


def _show_move(move: str) -> str:
    return move if move.isalnum() and len(move) < 10 else show_value(move)


def _step(board: Board, state: State, direction: str) -> State | str:
    rules = board.dungeon.rules
    below = terrain_at(board, state.place)
    if below in ONE_WAYS and ONE_WAYS[below] != direction:
        return f"the tile is one-way and only leads {ONE_WAYS[below]}"
    target = neighbour(state.place, direction)
    terrain = terrain_at(board, target)
    leap = False
    if terrain == WATER:
        if not _holds(board, state, rules.water):
            return f"there is water, and no {rules.water} to cross it"
        if rules.crossing == "one":
            leap = True
            target = neighbour(target, direction)
            terrain = terrain_at(board, target)
            if terrain == WATER:
                return f"the water is too wide for the {rules.water}"
    if terrain in (WALL, NOTHING):
        return f"there is {'a wall' if terrain == WALL else 'nothing'}{' beyond the water' if leap else ''}"
    if terrain in ONE_WAYS and ONE_WAYS[terrain] != direction:
        return f"the tile there is one-way and only leads {ONE_WAYS[terrain]}"
    gate = board.gates.get(target)
    passed = state if gate is None else _pass_gate(board, state, gate)
    if isinstance(passed, str):
        return passed
    if _block_rests_on(board, state, target):
        return "a block rests there"
    block = _unmoved_block(board, state, target)
    if block is not None:
        behind = neighbour(target, direction)
        if rules.push == "never":
            return "there is a block, and blocks cannot be pushed"
        if leap:
            return "there is a block beyond the water"
        if not is_bare(board, behind) or _block_rests_on(board, state, behind):
            return "there is a block, and no bare floor behind it"
        passed = replace(passed, moved=passed.moved | {(block, direction)})
    return _arrive(board, passed, target)


def _take_way(board: Board, state: State, number: int) -> State | str:
    way = board.dungeon.ways[number]
    if way.source != state.place:
        return f"this way begins at {show_place(board.dungeon, way.source)}"
    passed = state
    # dict.fromkeys: a gate met twice in one move is passed once.
    for gate in dict.fromkeys((way.gate, board.gates.get(way.target))):
        if gate is not None:
            after = _pass_gate(board, passed, gate)
            if isinstance(after, str):
                return after
            passed = after
    if _block_rests_on(board, state, way.target) or _unmoved_block(board, state, way.target) is not None:
        return "a block stands at the end of the way"
    return _arrive(board, passed, way.target)


def _arrive(board: Board, state: State, place: Place) -> State:
    taken, on = state.taken, state.on
    if place in board.plates:
        on = on.symmetric_difference(board.plates[place])
    if place in board.pickups and not taken.issuperset(board.pickups[place]):
        taken = taken.union(board.pickups[place])
    return replace(state, place=place, taken=taken, on=on)


def _pass_gate(board: Board, state: State, number: int) -> State | str:
    """Return the state with the gate passed from the player's place, or why it cannot be."""
    gate, rules = board.dungeon.gates[number], board.dungeon.rules
    called = f" {gate.name!r}" if gate.name else ""
    if gate.kind == "lock":
        if not rules.keys_counted or number in state.opened:
            return state
        if _keys(board, state, gate.needs[0]) < 1:
            return f"the door{called} is locked and there is no {f'{gate.needs[0]} ' if gate.needs[0] else ''}key"
        return replace(state, opened=state.opened | {number})
    if gate.kind == "cracked":
        if rules.bombs is None or number in state.opened:
            return state
        if _bombs(board, state) < 1:
            return f"the wall{called} is cracked and there is no bomb"
        return replace(state, opened=state.opened | {number})
    if gate.kind == "item":
        missing = [name for name in gate.needs if not _holds(board, state, name)]
        return f"the gate{called} needs {', '.join(missing)}" if missing else state
    if gate.kind == "barrier":
        is_open = (gate.needs[0] in state.on) != gate.open_at_first
        return state if is_open else f"the barrier{called} of the switch {gate.needs[0]!r} is shut"
    return _pass_soft_gate(board, state, number, gate)


def _pass_soft_gate(board: Board, state: State, number: int, gate: Gate) -> State | str:
    rule = board.dungeon.rules.soft
    if rule == "shut":
        if number in state.fallen:
            return "the soft-locked door has fallen shut"
        return replace(state, fallen=state.fallen | {number})
    room = board.rooms[gate.needs[0]]
    if rule == "clear" and inside(state.place, room) and not state.taken.issuperset(monsters_in(board, room)):
        return f"the soft-locked door stays shut while there are monsters in {room.name!r}"
    return state


def monsters_in(board: Board, room: Room) -> frozenset[int]:
    """Return the numbers of the monsters that are in a room at the beginning."""
    found = board.guards.get(room.name)
    if found is None:
        floor, top, left = room.corner
        if room.height <= len(board.monsters):
            rows = [(floor, row) for row in range(top, top + room.height)]
        else:
            rows = [where for where in board.monsters if where[0] == floor and top <= where[1] < top + room.height]
        found = board.guards[room.name] = frozenset(
            number
            for where in rows
            for column, number in board.monsters.get(where, ())
            if left <= column < left + room.width
        )
    return found


def _holds(board: Board, state: State, item: str) -> bool:
    return item in board.dungeon.rules.items or not state.taken.isdisjoint(board.items.get(item, ()))


def _keys(board: Board, state: State, colour: str) -> int:
    pickups, gates = board.dungeon.pickups, board.dungeon.gates
    carried = dict(board.dungeon.rules.keys).get(colour, 0)
    found = [pickups[number] for number in state.taken]
    taken = sum(pickup.count for pickup in found if pickup.kind == "key" and pickup.name == colour)
    spent = sum(1 for number in state.opened if gates[number].kind == "lock" and gates[number].needs[0] == colour)
    return carried + taken - spent


def _bombs(board: Board, state: State) -> int:
    rules, pickups, gates = board.dungeon.rules, board.dungeon.pickups, board.dungeon.gates
    found = [pickups[number] for number in state.taken]
    taken = sum(pickup.count or rules.bombs_per_pickup for pickup in found if pickup.kind == "bombs")
    return (rules.bombs or 0) + taken - sum(1 for number in state.opened if gates[number].kind == "cracked")


def _unmoved_block(board: Board, state: State, place: Place) -> int | None:
    block = board.blocks.get(place)
    return None if block is None or any((block, way) in state.moved for way in STEPS) else block


def _block_rests_on(board: Board, state: State, place: Place) -> bool:
    """Tell whether a block was pushed here from one of the four places beside this one."""
    floor, row, column = place
    for way, (south, east) in STEPS.items() if state.moved else ():
        block = board.blocks.get((floor, row - south, column - east))
        if block is not None and (block, way) in state.moved:
            return True
    return False
