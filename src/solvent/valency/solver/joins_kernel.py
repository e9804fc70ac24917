"""Find what hangs together."""

# mypy: ignore-errors

from __future__ import annotations

import cython


def join(lowest: cython.longlong[::1], source: cython.int[::1], target: cython.int[::1]) -> None:
    """Join the two ends of each edge, until each node of a piece knows the lowest one.

    `lowest` has an entry for each node: itself before anything is joined, -1 if it takes no part.
    """
    edge: cython.longlong
    node: cython.longlong
    with cython.nogil:
        for edge in range(source.shape[0]):
            first = find_lowest(lowest, source[edge])
            second = find_lowest(lowest, target[edge])
            if first < second:
                lowest[second] = first
            else:
                lowest[first] = second
        for node in range(lowest.shape[0]):
            if lowest[node] >= 0:
                lowest[node] = lowest[lowest[node]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_lowest(lowest: cython.longlong[::1], node: cython.longlong) -> cython.longlong:
    """Return the node at the bottom of a piece, and shorten the way there."""
    while lowest[node] != node:
        lowest[node] = lowest[lowest[node]]
        node = lowest[node]
    return node
