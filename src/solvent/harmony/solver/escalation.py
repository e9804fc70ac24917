"""Decide a live component with the order encoding, following more and more tiles.

Each limit is a number of moves: the formula follows the tiles that have no more left. Refuting any of them proves NO.
The last one follows every tile, so satisfying it gives a plan.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.sat import SatSolver
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.order import OrderFormula, about_clauses, build_formula, count_events, read_plan
from solvent.proof.trimming import trim_refutation

MAX_EVENTS = 180
"""A formula with more events would have over six million clauses and take a gigabyte."""
MAX_CLAUSES = 12_000_000
"""On large boards a few events can reach many cells, and then have many clauses."""
FIRST_CONFLICTS = 4_000
CONFLICT_GROWTH = 8
"""A limit that is not decided within its conflicts is passed over; the next round allows this many times more."""
TICKS_PER_CONFLICT = 300
MEGABYTES_PER_CLAUSE = 150e-6
"""What one clause takes in the formula, the solver and its watch lists together."""


class Refutation(Struct, frozen=True):
    """Hold a proof that the board cannot be solved, and which tiles it follows."""

    most_moves: int
    proof: str
    """DRUP text, only the steps that matter; empty if no proof was asked for."""


class OrderResult(Struct, frozen=True):
    """Hold a plan for the component, a refutation, or why there is neither."""

    plan: tuple[Swap, ...] | None = None
    refutation: Refutation | None = None
    reason: Reason | None = None
    ticks: int = 0
    """Work done, in units that do not depend on the machine: about one for each clause written."""
    most_moves: int = 0
    """The limit that decided it, or the last one tried."""
    events: int = 0
    clauses: int = 0


class Pace:
    """Keep in step with a solver that runs beside the order encoding. This one runs alone."""

    def publish(self, ticks: int) -> None:
        """Take note of the work done so far, never less than before."""

    def wait(self, clauses: int) -> None:
        """Return when it is time to write a formula of about this size."""


def decide_by_order(
    board: Board,
    component: tuple[int, ...],
    meter: Meter,
    *,
    proof: bool,
    listen: Listener = ignore,
    pace: Pace | None = None,
) -> OrderResult:
    """Decide the component, or say why not. One conflict of the SAT solver is one node."""
    pace = pace or Pace()
    ticks = 0
    limits = _worthwhile_limits(board, component)
    open_limits = [limit for limit in limits if _fits(board, component, limit)]
    too_many = Reason(Cause.INCOMPLETE, f"more than {MAX_EVENTS} moves to follow")
    last = OrderResult(reason=too_many)
    some_left_out = len(open_limits) < len(limits)
    conflicts = FIRST_CONFLICTS
    while open_limits:
        undecided = []
        for limit in open_limits:
            events = count_events(board, component, limit)
            pace.wait(events**3)
            moves = "one move" if limit == 1 else f"up to {limit} moves"
            listen(Event(Kind.STAGE, f"following tiles with {moves}", meter.nodes))
            needed = events**3 * MEGABYTES_PER_CLAUSE
            reason = meter.stop_reason() or meter.memory_reason(needed, f"following {events} moves")
            if reason is not None:
                return OrderResult(reason=reason, ticks=ticks, most_moves=limit, events=events)
            formula = build_formula(board, component, limit)
            ticks += len(formula.clauses)
            pace.publish(ticks)
            with SatSolver(formula.clauses, with_proof=proof) as solver:
                reason, spent = _solve_within(solver, conflicts, meter, pace, ticks)
                ticks += spent
                pace.publish(ticks)
                last = _read_result(solver, formula, limit, reason, ticks, proof=proof)
                decided = solver.verdict is not None
            if last.plan is not None or last.refutation is not None or reason is not None:
                return last
            if not decided:
                undecided.append(limit)
        open_limits = undecided
        conflicts *= CONFLICT_GROWTH
    return replace(last, reason=too_many) if some_left_out else last


def _fits(board: Board, component: tuple[int, ...], most_moves: int) -> bool:
    """Tell whether the formula of a limit can be written; the checker has to write it too."""
    few_events = count_events(board, component, most_moves) <= MAX_EVENTS
    return few_events and about_clauses(board, component, most_moves) <= MAX_CLAUSES


def _worthwhile_limits(board: Board, component: tuple[int, ...]) -> list[int]:
    """Return the limits to try, smallest first: the last, and those that have clearly fewer events than the next.

    A limit that follows nearly as many tiles as the next costs as much and shows less.
    """
    limits = sorted({board.moves[cell] for cell in component})
    events = [count_events(board, component, limit) for limit in limits]
    pairs = zip(limits, pairwise(events), strict=False)
    return [*(limit for limit, (here, following) in pairs if here * 1.25 <= following), limits[-1]]


def _read_result(
    solver: SatSolver, formula: OrderFormula, most_moves: int, reason: Reason | None, ticks: int, *, proof: bool
) -> OrderResult:
    plan = refutation = None
    if solver.verdict is False:
        refutation = Refutation(most_moves, trim_refutation(formula.clauses, solver.proof()) if proof else "")
    elif solver.verdict is True and formula.exact:
        plan = read_plan(formula, solver.model())
    return OrderResult(plan, refutation, reason, ticks, most_moves, len(formula.events), len(formula.clauses))


def _solve_within(solver: SatSolver, conflicts: int, meter: Meter, pace: Pace, ticks: int) -> tuple[Reason | None, int]:
    """Let the solver use up to this many conflicts.

    Returns why the whole search must stop, or None if it need not, and the ticks used on top of those before.
    """
    part = meter.part(nodes=conflicts)
    _, reason = solver.solve(part, listen=lambda event: pace.publish(ticks + event.nodes * TICKS_PER_CONFLICT))
    if reason is not None:
        only_this_part = reason.cause is Cause.NODES and meter.nodes_left != 0
        reason = None if only_this_part else meter.stop_reason() or reason
    return reason, part.nodes * TICKS_PER_CONFLICT
