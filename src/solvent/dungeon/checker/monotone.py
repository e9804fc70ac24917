"""Check whether taking something never takes access away.

What is asked: for each state that can come about, and each move from it that takes something *delicate*, compare the
state after it with the same state if nothing had been taken by that move. Whatever can be taken from the second on, or
was by then, must be so from the first on; and if a goal can be reached from the second, so it must from the first.

A pickup is delicate if a requirement asks not to have it: a `Have` of its name, or for monsters a `Cleared` of their
room, under an odd number of `Not`. So is a key or bombs taken for good where others of the same fill up what is in hand.
If no pickup is delicate there is no such move, and nothing to compare. But that is not why it is true that nothing is
lost then: a state with more taken can make every move that the same state with less can, since all requirements that
hold for less hold for more; gates are opened with no fewer keys and bombs; and what follows compares likewise.

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
from solvent.dungeon.checker.certificate_schema import Ruled
from solvent.dungeon.checker.closed_set import closed_set_violations
from solvent.dungeon.checker.derived import leaves, one_of, only_goals, rules_of, with_marks
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.plan import goal_violations
from solvent.dungeon.checker.play import Board, State, follow, inside, lay_out, position, take
from solvent.dungeon.model import RETURN, STEPS, USE, Cleared, Dungeon, Have, Pickup

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
        delicate = delicate_pickups(dungeon)
        return [f"taking pickup {min(delicate)} can make a rule fail"] if delicate else []
    if certificate["form"] == "all states":
        return _count_violations(dungeon, msgspec.convert(certificate, AllStatesBody).count, meter)
    return _loss_violations(dungeon, msgspec.convert(certificate, TakenAwayBody), meter)


def delicate_pickups(dungeon: Dungeon) -> set[int]:
    """Return the numbers of the pickups of which taking can take something away."""
    unwanted = [leaf for rule in rules_of(dungeon) for leaf, wanted in leaves(rule) if not wanted]
    rooms = [room for room in dungeon.rooms if Cleared(room.name) in unwanted]
    haves = [leaf for leaf in unwanted if isinstance(leaf, Have)]
    found = set()
    for number, pickup in enumerate(dungeon.pickups):
        if pickup.kind == "monster":
            is_delicate = any(inside(pickup.place, room) for room in rooms)
        else:
            is_delicate = any(_is_alike(pickup, have.what, have.name) for have in haves)
            if not pickup.renews and pickup.kind != "item":
                others = [other for other in dungeon.pickups if other.renews]
                is_delicate = is_delicate or any(_is_alike(pickup, other.kind, other.name) for other in others)
        if is_delicate:
            found.add(number)
    return found


def _is_alike(pickup: Pickup, kind: str, name: str) -> bool:
    return pickup.kind == kind and (kind == "bombs" or pickup.name == name)


def _left_lying(board: Board, before: State, after: State) -> State:
    """Return the state after a move if nothing had been taken by it."""
    return replace(after, taken=before.taken)


def _takes_delicate(delicate: set[int], board: Board, before: State, after: State) -> bool:
    return not delicate.isdisjoint(after.taken - before.taken)


# a loss


def _loss_violations(dungeon: Dungeon, body: TakenAwayBody, meter: Meter) -> list[str]:
    if not body.walk:
        return ["expected a walk, of which the last move takes something"]
    if body.lost == GOAL:
        changed = dungeon
    elif not 0 <= body.lost < len(dungeon.pickups):
        return ["expected what is lost as the number of a pickup, or -1 for the goal"]
    elif dungeon.pickups[body.lost].place in dungeon.goals:
        if dungeon.pickups[body.lost].rule is not None:
            return ["what lies on a goal only at times cannot be shown to be lost"]
        changed = only_goals(dungeon, [dungeon.pickups[body.lost].place])
    else:
        changed = one_of(dungeon, [body.lost])
    # In the dungeon itself: what the last move takes, and that it is a play of this dungeon.
    found = _taking_violations(dungeon, body, meter)
    if found:
        return found
    board = lay_out(changed, meter)
    before, after = _last_two(board, body.walk)
    if isinstance(after, str):
        return [after]
    assert isinstance(before, State)
    found = [
        f"with it left lying: {violation}"
        for violation in goal_violations(board, _left_lying(board, before, after), body.plan)
    ]
    return found + closed_set_violations(build_maze(board), after, body.states)


def _taking_violations(dungeon: Dungeon, body: TakenAwayBody, meter: Meter) -> list[str]:
    board = lay_out(dungeon, meter)
    before, after = _last_two(board, body.walk)
    if isinstance(after, str):
        return [after]
    assert isinstance(before, State)
    if not _takes_delicate(delicate_pickups(dungeon), board, before, after):
        return ["the last move of the walk takes nothing delicate"]
    if body.lost in after.taken:
        return ["what is said to be lost was taken"]
    return []


def _last_two(board: Board, walk: list[str]) -> tuple[State | str, State | str]:
    """Return the states before and after the last move of a walk, or a sentence why there are none."""
    before = after = position(board)
    if isinstance(after, str):
        return after, after
    for reached in follow(board, after, walk):
        if isinstance(reached, str):
            return reached, f"the walk: {reached}"
        before, after = after, reached
    return before, after


# all states


def _count_violations(dungeon: Dungeon, count: int, meter: Meter) -> list[str]:
    # A pickup that renews is never listed as taken; its mark is.
    board = lay_out(with_marks(dungeon, [n for n, p in enumerate(dungeon.pickups) if p.renews])[0], meter)
    start = position(board)
    if isinstance(start, str):
        return [start]
    delicate = delicate_pickups(board.dungeon)
    following: dict[State, list[State]] = {}
    pairs: list[tuple[State, State]] = []
    for state in _flood(board, [start], following, count):
        for after in following[state]:
            left = _left_lying(board, state, after)
            if left != after and _takes_delicate(delicate, board, state, after):
                pairs.append((after, left))
    for _ in _flood(board, [left for _, left in pairs], following, count):
        pass
    if len(following) != count:
        more = "more than " if len(following) > count else ""
        return [f"expected {count} states, found {more}{min(len(following), count)}"]
    had = _can_be_had(board, following)
    for after, left in meter.each(pairs):
        if had[left] & ~had[after]:
            return [f"taking something at {after.place} takes something away"]
    return []


def _flood(board: Board, first: list[State], following: dict[State, list[State]], most: int) -> Iterator[State]:
    """Yield the states that follow some, each with what can follow it entered; ends early once there are too many."""
    waiting = list(first)
    while waiting and len(following) <= most:
        board.meter.checkpoint()
        state = waiting.pop()
        if state in following:
            continue
        reached = [take(board, state, move) for move in _moves_at(board, state)]
        following[state] = [after for after in reached if isinstance(after, State)]
        yield state
        waiting += following[state]


def _moves_at(board: Board, state: State) -> list[str]:
    ways = [str(number) for number, way in enumerate(board.dungeon.ways) if way.source == state.place]
    levers = [f"{USE}{n}" for n, switch in enumerate(board.dungeon.switches) if state.place in switch.reach]
    return [*STEPS, *ways, *levers, RETURN]


def _can_be_had(board: Board, following: dict[State, list[State]]) -> dict[State, int]:
    """Return for each state the pickups taken by then or some time after, as bits, and one more for a goal."""
    goal = 1 << len(board.dungeon.pickups)
    had = {
        state: sum(1 << number for number in state.taken) | (goal if state.place in board.goals else 0)
        for state in following
    }
    before: dict[State, list[State]] = {}
    for state, reached in following.items():
        for after in reached:
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
