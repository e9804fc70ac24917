"""Say what the last move did, to the one who made it: the words for a move that cannot be made good again."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import counted, listed
from solvent.dungeon.events import (
    DIRECTION_NAMES,
    describe_gate,
    describe_place,
    lever_of,
    name_key,
    name_pickup,
    way_of,
)
from solvent.dungeon.model import RETURN, STEPS
from solvent.dungeon.rules import Game, State, walk_between, walk_from


def describe_last_move(game: Game, before: State, move: str, after: State) -> str:
    """Return what a move did: `you opened the lock at row 2, column 6 with your only key`."""
    return listed(list(_deeds(game, before, move, after)) or [_walked(game, before, move)])


def _deeds(game: Game, before: State, move: str, after: State) -> Iterator[str]:
    """Yield what a move did beside walking, the most telling first."""
    dungeon = game.dungeon
    for number in sorted(after.opened - before.opened):
        yield _opened(game, before, number)
    for number in sorted(after.fallen - before.fallen):
        yield f"{describe_gate(dungeon, number)} fell shut behind you"
    for block, was, now in zip(dungeon.blocks, before.moved, after.moved, strict=True):
        stood, stands = walk_from(block.place, was), walk_from(block.place, now)
        way = walk_between(stood, stands)
        if stood == after.place and len(way) == 1:
            yield f"you pushed a block {DIRECTION_NAMES[way]}, to {describe_place(dungeon, stands)}"
    lever = lever_of(dungeon, move)
    if lever is not None:
        yield f"you pulled the lever of {lever.name}"
    elif after.on != before.on or after.dials != before.dials:
        names = {*(after.on ^ before.on)} | {
            dial.switch for dial, was, now in zip(dungeon.dials, before.dials, after.dials, strict=True) if was != now
        }
        yield f"you switched {listed(sorted(names))}"
    taken = [dungeon.pickups[number] for number in sorted(after.taken - before.taken)]
    things = [name_pickup(pickup, game.rules.bombs_per_pickup) for pickup in taken if pickup.kind != "monster"]
    if things:
        yield f"you took {listed(things)}"
    if len(things) < len(taken):
        yield "you beat a monster"
    if move == RETURN:
        yield "you returned to the start"


def _opened(game: Game, before: State, number: int) -> str:
    """Say which gate was opened, and how much there was to open it with."""
    gate, rules = game.dungeon.gates[number], game.rules
    is_lock = gate.kind == "lock"
    noun = name_key(game.dungeon, gate.needs[0]) if is_lock else "bomb"
    had = game.keys(before, gate.needs[0]) if is_lock and rules.keys_counted else None
    if not is_lock:
        had = game.bombs(before)
    verb = "opened" if is_lock else "blasted"
    spent = "" if had is None else f" with your only {noun}" if had == 1 else f" with one of your {counted(had, noun)}"
    return f"you {verb} {describe_gate(game.dungeon, number)}{spent}"


def _walked(game: Game, before: State, move: str) -> str:
    """Say from where a step or a way was taken."""
    where = describe_place(game.dungeon, before.place)
    if move in STEPS:
        return f"you walked {DIRECTION_NAMES[move]} from {where}"
    way = way_of(game.dungeon, move)
    kind = "way" if way is None else game.dungeon.ways[way].kind
    return f"you took the {kind} from {where}"
