"""Run a SAT solver in a thread of its own, so that a deadline, a cancellation or Ctrl-C is felt at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from solvent.core.answer import Reason
from solvent.core.budget import Meter

POLL_SECONDS = 0.02
"""How often the budget is looked at while a solver works."""
SECONDS_TO_STOP = 0.1
"""How long to wait for a solver that was told to stop. Glucose looks only when it restarts, which may be later."""


def run_watched(
    solver: Any, work: Callable[[], None], meter: Meter, *, name: str, abandon: Callable[[], None]
) -> Reason | None:
    """Do the work, which uses the solver, and return None; or the reason why it was stopped before it was done.

    Whoever owns the solver is told to `abandon` it when the thread may still be using it: the thread then holds the
    last reference, and frees it. What the work raises is raised here.
    """
    done = threading.Event()
    failures: list[BaseException] = []

    def thread_work() -> None:
        try:
            work()
        except BaseException as failure:  # raised again by the thread that waits
            failures.append(failure)
        finally:
            done.set()

    # A daemon, so that leaving it behind never keeps the program alive.
    threading.Thread(target=thread_work, name=name, daemon=True).start()
    try:
        while not done.wait(POLL_SECONDS):
            reason = meter.stop_reason()
            if reason is not None:
                solver.interrupt()
                done.wait(SECONDS_TO_STOP)
                abandon()
                return reason
    except BaseException:
        solver.interrupt()
        abandon()
        raise
    if failures:
        raise failures[0]
    return None
