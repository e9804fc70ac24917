"""The order of the frontier solver: always next the node with the most neighbours that come before it."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.engine.heap_kernel import Heap
    from cython.cimports.solvent.valency.solver.network_kernel import Arcs
else:
    from solvent.engine.heap_kernel import Heap
    from solvent.valency.solver.network_kernel import Arcs

MAX_NEIGHBOURS = cython.declare(cython.longlong, 512)
"""A node has at most 64 orbitals in 8 layers."""


@cython.final
@cython.cclass
class Growth:
    """Put nodes in order, one neighbour after the other."""

    arcs: Arcs
    """Who is whose neighbour."""
    before: cython.int[::1]
    """Shape (nodes): how many neighbours come before each node; -1 once it has its place, or if it gets none."""
    found: cython.int[::1]
    """Shape (nodes): when each node was first seen, counted from 1; 0 before that."""
    seen: cython.longlong
    """How many nodes were seen."""
    order: cython.int[::1]
    """The nodes in order, as far as they have their place."""
    placed: cython.longlong
    """How many have."""
    line: cython.int[::1]
    """Shape (nodes): nodes beside one that has its place, in the order in which they were seen. Most are waiting here
    until they are beside two, so the heap stays small."""
    line_begin: cython.longlong
    """How many of them had their turn."""
    line_end: cython.longlong
    """How many there are."""
    heap: Heap
    """Nodes beside two or more that have their place; an entry for each time one was reached."""
    origins: cython.int[::1]
    """The nodes that growth begins at, one after the other, unless they have their place by then."""
    next_origin: cython.longlong
    """How many of them were looked at."""

    def __init__(self, arcs: Arcs, before: memoryview, order: memoryview, edges: int, origins: memoryview) -> None:
        """Begin with `before` at 0 for all nodes that take part; `edges` counts both directions."""
        self.arcs = arcs
        self.before = before
        self.found = new_row(arcs.nodes, SHORT)
        self.seen = 0
        self.order = order
        self.placed = 0
        self.line = new_row(arcs.nodes, SHORT)
        self.line_begin = 0
        self.line_end = 0
        self.heap = Heap(edges)  # memory that is not used is not taken
        self.origins = origins
        self.next_origin = 0

    def run(self, limit: cython.longlong) -> bool:
        """Put up to `limit` nodes in order, all that can be reached from each origin in turn; returns whether all are.

        Of several nodes with as many neighbours placed, the one seen first is next, so the filled part stays round and
        has no gaps.
        """
        with cython.nogil:
            self.grow(limit)
        waiting = self.heap.size > 0 or self.line_begin < self.line_end
        return not waiting and self.next_origin == self.origins.shape[0]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def grow(self, limit: cython.longlong) -> cython.void:
        """Take up to `limit` nodes from the heap, else from the line, else from the origins."""
        node: cython.longlong
        while limit > 0:
            limit -= 1
            if self.heap.size > 0:
                self.heap.pop()
                node = self.heap.item
                if self.before[node] >= 0:
                    self.place(node)
            elif self.line_begin < self.line_end:
                node = self.line[self.line_begin]
                self.line_begin += 1
                if self.before[node] >= 0:
                    self.place(node)
            elif self.next_origin < self.origins.shape[0]:
                node = self.origins[self.next_origin]
                self.next_origin += 1
                if self.before[node] >= 0:
                    self.seen += 1
                    self.found[node] = self.seen
                    self.place(node)
            else:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def place(self, node: cython.longlong) -> cython.void:
        """Give a node the next place, and its neighbours new keys: the more of theirs are placed, the smaller."""
        self.before[node] = -1
        self.order[self.placed] = node
        self.placed += 1
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
            other: cython.longlong = self.arcs.target[arc]
            if self.before[other] < 0:
                continue
            self.before[other] += 1
            if self.found[other] == 0:
                self.seen += 1
                self.found[other] = self.seen
                self.line[self.line_end] = other
                self.line_end += 1
                continue
            missing: cython.longlong = MAX_NEIGHBOURS - self.before[other]
            if missing < 0:
                missing = 0
            seen: cython.longlong = self.found[other]
            self.heap.push((missing << 40) | seen, other)
