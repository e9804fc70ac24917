"""Sets of nodes that cost no more than they hold: most windows are tiny, and the cluster around them is not."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import Lattice
from solvent.valency.orbitals import NO_NEIGHBOUR, LayerEdges
from solvent.valency.slices import distinct, first_of_each, full, gathered, slices
from solvent.valency.solver.network import Network

Nodes = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

LARGE = 16
"""A set that holds one in so many nodes of the cluster is looked up in a table of all of them."""


class NodeSet:
    """Hold some nodes of a network, sorted."""

    def __init__(self, network: Network, nodes: Nodes, meter: Meter = UNLIMITED) -> None:
        self.network = network
        self.nodes = nodes
        self.meter = meter
        self._is_large = LARGE * len(nodes) > network.nodes

    def __len__(self) -> int:
        """Return how many nodes there are."""
        return len(self.nodes)

    def places(self, nodes: npt.NDArray[np.integer[Any]]) -> Nodes:
        """Return where nodes stand in the set; -1 for those that do not."""
        if self._is_large:
            return np.asarray(self._table[nodes], dtype=np.int64)
        if not len(self.nodes):
            return np.full(len(nodes), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.nodes, nodes), len(self.nodes) - 1)
        return np.where(self.nodes[places] == nodes, places, -1)

    def has(self, nodes: npt.NDArray[np.integer[Any]]) -> Truths:
        """Tell which nodes are in the set."""
        return self.places(nodes) >= 0

    @cached_property
    def _table(self) -> npt.NDArray[np.int32]:
        table = full(self.network.nodes, -1, np.int32, self.meter)
        for part in slices(len(self.nodes), self.meter):
            table[self.nodes[part]] = np.arange(part.start, part.stop, dtype=np.int32)
        return table

    def edges(self, layer: int, *, within: bool) -> LayerEdges:
        """Return the edges of a layer within the set, or those that touch it, in the order of all edges."""
        if self._is_large:
            return self._edges_of_all(layer, within=within)
        return self._edges_of_nodes(layer, within=within)

    def _edges_of_all(self, layer: int, *, within: bool) -> LayerEdges:
        edges = self.network.cache.edges[layer]
        found: list[list[npt.NDArray[Any]]] = [[], [], [], []]
        for part in slices(len(edges), self.meter):
            first, second = self._table[edges.source[part]] >= 0, self._table[edges.target[part]] >= 0
            chosen = part.start + np.flatnonzero(first & second if within else first | second)
            for column, row in zip(_columns(edges), found, strict=True):
                row.append(column[chosen])
        kinds = (np.int32, np.int8, np.int32, np.int8)
        return LayerEdges(
            *(np.concatenate([np.zeros(0, dtype=kind), *row]) for kind, row in zip(kinds, found, strict=True))
        )

    def _edges_of_nodes(self, layer: int, *, within: bool) -> LayerEdges:
        cache = self.network.cache
        beside = cache.neighbours[layer][self.nodes]
        row, orbital = np.nonzero(beside != NO_NEIGHBOUR)
        if within:
            inside = self.has(beside[row, orbital])
            row, orbital = row[inside], orbital[inside]
        nodes = self.nodes[row]
        if not isinstance(self.network.staging.cluster, Lattice):
            numbers = distinct(self.network.edge_numbers.table(layer, self.meter)[nodes, orbital], self.meter)
            return LayerEdges(*(gathered(column, numbers, self.meter) for column in _columns(cache.edges[layer])))
        # The edges of a lattice are sorted by the lower of their two orbitals, then by the node that has it.
        others, back = beside[row, orbital].astype(np.int64), cache.back_orbitals[layer][nodes, orbital]
        is_source = orbital < back
        source, target = np.where(is_source, nodes, others), np.where(is_source, others, nodes)
        low, high = np.minimum(orbital, back), np.maximum(orbital, back)
        first = first_of_each(low * np.int64(self.network.nodes) + source, self.meter)
        return LayerEdges(
            source[first].astype(np.int32),
            low[first].astype(np.int8),
            target[first].astype(np.int32),
            high[first].astype(np.int8),
        )

    def arcs(self) -> tuple[Nodes, Nodes]:
        """Return all arcs of the nodes: the place of the node in the set, and the number of the arc."""
        start = self.network.arc_start
        counts = start[self.nodes + 1] - start[self.nodes]
        which = np.repeat(np.arange(len(self.nodes)), counts)
        before = np.cumsum(counts) - counts
        return which, np.arange(len(which)) + (start[self.nodes] - before)[which]


def _columns(edges: LayerEdges) -> tuple[npt.NDArray[Any], ...]:
    return edges.source, edges.source_orbital, edges.target, edges.target_orbital
