"""Each way to solve a board, from the whole portfolio to a single part, as a function from board to finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.core.errors import BadOption, LimitReached
from solvent.core.events import Event, Kind
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.model import Board, Swap
from solvent.harmony.rules import is_solved
from solvent.harmony.solver.certificates import (
    closed_set_certificate,
    describe_refutation,
    invariant_certificate,
    plan_certificate,
    refutation_certificate,
)
from solvent.harmony.solver.invariants import find_broken_invariant
from solvent.harmony.solver.reduction import Reduction, keep_component, live_components, reduce_board

if TYPE_CHECKING:
    from solvent.harmony.solver.dfs import Strategy
    from solvent.harmony.solver.escalation import Refutation
    from solvent.harmony.solver.race import RaceResult

QUICK_BOARDS = 20_000
"""Boards the depth-first search may visit before the stronger parts take over: about ten milliseconds."""
QUICK_BOARDS_WITHOUT_TABLE = 2_000
"""The same for boards too large for the table of visited boards, which it seldom decides. Never less than twice the
number of swaps, so that one line of play can be tried to its end."""


def by_portfolio(board: Board, request: Request, meter: Meter) -> Finding:
    """Use every part in turn."""
    meter.checkpoint()
    reduction = reduce_board(board)
    broken = find_broken_invariant(reduction, meter)
    if broken is not None:
        return Finding(
            Verdict.NO,
            invariant_certificate(board, reduction.forced, broken),
            because=broken.because,
            stats={"answered_by": "invariant", "rule": broken.rule, "nodes": 0},
        )
    stats: dict[str, Any] = {"nodes": 0, "swaps": board.swaps, "forced": len(reduction.forced)}
    if not reduction.components:  # a solvable board whose every swap was forced
        certificate = plan_certificate(board, reduction.forced)
        return Finding(Verdict.YES, certificate, stats=stats | {"answered_by": "forced swaps"})
    coordinator = _tests_for(request)
    plan: list[Swap] = list(reduction.forced)
    unknown: Reason | None = None
    for component in reduction.components:
        finding: tuple[Swap, ...] | Finding | Reason
        try:
            finding = _by_stages(board, reduction, component, request, meter, coordinator, stats)
        except LimitReached as limit:  # told with what was counted until then
            finding = limit.reason
        stats["nodes"] = meter.nodes
        if isinstance(finding, Reason):
            unknown = unknown or finding
        elif isinstance(finding, Finding):
            return _with_stats(finding, stats, coordinator)
        else:
            plan.extend(finding)
    if unknown is not None:
        return _with_stats(Finding(Verdict.UNKNOWN, reason=unknown), stats, coordinator)
    return _with_stats(Finding(Verdict.YES, plan_certificate(board, plan, meter)), stats, coordinator)


def _by_stages(
    board: Board,
    reduction: Reduction,
    component: tuple[int, ...],
    request: Request,
    meter: Meter,
    coordinator: InvalidityTestCoordinator[Board],
    stats: dict[str, Any],
) -> tuple[Swap, ...] | Finding | Reason:
    """Decide one live component: a plan for it, a finding that the board cannot be solved, or why neither."""
    from solvent.harmony.solver.dfs import has_exact_keys, search
    from solvent.harmony.solver.race import run_race

    part = keep_component(reduction.board, component)
    reason = meter.stop_reason()
    if reason is not None:
        return reason
    most_boards = max(2 * part.swaps, QUICK_BOARDS if has_exact_keys(part) else QUICK_BOARDS_WITHOUT_TABLE)
    quick = meter.part(nodes=most_boards)
    result = search(part, quick, coordinator, strategy=_strategy_of(request), listen=request.listen)
    stats["boards"] = stats.get("boards", 0) + result.boards
    if result.plan is not None:
        stats["answered_by"] = "dfs"
        return result.plan
    if result.exhausted and not _users_tests_that_fired(request, coordinator):
        stats["answered_by"] = "dfs"
        return _certify_exhausted(board, reduction, component, request, meter)
    if result.exhausted:  # by tests of the user, which prove nothing: only a certificate does
        certified = _certify_by_closed_set(board, reduction, request, meter)
        if certified is not None:
            stats["answered_by"] = "dfs"
            return certified
    reason = meter.stop_reason()
    if reason is not None:
        return reason
    race = run_race(
        reduction.board, component, meter, seed=request.options["seed"], proof=request.proof, listen=request.listen
    )
    _book_race(race, stats)
    if race.winner == "annealing" and race.annealing is not None and race.annealing.plan is not None:
        return race.annealing.plan
    if race.winner == "order" and race.order is not None:
        if race.order.plan is not None:
            return race.order.plan
        if race.order.refutation is not None:
            return _refuted(board, reduction.forced, component, race.order.refutation, request)
    assert race.annealing is not None
    assert race.order is not None
    # The reason of the whole comes first: a part's own names the part's limit.
    return meter.stop_reason() or race.annealing.reason or race.order.reason or Reason(Cause.INCOMPLETE)


def _book_race(race: RaceResult, stats: dict[str, Any]) -> None:
    """Count the winner's work only: how far the other one got depends on the machine."""
    if race.winner is not None:
        stats["answered_by"] = race.winner
    if race.winner != "order":
        stats["proposals"] = stats.get("proposals", 0) + race.proposals
    if race.winner != "annealing":
        stats["conflicts"] = stats.get("conflicts", 0) + race.conflicts
        if race.order is not None:
            stats["order_grade"], stats["order_clauses"] = race.order.most_moves, race.order.clauses


