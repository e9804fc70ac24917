"""What to do with the tasks of a worker that is gone.

Any task of several may have been at fault, so each is tried again alone. Alone, running over the limit is proof
enough. A death is not: the system may have taken the worker for reasons of its own, so it gets a second chance.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping, Sequence
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


def after_loss(
    tasks: Sequence[Task], lost: WorkerLost, deaths: Mapping[str, int], limits: HardLimits
) -> tuple[list[Task], list[Outcome]]:
    """Return which tasks to try again, each alone, and what to record now.

    `deaths` counts, by key, how often the worker of that task alone died before this loss.
    """
    if len(tasks) > 1 or may_try_again(lost, deaths.get(tasks[0].key, 0)):
        return list(tasks), []
    return [], [killed(tasks[0], lost, deaths.get(tasks[0].key, 0) + 1, limits)]


def may_try_again(lost: WorkerLost, deaths: int) -> bool:
    """Tell whether something that was lost alone deserves another worker."""
    return lost.kind == "died" and deaths < DEATHS_ALLOWED


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


def unread_by_bug(source: Source, error: BaseException) -> Reading:
    """Return the reading of a source that came back neither read nor lost: the bug."""
    return Reading(source, ReadAs.BUG, message=valid_text(_trace(error)))


def unread(source: Source, lost: WorkerLost) -> Reading:
    """Return the reading of a source whose reader was ended, or died of it."""
    return Reading(source, ReadAs.KILLED, message=f"killed while reading ({describe(lost)})", seconds=lost.seconds)


def describe(lost: WorkerLost) -> str:
    """Say how a worker was lost."""
    return f"worker died twice: {lost.detail}" if lost.kind == "died" else lost.detail


def _trace(error: BaseException) -> str:
    """Return the traceback of an error; one that came from another process has lost most of it."""
    trace = "".join(traceback.format_exception(error))
    return trace if is_traceback(trace) else f"Traceback (most recent call last):\n{trace}"
