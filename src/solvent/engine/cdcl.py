"""Hold a CDCL solver of python-sat: free its memory in the end, stop it on a deadline, and book its conflicts.

One conflict is one node. Glucose looks at its limits only when it restarts, so a node limit can be overrun by the
conflicts up to the next restart. Where it stops depends on the formula and the limit alone, never on the clock.

The solver runs in a thread of its own, because it cannot be stopped at once: on a deadline, a cancellation or Ctrl-C
the caller goes on immediately, and the thread ends at the next restart.

A solver that gets no memory ends the process, so where the address space is limited it is stopped while there is room.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Self

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore
from solvent.core.memory import address_space_left, resident_megabytes
from solvent.core.threads import start_thread
from solvent.engine.clauses import ClauseList

CONFLICTS_A_CHUNK = 2000
CLAUSES_A_SLICE = 1 << 13
"""How many clauses are handed over between two looks at the budget: some milliseconds."""
LITERALS_A_SLICE = 1 << 17
"""How many literals they have together, at most: where modules or cells are many, clauses are long."""
POLL_SECONDS = 0.02
"""How often the budget is looked at while a solver works."""
SECONDS_TO_STOP = 0.1
"""How long to wait for a solver that was told to stop. Glucose looks only when it restarts, which may be later."""


MEGABYTES_FREE = 16.0
"""What has to be left of a limited address space, for a thread and some thousand conflicts …"""
GROWTH_FREE = 2.0
"""… and how many times what the solver holds by now: a table that is full grows by more than half in one go."""


class CdclSolver:
    """Own a solver. Use it in a `with` block: it holds memory that Python does not see."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        self._megabytes_at_start = resident_megabytes()
        self._conflicts = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver's memory."""
        solver, self._solver = self._solver, None
        if solver is not None:
            solver.delete()

    def _solve(
        self, meter: Meter, assumptions: Sequence[int] = (), *, listen: Listener = ignore
    ) -> tuple[bool | None, Reason | None]:
        """Decide whether the clauses can be satisfied with all assumptions true; None with the reason it stopped.

        After it ran out of nodes it can be called again, and goes on where it stopped. After a deadline or a
        cancellation the solver is closed.
        """
        while True:
            reason = self._stop_reason(meter)
            verdict = None
            if reason is None:
                left = meter.nodes_left
                conflicts = CONFLICTS_A_CHUNK if left is None else min(CONFLICTS_A_CHUNK, left)
                verdict, reason = self._run(conflicts, list(assumptions), meter)
                listen(Event(Kind.PROGRESS, "searching (SAT)", meter.nodes))
            if reason is not None and reason.cause is not Cause.NODES:
                self.close()
            if verdict is not None or reason is not None:
                return verdict, reason

    def _stop_reason(self, meter: Meter) -> Reason | None:
        """Say why to stop now: a limit of the meter, or no room to grow."""
        return meter.stop_reason() or self._lack_of_room()

    def _lack_of_room(self) -> Reason | None:
        """Say that the solver has no room to grow; None if it has."""
        left = address_space_left()
        if left is None or left >= MEGABYTES_FREE + GROWTH_FREE * (resident_megabytes() - self._megabytes_at_start):
            return None
        return Reason(Cause.MEMORY, "the SAT solver has no room to grow")

    def _add_slice(self, clauses: ClauseList, begin: int) -> int:
        """Add some clauses, from a place on; returns the place behind them. Look at the budget in between."""
        add = self._open().add_clause
        end = min(begin + CLAUSES_A_SLICE, len(clauses))
        most = clauses.starts[begin] + LITERALS_A_SLICE
        if clauses.starts[end] > most:  # one clause at least, however long it is
            end = max(begin + 1, bisect_right(clauses.starts, most, begin, end) - 1)
        for clause in clauses.between(begin, end):
            add(clause)
        return end

    def _model(self, variables: int) -> bytearray:
        """Return the value of each variable of the last solution, 1 or 0, by its number; entry 0 is unused."""
        values = bytearray(variables + 1)
        for literal in self._open().get_model():
            if 0 < literal <= variables:
                values[literal] = 1
        return values

    def _open(self) -> Any:
        if self._solver is None:
            raise RuntimeError("the solver is closed")
        return self._solver

    def _run(self, conflicts: int, assumptions: list[int], meter: Meter) -> tuple[bool | None, Reason | None]:
        """Run until about this many conflicts happened; the reason says that it had to be stopped before.

        A thread that was left behind holds the last reference to the solver, and so frees it.
        """
        solver = self._open()
        solver.conf_budget(conflicts)
        done = threading.Event()
        verdicts: list[bool | None] = []
        failures: list[BaseException] = []

        def work() -> None:
            try:
                verdicts.append(solver.solve_limited(assumptions=assumptions, expect_interrupt=True))
            except BaseException as failure:  # raised again by the thread that waits
                failures.append(failure)
            finally:
                done.set()

        # A daemon, so that leaving it behind never keeps the program alive.
        start_thread(threading.Thread(target=work, name="solvent-sat", daemon=True))
        try:
            while not done.wait(POLL_SECONDS):
                reason = self._stop_reason(meter)
                if reason is not None:
                    solver.interrupt()
                    done.wait(SECONDS_TO_STOP)
                    self._solver = None
                    return None, reason
        except BaseException:
            solver.interrupt()
            self._solver = None
            raise
        if failures:
            raise failures[0]
        counted = solver.accum_stats()["conflicts"]
        meter.spend(counted - self._conflicts)
        self._conflicts = counted
        return verdicts[0], None
