"""Divide a plan into steps, each up to the next thing that happens, and say what each is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.dungeon.events import describe_place
from solvent.dungeon.hints.phrases import describe_action, describe_gate
from solvent.dungeon.model import WATER, Pickup, Place
from solvent.dungeon.rules import Game, State
from solvent.dungeon.solver.layout import Layout


class HintStep(Struct, frozen=True):
    """Hold a run of moves of which only the last does something."""

    moves: tuple[str, ...]
    states: tuple[State, ...]
    """One more than moves."""
    action: str
    """What the last move does, as an order."""
    purpose: str
    """What that is for later in the plan, in a sentence; empty if there is nothing to say."""

    @property
    def places(self) -> list[Place]:
        """Return the tiles it goes over, the first and the last included."""
        return [state.place for state in self.states]


def pickups_that_matter(game: Game, layout: Layout) -> frozenset[int]:
    """Return the numbers of the pickups that make a difference."""
    items = {
        n for n, pickup in enumerate(game.dungeon.pickups) if pickup.kind == "item" and pickup.name in layout.items
    }
    return frozenset(layout.pickups) | items


def divide(game: Game, state: State, plan: Sequence[str], matter: frozenset[int]) -> list[HintStep]:
    """Return the steps of a plan that begins in this state."""
    states = [state, *game.walk(state, plan)]
    steps = []
    begun = 0
    for index, (before, after) in enumerate(pairwise(states)):
        worth = frozenset(_worth(game, before, after, matter))
        if worth or before[2:] != after[2:] or game.is_won(after):
            steps.append(
                HintStep(
                    tuple(plan[begun : index + 1]),
                    tuple(states[begun : index + 2]),
                    describe_action(game, before, plan[index], after, worth),
                    " ".join(_purposes(game, before, after, worth, states[index + 1 :], plan[index + 1 :])),
                )
            )
            begun = index + 1
    return steps


def _worth(game: Game, before: State, after: State, matter: frozenset[int]) -> Iterator[int]:
    """Yield the pickups taken in a move that change what can be done: not a second lamp."""
    for number in (after.taken - before.taken) & matter:
        pickup = game.dungeon.pickups[number]
        if pickup.kind != "item" or not game.holds(before, pickup.name):
            yield number


def _purposes(
    game: Game, before: State, after: State, worth: frozenset[int], later: Sequence[State], moves: Sequence[str]
) -> Iterator[str]:
    """Yield sentences that say what a move is for, by looking at the rest of the plan."""
    gates = game.dungeon.gates
    for number in sorted(worth):
        sentence = _purpose_of_pickup(game, game.dungeon.pickups[number], before, later, moves)
        if sentence:
            yield sentence
    for name in sorted(after.on ^ before.on):
        for number, gate in enumerate(gates):
            if gate.kind == "barrier" and gate.needs[0] == name:
                opens = (name in after.on) != gate.open_at_first
                yield f"That {'opens' if opens else 'closes'} {describe_gate(game.dungeon, number)}."
    if after.fallen - before.fallen:
        yield "It falls shut for good."


def _purpose_of_pickup(game: Game, pickup: Pickup, before: State, later: Sequence[State], moves: Sequence[str]) -> str:
    if pickup.kind == "monster":
        return _what_it_keeps_shut(game, pickup, later, moves)
    if pickup.kind == "item":
        return _what_it_lets_pass(game, pickup.name, later, moves)
    kind = "lock" if pickup.kind == "key" else "cracked"
    in_hand = (game.keys(before, pickup.name) if kind == "lock" else game.bombs(before)) or 0
    gates = game.dungeon.gates
    opened = [
        number
        for one, other in pairwise(later)
        for number in other.opened - one.opened
        if gates[number].kind == kind and (kind == "cracked" or gates[number].needs[0] == pickup.name)
    ]
    count = pickup.count or game.rules.bombs_per_pickup
    mine = [describe_gate(game.dungeon, number) for number in opened[in_hand : in_hand + count]]
    if not mine:
        return ""
    verb = "open" if kind == "lock" else "blast"
    return f"{f'It {verb}s' if count == 1 else f'They {verb}'} {' and '.join(mine)} later on."


def _what_it_lets_pass(game: Game, item: str, later: Sequence[State], moves: Sequence[str]) -> str:
    for (here, there), move in zip(pairwise(later), moves, strict=False):
        for number in _gates_met(game, there.place, move):
            gate = game.dungeon.gates[number]
            if gate.kind == "item" and item in gate.needs:
                return f"It lets you through {describe_gate(game.dungeon, number)}."
        if item == game.rules.water and move.isalpha():
            leapt = abs(here.place[1] - there.place[1]) + abs(here.place[2] - there.place[2]) > 1
            if leapt or game.terrain(there.place) == WATER:
                return f"It carries you over the water at {describe_place(game.dungeon, here.place)}."
    return ""


def _what_it_keeps_shut(game: Game, monster: Pickup, later: Sequence[State], moves: Sequence[str]) -> str:
    from solvent.dungeon.rules import inside

    for (here, there), move in zip(pairwise(later), moves, strict=False):
        for number in _gates_met(game, there.place, move):
            gate = game.dungeon.gates[number]
            if gate.kind != "soft":
                continue
            room = game.room_named[gate.needs[0]]
            if inside(here.place, room) and inside(monster.place, room):
                return f"While it lives, you cannot leave {room.name} by {describe_gate(game.dungeon, number)}."
    return ""


def _gates_met(game: Game, target: Place, move: str) -> Iterator[int]:
    """Yield the gates that a move passes."""
    numbers = [game.gate_at.get(target)]
    if not move.isalpha():
        numbers.append(game.dungeon.ways[int(move)].gate)
    yield from (number for number in numbers if number is not None)
