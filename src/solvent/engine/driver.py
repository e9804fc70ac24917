"""Run a kernel in short chunks, so that a search can be stopped, timed and watched.

A kernel cannot look at clocks or flags. It does up to `limit` units of work and returns; between calls the driver looks
at the budget and sizes the next chunk to about `CHUNK_SECONDS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Event, Kind, Listener, ignore

CHUNK_SECONDS = 0.05
SMALLEST_CHUNK = 64
SECONDS_BETWEEN_NEWS = 0.1

WORKING = 0
"""What a kernel returns when it only ran out of its limit. Any other number is the kernel's own and ends the drive."""


def drive(
    step: Callable[[int], tuple[int, int]],
    meter: Meter,
    *,
    first_chunk: int = 4096,
    listen: Listener = ignore,
    message: str = "",
) -> tuple[int, Reason | None]:
    """Call `step(limit)` until it returns a status other than WORKING or the budget is spent.

    `step` returns the status and the units it used. The result is the last status and, if the budget ended it, why.
    The sizes of chunks depend on the clock; a kernel must give the same result however its work is cut.
    """
    chunk = first_chunk
    last_news = meter.elapsed
    while True:
        reason = meter.stop_reason()
        if reason is not None:
            return WORKING, reason
        left = meter.nodes_left
        limit = chunk if left is None else min(chunk, left)
        began = time.perf_counter()
        status, used = step(limit)
        took = time.perf_counter() - began
        meter.spend(used)
        if status != WORKING:
            return status, None
        if used >= limit == chunk:  # a short chunk says nothing about speed
            faster = CHUNK_SECONDS / max(took, 1e-6)
            chunk = max(SMALLEST_CHUNK, int(chunk * min(4.0, max(0.25, faster))))
        if meter.elapsed - last_news >= SECONDS_BETWEEN_NEWS:
            last_news = meter.elapsed
            listen(Event(Kind.PROGRESS, message, meter.nodes))
