"""Decide a live component with the order encoding, following more and more tiles.

Refuting any grade proves NO. The last grade follows every tile, so satisfying it gives a plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Budget, Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.sat import SatSolver
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.order import OrderFormula, build_formula, count_events, read_plan

MOST_EVENTS = 256
"""A formula with more events would have tens of millions of clauses."""
FIRST_CONFLICTS = 4_000
CONFLICT_GROWTH = 8
"""A grade that is not decided within its conflicts is passed over; the next round allows this many times more."""
TICKS_PER_CONFLICT = 300
MEGABYTES_PER_CLAUSE = 150e-6
"""What one clause takes in the formula, the solver and its watch lists together."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """Hold a proof that the board cannot be solved, and which tiles it follows."""

    most_moves: int
    proof: str
    """DRUP text; empty if no proof was asked for."""


@dataclass(frozen=True, slots=True)
class OrderResult:
    """Hold a plan for the component, a refutation, or why there is neither."""

    plan: tuple[Swap, ...] | None = None
    refutation: Refutation | None = None
    reason: Reason | None = None
    ticks: int = 0
    """Work done, in units that do not depend on the machine: about one for each clause written."""
    grade: int = 0
    """The grade that decided it, or the last one tried."""
    events: int = 0
    clauses: int = 0


def decide_by_order(
    board: Board,
    component: tuple[int, ...],
    meter: Meter,
    *,
    proof: bool,
    listen: Listener = ignore,
    publish: Callable[[int], None] = lambda _ticks: None,
) -> OrderResult:
    """Decide the component, or say why not. One conflict of the SAT solver is one node.

    `publish` is told the ticks now and then, never fewer than before.
    """
    ticks = 0
    grades = sorted({board.moves[cell] for cell in component})
    possible = [grade for grade in grades if count_events(board, component, grade) <= MOST_EVENTS]
    conflicts = FIRST_CONFLICTS
    last = OrderResult(reason=Reason(Cause.INCOMPLETE, f"more than {MOST_EVENTS} moves to follow"))
    open_grades = list(possible)
    while open_grades:
        undecided = []
        for grade in open_grades:
            events = count_events(board, component, grade)
            listen(Event(Kind.STAGE, f"following tiles with up to {grade} moves", meter.nodes))
            reason = meter.stop_reason() or _memory_reason(meter, events)
            if reason is not None:
                return OrderResult(reason=reason, ticks=ticks, grade=grade, events=events)
            formula = build_formula(board, component, grade)
            ticks += len(formula.clauses)
            publish(ticks)
            with SatSolver(formula.clauses, with_proof=proof) as solver:
                reason, spent = _solve_within(solver, conflicts, meter, partial(_publish_more, publish, ticks))
                ticks += spent
                publish(ticks)
                last = _read_result(solver, formula, grade, reason, ticks, proof=proof)
            if last.plan is not None or last.refutation is not None or reason is not None:
                return last
            if solver.verdict is None:
                undecided.append(grade)
        open_grades = undecided
        conflicts *= CONFLICT_GROWTH
    if len(possible) < len(grades):
        return OrderResult(
            reason=Reason(Cause.INCOMPLETE, f"more than {MOST_EVENTS} moves to follow"), ticks=ticks, grade=last.grade
        )
    return last


def _publish_more(publish: Callable[[int], None], ticks: int, more: int) -> None:
    publish(ticks + more)


def _read_result(
    solver: SatSolver, formula: OrderFormula, grade: int, reason: Reason | None, ticks: int, *, proof: bool
) -> OrderResult:
    plan = refutation = None
    if solver.verdict is False:
        refutation = Refutation(grade, solver.proof() if proof else "")
    elif solver.verdict is True and formula.exact:
        plan = read_plan(formula, solver.model())
    return OrderResult(plan, refutation, reason, ticks, grade, len(formula.events), len(formula.clauses))


def _solve_within(
    solver: SatSolver, conflicts: int, meter: Meter, publish: Callable[[int], None]
) -> tuple[Reason | None, int]:
    """Let the solver use up to this many conflicts.

    Returns why the whole search must stop, or None if it need not, and the ticks used.
    """
    left = meter.nodes_left
    allowed = conflicts if left is None else min(conflicts, left)
    share = Meter(Budget(seconds=meter.seconds_left, nodes=allowed), meter.cancellation)
    _, reason = solver.solve(share, listen=lambda event: publish(event.nodes * TICKS_PER_CONFLICT))
    meter.spend(share.nodes)
    if reason is not None:
        only_this_share = reason.cause is Cause.NODES and meter.nodes_left != 0
        reason = None if only_this_share else meter.stop_reason() or reason
    return reason, share.nodes * TICKS_PER_CONFLICT


def _memory_reason(meter: Meter, events: int) -> Reason | None:
    """Tell before building it whether a formula would be too large for the budget."""
    room = meter.megabytes_left
    needed = events**3 * MEGABYTES_PER_CLAUSE
    if room is not None and needed > room:
        return Reason(Cause.MEMORY, f"following {events} moves needs about {needed:.0f} MB")
    return None
