"""Find which nodes are near each other, counted in edges."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row


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
    reached: cython.longlong[::1]
    """Shape (nodes): in which walk each node was reached last."""
    walk: cython.longlong
    """How many walks there were."""
    steps: cython.longlong[::1]
    """Shape (nodes): how many edges from where the walk began each node is."""
    line: cython.longlong[::1]
    """Shape (nodes): the nodes of the walk at hand, nearest first."""

    def __init__(self, start: memoryview, target: memoryview) -> None:
        self.nodes = len(start) - 1
        self.start = start
        self.target = target
        self.reached = new_row(self.nodes)
        self.walk = 0
        self.steps = new_row(self.nodes)
        self.line = new_row(self.nodes)

    def count(self, distance: cython.longlong, most: cython.longlong) -> int:
        """Count pairs of different nodes with fewer edges between them, in both directions; stop soon after `most`."""
        found: cython.longlong = 0
        origin: cython.longlong
        with cython.nogil:
            for origin in range(self.nodes):
                if found > most:
                    break
                found += self.gather(origin, distance) - 1
        return found

    def write(self, distance: cython.longlong, first: memoryview, second: memoryview) -> None:
        """Write the pairs that `count` counts, sorted by their first node, into rows of 32 bits; there must be room."""
        first_row: cython.int[::1] = first
        second_row: cython.int[::1] = second
        found: cython.longlong = 0
        origin: cython.longlong
        place: cython.longlong
        with cython.nogil:
            for origin in range(self.nodes):
                for place in range(1, self.gather(origin, distance)):
                    first_row[found] = origin
                    second_row[found] = self.line[place]
                    found += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def gather(self, origin: cython.longlong, distance: cython.longlong) -> cython.longlong:
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
            if self.steps[node] + 1 >= distance:
                continue
            for arc in range(self.start[node], self.start[node + 1]):
                other: cython.longlong = self.target[arc]
                if self.reached[other] != self.walk:
                    self.reached[other] = self.walk
                    self.steps[other] = self.steps[node] + 1
                    self.line[count] = other
                    count += 1
        return count
