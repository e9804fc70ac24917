"""Ask a CDCL solver (Glucose 4 from python-sat) about one formula, with a proof if it cannot be satisfied."""

from __future__ import annotations

from pysat.solvers import Glucose4

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine.cdcl import CdclSolver
from solvent.engine.clauses import ClauseList


class SatSolver(CdclSolver):
    """Decide one formula."""

    def __init__(self, clauses: ClauseList, *, with_proof: bool) -> None:
        super().__init__(None)
        self._is_made = False
        self.clauses = clauses
        self.verdict: bool | None = None
        """True if satisfiable, False if not, None while unknown."""
        self._with_proof = with_proof
        self._loaded = 0

    def close(self) -> None:
        """Free the solver's memory; none is made after that."""
        self._is_made = True
        super().close()

    def load(self, meter: Meter) -> Reason | None:
        """Hand the clauses to the solver; returns why it stopped early, or None when all are in."""
        if not self._is_made:  # here, not before: making one without room would end the process
            reason = self._lack_of_room()
            if reason is not None:
                return reason
            self._solver = Glucose4(with_proof=self._with_proof)
            self._is_made = True
        solver = self._open()
        while self._loaded < len(self.clauses) and self.verdict is None:
            reason = self._stop_reason(meter)
            if reason is not None:
                return reason
            self._loaded = self._add_slice(self.clauses, self._loaded)
            if solver.get_status() is False:  # propagation alone refuted it; adding more would change nothing
                self.verdict = False
        return None

    def solve(self, meter: Meter, *, listen: Listener = ignore) -> tuple[bool | None, Reason | None]:
        """Decide whether the formula is satisfiable: True, False, or None with the reason it stopped.

        Loads what is not loaded yet. It may be called again after it ran out of nodes, with a new meter; it goes on
        where it stopped. After a deadline or a cancellation the solver is closed.
        """
        reason = self.load(meter)
        if reason is not None and reason.cause is not Cause.NODES:
            self.close()
        if self.verdict is None and reason is None:
            self.verdict, reason = self._solve(meter, listen=listen)
        return self.verdict, reason

    def model(self) -> bytearray:
        """Return the value of each variable, 1 or 0, by its number; entry 0 is unused."""
        if self.verdict is not True:
            raise RuntimeError(f"expected a satisfiable formula, found the verdict {self.verdict}")
        return self._model(self.clauses.variables)

    def proof(self) -> str:
        """Return the refutation as DRUP text, which ends with the empty clause."""
        if self.verdict is not False or not self._with_proof:
            raise RuntimeError(f"expected a refuted formula and a proof that was asked for, found {self.verdict}")
        lines: list[str] = self._open().get_proof()
        if not lines or lines[-1] != "0":  # not logged when loading alone refutes the formula
            lines.append("0")
        return "\n".join(lines) + "\n"
