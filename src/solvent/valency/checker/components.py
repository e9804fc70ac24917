"""Find which nodes hang together, and how far they are from each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.neighbours import Numbers, ShortNumbers, Surroundings
from solvent.valency.checker.walk_kernel import DeepWalk, Walk
from solvent.valency.slices import full, gathered, run_through, running_total, slices, stable_order

UNREACHED = -1
STEPS = 1 << 18
"""How many edges are walked along before the next look at the limits."""


def find_components(nodes: int, ends: ShortNumbers, others: ShortNumbers, meter: Meter = UNLIMITED) -> Numbers:
    """Return for each node the lowest number among those it hangs together with.

    Each round lets every group take the lowest number beside it, so a long chain does not take long.
    """
    labels = np.empty(nodes, dtype=np.int64)
    for part in slices(nodes, meter):
        labels[part] = np.arange(part.start, part.stop)
    while len(ends):
        apart = np.empty(len(ends), dtype=np.bool_)
        for part in slices(len(ends), meter):
            apart[part] = labels[ends[part]] != labels[others[part]]
        ends, others = ends[apart], others[apart]
        for part in slices(len(ends), meter):
            one, other = labels[ends[part]], labels[others[part]]
            np.minimum.at(labels, np.maximum(one, other), np.minimum(one, other))
        _follow(labels, meter)
    return labels


def _follow(labels: Numbers, meter: Meter) -> None:
    """Have every node take the label of its label, until that changes nothing."""
    changed = True
    while changed:
        changed = False
        for part in slices(len(labels), meter):
            further = labels[labels[part]]
            changed = changed or bool((further != labels[part]).any())
            labels[part] = further


def find_distances(
    surroundings: Surroundings, sources: Numbers, limit: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return how many edges each node is from the nearest source, and which; -1 for those further than the limit."""
    walk, distances, nearest = begin_walk(surroundings, limit)
    for node in surroundings.meter.each(sources.tolist()):
        walk.begin_at(node)
    run_through(walk.run, surroundings.meter, STEPS)
    return distances, nearest


def begin_walk(surroundings: Surroundings, limit: int) -> tuple[Walk, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return a walk of so many edges at most, and the rows in which it keeps how far each node is, and from which."""
    starts, ends, _ = surroundings.arcs
    distances = full(surroundings.nodes, UNREACHED, np.int32, surroundings.meter)
    nearest = full(surroundings.nodes, UNREACHED, np.int32, surroundings.meter)
    return (
        Walk(starts.data, ends.data, min(limit, surroundings.nodes), distances.data, nearest.data),
        distances,
        nearest,
    )


def find_close_pairs(surroundings: Surroundings, sources: Numbers, distance: int) -> list[tuple[int, int]]:
    """Return pairs of sources fewer edges apart than a distance: none only if there are none.

    On the shortest way between the two closest sources there is an edge where the nearest source changes, and it is as
    far from the one as from the other, give or take an edge.
    """
    if len(sources) < 2 or distance < 2:
        return []
    distances, nearest = find_distances(surroundings, sources, (distance - 1) // 2)
    pairs: set[tuple[int, int]] = set()
    for edges in surroundings.kinds():
        here = (distances[edges.nodes] >= 0) & (distances[edges.others] >= 0)
        here &= nearest[edges.nodes] != nearest[edges.others]
        here &= distances[edges.nodes] + distances[edges.others] + 1 < distance
        found = np.flatnonzero(here)[:1000]
        one, other = nearest[edges.nodes[found]], nearest[edges.others[found]]
        pairs |= set(zip(np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), strict=True))
        if len(pairs) >= 1000:
            break
    return sorted(pairs)


def find_close_strangers(
    surroundings: Surroundings, sources: Numbers, others: Numbers, distance: int
) -> list[tuple[int, int]]:
    """Return nodes of one kind, each with the nearest of another kind, that are fewer edges apart than a distance.

    No node is of both kinds.
    """
    if not len(sources) or not len(others) or distance < 2:
        return []
    distances, nearest = find_distances(surroundings, others, distance - 1)
    close = sources[distances[sources] >= 0]
    return list(zip(close.tolist(), nearest[close].tolist(), strict=True))


class Parts:
    """Know into which parts a connected set of nodes falls once one of its nodes is gone."""

    def __init__(self, start: int, starts: Numbers, ends: ShortNumbers, meter: Meter = UNLIMITED) -> None:
        """Take the edges from both ends, as `as_arcs` returns them."""
        nodes = len(starts) - 1
        meter.require_memory(40 * nodes / 1e6, f"what {nodes:,} nodes fall into")
        self.starts, self.ends = starts, ends
        self.order = full(nodes, UNREACHED, np.int32, meter)
        """When each node was reached."""
        self.after = np.zeros(nodes, dtype=np.int32)
        """When all below it had been."""
        self.above = full(nodes, UNREACHED, np.int32, meter)
        self.falls = np.zeros(nodes, dtype=np.int8)
        """Whether it falls off with the node above it gone."""
        walk = DeepWalk(starts.data, ends.data, self.order.data, self.after.data, self.above.data, self.falls.data)
        walk.begin_at(start)
        run_through(walk.run, meter, STEPS)

    def has(self, node: int) -> bool:
        """Tell whether a node is in the set."""
        return bool(self.order[node] != UNREACHED)

    def _fallen(self, gone: int) -> Numbers:
        """Return the children of a node that fall off without it, with all below them."""
        beside = self.ends[self.starts[gone] : self.starts[gone + 1]]
        return np.array(
            sorted({int(node) for node in beside[(self.above[beside] == gone) & (self.falls[beside] > 0)]}),
            dtype=np.int64,
        )

    def without(self, gone: int) -> int:
        """Return how many parts there are without a node of the set."""
        return len(self._fallen(gone)) + int(self.order[gone] > 0)

    def part_of(self, node: int, gone: int) -> int:
        """Return which of the parts a node of the set is in, once another is gone: a number to compare."""
        when = self.order[node]
        fallen: list[int] = self._fallen(gone).tolist()
        for child in fallen:
            if self.order[child] <= when < self.after[child]:
                return child
        return -1


def as_arcs(
    nodes: int, ends: ShortNumbers, others: ShortNumbers, meter: Meter = UNLIMITED
) -> tuple[Numbers, ShortNumbers]:
    """Return edges as `Parts` takes them: where those of a node begin, and where they lead."""
    apart = ends != others
    ends, others = ends[apart], others[apart]
    meter.require_memory(40 * len(ends) / 1e6, f"the ways along {len(ends):,} edges")
    sources, targets = np.concatenate([ends, others]), np.concatenate([others, ends])
    counts = np.zeros(nodes, dtype=np.int64)
    for part in slices(len(sources), meter):
        np.add.at(counts, sources[part], 1)
    return running_total(counts, meter), gathered(targets, stable_order(sources, meter), meter)
