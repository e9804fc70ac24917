"""A page of memory that a worker shares with its leader: since when it is at an instance, and what that may take.

The worker writes, the leader looks whenever it likes. Asking would not do: a worker inside a call that holds the
interpreter's lock cannot answer, and cannot watch over itself either. One byte goes the other way: by it the leader
asks the worker to come to an end with what it is doing.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from dataclasses import dataclass

SIZE = mmap.PAGESIZE

_COUNT = struct.Struct("=Q")
_BODY = struct.Struct("=dddd")
_STOP = _COUNT.size + _BODY.size
"""Where the leader's byte stands."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Say since when a worker is at an instance, and what that may take."""

    began: float
    """By `time.monotonic()`, which all processes of a machine share."""
    seconds: float
    megabytes: float
    megabytes_before: float
    """What the worker held when it began."""


_NOTHING = Mark(0.0, 0.0, 0.0, 0.0)


class Page:
    """One end of a shared page. The worker writes the mark and the leader the wish to stop; both may read."""

    def __init__(self, descriptor: int) -> None:
        self._memory = mmap.mmap(descriptor, SIZE)
        self._count = 0

    def write(self, mark: Mark | None) -> None:
        """Replace what the page says; None for nothing.

        The count is odd while the rest is being written, so that no reader takes half of one mark and half of another.
        """
        shown = mark or _NOTHING
        self._count += 2
        _COUNT.pack_into(self._memory, 0, self._count - 1)
        _BODY.pack_into(self._memory, _COUNT.size, shown.began, shown.seconds, shown.megabytes, shown.megabytes_before)
        _COUNT.pack_into(self._memory, 0, self._count)

    def read(self) -> Mark | None:
        """Return what the page says; None for nothing, or if it is being written just now."""
        (before,) = _COUNT.unpack_from(self._memory, 0)
        mark = Mark(*_BODY.unpack_from(self._memory, _COUNT.size))
        (after,) = _COUNT.unpack_from(self._memory, 0)
        return mark if before == after and before % 2 == 0 and mark != _NOTHING else None

    def want_stop(self, wanted: bool) -> None:
        """Ask the worker to come to an end with its job, or take that back for the next one."""
        self._memory[_STOP] = wanted

    @property
    def stop_wanted(self) -> bool:
        """Tell whether the leader asks to come to an end. Cheap enough to look at all the time."""
        return self._memory[_STOP] != 0

    def close(self) -> None:
        """Let go of the page; it is gone when the last one does."""
        self._memory.close()


def make_page() -> int:
    """Return the descriptor of a new page that says nothing; it has no name, so nothing remains of it."""
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("solvent mark")
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    os.ftruncate(descriptor, SIZE)
    return descriptor
