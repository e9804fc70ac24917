"""What the kernels of a fill share: their counters, and the queue of nodes to look at.

`counters` (int64): one number for each name below.
`queue`, `queued` (nodes): a ring of nodes whose arcs are to be looked at, and who stands in it.
`touched`, `is_touched` (nodes): nodes whose possibilities have changed since the last choice.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel

(
    QUEUE_HEAD,
    QUEUE_LENGTH,
    POINTER,
    CHOICES,
    REPAIRS,
    PLACE,
    MARK,
    TOUCHED,
    WORK,
    ATTEMPT,
    WIDEST,
    NARROWEST,
    REPAIRING,
    BY_ENTROPY,
    REMOVED,
    BALANCING,
    LAST_CHOICE,
) = range(17)
COUNTERS = 17


@kernel
def enqueue(counters: Any, queue: Any, queued: Any, node: Any) -> None:
    """Have the arcs of a node looked at, unless they will be anyway."""
    if queued[node] == 0:
        queued[node] = 1
        place = counters[QUEUE_HEAD] + counters[QUEUE_LENGTH]
        if place >= len(queue):
            place -= len(queue)
        queue[place] = node
        counters[QUEUE_LENGTH] += 1


@kernel
def clear_queue(counters: Any, queue: Any, queued: Any) -> None:
    """Forget whose arcs were to be looked at."""
    while counters[QUEUE_LENGTH] > 0:
        queued[queue[counters[QUEUE_HEAD]]] = 0
        counters[QUEUE_HEAD] += 1
        if counters[QUEUE_HEAD] == len(queue):
            counters[QUEUE_HEAD] = 0
        counters[QUEUE_LENGTH] -= 1


@kernel
def touch(counters: Any, touched: Any, is_touched: Any, node: Any) -> None:
    """Note that the possibilities of a node have changed."""
    if is_touched[node] == 0:
        is_touched[node] = 1
        touched[counters[TOUCHED]] = node
        counters[TOUCHED] += 1
