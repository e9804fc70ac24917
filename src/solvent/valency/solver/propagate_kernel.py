"""Draw consequences: AC-3 on bit sets.

`domains` (nodes, words): the modules still possible on each node. `sizes` (nodes): how many there are; 0 on null slots
and nodes that are left out, which nothing ever visits. `settled` (nodes): the module of a node that has one left, else
-1. `counts` (regions, modules + 1): how often each is settled on; in the last column all of them together. `filled_at`
(nodes): after which choice. `support` (kinds, modules, words): who agrees with a module at the start of an arc;
`against`: who agrees with one at its end. `seen` (nodes, words): what was possible on a node when its arcs were looked
at last, and `stale` (nodes): 1 where that says nothing, because the node or a neighbour has started again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.bits import lowest_bit, popcount, without_lowest_bit
from solvent.engine.jit.kernel import kernel
from solvent.valency.solver.state_kernel import CHOICES, QUEUE_HEAD, QUEUE_LENGTH, REMOVED, WORK, enqueue, touch


@kernel
def propagate(
    limit: Any,
    counters: Any,
    domains: Any,
    sizes: Any,
    queue: Any,
    queued: Any,
    touched: Any,
    is_touched: Any,
    settled: Any,
    region_of: Any,
    counts: Any,
    filled_at: Any,
    arc_start: Any,
    arc_target: Any,
    arc_kind: Any,
    support: Any,
    against: Any,
    seen: Any,
    stale: Any,
) -> Any:
    """Take away modules that no neighbour supports, until nothing changes or the limit is reached.

    Returns the node that has none left, or -1. The unit of work is one node's arcs.
    """
    words = domains.shape[1]
    union = np.empty(words, dtype=np.int64)
    removed = np.empty(words, dtype=np.int64)
    while counters[QUEUE_LENGTH] > 0 and counters[WORK] < limit:
        node = queue[counters[QUEUE_HEAD]]
        counters[QUEUE_HEAD] += 1
        if counters[QUEUE_HEAD] == len(queue):
            counters[QUEUE_HEAD] = 0
        counters[QUEUE_LENGTH] -= 1
        queued[node] = 0
        counters[WORK] += 1
        if sizes[node] == 0:
            continue
        few_removed = False
        if words > 1:
            # With many modules, what a few removals can change is far less than everything.
            count = 0
            for word in range(words):
                removed[word] = seen[node, word] & ~domains[node, word]
                seen[node, word] = domains[node, word]
                count += popcount(removed[word])
            few_removed = stale[node] == 0 and count < sizes[node]
            stale[node] = 0
        for arc in range(arc_start[node], arc_start[node + 1]):
            other, kind = arc_target[arc], arc_kind[arc]
            if words == 1:
                goal = domains[other, 0]
                reached, left = np.int64(0), domains[node, 0]
                # Most arcs remove nothing; stop as soon as every module of the other node has a support.
                while left != 0:
                    reached |= support[kind, lowest_bit(left), 0]
                    left = without_lowest_bit(left)
                    if goal & ~reached == 0:
                        break
                if goal & ~reached == 0:
                    continue
                domains[other, 0] = goal & reached
                size = popcount(goal & reached)
            else:
                if few_removed:
                    changed = drop_unsupported(kind, node, other, domains, removed, support, against, union)
                else:
                    changed = intersect_with_union(kind, node, other, domains, support, union)
                if not changed:
                    continue
                size = 0
                for word in range(words):
                    size += popcount(domains[other, word])
            counters[REMOVED] += sizes[other] - size
            sizes[other] = size
            if size == 0:
                enqueue(counters, queue, queued, node)  # its other arcs are still to be looked at
                stale[node] = 1
                return other
            if size == 1:
                settle(counters, domains, other, settled, region_of, counts, filled_at)
            touch(counters, touched, is_touched, other)
            enqueue(counters, queue, queued, other)
    return -1


@kernel
def settle(counters: Any, domains: Any, node: Any, settled: Any, region_of: Any, counts: Any, filled_at: Any) -> None:
    """Note that a node has one module left: which, and since which choice."""
    for word in range(domains.shape[1]):
        if domains[node, word] != 0:
            module = word * 64 + lowest_bit(domains[node, word])
            if settled[node] != module:
                settled[node] = module
                counts[region_of[node], module] += 1
                counts[region_of[node], -1] += 1
    filled_at[node] = counters[CHOICES]


@kernel
def intersect_with_union(kind: Any, node: Any, other: Any, domains: Any, support: Any, union: Any) -> Any:
    """Keep at the end of an arc what any module at its start supports; returns whether that took something away."""
    words = domains.shape[1]
    for word in range(words):
        union[word] = 0
    missing = True
    for word in range(words):
        left = domains[node, word]
        while left != 0 and missing:
            module = word * 64 + lowest_bit(left)
            left = without_lowest_bit(left)
            rest = np.int64(0)
            for place in range(words):
                union[place] |= support[kind, module, place]
                rest |= domains[other, place] & ~union[place]
            missing = rest != 0
    if missing:
        for word in range(words):
            domains[other, word] &= union[word]
    return missing


@kernel
def drop_unsupported(
    kind: Any, node: Any, other: Any, domains: Any, removed: Any, support: Any, against: Any, union: Any
) -> Any:
    """Drop at the end of an arc what only removed modules supported; returns whether that took something away."""
    words = domains.shape[1]
    for word in range(words):
        union[word] = 0
    for word in range(words):
        left = removed[word]
        while left != 0:
            module = word * 64 + lowest_bit(left)
            left = without_lowest_bit(left)
            for place in range(words):
                union[place] |= support[kind, module, place]
    changed = False
    for word in range(words):
        left = union[word] & domains[other, word]
        while left != 0:
            module = word * 64 + lowest_bit(left)
            bit = left ^ without_lowest_bit(left)
            left = without_lowest_bit(left)
            supported = False
            for place in range(words):
                if against[kind, module, place] & domains[node, place] != 0:
                    supported = True
                    break
            if not supported:
                domains[other, word] &= ~bit
                changed = True
    return changed
