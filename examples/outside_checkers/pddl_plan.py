"""Check a plan in PDDL with the package unified-planning (pip install unified-planning). Nothing of Solvent is used.

    python pddl_plan.py domain.pddl problem.pddl plan.txt

Prints VALID and exits with 0, or says which step cannot be made, or that the goal is missed, and exits with 1.
"""

from __future__ import annotations

import sys
from pathlib import Path

from unified_planning.engines import SequentialPlanValidator
from unified_planning.exceptions import UPException
from unified_planning.io import PDDLReader
from unified_planning.model import Problem


def fault(problem: Problem, plan: str) -> str | None:
    """Return what is wrong with a plan for a problem, or None if it is valid."""
    try:
        steps = PDDLReader().parse_plan_string(problem, plan)
    except (UPException, AssertionError) as error:  # a step that is no action of the domain
        return f"the plan cannot be read: {error}"
    result = SequentialPlanValidator().validate(problem, steps)
    if result:
        return None
    return "; ".join(message.message for message in result.log_messages or ()) or "the plan is not valid"


def main() -> int:
    """Check the files named on the command line."""
    if len(sys.argv) != 4:
        print(__doc__)
        return 2
    domain, problem, plan = sys.argv[1:]
    wrong = fault(PDDLReader().parse_problem(domain, problem), Path(plan).read_text(encoding="utf-8"))
    print(wrong or "VALID")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
