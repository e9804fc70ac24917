"""A pool without processes: does each job at once, or loses it on purpose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solvent.batch.workers import work
from solvent.batch.workers.pool import Job, WorkerLost

Loss = Callable[[Callable[..., Any], tuple[Any, ...]], WorkerLost | None]


class InlinePool:
    """Do jobs in this process, in the order they come."""

    reads = True
    overhead_seconds = 0.0005

    def __init__(self, width: int = 2, lose: Loss = lambda _function, _arguments: None) -> None:
        self.width = width
        self._lose = lose
        self.orders: list[Any] = []
        """What was asked for, in order."""
        self.closed: bool | None = None
        """None while it is open, then whether it was closed at once."""

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None,
        label: str = "",
        worker: int | None = None,
    ) -> Job:
        job = Job(label)
        self.orders.append((function, *arguments))
        lost = self._lose(function, arguments)
        if lost is not None:
            job.set_exception(lost)
        else:
            job.set_result(function(*arguments))
        return job

    def take_notices(self) -> list[str]:
        return []

    def close(self, *, now: bool = False) -> None:
        self.closed = now

    def solved(self) -> list[str]:
        """Return the names of all instances that were given out to be solved, batch by batch."""
        return [task.name for order in self.orders if order[0] is work.solve_batch for task in order[1].tasks]
