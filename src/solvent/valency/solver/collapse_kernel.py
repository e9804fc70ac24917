"""The collapse: choose, propagate, and mend contradictions where they arise.

All state is in arrays, so that work can stop anywhere and go on in the next call. What the arrays hold is said where
they are used: `state_kernel`, `propagate_kernel`, `choose_kernel`, `mend_kernel`, `tally_kernel`.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.valency.solver.choose_kernel import choose, next_by_entropy, next_in_order, refresh_keys
from solvent.valency.solver.mend_kernel import mend
from solvent.valency.solver.propagate_kernel import propagate, settle
from solvent.valency.solver.state_kernel import (
    BY_ENTROPY,
    PLACE,
    QUEUE_LENGTH,
    REPAIRING,
    TOUCHED,
    WORK,
    enqueue,
    touch,
)
from solvent.valency.solver.tally_kernel import keep_bounds, place_wanted, recount

WORKING, FILLED, CONTRADICTION, STUCK, OUT_OF_BOUNDS, HEAP_FULL = range(6)
"""What a call ends with: out of its limit; every node has one module; a node has none, and mending is off; mending goes
on too long at one place; a count cannot be kept any more; the heap must grow."""


@kernel
def collapse(
    limit: Any,
    counters: Any,
    domains: Any,
    sizes: Any,
    roots: Any,
    queue: Any,
    queued: Any,
    touched: Any,
    is_touched: Any,
    settled: Any,
    counts: Any,
    filled_at: Any,
    arc_start: Any,
    near_end: Any,
    arc_target: Any,
    arc_kind: Any,
    support: Any,
    against: Any,
    seen: Any,
    stale: Any,
    order: Any,
    rank: Any,
    heap: Any,
    keys: Any,
    weights: Any,
    totals: Any,
    tiers: Any,
    region_of: Any,
    seeds: Any,
    draws: Any,
    state: Any,
    failures: Any,
    ball: Any,
    mark: Any,
    away: Any,
    placing: Any,
    tally_modules: Any,
    tally_scope: Any,
    tally_bounds: Any,
    tally_counts: Any,
    tally_flags: Any,
    tally_pointer: Any,
) -> Any:
    """Fill nodes until all are filled, a contradiction cannot be mended here, or the limit of work is reached."""
    counters[WORK] = 0
    while counters[WORK] < limit:
        if counters[QUEUE_LENGTH] > 0:
            failed = propagate(
                limit, counters, domains, sizes, queue, queued, touched, is_touched, settled, region_of, counts,
                filled_at, arc_start, arc_target, arc_kind, support, against, seen, stale,
            )  # fmt: skip
            if failed >= 0:
                counters[PLACE] = failed
                if counters[REPAIRING] == 0:
                    return CONTRADICTION
                if not mend(
                    counters, domains, sizes, roots, queue, queued, touched, is_touched, arc_start, near_end,
                    arc_target, rank, stale, settled, region_of, counts, failures, ball, mark, away,
                ):  # fmt: skip
                    return STUCK
            continue
        if len(tally_modules) > 0:
            recount(counters, domains, touched, tally_modules, tally_scope, tally_counts, tally_flags)
            if counters[BY_ENTROPY] == 0:
                forget_touched(counters, touched, is_touched)
            tally = keep_bounds(
                counters, domains, sizes, queue, queued, touched, is_touched, settled, region_of, counts, filled_at,
                tally_modules, tally_bounds, tally_counts, tally_flags,
            )  # fmt: skip
            if tally >= 0:
                counters[PLACE] = tally
                return OUT_OF_BOUNDS
            if counters[QUEUE_LENGTH] > 0:
                continue
            node = place_wanted(
                counters, domains, sizes, placing, tally_modules, tally_bounds, tally_counts, tally_flags,
                tally_pointer,
            )  # fmt: skip
        else:
            node = -1
        if node < 0 and counters[BY_ENTROPY] != 0:
            if not refresh_keys(
                counters, domains, sizes, touched, is_touched, heap, keys, weights, tiers, region_of, seeds
            ):
                return HEAP_FULL
            node = next_by_entropy(sizes, heap, keys)
        elif node < 0:
            forget_touched(counters, touched, is_touched)
            node = next_in_order(counters, sizes, order)
        if node < 0:
            return FILLED
        if sizes[node] > 1:
            choose(
                counters, node, domains, sizes, weights, totals, tiers, region_of, seeds, draws, state, settled, counts,
                filled_at,
            )  # fmt: skip
        else:
            settle(counters, domains, node, settled, region_of, counts, filled_at)
        touch(counters, touched, is_touched, node)
        enqueue(counters, queue, queued, node)
        counters[WORK] += 1
    return WORKING


@kernel
def forget_touched(counters: Any, touched: Any, is_touched: Any) -> None:
    """Drop the list of nodes that changed."""
    for place in range(counters[TOUCHED]):
        is_touched[touched[place]] = 0
    counters[TOUCHED] = 0
