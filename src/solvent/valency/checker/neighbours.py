"""Find who stands beside whom, on which orbital of which layer."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.matching import match_edges
from solvent.valency.checker.wellformed import count_nodes
from solvent.valency.model import HEX, MAX_ORBITALS, Graph, Lattice, Staging
from solvent.valency.slices import gathered, running_total, slices, stable_order, where_true

Numbers = npt.NDArray[np.int64]
ShortNumbers = npt.NDArray[np.int32]
Truths = npt.NDArray[np.bool_]

_HEX_STEPS = ((1, 1, 0), (0, 1, 1), (-1, 0, 1), (-1, -1, 0), (-1, 0, -1), (0, 1, -1))
"""For each orbital of a hexagonal lattice the step in x from an even row, in x from an odd row, and in y."""


SMALL = 1 << 14
"""So many nodes, and the edges of a lattice are kept."""


class Edges(Struct, frozen=True):
    """Hold some edges of one kind: the same layer, and the same two orbitals at their ends."""

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

    def __init__(self, staging: Staging, meter: Meter = UNLIMITED) -> None:
        self.cluster = staging.cluster
        self.layers = staging.rules.layers
        self.nodes = count_nodes(staging)
        self.meter = meter

    def kinds(self) -> Iterator[Edges]:
        """Yield all edges, kind by kind, and each kind in slices."""
        if isinstance(self.cluster, Graph):
            yield from self._graph_kinds()
            return
        if self.nodes <= SMALL:
            yield from self._small_kinds
        else:
            yield from self._lattice_kinds()

    @cached_property
    def _small_kinds(self) -> list[Edges]:
        """The edges of a small lattice, which are asked for more than once."""
        return list(self._lattice_kinds())

    def _lattice_kinds(self) -> Iterator[Edges]:
        counted = 0
        for layer in range(len(self.layers)):
            for orbital, back in enumerate(self._backs[layer]):
                if orbital < back:
                    for part in slices(self.nodes, self.meter):
                        cells = np.arange(part.start, part.stop)
                        others = self._cells_beside(layer, orbital, cells)
                        here = others >= 0
                        found = int(here.sum())
                        numbers = np.arange(counted, counted + found)
                        yield Edges(layer, orbital, back, cells[here], others[here], numbers)
                        counted += found

    @cached_property
    def masks(self) -> list[npt.NDArray[np.uint64]]:
        """For each layer, the orbitals on which each node has a neighbour."""
        self.meter.require_memory(8 * self.nodes * len(self.layers) / 1e6, f"checking {self.nodes:,} nodes")
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
            for part in slices(self.nodes, self.meter):
                some[part] |= mask[part] != 0
        return some

    def beside(self, layer: int, orbital: int, nodes: Numbers) -> tuple[Numbers, Numbers]:
        """Return the neighbours of nodes on an orbital, and the orbitals that lead back; -1 where there is none."""
        if isinstance(self.cluster, Lattice):
            others = self._cells_beside(layer, orbital, nodes)
            return others, np.where(others >= 0, self._backs[layer][orbital], -1)
        slots, ends, backs = self._graph_slots[layer]
        wanted = nodes * MAX_ORBITALS + orbital
        at = np.searchsorted(slots, wanted)
        found = at < len(slots)
        found[found] = slots[at[found]] == wanted[found]
        at = at[found]
        beside = np.full((2, len(nodes)), -1, dtype=np.int64)
        beside[0, found], beside[1, found] = ends[at], backs[at]
        return beside[0], beside[1]

    @cached_property
    def arcs(self) -> tuple[Numbers, ShortNumbers, ShortNumbers]:
        """All edges from both ends: those of node v stand at `starts[v]:starts[v + 1]`, with the other end and number.

        Edges from a node to itself are left out.
        """
        nodes, others, numbers = _Row(), _Row(), _Row()
        for edges in self.kinds():
            apart = edges.nodes != edges.others
            nodes.add(edges.nodes[apart])
            others.add(edges.others[apart])
            numbers.add(edges.numbers[apart])
        self.meter.require_memory(60 * nodes.length / 1e6, f"the ways along {nodes.length:,} edges")
        sources, ends = (
            np.concatenate([*one.parts, *other.parts]) for one, other in ((nodes, others), (others, nodes))
        )
        order = stable_order(sources, self.meter)
        counts = np.zeros(self.nodes, dtype=np.int64)
        for part in slices(len(sources), self.meter):
            np.add.at(counts, sources[part], 1)
        twice = np.concatenate([*numbers.parts, *numbers.parts])
        return (
            running_total(counts, self.meter),
            gathered(ends, order, self.meter),
            gathered(twice, order, self.meter),
        )

    def arcs_of(self, nodes: Numbers) -> tuple[Numbers, ShortNumbers, ShortNumbers]:
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
    def _graph_ends(self) -> list[tuple[Numbers, npt.NDArray[Any]]]:
        """For each layer the edges that it has, and the orbitals at the ends of all edges."""
        graph = self.cluster
        assert isinstance(graph, Graph)
        found = []
        for number, layer in enumerate(self.layers):
            ends: npt.NDArray[Any] = np.zeros((0, 2), dtype=np.int16)
            if graph.orbitals is None:
                ends = match_edges(graph, layer.orbital_set, self.meter)
            elif len(graph.edges):
                ends = graph.orbitals[:, number, :]
            here = np.empty(len(ends), dtype=np.bool_)
            for part in slices(len(ends), self.meter):
                here[part] = ends[part, 0] >= 0
            found.append((where_true(here, self.meter), ends))
        return found

    @cached_property
    def _graph_order(self) -> list[tuple[ShortNumbers, Numbers]]:
        """For each layer its edges sorted by kind, as places among those of the layer, and the kind of each place."""
        found = []
        for here, ends in self._graph_ends:
            codes = np.empty(len(here), dtype=np.int64)
            for part in slices(len(here), self.meter):
                some = ends[here[part]].astype(np.int64)
                codes[part] = some[:, 0] * MAX_ORBITALS + some[:, 1]
            order = stable_order(codes, self.meter)
            found.append((order, gathered(codes, order, self.meter)))
        return found

    def _graph_kinds(self) -> Iterator[Edges]:
        assert isinstance(self.cluster, Graph)
        counted = 0
        for layer, ((here, _), (order, codes)) in enumerate(zip(self._graph_ends, self._graph_order, strict=True)):
            for part in slices(len(order), self.meter):
                some = codes[part]
                borders = [0, *(1 + np.flatnonzero(some[1:] != some[:-1])).tolist(), len(some)]
                for begin, end in pairwise(borders):
                    self.meter.checkpoint()
                    orbital, back = divmod(int(some[begin]), MAX_ORBITALS)
                    members = order[part.start + begin : part.start + end].astype(np.int64)
                    pairs = self.cluster.edges[here[members]].astype(np.int64)
                    yield Edges(layer, orbital, back, pairs[:, 0], pairs[:, 1], counted + members)
            counted += len(here)

    @cached_property
    def _graph_slots(self) -> list[tuple[Numbers, ShortNumbers, npt.NDArray[np.int8]]]:
        """For each layer its places of a node and an orbital, sorted, with the node there and the way back."""
        assert isinstance(self.cluster, Graph)
        found = []
        for here, ends in self._graph_ends:
            count = len(here)
            self.meter.require_memory(2 * 40 * count / 1e6, f"the places of {count:,} edges")
            slots = np.empty(2 * count, dtype=np.int64)
            others, backs = np.empty(2 * count, dtype=np.int32), np.empty(2 * count, dtype=np.int8)
            for part in slices(count, self.meter):
                pairs, orbitals = self.cluster.edges[here[part]].astype(np.int64), ends[here[part]]
                for end in (0, 1):
                    place = slice(end * count + part.start, end * count + part.stop)
                    slots[place] = pairs[:, end] * MAX_ORBITALS + orbitals[:, end]
                    others[place], backs[place] = pairs[:, 1 - end], orbitals[:, 1 - end]
            order = stable_order(slots, self.meter)
            found.append(tuple(gathered(row, order, self.meter) for row in (slots, others, backs)))
        return found  # type: ignore[return-value]  # a tuple of three rows each


def is_among(nodes: npt.NDArray[np.integer[Any]], rising: Numbers) -> Truths:
    """Tell which nodes are among some others, which are given rising."""
    if not len(rising):
        return np.zeros(len(nodes), dtype=np.bool_)
    places = np.minimum(np.searchsorted(rising, nodes), len(rising) - 1)
    return np.asarray(rising[places] == nodes)


class _Row:
    """Gather numbers of 32 bits."""

    def __init__(self) -> None:
        self.parts: list[ShortNumbers] = [np.zeros(0, dtype=np.int32)]
        self.length = 0

    def add(self, numbers: Numbers) -> None:
        """Add some numbers."""
        self.parts.append(numbers.astype(np.int32))
        self.length += len(numbers)
