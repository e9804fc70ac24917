"""Choose the next node and what stands on it.

`order` (open nodes): nodes in the order of choosing, where that is known beforehand. `heap`, `keys`: otherwise nodes by
entropy (`engine.heap`); a node is put on the heap again whenever its key changes, and old entries are passed over.
`weights` and `tiers` (regions, modules), `region_of` (nodes): see `network`. `seeds` (regions). `draws` (nodes):
how often something was drawn for each node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.bits import lowest_bit, without_lowest_bit
from solvent.engine.jit.heap import heap_pop, heap_push
from solvent.engine.jit.kernel import kernel
from solvent.engine.jit.random import STEP, random_unit, scramble, wrapping_add, wrapping_multiply
from solvent.valency.solver.propagate_kernel import settle
from solvent.valency.solver.state_kernel import ATTEMPT, BALANCING, CHOICES, LAST_CHOICE, POINTER, REMOVED, TOUCHED

_KEY_SCALE = 1 << 16
_TIE_BITS = 20
_PATIENCE = 16.0
"""How many nodes a module may be ahead of or behind its share before that changes its weight much."""
_STRONGEST = 8.0
"""By how much a weight may be raised or lowered at most to bring a module back to its share."""


@kernel
def next_in_order(counters: Any, sizes: Any, order: Any) -> Any:
    """Return the first node in the given order that is still open; -1 if there is none."""
    while counters[POINTER] < len(order):
        node = order[counters[POINTER]]
        if sizes[node] > 1:
            return node
        counters[POINTER] += 1
    return -1


@kernel
def next_by_entropy(sizes: Any, heap: Any, keys: Any) -> Any:
    """Return the open node of least entropy; -1 if there is none."""
    while heap[0, 0] > 0:
        key, node = heap_pop(heap)
        if sizes[node] > 1 and keys[node] == key:
            return node
    return -1


@kernel
def refresh_keys(
    counters: Any,
    domains: Any,
    sizes: Any,
    touched: Any,
    is_touched: Any,
    heap: Any,
    keys: Any,
    weights: Any,
    tiers: Any,
    region_of: Any,
    seeds: Any,
) -> Any:
    """Work out the entropy of every node that changed and put it on the heap; returns False if the heap is full.

    The key is the effective number of choices, (sum of w)**2 / sum of w**2, which is the exponential of Rényi's entropy
    of order 2. Unlike Shannon's it needs no logarithm, so it is the same on every machine. Ties are broken by the seed.
    """
    while counters[TOUCHED] > 0:
        node = touched[counters[TOUCHED] - 1]
        if sizes[node] > 1:
            region = region_of[node]
            total, squares = 0.0, 0.0
            for word in range(domains.shape[1]):
                left = domains[node, word]
                while left != 0:
                    module = word * 64 + lowest_bit(left)
                    left = without_lowest_bit(left)
                    if tiers[region, module] == 0:
                        weight = np.float64(weights[region, module])
                        total += weight
                        squares += weight * weight
            effective = total * total / squares if squares > 0.0 else 0.0
            tie = scramble(seeds[region] ^ wrapping_multiply(np.uint64(node) + np.uint64(1), STEP)) >> np.uint64(
                64 - _TIE_BITS
            )
            key = (np.int64(effective * _KEY_SCALE) << _TIE_BITS) | np.int64(tie)
            keys[node] = key
            if not heap_push(heap, key, node):
                return False
        is_touched[node] = 0
        counters[TOUCHED] -= 1
    return True


@kernel
def draw(node: Any, region: Any, attempt: Any, seeds: Any, draws: Any, state: Any) -> Any:
    """Draw from 0 to 1 for a node: a hash of its region's seed, the node, the attempt and how often it drew."""
    mixed = scramble(wrapping_add(seeds[region], wrapping_multiply(np.uint64(node) + np.uint64(1), STEP)))
    turn = np.uint64(draws[node]) + (np.uint64(attempt) << np.uint64(32))
    draws[node] += 1
    state[0] = mixed ^ wrapping_multiply(turn + np.uint64(1), STEP)
    return random_unit(state)


@kernel
def steered_weight(weights: Any, counts: Any, region: Any, module: Any, total: Any, balancing: Any) -> Any:
    """Return the weight to draw with; with `balancing`, higher the further a module is behind its share of the nodes.

    What neighbours rule out bends frequencies away from the weights; this bends them back.
    """
    weight = np.float64(weights[region, module])
    if weight == 0.0:
        return 1.0
    if balancing == 0:
        return weight
    wanted = weight / total * counts[region, -1]
    factor = (wanted + _PATIENCE) / (counts[region, module] + _PATIENCE)
    return weight * min(_STRONGEST, max(1.0 / _STRONGEST, factor))


@kernel
def choose(
    counters: Any,
    node: Any,
    domains: Any,
    sizes: Any,
    weights: Any,
    totals: Any,
    tiers: Any,
    region_of: Any,
    seeds: Any,
    draws: Any,
    state: Any,
    settled: Any,
    counts: Any,
    filled_at: Any,
) -> None:
    """Settle a node: draw one of its modules by weight, of the best tier there is."""
    region = region_of[node]
    balancing = counters[BALANCING]
    words = domains.shape[1]
    best = np.int64(3)
    total = 0.0
    for word in range(words):
        left = domains[node, word]
        while left != 0:
            module = word * 64 + lowest_bit(left)
            left = without_lowest_bit(left)
            if tiers[region, module] < best:
                best, total = tiers[region, module], 0.0
            if tiers[region, module] == best:
                total += steered_weight(weights, counts, region, module, totals[region], balancing)
    aim = draw(node, region, counters[ATTEMPT], seeds, draws, state) * total
    chosen = np.int64(-1)
    for word in range(words):
        left = domains[node, word]
        while left != 0 and aim >= 0.0:
            module = word * 64 + lowest_bit(left)
            left = without_lowest_bit(left)
            if tiers[region, module] == best:
                chosen = module
                aim -= steered_weight(weights, counts, region, module, totals[region], balancing)
    for word in range(words):
        domains[node, word] = 0
    domains[node, chosen >> 6] = np.int64(1) << np.int64(chosen & 63)
    counters[REMOVED] += sizes[node] - 1
    sizes[node] = 1
    counters[CHOICES] += 1
    counters[LAST_CHOICE] = node
    settle(counters, domains, node, settled, region_of, counts, filled_at)
