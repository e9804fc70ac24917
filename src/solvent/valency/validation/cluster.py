"""What makes a cluster usable: sizes, positions, edges, and orbitals that lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from solvent.valency.model import (
    HEX,
    HEX_ORBITALS,
    MAX_NODES,
    MAX_ORBITALS,
    SQUARE,
    Cluster,
    Graph,
    Lattice,
    Layer,
)
from solvent.valency.validation.fault import (
    LARGEST_COORDINATE,
    SHORTEST_VECTOR,
    Fault,
    Place,
    first_places,
    name_list_faults,
    repeated_places,
    repetition_faults,
)

LARGEST_STEP = 1_000_000
"""How far an orbital of a lattice may lead, in cells along an axis."""
MAX_EDGES = 16_000_000


def find_cluster_faults(cluster: Cluster, layers: Sequence[Layer]) -> list[Fault]:
    """Return everything that is wrong with a cluster, or with layers on it."""
    if isinstance(cluster, Lattice):
        return list(_lattice_faults(cluster, layers))
    return list(_graph_faults(cluster, layers))


def _lattice_faults(lattice: Lattice, layers: Sequence[Layer]) -> Iterator[Fault]:
    place = ("cluster", "lattice")
    size = (lattice.width, lattice.height, lattice.depth)
    if min(size) < 1 or lattice.width * lattice.height * lattice.depth > MAX_NODES:
        yield Fault((*place, "size"), f"a size of 1 to {MAX_NODES} cells", size)
        return
    if lattice.kind not in (SQUARE, HEX):
        yield Fault((*place, "kind"), f"{SQUARE} or {HEX}", lattice.kind)
    if lattice.kind == HEX:
        if lattice.depth != 1:
            yield Fault((*place, "size"), "a hexagonal lattice of depth 1", size)
        if lattice.periodic[1] and lattice.height % 2:
            yield Fault((*place, "periodic"), "an even height where a hexagonal lattice wraps around in y", size)
    for number, layer in enumerate(layers):
        at = ("rules", "layers", number, "orbitals")
        names = [orbital.name for orbital in layer.orbital_set.orbitals]
        wanted = [orbital.name for orbital in HEX_ORBITALS.orbitals]
        if lattice.kind == HEX:
            if names != wanted:
                yield Fault(at, f"the orbitals of a hexagonal lattice: {', '.join(wanted)}", names)
        elif layer.orbital_set == HEX_ORBITALS:
            yield Fault((*place, "kind"), f"{HEX}, since these are the orbitals of a hexagonal lattice", lattice.kind)
        else:
            yield from _step_faults(at, layer)


def _step_faults(place: Place, layer: Layer) -> Iterator[Fault]:
    directions = [orbital.direction for orbital in layer.orbital_set.orbitals]
    known = set(directions)
    for number, direction in enumerate(directions):
        at = (*place, number, "direction")
        if direction is None or not all(abs(part) <= LARGEST_STEP and part == round(part) for part in direction):
            yield Fault(at, "a direction of whole numbers, as on every square lattice", direction)
        elif direction in directions[:number]:
            yield Fault(at, "a direction of its own", direction)
        elif (-direction[0], -direction[1], -direction[2]) not in known:
            name = layer.orbital_set.orbitals[number].name
            yield Fault(at, f"an orbital that leads back from {name}, as on every lattice", direction)


def _graph_faults(graph: Graph, layers: Sequence[Layer]) -> Iterator[Fault]:
    place = ("cluster", "graph")
    nodes, edges = len(graph.positions), graph.edges.astype(np.int64)
    if not 1 <= nodes <= MAX_NODES:
        yield Fault((*place, "nodes"), f"from 1 to {MAX_NODES} nodes", nodes)
        return
    if len(edges) > MAX_EDGES:
        yield Fault((*place, "edges"), f"at most {MAX_EDGES} edges", len(edges))
        return
    wrong = ~(np.abs(graph.positions) <= LARGEST_COORDINATE).all(axis=1)  # so NaN is wrong too
    for node in first_places(wrong):
        yield Fault((*place, "nodes", node, "position"), "numbers within ±1e15", graph.positions[node].tolist())
    if graph.names:
        if len(graph.names) != nodes:
            yield Fault((*place, "nodes"), f"a name for each of {nodes} nodes, or for none", len(graph.names))
        yield from repetition_faults((*place, "nodes"), graph.names, "id", "node")
        yield from name_list_faults((*place, "nodes"), graph.names, "id")
    outside = ((edges < 0) | (edges >= nodes)).any(axis=1)
    for edge in first_places(outside):
        yield Fault((*place, "edges", edge), f"nodes from 0 to {nodes - 1}", edges[edge].tolist())
    for edge in first_places(edges[:, 0] == edges[:, 1]):
        yield Fault((*place, "edges", edge), "an edge between two nodes, not from one to itself", edges[edge].tolist())
    if outside.any() or wrong.any():
        return
    if graph.orbitals is None:
        yield from _unmarked_edge_faults((*place, "edges"), graph, edges)
    else:
        yield from _marked_edge_faults((*place, "edges"), graph, edges, layers)


def _unmarked_edge_faults(place: Place, graph: Graph, edges: npt.NDArray[np.int64]) -> Iterator[Fault]:
    pairs = edges.min(axis=1) * len(graph.positions) + edges.max(axis=1)
    for edge in repeated_places(pairs):
        yield Fault((*place, edge), "each two nodes joined once", edges[edge].tolist())
    apart = np.abs(graph.positions[edges[:, 1]] - graph.positions[edges[:, 0]]).max(axis=1, initial=0.0)
    for edge in first_places((apart > 0) & (apart < SHORTEST_VECTOR)):
        yield Fault((*place, edge), "nodes at least 1e-15 apart, or in the same place", float(apart[edge]))


def _marked_edge_faults(
    place: Place, graph: Graph, edges: npt.NDArray[np.int64], layers: Sequence[Layer]
) -> Iterator[Fault]:
    assert graph.orbitals is not None
    orbitals = graph.orbitals.astype(np.int64)
    if len(edges) == 0:
        return
    if orbitals.shape[1] != len(layers):
        yield Fault(place, f"orbitals in {len(layers)} layers", orbitals.shape[1])
        return
    sizes = np.array([len(layer.orbital_set.orbitals) for layer in layers])[None, :, None]
    outside = ((orbitals < -1) | (orbitals >= sizes)).any(axis=(1, 2))
    for edge in first_places(outside):
        yield Fault((*place, edge), "numbers of orbitals, or -1", orbitals[edge].tolist())
    half = ((orbitals[:, :, 0] < 0) != (orbitals[:, :, 1] < 0)).any(axis=1)
    for edge in first_places(half):
        yield Fault((*place, edge), "an orbital at both ends, or at none", orbitals[edge].tolist())
    if outside.any() or half.any():
        return
    for number, layer in enumerate(layers):
        used = orbitals[:, number, :]
        ends = np.where(used >= 0, edges * MAX_ORBITALS + used, -1 - np.arange(used.size).reshape(used.shape))
        for end in repeated_places(ends.reshape(-1)):
            edge, side = divmod(end, 2)
            name = layer.orbital_set.orbitals[int(used[edge, side])].name
            expected = f"one edge on orbital {name} of node {edges[edge, side]} in layer {layer.name}"
            yield Fault((*place, edge), expected, edges[edge].tolist())
    nowhere = np.flatnonzero((orbitals < 0).all(axis=(1, 2)))
    pairs = edges[nowhere].min(axis=1) * len(graph.positions) + edges[nowhere].max(axis=1)
    for at in repeated_places(pairs):
        edge = int(nowhere[at])
        yield Fault((*place, edge), "each edge once", edges[edge].tolist())
