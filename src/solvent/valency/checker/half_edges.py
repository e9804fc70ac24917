"""Bring in variables for the ends of edges: whether one can leave a node through an edge, by what stands on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.joins import Joining
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import MAX_ORBITALS
from solvent.valency.slices import slices

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def slots_of(placing: Placing, layer: int, orbital: int, nodes: Numbers) -> Numbers:
    """Number the places of a layer, a node and an orbital."""
    return (layer * placing.surroundings.nodes + nodes) * MAX_ORBITALS + orbital


class HalfEdges:
    """Number the ends of all edges within W: two for each edge, its first end first, in the order of edges.

    The variable of an end is true if the node there holds a module of the set with an exit on this edge; with
    `both_ways` it is false if it does not.
    """

    def __init__(self, formula: Formula, joining: Joining, *, both_ways: bool = False) -> None:
        kinds, numbers = formula.edges_within()
        self.edges = len(numbers)
        """How many edges there are."""
        self.first = formula.clauses.new_variables(2 * len(numbers))
        """The variable of the first end of the first edge."""
        nodes, slots, names = ([np.zeros(0, dtype=np.int64)] for _ in range(3))
        for edges in formula.meter.each(kinds, every=1):
            ranks = np.searchsorted(numbers, edges.numbers)
            for side, orbital, ends in ((0, edges.orbital, edges.nodes), (1, edges.back, edges.others)):
                variables = self.first + 2 * ranks + side
                nodes.append(ends)
                slots.append(slots_of(formula.placing, edges.layer, orbital, ends))
                names.append(variables)
                leaving = joining.leaving(edges.layer, orbital)
                size = len(ends) * int(leaving.sum())
                formula.clauses.reserve(size + len(ends), 3 * size + len(ends))
                for part in slices(len(ends), formula.meter, width=formula.placing.modules):
                    held, own = formula.holds[formula.rank(ends[part])][:, leaving], variables[part][:, None]
                    owners = np.broadcast_to(own, held.shape)
                    formula.clauses.add_table(np.stack([-held.reshape(-1), owners.reshape(-1)], axis=1))
                    if both_ways:
                        formula.clauses.add_table(np.concatenate([-own, held], axis=1))
        slot = np.concatenate(slots)
        order = np.argsort(slot, kind="stable")
        self._slots = slot[order]
        self._names = np.concatenate(names)[order]
        self.nodes = np.concatenate(nodes)
        """The node at each end, kind of edge by kind of edge."""
        self.edge_of = (np.concatenate(names) - self.first) // 2
        """The edge of each of these ends, from 0."""

    def at(self, slots: Numbers) -> Numbers:
        """Return the variables of ends, by their slots."""
        return self._names[np.searchsorted(self._slots, slots)]