def _refuted(
    board: Board, forced: tuple[Swap, ...], component: tuple[int, ...], refutation: Refutation, request: Request
) -> Finding:
    """Claim NO by a refutation, with its certificate if one was asked for."""
    certificate = refutation_certificate(board, forced, component, refutation) if request.proof else None
    return Finding(Verdict.NO, certificate, because=describe_refutation(refutation))


def _certify_exhausted(
    board: Board, reduction: Reduction, component: tuple[int, ...], request: Request, meter: Meter
) -> Finding | Reason:
    """Certify a component that a full search found impossible, or say why that was not possible."""
    if not request.proof:
        return Finding(Verdict.NO, because="Every line of play was tried, and none solves the board.")
    certified = _certify_by_closed_set(board, reduction, request, meter)
    if certified is not None:
        return certified
    decided = _decide_again(board, reduction, component, request, meter)
    if isinstance(decided, Reason):
        return Reason(decided.cause, f"impossible, but the proof was not finished; {decided.detail}".rstrip("; "))
    if isinstance(decided, Finding):
        return decided
    return Reason(Cause.INCOMPLETE, "no proof was found")


def _certify_by_closed_set(board: Board, reduction: Reduction, request: Request, meter: Meter) -> Finding | None:
    """Certify that no board within reach is solved, if there are few and a certificate was asked for."""
    if not request.proof or reduction.forced or len(reduction.components) != 1:
        return None
    request.listen(Event(Kind.STAGE, "writing the proof"))
    certificate = closed_set_certificate(board, meter)
    if certificate is None or any(not any(state[1::2]) and _is_home(state, board) for state in certificate["states"]):
        return None
    boards = len(certificate["states"])
    because = "No swap is legal." if boards == 1 else f"None of the {boards} boards within reach is solved."
    return Finding(Verdict.NO, certificate, because=because)


