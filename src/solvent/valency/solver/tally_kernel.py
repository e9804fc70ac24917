"""Keep counts within their bounds.

`tally_modules` (tallies, words): the set each tally counts. `tally_scope` (tallies, nodes): which nodes count.
`tally_bounds` (tallies, 2): the least and the most. `tally_counts` (tallies, 2): how many nodes must hold a module of
the set, and how many may. `tally_flags` (tallies, nodes): the same for each node; 0 no, 1 may, 3 must.
`tally_pointer` (tallies): how far along `placing` (a shuffled list of nodes) modules that are wanted were placed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.bits import popcount
from solvent.engine.jit.kernel import kernel
from solvent.valency.solver.propagate_kernel import settle
from solvent.valency.solver.state_kernel import REMOVED, TOUCHED, enqueue, touch

MAY, MUST = 1, 3
LEAST, MOST = 0, 1


@kernel
def recount(
    counters: Any, domains: Any, touched: Any, tally_modules: Any, tally_scope: Any, tally_counts: Any, tally_flags: Any
) -> None:
    """Bring the counts up to date with every node that changed."""
    words = domains.shape[1]
    for tally in range(len(tally_modules)):
        for place in range(counters[TOUCHED]):
            node = touched[place]
            if tally_scope[tally, node] == 0:
                continue
            inside, outside = False, False
            for word in range(words):
                inside = inside or domains[node, word] & tally_modules[tally, word] != 0
                outside = outside or domains[node, word] & ~tally_modules[tally, word] != 0
            flag = 0 if not inside else MAY if outside else MUST
            before = tally_flags[tally, node]
            if flag != before:
                tally_flags[tally, node] = flag
                tally_counts[tally, 0] += int(flag == MUST) - int(before == MUST)
                tally_counts[tally, 1] += int(flag != 0) - int(before != 0)


@kernel
def keep_bounds(
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
    tally_modules: Any,
    tally_bounds: Any,
    tally_counts: Any,
    tally_flags: Any,
) -> Any:
    """Draw consequences from the counts; returns a tally that cannot be kept any more, or -1.

    If as many must as may at most, nobody else does. If only as many may as must at least, they all do.
    """
    words = domains.shape[1]
    for tally in range(len(tally_modules)):
        must, may = tally_counts[tally, 0], tally_counts[tally, 1]
        if must > tally_bounds[tally, MOST] or may < tally_bounds[tally, LEAST]:
            return tally
        full = must == tally_bounds[tally, MOST]
        if may == must or not (full or may == tally_bounds[tally, LEAST]):
            continue
        for node in range(len(sizes)):
            if tally_flags[tally, node] == MAY:
                size = 0
                for word in range(words):
                    keep = ~tally_modules[tally, word] if full else tally_modules[tally, word]
                    domains[node, word] &= keep
                    size += popcount(domains[node, word])
                counters[REMOVED] += sizes[node] - size
                sizes[node] = size
                if size == 1:
                    settle(counters, domains, node, settled, region_of, counts, filled_at)
                touch(counters, touched, is_touched, node)
                enqueue(counters, queue, queued, node)
        return -1  # first let this sink in
    return -1


@kernel
def place_wanted(
    counters: Any,
    domains: Any,
    sizes: Any,
    placing: Any,
    tally_modules: Any,
    tally_bounds: Any,
    tally_counts: Any,
    tally_flags: Any,
    tally_pointer: Any,
) -> Any:
    """Narrow the next node of the shuffled list to the set of a tally that has too few; returns it, or -1."""
    for tally in range(len(tally_modules)):
        if tally_counts[tally, 0] >= tally_bounds[tally, LEAST]:
            continue
        while tally_pointer[tally] < len(placing):
            node = placing[tally_pointer[tally]]
            tally_pointer[tally] += 1
            if tally_flags[tally, node] == MAY:
                size = 0
                for word in range(domains.shape[1]):
                    domains[node, word] &= tally_modules[tally, word]
                    size += popcount(domains[node, word])
                counters[REMOVED] += sizes[node] - size
                sizes[node] = size
                return node
    return np.int64(-1)
