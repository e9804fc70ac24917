"""What watches over a worker from the inside: one instance may not take more time or memory than allowed.

A thread looks every few milliseconds and ends the whole process when a limit is passed, because whatever misbehaves
cannot be trusted to stop when asked. It cannot look while a call holds the interpreter's lock; for that the leader
looks from outside, at a page that says what is being watched, and the system refuses memory beyond a wider limit.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from solvent.batch.workers.measuring import ProcessMemory
from solvent.batch.workers.shared_page import Mark, Page
from solvent.core.memory import resident_megabytes

TIME_EXIT = 75
"""How a worker exits that had an instance for too long."""
MEMORY_EXIT = 76
"""How a worker exits that grew too much, or was refused memory."""
ORPHAN_EXIT = 77
"""How a worker exits whose leader is gone."""

TICK = 0.02
"""Seconds between two looks at an instance."""
IDLE_TICK = 0.5
"""Seconds between two looks while there is no instance, and for how long it counts as gone."""
STOPPED_AFTER = 1.0
"""Without a look for so many seconds, and without work on the processor, the process was stopped from outside."""
ROOM_ABOVE = 1.5
"""The system refuses memory beyond so many times the limit: enough for what is reserved and never touched."""
ROOM_BESIDE = 256.0
"""And so many megabytes more, for threads and compilers."""

ExitReport = Callable[[str, str], None]
"""Told why a worker ends itself, `time` or `memory`, and the limit it passed, just before it does."""


def over(limit: float, unit: str) -> str:
    """Say that a limit was passed, in time (`s`) or in memory (`MB`)."""
    return f"over {limit:.0f} {unit}" if limit >= 100 else f"over {limit:.3g} {unit}"


def begin(
    *, parent: int, report_exit: ExitReport, orphaned: Callable[[], bool] | None = None, page: Page | None = None
) -> None:
    """Make this process a guarded worker. Called once, before the first instance.

    `page` is where to note what is being watched, for the leader to watch it too.

    Ctrl-C reaches every process of a terminal; here it does nothing, since the leader decides what becomes of workers.
    When the parent is gone, or `orphaned` says so, the process ends.
    """
    global _guard
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # the parent may have blocked it
    _prefer_to_be_killed()
    _guard = _Guard(parent, report_exit, orphaned, page)
    threading.Thread(target=_guard.look_on, name="solvent guard", daemon=True).start()


class watch_over:
    """While inside, end this process if it takes longer or grows more than allowed.

    Does nothing in a process that is not a worker. Running out of memory inside ends it as well: after that no
    part of the process can be relied on.
    """

    __slots__ = ("_guard", "_megabytes", "_outer", "_seconds")

    def __init__(self, *, seconds: float, megabytes: float) -> None:
        self._seconds = seconds
        self._megabytes = megabytes
        self._guard = _guard
        self._outer: _Watched | None = None

    def __enter__(self) -> float | None:
        """Begin; returns the megabytes that the process holds, None where nothing is watched."""
        if self._guard is None:
            return None
        self._outer = self._guard.watched
        return self._guard.watch(self._seconds, self._megabytes)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._guard is not None:
            if kind is not None and issubclass(kind, MemoryError):
                self._guard.end(MEMORY_EXIT, "memory", over(self._megabytes, "MB"))
            self._guard.resume(self._outer)


@dataclass(frozen=True, slots=True)
class _Watched:
    """Hold what one instance may take, and where it began."""

    mark: Mark
    stopped_before: float
    """For how many seconds the process had been stopped before the instance began."""
    data_limit: int | None
    """What the system may hand out to the process, in bytes; None to leave that alone."""


class _Guard:
    """Watch one process. The thread only reads `watched`, which is replaced as a whole."""

    def __init__(
        self, parent: int, report_exit: ExitReport, orphaned: Callable[[], bool] | None, page: Page | None
    ) -> None:
        self.watched: _Watched | None = None
        self._parent = parent
        self._report_exit = report_exit
        self._orphaned = orphaned
        self._page = page
        self._memory = _Memory()
        self._wake = threading.Event()
        self._stopped = 0.0
        """For how many seconds the process was stopped from outside: Ctrl-Z, a laptop that slept."""

    def watch(self, seconds: float, megabytes: float) -> float:
        """Watch an instance from now on; returns the megabytes that the process holds."""
        resident, data = self._memory.look() or (resident_megabytes(), None)
        limit = None if data is None else int((data + ROOM_ABOVE * megabytes + ROOM_BESIDE) * 1e6)
        self._memory.limit(limit)
        mark = Mark(time.monotonic(), seconds, megabytes, resident)
        if self._page is not None:
            self._page.write(mark)
        self.watched = _Watched(mark, self._stopped, limit)
        if not self._wake.is_set():
            self._wake.set()
        return resident

    def resume(self, outer: _Watched | None) -> None:
        """Go on watching what was watched outside of an instance, most often nothing."""
        self.watched = outer
        if self._page is not None:
            self._page.write(None if outer is None else outer.mark)
        self._memory.limit(None if outer is None else outer.data_limit)

    def look_on(self) -> None:
        """Look until the process ends."""
        try:
            self._look_on()
        except MemoryError:
            watched = self.watched
            self.end(MEMORY_EXIT, "memory", over(watched.mark.megabytes, "MB") if watched else "out of memory")

    def _look_on(self) -> None:
        last, last_cpu = time.monotonic(), time.process_time()
        idle_since = last
        while True:
            if self.watched is None and time.monotonic() - idle_since > IDLE_TICK:
                # Many small instances in a row must not wake this thread one by one, so it stays up for a while.
                self._wake.clear()
                if self.watched is None:
                    self._wake.wait(IDLE_TICK)
            else:
                time.sleep(TICK)
            now, cpu = time.monotonic(), time.process_time()
            if now - last > STOPPED_AFTER:
                self._stopped += max(0.0, now - last - max(TICK, cpu - last_cpu))
            last, last_cpu = now, cpu
            if os.getppid() != self._parent:
                os._exit(ORPHAN_EXIT)
            watched = self.watched
            if watched is not None:
                idle_since = now
                self._inspect(watched, now)

    def _inspect(self, watched: _Watched, now: float) -> None:
        mark = watched.mark
        elapsed = now - mark.began - (self._stopped - watched.stopped_before)
        resident, _ = self._memory.look() or (resident_megabytes(), None)
        grown = resident - mark.megabytes_before
        orphaned = self._orphaned is not None and self._orphaned()
        if self.watched is not watched:  # it ended while we looked
            return
        if orphaned:
            os._exit(ORPHAN_EXIT)
        if grown > mark.megabytes:
            self.end(MEMORY_EXIT, "memory", over(mark.megabytes, "MB"))
        if elapsed > mark.seconds:
            self.end(TIME_EXIT, "time", over(mark.seconds, "s"))

    def end(self, code: int, kind: str, detail: str) -> NoReturn:
        """Say why, and end the process at once: no handlers, no unwinding, nothing that could hang."""
        try:
            self._memory.limit(None)
            self._report_exit(kind, detail)
        finally:
            os._exit(code)


_guard: _Guard | None = None
"""What guards this process; None if it is not a worker."""


class _Memory(ProcessMemory):
    """Look at the memory of this process and have the system limit it, as far as there is a way."""

    def __init__(self) -> None:
        super().__init__()
        self._set: Callable[[int | None], None] | None = None
        """Sets the limit; None where none can be set."""
        self._limited = False
        if self.look() is not None:  # without knowing what there is, no limit can be set above it
            self._set = _data_limit()

    def limit(self, limit: int | None) -> None:
        """Have the system hand out no more than this many bytes in all; None for what it would by itself."""
        if self._set is None or (limit is None and not self._limited):
            return
        try:
            self._set(limit)
            self._limited = limit is not None
        except (OSError, ValueError):
            self._set = None


def _data_limit() -> Callable[[int | None], None]:
    """Return what sets the limit of this process, for as many instances as there are; None is what it is now."""
    import resource

    kind, usual = resource.RLIMIT_DATA, resource.getrlimit(resource.RLIMIT_DATA)
    ceiling = min((bound for bound in usual if bound != resource.RLIM_INFINITY), default=None)

    def set_limit(limit: int | None) -> None:
        if limit is None:
            resource.setrlimit(kind, usual)
        else:
            resource.setrlimit(kind, (limit if ceiling is None else min(limit, ceiling), usual[1]))

    return set_limit


def _prefer_to_be_killed() -> None:
    """When the machine itself runs out of memory, have the system take a worker and not the leader."""
    if sys.platform != "linux":
        return
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("500")
    except OSError:
        pass
