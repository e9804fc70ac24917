"""What to do with the tasks of a worker that is gone.

Nobody knows which task of several was at fault, so each is tried again alone. Alone, running over the limit is proof
enough. A death is not: the system may have taken the worker for reasons of its own, so it gets a second chance.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from solvent.batch.pool import WorkerLost
from solvent.batch.records import Outcome, ReadAs, Reading, Source, Task
from solvent.core.answer import Cause, Reason, Verdict

DEATHS_ALLOWED = 1
"""How often the worker of a single task may die before the task is held responsible."""


def after_loss(tasks: Sequence[Task], lost: WorkerLost, deaths: Mapping[str, int]) -> tuple[list[Task], list[Outcome]]:
    """Return which tasks to try again, each alone, and what to record now.

    `deaths` counts, by key, how often the worker of that task alone died before this loss.
    """
    if len(tasks) > 1 or may_try_again(lost, deaths.get(tasks[0].key, 0)):
        return list(tasks), []
    return [], [killed(tasks[0], lost, deaths.get(tasks[0].key, 0) + 1)]


def may_try_again(lost: WorkerLost, deaths: int) -> bool:
    """Tell whether something that was lost alone deserves another worker."""
    return lost.kind == "died" and deaths < DEATHS_ALLOWED


def killed(task: Task, lost: WorkerLost, attempts: int) -> Outcome:
    """Return the UNKNOWN of a task whose worker had to be ended, or died of it."""
    return Outcome(
        key=task.key,
        question=task.question,
        verdict=Verdict.UNKNOWN.value,
        cause=Cause.KILLED.name,
        reason=str(Reason(Cause.KILLED, in_words(lost))),
        attempts=attempts,
        seconds=lost.seconds,
        finished=time.time(),
    )


def unread(source: Source, lost: WorkerLost) -> Reading:
    """Return what there is to say about a source whose reader had to be ended, or died of it."""
    return Reading(source, ReadAs.KILLED, message=f"killed while reading ({in_words(lost)})", seconds=lost.seconds)


def in_words(lost: WorkerLost) -> str:
    """Say how a worker was lost."""
    return f"worker died twice: {lost.detail}" if lost.kind == "died" else lost.detail
