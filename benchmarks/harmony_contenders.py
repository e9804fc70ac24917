"""Who competes on Harmony boards: the portfolio, each of its parts alone, and the search without its tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import solvent
from solvent.core.answer import Certificate, Verdict
from solvent.core.budget import Budget
from solvent.core.events import Listener
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.model import Board
from solvent.harmony.rules import is_solved

BASE = "portfolio"
"""Whom all are compared with."""
WITH_TESTS, WITHOUT_TESTS = "dfs", "dfs, no tests"
SECONDS_TO_QUIET = 60.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Hold what a contender came to; a certificate in it has been checked."""

    verdict: Verdict
    certificate: Certificate | None = None
    stats: Mapping[str, Any] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Contender:
    """Hold a name and a way to an outcome."""

    name: str
    attempt: Callable[[Board, Budget, Listener], Outcome]
    slow: bool = True
    """True for who gets the shorter limit and may sit out a class that is beyond it."""


def ask_part(solver: str, *, proof: bool = True) -> Callable[[Board, Budget, Listener], Outcome]:
    """Return the way through `solvent.ask` with one part of the solver, checking included."""

    def attempt(board: Board, budget: Budget, listen: Listener) -> Outcome:
        answer = solvent.ask(
            board, seconds=budget.seconds, nodes=budget.nodes, proof=proof, listen=listen, solver=solver
        )
        reason = None if answer.reason is None else str(answer.reason)
        return Outcome(answer.verdict, answer.certificate, answer.stats, reason)

    return attempt


def search_without_tests(board: Board, budget: Budget, listen: Listener) -> Outcome:
    """Run the depth-first search with no invalidity tests, only the look at the last board.

    A plan it finds is checked. That it tried everything is its word alone: such a NO has no certificate.
    """
    from solvent.harmony.solver.certificates import plan_certificate
    from solvent.harmony.solver.dfs import search

    if is_solved(board):
        return Outcome(Verdict.YES, plan_certificate(board, ()))
    result = search(board, budget.start(), InvalidityTestCoordinator[Board]([]), listen=listen)
    stats = {"nodes": result.boards, "answered_by": WITHOUT_TESTS}
    if result.plan is not None:
        certificate = plan_certificate(board, result.plan)
        solvent.check(board, certificate)
        return Outcome(Verdict.YES, certificate, stats)
    if result.exhausted:
        return Outcome(Verdict.NO, None, stats)
    return Outcome(Verdict.UNKNOWN, None, stats, str(result.reason))


CONTENDERS = (
    Contender(BASE, ask_part("portfolio"), slow=False),
    Contender(WITH_TESTS, ask_part("dfs")),
    Contender(WITHOUT_TESTS, search_without_tests),
    Contender("annealing", ask_part("annealing")),
    Contender("order", ask_part("order")),
    Contender("layers", ask_part("layers", proof=False)),  # it writes no proofs, so its NO is its word alone
)


def wait_for_quiet() -> None:
    """Wait until no thread of an earlier answer works on in the background, at the next contender's cost."""
    for thread in threading.enumerate():
        if thread.name.startswith("solvent-"):
            thread.join(SECONDS_TO_QUIET)
