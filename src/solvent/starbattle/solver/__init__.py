"""The Star Battle solver: a kernel that counts well, and a CDCL solver that learns.

1. `counting`: depth-first search in a kernel, with exact counts of line pairs, regions, and lines against regions.
2. `refutation`: a CDCL solver over `encoding`, for boards where search alone would take long, and for every proof.
3. `deciding`: takes turns between the two, by counted work, so the same question always gets the same answer.

What neither has decided when the budget is spent is UNKNOWN, never NO.
"""

from __future__ import annotations

from solvent.core.answer import Cause, Finding, Reason, Verdict
from solvent.core.domain import Request
from solvent.starbattle.model import Puzzle


def solve(puzzle: Puzzle, request: Request) -> Finding:
    """Answer whether the puzzle is solvable, or unique, keeping its marks. One position or one conflict is one node."""
    from solvent.starbattle.solver.answering import answer

    meter = request.budget.start()
    reason = meter.stop_reason()
    if reason is not None:
        return Finding(Verdict.UNKNOWN, reason=reason)
    try:
        return answer(puzzle, request, meter)
    except MemoryError:
        return Finding(Verdict.UNKNOWN, reason=Reason(Cause.MEMORY, "the machine has no more"))
