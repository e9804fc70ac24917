"""Choose the next node and what stands on it."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import FRACTION, SHORT, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from solvent.engine.heap_kernel import Heap
    from solvent.valency.solver.draw_kernel import Draws
    from solvent.valency.solver.propagate_kernel import Fill

READY, NO_ROOM, BUSY = range(3)
"""Whether a node can be chosen; else the heap must grow, or there is more to be done first."""
_READY = cython.declare(cython.longlong, READY)
_NO_ROOM = cython.declare(cython.longlong, NO_ROOM)
_BUSY = cython.declare(cython.longlong, BUSY)
KEY_SCALE = cython.declare(cython.double, 65536.0)
TIE_BITS = cython.declare(cython.longlong, 20)
PATIENCE = cython.declare(cython.double, 16.0)
"""How many nodes a module may be ahead of or behind its share before that changes its weight much."""
STRONGEST = cython.declare(cython.double, 8.0)
"""By how much a weight may be raised or lowered at most to bring a module back to its share."""


@cython.final
@cython.cclass
class Choosing:
    """Hold in which order nodes are chosen, and by which weights. The fields are described in `choose_kernel.pxd`."""

    def __init__(self, fill: Fill, draws: Draws, order: memoryview, by_entropy: bool, balancing: bool) -> None:
        """Choose in this order; with `by_entropy` it is left empty."""
        nodes = fill.arcs.nodes
        self.fill = fill
        self.regions = fill.regions
        self.draws = draws
        self.balancing = balancing
        self.by_entropy = by_entropy
        self.order = order
        self.order_length = len(order)
        self.rank = new_row(nodes, SHORT)
        self.place = 0
        self.heap = Heap(2 * nodes if by_entropy else 0)  # memory that is not used is not taken
        self.keys = new_row(nodes if by_entropy else 0)
        self.pull = new_row(fill.regions.modules, FRACTION)
        self.last = 0

    def rank_nodes(self, begin: cython.longlong, end: cython.longlong) -> None:
        """Note the places of some nodes in the order; all must be noted before anything is chosen."""
        place: cython.longlong
        with cython.nogil:
            for place in range(begin, end):
                self.rank[self.order[place]] = place

    def grow_heap(self) -> None:
        """Make more room for nodes by entropy."""
        self.heap.grow()

    def is_ready(self, effort: cython.longlong) -> cython.longlong:
        """Take note of all nodes that changed; returns READY, or what `refresh_keys` does."""
        if self.by_entropy:
            return self.refresh_keys(effort)
        self.fill.forget_touched()
        return _READY

    def next_node(self) -> cython.longlong:
        """Return the open node that is to be chosen next; -1 if there is none."""
        return self.next_by_entropy() if self.by_entropy else self.next_in_order()

    def next_in_order(self) -> cython.longlong:
        """Return the first node in the given order that is still open; -1 if there is none."""
        while self.place < self.order_length:
            node: cython.longlong = self.order[self.place]
            if self.fill.sizes[node] > 1:
                return node
            self.place += 1
        return -1

    def next_by_entropy(self) -> cython.longlong:
        """Return the open node of least entropy; -1 if there is none."""
        while self.heap.size > 0:
            self.heap.pop()
            node: cython.longlong = self.heap.item
            if self.fill.sizes[node] > 1 and self.keys[node] == self.heap.priority:
                return node
        return -1

    def refresh_keys(self, effort: cython.longlong) -> cython.longlong:
        """Work out the entropy of every node that changed and put it on the heap.

        Returns READY, or NO_ROOM if the heap is full, or BUSY when the effort of this call has become so much.
        """
        while self.fill.touched_count > 0:
            if self.fill.effort >= effort:
                return _BUSY
            self.fill.effort += 1
            node: cython.longlong = self.fill.touched[self.fill.touched_count - 1]
            if self.fill.sizes[node] > 1:
                self.keys[node] = self.entropy_key(node)
                if not self.heap.push(self.keys[node], node):
                    return _NO_ROOM
            self.fill.is_touched[node] = 0
            self.fill.touched_count -= 1
        return _READY

    def entropy_key(self, node: cython.longlong) -> cython.longlong:
        """Return the entropy of a node as a whole number, ties broken by the seed.

        The key is the effective number of choices, (sum of w)**2 / sum of w**2, which is the exponential of Rényi's
        entropy of order 2. Unlike Shannon's it needs no logarithm, so it is the same on every machine.
        """
        region: cython.longlong = self.regions.of_node[node]
        total: cython.double = 0.0
        squares: cython.double = 0.0
        word: cython.longlong
        for word in range(self.fill.arcs.words):
            left: cython.ulonglong = self.fill.domains[node, word]
            while left != 0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                if self.regions.tiers[region, module] == 0:
                    weight: cython.double = self.regions.weights[region, module]
                    total += weight
                    squares += weight * weight
        effective: cython.double = 0.0
        if squares > 0.0:
            effective = total * total / squares
        whole: cython.longlong = cython.cast(cython.longlong, effective * KEY_SCALE)
        if not cython.compiled:
            whole = int(whole)  # C has dropped the fraction
        tie: cython.longlong = self.draws.tie(node, region) >> (64 - TIE_BITS)
        return (whole << TIE_BITS) | tie

    def steered_weight(self, region: cython.longlong, module: cython.longlong) -> cython.double:
        """Return the weight to draw with; with `balancing`, higher the further a module is behind its share of nodes.

        What neighbours rule out bends frequencies away from the weights; this bends them back.
        """
        weight: cython.double = self.regions.weights[region, module]
        if weight == 0.0:
            return 1.0
        if not self.balancing:
            return weight
        settled: cython.double = self.fill.counts[region, self.regions.modules]
        held: cython.double = self.fill.counts[region, module]
        wanted: cython.double = weight / self.regions.totals[region] * settled
        factor: cython.double = (wanted + PATIENCE) / (held + PATIENCE)
        if factor < 1.0 / STRONGEST:
            factor = 1.0 / STRONGEST
        if factor > STRONGEST:
            factor = STRONGEST
        return weight * factor

    def choose(self, node: cython.longlong) -> cython.void:
        """Settle a node: draw one of its modules by weight, of the best tier there is."""
        chosen = self.draw_module(node)
        word: cython.longlong
        for word in range(self.fill.arcs.words):
            self.fill.domains[node, word] = 0
        self.fill.domains[node, chosen >> 6] = bit(chosen & 63)
        self.fill.book_size(node, 1)
        self.fill.choices += 1
        self.last = node
        self.fill.settle(node)

    def draw_module(self, node: cython.longlong) -> cython.longlong:
        """Draw one of the modules of a node by weight, of the best tier there is."""
        region: cython.longlong = self.regions.of_node[node]
        words = self.fill.arcs.words
        best: cython.longlong = 3
        total: cython.double = 0.0
        word: cython.longlong
        for word in range(words):
            left: cython.ulonglong = self.fill.domains[node, word]
            while left != 0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                tier: cython.longlong = self.regions.tiers[region, module]
                if tier < best:
                    best = tier
                    total = 0.0
                if tier == best:
                    self.pull[module] = self.steered_weight(region, module)
                    total += self.pull[module]
        aim: cython.double = self.draws.draw(node, region) * total
        chosen: cython.longlong = -1
        for word in range(words):
            left = self.fill.domains[node, word]
            while left != 0 and aim >= 0.0:
                module = word * 64 + lowest_bit(left)
                left = without_lowest_bit(left)
                if self.regions.tiers[region, module] == best:
                    chosen = module
                    aim -= self.pull[module]
        return chosen
