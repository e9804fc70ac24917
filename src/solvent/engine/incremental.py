"""Ask a CDCL solver (Glucose 4 from python-sat) again and again, with more clauses and under assumptions.

Everything is deterministic unless a limit in seconds strikes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pysat.solvers import Glucose4

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.engine.cdcl import CdclSolver
from solvent.engine.clauses import ClauseList


class IncrementalSat(CdclSolver):
    """Hold a formula that grows."""

    def __init__(self) -> None:
        super().__init__(Glucose4())

    def add(self, clauses: ClauseList, meter: Meter) -> Reason | None:
        """Add clauses; returns why it stopped early, or None when all are in."""
        added = 0
        while added < len(clauses):
            reason = self._stop_reason(meter)
            if reason is not None:
                return reason
            added = self._add_slice(clauses, added)
        return None

    def add_clause(self, clause: Sequence[int]) -> None:
        """Add one clause."""
        self._open().add_clause(list(clause))

    def prefer(self, literals: Iterable[int]) -> None:
        """Try these literals as true first, whenever the solver has a choice."""
        self._open().set_phases(list(literals))

    def solve(self, meter: Meter, assumptions: Sequence[int] = ()) -> tuple[bool | None, Reason | None]:
        """Decide whether the clauses can be satisfied with all assumptions true; None with the reason it stopped.

        After a deadline or a cancellation the solver is closed.
        """
        return self._solve(meter, assumptions)

    def model(self, variables: int) -> bytearray:
        """Return the value of each variable after a True, 1 or 0, by its number; entry 0 is unused."""
        return self._model(variables)

    def core(self) -> list[int]:
        """Return assumptions that cannot all be true, after a False; none if the clauses alone cannot be satisfied."""
        return list(self._open().get_core() or [])


def minimal_core(
    solver: IncrementalSat, core: Sequence[int], meter: Meter, refine: Callable[[list[int]], bool] | None = None
) -> tuple[list[int], Reason | None]:
    """Drop assumptions from a core until every one that is left is needed.

    Without a reason, removing any one assumption makes the rest satisfiable; with one, the budget ended it and the core
    may be larger than it has to be. Where the clauses are not all there yet, `refine` gets what was satisfied, and
    returns whether it added clauses that the solver's model breaks.
    """
    core = list(core)
    for _ in range(8):  # solving again under the core alone often finds a smaller one
        size = len(core)
        verdict, reason = solver.solve(meter, core)
        if reason is not None:
            return core, reason
        assert verdict is False
        found = set(solver.core())
        core = [literal for literal in core if literal in found]
        if len(core) == size:
            break
    for literal in list(core):
        if literal not in core:
            continue
        rest = [other for other in core if other != literal]
        verdict, reason = solver.solve(meter, rest)
        while verdict and refine is not None and refine(rest):
            verdict, reason = solver.solve(meter, rest)
        if reason is not None:
            return core, reason
        if verdict:
            continue
        found = set(solver.core())
        core = [other for other in core if other in found]
    return core, None
