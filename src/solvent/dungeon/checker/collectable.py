"""Check whether everything can be had in one play: a plan that has it all, or closed sets that show there is none.

A plan is followed in the dungeon itself, and what was taken by its end is looked at. For a NO, the goals are put in
groups, and for each group there is a closed set of the dungeon in which only these are goals, and ask for everything
first; `derived` says why that is the same. Where the game is over already, nothing more can be taken.
"""

from __future__ import annotations

from typing import Any

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.certificate_schema import PlanBody, Ruled
from solvent.dungeon.checker.closed_set import easier_set_violations
from solvent.dungeon.checker.derived import with_all_first
from solvent.dungeon.checker.play import State, follow, lay_out, position, show_place
from solvent.dungeon.checker.waiving import waiving_violations
from solvent.dungeon.model import Dungeon, Place


class GoalsClosed(msgspec.Struct, forbid_unknown_fields=True):
    """Hold some goals, and situations that show that none of them is reached with everything in hand."""

    goals: list[Place]
    states: list[Any]
    waived: list[int] = []
    """Numbers of gates that stand open and take nothing where the situations are."""


class ClosedSetsBody(Ruled):
    """Hold what shows for each goal that it is not reached with everything in hand."""

    sets: list[GoalsClosed]


def check(dungeon: Dungeon, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return why the certificate does not show what it claims, or an empty list."""
    meter.checkpoint()
    if certificate["form"] == "plan":
        return _plan_violations(dungeon, msgspec.convert(certificate, PlanBody).plan, meter)
    body = msgspec.convert(certificate, ClosedSetsBody)
    board = lay_out(dungeon, meter)
    state = position(board)
    if isinstance(state, str):
        return [state]
    if state.place in board.goals:
        return [] if set(wanted_pickups(dungeon)) - state.taken else ["the game is over, and everything was taken"]
    missing = set(dungeon.goals).difference(*(each.goals for each in body.sets)) if body.sets else set(dungeon.goals)
    found = [f"nothing is said of the goal at {show_place(dungeon, goal)}" for goal in sorted(missing)]
    for number, each in enumerate(meter.each(body.sets, every=1)):
        if not each.goals or not set(each.goals) <= board.goals:
            found.append(f"set {number}: expected goals of the dungeon, each at its place")
            continue
        found += [f"set {number}: {violation}" for violation in _set_violations(dungeon, each, meter)]
    return found


def wanted_pickups(dungeon: Dungeon) -> list[int]:
    """Return the numbers of the items that the question is about."""
    named = dungeon.rules.collect
    items = [number for number, pickup in enumerate(dungeon.pickups) if pickup.kind == "item"]
    return [number for number in items if dungeon.pickups[number].name in named] if named else items


def _plan_violations(dungeon: Dungeon, plan: list[str], meter: Meter) -> list[str]:
    board = lay_out(dungeon, meter)
    state = position(board)
    if isinstance(state, str):
        return [state]
    for reached in follow(board, state, plan):
        if isinstance(reached, str):
            return [reached]
        state = reached
    found = []
    if state.place not in board.goals:
        found.append(f"the moves end at {show_place(dungeon, state.place)}, which is no goal")
    for number in wanted_pickups(dungeon):
        if number not in state.taken:
            pickup = dungeon.pickups[number]
            found.append(f"{pickup.name} at {show_place(dungeon, pickup.place)} is left behind")
    return found


def _set_violations(dungeon: Dungeon, each: GoalsClosed, meter: Meter) -> list[str]:
    names = {dungeon.pickups[number].name for number in wanted_pickups(dungeon)}
    # Several goals at once may each have something on them: then none of it can be asked for before.
    changed = lay_out(with_all_first(dungeon, names, each.goals), meter)
    start = position(changed)
    if not isinstance(start, State):
        return [start]
    wrong = waiving_violations(changed.dungeon, each.waived)
    return wrong or easier_set_violations(changed, start, each.states, each.waived)
