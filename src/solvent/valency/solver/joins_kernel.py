"""Find what hangs together."""

# mypy: ignore-errors

from __future__ import annotations

import cython


def join(lowest: memoryview, source: memoryview, target: memoryview) -> None:
    """Join the two ends of each edge, until each node of a piece knows the lowest one.

    `lowest` has an entry of 64 bits for each node: itself before anything is joined, -1 if it takes no part. `source`
    and `target` have one of 32 bits for each edge.
    """
    pieces = Pieces(lowest)
    sources: cython.int[::1] = source
    targets: cython.int[::1] = target
    edge: cython.longlong
    with cython.nogil:
        for edge in range(sources.shape[0]):
            pieces.join(sources[edge], targets[edge])
        pieces.settle()


@cython.final
@cython.cclass
class Pieces:
    """Hold nodes that hang together (a union-find)."""

    lowest: cython.longlong[::1]
    """Shape (nodes): a node further down in the same piece, itself at the bottom; -1 if it takes no part."""

    def __init__(self, lowest: memoryview) -> None:
        self.lowest = lowest

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

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def settle(self) -> cython.void:
        """Have every node know the lowest one of its piece."""
        node: cython.longlong
        for node in range(self.lowest.shape[0]):
            if self.lowest[node] >= 0:
                self.lowest[node] = self.lowest[self.lowest[node]]
