"""Breadth-first search over the states of the lamps.

It finds a shortest plan, or all states there are; the latter is the proof that no plan exists.

Not used here, though true: the order of presses does not matter and pressing twice changes nothing, so lamps is a
system of linear equations over two values, solved at once by elimination. Most puzzles have no such shortcut, and this
one is here to show what a search looks like.
"""

from __future__ import annotations

from collections import deque

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.domain import Request
from solvent.core.events import Event, Kind
from solvent.proof.certificate import make_certificate
from template_domain.model import Grid
from template_domain.notation import format_cell, format_lamps
from template_domain.rules import all_lit, pack, press_masks, unpack

NODES_BETWEEN_NEWS = 1024


def solve(problem: Grid, request: Request) -> Finding:
    """Find a shortest plan or every reachable state. A node is one state whose presses have all been tried."""
    meter = request.budget.start()
    most_states: int = request.options["states"]
    request.listen(Event(Kind.STAGE, "searching breadth first"))

    start, goal, masks = pack(problem), all_lit(problem), press_masks(problem)
    pressed: dict[int, int | None] = {start: None}  # each state reached, and the cell whose press first led there
    waiting = deque([start])
    # Having the goal, or nothing left to try, is an answer even if the budget ran out at that very moment: so both
    # are looked at before the budget.
    while goal not in pressed and waiting:
        reason = meter.stop_reason()
        if reason is None and len(pressed) > most_states:
            reason = Reason(Cause.MEMORY, f"more than {most_states} states")
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats={"nodes": meter.nodes, "states": len(pressed)})
        state = waiting.popleft()
        for cell, mask in enumerate(masks):
            if state ^ mask not in pressed:
                pressed[state ^ mask] = cell
                waiting.append(state ^ mask)
        meter.spend(1)
        if meter.nodes % NODES_BETWEEN_NEWS == 0:
            request.listen(Event(Kind.PROGRESS, "searching breadth first", meter.nodes))

    stats = {"nodes": meter.nodes, "states": len(pressed)}
    if goal in pressed:
        plan = _plan(problem, pressed, masks, goal)
        return Finding(
            Verdict.YES,
            make_certificate(problem.domain, request.question, Verdict.YES, "plan", plan=plan),
            stats={**stats, "plan_length": len(plan)},
        )
    if not request.proof:
        return Finding(Verdict.NO, stats=stats)
    # Sorted, so that the bytes depend on the instance and not on the way it was searched.
    states = sorted(format_lamps(unpack(state, len(problem.lit))) for state in pressed)
    return Finding(
        Verdict.NO,
        make_certificate(problem.domain, request.question, Verdict.NO, "closed set", states=states),
        stats=stats,
    )


def _plan(problem: Grid, pressed: dict[int, int | None], masks: list[int], goal: int) -> list[str]:
    """Walk back from the goal to the start; a press undoes itself."""
    plan = []
    state = goal
    while (cell := pressed[state]) is not None:
        plan.append(format_cell(problem, cell))
        state ^= masks[cell]
    return plan[::-1]
