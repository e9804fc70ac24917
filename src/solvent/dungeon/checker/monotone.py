"""Check whether taking something never takes access away.

What is asked: for each state that can come about, and each move from it that takes something *delicate*, compare the
state after it with the same state had nothing been taken by that move. Whatever can be taken from the second on must be
so from the first on, or have been taken by then; and if a goal can be reached from the second, so it must from the
first. What renews is never used up, so it only counts what can be taken from there on.

A pickup that is used up is delicate if anything asks about it, or is paid with it, and (a) a requirement asks not to
have it: a `Have` of its name, or for monsters a `Cleared` of their room, under an odd number of `Not`; or (b) other
keys or bombs of its kind renew; or (c) a rule asks about it on which it depends whether something delicate is there.
If no pickup is delicate, there is nothing to compare. That this is no trick: with more taken that is not delicate, and
all else equal, every move can be made that could be made with less, for all that is asked for still holds, and what
follows compares likewise.

A loss is shown by a walk whose last move takes something delicate, a closed set that begins after it, in the dungeon in
which the thing lost is the goal (see `derived`), and moves to that goal from the state with everything left lying.
Otherwise all states are looked at, one by one, and from each all that can follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.board import Board, State, inside, lay_out, name_resource, show_place
from solvent.dungeon.checker.certificate_schema import Ruled
from solvent.dungeon.checker.closed_set import closed_set_violations
from solvent.dungeon.checker.derived import (
    Leaf,
    is_still,
    leaves,
    number_with_marks,
    one_of,
    one_on_goals,
    rules_of,
    with_marks,
)
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.plan import goal_violations
from solvent.dungeon.checker.play import follow, position, take
from solvent.dungeon.model import RETURN, STEPS, USE, Cleared, Dungeon, Have

GOAL = -1
"""Stands for the goal where the number of a pickup is expected."""


class NothingDelicateBody(Ruled):
    """Hold nothing: the dungeon itself shows it."""


class AllStatesBody(Ruled):
    """Hold how many states there are to compare."""

    count: int


class TakenAwayBody(Ruled):
    """Hold a walk that takes something, what it lost by that, and how that could be had with nothing taken."""

    walk: list[str]
    lost: int
    """The number of a pickup, or -1 for the goal."""
    states: list[Any]
    plan: list[str]


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the certificate does not show what it claims, or an empty list."""
    meter.checkpoint()
    if certificate["form"] == "nothing delicate":
        msgspec.convert(certificate, NothingDelicateBody)
        start = position(lay_out(dungeon, meter))
        if isinstance(start, str):
            return [start]
        delicate = delicate_pickups(dungeon)
        return [f"taking pickup {min(delicate)} can make a rule fail"] if delicate else []
    if certificate["form"] == "all states":
        return _count_violations(dungeon, msgspec.convert(certificate, AllStatesBody).count, meter)
    return _loss_violations(dungeon, msgspec.convert(certificate, TakenAwayBody), meter)


def delicate_pickups(dungeon: Dungeon) -> set[int]:
    """Return the numbers of the pickups, of those that are used up, of which taking can take something away."""
    parts = [part for rule in rules_of(dungeon) for part in leaves(rule)]
    matter = {n for n in range(len(dungeon.pickups)) if _matters(dungeon, n, [leaf for leaf, _ in parts])}
    unwanted = [leaf for leaf, wanted in parts if not wanted]
    found = {number for number in matter if _renews(dungeon, number)}
    while True:
        asked = [leaf for number in found for leaf, _ in leaves(dungeon.pickups[number].rule)]
        more = {n for n in matter - found if any(_is_about(dungeon, leaf, n) for leaf in (*unwanted, *asked))}
        if not more:
            return {number for number in found if not dungeon.pickups[number].renews}
        found |= more


def _renews(dungeon: Dungeon, number: int) -> bool:
    """Tell whether some pickup renews what this one gives."""
    pickup = dungeon.pickups[number]
    others = [other for other in dungeon.pickups if other.renews and other.kind == pickup.kind]
    return any(pickup.kind == "bombs" or other.name == pickup.name for other in others)


def _matters(dungeon: Dungeon, number: int, leaves_of_all: list[Leaf]) -> bool:
    """Tell whether a requirement asks about a pickup, or a gate is paid with it."""
    pickup, rules = dungeon.pickups[number], dungeon.rules
    if pickup.kind == "key" and not rules.keys_counted:
        return False
    if pickup.kind == "bombs" and rules.bombs is None:
        return False
    paid = [gate for gate in dungeon.gates if gate.kind == {"key": "lock", "bombs": "cracked"}.get(pickup.kind)]
    if any(pickup.kind == "bombs" or gate.needs[0] == pickup.name for gate in paid):
        return True
    return any(_is_about(dungeon, leaf, number) for leaf in leaves_of_all)


def _is_about(dungeon: Dungeon, leaf: Leaf, number: int) -> bool:
    """Tell whether a pickup counts for what a requirement looks at."""
    pickup = dungeon.pickups[number]
    if isinstance(leaf, Have):
        return leaf.what == pickup.kind and (pickup.kind == "bombs" or leaf.name == pickup.name)
    if isinstance(leaf, Cleared) and pickup.kind == "monster":
        return any(room.name == leaf.room and inside(pickup.place, room) for room in dungeon.rooms)
    return False


def _left_lying(board: Board, before: State, after: State) -> State:
    """Return the state after a move if nothing had been taken by it: what gates cost was paid all the same."""
    stock = dict(before.stock)
    for number in after.opened - before.opened:
        gate = board.dungeon.gates[number]
        resource = name_resource(gate.kind, gate.needs[0] if gate.needs else "")
        if resource in stock:
            stock[resource] -= 1
    return replace(after, taken=before.taken, stock=tuple(sorted(stock.items())))


