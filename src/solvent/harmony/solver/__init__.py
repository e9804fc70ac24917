"""The Harmony solver: a portfolio of parts, from the cheapest to the strongest.

1. `invariants`: counts that every solvable board respects, after `reduction` played what is forced.
2. `dfs`: depth-first search with the invalidity tests; answers tiny boards before anything is built.
3. `race`: `annealing` (finds plans) beside `escalation` (the order encoding, which proves NO).

Any part can be asked alone with the option `solver`. What a part cannot decide is UNKNOWN, never NO.
"""

from __future__ import annotations

from solvent.core.answer import Cause, Finding, Verdict
from solvent.core.domain import Request
from solvent.harmony.model import Board


def solve(board: Board, request: Request) -> Finding:
    """Find a plan, or a proof that there is none, with the part of the solver that was asked for."""
    from solvent.harmony.solver import parts

    meter = request.budget.start()
    reason = meter.stop_reason()
    if reason is not None and reason.cause is not Cause.NODES:
        return Finding(Verdict.UNKNOWN, reason=reason)
    return parts.PARTS[request.options["solver"]](board, request, meter)
