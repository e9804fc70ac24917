"""Ask a CDCL solver (Glucose 4 from python-sat) again and again, with more clauses and under assumptions.

One conflict is one node. Everything is deterministic unless a limit in seconds strikes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any

from pysat.solvers import Glucose4

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.engine.clauses import ClauseList
from solvent.engine.watching import run_watched

CONFLICTS_A_CHUNK = 2000
CLAUSES_A_SLICE = 1 << 15


class IncrementalSat:
    """Hold a formula that grows. Use it in a `with` block: the solver holds memory that Python does not see."""

    def __init__(self) -> None:
        self._solver: Any = Glucose4()
        self._conflicts = 0

    def __enter__(self) -> IncrementalSat:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver's memory."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.delete()

    def add(self, clauses: ClauseList, meter: Meter) -> Reason | None:
        """Add clauses; returns why it stopped early, or None when all are in."""
        add = self._open().add_clause
        for begin in range(0, len(clauses), CLAUSES_A_SLICE):
            reason = meter.stop_reason()
            if reason is not None:
                return reason
            for clause in clauses.between(begin, min(begin + CLAUSES_A_SLICE, len(clauses))):
                add(clause)
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
        assumed = list(assumptions)
        while True:
            reason = meter.stop_reason()
            if reason is not None:
                return None, reason
            solver = self._open()
            left = meter.nodes_left
            solver.conf_budget(CONFLICTS_A_CHUNK if left is None else max(1, min(CONFLICTS_A_CHUNK, left)))
            verdict: list[bool | None] = []

            def work(solver: Any = solver, verdict: list[bool | None] = verdict) -> None:
                verdict.append(solver.solve_limited(assumptions=assumed, expect_interrupt=True))

            reason = run_watched(solver, work, meter, name="solvent-sat", abandon=self._abandon)
            if reason is not None:
                if reason.cause is not Cause.NODES:
                    self.close()
                return None, reason
            counted = solver.accum_stats()["conflicts"]
            meter.spend(counted - self._conflicts)
            self._conflicts = counted
            if verdict[0] is not None:
                return verdict[0], None

    def model(self, variables: int) -> bytearray:
        """Return the value of each variable after a True, 1 or 0, by its number; entry 0 is unused."""
        values = bytearray(variables + 1)
        for literal in self._open().get_model():
            if 0 < literal <= variables:
                values[literal] = 1
        return values

    def core(self) -> list[int]:
        """Return assumptions that cannot all be true, after a False; none if the clauses alone cannot be satisfied."""
        return list(self._open().get_core() or [])

    def _open(self) -> Any:
        if self._solver is None:
            raise RuntimeError("the solver is closed")
        return self._solver

    def _abandon(self) -> None:
        self._solver = None


def minimal_core(
    solver: IncrementalSat, core: Sequence[int], meter: Meter, refine: Callable[[list[int]], bool] | None = None
) -> tuple[list[int], Reason | None]:
    """Drop assumptions from a core until every one that is left is needed.

    Without a reason, removing any one assumption makes the rest satisfiable; with one, the budget ended it and the core
    may be larger than it has to be. Where the clauses are not all there yet, `refine` is told what was satisfied, and
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
