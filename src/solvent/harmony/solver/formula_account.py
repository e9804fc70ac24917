"""What a formula costs in nodes, so that it can share one limit with the other parts of the solver.

A clause that is written counts as one node, and a conflict of the SAT solver as many: about as long as a board that is
visited or a change that is proposed takes, and NODES_PER_CONFLICT times that.
"""

from __future__ import annotations

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Listener, ignore
from solvent.engine.sat import SatSolver

NODES_PER_CONFLICT = 300
MEGABYTES_PER_CLAUSE = 150e-6
"""What one clause takes in the formula, the solver and its watch lists together."""


def pay_for_clauses(clauses: int, meter: Meter, purpose: str) -> Reason | None:
    """Book the clauses of a formula before it is written, or say why it must not be."""
    left = meter.nodes_left
    if left is not None and clauses > left:
        meter.spend(left)  # nothing else can be done with so few
        return meter.stop_reason()
    reason = meter.memory_reason(clauses * MEGABYTES_PER_CLAUSE, purpose)
    if reason is None:
        meter.spend(clauses)
    return reason


def solve_formula(
    solver: SatSolver, meter: Meter, *, most_conflicts: int | None = None, listen: Listener = ignore
) -> Reason | None:
    """Let the solver use what the budget allows, and at most so many conflicts.

    Returns why the whole search must stop, or None if it need not: the solver has a verdict, or it has used up its
    conflicts. Events tell the nodes of the whole search.
    """
    reason = solver.load(meter.fork(None))  # the clauses are paid for
    if reason is not None or solver.verdict is not None:
        return reason
    before, left = meter.nodes, meter.nodes_left
    affordable = None if left is None else left // NODES_PER_CONFLICT
    limits = [limit for limit in (affordable, most_conflicts) if limit is not None]
    part = meter.fork(min(limits, default=None))

    def tell(event: Event) -> None:
        listen(Event(event.kind, event.message, before + NODES_PER_CONFLICT * event.nodes))

    _, reason = solver.solve(part, listen=tell)
    meter.spend(NODES_PER_CONFLICT * part.nodes)
    if reason is None or reason.cause is not Cause.NODES:
        return reason
    if affordable is not None and part.nodes >= affordable:
        meter.spend(meter.nodes_left or 0)  # what is left does not buy another conflict
    return meter.stop_reason()
