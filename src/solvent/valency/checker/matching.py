"""Match the edges of a graph to orbitals by their direction."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import MAX_ORBITALS, Graph, OrbitalSet
from solvent.valency.slices import gathered, slices, sorted_values, stable_order, where_true

Numbers = npt.NDArray[np.int64]

SLACK = 1e-9
"""How much an alignment may fall short of the threshold: rounding must not unmatch an edge."""


def match_edges(graph: Graph, orbital_set: OrbitalSet, meter: Meter = UNLIMITED) -> npt.NDArray[np.int8]:
    """Return, for each edge, the orbital at its first and at its second node; -1 and -1 where it is no edge.

    An edge is none if it points away from all orbitals, or if a better aligned one stands on one of its orbitals.
    """
    count = len(graph.edges)
    matched = np.empty((count, 2), dtype=np.int8)
    worst = np.empty(count)
    for part in slices(count, meter):
        first, second = graph.edges[part, 0], graph.edges[part, 1]
        towards = graph.positions[second] - graph.positions[first]
        matched[part, 0], alignments = _best_orbitals(towards, orbital_set)
        matched[part, 1], back_alignments = _best_orbitals(-towards, orbital_set)
        worst[part] = np.minimum(alignments, back_alignments)
    least = math.cos(math.radians(orbital_set.threshold_degrees)) - SLACK
    points = np.empty(count, dtype=np.bool_)
    for part in slices(count, meter):
        points[part] = worst[part] >= least
    edges = where_true(points, meter)
    rank = np.empty(len(edges))
    for part in slices(len(edges), meter):
        rank[part] = -np.floor(1e9 * worst[edges[part]] + 0.5)
    edges = gathered(edges, stable_order(rank, meter), meter)  # of the same rank, in the order of their numbers
    slots = np.empty((len(edges), 2), dtype=np.int64)
    for part in slices(len(edges), meter):
        some = edges[part]
        slots[part] = graph.edges[some].astype(np.int64) * MAX_ORBITALS + matched[some]
    kept = np.zeros(count, dtype=np.bool_)
    kept[edges[_first_come(slots, meter)]] = True
    for part in slices(count, meter):
        matched[part][~kept[part]] = -1
    return matched


def _best_orbitals(
    towards: npt.NDArray[np.float64], orbital_set: OrbitalSet
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
    """Return the best aligned orbital of each direction, and the alignment; -1 where there is none.

    Every sum is taken in the order of the rule book, number by number: the last bit decides between orbitals.
    """
    x, y, z = towards[:, 0], towards[:, 1], towards[:, 2]
    orbitals = np.full(len(towards), -1, dtype=np.int8)
    best = np.full(len(towards), -np.inf)
    with np.errstate(all="ignore"):  # a direction whose length is 0 or beyond all numbers is aligned with nothing
        length = np.sqrt(x * x + y * y + z * z)
        for number, orbital in enumerate(orbital_set.orbitals):
            if orbital.direction is None:
                continue
            a, b, c = orbital.direction
            alignment = (x * a + y * b + z * c) / (length * np.sqrt(np.float64(a * a + b * b + c * c)))
            better = np.isfinite(alignment) & (alignment > best)
            orbitals[better] = number
            best[better] = alignment[better]
    return orbitals, best


def _first_come(slots: Numbers, meter: Meter) -> npt.NDArray[np.bool_]:
    """Tell which rows find both of their slots free, where each that does takes them from all after it."""
    contested = _wanted_twice(slots.reshape(-1), meter)
    kept = np.ones(len(slots), dtype=np.bool_)
    taken = bytearray(len(contested) + 1)
    for part in slices(len(slots), meter, width=8):
        places = np.minimum(np.searchsorted(contested, slots[part]), len(contested) - 1)
        is_contested = contested[places] == slots[part] if len(contested) else np.zeros(slots[part].shape, np.bool_)
        rows = np.flatnonzero(is_contested.any(axis=1))
        wanted = np.where(is_contested[rows], places[rows], -1).tolist()
        for row, (one, other) in zip(rows.tolist(), wanted, strict=True):
            if (one >= 0 and taken[one]) or (other >= 0 and taken[other]):
                kept[part.start + row] = False
                continue
            for slot in (one, other):
                if slot >= 0:
                    taken[slot] = 1
    return kept


def _wanted_twice(slots: Numbers, meter: Meter) -> Numbers:
    """Return the slots that stand in a row more than once, rising."""
    in_order = sorted_values(slots, meter)
    found = [np.zeros(0, dtype=np.int64)]
    for part in slices(max(0, len(in_order) - 1), meter):
        after = in_order[part.start + 1 : part.stop + 1]
        again = after[after == in_order[part]]
        found.append(again[np.concatenate([np.ones(min(1, len(again)), dtype=np.bool_), again[1:] != again[:-1]])])
    return np.concatenate(found)
