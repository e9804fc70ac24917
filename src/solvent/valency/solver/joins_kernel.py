"""Find what hangs together."""

# mypy: ignore-errors

from __future__ import annotations

import cython


@cython.final
@cython.cclass
class Pieces:
    """Hold nodes that hang together (a union-find)."""

    lowest: cython.longlong[::1]
    """Shape (nodes): a node further down in the same piece, itself at the bottom; -1 if it takes no part."""
    node: cython.longlong
    """The next node that is to know the lowest one of its piece."""

    def __init__(self, lowest: memoryview) -> None:
        """Take an entry of 64 bits for each node: itself before anything is joined, -1 if it takes no part."""
        self.lowest = lowest
        self.node = 0

    def join_ends(self, sources: memoryview, targets: memoryview) -> None:
        """Join the two ends of each edge, rows of 32 bits."""
        source: cython.int[::1] = sources
        target: cython.int[::1] = targets
        edge: cython.longlong
        with cython.nogil:
            for edge in range(source.shape[0]):
                self.join(source[edge], target[edge])

    def settle(self, limit: cython.longlong) -> bool:
        """Have up to `limit` nodes more know the lowest one of their piece; returns whether all do."""
        with cython.nogil:
            while limit > 0 and self.node < self.lowest.shape[0]:
                if self.lowest[self.node] >= 0:
                    self.lowest[self.node] = self.lowest[self.lowest[self.node]]
                self.node += 1
                limit -= 1
        return self.node == self.lowest.shape[0]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def join(self, one: cython.longlong, other: cython.longlong) -> cython.void:
        """Make one piece of those of two nodes."""
        one = self.bottom_of(one)
        other = self.bottom_of(other)
        if one < other:
            self.lowest[other] = one
        else:
            self.lowest[one] = other

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def bottom_of(self, node: cython.longlong) -> cython.longlong:
        """Return the lowest node of a piece, and shorten the way there."""
        while self.lowest[node] != node:
            self.lowest[node] = self.lowest[self.lowest[node]]
            node = self.lowest[node]
        return node
