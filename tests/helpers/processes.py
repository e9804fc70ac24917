"""Look at processes, and wait for what they do."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

PATIENCE = 120.0
"""Seconds before a test gives up waiting; no measurement."""
POLL_SECONDS = 0.002


def looking() -> Iterator[float]:
    """Yield the time again and again, until patience ends."""
    deadline = time.monotonic() + PATIENCE
    while (now := time.monotonic()) < deadline:
        yield now
        time.sleep(POLL_SECONDS)


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Wait for something, or fail."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.01)


def process_status(process: int) -> list[str]:
    """Return state, parent, group, session and more of a process; raises OSError if there is none."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def is_alive(process: int) -> bool:
    """Tell whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return process_status(process)[0] not in ("Z", "X")
    except OSError:
        return False


def children_of(process: int) -> list[int]:
    """Return the processes that are children of another and alive."""
    found: list[str] = []
    for threads_children in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # threads, too, end while we look
            found += threads_children.read_text().split()
    return [child for child in map(int, found) if is_alive(child)]


def descendants(process: int) -> set[int]:
    """Return the processes that a process started, and those that they started."""
    found: set[int] = set()
    waiting = [process]
    while waiting:
        children = set(children_of(waiting.pop()))
        waiting += children - found
        found |= children
    return found
