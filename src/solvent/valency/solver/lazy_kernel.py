"""The kernel of the lazy solver."""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.heap import heap_pop, heap_push
from solvent.engine.jit.kernel import kernel
from solvent.valency.model import UNSET, UNSOLVABLE
from solvent.valency.solver.choose_kernel import draw

WORKING, DONE = 0, 1
STARTED = 0


@kernel
def fill_lazily(
    limit: Any,
    counters: Any,
    modules: Any,
    candidates: Any,
    heap: Any,
    keys: Any,
    arc_start: Any,
    arc_target: Any,
    arc_kind: Any,
    agreements: Any,
    weights: Any,
    region_of: Any,
    seeds: Any,
    draws: Any,
    state: Any,
) -> Any:
    """Fill up to `limit` nodes; returns the status and how many it was.

    `modules` (nodes): UNSET until its turn. `candidates` (nodes, modules): what fits the node; what its neighbours rule
    out is taken away when its turn comes. `heap`, `keys`: nodes by entropy, the number of what fits less up to a half
    for neighbours that are done. Old entries of the heap are passed over.
    """
    if counters[STARTED] == 0:
        counters[STARTED] = 1
        for node in range(len(modules)):
            if modules[node] == UNSET:
                keys[node] = entropy(node, modules, candidates, arc_start, arc_target)
                heap_push(heap, keys[node], node)
    done = 0
    while done < limit:
        node = -1
        while heap[0, 0] > 0:
            key, item = heap_pop(heap)
            if modules[item] == UNSET and keys[item] == key:
                node = item
                break
        if node < 0:
            return DONE, done
        done += 1
        left = filter_by_neighbours(node, modules, candidates, arc_start, arc_target, arc_kind, agreements)
        if left == 0:
            modules[node] = UNSOLVABLE
        else:
            if left > 1:
                look_ahead(node, left, modules, candidates, arc_start, arc_target, arc_kind, agreements)
            modules[node] = draw_candidate(node, candidates, weights, region_of, seeds, draws, state)
            for arc in range(arc_start[node], arc_start[node + 1]):
                other = arc_target[arc]
                if modules[other] == UNSET:
                    key = entropy(other, modules, candidates, arc_start, arc_target)
                    if key != keys[other]:
                        keys[other] = key
                        heap_push(heap, key, other)
    return WORKING, done


@kernel
def entropy(node: Any, modules: Any, candidates: Any, arc_start: Any, arc_target: Any) -> Any:
    """Return how much there is to choose from, as a whole number: lower is more urgent."""
    fits = 0
    for module in range(candidates.shape[1]):
        if candidates[node, module] != 0:
            fits += 1
    neighbours, resolved = 0, 0
    for arc in range(arc_start[node], arc_start[node + 1]):
        neighbours += 1
        if modules[arc_target[arc]] != UNSET:
            resolved += 1
    return np.int64(fits * 2_000_000 - (1_000_000 * resolved) // max(1, neighbours))


@kernel
def filter_by_neighbours(
    node: Any, modules: Any, candidates: Any, arc_start: Any, arc_target: Any, arc_kind: Any, agreements: Any
) -> Any:
    """Take away what a filled neighbour does not agree with; returns how many are left."""
    left = 0
    for module in range(candidates.shape[1]):
        if candidates[node, module] == 0:
            continue
        fine = True
        for arc in range(arc_start[node], arc_start[node + 1]):
            other = modules[arc_target[arc]]
            if other >= 0 and agreements[arc_kind[arc], module, other] == 0:
                fine = False
                break
        candidates[node, module] = 1 if fine else 0
        left += 1 if fine else 0
    return left


@kernel
def look_ahead(
    node: Any, left: Any, modules: Any, candidates: Any, arc_start: Any, arc_target: Any, arc_kind: Any, agreements: Any
) -> None:
    """Take away what would leave an open neighbour with nothing, as long as something is left."""
    for module in range(candidates.shape[1] - 1, -1, -1):
        if left <= 1 or candidates[node, module] == 0:
            continue
        fine = True
        for arc in range(arc_start[node], arc_start[node + 1]):
            other = arc_target[arc]
            if modules[other] != UNSET:
                continue
            supported = False
            for neighbour in range(candidates.shape[1]):
                if candidates[other, neighbour] != 0 and agreements[arc_kind[arc], module, neighbour] != 0:
                    supported = True
                    break
            if not supported:
                fine = False
                break
        if not fine:
            candidates[node, module] = 0
            left -= 1


@kernel
def draw_candidate(node: Any, candidates: Any, weights: Any, region_of: Any, seeds: Any, draws: Any, state: Any) -> Any:
    """Draw one of the candidates that are left, by weight."""
    region = region_of[node]
    total = 0.0
    for module in range(candidates.shape[1]):
        if candidates[node, module] != 0:
            total += max(1, weights[region, module])
    aim = draw(node, region, 0, seeds, draws, state) * total
    chosen = -1
    for module in range(candidates.shape[1]):
        if candidates[node, module] != 0 and aim >= 0.0:
            chosen = module
            aim -= max(1, weights[region, module])
    return chosen
