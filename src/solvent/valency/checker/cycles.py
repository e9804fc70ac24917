"""Look at the circles that a refutation names: edges that may not all join their ends."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solvent.valency.checker.certificate_schema import Cycle
from solvent.valency.checker.half_edges import slots_of
from solvent.valency.checker.neighbours import Numbers, is_among
from solvent.valency.checker.placing import Placing
from solvent.valency.slices import repeats


def faults_of_cycle(placing: Placing, nodes: Numbers, cycle: Cycle) -> Iterator[str]:
    """Yield why edges do not contain a circle within some nodes, which are given rising.

    Different edges that touch each node an even number of times do: a walk along them never gets stuck before it comes
    back.
    """
    layers = placing.staging.rules.layers
    which = f"a cycle for constraint {cycle.constraint}"
    edges = np.array(cycle.edges, dtype=np.int64).reshape(-1, 3)
    if not len(edges):
        yield f"{which} has no edges"
    for layer, node, orbital in cycle.edges:
        if layer >= len(layers) or orbital >= len(layers[layer].orbital_set.orbitals):
            yield f"{which} names orbital {orbital} of layer {layer}, which there is not"
            return
        if node >= placing.surroundings.nodes:
            yield f"{which} names node {node}, which there is not"
            return
    others, slots = ends_of(placing, edges)
    for layer, node, orbital in edges[others < 0].tolist():
        yield f"{which} names an edge of node {node} on orbital {orbital} of layer {layer}: there is none"
    if (others < 0).any():
        return
    touched = np.concatenate([edges[:, 1], others])
    if not is_among(touched, nodes).all():
        yield f"{which} has nodes that the refutation is not about"
    elif repeats(slots.min(axis=1), placing.meter):
        yield f"{which} names an edge twice"
    elif (np.unique(touched, return_counts=True)[1] % 2).any():
        yield f"{which} does not come back to where it began"


def ends_of(placing: Placing, edges: Numbers) -> tuple[Numbers, Numbers]:
    """Return the other end of each edge, or -1, and the slots of both ends; an edge is a layer, a node, an orbital."""
    others = np.full(len(edges), -1, dtype=np.int64)
    slots = np.empty((len(edges), 2), dtype=np.int64)
    for layer, orbital in np.unique(edges[:, [0, 2]], axis=0).tolist():
        placing.meter.checkpoint()
        here = np.flatnonzero((edges[:, 0] == layer) & (edges[:, 2] == orbital))
        beside, backs = placing.surroundings.beside(layer, orbital, edges[here, 1])
        others[here] = beside
        slots[here, 0] = slots_of(placing, layer, orbital, edges[here, 1])
        slots[here, 1] = slots_of(placing, layer, 0, beside) + backs
    return others, slots
