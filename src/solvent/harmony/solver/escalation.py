"""Decide a live component with the order encoding, following more and more tiles.

Each limit is a number of moves: the formula follows the tiles that have no more left. Refuting any of them proves NO.
The last one follows every tile, so satisfying it gives a plan.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate, pairwise

from msgspec import Struct
from msgspec.structs import replace

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.sat import SatSolver
from solvent.harmony.model import Board, Swap
from solvent.harmony.solver.formula_account import NODES_PER_CONFLICT, pay_for_clauses, solve_formula
from solvent.harmony.solver.order import FormulaDraft, OrderFormula, about_clauses, count_events, read_plan
from solvent.proof.trimming import trim_refutation

MAX_EVENTS = 180
"""A formula with more events would have over six million clauses and take a gigabyte."""
MAX_CLAUSES = 12_000_000
"""On large boards a few events can reach many cells, and then have many clauses."""
FIRST_CONFLICTS = 4_000
CONFLICT_GROWTH = 8
"""A limit that is not decided within its conflicts is passed over; the next round allows this many times more. One that
is alone in being open need not make way for any other."""


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
    nodes: int = 0
    """Work done, in units that do not depend on the machine; `formula_account` says what they are."""
    conflicts: int = 0
    """Conflicts of the SAT solver, all formulas together."""
    most_moves: int = 0
    """The limit that decided it, or the last one tried."""
    events: int = 0
    clauses: int = 0


class Pace:
    """Keep in step with a solver that runs beside the order encoding. This one runs alone."""

    def publish(self, nodes: int) -> None:
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
    """Decide the component, or say why not. One clause is one node, a conflict of the SAT solver many."""
    pace = pace or Pace()
    limits = _worthwhile_limits(board, component)
    open_limits = [limit for limit in meter.each(limits, every=1) if _fits(board, component, limit)]
    too_many = Reason(Cause.INCOMPLETE, f"more than {MAX_EVENTS} moves to follow")
    last = OrderResult(reason=too_many)
    some_left_out = len(open_limits) < len(limits)
    attempt = _Attempt(board, component, meter, proof=proof, listen=listen, pace=pace)
    conflicts = FIRST_CONFLICTS
    while open_limits:
        undecided: list[int] = []
        for limit in open_limits:
            is_alone = not undecided and limit == open_limits[-1]
            last = attempt.follow(limit, None if is_alone else conflicts)
            if last.plan is not None or last.refutation is not None or last.reason is not None:
                return last
            if not attempt.decided:
                undecided.append(limit)
        open_limits = undecided
        conflicts *= CONFLICT_GROWTH
    return replace(last, reason=too_many) if some_left_out else last


class _Attempt:
    """Try one limit after the other, and keep count of the work."""

    def __init__(
        self, board: Board, component: tuple[int, ...], meter: Meter, *, proof: bool, listen: Listener, pace: Pace
    ) -> None:
        self._board, self._component, self._meter = board, component, meter
        self._proof, self._listen, self._pace = proof, listen, pace
        self._began = meter.nodes
        self._conflicts = 0
        self.decided = False
        """Whether the SAT solver decided the last formula, whatever that says about the board."""

    def follow(self, limit: int, most_conflicts: int | None) -> OrderResult:
        """Follow the tiles with up to so many moves, for so many conflicts or as long as the budget allows."""
        self.decided = False
        meter, board, component = self._meter, self._board, self._component
        events = count_events(board, component, limit)
        so_far = OrderResult(nodes=self._nodes(), conflicts=self._conflicts, most_moves=limit, events=events)
        self._pace.wait(events**3)
        moves = "one move" if limit == 1 else f"up to {limit} moves"
        self._listen(Event(Kind.STAGE, f"following tiles with {moves}", meter.nodes))
        reason = meter.stop_reason()
        if reason is not None:
            return replace(so_far, reason=reason)
        draft = FormulaDraft(board, component, limit, meter)
        reason = pay_for_clauses(draft.clauses, meter, f"following {events} moves")
        self._pace.publish(self._nodes())
        if reason is not None:
            return replace(so_far, reason=reason, nodes=self._nodes())
        formula = draft.write(meter)
        with SatSolver(formula.clauses, with_proof=self._proof) as solver:
            before = meter.nodes
            reason = solve_formula(solver, meter, most_conflicts=most_conflicts, listen=self._tell)
            self._conflicts += (meter.nodes - before) // NODES_PER_CONFLICT
            self._pace.publish(self._nodes())
            self.decided = solver.verdict is not None
            result = replace(so_far, reason=reason, nodes=self._nodes(), clauses=len(formula.clauses))
            result = replace(result, conflicts=self._conflicts)
            return _with_verdict(result, solver, formula, meter, proof=self._proof)

    def _nodes(self) -> int:
        return self._meter.nodes - self._began

    def _tell(self, event: Event) -> None:
        self._pace.publish(event.nodes - self._began)
        self._listen(event)


def _with_verdict(
    result: OrderResult, solver: SatSolver, formula: OrderFormula, meter: Meter, *, proof: bool
) -> OrderResult:
    """Add what the solver's verdict means for the board."""
    if solver.verdict is False:
        trimmed = trim_refutation(formula.clauses, solver.proof(), meter) if proof else ""
        return replace(result, refutation=Refutation(result.most_moves, trimmed))
    if solver.verdict is True and formula.exact:
        return replace(result, plan=read_plan(formula, solver.model()))
    return result


def _fits(board: Board, component: tuple[int, ...], most_moves: int) -> bool:
    """Tell whether the formula of a limit can be written; the checker has to write it too."""
    few_events = count_events(board, component, most_moves) <= MAX_EVENTS
    return few_events and about_clauses(board, component, most_moves) <= MAX_CLAUSES


def _worthwhile_limits(board: Board, component: tuple[int, ...]) -> list[int]:
    """Return the limits to try, smallest first: the last, and those that have clearly fewer events than the next.

    A limit that follows nearly as many tiles as the next costs as much and shows less.
    """
    tiles = Counter(board.moves[cell] for cell in component)
    limits = sorted(tiles)
    events = list(accumulate(limit * tiles[limit] for limit in limits))
    pairs = zip(limits, pairwise(events), strict=False)
    return [*(limit for limit, (here, following) in pairs if here * 1.25 <= following), limits[-1]]
