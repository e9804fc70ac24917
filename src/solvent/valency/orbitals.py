"""The orbital cache: which node is whose neighbour on which orbital, found once for a cluster.

It is a flat table per layer: row v, column o holds the neighbour of node v on orbital o, or -1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import HEX, Cluster, Graph, Lattice, Layer, OrbitalSet, Staging
from solvent.valency.slices import slices, stable_order, where_true

Numbers = npt.NDArray[np.int32]
Indices = npt.NDArray[np.int64]
SmallNumbers = npt.NDArray[np.int8]
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
    source_orbital: SmallNumbers
    target: Numbers
    target_orbital: SmallNumbers

    def __len__(self) -> int:
        """Return the number of edges."""
        return len(self.source)


class OrbitalCache(Struct, frozen=True, eq=False):
    """Hold who is whose neighbour. Lists have one entry per layer."""

    nodes: int
    neighbours: tuple[Numbers, ...]
    """Shape (nodes, orbitals): the neighbour, or NO_NEIGHBOUR."""
    back_orbitals: tuple[SmallNumbers, ...]
    """Shape (nodes, orbitals): the orbital on which that neighbour sees this node, or -1."""
    masks: tuple[Masks, ...]
    """For each node the orbitals on which it has a neighbour."""
    edges: tuple[LayerEdges, ...]
    open_nodes: npt.NDArray[np.bool_]
    """Which nodes have a neighbour in some layer. The others are null slots and stay empty."""
    unmatched: tuple[Indices, ...]
    """Edges of the graph that point along no orbital."""
    crowded_out: tuple[Indices, ...]
    """Edges of the graph whose orbital is taken by one that fits it better."""


def count_nodes(cluster: Cluster) -> int:
    """Return how many nodes a cluster has."""
    if isinstance(cluster, Lattice):
        return cluster.width * cluster.height * cluster.depth
    return len(cluster.positions)


def node_positions(cluster: Cluster) -> npt.NDArray[np.float64]:
    """Return where each node stands, shape (nodes, 3)."""
    return positions_of(cluster, np.arange(count_nodes(cluster)))


def positions_of(cluster: Cluster, nodes: Indices) -> npt.NDArray[np.float64]:
    """Return where some nodes stand, shape (nodes, 3)."""
    if isinstance(cluster, Graph):
        return cluster.positions[nodes]
    x, y, z = _cells(cluster, nodes)
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


def build_cache(staging: Staging, meter: Meter = UNLIMITED) -> OrbitalCache:
    """Find every neighbour in every layer."""
    cluster, layers = staging.cluster, staging.rules.layers
    nodes = count_nodes(cluster)
    meter.require_memory(_megabytes_needed(cluster, layers), f"finding the neighbours of {nodes:,} nodes")
    unmatched, crowded = [_NOTHING] * len(layers), [_NOTHING] * len(layers)
    edges = []
    for number, layer in enumerate(layers):
        if isinstance(cluster, Lattice):
            edges.append(_lattice_edges(cluster, layer, meter))
        elif cluster.orbitals is not None:
            edges.append(_given_edges(cluster, number, meter))
        else:
            found, unmatched[number], crowded[number] = match_edges(cluster, layer.orbital_set, meter)
            edges.append(found)
    open_nodes = np.zeros(nodes, dtype=np.bool_)
    neighbours, back, masks = [], [], []
    for found, layer in zip(edges, layers, strict=True):
        beside, behind = _tables(found, nodes, len(layer.orbital_set.orbitals), meter)
        neighbours.append(beside)
        back.append(behind)
        masks.append(_mask(beside, open_nodes, meter))
    return OrbitalCache(
        nodes,
        tuple(neighbours),
        tuple(back),
        tuple(masks),
        tuple(edges),
        open_nodes,
        tuple(unmatched),
        tuple(crowded),
    )


def _megabytes_needed(cluster: Cluster, layers: Sequence[Layer]) -> float:
    """Return what an orbital cache takes: 5 bytes a place of a node and an orbital, 10 an edge, 8 a mask."""
    nodes = count_nodes(cluster)
    places = nodes * sum(len(layer.orbital_set.orbitals) for layer in layers)
    edges = places // 2 if isinstance(cluster, Lattice) else len(cluster.edges) * len(layers)
    return (5 * places + 10 * edges + 8 * nodes * len(layers)) / 1e6


def back_orbital(orbital_set: OrbitalSet, orbital: int) -> int:
    """Return the orbital that points the other way, or -1 if there is none."""
    return back_orbitals(orbital_set)[orbital]


def back_orbitals(orbital_set: OrbitalSet) -> list[int]:
    """Return for each orbital the first one that points the other way, or -1 if there is none."""
    ways = [orbital.direction for orbital in orbital_set.orbitals]
    number_of: dict[tuple[float, ...], int] = {}
    for number, way in enumerate(ways):
        if way is not None:
            number_of.setdefault(tuple(way), number)
    return [-1 if way is None else number_of.get(tuple(-part for part in way), -1) for way in ways]


def _cells(lattice: Lattice, nodes: Indices) -> tuple[Indices, Indices, Indices]:
    rest, x = np.divmod(nodes, lattice.width)
    z, y = np.divmod(rest, lattice.height)
    return x, y, z


def _lattice_edges(lattice: Lattice, layer: Layer, meter: Meter) -> LayerEdges:
    """Return the edges of a lattice, each once, from its orbital with the lower number."""
    orbital_set = layer.orbital_set
    nodes = count_nodes(lattice)
    pairs = [(orbital, back) for orbital, back in enumerate(back_orbitals(orbital_set)) if orbital < back]
    edges = _Gathered(len(pairs) * nodes)
    for orbital, back in pairs:
        for part in slices(nodes, meter):
            cells = np.arange(part.start, part.stop)
            there, inside = _cells_beside(lattice, orbital_set, orbital, cells)
            edges.add(cells[inside], orbital, there[inside], back)
    return edges.all()


class _Gathered:
    """Gather edges in rows that are long enough for all of them; what is not used is never touched."""

    def __init__(self, most: int) -> None:
        self.count = 0
        self.ends = np.empty(most, dtype=np.int32), np.empty(most, dtype=np.int32)
        self.orbitals = np.empty(most, dtype=np.int8), np.empty(most, dtype=np.int8)

    def add(self, source: Any, source_orbital: Any, target: Any, target_orbital: Any) -> None:
        """Add some edges; the orbitals may be one for all."""
        part = slice(self.count, self.count + len(source))
        self.ends[0][part], self.ends[1][part] = source, target
        self.orbitals[0][part], self.orbitals[1][part] = source_orbital, target_orbital
        self.count += len(source)

    def all(self) -> LayerEdges:
        """Return what was added."""
        part = slice(self.count)
        return LayerEdges(self.ends[0][part], self.orbitals[0][part], self.ends[1][part], self.orbitals[1][part])


def _cells_beside(
    lattice: Lattice, orbital_set: OrbitalSet, orbital: int, cells: Indices
) -> tuple[Indices, npt.NDArray[np.bool_]]:
    """Return where an orbital leads from some cells, and from which of them it leads anywhere."""
    at = _cells(lattice, cells)
    steps = _steps(lattice, orbital_set, orbital, at[1])
    inside = np.ones(len(cells), dtype=np.bool_)
    reached = []
    size = (lattice.width, lattice.height, lattice.depth)
    for cell, step, length, wraps in zip(at, steps, size, lattice.periodic, strict=True):
        moved = cell + step
        if wraps:
            moved %= length
        else:
            inside &= (moved >= 0) & (moved < length)
        reached.append(moved)
    return reached[0] + lattice.width * (reached[1] + lattice.height * reached[2]), inside


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


def _given_edges(graph: Graph, layer: int, meter: Meter) -> LayerEdges:
    assert graph.orbitals is not None
    edges = _Gathered(len(graph.edges))
    for part in slices(len(graph.edges), meter):
        orbitals = graph.orbitals[part, layer]
        there = (orbitals >= 0).all(axis=1)
        ends, orbitals = graph.edges[part][there], orbitals[there]
        edges.add(ends[:, 0], orbitals[:, 0], ends[:, 1], orbitals[:, 1])
    return edges.all()


def match_edges(graph: Graph, orbital_set: OrbitalSet, meter: Meter = UNLIMITED) -> tuple[LayerEdges, Indices, Indices]:
    """Give each edge the orbitals it points along; returns the edges, then the unmatched and the crowded-out ones.

    Of two edges that want the same orbital of a node, the one that points along its orbitals more exactly gets it.
    """
    count = len(graph.edges)
    orbital_at = np.empty((2, count), dtype=np.int8)
    worst = np.empty(count)
    for part in slices(count, meter):
        orbital_at[:, part], worst[part] = _best_orbitals(graph, orbital_set, part)
    least = math.cos(math.radians(orbital_set.threshold_degrees)) - _TOLERANCE
    matched = np.empty(count, dtype=np.bool_)
    for part in slices(count, meter):
        matched[part] = worst[part] >= least
    wanted = where_true(matched, meter)
    rank = np.empty(len(wanted))
    for part in slices(len(wanted), meter):
        rank[part] = -np.floor(1e9 * worst[wanted[part]] + 0.5)
    kept = _first_come(graph, orbital_at, wanted, stable_order(rank, meter), len(orbital_set.orbitals), meter)
    edges = _Gathered(len(wanted))
    crowded = []
    for part in slices(count, meter):
        chosen = part.start + np.flatnonzero(kept[part])
        ends = graph.edges[chosen]
        edges.add(ends[:, 0], orbital_at[0][chosen], ends[:, 1], orbital_at[1][chosen])
        crowded.append(part.start + np.flatnonzero(matched[part] & ~kept[part]))
        np.logical_not(matched[part], out=matched[part])
    return edges.all(), where_true(matched, meter), np.concatenate([_NOTHING, *crowded])


def has_match(graph: Graph, orbital_set: OrbitalSet, meter: Meter = UNLIMITED) -> bool:
    """Tell whether any edge points along orbitals at both its ends."""
    least = math.cos(math.radians(orbital_set.threshold_degrees)) - _TOLERANCE
    return any((_best_orbitals(graph, orbital_set, part)[1] >= least).any() for part in slices(len(graph.edges), meter))


def nearest_orbital(graph: Graph, orbital_set: OrbitalSet, edge: int) -> tuple[str, float]:
    """Return the orbital that an edge points along most nearly, and by how many degrees it misses it at its worse end.

    The name is empty if the edge has no length or no orbital a direction.
    """
    orbitals, worst = _best_orbitals(graph, orbital_set, slice(edge, edge + 1))
    if orbitals[0, 0] < 0 or not math.isfinite(worst[0]):
        return "", 0.0
    degrees = math.degrees(math.acos(max(-1.0, min(1.0, float(worst[0])))))
    return orbital_set.orbitals[int(orbitals[0, 0])].name, degrees


def _best_orbitals(
    graph: Graph, orbital_set: OrbitalSet, part: slice
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float64]]:
    """Return for some edges the orbital that each points along at either end, and how exactly it does at the worse."""
    ends = graph.positions[graph.edges[part]]
    apart = ends[:, 1] - ends[:, 0]
    length = np.sqrt(apart[:, 0] * apart[:, 0] + apart[:, 1] * apart[:, 1] + apart[:, 2] * apart[:, 2])
    usable = length > 0
    best = np.full((2, len(apart)), -np.inf)
    orbital_at = np.full((2, len(apart)), -1, dtype=np.int8)
    for number, orbital in enumerate(orbital_set.orbitals):
        if orbital.direction is None:
            continue
        x, y, z = orbital.direction
        along = apart[:, 0] * x + apart[:, 1] * y + apart[:, 2] * z
        reach = length * math.sqrt(x * x + y * y + z * z)
        with np.errstate(divide="ignore", invalid="ignore"):
            alignment = np.where(usable, along / reach, -np.inf)
        for end, sign in ((0, 1.0), (1, -1.0)):
            better = sign * alignment > best[end]
            best[end] = np.where(better, sign * alignment, best[end])
            orbital_at[end][better] = number
    best[:, ~usable] = -np.inf
    return orbital_at, best.min(axis=0)


def _first_come(
    graph: Graph, orbital_at: SmallNumbers, edges: Indices, order: Numbers, width: int, meter: Meter
) -> npt.NDArray[np.bool_]:
    """Tell which edges find the places free that they want, where each that does takes them from all after it.

    A place is a node and one of its orbitals, of which there are `width`.
    """
    kept = np.zeros(len(graph.edges), dtype=np.bool_)
    taken = memoryview(np.zeros(len(graph.positions) * width, dtype=np.uint8))  # type: ignore[arg-type]
    for part in slices(len(order), meter, width=16):
        some = edges[order[part]]
        places = graph.edges[some].astype(np.int64) * width + orbital_at[:, some].T
        fine = []
        for first, second in places.tolist():
            free = not (taken[first] or taken[second])
            if free:
                taken[first] = taken[second] = 1
            fine.append(free)
        kept[some] = fine
    return kept


def _tables(edges: LayerEdges, nodes: int, width: int, meter: Meter) -> tuple[Numbers, SmallNumbers]:
    """Return for each node and orbital the neighbour there, and the orbital that leads back."""
    beside = np.empty((nodes, width), dtype=np.int32)
    behind = np.empty((nodes, width), dtype=np.int8)
    for part in slices(nodes, meter, width=width):
        beside[part] = NO_NEIGHBOUR
        behind[part] = -1
    for part in slices(len(edges), meter):
        source, target = edges.source[part], edges.target[part]
        out, back = edges.source_orbital[part], edges.target_orbital[part]
        beside[source, out], behind[source, out] = target, back
        beside[target, back], behind[target, back] = source, out
    return beside, behind


def _mask(beside: Numbers, open_nodes: npt.NDArray[np.bool_], meter: Meter) -> Masks:
    """Return the orbitals on which each node has a neighbour, and note which nodes have one at all."""
    mask = np.zeros(len(beside), dtype=np.uint64)
    for part in slices(len(beside), meter, width=beside.shape[1]):
        for orbital in range(beside.shape[1]):
            mask[part] |= (beside[part, orbital] != NO_NEIGHBOUR).astype(np.uint64) << np.uint64(orbital)
        open_nodes[part] |= mask[part] != 0
    return mask


_NOTHING: Indices = np.zeros(0, dtype=np.int64)
