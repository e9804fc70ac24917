"""Who does the work: two lanes of worker processes, a short queue before each, and a kind word when it is full.

What has to be quick (reading, a move, a picture) never waits behind what may take long. Work whose asker has gone is
stopped, which frees its worker within a second.
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
from solvent.web.failures import Busy, Refusal
from solvent.web.settings import Settings

PREPARING = "solvent.web.preparing"
"""What the process that has the workers imports, so that none of them has anything to load."""

Hear = Callable[[Any], None]


class Lane:
    """Some workers with a queue of limited length before them.

    Who waits does so here and not in the pool, so that a request nobody waits for any more is gone at once.
    """

    def __init__(self, workers: int, waiting: int, megabytes: float) -> None:
        self._pool = LocalPool(workers, hard_megabytes=megabytes, make_launcher=_make_launcher)
        self._workers = workers
        self._most_waiting = waiting
        self._free = asyncio.Semaphore(workers)
        self._running: set[Job] = set()
        self._waiting = 0
        self._closed = False
        self._first = self._pool.submit(os.getpid, seconds=None)

    @property
    def is_ready(self) -> bool:
        """Tell whether workers can be had at once; the first one has to wait for what all of them need."""
        return self._first.done()

    @property
    def is_busy(self) -> bool:
        """Tell whether the next request has to wait for another one."""
        return self._free.locked()

    @property
    def is_full(self) -> bool:
        """Tell whether there is not even room to wait."""
        return self._closed or (self.is_busy and self._waiting >= self._most_waiting)

    @property
    def running(self) -> int:
        """Return how many requests workers are at."""
        return len(self._running)

    async def run(self, function: Callable[..., Any], *arguments: Any, seconds: float, hear: Hear | None = None) -> Any:
        """Have a worker call a function and return what it returns; raises Busy when there is no room to wait.

        `hear` is called in the event loop with what the function tells meanwhile. Whoever cancels the waiting task
        stops the work.
        """
        if self.is_full:
            raise Busy
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        job = self._begin(function, arguments, seconds, hear)
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            job.stop()
            task = asyncio.current_task()
            if task is None or not task.cancelling():  # the lane was closed, and nobody left
                raise _going_away() from None
            raise

    def _begin(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], seconds: float, hear: Hear | None
    ) -> Job:
        loop = asyncio.get_running_loop()

        def in_loop(callback: Callable[[Any], None], value: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it everybody who would listen
                loop.call_soon_threadsafe(callback, value)

        def forget(job: Job) -> None:
            self._running.discard(job)
            self._free.release()

        try:
            job = self._pool.submit(
                function, *arguments, seconds=seconds, hear=None if hear is None else lambda news: in_loop(hear, news)
            )
        except RuntimeError:  # the pool is closed
            self._free.release()
            raise _going_away() from None
        self._running.add(job)
        # Only a worker that is done is free again: one that was asked to stop may take a moment over that.
        job.add_done_callback(lambda _: in_loop(forget, job))
        return job

    def close(self) -> None:
        """End all workers."""
        self._closed = True
        self._pool.close(now=True)


class Lanes:
    """The lanes of a server."""

    def __init__(self, settings: Settings) -> None:
        self.quick = Lane(settings.quick_jobs, settings.waiting, settings.megabytes)
        self.long = Lane(settings.jobs, settings.waiting, settings.megabytes)
        # The user's disk may be slow, and a store large: no move waits for that.
        self.reading = Lane(settings.quick_jobs, settings.waiting, settings.megabytes) if settings.paths else self.quick

    def close(self) -> None:
        """End all workers; whoever waits for one is told that the server ends."""
        for lane in {self.quick, self.long, self.reading}:
            lane.close()


def _going_away() -> Refusal:
    return Refusal("busy", "Solvent is being stopped. Please try again when it has been started again.")


def _make_launcher() -> launchers.Launcher:
    """Return what starts workers, each with everything in place if there is a way."""
    if hasattr(os, "fork"):
        return launchers.ForkServerLauncher((*launchers.PRELOADED, PREPARING))
    return launchers.make_launcher()
