"""Worker processes and the queues before them.

What has to be quick (reading, a move, a picture) never waits behind what may take long. Work whose client has gone is
stopped, which frees its worker within a second; when a queue is full, the next request is asked to come back later.
Clients have their turns one after the other (`fair_turns`).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any

from solvent.batch.workers import launchers
from solvent.batch.workers.jobs import Job
from solvent.batch.workers.pool import LocalPool
from solvent.batch.workers.starting import PRELOADED
from solvent.web.errors import Busy, Refusal
from solvent.web.fair_turns import SERVER, FairTurns
from solvent.web.settings import Settings

WARM_UP = "solvent.web.warm_up"
"""What the fork server imports, so that no worker has anything to load."""

Hear = Callable[[Any], None]


class WorkerQueue:
    """Hold some workers and a queue of limited length before them.

    Requests wait here and not in the pool, so that one whose client has left is gone at once.
    """

    def __init__(self, workers: int, waiting: int, megabytes: float) -> None:
        self._pool = LocalPool(workers, hard_megabytes=megabytes, make_launcher=_make_launcher)
        self._turns = FairTurns(workers, waiting)
        self._running: set[Job] = set()
        self._closed = False
        self._first = self._pool.submit(os.getpid, seconds=None)

    @property
    def is_ready(self) -> bool:
        """Return whether workers can be had at once; the first one has to wait for what all of them need."""
        return self._first.done()

    def is_busy(self, client: str = SERVER) -> bool:
        """Return whether a client's next request has to wait for another one."""
        return self._turns.must_wait(client)

    def is_full(self, client: str = SERVER) -> bool:
        """Return whether there is not even room for it to wait."""
        return self._closed or not self._turns.has_room(client)

    @property
    def running(self) -> int:
        """Return how many requests workers are at."""
        return len(self._running)

    async def run(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        hear: Hear | None = None,
        client: str = SERVER,
    ) -> Any:
        """Have a worker call a function and return what it returns; raises Busy when there is no room to wait.

        `hear` is called in the event loop with what the function reports meanwhile. Cancelling the waiting task stops
        the work.
        """
        if self._closed:
            raise Busy
        await self._turns.take(client)
        job = self._begin(function, arguments, seconds, hear, client)
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            job.stop()
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # the queue was closed, and the client is still there
                raise _going_away() from None
            raise

    def _begin(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, hear: Hear | None, client: str
    ) -> Job:
        loop = asyncio.get_running_loop()

        def in_loop(callback: Callable[[Any], None], value: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it every listener
                loop.call_soon_threadsafe(callback, value)

        def forget(job: Job) -> None:
            self._running.discard(job)
            self._turns.give_back(client)

        try:
            job = self._pool.submit(
                function, *arguments, seconds=seconds, hear=None if hear is None else lambda news: in_loop(hear, news)
            )
        except RuntimeError:  # the pool is closed
            self._turns.give_back(client)
            raise _going_away() from None
        self._running.add(job)
        # Only a worker that is done is free again: one that was asked to stop may take a moment over that.
        job.add_done_callback(lambda _: in_loop(forget, job))
        return job

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        self._pool.close(now=True)


class WorkerQueues:
    """Hold the queues of a server."""

    def __init__(self, settings: Settings) -> None:
        limits = (settings.waiting, settings.megabytes)
        self.quick = WorkerQueue(settings.quick_jobs, *limits)
        self.long = WorkerQueue(settings.jobs, *limits)
        # The user's disk may be slow, and a store large: no move waits for that.
        self.reading = WorkerQueue(settings.quick_jobs, *limits) if settings.paths else self.quick

    def close(self) -> None:
        """End all workers; requests that wait for one hear that the server ends."""
        for queue in {self.quick, self.long, self.reading}:
            queue.close()


def _going_away() -> Refusal:
    return Refusal("busy", "Solvent is being stopped. Please try again when it has been started again.")


def _make_launcher() -> launchers.Launcher:
    """Return what starts workers, with everything loaded if there is a way."""
    if hasattr(os, "fork"):
        return launchers.ForkServerLauncher((*PRELOADED, WARM_UP))
    return launchers.make_launcher()
