"""Follow a plan step by step: the certificate of "it can be done"."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from solvent.core.budget import UNLIMITED, Meter

State = TypeVar("State")
Move = TypeVar("Move")


def replay_violations(
    start: State,
    plan: Iterable[Move],
    *,
    take: Callable[[State, Move], State | str],
    goal_violations: Callable[[State], Iterable[str]],
    meter: Meter = UNLIMITED,
) -> list[str]:
    """Return why the plan does not lead from the start to the goal, or an empty list.

    `take` returns the state after a move, or a sentence that says which rule the move breaks; replay stops there,
    because nothing after a broken rule means anything. `goal_violations` lists what the last state still lacks.
    """
    state = start
    for number, move in enumerate(plan, start=1):
        meter.checkpoint()
        reached = take(state, move)
        if isinstance(reached, str):
            return [f"step {number}: {reached}"]
        state = reached
    return list(goal_violations(state))
