"""Walk along edges: how far nodes are from the nearest of some others, and what falls apart without a node.

Edges are given from both ends: those of node v stand at `starts[v]` to just before `starts[v + 1]`, and lead to `ends`.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

UNREACHED = cython.declare(cython.longlong, -1)


@cython.final
@cython.cclass
class Walk:
    """Walk from some nodes in all directions, a step at a time."""

    starts: cython.longlong[::1]
    """Shape (nodes + 1): where the edges of each node stand."""
    ends: cython.int[::1]
    """Shape (edges): where each leads."""
    limit: cython.longlong
    """How many edges to walk at most."""
    distances: cython.int[::1]
    """Shape (nodes): how many edges each node is from where the walk began; -1 where it did not get."""
    nearest: cython.int[::1]
    """Shape (nodes): from which node it was reached, of those where the walk began."""
    line: cython.int[::1]
    """Shape (nodes): the nodes that were reached, in order."""
    reached = cython.declare(cython.longlong, visibility="readonly")
    """How many there are."""
    done: cython.longlong
    """From how many of them the walk went on."""
    walked = cython.declare(cython.longlong, visibility="readonly")
    """Along how many edges it went, counted from where it first began."""

    def __init__(
        self, starts: memoryview, ends: memoryview, limit: int, distances: memoryview, nearest: memoryview
    ) -> None:
        """Begin with -1 in both rows."""
        self.starts = starts
        self.ends = ends
        self.limit = limit
        self.distances = distances
        self.nearest = nearest
        self.line = new_row(len(distances), SHORT)
        self.reached = 0
        self.done = 0
        self.walked = 0

    def allow(self, limit: cython.longlong) -> None:
        """Set how many edges to walk at most."""
        self.limit = limit

    def begin_at(self, node: cython.longlong) -> None:
        """Have the walk begin at a node, among others."""
        if self.distances[node] == UNREACHED:
            self.distances[node] = 0
            self.nearest[node] = node
            self.line[self.reached] = node
            self.reached += 1

    def run(self, steps: cython.longlong) -> bool:
        """Walk along up to so many edges, or those of one node; returns whether the walk is over."""
        with cython.nogil:
            while steps > 0 and self.done < self.reached:
                edges: cython.longlong = self.go_on_from(self.line[self.done])
                steps -= 1 + edges
                self.walked += edges
                self.done += 1
        return self.done == self.reached

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_on_from(self, node: cython.longlong) -> cython.longlong:
        """Reach the nodes beside a node; returns how many edges it has."""
        if self.distances[node] >= self.limit:
            return 0
        place: cython.longlong
        for place in range(self.starts[node], self.starts[node + 1]):
            other: cython.longlong = self.ends[place]
            if self.distances[other] == UNREACHED:
                self.distances[other] = self.distances[node] + 1
                self.nearest[other] = self.nearest[node]
                self.line[self.reached] = other
                self.reached += 1
        return self.starts[node + 1] - self.starts[node]

    def forget(self) -> None:
        """Begin anew with no node reached."""
        place: cython.longlong
        for place in range(self.reached):
            self.distances[self.line[place]] = UNREACHED
            self.nearest[self.line[place]] = UNREACHED
        self.reached = 0
        self.done = 0


@cython.final
@cython.cclass
class DeepWalk:
    """Walk from a node as deep as it goes, and see which parts hang on a single node.

    The walk numbers the nodes. What hangs below a child of a node falls off with the node gone, unless something in it
    is joined to a node that was numbered earlier.
    """

    starts: cython.longlong[::1]
    """Shape (nodes + 1): where the edges of each node stand."""
    ends: cython.int[::1]
    """Shape (edges): where each leads."""
    order: cython.int[::1]
    """Shape (nodes): when each node was reached; -1 if it was not."""
    after: cython.int[::1]
    """Shape (nodes): when all that hangs below it had been reached."""
    above: cython.int[::1]
    """Shape (nodes): from where it was reached; -1 where the walk began, or if it was not."""
    falls: cython.schar[::1]
    """Shape (nodes): 1 if it falls off, with all that hangs below it, when the node above it is gone."""
    lowest: cython.int[::1]
    """Shape (nodes): the earliest number that something below it, or itself, is joined to."""
    place: cython.longlong[::1]
    """Shape (nodes): the next edge to walk along."""
    node: cython.longlong
    """Where the walk is; -1 when it is over."""
    counted: cython.longlong
    """How many nodes were reached."""

    def __init__(
        self,
        starts: memoryview,
        ends: memoryview,
        order: memoryview,
        after: memoryview,
        above: memoryview,
        falls: memoryview,
    ) -> None:
        """Begin with -1 in `order` and `above`, and 0 in `falls`."""
        nodes = len(order)
        self.starts = starts
        self.ends = ends
        self.order = order
        self.after = after
        self.above = above
        self.falls = falls
        self.lowest = new_row(nodes, SHORT)
        self.place = new_row(nodes)
        self.node = UNREACHED
        self.counted = 0

    def begin_at(self, node: cython.longlong) -> None:
        """Have the walk begin at a node."""
        self.enter(node)

    def run(self, steps: cython.longlong) -> bool:
        """Walk along up to so many edges; returns whether the walk is over."""
        with cython.nogil:
            while steps > 0 and self.node >= 0:
                self.take_step()
                steps -= 1
        return self.node < 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def enter(self, node: cython.longlong) -> cython.void:
        """Number a node and go on from there."""
        self.order[node] = self.counted
        self.lowest[node] = self.counted
        self.place[node] = self.starts[node]
        self.counted += 1
        self.node = node

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def take_step(self) -> cython.void:
        """Walk along one more edge of the node at hand, or go back to the one above it."""
        node: cython.longlong = self.node
        if self.place[node] < self.starts[node + 1]:
            other: cython.longlong = self.ends[self.place[node]]
            self.place[node] += 1
            if self.order[other] == UNREACHED:
                self.above[other] = node
                self.enter(other)
            elif self.order[other] < self.lowest[node]:
                self.lowest[node] = self.order[other]
            return
        self.after[node] = self.counted
        above: cython.longlong = self.above[node]
        self.node = above
        if above >= 0:
            if self.lowest[node] < self.lowest[above]:
                self.lowest[above] = self.lowest[node]
            self.falls[node] = self.lowest[node] >= self.order[above]
