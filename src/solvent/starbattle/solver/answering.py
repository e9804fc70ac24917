"""Turn what was decided into a finding with its certificate."""

from __future__ import annotations

from typing import Any

from solvent.core.answer import Finding, Reason, Verdict
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.starbattle.cells import format_cells
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.certificates import (
    only_solution_certificate,
    refutation_certificate,
    stars_certificate,
    two_solutions_certificate,
)
from solvent.starbattle.solver.deciding import Decision, decide


def answer(puzzle: Puzzle, request: Request, meter: Meter) -> Finding:
    """Answer the question of a request."""
    wanted = 2 if request.question == "unique" else 1
    decision = decide(puzzle, wanted, meter, proof=request.proof, listen=request.listen)
    if not decision.complete and len(decision.solutions) < wanted:
        return Finding(Verdict.UNKNOWN, reason=decision.reason, stats=_stats(decision, wanted))
    if len(decision.solutions) == wanted:
        return _found_enough(puzzle, request, decision)
    if request.proof and decision.proof is None and decision.cases is None:
        reason = _prove(puzzle, decision, meter, request)
        if reason is not None:
            return Finding(Verdict.UNKNOWN, reason=reason, stats=_stats(decision, wanted))
    return _found_no_other(puzzle, request, decision)


def _found_enough(puzzle: Puzzle, request: Request, decision: Decision) -> Finding:
    if request.question == "solvable":
        return Finding(
            Verdict.YES, certificate=stars_certificate(puzzle, decision.solutions[0]), stats=_stats(decision, 1)
        )
    return Finding(
        Verdict.NO,
        certificate=two_solutions_certificate(puzzle, *decision.solutions),
        because=f"There is more than one solution; two differ in {_differences(decision)} stars.",
        stats=_stats(decision, 2),
    )


def _found_no_other(puzzle: Puzzle, request: Request, decision: Decision) -> Finding:
    proof = _body(decision)
    if decision.solutions:
        certificate = only_solution_certificate(puzzle, decision.solutions[0], **proof) if proof else None
        stats = _stats(decision, 2)
        if certificate is not None:
            return Finding(Verdict.YES, certificate=certificate, stats=stats)
        stats["stars"] = names = " ".join(format_cells(decision.solutions[0], puzzle.size))
        return Finding(Verdict.YES, None, None, f"The search found no solution other than {names}.", stats)
    certificate = refutation_certificate(puzzle, request.question, **proof) if proof else None
    marked = "" if puzzle.marks.count(".") == len(puzzle.marks) else " that keeps the marks"
    return Finding(
        Verdict.NO,
        certificate=certificate,
        because=f"There is no way to place the stars{marked}.",
        stats=_stats(decision, 1),
    )


def _body(decision: Decision) -> dict[str, Any]:
    """Return what a certificate says to prove that there is no other solution; nothing if that is not proved."""
    if decision.cases is not None:
        return {"cases": decision.cases}
    return {} if decision.proof is None else {"proof": decision.proof}


def _prove(puzzle: Puzzle, decision: Decision, meter: Meter, request: Request) -> Reason | None:
    """Have the CDCL solver refute what the search has ruled out; returns the reason if the budget ends it first."""
    from solvent.starbattle.solver.refutation import Refutation, refute

    before = meter.nodes
    other_than = decision.solutions[0] if decision.solutions else None
    found = refute(puzzle, meter, other_than=other_than, listen=request.listen)
    decision.conflicts += meter.nodes - before
    if isinstance(found, Refutation):
        decision.proof = found.proof
        return None
    if isinstance(found, Reason):
        return Reason(found.cause, f"decided, but the proof was not finished; {found.detail}".rstrip("; "))
    raise AssertionError(f"the search overlooked a solution: {found}")


def _differences(decision: Decision) -> int:
    one, other = decision.solutions
    return len(set(one) - set(other))


def _stats(decision: Decision, wanted: int) -> dict[str, Any]:
    capped = len(decision.solutions) == wanted
    return {
        "solutions": len(decision.solutions),
        "complete": decision.complete,
        "capped": capped and not decision.complete,
        "timed_out": decision.reason is not None,
        "positions": decision.positions,
        "conflicts": decision.conflicts,
    }
