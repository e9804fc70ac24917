"""What makes a cluster usable: sizes, positions, edges, and orbitals that lead somewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
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
from solvent.valency.orbitals import has_match, nearest_orbital
from solvent.valency.slices import slices, where_true
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
MAX_MISSED = 3
"""How many edges that miss their orbitals are named."""


def find_cluster_faults(cluster: Cluster, layers: Sequence[Layer], meter: Meter = UNLIMITED) -> list[Fault]:
    """Return everything that is wrong with a cluster, or with layers on it."""
    if isinstance(cluster, Lattice):
        return list(_lattice_faults(cluster, layers))
    return list(_graph_faults(cluster, layers, meter))


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


def _graph_faults(graph: Graph, layers: Sequence[Layer], meter: Meter) -> Iterator[Fault]:
    place = ("cluster", "graph")
    nodes, edges = len(graph.positions), graph.edges
    if not 1 <= nodes <= MAX_NODES:
        yield Fault((*place, "nodes"), f"from 1 to {MAX_NODES} nodes", nodes)
        return
    if len(edges) > MAX_EDGES:
        yield Fault((*place, "edges"), f"at most {MAX_EDGES} edges", len(edges))
        return
    wrong = first_places(nodes, lambda part: _is_far(graph.positions[part]), meter)
    for node in wrong:
        yield Fault((*place, "nodes", node, "position"), "numbers within ±1e15", graph.positions[node].tolist())
    if graph.names:
        if len(graph.names) != nodes:
            yield Fault((*place, "nodes"), f"a name for each of {nodes} nodes, or for none", len(graph.names))
        yield from repetition_faults((*place, "nodes"), graph.names, "id", "node", meter)
        yield from name_list_faults((*place, "nodes"), graph.names, "id", meter)
    outside = first_places(len(edges), lambda part: ((edges[part] < 0) | (edges[part] >= nodes)).any(axis=1), meter)
    for edge in outside:
        yield Fault((*place, "edges", edge), f"nodes from 0 to {nodes - 1}", edges[edge].tolist())
    for edge in first_places(len(edges), lambda part: edges[part, 0] == edges[part, 1], meter):
        yield Fault((*place, "edges", edge), "an edge between two nodes, not from one to itself", edges[edge].tolist())
    if outside or wrong:
        return
    if graph.orbitals is None:
        yield from _unmarked_edge_faults((*place, "edges"), graph, meter)
        yield from _all_unmatched_faults((*place, "edges"), graph, layers, meter)
    else:
        yield from _marked_edge_faults((*place, "edges"), graph, graph.orbitals, layers, meter)


def _all_unmatched_faults(place: Place, graph: Graph, layers: Sequence[Layer], meter: Meter) -> Iterator[Fault]:
    """Refuse a graph none of whose edges takes part: nothing in it would be filled, whatever the rules say."""
    if not len(graph.edges) or any(has_match(graph, layer.orbital_set, meter) for layer in layers):
        return
    wanted = [
        f"an edge within {layer.orbital_set.threshold_degrees:g}° of an orbital of layer {layer.name!r} "
        f"({', '.join(orbital.name for orbital in layer.orbital_set.orbitals)})"
        for layer in layers
    ]
    names = graph.names or [f"node {node}" for node in range(len(graph.positions))]
    missed = []
    for edge, (first, second) in enumerate(graph.edges[:MAX_MISSED].tolist()):
        name, degrees = nearest_orbital(graph, layers[0].orbital_set, edge)
        off = f"{degrees:.1f}° off {name!r}" if name else "without a direction"
        missed.append(f"{names[first]} to {names[second]} is {off}")
    more = f", and {len(graph.edges) - MAX_MISSED} more miss" if len(graph.edges) > MAX_MISSED else ""
    yield Fault(place, f"{' or '.join(wanted)}, but {', '.join(missed)}{more}")


def _is_far(positions: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    return np.asarray(~(np.abs(positions) <= LARGEST_COORDINATE).all(axis=1))  # so NaN is wrong too


def _unmarked_edge_faults(place: Place, graph: Graph, meter: Meter) -> Iterator[Fault]:
    for edge in repeated_places(_pairs(graph, np.arange(len(graph.edges)), meter), meter):
        yield Fault((*place, edge), "each two nodes joined once", graph.edges[edge].tolist())

    def is_short(part: slice) -> npt.NDArray[np.bool_]:
        apart = _apart(graph, graph.edges[part])
        return (apart > 0) & (apart < SHORTEST_VECTOR)

    for edge in first_places(len(graph.edges), is_short, meter):
        apart = float(_apart(graph, graph.edges[edge : edge + 1])[0])
        yield Fault((*place, edge), "nodes at least 1e-15 apart, or in the same place", apart)


def _apart(graph: Graph, edges: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    """Return how far apart the ends of edges are, along the axis on which they are furthest."""
    away = np.abs(graph.positions[edges[:, 1]] - graph.positions[edges[:, 0]])
    return np.asarray(away.max(axis=1, initial=0.0))


def _pairs(graph: Graph, chosen: npt.NDArray[np.int64], meter: Meter) -> npt.NDArray[np.int64]:
    """Return a number for each of the chosen edges that is the same if they join the same nodes."""
    pairs = np.empty(len(chosen), dtype=np.int64)
    for part in slices(len(chosen), meter):
        ends = graph.edges[chosen[part]].astype(np.int64)
        pairs[part] = ends.min(axis=1) * len(graph.positions) + ends.max(axis=1)
    return pairs


def _marked_edge_faults(
    place: Place, graph: Graph, orbitals: npt.NDArray[np.int16], layers: Sequence[Layer], meter: Meter
) -> Iterator[Fault]:
    count = len(graph.edges)
    if count == 0:
        return
    if orbitals.shape[1] != len(layers):
        yield Fault(place, f"orbitals in {len(layers)} layers", orbitals.shape[1])
        return
    sizes = np.array([len(layer.orbital_set.orbitals) for layer in layers])[None, :, None]
    outside = first_places(
        count, lambda part: ((orbitals[part] < -1) | (orbitals[part] >= sizes)).any(axis=(1, 2)), meter
    )
    for edge in outside:
        yield Fault((*place, edge), "numbers of orbitals, or -1", orbitals[edge].tolist())
    half = first_places(
        count, lambda part: ((orbitals[part, :, 0] < 0) != (orbitals[part, :, 1] < 0)).any(axis=1), meter
    )
    for edge in half:
        yield Fault((*place, edge), "an orbital at both ends, or at none", orbitals[edge].tolist())
    if outside or half:
        return
    for number, layer in enumerate(layers):
        for end in repeated_places(_ends(graph, orbitals[:, number], meter), meter):
            edge, side = divmod(end, 2)
            name = layer.orbital_set.orbitals[int(orbitals[edge, number, side])].name
            expected = f"one edge on orbital {name} of node {graph.edges[edge, side]} in layer {layer.name}"
            yield Fault((*place, edge), expected, graph.edges[edge].tolist())
    idle = np.empty(count, dtype=np.bool_)
    for part in slices(count, meter, width=len(layers)):
        idle[part] = (orbitals[part] < 0).all(axis=(1, 2))
    nowhere = where_true(idle, meter)
    for at in repeated_places(_pairs(graph, nowhere, meter), meter):
        edge = int(nowhere[at])
        yield Fault((*place, edge), "each edge once", graph.edges[edge].tolist())


def _ends(graph: Graph, used: npt.NDArray[np.int16], meter: Meter) -> npt.NDArray[np.int64]:
    """Return a number for each end of each edge that is the same if they take the same orbital of a node."""
    ends = np.empty((len(used), 2), dtype=np.int64)
    for part in slices(len(used), meter):
        alone = -1 - np.arange(2 * part.start, 2 * part.stop).reshape(-1, 2)
        ends[part] = np.where(used[part] >= 0, graph.edges[part] * np.int64(MAX_ORBITALS) + used[part], alone)
    return ends.reshape(-1)
