"""Show that a goal can never be reached: a set of states that contains the start, no goal, and every successor."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from solvent.core.budget import UNLIMITED, Meter

State = TypeVar("State", bound=Hashable)

MAX_VIOLATIONS_LISTED = 20


def closed_set_violations(
    states: Iterable[State],
    start: State,
    *,
    successors: Callable[[State], Iterable[State]],
    is_goal: Callable[[State], bool],
    show: Callable[[State], str] = str,
    meter: Meter = UNLIMITED,
) -> list[str]:
    """Return why the set does not show that no goal is reachable from the start, or an empty list.

    It does when it contains the start, contains no goal, and each move from a state in it leads to a state in it.
    """
    members = set(meter.each(states, every=100))
    found = []
    if start not in members:
        found.append(f"the set does not contain the start {show(start)}")
    for state in members:
        meter.checkpoint()
        if len(found) >= MAX_VIOLATIONS_LISTED:
            found.append("and more")
            break
        if is_goal(state):
            found.append(f"the set contains a goal, {show(state)}")
        for reached in successors(state):
            if reached not in members:
                found.append(f"a move leads from {show(state)} out of the set to {show(reached)}")
                break
    return found
