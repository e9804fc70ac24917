"""The orbital cache: which node is whose neighbour on which orbital, found once for a cluster.

It is a flat table per layer: row v, column o holds the neighbour of node v on orbital o, or -1.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.model import HEX, Cluster, Graph, Lattice, Layer, OrbitalSet, Staging

Numbers = npt.NDArray[np.int32]
Masks = npt.NDArray[np.uint64]

NO_NEIGHBOUR = -1
_TOLERANCE = 1e-9
"""How much an edge may miss its threshold by rounding."""

# Where each orbital of a hexagonal lattice leads, in rows with even and odd y: the step in x, then the step in y.
_HEX_STEPS = {
    "right": ((1, 1), 0),
    "down-right": ((0, 1), 1),
    "down-left": ((-1, 0), 1),
    "left": ((-1, -1), 0),
    "up-left": ((-1, 0), -1),
    "up-right": ((0, 1), -1),
}


class LayerEdges(Struct, frozen=True, eq=False):
    """Hold the edges of one layer, each once, as rows of numbers."""

    source: Numbers
    source_orbital: Numbers
    target: Numbers
    target_orbital: Numbers

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.source)


class OrbitalCache(Struct, frozen=True, eq=False):
    """Hold who is whose neighbour. Lists have one entry per layer."""

    nodes: int
    neighbours: tuple[Numbers, ...]
    """Shape (nodes, orbitals): the neighbour, or NO_NEIGHBOUR."""
    back_orbitals: tuple[npt.NDArray[np.int8], ...]
    """Shape (nodes, orbitals): the orbital on which that neighbour sees this node, or -1."""
    masks: tuple[Masks, ...]
    """For each node the orbitals on which it has a neighbour."""
    edges: tuple[LayerEdges, ...]
    open_nodes: npt.NDArray[np.bool_]
    """Which nodes have a neighbour in some layer. The others are null slots and stay empty."""
    unmatched: tuple[tuple[int, ...], ...]
    """Edges of the graph that point along no orbital."""
    crowded_out: tuple[tuple[int, ...], ...]
    """Edges of the graph whose orbital is taken by one that fits it better."""


def count_nodes(cluster: Cluster) -> int:
    """Return how many nodes a cluster has."""
    if isinstance(cluster, Lattice):
        return cluster.width * cluster.height * cluster.depth
    return len(cluster.positions)


def node_positions(cluster: Cluster) -> npt.NDArray[np.float64]:
    """Return where each node stands, shape (nodes, 3)."""
    if isinstance(cluster, Graph):
        return cluster.positions
    x, y, z = _cells(cluster)
    if cluster.kind == HEX:
        return np.stack([x + 0.5 * (y % 2), y * (math.sqrt(3) / 2), np.zeros(len(x))], axis=1)
    return np.stack([x, y, z], axis=1).astype(np.float64)


def node_name(cluster: Cluster, node: int) -> str:
    """Say which node it is, as a user would."""
    if isinstance(cluster, Graph):
        return cluster.names[node] if cluster.names else f"node {node}"
    x, rest = node % cluster.width, node // cluster.width
    y, z = rest % cluster.height, rest // cluster.height
    return f"({x}, {y})" if cluster.depth == 1 else f"({x}, {y}, {z})"


def build_cache(staging: Staging) -> OrbitalCache:
    """Find every neighbour in every layer."""
    cluster, layers = staging.cluster, staging.rules.layers
    nodes = count_nodes(cluster)
    unmatched: list[tuple[int, ...]] = [()] * len(layers)
    crowded: list[tuple[int, ...]] = [()] * len(layers)
    edges = []
    for number, layer in enumerate(layers):
        if isinstance(cluster, Lattice):
            edges.append(_lattice_edges(cluster, layer))
        elif cluster.orbitals is not None:
            edges.append(_given_edges(cluster, number))
        else:
            found, unmatched[number], crowded[number] = match_edges(cluster, layer.orbital_set)
            edges.append(found)
    neighbours = tuple(_table(found, nodes, layer) for found, layer in zip(edges, layers, strict=True))
    back = tuple(_back_table(found, nodes, layer) for found, layer in zip(edges, layers, strict=True))
    masks = tuple(_mask(table) for table in neighbours)
    open_nodes = np.zeros(nodes, dtype=np.bool_)
    for mask in masks:
        open_nodes |= mask != 0
    return OrbitalCache(nodes, neighbours, back, masks, tuple(edges), open_nodes, tuple(unmatched), tuple(crowded))


def back_orbital(orbital_set: OrbitalSet, orbital: int) -> int:
    """Return the orbital that points the other way, or -1 if there is none."""
    direction = orbital_set.orbitals[orbital].direction
    if direction is None:
        return -1
    for number, other in enumerate(orbital_set.orbitals):
        if other.direction is not None and all(a == -b for a, b in zip(direction, other.direction, strict=True)):
            return number
    return -1


def _cells(lattice: Lattice) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    numbers = np.arange(lattice.width * lattice.height * lattice.depth)
    rest, x = np.divmod(numbers, lattice.width)
    z, y = np.divmod(rest, lattice.height)
    return x, y, z


def _lattice_edges(lattice: Lattice, layer: Layer) -> LayerEdges:
    orbital_set = layer.orbital_set
    cells = _cells(lattice)
    size = (lattice.width, lattice.height, lattice.depth)
    parts = []
    for orbital in range(len(orbital_set.orbitals)):
        back = back_orbital(orbital_set, orbital)
        if orbital >= back:
            continue  # each edge once, from its orbital with the lower number
        steps = _steps(lattice, orbital_set, orbital, cells[1])
        inside = np.ones(len(cells[0]), dtype=np.bool_)
        reached = []
        for cell, step, length, wraps in zip(cells, steps, size, lattice.periodic, strict=True):
            moved = cell + step
            if wraps:
                moved %= length
            else:
                inside &= (moved >= 0) & (moved < length)
            reached.append(moved)
        target = reached[0] + lattice.width * (reached[1] + lattice.height * reached[2])
        source = np.flatnonzero(inside)
        ends = np.full(len(source), orbital), np.full(len(source), back)
        parts.append((source, ends[0], target[source], ends[1]))
    columns = [
        np.concatenate([part[column] for part in parts] or [np.empty(0)]).astype(np.int32) for column in range(4)
    ]
    return LayerEdges(*columns)


def _steps(
    lattice: Lattice, orbital_set: OrbitalSet, orbital: int, y: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64] | int, int, int]:
    """Return how x, y and z change along an orbital."""
    if lattice.kind == HEX:
        (even, odd), down = _HEX_STEPS[orbital_set.orbitals[orbital].name]
        return np.where(y % 2 == 0, even, odd), down, 0
    direction = orbital_set.orbitals[orbital].direction
    assert direction is not None, "validity insists on whole directions"
    return int(direction[0]), int(direction[1]), int(direction[2])


def _given_edges(graph: Graph, layer: int) -> LayerEdges:
    assert graph.orbitals is not None
    if len(graph.edges) == 0:
        return LayerEdges(*[np.empty(0, dtype=np.int32)] * 4)
    orbitals = graph.orbitals[:, layer].astype(np.int32)
    there = (orbitals >= 0).all(axis=1)
    edges, orbitals = graph.edges[there], orbitals[there]
    return LayerEdges(edges[:, 0].copy(), orbitals[:, 0].copy(), edges[:, 1].copy(), orbitals[:, 1].copy())


def match_edges(graph: Graph, orbital_set: OrbitalSet) -> tuple[LayerEdges, tuple[int, ...], tuple[int, ...]]:
    """Give each edge the orbitals it points along; returns the edges, then the unmatched and the crowded-out ones.

    Of two edges that want the same orbital of a node, the one that points along its orbitals more exactly gets it.
    """
    pointing = [number for number, orbital in enumerate(orbital_set.orbitals) if orbital.direction is not None]
    nothing = np.empty(0, dtype=np.int32)
    if not pointing or len(graph.edges) == 0:
        return LayerEdges(*[nothing] * 4), tuple(range(len(graph.edges))), ()
    ends = graph.positions[graph.edges]
    apart = ends[:, 1] - ends[:, 0]
    length = np.sqrt(apart[:, 0] * apart[:, 0] + apart[:, 1] * apart[:, 1] + apart[:, 2] * apart[:, 2])
    usable = length > 0
    best = np.full((2, len(apart)), -np.inf)
    orbital_at = np.full((2, len(apart)), -1, dtype=np.int32)
    for number in pointing:
        x, y, z = orbital_set.orbitals[number].direction or (0.0, 0.0, 0.0)
        along = apart[:, 0] * x + apart[:, 1] * y + apart[:, 2] * z
        reach = length * math.sqrt(x * x + y * y + z * z)
        with np.errstate(divide="ignore", invalid="ignore"):
            alignment = np.where(usable, along / reach, -np.inf)
        for end, sign in ((0, 1.0), (1, -1.0)):
            better = sign * alignment > best[end]
            best[end] = np.where(better, sign * alignment, best[end])
            orbital_at[end][better] = number
    least = math.cos(math.radians(orbital_set.threshold_degrees)) - _TOLERANCE
    worst = best.min(axis=0)
    matched = usable & (worst >= least)
    order = np.lexsort((np.arange(len(worst)), -np.floor(1e9 * np.where(matched, worst, 0.0) + 0.5)))
    kept, crowded = [], []
    width = len(orbital_set.orbitals)
    wanted = order[matched[order]]
    slots = graph.edges[wanted].T.astype(np.int64) * width + orbital_at[:, wanted]
    taken = bytearray(len(graph.positions) * width)
    for edge, first, second in zip(wanted.tolist(), slots[0].tolist(), slots[1].tolist(), strict=True):
        if taken[first] or taken[second]:
            crowded.append(edge)
        else:
            taken[first] = taken[second] = 1
            kept.append(edge)
    chosen = np.array(sorted(kept), dtype=np.int64)
    edges = LayerEdges(
        graph.edges[chosen, 0].copy(), orbital_at[0][chosen], graph.edges[chosen, 1].copy(), orbital_at[1][chosen]
    )
    return edges, tuple(np.flatnonzero(~matched).tolist()), tuple(sorted(crowded))


def _table(edges: LayerEdges, nodes: int, layer: Layer) -> Numbers:
    table = np.full((nodes, len(layer.orbital_set.orbitals)), NO_NEIGHBOUR, dtype=np.int32)
    table[edges.source, edges.source_orbital] = edges.target
    table[edges.target, edges.target_orbital] = edges.source
    return table


def _back_table(edges: LayerEdges, nodes: int, layer: Layer) -> npt.NDArray[np.int8]:
    table = np.full((nodes, len(layer.orbital_set.orbitals)), -1, dtype=np.int8)
    table[edges.source, edges.source_orbital] = edges.target_orbital
    table[edges.target, edges.target_orbital] = edges.source_orbital
    return table


def _mask(table: Numbers) -> Masks:
    mask = np.zeros(len(table), dtype=np.uint64)
    for orbital in range(table.shape[1]):
        mask |= (table[:, orbital] != NO_NEIGHBOUR).astype(np.uint64) << np.uint64(orbital)
    return mask
