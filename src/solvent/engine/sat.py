"""Ask a CDCL solver (Glucose 4 from python-sat) about a formula, within a budget.

One conflict is one node. Glucose looks at its limits only when it restarts, so a node limit can be overrun by the
conflicts up to the next restart. Where it stops depends on the formula and the limit alone, never on the clock.

The solver runs in a thread of its own, because it cannot be stopped at once: on a deadline, a cancellation or Ctrl-C
the caller goes on immediately, and the thread ends at the next restart.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from pysat.solvers import Glucose4

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.engine.clauses import ClauseList
from solvent.engine.watching import run_watched

CONFLICTS_A_CHUNK = 2000
CLAUSES_A_SLICE = 1 << 15


class SatSolver:
    """Decide one formula. Use it in a `with` block: the solver holds memory that Python does not see.

    `solve` may be called again after it ran out of nodes, with a new meter; it goes on where it stopped.
    """

    def __init__(self, clauses: ClauseList, *, with_proof: bool) -> None:
        self.clauses = clauses
        self.verdict: bool | None = None
        """True if satisfiable, False if not, None while unknown."""
        self._solver: Any = Glucose4(with_proof=with_proof)
        self._with_proof = with_proof
        self._loaded = 0
        self._conflicts = 0

    def __enter__(self) -> SatSolver:
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

    def load(self, meter: Meter) -> Reason | None:
        """Hand the clauses to the solver; returns why it stopped early, or None when all are in."""
        solver = self._open()
        add = solver.add_clause
        while self._loaded < len(self.clauses) and self.verdict is None:
            reason = meter.stop_reason()
            if reason is not None:
                return reason
            end = min(self._loaded + CLAUSES_A_SLICE, len(self.clauses))
            for clause in self.clauses.between(self._loaded, end):
                add(clause)
            self._loaded = end
            if solver.get_status() is False:  # propagation alone refuted it; adding more would change nothing
                self.verdict = False
        return None

    def solve(self, meter: Meter, *, listen: Listener = ignore) -> tuple[bool | None, Reason | None]:
        """Decide whether the formula is satisfiable: True, False, or None with the reason it stopped.

        Loads what is not loaded yet. After a deadline or a cancellation the solver is closed.
        """
        reason = self.load(meter)
        while self.verdict is None and reason is None:
            reason = meter.stop_reason()
            if reason is None:
                left = meter.nodes_left
                reason = self._run(CONFLICTS_A_CHUNK if left is None else min(CONFLICTS_A_CHUNK, left), meter)
                listen(Event(Kind.PROGRESS, "searching (SAT)", meter.nodes))
        if self.verdict is None and reason is not None and reason.cause is not Cause.NODES:
            self.close()  # whether it was noticed while the solver ran or in between
        return self.verdict, reason if self.verdict is None else None

    def model(self) -> bytearray:
        """Return the value of each variable, 1 or 0, by its number; entry 0 is unused."""
        if self.verdict is not True:
            raise RuntimeError(f"expected a satisfiable formula, found the verdict {self.verdict}")
        values = bytearray(self.clauses.variables + 1)
        for literal in self._open().get_model():
            if literal > 0:
                values[literal] = 1
        return values

    def proof(self) -> str:
        """Return the refutation as DRUP text, which ends with the empty clause."""
        if self.verdict is not False or not self._with_proof:
            raise RuntimeError(f"expected a refuted formula and a proof that was asked for, found {self.verdict}")
        lines: list[str] = self._open().get_proof()
        if not lines or lines[-1] != "0":  # not logged when loading alone refutes the formula
            lines.append("0")
        return "\n".join(lines) + "\n"

    def _open(self) -> Any:
        if self._solver is None:
            raise RuntimeError("the solver is closed")
        return self._solver

    def _run(self, conflicts: int, meter: Meter) -> Reason | None:
        """Run until about this many conflicts happened; returns the reason if the solver had to be stopped."""
        solver = self._open()
        solver.conf_budget(conflicts)

        def work() -> None:
            solver.solve_limited(expect_interrupt=True)

        reason = run_watched(solver, work, meter, name="solvent-sat", abandon=self._abandon)
        if reason is not None:
            return reason
        self.verdict = solver.get_status()
        counted = solver.accum_stats()["conflicts"]
        meter.spend(counted - self._conflicts)
        self._conflicts = counted
        return None

    def _abandon(self) -> None:
        self._solver = None
