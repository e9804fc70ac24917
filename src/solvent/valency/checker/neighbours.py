"""Find who stands beside whom, on which orbital of which layer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.checker.matching import match_edges
from solvent.valency.checker.wellformed import count_nodes
from solvent.valency.model import HEX, MAX_ORBITALS, Graph, Lattice, Staging

Numbers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

_HEX_STEPS = ((1, 1, 0), (0, 1, 1), (-1, 0, 1), (-1, -1, 0), (-1, 0, -1), (0, 1, -1))
"""For each orbital of a hexagonal lattice the step in x from an even row, in x from an odd row, and in y."""


class Edges(Struct, frozen=True):
    """Hold edges of one kind: the same layer, and the same two orbitals at their ends."""

    layer: int
    orbital: int
    """At the first end."""
    back: int
    """At the second end."""
    nodes: Numbers
    """The first end of each."""
    others: Numbers
    """The second end of each."""
    numbers: Numbers
    """Where each stands among all edges of the staging."""


class Surroundings:
    """Know the edges of a staging; what takes long is found when it is first asked for."""

    def __init__(self, staging: Staging) -> None:
        self.cluster = staging.cluster
        self.layers = staging.rules.layers
        self.nodes = count_nodes(staging)

    def kinds(self) -> Iterator[Edges]:
        """Yield all edges, kind by kind."""
        if isinstance(self.cluster, Graph):
            yield from self._graph_kinds
            return
        counted = 0
        cells = np.arange(self.nodes)
        for layer in range(len(self.layers)):
            for orbital, back in enumerate(self._backs[layer]):
                if orbital < back:
                    others = self._cells_beside(layer, orbital, cells)
                    here = others >= 0
                    found = int(here.sum())
                    numbers = np.arange(counted, counted + found)
                    yield Edges(layer, orbital, back, cells[here], others[here], numbers)
                    counted += found

    @cached_property
    def masks(self) -> list[npt.NDArray[np.uint64]]:
        """For each layer, the orbitals on which each node has a neighbour."""
        masks = [np.zeros(self.nodes, dtype=np.uint64) for _ in self.layers]
        for edges in self.kinds():  # no two edges of a kind share an end, so nothing is overwritten
            masks[edges.layer][edges.nodes] |= np.uint64(1 << edges.orbital)
            masks[edges.layer][edges.others] |= np.uint64(1 << edges.back)
        return masks

    @cached_property
    def open(self) -> Truths:
        """Tell which nodes have a neighbour in any layer; the others are null slots."""
        some = np.zeros(self.nodes, dtype=np.bool_)
        for mask in self.masks:
            some |= mask != 0
        return some

    def beside(self, layer: int, orbital: int, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """Return the neighbours of nodes on an orbital, and the orbitals that lead back; -1 where there is none."""
        if isinstance(self.cluster, Lattice):
            others = self._cells_beside(layer, orbital, nodes)
            return others, np.where(others >= 0, self._backs[layer][orbital], -1)
        slots, others, backs = self._graph_slots[layer]
        wanted = nodes * MAX_ORBITALS + orbital
        at = np.searchsorted(slots, wanted)
        found = at < len(slots)
        found[found] = slots[at[found]] == wanted[found]
        at = at[found]
        beside = np.full((2, len(nodes)), -1, dtype=np.int64)
        beside[0, found], beside[1, found] = others[at], backs[at]
        return beside[0], beside[1]

    @cached_property
    def arcs(self) -> tuple[Numbers, Numbers, Numbers]:
        """All edges from both ends: those of node v stand at `starts[v]:starts[v + 1]`, with the other end and number.

        Edges from a node to itself are left out.
        """
        kinds = list(self.kinds())
        nothing = [np.zeros(0, dtype=np.int64)]
        nodes = np.concatenate([edges.nodes for edges in kinds] + nothing)
        others = np.concatenate([edges.others for edges in kinds] + nothing)
        numbers = np.concatenate([edges.numbers for edges in kinds] + nothing)
        apart = nodes != others
        nodes, others, numbers = nodes[apart], others[apart], numbers[apart]
        sources, ends = np.concatenate([nodes, others]), np.concatenate([others, nodes])
        order = np.argsort(sources, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=self.nodes))])
        return starts, ends[order], np.concatenate([numbers, numbers])[order]

    def arcs_of(self, nodes: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return all arcs of some nodes: which of the nodes, the other end, and the number of the edge."""
        starts, ends, numbers = self.arcs
        counts = starts[nodes + 1] - starts[nodes]
        which = np.repeat(np.arange(len(nodes)), counts)
        at = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts) + starts[nodes][which]
        return which, ends[at], numbers[at]

    # Lattices

    @cached_property
    def _backs(self) -> list[list[int]]:
        """For each layer and orbital of a lattice, the orbital that leads back."""
        assert isinstance(self.cluster, Lattice)
        if self.cluster.kind == HEX:
            return [[3, 4, 5, 0, 1, 2] for _ in self.layers]
        backs = []
        for layer in self.layers:
            steps = [orbital.direction or (0, 0, 0) for orbital in layer.orbital_set.orbitals]
            backs.append([steps.index((-x, -y, -z)) for x, y, z in steps])
        return backs

    def _cells_beside(self, layer: int, orbital: int, cells: Numbers) -> Numbers:
        lattice = self.cluster
        assert isinstance(lattice, Lattice)
        x = cells % lattice.width
        y = cells // lattice.width % lattice.height
        z = cells // (lattice.width * lattice.height)
        if lattice.kind == HEX:
            from_even, from_odd, down = _HEX_STEPS[orbital]
            targets = [x + np.where(y % 2 == 0, from_even, from_odd), y + down, z]
        else:
            step = self.layers[layer].orbital_set.orbitals[orbital].direction or (0, 0, 0)
            targets = [x + int(step[0]), y + int(step[1]), z + int(step[2])]
        outside = np.zeros(len(cells), dtype=np.bool_)
        sizes = (lattice.width, lattice.height, lattice.depth)
        for axis, size in enumerate(sizes):
            if lattice.periodic[axis]:
                targets[axis] = targets[axis] % size
            else:
                outside |= (targets[axis] < 0) | (targets[axis] >= size)
        beside = targets[0] + lattice.width * (targets[1] + lattice.height * targets[2])
        beside[outside] = -1
        return np.asarray(beside, dtype=np.int64)

    # Graphs

    @cached_property
    def _graph_ends(self) -> list[tuple[Numbers, Numbers]]:
        """For each layer the edges that it has, and the orbitals at their ends."""
        graph = self.cluster
        assert isinstance(graph, Graph)
        found = []
        for number, layer in enumerate(self.layers):
            if graph.orbitals is None:
                ends = match_edges(graph, layer.orbital_set)
            elif len(graph.edges):
                ends = graph.orbitals[:, number, :].astype(np.int64)
            else:
                ends = np.zeros((0, 2), dtype=np.int64)
            here = np.flatnonzero(ends[:, 0] >= 0)
            found.append((here, ends[here]))
        return found

    @cached_property
    def _graph_kinds(self) -> list[Edges]:
        assert isinstance(self.cluster, Graph)
        kinds, counted = [], 0
        for layer, (here, ends) in enumerate(self._graph_ends):
            pairs = self.cluster.edges[here].astype(np.int64)
            codes = ends[:, 0] * MAX_ORBITALS + ends[:, 1]
            order = np.argsort(codes, kind="stable")
            found, starts = np.unique(codes[order], return_index=True)
            for code, members in zip(found.tolist(), np.split(order, starts[1:]), strict=False):
                orbital, back = divmod(code, MAX_ORBITALS)
                kinds.append(Edges(layer, orbital, back, pairs[members, 0], pairs[members, 1], counted + members))
            counted += len(here)
        return kinds

    @cached_property
    def _graph_slots(self) -> list[tuple[Numbers, Numbers, Numbers]]:
        """For each layer its places of a node and an orbital, sorted, with the node there and the way back."""
        assert isinstance(self.cluster, Graph)
        found = []
        for here, ends in self._graph_ends:
            pairs = self.cluster.edges[here].astype(np.int64)
            slots = np.concatenate([pairs[:, 0] * MAX_ORBITALS + ends[:, 0], pairs[:, 1] * MAX_ORBITALS + ends[:, 1]])
            order = np.argsort(slots)
            others = np.concatenate([pairs[:, 1], pairs[:, 0]])
            backs = np.concatenate([ends[:, 1], ends[:, 0]])
            found.append((slots[order], others[order], backs[order]))
        return found
