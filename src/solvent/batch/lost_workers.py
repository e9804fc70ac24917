"""What to do with the tasks of a worker that is gone.

Any task of several may have been at fault, so each is tried again alone. Alone, running over the limit is proof
enough. A death is not: the system may have taken the worker for reasons of its own, so it gets a second chance.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

from solvent.batch.names import valid_text
from solvent.batch.records import Outcome, ReadAs, Reading, Source, Task, is_traceback
from solvent.batch.workers.jobs import WorkerLost
from solvent.core.answer import Cause, Verdict

OVER_SECONDS, OVER_MEGABYTES = "killed_over_seconds", "killed_over_megabytes"
"""Under one of these names the stats of a task that was killed hold the limit it passed."""
DEATHS_ALLOWED = 1
"""How often the worker of a single task may die before the task is held responsible."""


@dataclass(frozen=True, slots=True)
class HardLimits:
    """Hold beyond what a worker is ended."""

    seconds: float
    megabytes: float


def tries_again(batch: Sequence[object], error: Exception, deaths: int) -> bool:
    """Tell whether what a worker had when it was lost, or met a bug, is tried again, each part alone.

    `deaths` is how often a worker died before that had nothing else to do.
    """
    died = isinstance(error, WorkerLost) and error.kind == "died"
    return len(batch) > 1 or (died and deaths < DEATHS_ALLOWED)


def killed(task: Task, lost: WorkerLost, attempts: int, limits: HardLimits) -> Outcome:
    """Return the UNKNOWN of a task whose worker was ended, or died of it."""
    return Outcome(
        key=task.key,
        question=task.question,
        verdict=Verdict.UNKNOWN.value,
        cause=Cause.KILLED.name,
        detail=describe(lost),
        stats=_passed(lost, limits),
        attempts=attempts,
        seconds=lost.seconds,
        finished=time.time(),
    )


def _passed(lost: WorkerLost, limits: HardLimits) -> dict[str, float]:
    """Return the limit that was passed, by name; none if the worker died of something else."""
    if lost.kind == "time":
        return {OVER_SECONDS: limits.seconds}
    return {OVER_MEGABYTES: limits.megabytes} if lost.kind == "memory" else {}


def limit_was_raised(outcome: Outcome, limits: HardLimits) -> bool:
    """Tell whether a task that was killed for passing a limit would be allowed more of it today."""
    if outcome.cause != Cause.KILLED.name:
        return False
    seconds, megabytes = outcome.stats.get(OVER_SECONDS), outcome.stats.get(OVER_MEGABYTES)
    return bool(
        (seconds is not None and limits.seconds > seconds) or (megabytes is not None and limits.megabytes > megabytes)
    )


def broken(task: Task, error: BaseException) -> Outcome:
    """Return the outcome of a task that came back neither answered nor lost: its bug."""
    return Outcome(
        key=task.key,
        question=task.question,
        verdict=None,
        error=_trace(error),
        finished=time.time(),
    )


def unread(source: Source, error: Exception) -> Reading:
    """Return the reading of a source whose reader was ended or died of it, or met a bug."""
    if not isinstance(error, WorkerLost):
        return Reading(source, ReadAs.BUG, message=valid_text(_trace(error)))
    return Reading(source, ReadAs.KILLED, message=f"killed while reading ({describe(error)})", seconds=error.seconds)


def describe(lost: WorkerLost) -> str:
    """Say how a worker was lost."""
    return f"worker died twice: {lost.detail}" if lost.kind == "died" else lost.detail


def _trace(error: BaseException) -> str:
    """Return the traceback of an error; one that came from another process has lost most of it."""
    trace = "".join(traceback.format_exception(error))
    return trace if is_traceback(trace) else f"Traceback (most recent call last):\n{trace}"
