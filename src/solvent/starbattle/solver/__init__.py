"""The Star Battle solver: a kernel that counts well, and a CDCL solver that learns.

1. `counting`: depth-first search in a kernel, with exact counts of line pairs, regions, and lines against regions.
2. `refutation`: a CDCL solver over `encoding`, for boards where search alone would take long, and for every proof.
3. `deciding`: takes turns between the two, by counted work, so the same question always gets the same answer.

What neither has decided when the budget is spent is UNKNOWN, never NO.
"""

from __future__ import annotations

from solvent.core.answer import Finding
from solvent.core.budget import Meter
from solvent.core.domain import Request
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.answering import answer


def solve(puzzle: Puzzle, request: Request, meter: Meter | None = None) -> Finding:
    """Answer whether the puzzle is solvable, or unique, keeping its marks. One position or one conflict is one node.

    What it takes is booked with the meter, if the caller has one running.
    """
    return answer(puzzle, request, meter or request.budget.start())
