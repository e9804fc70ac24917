"""Say move by move where the moves played lead and what they change: enough to show every moment of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvent.dungeon.drawing.signs import gate_is_open
from solvent.dungeon.events import replay
from solvent.dungeon.page.last_move import describe_last_move
from solvent.dungeon.rules import Game, State, walk_from


def follow(game: Game) -> dict[str, Any]:
    """Return the moves played as JSON values.

    `places` has one place more than there are `moves`. Each of `changes` says from which move on (0: from the start)
    what is different: pickups `taken`, pickups that are `there` or not yet, `gates` that look open or shut now, whether
    the `goal` can be entered, `switches` and the states they are in, `blocks` that were pushed or are back, and all
    that one has in hand. `did` says what the last move did; nothing if none was made.
    """
    begun = game.start_state()
    walk = replay(game, begun, game.dungeon.played, "played")
    watched = _Watched(game)
    changes = [watched.first(begun)]
    before, did = begun, ""
    for number, after in enumerate(game.walk(begun, walk.moves), 1):
        if number == len(walk.moves):
            did = describe_last_move(game, before, walk.moves[-1], after)
        if after[1:] != before[1:] or game.held_plates:
            change = watched.change(before, after)
            if change:
                changes.append({"move": number, **change})
        before = after
    return {
        "moves": list(walk.moves),
        "places": [list(place) for place in walk.places],
        "changes": changes,
        "events": [{"move": event.move, "words": event.words} for event in walk.events],
        "won": game.is_won(walk.end),
        "did": did,
    }


def show_state(game: Game, state: State) -> dict[str, Any]:
    """Return how everything stands in a state, as the first of a track's changes has it, and where the player is."""
    shown = _Watched(game).first(state)
    shown["place"] = list(state.place)
    shown["blocks"] = [
        [number, list(walk_from(block.place, walk))]
        for number, (block, walk) in enumerate(zip(game.dungeon.blocks, state.moved, strict=True))
    ]
    return shown


class _Watched:
    """Know what may look different after a move, so that not everything is looked at after each."""

    def __init__(self, game: Game) -> None:
        self.game = game
        dungeon = game.dungeon
        self.ruled = [number for number, gate in enumerate(dungeon.gates) if gate.kind == "rule"]
        self.soft = [number for number, gate in enumerate(dungeon.gates) if gate.kind == "soft"]
        self.barriers = [(number, gate.needs[0]) for number, gate in enumerate(dungeon.gates) if gate.kind == "barrier"]
        self.appearing = [number for number, pickup in enumerate(dungeon.pickups) if pickup.rule is not None]

    def first(self, state: State) -> dict[str, Any]:
        """Return how everything stands before the first move."""
        game = self.game
        names = sorted({switch.name for switch in game.dungeon.switches})
        return {
            "move": 0,
            "taken": sorted(state.taken),
            "there": [[number, self._is_there(number, state)] for number in self.appearing],
            "gates": [[number, gate_is_open(game, number, state)] for number in range(len(game.dungeon.gates))],
            "goal": game.meets(state, game.dungeon.goal_rule),
            "switches": [[name, game.switch_state(state, name)] for name in names],
            "have": _in_hand(game, state),
        }

    def change(self, before: State, after: State) -> dict[str, Any]:
        """Return what a move changes; nothing if it changes nothing that is shown."""
        game = self.game
        taken = after.taken - before.taken
        found: dict[str, Any] = {
            "taken": sorted(taken),
            "there": [
                [number, self._is_there(number, after)]
                for number in self.appearing
                if self._is_there(number, after) != self._is_there(number, before)
            ],
            "gates": [
                [number, gate_is_open(game, number, after)]
                for number in self._gates_concerned(before, after)
                if gate_is_open(game, number, after) != gate_is_open(game, number, before)
            ],
            "switches": [
                [name, game.switch_state(after, name)]
                for name in sorted({*(after.on ^ before.on), *game.held_plates, *game.dial_number})
                if game.switch_state(after, name) != game.switch_state(before, name)
            ],
        }
        if after.moved != before.moved:
            found["blocks"] = [
                [number, list(walk_from(game.dungeon.blocks[number].place, after.moved[number]))]
                for number in range(len(after.moved))
                if after.moved[number] != before.moved[number]
            ]
        change = {name: value for name, value in found.items() if value}
        if taken or after.opened != before.opened or after.stock != before.stock:
            change["have"] = _in_hand(game, after)
        rule = game.dungeon.goal_rule
        if rule is not None and game.meets(before, rule) != game.meets(after, rule):
            change["goal"] = game.meets(after, rule)
        return change

    def _is_there(self, number: int, state: State) -> bool:
        return self.game.meets(state, self.game.dungeon.pickups[number].rule)

    def _gates_concerned(self, before: State, after: State) -> Iterator[int]:
        """Yield the gates that may look different."""
        yield from sorted((after.opened ^ before.opened) | (after.fallen ^ before.fallen))
        yield from self.ruled
        pickups = self.game.dungeon.pickups
        if any(pickups[number].kind == "monster" for number in after.taken - before.taken):
            yield from self.soft
        switched = (after.on ^ before.on) | self.game.held_plates.keys()
        yield from (number for number, switch in self.barriers if switch in switched)


def _in_hand(game: Game, state: State) -> dict[str, Any]:
    """Return keys by colour, bombs (null for as many as one likes), items, and how many of those with more than one."""
    pickups = game.dungeon.pickups
    colours = {colour for colour, _ in game.rules.keys}
    colours |= {p.name for n, p in enumerate(pickups) if p.kind == "key" and (p.renews or n in state.taken)}
    counts = [(colour, game.keys(state, colour)) for colour in sorted(colours)]
    items = set(game.rules.items) | {pickups[n].name for n in state.taken if pickups[n].kind == "item"}
    return {
        "keys": [list(pair) for pair in counts if pair[1]],
        "bombs": game.bombs(state),
        "items": sorted(items),
        "counts": {item: number for item in sorted(items) if (number := game.items(state, item)) > 1},
    }
