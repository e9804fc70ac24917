"""What one instance costs its worker: time on the clock, time of the processor, memory."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time

from solvent.core.memory import resident_megabytes

MEGABYTES_UNSEEN = 1.0
"""A peak that stands out by less than this is left standing: forgetting it would cost more than a small instance."""


class Measure:
    """Begin to measure; read the figures when the work is done."""

    def __init__(self, megabytes: float | None = None) -> None:
        """Begin; `megabytes` is what the process holds, where that was looked at just now."""
        if megabytes is None:
            looked = _own_memory(os.getpid()).look()
            megabytes = resident_megabytes() if looked is None else looked[0]
        self._megabytes = megabytes
        peak = _peak_megabytes()
        if peak is not None and peak > self._megabytes + MEGABYTES_UNSEEN and not _forget_peak():
            peak = None
        self._tells_peak = peak is not None
        self._cpu = time.process_time()
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Return the seconds since it began."""
        return time.perf_counter() - self._began

    @property
    def cpu_seconds(self) -> float:
        """Return what all threads of this process spent since then."""
        return time.process_time() - self._cpu

    @property
    def peak_megabytes(self) -> float | None:
        """Return how much the process grew at most since then, to a megabyte; None where the system cannot tell."""
        peak = _peak_megabytes() if self._tells_peak else None
        return None if peak is None else round(max(0.0, peak - self._megabytes), 3)


@functools.lru_cache(maxsize=1)
def _own_memory(process: int) -> ProcessMemory:
    """Return what looks at the memory of this process; one that was forked has its own."""
    return ProcessMemory(process)


def _forget_peak() -> bool:
    """Have the system forget how large this process once was; Linux can, others say no."""
    try:
        with open("/proc/self/clear_refs", "wb") as file:
            file.write(b"5")
    except OSError:
        return False
    return True


def _peak_megabytes() -> float | None:
    """Return how large the process was at most, since that was last forgotten."""
    if sys.platform != "linux":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


class ProcessMemory:
    """Look at the memory of a process, as far as the system tells.

    The file is opened once: what takes microseconds can be done for each of a million instances.
    """

    def __init__(self, process: int | str = "self") -> None:
        self._statm: int | None = None
        self._page = 0.0
        """Megabytes in a page."""
        if sys.platform == "linux":
            self._page = os.sysconf("SC_PAGE_SIZE") / 1e6
            with contextlib.suppress(OSError):
                self._statm = os.open(f"/proc/{process}/statm", os.O_RDONLY | os.O_CLOEXEC)

    def look(self) -> tuple[float, float] | None:
        """Return the megabytes it holds now, and those handed out to it; None where that is unknown, or it is gone."""
        if self._statm is None:
            return None
        try:
            fields = os.pread(self._statm, 128, 0).split()
            return int(fields[1]) * self._page, int(fields[5]) * self._page
        except (OSError, IndexError):
            return None

    def close(self) -> None:
        """Let go of the file."""
        if self._statm is not None:
            os.close(self._statm)
            self._statm = None
