"""The place of one worker in a pool of this machine: who fills it now, what it does, and what that may take.

Limits are watched from outside here, which works whatever the worker is doing: those of the whole job, and those of the
instance that the worker says it is at.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time

from solvent.batch.workers import launchers, serving, watchdog
from solvent.batch.workers.jobs import Job, Kind, NotTaken, WorkerLost
from solvent.batch.workers.measuring import ProcessMemory
from solvent.batch.workers.shared_page import Mark

STOPPED_AFTER = 1.0
"""Without a look for so many seconds, this process was stopped, and jobs are not to blame for that time."""
ROOM_ABOVE = 1.25
"""A job of several instances may grow by so many times what one of them may."""
ROOM_BESIDE = 512.0
"""And by so many megabytes more, for libraries and kernels that it is the first to load or compile."""
SECONDS_TO_STOP = 1.0
"""How long a worker may take to come to an end when it is asked to; a new one has kernels to load."""
GRACE = 0.5
"""Seconds that a worker has to end itself when an instance takes too long; it does not while a call holds the lock."""
BLOATED = 0.5
"""An idle worker that still holds more than this share of the limit, beside that room, is replaced by a fresh one."""


class Clock:
    """Tell how long something ran, not counting the time during which this process was stopped.

    Ctrl-Z stops leader and workers alike, and a laptop may sleep; that is no job's fault.
    """

    def __init__(self) -> None:
        self.now = time.monotonic()
        """When the clock was last read."""
        self._stops: list[tuple[float, float]] = []
        """When each stop was over, and how long it was."""

    def look(self) -> None:
        """Look at the time. Called again and again, much more often than `STOPPED_AFTER`."""
        now = time.monotonic()
        if now - self.now > STOPPED_AFTER:
            self._stops.append((now, now - self.now))
        self.now = now

    def since(self, moment: float) -> float:
        """Return the seconds that something ran since then."""
        return self.now - moment - sum(length for over, length in self._stops if over > moment)


class Slot:
    """Hold the place of one worker."""

    def __init__(self, hard_megabytes: float | None, clock: Clock) -> None:
        self.worker: launchers.Worker | None = None
        self._hard_megabytes = hard_megabytes
        self._clock = clock
        self._lock = threading.Lock()
        """Between the thread that leads the worker and the one that watches limits."""
        self._limits: _Limits | None = None
        self._memory: _Memory | None = None

    def is_ready(self) -> bool:
        """Tell whether there is a worker for the next job; one that is bloated is let go."""
        if self.worker is not None and self._is_bloated():
            self.dismiss()
        return self.worker is not None

    def hand_over(self, order: bytes, job: Job, seconds: float | None) -> bytearray:
        """Have the worker do a job and return its reply; raises WorkerLost."""
        worker = self.worker
        assert worker is not None
        if self._memory is None:
            self._memory = _Memory(worker.process)
        limits = _Limits(job, seconds, self._hard_megabytes, self._memory.megabytes())
        job.began = limits.began
        worker.want_stop(False)
        with self._lock:
            self._limits = limits
        taken, reply = False, bytearray()
        try:
            worker.send(order)
            taken = worker.receive() == serving.TAKEN
            while (message := worker.receive())[:1] == serving.NEWS:
                if job.hear is not None:
                    job.hear(pickle.loads(memoryview(message)[1:]))
            reply = message
        except (EOFError, OSError):
            pass
        finally:
            with self._lock:
                self._limits = None
        lost = not reply or reply[:1] == serving.LOST
        if lost or limits.passed is not None:
            code = worker.exit_code()
            self.dismiss()
        if lost:
            kind, detail = limits.passed or _reported_exit(reply) or _explain(code)
            blamed = WorkerLost if taken or limits.passed is not None else NotTaken
            raise blamed(kind, detail, time.monotonic() - limits.began)
        return reply

    def inspect(self) -> None:
        """End the worker if its job, or the instance it is at, has passed a limit."""
        with self._lock:
            limits, worker, memory = self._limits, self.worker, self._memory
            if limits is None or limits.passed is not None or worker is None or memory is None:
                return
            if limits.job.stop_wanted is not None:
                worker.want_stop(True)
            limits.passed = limits.passed_by(memory.megabytes(), worker.mark(), self._clock)
            if limits.passed is not None:
                worker.kill()

    def dismiss(self) -> None:
        """Let the worker go."""
        with self._lock:
            worker, self.worker = self.worker, None
            if self._memory is not None:
                self._memory.close()
                self._memory = None
        if worker is not None:
            worker.dismiss()

    def _is_bloated(self) -> bool:
        if self._hard_megabytes is None or self._memory is None:
            return False
        return self._memory.megabytes() - self._memory.at_first > BLOATED * self._hard_megabytes + ROOM_BESIDE


class _Limits:
    """Hold what one job may take, and which limit was passed, if any."""

    def __init__(self, job: Job, seconds: float | None, megabytes: float | None, megabytes_before: float) -> None:
        self.job = job
        self.began = time.monotonic()
        self.passed: tuple[Kind, str] | None = None
        self._seconds = seconds
        self._megabytes = megabytes
        self._megabytes_before = megabytes_before

    def passed_by(self, megabytes: float, mark: Mark | None, clock: Clock) -> tuple[Kind, str] | None:
        """Describe the limit that is passed by a worker that holds this much and is at that instance."""
        if mark is not None:
            if megabytes - mark.megabytes_before > mark.megabytes:
                return "memory", watchdog.over(mark.megabytes, "MB")
            if clock.since(mark.began) > mark.seconds + GRACE:
                return "time", watchdog.over(mark.seconds, "s")
        grown = megabytes - self._megabytes_before
        if self._megabytes is not None and grown > ROOM_ABOVE * self._megabytes + ROOM_BESIDE:
            return "memory", watchdog.over(self._megabytes, "MB")
        if self._seconds is not None and clock.since(self.began) > self._seconds:
            return "time", watchdog.over(self._seconds, "s")
        stop_wanted = self.job.stop_wanted
        if stop_wanted is not None and clock.since(max(stop_wanted, self.began)) > SECONDS_TO_STOP:
            return "stopped", "it was asked to stop"
        return None


class _Memory(ProcessMemory):
    """Look at how much a worker holds; 0 where the system does not tell."""

    def __init__(self, process: int) -> None:
        super().__init__(process)
        self.at_first = self.megabytes()

    def megabytes(self) -> float:
        found = self.look()
        return 0.0 if found is None else found[0]


def _reported_exit(reply: bytearray) -> tuple[Kind, str] | None:
    """Return why a worker ended itself, if it said so."""
    kind, _, detail = reply[1:].decode(errors="replace").partition(" ")
    if kind == "time":
        return "time", detail
    return ("memory", detail) if kind == "memory" else None


def _explain(code: int | None) -> tuple[Kind, str]:
    """Describe how a process ended."""
    if code is None:
        return "died", "it disappeared"
    if code == watchdog.TIME_EXIT:
        return "time", "out of time"
    if code == watchdog.MEMORY_EXIT:
        return "memory", "out of memory"
    if code < 0:
        try:
            return "died", signal.Signals(-code).name
        except ValueError:
            return "died", f"signal {-code}"
    return "died", f"exit code {code}"
