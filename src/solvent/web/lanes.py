"""Who does the work: two lanes of worker processes, a short queue before each, and a kind word when it is full.

What has to be quick (reading, a move, a picture) never waits behind what may take long. Work whose asker has gone is
stopped, which frees its worker within a second.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

from solvent.batch.workers import launching
from solvent.batch.workers.jobs import Job
from solvent.batch.workers.pool import LocalPool
from solvent.web.failures import Busy
from solvent.web.settings import Settings

WARMING = "solvent.web.warming"
"""What the process that has the workers of a lane imports, so that none of them has kernels to load."""
SECONDS_BESIDE = 10.0
"""What a worker may take beyond its budget before it is ended: loading kernels, checking, drawing."""
SECONDS_TO_COMPILE = 180.0
"""And beyond that while kernels are being compiled, which happens once on a machine."""


class Lane:
    """Some workers with a queue of limited length before them."""

    def __init__(self, workers: int, waiting: int, megabytes: float, *, warm: bool) -> None:
        self._pool = LocalPool(
            workers, hard_megabytes=megabytes, make_launcher=_warm_launcher if warm else launching.make_launcher
        )
        self._workers = workers
        self._most = workers + waiting
        self._jobs: set[Job] = set()
        self._first = self._pool.submit(os.getpid, seconds=None)

    @property
    def is_ready(self) -> bool:
        """Tell whether workers can be had at once; the first one has to wait for what all of them need."""
        return self._first.done()

    @property
    def is_full(self) -> bool:
        """Tell whether the next job has to wait for another one."""
        return len(self._jobs) >= self._workers

    async def run(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float,
        hear: Callable[[Any], None] | None = None,
    ) -> Any:
        """Have a worker call a function and return what it returns; raises Busy when there is no room to wait.

        `hear` is called in the event loop with what the function tells meanwhile. Whoever cancels the waiting task
        stops the work.
        """
        if len(self._jobs) >= self._most:
            raise Busy
        loop = asyncio.get_running_loop()

        def pass_on(news: Any) -> None:
            if hear is not None and not loop.is_closed():
                loop.call_soon_threadsafe(hear, news)

        job = self._pool.submit(function, *arguments, seconds=seconds, hear=pass_on)
        self._jobs.add(job)
        job.add_done_callback(lambda done: loop.is_closed() or loop.call_soon_threadsafe(self._jobs.discard, done))
        try:
            return await asyncio.shield(asyncio.wrap_future(job))
        except asyncio.CancelledError:
            job.stop()
            raise

    def close(self) -> None:
        """End all workers."""
        self._pool.close(now=True)


class Lanes:
    """The lanes of a server."""

    def __init__(self, settings: Settings) -> None:
        self.quick = Lane(settings.quick_jobs, settings.waiting, settings.megabytes, warm=False)
        self.long = Lane(settings.jobs, settings.waiting, settings.megabytes, warm=settings.warm)

    def close(self) -> None:
        """End all workers."""
        self.quick.close()
        self.long.close()


def _warm_launcher() -> launching.Launcher:
    if hasattr(os, "fork"):
        return launching.NurseryLauncher((*launching.PRELOADED, WARMING))
    return launching.make_launcher()
