"""Divide a plan into steps, each up to the next thing that happens, and say what each is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.drawing.signs import gate_is_open
from solvent.dungeon.events import describe_gate, describe_place, list_actions, way_of
from solvent.dungeon.hints.phrases import describe_action
from solvent.dungeon.model import RETURN, STEPS, USE, WATER, Cleared, Dungeon, Have, Pickup, Place, Requirement
from solvent.dungeon.requirements import leaves_of, requirements_of
from solvent.dungeon.rules import Game, State, inside
from solvent.dungeon.solver.layout import Layout


class Section(Struct, frozen=True):
    """Hold which moves of a plan are a step: a run of which only the last does something."""

    begin: int
    end: int
    """The number of the first move, and one more than that of the last."""
    action: str
    """What the last move does, as an order."""


class HintStep(Struct, frozen=True):
    """Hold a step of a plan."""

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


def divide(game: Game, state: State, plan: Sequence[str], matter: frozenset[int], meter: Meter) -> list[Section]:
    """Return the steps of a plan that begins in this state."""
    steps: list[Section] = []
    begin = 0
    before = state
    # States are not kept: each holds all that was taken, and a plan may have a million.
    for index, after in enumerate(meter.each(game.walk(state, plan), every=20)):
        worth = frozenset(_worth(game, before, after, matter))
        if worth or before[2:] != after[2:] or game.is_won(after) or plan[index] == RETURN or plan[index][0] == USE:
            if not worth and not any(list_actions(game, before, after, move=plan[index], worth=worth, orders=True)):
                before = after  # only blocks went back to where they stood
                continue
            steps.append(Section(begin, index + 1, describe_action(game, before, plan[index], after, worth)))
            begin = index + 1
        before = after
    return steps


def follow_steps(
    game: Game, state: State, plan: Sequence[str], steps: Sequence[Section], matter: frozenset[int], meter: Meter
) -> Iterator[HintStep]:
    """Yield the steps of a plan as they are taken."""
    for step in steps:
        moves = tuple(plan[step.begin : step.end])
        states = (state, *meter.each(game.walk(state, moves), every=20))
        before, state = states[-2:]
        worth = frozenset(_worth(game, before, state, matter))
        rest = _Rest(game, state, plan, step.end, meter)
        yield HintStep(moves, states, step.action, " ".join(_purposes(game, before, state, worth, rest)))


class _Rest(Struct, frozen=True, eq=False):
    """Walk the rest of a plan, as often as that is asked for."""

    game: Game
    state: State
    plan: Sequence[str]
    begin: int
    meter: Meter

    def __iter__(self) -> Iterator[tuple[State, State, str]]:
        """Yield the state before each move, the one after it, and the move."""
        before = self.state
        moves = self.plan[self.begin :]
        for move, after in zip(moves, self.meter.each(self.game.walk(before, moves), every=20), strict=True):
            yield before, after, move
            before = after


def _worth(game: Game, before: State, after: State, matter: frozenset[int]) -> Iterator[int]:
    """Yield the pickups taken in a move that change what can be done: not a second lamp, unless two are asked for."""
    for number in (after.taken - before.taken) & matter if after.taken is not before.taken else ():
        pickup = game.dungeon.pickups[number]
        is_new = pickup.kind != "item" or not game.holds(before, pickup.name)
        if is_new or game.items(before, pickup.name) < most_asked(game.dungeon, pickup.name):
            yield number


def _purposes(game: Game, before: State, after: State, worth: frozenset[int], rest: _Rest) -> Iterator[str]:
    """Yield sentences that say what a move is for, by looking at the rest of the plan."""
    gates = game.dungeon.gates
    for number in sorted(worth):
        sentence = _purpose_of_pickup(game, game.dungeon.pickups[number], before, rest)
        if sentence:
            yield sentence
    if after[4:] != before[4:]:  # switches, blocks and what is in stock; what is taken was spoken of above
        for number in (number for number, gate in enumerate(gates) if gate.kind in ("barrier", "rule")):
            was, opens = (gate_is_open(game, number, state) for state in (before, after))
            if was != opens:
                yield f"That {'opens' if opens else 'closes'} {describe_gate(game.dungeon, number)}."
    if after.fallen - before.fallen:
        yield "It falls shut for good."


def _purpose_of_pickup(game: Game, pickup: Pickup, before: State, rest: _Rest) -> str:
    if pickup.kind == "monster":
        return _what_it_keeps_shut(game, pickup, rest)
    if pickup.kind == "item":
        return _what_it_lets_pass(game, pickup.name, rest)
    kind = "lock" if pickup.kind == "key" else "cracked"
    in_hand = (game.keys(before, pickup.name) if kind == "lock" else game.bombs(before)) or 0
    gates = game.dungeon.gates
    opened = (
        number
        for one, other, _ in rest
        if other.opened is not one.opened
        for number in other.opened - one.opened
        if gates[number].kind == kind and (kind == "cracked" or gates[number].needs[0] == pickup.name)
    )
    count = pickup.count or game.rules.bombs_per_pickup
    mine = [describe_gate(game.dungeon, number) for number in islice(opened, in_hand, in_hand + count)]
    if not mine:
        return ""
    verb = "open" if kind == "lock" else "blast"
    return f"{f'It {verb}s' if count == 1 else f'They {verb}'} {' and '.join(mine)} later on."


def _what_it_lets_pass(game: Game, item: str, rest: _Rest) -> str:
    for here, there, move in rest:
        for number in _gates_met(game, there.place, move):
            gate = game.dungeon.gates[number]
            if gate.kind == "item" and item in gate.needs:
                return f"It lets you through {describe_gate(game.dungeon, number)}."
            count = count_asked(gate.rule, item)
            if count:
                name = describe_gate(game.dungeon, number)
                return f"{count} of them open {name}." if count > 1 else f"It helps to open {name}."
        count = count_asked(game.dungeon.goal_rule, item) if game.is_won(there) else 0
        if count:
            return f"The goal needs {count} of them." if count > 1 else "The goal needs it."
        if item == game.rules.water and move in STEPS:
            leapt = abs(here.place[1] - there.place[1]) + abs(here.place[2] - there.place[2]) > 1
            if leapt or game.terrain(there.place) == WATER:
                return f"It carries you over the water at {describe_place(game.dungeon, here.place)}."
    return ""


def count_asked(rule: Requirement | None, item: str) -> int:
    """Return how many of an item a requirement asks for at most, as far as having them helps; 0 if it does not."""
    atoms = [] if rule is None else leaves_of(rule)
    asked = (atom for atom, positive in atoms if positive and isinstance(atom, Have) and atom.what == "item")
    return max((atom.count for atom in asked if atom.name == item), default=0)


def most_asked(dungeon: Dungeon, item: str) -> int:
    """Return how many of an item anything asks for at most; at least 1."""
    return max([1, *(count_asked(rule, item) for rule in requirements_of(dungeon))])


def _what_it_keeps_shut(game: Game, monster: Pickup, rest: _Rest) -> str:
    for here, there, move in rest:
        for number in _gates_met(game, there.place, move):
            gate = game.dungeon.gates[number]
            if gate.rule is not None and _asks_to_clear(game, gate.rule, monster):
                return f"While it lives, {describe_gate(game.dungeon, number)} stays shut."
            if gate.kind != "soft":
                continue
            room = game.room_named[gate.needs[0]]
            if inside(here.place, room) and inside(monster.place, room):
                return f"While it lives, you cannot leave {room.name} by {describe_gate(game.dungeon, number)}."
    return ""


def _asks_to_clear(game: Game, rule: Requirement, monster: Pickup) -> bool:
    rooms = (atom.room for atom, positive in leaves_of(rule) if positive and isinstance(atom, Cleared))
    return any(inside(monster.place, game.room_named[room]) for room in rooms)


def _gates_met(game: Game, target: Place, move: str) -> Iterator[int]:
    """Yield the gates that a move passes."""
    numbers = [game.gate_at.get(target)]
    way = way_of(game.dungeon, move)
    if way is not None:
        numbers.append(game.dungeon.ways[way].gate)
    yield from (number for number in numbers if number is not None)
