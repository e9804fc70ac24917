"""Find which nodes hang together, and how far they are from each other."""

from __future__ import annotations

import numpy as np

from solvent.valency.checker.neighbours import Numbers, Surroundings
from solvent.valency.slices import distinct

UNREACHED = -1


def find_components(nodes: int, ends: Numbers, others: Numbers) -> Numbers:
    """Return for each node the lowest number among those it hangs together with.

    Each round lets every group take the lowest number beside it, so a long chain does not take long.
    """
    labels = np.arange(nodes)
    while True:
        one, other = labels[ends], labels[others]
        different = one != other
        if not different.any():
            return labels
        ends, others, one, other = ends[different], others[different], one[different], other[different]
        np.minimum.at(labels, np.maximum(one, other), np.minimum(one, other))
        while True:
            further = labels[labels]
            if (further == labels).all():
                break
            labels = further


def find_distances(surroundings: Surroundings, sources: Numbers, limit: int) -> tuple[Numbers, Numbers]:
    """Return how many edges each node is from the nearest source, and which; -1 for those further than the limit."""
    distances = np.full(surroundings.nodes, UNREACHED, dtype=np.int64)
    nearest = np.full(surroundings.nodes, UNREACHED, dtype=np.int64)
    distances[sources], nearest[sources] = 0, sources
    front, distance = sources, 0
    while len(front) and distance < limit:
        distance += 1
        which, ends, _ = surroundings.arcs_of(front)
        fresh = distances[ends] == UNREACHED
        ends, origins = ends[fresh], nearest[front][which[fresh]]
        distances[ends], nearest[ends] = distance, origins  # of several origins any will do
        front = distinct(ends)
    return distances, nearest


def find_close_pairs(surroundings: Surroundings, sources: Numbers, distance: int) -> list[tuple[int, int]]:
    """Return pairs of sources fewer edges apart than a distance: none only if there are none.

    On the shortest way between the two closest sources there is an edge where the nearest source changes, and it is as
    far from the one as from the other, give or take an edge.
    """
    if len(sources) < 2 or distance < 2:
        return []
    distances, nearest = find_distances(surroundings, sources, (distance - 1) // 2)
    pairs = set()
    for edges in surroundings.kinds():
        here = (distances[edges.nodes] >= 0) & (distances[edges.others] >= 0)
        here &= nearest[edges.nodes] != nearest[edges.others]
        here &= distances[edges.nodes] + distances[edges.others] + 1 < distance
        found = np.flatnonzero(here)[:1000]
        one, other = nearest[edges.nodes[found]], nearest[edges.others[found]]
        pairs |= set(zip(np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), strict=True))
    return sorted(pairs)


class Parts:
    """Know into which parts a connected set of nodes falls once one of its nodes is gone.

    A walk that goes on as deep as it can numbers the nodes. What hangs below a child of a node falls off with the node
    gone, unless something in it is joined to a node that was numbered earlier.
    """

    def __init__(self, start: int, starts: list[int], ends: list[int]) -> None:
        self.order = [UNREACHED] * (len(starts) - 1)
        """When each node was reached."""
        self.children: dict[int, list[tuple[int, int, bool]]] = {}
        """Of each node: when each child was reached, when all below it had been, and whether it falls off."""
        order, lowest, place, trail, counted = self.order, [0] * (len(starts) - 1), starts[:-1], [start], 1
        order[start] = 0
        while trail:
            node = trail[-1]
            if place[node] < starts[node + 1]:
                other = ends[place[node]]
                place[node] += 1
                if order[other] == UNREACHED:
                    order[other] = lowest[other] = counted
                    counted += 1
                    trail.append(other)
                elif order[other] < lowest[node]:
                    lowest[node] = order[other]
                continue
            trail.pop()
            if trail:
                above = trail[-1]
                lowest[above] = min(lowest[above], lowest[node])
                falls = lowest[node] >= order[above]
                self.children.setdefault(above, []).append((order[node], counted, falls))

    def has(self, node: int) -> bool:
        """Tell whether a node is in the set."""
        return self.order[node] != UNREACHED

    def without(self, gone: int) -> int:
        """Return how many parts there are without a node of the set."""
        fallen = sum(falls for _, _, falls in self.children.get(gone, []))
        return fallen + (self.order[gone] > 0)

    def part_of(self, node: int, gone: int) -> int:
        """Return which of the parts a node of the set is in, once another is gone: a number to compare."""
        when = self.order[node]
        for first, after, falls in self.children.get(gone, []):
            if falls and first <= when < after:
                return first
        return -1


def as_arcs(nodes: int, ends: Numbers, others: Numbers) -> tuple[list[int], list[int]]:
    """Return edges as lists for `Parts`: where those of a node begin, and where they lead."""
    apart = ends != others
    sources = np.concatenate([ends[apart], others[apart]])
    targets = np.concatenate([others[apart], ends[apart]])
    order = np.argsort(sources, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=nodes))])
    return starts.tolist(), targets[order].tolist()
