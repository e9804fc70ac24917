"""The order of the frontier solver: always next the node with the most neighbours that come before it."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.heap import heap_pop, heap_push
from solvent.engine.jit.kernel import kernel


@kernel
def grow(start: Any, near_end: Any, target: Any, starts: Any, heap: Any, before: Any, found: Any, order: Any) -> Any:
    """Write all nodes that can be reached from each of `starts` in turn into `order`; returns how many there are.

    `start`, `near_end`, `target`: the edges of each node. `before` (nodes): how many neighbours come before it, -1 once
    it has its place. `found` (nodes): when it was first seen, -1 before that. `heap` has room for every arc. Of several
    nodes with as many neighbours placed, the one seen first is next, so the filled part stays round and has no gaps.
    """
    placed, seen = 0, 0
    for origin in starts:
        if before[origin] < 0:
            continue
        found[origin] = seen
        seen += 1
        heap_push(heap, 0, origin)
        while heap[0, 0] > 0:
            _, node = heap_pop(heap)
            if before[node] < 0:
                continue
            before[node] = -1
            order[placed] = node
            placed += 1
            for arc in range(start[node], near_end[node]):
                other = target[arc]
                if before[other] < 0:
                    continue
                before[other] += 1
                if found[other] < 0:
                    found[other] = seen
                    seen += 1
                # The more neighbours are placed the smaller the key; a node has at most 64 orbitals in 8 layers.
                heap_push(heap, ((512 - min(before[other], 512)) << 40) | found[other], other)
    return placed
