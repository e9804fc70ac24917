"""A binary heap that gives back the smallest priority first.

`heap` is an int64 array of shape (capacity + 1, 2): `heap[0, 0]` is the number of entries n; rows 1 to n are entries,
column 0 the priority and column 1 the item. Row i is never smaller than row i // 2. Of equal priorities the smaller
item comes first, so the order does not depend on when entries came.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.engine.jit.kernel import kernel


def new_heap(capacity: int) -> npt.NDArray[np.int64]:
    """Make an empty heap with room for this many entries."""
    return np.zeros((capacity + 1, 2), dtype=np.int64)


def grow_heap(heap: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return a heap with the same entries and twice the room."""
    bigger = np.zeros((2 * len(heap) + 1, 2), dtype=np.int64)
    bigger[: len(heap)] = heap
    return bigger


@kernel
def heap_size(heap: Any) -> Any:
    """Return the number of entries."""
    return heap[0, 0]


@kernel
def heap_push(heap: Any, priority: Any, item: Any) -> Any:
    """Put an entry in; returns False, with nothing changed, if there is no room."""
    place = heap[0, 0] + 1
    if place >= len(heap):
        return False
    heap[0, 0] = place
    while place > 1 and _before(priority, item, heap[place >> 1, 0], heap[place >> 1, 1]):
        heap[place, 0], heap[place, 1] = heap[place >> 1, 0], heap[place >> 1, 1]
        place >>= 1
    heap[place, 0], heap[place, 1] = priority, item
    return True


@kernel
def heap_pop(heap: Any) -> Any:
    """Take the first entry out and return its priority and item; the heap must not be empty."""
    first_priority, first_item = heap[1, 0], heap[1, 1]
    size = heap[0, 0] - 1
    priority, item = heap[size + 1, 0], heap[size + 1, 1]
    heap[0, 0] = size
    place = 1
    while 2 * place <= size:
        child = 2 * place
        if child < size and _before(heap[child + 1, 0], heap[child + 1, 1], heap[child, 0], heap[child, 1]):
            child += 1
        if not _before(heap[child, 0], heap[child, 1], priority, item):
            break
        heap[place, 0], heap[place, 1] = heap[child, 0], heap[child, 1]
        place = child
    heap[place, 0], heap[place, 1] = priority, item
    return first_priority, first_item


@kernel
def _before(priority: Any, item: Any, other_priority: Any, other_item: Any) -> Any:
    return priority < other_priority or (priority == other_priority and item < other_item)