# a loss


def _loss_violations(dungeon: Dungeon, body: TakenAwayBody, meter: Meter) -> list[str]:
    changed, mark = dungeon, -1
    if not body.walk:
        return ["expected a walk, of which the last move takes something"]
    if not GOAL <= body.lost < len(dungeon.pickups):
        return ["expected what is lost as the number of a pickup, or -1 for the goal"]
    if body.lost != GOAL:
        pickup = dungeon.pickups[body.lost]
        if pickup.place in dungeon.goals:
            if pickup.rule is not None and not is_still(dungeon, pickup):
                return ["what lies on a goal only at times cannot be shown to be lost"]
            changed = one_on_goals(dungeon, [body.lost])
        else:
            changed = one_of(dungeon, [body.lost])
            mark = body.lost if pickup.rule is not None else -1
    found = _taking_violations(dungeon, body, meter)
    if found:
        return found
    board = lay_out(changed, meter)
    steps = _last_two(board, body.walk)
    if isinstance(steps, str):
        return [steps]
    before, after = steps
    left = _left_lying(board, before, after)
    # It is about having it from here on: of what renews, the mark may have been taken before.
    after, left = (replace(state, taken=state.taken - {mark}) for state in (after, left))
    found = [f"with it left lying: {violation}" for violation in goal_violations(board, left, body.plan)]
    return found + closed_set_violations(build_maze(board), after, body.states)


def _taking_violations(dungeon: Dungeon, body: TakenAwayBody, meter: Meter) -> list[str]:
    """Return why the walk's last move takes nothing delicate in the dungeon itself, or what is said to be lost."""
    steps = _last_two(lay_out(dungeon, meter), body.walk)
    if isinstance(steps, str):
        return [steps]
    before, after = steps
    if delicate_pickups(dungeon).isdisjoint(after.taken - before.taken):
        return ["the last move of the walk takes nothing delicate"]
    if body.lost in after.taken:
        return ["what is said to be lost was taken"]
    return []


def _last_two(board: Board, walk: list[str]) -> tuple[State, State] | str:
    """Return the states before and after the last move of a walk, or a sentence why there are none."""
    state = position(board)
    if isinstance(state, str):
        return state
    before = state
    for reached in follow(board, state, walk):
        if isinstance(reached, str):
            return f"the walk: {reached}"
        before, state = state, reached
    return before, state


# all states

Following = dict[State, list[tuple[State, frozenset[int]]]]
"""What can follow each state in one move, and which marks the move takes."""


def _count_violations(dungeon: Dungeon, count: int, meter: Meter) -> list[str]:
    # What renews is never listed as taken: it is played with marks, which are taken off after each move.
    renewing = [number for number, pickup in enumerate(dungeon.pickups) if pickup.renews]
    board = lay_out(with_marks(dungeon, renewing)[0], meter)
    marks = frozenset(number_with_marks(number, renewing) for number in renewing)
    start = position(board)
    if isinstance(start, str):
        return [start]
    delicate = delicate_pickups(board.dungeon)
    following: Following = {}
    pairs: list[tuple[State, State]] = []
    for state in _flood(board, [replace(start, taken=start.taken - marks)], following, marks, count):
        for after, _ in following[state]:
            if not delicate.isdisjoint(after.taken - state.taken):
                pairs.append((after, _left_lying(board, state, after)))
    for _ in _flood(board, [left for _, left in pairs], following, marks, count):
        pass
    if len(following) != count:
        more = "more than " if len(following) > count else ""
        return [f"expected {count} states, found {more}{min(len(following), count)}"]
    had = _can_be_had(board, following)
    for after, left in meter.each(pairs):
        if had[left] & ~had[after]:
            return [f"what is taken at {show_place(dungeon, after.place)} takes something away"]
    return []


def _flood(board: Board, first: list[State], following: Following, marks: frozenset[int], most: int) -> Iterator[State]:
    """Yield the states that follow some, each with what can follow it entered; ends early once there are too many."""
    waiting = list(first)
    while waiting and len(following) <= most:
        board.meter.checkpoint()
        state = waiting.pop()
        if state in following:
            continue
        reached = [take(board, state, move) for move in _moves_at(board, state)]
        following[state] = [
            (replace(after, taken=after.taken - marks), after.taken & marks)
            for after in reached
            if isinstance(after, State)
        ]
        yield state
        waiting += [after for after, _ in following[state]]


def _moves_at(board: Board, state: State) -> list[str]:
    ways = [str(number) for number, way in enumerate(board.dungeon.ways) if way.source == state.place]
    levers = [f"{USE}{n}" for n, switch in enumerate(board.dungeon.switches) if state.place in switch.reach]
    return [*STEPS, *ways, *levers, RETURN]


def _can_be_had(board: Board, following: Following) -> dict[State, int]:
    """Return for each state the pickups taken by then or some time after, as bits, and one more for a goal."""
    goal = 1 << len(board.dungeon.pickups)
    had: dict[State, int] = {}
    before: dict[State, list[State]] = {}
    for state, reached in board.meter.each(following.items()):
        had[state] = goal if state.place in board.goals else 0
        for number in state.taken.union(*(marks for _, marks in reached)):
            had[state] |= 1 << number
        for after, _ in reached:
            before.setdefault(after, []).append(state)
    waiting = list(had)
    while waiting:
        board.meter.checkpoint()
        after = waiting.pop()
        for state in before.get(after, ()):
            if had[after] & ~had[state]:
                had[state] |= had[after]
                waiting.append(state)
    return had
