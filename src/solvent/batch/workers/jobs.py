"""What a pool of workers promises, wherever they are: jobs go in, results or the news of a lost worker come out."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Literal, Protocol

Kind = Literal["time", "memory", "died", "stopped"]


class WorkerLost(Exception):
    """Say that the worker that had a job is gone."""

    def __init__(self, kind: Kind, detail: str, seconds: float = 0.0) -> None:
        super().__init__(kind, detail, seconds)
        self.kind: Kind = kind
        """Whether it passed a limit in time or memory, died of something else, or did not stop when asked to."""
        self.detail = detail
        """What happened, in a few words: `over 12 s`, `over 400 MB`, `SIGSEGV`, `exit code 7`."""
        self.seconds = seconds
        """How long it had had the job."""

    def __str__(self) -> str:
        return f"the worker was lost ({self.detail})"


class NotTaken(WorkerLost):
    """Say that the worker was gone before it took the job, so that the job cannot be the cause."""


class CannotStart(RuntimeError):
    """Say that no worker process can be started at all, so that waiting for one is in vain."""


class Job(Future[Any]):
    """Hold what becomes of one call; `result()` returns, or raises WorkerLost or what the function raised."""

    def __init__(self, label: str = "", hear: Callable[[Any], None] | None = None) -> None:
        super().__init__()
        self.label = label
        """What people see of it, such as the name of the first instance in it."""
        self.hear = hear
        """Called with everything that the worker tells while it works, from a thread of the pool."""
        self.worker: int | None = None
        """The number of the worker that took it, where that is worth knowing; see `LocalPool.submit`."""
        self.began: float | None = None
        """When a worker took it, by `time.monotonic()`; None while it waits."""
        self.stop_wanted: float | None = None
        """When it was asked to stop; None if it was not."""

    def stop(self) -> None:
        """Have it not begun, or ask its worker to come to an end; one that takes long over that is ended."""
        if not self.cancel() and self.stop_wanted is None:
            self.stop_wanted = time.monotonic()


class Pool(Protocol):
    """Some workers, here or elsewhere."""

    @property
    def width(self) -> int:
        """Return how many workers there are now."""

    @property
    def overhead_seconds(self) -> float:
        """Return about what sending one job costs."""

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None,
        label: str = "",
        worker: int | None = None,
    ) -> Job:
        """Have a worker call a function. `seconds` is the hard limit, from when a worker took it.

        `worker` is only given where a job said which worker took it, and is that of the one that knows most about this.
        """

    def take_notices(self) -> list[str]:
        """Return what people should know about the workers since this was last called, one line each."""

    def close(self, *, now: bool = False) -> None:
        """Let everything that was submitted finish, then end all workers; with `now`, end them at once."""
