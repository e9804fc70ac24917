"""The rules of play once more, for checking: what one move does to one state, or which rule it breaks.

Terrain is looked up where the player walks, so following a plan costs the plan's length and not the dungeon's.

Whatever bars a move is looked at as things are before it, with the player still where they stand. Then the move is
made, in this order: a key or a bomb is spent and a door falls shut; a block is pushed; blocks of rooms that were left
go back, where the rules say so; plates turn; and what is there is taken, one thing after the other, as long as that
makes more appear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from solvent.core.errors import show_value
from solvent.dungeon.checker.board import (
    Board,
    State,
    count_of,
    find_walk,
    inside,
    lay_out,
    monsters_in,
    name_resource,
    neighbour,
    show_place,
    takes_block,
    terrain_at,
)
from solvent.dungeon.checker.requirements import (
    block_on,
    carried,
    count_in_hand,
    holds_item,
    is_on,
    meets,
    show_rule,
    switch_state,
)
from solvent.dungeon.model import NOTHING, ONE_WAYS, RETURN, STEPS, USE, WALL, WATER, Gate, Place, Switch

__all__ = ["Board", "State", "beginning", "follow", "lay_out", "position", "show_place", "take"]


def beginning(board: Board) -> State:
    """Return the state before any move. Plates under the start are not pressed, but what lies there is taken."""
    stock = tuple((resource, carried(board.dungeon, resource)) for resource in sorted(board.renewing))
    return _take_all(board, State(board.dungeon.start, frozenset(), stock=stock))


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
    if move == RETURN:
        return _return(board, state)
    number = move.removeprefix(USE)
    if not (number.isascii() and number.isdigit() and len(number) < 10 and str(int(number)) == number):
        return f"expected N, E, S, W, the number of a way, {USE} and the number of a lever, or {RETURN}"
    if number != move:
        return _use(board, state, int(number))
    if int(number) >= len(board.dungeon.ways):
        return f"there is no such way, only {len(board.dungeon.ways)} of them"
    return _take_way(board, state, int(number))


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
        if not holds_item(board, state, rules.water):
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
    passed = _enter(board, state, target, None)
    if isinstance(passed, str):
        return passed
    block = block_on(board, state, target)
    if block is not None:
        behind = neighbour(target, direction)
        if rules.push == "never":
            return "there is a block, and blocks cannot be pushed"
        if rules.push == "once" and board.dungeon.blocks[block].place != target:
            return "a block rests there"
        if leap:
            return "there is a block beyond the water"
        if not takes_block(board, block, behind) or block_on(board, state, behind) is not None:
            return "there is a block, and no bare floor behind it"
        passed = _with_block(board, passed, block, behind)
    return _arrive(board, passed, target)


def _take_way(board: Board, state: State, number: int) -> State | str:
    way = board.dungeon.ways[number]
    if way.source != state.place:
        return f"this way begins at {show_place(board.dungeon, way.source)}"
    passed = _enter(board, state, way.target, way.gate)
    if isinstance(passed, str):
        return passed
    if block_on(board, state, way.target) is not None:
        return "a block stands at the end of the way"
    return _arrive(board, passed, way.target)


def _return(board: Board, state: State) -> State | str:
    start = board.dungeon.start
    if board.dungeon.rules.home != "always":
        return "the rules do not let a player go back to the start at once"
    if state.place == start:
        return "the player stands on the start already"
    passed = _enter(board, state, start, None)
    if isinstance(passed, str):
        return passed
    if block_on(board, state, start) is not None:
        return "a block stands on the start"
    return _arrive(board, passed, start)


def _use(board: Board, state: State, number: int) -> State | str:
    switches = board.dungeon.switches
    if number >= len(switches) or switches[number].kind != "lever":
        return "there is no such lever"
    lever = switches[number]
    if state.place not in lever.reach:
        return f"the lever of {lever.name!r} is out of reach"
    if lever.rule is not None and not meets(board, state, lever.rule):
        return f"the lever of {lever.name!r} needs {show_rule(lever.rule)}"
    return _take_all(board, _turn(board, state, lever))


def _enter(board: Board, state: State, target: Place, gate: int | None) -> State | str:
    """Return the state with all passed that bars the way onto a place, the gate of a way first; or why it cannot be."""
    if target in board.closed:
        return "the tile there is closed"
    goal_rule = board.dungeon.goal_rule
    if target in board.goals and goal_rule is not None and not meets(board, state, goal_rule):
        return f"the goal needs {show_rule(goal_rule)}"
    passed = state
    # dict.fromkeys: a gate met twice in one move is passed once.
    for number in dict.fromkeys((gate, board.gates.get(target))):
        if number is not None:
            # Rules are about what there is before the move: what another gate takes is still in hand.
            rule = board.dungeon.gates[number].rule
            if rule is not None and not meets(board, state, rule):
                return f"the gate{_called(board.dungeon.gates[number])} needs {show_rule(rule)}"
            after = _pass_gate(board, passed, number)
            if isinstance(after, str):
                return after
            passed = after
    return passed


def _arrive(board: Board, state: State, place: Place) -> State:
    """Come to stand on a place; the player still stands where they came from."""
    if board.dungeon.rules.blocks == "reset":
        for room in board.dungeon.rooms if state.moved else ():
            if inside(state.place, room) and not inside(place, room):
                kept = (one for one in state.moved if not inside(board.dungeon.blocks[one[0]].place, room))
                state = replace(state, moved=frozenset(kept))
    state = replace(state, place=place)
    for plate in board.plates.get(place, ()):
        state = _turn(board, state, plate)
    return _take_all(board, state)


def _with_block(board: Board, state: State, block: int, place: Place) -> State:
    walk = find_walk(board.dungeon.blocks[block].place, place)
    others = {one for one in state.moved if one[0] != block}
    return replace(state, moved=frozenset(others | {(block, walk)} if walk else others))


def _turn(board: Board, state: State, switch: Switch) -> State:
    """Turn a switch by one of its plates or levers."""
    states = board.dials.get(switch.name, ("off", "on"))
    now = states.index(switch_state(board, state, switch.name))
    to = switch.sets or states[(now + 1) % len(states)]
    if switch.name in board.dials:
        others = {dial for dial in state.dials if dial[0] != switch.name}
        return replace(state, dials=frozenset(others if to == states[0] else others | {(switch.name, to)}))
    return replace(state, on=state.on | {switch.name} if to == "on" else state.on - {switch.name})


def _take_all(board: Board, state: State) -> State:
    """Take what is there where the player stands, in the order of the pickups, and again while that adds anything."""
    before = None
    while state is not before:
        before = state
        for number in board.pickups.get(state.place, ()):
            if number not in state.taken and meets(board, state, board.dungeon.pickups[number].rule):
                state = take_thing(board, state, number)
    return state


def take_thing(board: Board, state: State, number: int) -> State:
    """Return the state with a thing taken: the very same if that changes nothing."""
    pickup = board.dungeon.pickups[number]
    count = count_of(board.dungeon, pickup)
    resource = name_resource(pickup.kind, pickup.name)
    if pickup.kind in ("key", "bombs") and resource in board.renewing:
        had = dict(state.stock)[resource]
        has = max(had, count) if pickup.renews else had + count
        if has != had:
            state = replace(state, stock=tuple((one, has if one == resource else n) for one, n in state.stock))
    return state if pickup.renews else replace(state, taken=state.taken | {number})


def _pass_gate(board: Board, state: State, number: int) -> State | str:
    """Return the state with the gate passed from the player's place, or why it cannot be. Its rule was looked at."""
    gate, rules = board.dungeon.gates[number], board.dungeon.rules
    called = _called(gate)
    if gate.kind == "lock":
        if not rules.keys_counted or number in state.opened:
            return state
        if (count_in_hand(board, state, "key", gate.needs[0]) or 0) < 1:
            return f"the door{called} is locked and there is no {f'{gate.needs[0]} ' if gate.needs[0] else ''}key"
        return _open(board, state, number)
    if gate.kind == "cracked":
        if rules.bombs is None or number in state.opened:
            return state
        if (count_in_hand(board, state, "bombs", "") or 0) < 1:
            return f"the wall{called} is cracked and there is no bomb"
        return _open(board, state, number)
    if gate.kind == "item":
        missing = [name for name in gate.needs if not holds_item(board, state, name)]
        return f"the gate{called} needs {', '.join(missing)}" if missing else state
    if gate.kind == "barrier":
        is_open = is_on(board, state, gate.needs[0]) != gate.open_at_first
        return state if is_open else f"the barrier{called} of the switch {gate.needs[0]!r} is shut"
    if gate.kind == "rule":
        return state
    return _pass_soft_gate(board, state, number, gate)


def _called(gate: Gate) -> str:
    return f" {gate.name!r}" if gate.name else ""


def _open(board: Board, state: State, number: int) -> State:
    """Open a gate for good with a key or a bomb."""
    gate = board.dungeon.gates[number]
    resource = name_resource(gate.kind, gate.needs[0] if gate.needs else "")
    stock = tuple((one, left - 1 if one == resource else left) for one, left in state.stock)
    return replace(state, opened=state.opened | {number}, stock=stock)


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
