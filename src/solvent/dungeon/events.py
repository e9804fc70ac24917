"""Replay moves: where they lead, and what happens on the way, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from solvent.core.errors import ParseError
from solvent.dungeon.model import STEPS, Dungeon, Gate, Pickup, Place
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.rules import Game, State

WORDS_FOR_STEPS = {"N": "north", "E": "east", "S": "south", "W": "west"}


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
            raise ParseError("a move: N, E, S, W or the number of a way", move, path=f"{path}[{index}]")
        after = game.step(state, move)
        if after is None:
            raise ParseError("a move that can be made there", move, path=f"{path}[{index}]")
        words = _what_happened(game, state, after)
        if words:
            events.append(Event(len(events) + 1, index + 1, after.place, words + _where(game, after.place)))
        places.append(after.place)
        made.append(move)
        state = after
    return Walk(tuple(made), tuple(places), tuple(events), state)


def parse_run(text: str) -> list[str]:
    """Read a run of moves such as `EEES 12 N`: letters, and numbers of ways with blanks between."""
    moves: list[str] = []
    for word in text.split():
        if word.isascii() and word.isdigit():
            moves.append(str(int(word)))
        elif set(word) <= set(STEPS):
            moves.extend(word)
        else:
            raise ParseError("moves such as EEES 12 N", text)
    return moves


def name_pickup(pickup: Pickup, bombs: int) -> str:
    """Say what a pickup is; `bombs` is how many lie where the dungeon does not say."""
    if pickup.kind == "key":
        key = f"{pickup.name} key".strip()
        return (
            f"the {key}"
            if pickup.name and pickup.count == 1
            else f"a {key}"
            if pickup.count == 1
            else (f"{pickup.count} {key}s")
        )
    if pickup.kind == "bombs":
        count = pickup.count or bombs
        return "a bomb" if count == 1 else f"{count} bombs"
    return f"the {pickup.name}" if pickup.kind == "item" else "a monster"


def name_gate(gate: Gate) -> str:
    """Say what a gate is."""
    if gate.name:
        return gate.name
    needs = ", ".join(gate.needs)
    return {
        "lock": f"the {needs} lock" if needs else "a lock",
        "cracked": "a cracked wall",
        "item": f"the gate for {needs}",
        "barrier": f"the barrier of {needs}",
        "soft": f"a shutter of {needs}",
    }[gate.kind]


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


def _what_happened(game: Game, before: State, after: State) -> str:
    """Say what a move changed, or nothing if it only led somewhere."""
    dungeon = game.dungeon
    said = []
    for number in sorted(after.opened - before.opened):
        gate = dungeon.gates[number]
        said.append(f"{'open' if gate.kind == 'lock' else 'blast'} {name_gate(gate)}")
    said.extend(f"{name_gate(dungeon.gates[number])} falls shut" for number in sorted(after.fallen - before.fallen))
    for block, (was, now) in enumerate(zip(before.moved, after.moved, strict=True)):
        if was != now:
            words = f"push a block {WORDS_FOR_STEPS[now]}"
            said.append(words if dungeon.blocks[block].place == after.place else f"{words} on")
    found = [dungeon.pickups[number] for number in sorted(after.taken - before.taken)]
    taken = [name_pickup(p, game.rules.bombs_per_pickup) for p in found if p.kind != "monster"]
    if taken:
        said.append(f"take {' and '.join(taken)}")
    monsters = sum(p.kind == "monster" for p in found)
    if monsters:
        said.append("beat a monster" if monsters == 1 else f"beat {monsters} monsters")
    said.extend(f"turn {name} {'on' if name in after.on else 'off'}" for name in sorted(after.on ^ before.on))
    if game.is_won(after):
        said.append("reach the goal")
    return ", ".join(said)


def _where(game: Game, place: Place) -> str:
    """Name the room, where the dungeon names rooms; a walk over a plain map shows well enough where it is."""
    from solvent.dungeon.rules import inside

    for room in game.dungeon.rooms:
        if inside(place, room):
            return f" ({room.name})"
    if is_single_tile(game.dungeon, place[0]) and game.dungeon.floors[place[0]].name:
        return f" ({game.dungeon.floors[place[0]].name})"
    return ""
