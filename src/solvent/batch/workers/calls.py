"""What waits to be done by the workers of a pool: the oldest goes first, but a worker looks first for what is its own.

A worker that has nothing of its own takes what was meant for another, so that none is idle while anything waits.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from solvent.batch.workers.jobs import Job


@dataclass(slots=True)
class Call:
    """Hold a job with what is to be called."""

    job: Job
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float | None
    worker: int | None = None
    """The number of the worker that has the least work with it; None where all have the same."""


class Calls:
    """Hand out calls to the threads that lead workers."""

    def __init__(self) -> None:
        self._waiting: deque[Call] = deque()
        self._closed = False
        self._changed = threading.Condition()

    def put(self, call: Call) -> None:
        """Add a call, unless no more are handed out."""
        with self._changed:
            self._waiting.append(call)
            self._changed.notify()

    def take(self, worker: int) -> Call | None:
        """Wait for the next call for a worker; None once all are handed out and no more will come."""
        with self._changed:
            while not self._waiting:
                if self._closed:
                    return None
                self._changed.wait()
            place = next(
                (place for place, call in enumerate(self._waiting) if call.worker is None or call.worker == worker), 0
            )
            call = self._waiting[place]
            del self._waiting[place]
            return call

    def close(self) -> None:
        """Let no thread wait for more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take_all(self) -> list[Call]:
        """Take everything that waits."""
        with self._changed:
            calls = list(self._waiting)
            self._waiting.clear()
            return calls