def _is_home(state: list[int], board: Board) -> bool:
    return all(colour == cell // board.cols for cell, colour in enumerate(state[::2]))


def _decide_again(
    board: Board, reduction: Reduction, component: tuple[int, ...], request: Request, meter: Meter
) -> tuple[Swap, ...] | Finding | Reason:
    """Decide a component by the order encoding: a plan for it, a NO, or why neither."""
    from solvent.harmony.solver.escalation import decide_by_order

    result = decide_by_order(reduction.board, component, meter, proof=request.proof, listen=request.listen)
    if result.plan is not None:
        return result.plan
    if result.refutation is None:
        return meter.stop_reason() or result.reason or Reason(Cause.INCOMPLETE, "no proof was found")
    return _refuted(board, reduction.forced, component, result.refutation, request)


def by_dfs(board: Board, request: Request, meter: Meter) -> Finding:
    """Use the depth-first search with the invalidity tests alone."""
    from solvent.harmony.solver.dfs import search

    coordinator = _tests_for(request)
    result = search(board, meter, coordinator, strategy=_strategy_of(request), listen=request.listen)
    stats = {"nodes": meter.nodes, "repeated": result.repeated, "answered_by": "dfs"}
    if result.plan is not None:
        finding = Finding(Verdict.YES, plan_certificate(board, result.plan, meter))
    elif not result.exhausted:
        finding = Finding(Verdict.UNKNOWN, reason=result.reason)
    elif fired := _users_tests_that_fired(request, coordinator):
        finding = _decide_without(board, fired, request, meter)
    else:
        finding = _certify_lost(board, request, meter)
    return _with_stats(finding, stats, coordinator)


def _certify_lost(board: Board, request: Request, meter: Meter) -> Finding:
    """Certify a board that a full search found impossible, by the first certificate that can be had."""
    reduction = reduce_board(board)
    broken = find_broken_invariant(reduction, meter)
    if broken is not None:
        return Finding(Verdict.NO, invariant_certificate(board, reduction.forced, broken), because=broken.because)
    unknown = None
    for component in reduction.components:
        finding = _certify_exhausted(board, reduction, component, request, meter)
        if isinstance(finding, Finding):
            return finding
        unknown = unknown or finding
    return Finding(Verdict.UNKNOWN, reason=unknown)


def _decide_without(board: Board, fired: list[str], request: Request, meter: Meter) -> Finding:
    """Decide a board whose search ended by tests of the user, which may be wrong, in a way that needs none of them."""
    reduction = reduce_board(board)
    broken = find_broken_invariant(reduction, meter)
    if broken is not None:
        return Finding(Verdict.NO, invariant_certificate(board, reduction.forced, broken), because=broken.because)
    certified = _certify_by_closed_set(board, reduction, request, meter)
    if certified is not None:
        return certified
    plan: list[Swap] = list(reduction.forced)
    for component in reduction.components:
        decided = _decide_again(board, reduction, component, request, meter)
        if isinstance(decided, Finding):
            return decided
        if isinstance(decided, Reason):
            detail = f"lines were cut by {' and '.join(fired)}, which proves nothing; {decided.detail}".rstrip("; ")
            return Finding(Verdict.UNKNOWN, reason=Reason(decided.cause, detail))
        plan.extend(decided)
    return Finding(Verdict.YES, plan_certificate(board, plan, meter))


def by_annealing(board: Board, request: Request, meter: Meter) -> Finding:
    """Use wire annealing alone. It can only say YES."""
    from solvent.harmony.solver.annealing import find_plan

    result = find_plan(board, meter, seed=request.options["seed"], listen=request.listen)
    stats = {"nodes": meter.nodes, "rounds": result.rounds, "answered_by": "annealing"}
    if result.plan is None:
        return Finding(Verdict.UNKNOWN, reason=result.reason, stats=stats | {"lowest_cost": result.lowest_cost})
    return Finding(Verdict.YES, plan_certificate(board, result.plan, meter), stats=stats)


def by_order(board: Board, request: Request, meter: Meter) -> Finding:
    """Use the order encoding alone, one live component after the other."""
    from solvent.harmony.solver.escalation import decide_by_order

    stats: dict[str, Any] = {"answered_by": "order"}
    plan: list[Swap] = []
    unknown: Reason | None = None
    for component in live_components(board):
        result = decide_by_order(board, component, meter, proof=request.proof, listen=request.listen)
        stats |= {"nodes": meter.nodes, "conflicts": stats.get("conflicts", 0) + result.conflicts}
        stats |= {"grade": result.most_moves, "events": result.events, "clauses": result.clauses}
        if result.refutation is not None:
            return replace(_refuted(board, (), component, result.refutation, request), stats=stats)
        if result.plan is None:
            unknown = unknown or result.reason or Reason(Cause.INCOMPLETE)
        else:
            plan.extend(result.plan)
    if unknown is not None:
        return Finding(Verdict.UNKNOWN, reason=unknown, stats=stats)
    if not _closed_cells_are_home(board):
        detail = "a closed tile is not home, which this part does not look at"
        return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, detail), stats=stats)
    return Finding(Verdict.YES, plan_certificate(board, plan, meter), stats=stats)


