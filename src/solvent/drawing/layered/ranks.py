"""Give each node of a graph a rank, so that edges lead from lower ranks to higher ones and are short.

1. Each edge points away from the start, from the node that a walk through the graph meets first: there are no cycles.
2. A node stands one rank below the lowest of those that point at it.
3. Nodes then move to the middle of those they are joined to, as far as the edges let them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from solvent.drawing.shapes import Point

Edge = tuple[int, int]
Size = tuple[float, float]

__all__ = ["Edge", "Point", "Size", "find_parts", "rank_nodes", "walk_order"]

_PASSES = 12


def find_parts(count: int, edges: Sequence[Edge], start: int) -> list[list[int]]:
    """Return the nodes of each connected part; that of the start comes first, then larger parts before smaller."""
    near = neighbours(count, edges)
    seen = [False] * count
    parts: list[list[int]] = []
    for first in [start, *range(count)] if count else []:
        if seen[first]:
            continue
        seen[first] = True
        part = [first]
        for node in part:  # grows while it is walked through
            for other in near[node]:
                if not seen[other]:
                    seen[other] = True
                    part.append(other)
        parts.append(part)
    return parts[:1] + sorted(parts[1:], key=lambda part: (-len(part), min(part)))


def neighbours(count: int, edges: Sequence[Edge]) -> list[list[int]]:
    """Return for each node those it is joined to, whichever way, each once and sorted."""
    near: list[set[int]] = [set() for _ in range(count)]
    for one, other in edges:
        if one != other:
            near[one].add(other)
            near[other].add(one)
    return [sorted(others) for others in near]


def walk_order(near: Sequence[Sequence[int]], start: int, *, deep: bool) -> list[tuple[int, int]]:
    """Return for each node how far it is from the start, and when a walk through the graph meets it.

    The walk goes level by level, or as deep as it can first; then the depth at which a node was met is its distance.
    All nodes must be connected.
    """
    met = [(-1, -1)] * len(near)
    met[start] = (0, 0)
    waiting = deque([start])
    count = 1
    while waiting:
        node = waiting[-1] if deep else waiting.popleft()
        others = [other for other in near[node] if met[other][0] < 0]
        if deep and not others:
            waiting.pop()
        for other in others[:1] if deep else others:
            met[other] = (met[node][0] + 1, count)
            count += 1
            waiting.append(other)
    return met


def rank_nodes(count: int, edges: Sequence[Edge], order: Sequence[tuple[int, int]]) -> list[int]:
    """Return the rank of each node; edges lead from what comes first in the order to what comes later."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for one, other in edges:
        if one == other:
            continue
        high, low = (one, other) if order[one] < order[other] else (other, one)
        above[low].append(high)
        below[high].append(low)
    ranks = [0] * count
    in_order = sorted(range(count), key=lambda node: order[node])
    for node in in_order:
        ranks[node] = max((ranks[high] + 1 for high in above[node]), default=0)
    for turn in range(_PASSES):
        moved = False
        for node in in_order[::-1] if turn % 2 == 0 else in_order:
            wanted = sorted([ranks[high] + 1 for high in above[node]] + [ranks[low] - 1 for low in below[node]])
            if not wanted or not above[node]:
                continue
            least = max(ranks[high] + 1 for high in above[node])
            most = min((ranks[low] - 1 for low in below[node]), default=least)
            best = min(most, max(least, wanted[(len(wanted) - 1) // 2]))
            if best != ranks[node] and _length(ranks, node, best, above, below) < _length(
                ranks, node, ranks[node], above, below
            ):
                ranks[node] = best
                moved = True
        if not moved:
            break
    return ranks


def _length(
    ranks: Sequence[int], node: int, rank: int, above: Sequence[Sequence[int]], below: Sequence[Sequence[int]]
) -> int:
    return sum(rank - ranks[high] for high in above[node]) + sum(ranks[low] - rank for low in below[node])
