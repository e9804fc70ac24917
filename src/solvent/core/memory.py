"""How much memory this process holds, and how much it could still get."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import TracebackType

NO_ROOM = ("failed to map segment", "cannot allocate memory", "not enough memory")
"""What systems say where machine code cannot be loaded for want of memory."""
POLL_SECONDS = 1.0
"""How long what the machine has is taken for what it had: reading its files takes longer than many a small search."""
_looked: tuple[float, float] | None = None
"""When that was read, and how much it was."""


class _ImportsNeedMemory:
    """What `imports_need_memory` returns. A class, because a generator would cost a small question much of its time."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, ImportError) and any(words in str(error).lower() for words in NO_ROOM):
            raise MemoryError(f"no room for a module ({error})") from None


_IMPORTS_NEED_MEMORY = _ImportsNeedMemory()


def imports_need_memory() -> AbstractContextManager[None]:
    """Raise MemoryError where there is no room for a module's machine code, which Python calls an ImportError."""
    return _IMPORTS_NEED_MEMORY


def free_megabytes() -> float:
    """Return how much this process may ask for in one go without harm.

    That is half of what the machine has: asking for more would not fail with an error but bring the machine to a halt.
    Where the address space is limited (`ulimit -v`), it is no more than what is left of that.
    """
    global _looked
    now = monotonic()
    if _looked is None or now - _looked[0] >= POLL_SECONDS:
        _looked = (now, machine_megabytes())
    left, half = address_space_left(), _looked[1] / 2
    return half if left is None else min(half, left)


def address_space_left() -> float | None:
    """Return how many megabytes are left of the address space; None where it is not limited or nobody can tell."""
    try:
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit == resource.RLIM_INFINITY:
            return None
        with open("/proc/self/statm", "rb") as statm:
            used = int(statm.read().split()[0]) * resource.getpagesize()
        return max(0.0, (limit - used) / 1e6)
    except (ImportError, AttributeError, OSError, ValueError, IndexError):
        return None


def machine_megabytes() -> float:
    """Return how much memory this process could use: that of the machine, or less if its container is allowed less.

    Where the system cannot tell, a modest guess.
    """
    import os

    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (AttributeError, ValueError, OSError):
        whole = 4_000.0
    return min([whole, *_container_megabytes()])


def _container_megabytes(root: str = "/sys/fs/cgroup", membership: str = "/proc/self/cgroup") -> list[float]:
    """Return the limits of the control groups this process is in, from the outermost; Linux only."""
    try:
        with open(membership, encoding="utf-8") as file:
            own = next((line[3:].strip() for line in file if line.startswith("0::")), "/")
    except OSError:
        return []
    limits = []
    parts = [part for part in own.split("/") if part not in ("", "..")]
    for depth in range(len(parts) + 1):
        try:
            with open("/".join([root, *parts[:depth], "memory.max"]), encoding="ascii") as file:
                limits.append(int(file.read()) / 1e6)
        except (OSError, ValueError):  # no such group from here, or `max`: no limit
            continue
    return limits


def resident_megabytes() -> float:
    """Return the memory this process holds now; where the system cannot tell, the most it ever held."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            pages = int(statm.read().split()[1])
        import resource

        return pages * resource.getpagesize() / 1e6
    except (OSError, ImportError, ValueError, IndexError):
        return _peak_megabytes()


def _peak_megabytes() -> float:
    import sys

    try:
        import resource
    except ImportError:  # Windows has neither; the limit then never triggers
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak / 1e3
