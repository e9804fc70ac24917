"""Match the edges of a graph to orbitals by their direction."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from solvent.valency.model import MAX_ORBITALS, Graph, OrbitalSet

Numbers = npt.NDArray[np.int64]

SLACK = 1e-9
"""How much an alignment may fall short of the threshold: rounding must not unmatch an edge."""


def match_edges(graph: Graph, orbital_set: OrbitalSet) -> Numbers:
    """Return, for each edge, the orbital at its first and at its second node; -1 and -1 where it is no edge.

    An edge is none if it points away from all orbitals, or if a better aligned one stands on one of its orbitals.
    """
    matched = np.full((len(graph.edges), 2), -1, dtype=np.int64)
    first, second = graph.edges[:, 0], graph.edges[:, 1]
    towards = graph.positions[second] - graph.positions[first]
    orbitals, alignments = _best_orbitals(towards, orbital_set)
    back_orbitals, back_alignments = _best_orbitals(-towards, orbital_set)
    worst = np.minimum(alignments, back_alignments)
    least = math.cos(math.radians(orbital_set.threshold_degrees)) - SLACK
    edges = np.flatnonzero(worst >= least)
    rank = -np.floor(1e9 * worst[edges] + 0.5)
    edges = edges[np.argsort(rank, kind="stable")]  # edges of the same rank stay in the order of their numbers
    slots = np.stack(
        [
            first[edges].astype(np.int64) * MAX_ORBITALS + orbitals[edges],
            second[edges].astype(np.int64) * MAX_ORBITALS + back_orbitals[edges],
        ],
        axis=1,
    )
    kept = edges[_first_come(slots)]
    matched[kept, 0] = orbitals[kept]
    matched[kept, 1] = back_orbitals[kept]
    return matched


def _best_orbitals(
    towards: npt.NDArray[np.float64], orbital_set: OrbitalSet
) -> tuple[Numbers, npt.NDArray[np.float64]]:
    """Return the best aligned orbital of each direction, and the alignment; -1 where there is none.

    Every sum is taken in the order of the rule book, number by number: the last bit decides between orbitals.
    """
    x, y, z = towards[:, 0], towards[:, 1], towards[:, 2]
    orbitals = np.full(len(towards), -1, dtype=np.int64)
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


def _first_come(slots: Numbers) -> npt.NDArray[np.bool_]:
    """Tell which rows find both of their slots free, where each that does takes them from all after it."""
    in_order = np.sort(slots, axis=None)
    wanted_twice = in_order[1:][in_order[1:] == in_order[:-1]]
    contested: npt.NDArray[np.bool_] = np.any(np.isin(slots, wanted_twice), axis=1)
    kept: npt.NDArray[np.bool_] = np.logical_not(contested)
    taken: set[int] = set()
    for row in np.flatnonzero(contested).tolist():
        one, other = slots[row].tolist()
        if one not in taken and other not in taken:
            taken |= {one, other}
            kept[row] = True
    return kept