def by_layers(board: Board, request: Request, meter: Meter) -> Finding:
    """Use the layered encoding alone. It writes no proofs, so without `proof=False` it can only say YES."""
    from solvent.harmony.solver.layers import decide_by_layers

    if sum(board.moves) == 0 or max(board.colours) >= board.rows:
        detail = "nothing to swap, or a colour without a row"
        return Finding(Verdict.UNKNOWN, reason=Reason(Cause.INCOMPLETE, detail), stats={"nodes": 0})
    result = decide_by_layers(board, meter, listen=request.listen)
    stats = {"nodes": meter.nodes, "layers": result.layers, "answered_by": "layers"}
    if result.plan is not None:
        return Finding(Verdict.YES, plan_certificate(board, result.plan, meter), stats=stats)
    if result.impossible and not request.proof:
        return Finding(Verdict.NO, because="No plan fits, however many layers it has.", stats=stats)
    reason = result.reason or Reason(Cause.INCOMPLETE, "no plan fits, but this part writes no proofs")
    return Finding(Verdict.UNKNOWN, reason=reason, stats=stats)


def _prepared(
    part: Callable[[Board, Request, Meter], Finding], *, asks_tests: bool = False
) -> Callable[[Board, Request, Meter], Finding]:
    """Answer for a board that is solved already, whatever the part, and watch over the tests of the user."""

    def solve(board: Board, request: Request, meter: Meter) -> Finding:
        if request.tests and not asks_tests:
            raise BadOption(f"the solver {request.options['solver']} asks no invalidity tests; portfolio and dfs do")
        if is_solved(board):
            return Finding(
                Verdict.YES, plan_certificate(board, ()), stats={"answered_by": "already solved", "nodes": 0}
            )
        finding = part(board, request, meter)
        if not request.tests or finding.verdict is not Verdict.YES:
            return finding
        from solvent.harmony.solver.misfires import with_misfires

        return with_misfires(board, request.tests, finding, meter)

    return solve


PARTS: Mapping[str, Callable[[Board, Request, Meter], Finding]] = {
    "portfolio": _prepared(by_portfolio, asks_tests=True),
    "dfs": _prepared(by_dfs, asks_tests=True),
    "annealing": _prepared(by_annealing),
    "order": _prepared(by_order),
    "layers": _prepared(by_layers),
}


def _tests_for(request: Request) -> InvalidityTestCoordinator[Board]:
    """Return the tests to prune with, in the order that was asked for, those of the user last."""
    from solvent.harmony.invalidity import SEARCH_TESTS  # late: boards that a count decides need no kernels

    by_name = request.options.get("test_order") == "name"
    own = sorted(SEARCH_TESTS, key=lambda test: test.name) if by_name else SEARCH_TESTS
    names = {test.name for test in own}
    for test in request.tests:
        if test.name in names:
            raise BadOption(f"the search asks {test.name} already; give your test another name")
    return InvalidityTestCoordinator[Board]([*own, *request.tests])


def _strategy_of(request: Request) -> Strategy:
    """Return how the search goes about its tests."""
    from solvent.harmony.solver.dfs import Strategy

    return Strategy(**{name: request.options[name] for name in Strategy.__struct_fields__ if name in request.options})


def _users_tests_that_fired(request: Request, coordinator: InvalidityTestCoordinator[Board]) -> list[str]:
    """Return the tests of the user that cut a line so far, by name."""
    counts = coordinator.counts()
    return [test.name for test in request.tests if counts[test.name].hits]


def _closed_cells_are_home(board: Board) -> bool:
    return all(moves > 0 or board.colours[cell] == cell // board.cols for cell, moves in enumerate(board.moves))


def _with_stats(finding: Finding, stats: dict[str, Any], coordinator: InvalidityTestCoordinator[Board]) -> Finding:
    return replace(finding, stats=stats | {"invalidity_tests": coordinator.as_json()})
