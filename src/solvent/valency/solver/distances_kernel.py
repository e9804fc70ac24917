"""Find which nodes are near each other, counted in edges."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row


@cython.final
@cython.cclass
class NearPairs:
    """Walk the edges of a graph from every node."""

    nodes: cython.longlong
    """How many nodes there are."""
    start: cython.longlong[::1]
    """Shape (nodes + 1): the edges of node v are start[v] to start[v + 1]."""
    target: cython.int[::1]
    """Shape (edges): where each leads."""
    reached: cython.int[::1]
    """Shape (nodes): in which walk each node was reached last."""
    walk: cython.longlong
    """How many walks there were."""
    steps: cython.int[::1]
    """Shape (nodes): how many edges from where the walk began each node is."""
    line: cython.int[::1]
    """Shape (nodes): the nodes of the walk at hand, nearest first."""
    distance: cython.longlong
    """Nodes are near each other if there are fewer edges between them."""
    most: cython.longlong
    """How many pairs are of interest."""
    origin: cython.longlong
    """The node that the next walk begins at."""
    found = cython.declare(cython.longlong, visibility="readonly")
    """How many pairs were found so far, or written."""
    first: cython.int[::1]
    """The first node of each pair."""
    second: cython.int[::1]
    """The second node of each pair."""

    def __init__(self, start: memoryview, target: memoryview, distance: int, most: int) -> None:
        self.nodes = len(start) - 1
        self.start = start
        self.target = target
        self.reached = new_row(self.nodes, SHORT)
        self.walk = 0
        self.steps = new_row(self.nodes, SHORT)
        self.line = new_row(self.nodes, SHORT)
        self.distance = distance
        self.most = most
        self.origin = 0
        self.found = 0
        self.first = new_row(0, SHORT)
        self.second = new_row(0, SHORT)

    def count_some(self, limit: cython.longlong) -> bool:
        """Count pairs of different nodes, in both directions, going on for about `limit` nodes of walks.

        Returns whether all are counted, or more than `most`.
        """
        with cython.nogil:
            while limit > 0 and self.origin < self.nodes and self.found <= self.most:
                count: cython.longlong = self.gather(self.origin)
                self.found += count - 1
                self.origin += 1
                limit -= count
        return self.origin == self.nodes or self.found > self.most

    def begin_writing(self, first: memoryview, second: memoryview) -> None:
        """Take rows of 32 bits with room for all pairs that were counted."""
        self.first = first
        self.second = second
        self.origin = 0
        self.found = 0

    def write_some(self, limit: cython.longlong) -> bool:
        """Write pairs, sorted by their first node, going on for about `limit` nodes; returns whether all are."""
        place: cython.longlong
        with cython.nogil:
            while limit > 0 and self.origin < self.nodes:
                count: cython.longlong = self.gather(self.origin)
                for place in range(1, count):
                    self.first[self.found] = self.origin
                    self.second[self.found] = self.line[place]
                    self.found += 1
                self.origin += 1
                limit -= count
        return self.origin == self.nodes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, origin: cython.longlong) -> cython.longlong:
        """Write a node and all with fewer edges between into `line`, nearest first; returns how many."""
        self.walk += 1
        self.line[0] = origin
        self.reached[origin] = self.walk
        self.steps[origin] = 0
        done: cython.longlong = 0
        count: cython.longlong = 1
        arc: cython.longlong
        while done < count:
            node: cython.longlong = self.line[done]
            done += 1
            if self.steps[node] + 1 >= self.distance:
                continue
            for arc in range(self.start[node], self.start[node + 1]):
                other: cython.longlong = self.target[arc]
                if self.reached[other] != self.walk:
                    self.reached[other] = self.walk
                    self.steps[other] = self.steps[node] + 1
                    self.line[count] = other
                    count += 1
        return count
