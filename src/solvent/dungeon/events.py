"""Replay moves: where they lead, and what happens on the way, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from solvent.core.errors import ParseError
from solvent.drawing.phrases import counted, listed, with_article
from solvent.dungeon.conditions import describe_presence
from solvent.dungeon.model import RETURN, STEPS, USE, Dungeon, Gate, Pickup, Place, Switch
from solvent.dungeon.notation.requirements import describe_requirement
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.rules import Game, State, inside, resource_of, walk_between, walk_from

DIRECTION_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}


class Event(NamedTuple):
    """Hold what happens in one move beside walking."""

    number: int
    """Counted from 1 along the walk."""
    move: int
    """How many moves have been made then."""
    place: Place
    """Where the player is then."""
    words: str


class Walk(NamedTuple):
    """Hold some moves and what they do."""

    moves: tuple[str, ...]
    places: tuple[Place, ...]
    """One more than moves: where the walk begins comes first."""
    events: tuple[Event, ...]
    end: State


def replay(game: Game, state: State, moves: Sequence[object], path: str) -> Walk:
    """Make the moves and note what happens; raises ParseError, naming `path`, at one that cannot be made."""
    places = [state.place]
    events: list[Event] = []
    made: list[str] = []
    for index, move in enumerate(moves):
        if not isinstance(move, str):
            expected = "a move: N, E, S, W, the number of a way, r, or u and the number of a lever"
            raise ParseError(expected, move, path=f"{path}[{index}]")
        after = game.step(state, move)
        if after is None:
            raise ParseError("a move that can be made there", move, path=f"{path}[{index}]")
        happened = ", ".join(action for action, _ in list_actions(game, state, after, move=move))
        if happened:
            room = room_name(game.dungeon, after.place)
            events.append(Event(len(events) + 1, index + 1, after.place, f"{happened} ({room})" if room else happened))
        places.append(after.place)
        made.append(move)
        state = after
    return Walk(tuple(made), tuple(places), tuple(events), state)


def parse_run(text: str) -> list[str]:
    """Read a run of moves such as `EEES 12 N u3 r`: letters, and with blanks between ways, levers and returns."""
    moves: list[str] = []
    for word in text.split():
        number = word.removeprefix(USE)
        if number.isascii() and number.isdigit():
            moves.append(f"{USE if number != word else ''}{int(number)}")
        elif word == RETURN:
            moves.append(word)
        elif set(word) <= set(STEPS):
            moves.extend(word)
        else:
            raise ParseError("moves such as EEES 12 N", text)
    return moves


def way_of(dungeon: Dungeon, move: str) -> int | None:
    """Return the number of the way that a move takes; None for a step, a return or a lever."""
    return int(move) if move.isdigit() and int(move) < len(dungeon.ways) else None


def lever_of(dungeon: Dungeon, move: str) -> Switch | None:
    """Return the lever that a move works, if it works one."""
    return dungeon.switches[int(move.removeprefix(USE))] if move.startswith(USE) else None


def name_pickup(pickup: Pickup, bombs: int) -> str:
    """Say what a pickup is; `bombs` is how many lie where the dungeon does not say."""
    if pickup.kind == "key":
        key = f"{pickup.name} key".strip()
        if pickup.count > 1:
            return f"{pickup.count} {key}s"
        return f"the {key}" if pickup.name else "a key"
    if pickup.kind == "bombs":
        count = pickup.count or bombs
        return "a bomb" if count == 1 else f"{count} bombs"
    if pickup.kind == "item":
        return f"the {pickup.name}" if pickup.count == 1 else counted(pickup.count, pickup.name)
    return "a monster"


def describe_pickup(pickup: Pickup, bombs: int) -> str:
    """Say what a pickup is, when it is there, and whether it comes back: `a key (there once den is cleared)`."""
    notes = [] if pickup.rule is None else [describe_presence(pickup.rule)]
    if pickup.renews:
        notes.append("comes back")
    name = name_pickup(pickup, bombs)
    return f"{name} ({', '.join(notes)})" if notes else name


def name_gate(gate: Gate) -> str:
    """Say what a gate is."""
    if gate.name:
        return gate.name
    needs = listed(gate.needs)
    return {
        "lock": f"the {needs} lock" if needs else "a lock",
        "cracked": "a cracked wall",
        "item": f"the gate for {needs}",
        "barrier": f"the barrier of {needs}",
        "soft": f"a shutter of {call_room(needs)}",
        "rule": "a gate" if gate.rule is None else f"a gate that needs {describe_requirement(gate.rule)}",
    }[gate.kind]


def describe_need(gate: Gate) -> str:
    """Say what a gate is, with what it asks for even where it has a name of its own."""
    if gate.kind == "rule" and gate.name and gate.rule is not None:
        return f"{gate.name}, which needs {describe_requirement(gate.rule)}"
    return name_gate(gate)


def describe_shut_gate(gate: Gate, where: str) -> str:
    """Say what a gate is, where it stands, and what it needs if it has a rule: `a gate at row 3 (needs the bow)`."""
    if gate.kind != "rule" or gate.rule is None:
        return f"{name_gate(gate)} {where}"
    return f"{gate.name or 'a gate'} {where} (needs {describe_requirement(gate.rule)})"


def name_switch(name: str) -> str:
    """Say what a switch is: `switch lever`, and `switch 2` for one that is called so."""
    return name if name.startswith("switch") else f"switch {name}"


def describe_switch(switch: Switch, number: int | None = None, *, now: str = "") -> str:
    """Say what a plate or a lever is and does: `lever u0 that sets tide to high (now low, needs the bow)`.

    A lever has its number, if that is given; `now` is the state to name.
    """
    notes = [f"now {now}"] if now else []
    if is_remote(switch):
        notes.append("worked from afar")
    if switch.rule is not None:
        notes.append(f"needs {describe_requirement(switch.rule)}")
    text = name_switch(switch.name)
    if switch.kind != "plate" or switch.sets:
        kind = {"plate": "plate", "held": "held plate", "lever": "lever"}[switch.kind]
        move = f" {USE}{number}" if switch.kind == "lever" and number is not None else ""
        does = f" that sets {switch.name} to {switch.sets}" if switch.sets else f" of {switch.name}"
        text = f"{kind}{move}{does if switch.sets or switch.name not in kind.split() else ''}"
    return f"{text} ({', '.join(notes)})" if notes else text


def is_remote(switch: Switch) -> bool:
    """Tell whether a lever can be worked from a place that is neither its own nor beside it."""
    return any(not is_near(switch.place, place) for place in switch.reach)


def is_near(one: Place, other: Place) -> bool:
    """Tell whether two places are one, or beside each other."""
    return one[0] == other[0] and abs(one[1] - other[1]) + abs(one[2] - other[2]) <= 1


def name_key(dungeon: Dungeon, colour: str) -> str:
    """Name a key without an article: `red key`, `key`, or `plain key` where there are others."""
    if colour:
        return f"{colour} key"
    coloured = any(gate.kind == "lock" and gate.needs[0] for gate in dungeon.gates)
    return "plain key" if coloured or any(p.kind == "key" and p.name for p in dungeon.pickups) else "key"


def describe_gate(dungeon: Dungeon, number: int) -> str:
    """Say what a gate is, and where it stands unless it alone has its name."""
    gate = dungeon.gates[number]
    if gate.name and sum(other.name == gate.name for other in dungeon.gates) == 1:
        return gate.name
    name = name_gate(gate) if gate.name else f"the {name_gate(gate).removeprefix('a ').removeprefix('the ')}"
    if gate.kind == "rule" and not gate.name:
        name = "the gate"  # where it stands tells which
    if gate.cells:
        return f"{name} at {describe_place(dungeon, gate.cells[0])}"
    ends = next(((way.source, way.target) for way in dungeon.ways if way.gate == number), None)
    if ends is None:
        return name
    beside_others = any((way.source, way.target) == ends and way.gate != number for way in dungeon.ways)
    needs = f" (needs {describe_requirement(gate.rule)})" if gate.rule is not None and beside_others else ""
    return f"{name} {describe_ends(dungeon, *ends)}{needs}"


def name_place(dungeon: Dungeon, place: Place, room_names: Mapping[Place, str]) -> str:
    """Say where a place is: by its room if it has one, else by floor, row and column."""
    if place in room_names:
        return room_names[place]
    floor, row, column = place
    name = dungeon.floors[floor].name
    if is_single_tile(dungeon, floor) and name:
        return name
    prefix = f"{name} " if len(dungeon.floors) > 1 and name else ""
    return f"{prefix}{row},{column}"


def describe_place(dungeon: Dungeon, place: Place) -> str:
    """Say where a place is in a sentence: `row 3, column 8 (the den)`; by its name alone where that says it all."""
    floor, row, column = place
    room, name = room_name(dungeon, place), dungeon.floors[floor].name
    if room and (is_single_tile(dungeon, floor) or _is_small(dungeon, place)):
        return room
    prefix = f"{name}, " if len(dungeon.floors) > 1 and name else ""
    return f"{prefix}row {row}, column {column}" + (f" ({room})" if room else "")


def locate(dungeon: Dungeon, place: Place) -> str:
    """Say where something is, after a noun: `at row 3, column 8 (the den)`, or `in room 10`."""
    described = describe_place(dungeon, place)
    return f"in {described}" if described == room_name(dungeon, place) else f"at {described}"


def describe_rooms(dungeon: Dungeon, places: Sequence[Place]) -> str:
    """Write a walk from room to room as `9 → 11 → 10`; empty where more is known of a room than its name."""
    if not all(is_single_tile(dungeon, place[0]) and dungeon.floors[place[0]].name for place in places):
        return ""
    names = [dungeon.floors[place[0]].name for place in places]
    # Who pulls a lever stays: the name stands there once.
    return " → ".join(name for number, name in enumerate(names) if number == 0 or name != names[number - 1])


def describe_ends(dungeon: Dungeon, source: Place, target: Place) -> str:
    """Say from where to where a way leads; by the rooms, if these are two."""
    rooms = room_name(dungeon, source), room_name(dungeon, target)
    if all(rooms) and rooms[0] != rooms[1]:
        return f"from {rooms[0]} to {rooms[1]}"
    return f"from {describe_place(dungeon, source)} to {describe_place(dungeon, target)}"


def room_name(dungeon: Dungeon, place: Place) -> str:
    """Return what to call the room around a place; empty if the dungeon gives it no name."""
    name = next((room.name for room in dungeon.rooms if inside(place, room)), "")
    if not name and is_single_tile(dungeon, place[0]):
        name = dungeon.floors[place[0]].name
    return call_room(name)


def call_room(name: str) -> str:
    """Return what to call a room in a sentence: `room 9`, but `the den`."""
    return f"room {name}" if name[:1].isdigit() else name


def _is_small(dungeon: Dungeon, place: Place) -> bool:
    return any(room.height * room.width == 1 and inside(place, room) for room in dungeon.rooms)


def list_actions(
    game: Game,
    before: State,
    after: State,
    *,
    move: str = "",
    worth: frozenset[int] | None = None,
    orders: bool = False,
) -> Iterator[tuple[str, bool]]:
    """Yield what a move does beside walking, each with whether it happens on the way there.

    Of pickups only those that are worth it are named. With `orders`, all is what a player is told to do.
    """
    dungeon = game.dungeon
    if move == RETURN:
        yield "return to the start", False
    for number in sorted(after.opened - before.opened):
        gate = dungeon.gates[number]
        yield f"{'open' if gate.kind == 'lock' else 'blast'} {name_gate(gate)}", True
    for number in sorted(after.fallen - before.fallen):
        name = name_gate(dungeon.gates[number])
        yield f"go through {name}" if orders else f"{name} falls shut", True
    if after.moved != before.moved:
        yield from ((action, False) for action in _list_pushes(game, before, after, orders=orders))
    lever = lever_of(dungeon, move)
    turned = list(_list_turns(game, before, after, orders=orders))
    if lever is not None:
        yield _describe_pull(game, lever, before, after), False
        turned = [(name, words) for name, words in turned if name != lever.name]
    if after.taken != before.taken or after.stock != before.stock:
        yield from ((action, False) for action in _list_finds(game, before, after, worth))
    yield from ((words, False) for _, words in turned)
    if game.is_won(after):
        yield "reach the goal", False


def _list_pushes(game: Game, before: State, after: State, *, orders: bool) -> Iterator[str]:
    """Yield which block is pushed, and unless these are orders how many are back where they stood."""
    back = 0
    for block, (was, now) in zip(game.dungeon.blocks, zip(before.moved, after.moved, strict=True), strict=True):
        stood, stands = walk_from(block.place, was), walk_from(block.place, now)
        walk = walk_between(stood, stands)
        if stood == after.place and len(walk) == 1:
            yield f"push a block {DIRECTION_NAMES[walk]}"
        elif was != now:
            back += 1
    if back and not orders:
        yield "a block is back in its place" if back == 1 else f"{back} blocks are back in their places"


def _list_turns(game: Game, before: State, after: State, *, orders: bool) -> Iterator[tuple[str, str]]:
    """Yield the switches whose state a move changes, and words for it; orders are not to let go of one."""
    for name in sorted(after.on ^ before.on):
        yield name, f"turn {name} {'on' if name in after.on else 'off'}"
    if after.dials != before.dials:
        for dial, was, now in zip(game.dungeon.dials, before.dials, after.dials, strict=True):
            if was != now:
                yield dial.switch, f"turn {dial.switch} to {dial.states[now]}"
    for name in game.held_plates:
        is_on = game.is_on(after, name)
        if is_on != game.is_on(before, name) and (is_on or not orders):
            yield name, f"hold {name} down" if is_on else f"{name} comes up again"


def _describe_pull(game: Game, lever: Switch, before: State, after: State) -> str:
    state = game.switch_state(after, lever.name)
    if state == game.switch_state(before, lever.name):
        return f"pull the lever of {lever.name}"
    return f"pull the lever that turns {lever.name} {state if state in ('on', 'off') else f'to {state}'}"


def _list_finds(game: Game, before: State, after: State, worth: frozenset[int] | None) -> Iterator[str]:
    """Yield what is taken, filled up and beaten."""
    dungeon = game.dungeon
    taken = after.taken - before.taken
    found = [dungeon.pickups[number] for number in sorted(taken if worth is None else taken & worth)]
    things = [name_pickup(pickup, game.rules.bombs_per_pickup) for pickup in found if pickup.kind != "monster"]
    if things:
        yield f"take {' and '.join(things)}"
    for resource, number in game.renewing.items():
        opened = (dungeon.gates[gate] for gate in after.opened - before.opened)
        spent = sum(resource_of(gate.kind, gate.needs[0] if gate.needs else "") == resource for gate in opened)
        found_once = sum(
            dungeon.pickups[n].count or game.rules.bombs_per_pickup
            for n in taken
            if dungeon.pickups[n].kind in ("key", "bombs")
            and resource_of(dungeon.pickups[n].kind, dungeon.pickups[n].name) == resource
        )
        had = before.stock[number] - spent + found_once
        if after.stock[number] > had:
            yield f"{'fill up to' if had else 'take'} {count_resource(resource, after.stock[number])}"
    monsters = len(found) - len(things)
    if monsters:
        yield "beat a monster" if monsters == 1 else f"beat {monsters} monsters"


def count_resource(resource: str, count: int) -> str:
    """Write `4 bombs`, `a key`, `2 red keys`."""
    noun = "bomb" if resource == "bombs" else f"{resource.removeprefix('key').strip()} key".strip()
    return with_article(noun) if count == 1 else counted(count, noun)


MAX_PICKUPS_NAMED = 6
"""How many pickups a sentence names before the rest is only counted."""


def name_all(dungeon: Dungeon, numbers: Collection[int], last: str = "and") -> str:
    """Name pickups in a sentence, with where they are."""
    pickups = [dungeon.pickups[number] for number in sorted(numbers)]
    bombs = dungeon.rules.bombs_per_pickup
    return listed(
        [f"{name_pickup(p, bombs)} {locate(dungeon, p.place)}" for p in pickups], MAX_PICKUPS_NAMED, last=last
    )
