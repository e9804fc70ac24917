"""The pool of this machine: worker processes, each led by a thread.

A job that takes too long, eats too much or crashes costs one worker, which is replaced; the others never notice. Each
worker has a socket of its own and no lock is shared between processes, so a worker may be killed at any moment, also
halfway through a message, and nothing is left in a state that others would wait for.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from solvent.batch.workers import launchers, serving
from solvent.batch.workers.calls import Call, Calls
from solvent.batch.workers.jobs import CannotStart, Job, Kind, NotTaken, Pool, WorkerLost
from solvent.batch.workers.slots import Clock, Slot

__all__ = ["CannotStart", "Job", "Kind", "LocalPool", "Pool", "WorkerLost"]

TICK = 0.05
"""Seconds between two looks at the limits of running jobs."""
ATTEMPTS_TO_START = 20
"""How often to try to start a worker: a machine may have no room for another process for a while."""
LAUNCHERS_TO_TRY = 3
"""How many times what starts workers may fail before it is given up."""
SECONDS_BETWEEN_ATTEMPTS = 0.5
HAND_OVERS_TO_TRY = 3
"""How many workers may die before they take a job until it is held responsible."""
SECONDS_TO_CLOSE = 0.05
"""How long closing at once waits for its own threads. All processes are ended by then."""


class LocalPool:
    """Workers on this machine.

    `hard_megabytes` is by how much a worker may grow during one job before it is ended. Functions must be importable by
    name, other than from a script or notebook; arguments and results must be picklable. An argument, a result or an
    exception that is not gives its own job an exception, and nothing else.
    """

    overhead_seconds = 0.0005

    def __init__(
        self,
        jobs: int,
        *,
        hard_megabytes: float | None = None,
        make_launcher: Callable[[], launchers.Launcher] = launchers.make_launcher,
    ) -> None:
        if jobs < 1:
            raise ValueError(f"jobs: expected at least 1, found {jobs}")
        self.width = jobs
        self._make_launcher = make_launcher
        self._launcher: launchers.Launcher | None = None
        self._launching = threading.Lock()
        self._calls = Calls()
        self._closing = threading.Lock()
        self._closed = False
        self._ending = threading.Event()
        """Set when nothing is to be finished any more."""
        self._done = threading.Event()
        self._clock = Clock()
        self._slots = [Slot(hard_megabytes, self._clock) for _ in range(jobs)]
        self._threads = [
            threading.Thread(target=self._lead, args=(slot, number), name=f"solvent worker {number}", daemon=True)
            for number, slot in enumerate(self._slots)
        ]
        self._watch = threading.Thread(target=self._watch_limits, name="solvent limits", daemon=True)
        for thread in (*self._threads, self._watch):
            thread.start()

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(now=kind is not None)

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        seconds: float | None,
        label: str = "",
        hear: Callable[[Any], None] | None = None,
        worker: int | None = None,
    ) -> Job:
        """Have a worker call a function; returns at once. `hear` is called with what it tells while it works.

        `worker` is the number of the one that has the least work with it; another takes it rather than being idle.
        """
        job = Job(label, hear)
        with self._closing:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._calls.put(Call(job, function, arguments, seconds, worker))
        return job

    def take_notices(self) -> list[str]:
        """Return nothing: whatever happens to a worker here is told by the job it had."""
        return []

    def close(self, *, now: bool = False) -> None:
        """Let everything that was submitted finish, then end all workers.

        With `now` they are ended at once, whatever they do: jobs that waited are cancelled, those that ran raise
        CancelledError. May be called again, also with `now` from another thread while this one waits.
        """
        with self._closing:
            self._closed = True
            self._calls.close()
        if now:
            self._end_at_once()
        until = time.monotonic() + SECONDS_TO_CLOSE
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()) if now else None)
        self._done.set()
        self._drop_launcher(self._launcher)

    def _end_at_once(self) -> None:
        self._ending.set()
        for call in self._calls.take_all():
            if call.job.cancel():
                call.job.set_running_or_notify_cancel()  # tells those who wait for it
        self._drop_launcher(self._launcher)

    def _drop_launcher(self, launcher: launchers.Launcher | None) -> None:
        """Close a launcher, unless it was replaced already."""
        with self._launching:
            if launcher is None or self._launcher is not launcher:
                return
            self._launcher = None
        launcher.close()

    def _lead(self, slot: Slot, number: int) -> None:
        """Give one worker after the other what there is to do."""
        while (call := self._calls.take(number)) is not None:
            if call.job.set_running_or_notify_cancel():
                call.job.worker = number
                self._perform(slot, call)
            del call  # what it holds may be large, and the next may be long in coming
        slot.dismiss()

    def _perform(self, slot: Slot, call: Call) -> None:
        job = call.job
        result: Any = None
        error: BaseException | None = None
        try:
            order = pickle.dumps((call.function, call.arguments), protocol=pickle.HIGHEST_PROTOCOL)
            call.arguments = ()
            reply = self._hand_over(slot, order, call)
            kind, content = bytes(reply[:1]), memoryview(reply)[1:]
            if kind == serving.RESULT:
                result = pickle.loads(content)
            else:
                error = serving.unpack_failure(content)
        except Exception as problem:
            error = CancelledError() if self._ending.is_set() else problem
        if error is not None:
            job.set_exception(error)
        else:
            job.set_result(result)

    def _hand_over(self, slot: Slot, order: bytes, call: Call) -> bytearray:
        """Have a worker do a job; one that was dead before it took the job is replaced silently."""
        attempts = 0
        while True:
            if not slot.is_ready():
                slot.worker = self._start_worker()
            try:
                return slot.hand_over(order, call.job, call.seconds)
            except NotTaken:
                attempts += 1
                if attempts == HAND_OVERS_TO_TRY or self._ending.is_set():
                    raise

    def _start_worker(self) -> launchers.Worker:
        """Return a new worker; raises CannotStart when there is no hope of one."""
        problem: Exception | None = None
        launchers_lost = 0
        for _ in range(ATTEMPTS_TO_START):
            with self._launching:
                if self._ending.is_set():
                    break
                try:
                    launcher = self._launcher = self._launcher or self._make_launcher()
                except OSError as error:
                    launcher, problem = None, error
            if launcher is not None:
                try:
                    return launcher.launch()
                except OSError as error:
                    problem = error
                except EOFError as error:
                    problem = error
                    self._drop_launcher(launcher)
                    launchers_lost += 1
                    if launchers_lost < LAUNCHERS_TO_TRY:
                        continue
                    break
            if self._ending.wait(SECONDS_BETWEEN_ATTEMPTS):
                break
        raise CannotStart(f"no worker process can be started: {problem}")

    def _watch_limits(self) -> None:
        while not self._done.wait(TICK):
            self._clock.look()
            for slot in self._slots:
                slot.inspect()
