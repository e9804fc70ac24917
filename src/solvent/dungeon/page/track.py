"""Say move by move where the moves played lead and what they change: enough to show every moment of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvent.dungeon.drawing.signs import gate_is_open
from solvent.dungeon.events import replay
from solvent.dungeon.rules import Game, State, walk_from


def follow(game: Game) -> dict[str, Any]:
    """Return the moves played as JSON values.

    `places` has one place more than there are `moves`. Each of `changes` says from which move on (0: from the start)
    what is different: pickups `taken`, `gates` that look open or shut now, `plates` that are on or off, `blocks` that
    were pushed, and all that one has in hand.
    """
    begun = game.start_state()
    walk = replay(game, begun, game.dungeon.played, "played")
    changes = [_first(game, begun)]
    before = begun
    for number, after in enumerate(game.walk(begun, walk.moves), 1):
        if after[1:] != before[1:]:
            changes.append({"move": number, **_change(game, before, after)})
        before = after
    return {
        "moves": list(walk.moves),
        "places": [list(place) for place in walk.places],
        "changes": changes,
        "events": [{"move": event.move, "words": event.words} for event in walk.events],
        "won": game.is_won(walk.end),
    }


def _first(game: Game, state: State) -> dict[str, Any]:
    looks = [[number, gate_is_open(game, number, state)] for number in range(len(game.dungeon.gates))]
    return {"move": 0, "taken": sorted(state.taken), "gates": looks, "have": _in_hand(game, state)}


def _change(game: Game, before: State, after: State) -> dict[str, Any]:
    change: dict[str, Any] = {}
    taken = after.taken - before.taken
    if taken:
        change["taken"] = sorted(taken)
    looks = [
        [number, gate_is_open(game, number, after)]
        for number in _gates_concerned(game, before, after)
        if gate_is_open(game, number, after) != gate_is_open(game, number, before)
    ]
    if looks:
        change["gates"] = looks
    if after.on != before.on:
        change["plates"] = [[name, name in after.on] for name in sorted(after.on ^ before.on)]
    if after.moved != before.moved:
        change["blocks"] = [
            [number, list(walk_from(game.dungeon.blocks[number].place, after.moved[number]))]
            for number in range(len(after.moved))
            if after.moved[number] != before.moved[number]
        ]
    if taken or after.opened != before.opened:
        change["have"] = _in_hand(game, after)
    return change


def _gates_concerned(game: Game, before: State, after: State) -> Iterator[int]:
    """Yield the gates that may look different, so that not all are looked at after every move."""
    yield from sorted((after.opened ^ before.opened) | (after.fallen ^ before.fallen))
    beaten = any(game.dungeon.pickups[number].kind == "monster" for number in after.taken - before.taken)
    switched = after.on ^ before.on
    for number, gate in enumerate(game.dungeon.gates) if beaten or switched else ():
        if (gate.kind == "soft" and beaten) or (gate.kind == "barrier" and gate.needs[0] in switched):
            yield number


def _in_hand(game: Game, state: State) -> dict[str, Any]:
    """Return keys by colour, bombs (null for as many as one likes) and items."""
    pickups = game.dungeon.pickups
    colours = {colour for colour, _ in game.rules.keys}
    colours |= {pickups[number].name for number in state.taken if pickups[number].kind == "key"}
    counts = [(colour, game.keys(state, colour)) for colour in sorted(colours)]
    items = set(game.rules.items) | {pickups[n].name for n in state.taken if pickups[n].kind == "item"}
    return {
        "keys": [list(pair) for pair in counts if pair[1]],
        "bombs": game.bombs(state),
        "items": sorted(items),
    }
