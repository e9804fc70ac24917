"""Find what in a staging no rule speaks of, so that the rules need not fear it.

Reading a staging has refused all this before; one built by hand in Python is checked here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.wellformed_constraints import odd_constraint
from solvent.valency.model import (
    BEST,
    EXCLUDED,
    FILLER,
    FIRST,
    FORCE,
    HEX,
    HEX_ORBITALS,
    MAX_LAYERS,
    MAX_MODULES,
    MAX_NODES,
    MAX_ORBITALS,
    NORMAL,
    SKIP,
    SQUARE,
    WEIGHTED,
    Graph,
    Lattice,
    Layer,
    Rules,
    Staging,
)
from solvent.valency.slices import joined, repeats, slices

LONGEST_STEP = 1 << 30
"""How far an orbital of a lattice may lead along one axis; sums stay far within 64 bits."""


def find_malformed(staging: Staging, meter: Meter = UNLIMITED) -> list[str]:
    """Return what must be otherwise before anything can be checked, the first few."""
    return [f"the staging is malformed: {fault}" for fault in islice(_faults(staging, meter), 20)]


def _faults(staging: Staging, meter: Meter) -> Iterator[str]:
    rules, cluster = staging.rules, staging.cluster
    of_cluster = _odd_lattice(staging) if isinstance(cluster, Lattice) else _odd_graph(staging, meter)
    shape = [*_odd_rules(rules, meter), *of_cluster]
    yield from shape
    if shape:
        return
    nodes = count_nodes(staging)
    if staging.pick_selection not in (WEIGHTED, FIRST, BEST):
        yield f"no pick selection is called {staging.pick_selection!r}"
    if staging.pick_misfit not in (SKIP, FORCE):
        yield f"no treatment of misfits is called {staging.pick_misfit!r}"
    taken = np.zeros(nodes, dtype=np.bool_)
    for pick in meter.each(staging.picks):
        if not 0 <= pick.node < nodes:
            yield "a pick is on no node"
            break
        if taken[pick.node]:
            yield "a node has two picks"
            break
        taken[pick.node] = True
    for number, constraint in enumerate(meter.each(staging.constraints, every=1)):
        yield from odd_constraint(constraint, f"constraint {number}", staging, nodes, meter)


def count_nodes(staging: Staging) -> int:
    """Return how many nodes there are."""
    cluster = staging.cluster
    if isinstance(cluster, Lattice):
        return cluster.width * cluster.height * cluster.depth
    return len(cluster.positions)


def _odd_rules(rules: Rules, meter: Meter) -> Iterator[str]:
    if not 1 <= len(rules.layers) <= MAX_LAYERS:
        yield f"expected 1 to {MAX_LAYERS} layers, found {len(rules.layers)}"
    if len(rules.modules) > MAX_MODULES:
        yield f"expected at most {MAX_MODULES} modules, found {len(rules.modules)}"
    for layer in rules.layers:
        if len(layer.orbital_set.orbitals) > MAX_ORBITALS:
            yield f"layer {layer.name!r} has more than {MAX_ORBITALS} orbitals"
        if not math.isfinite(layer.orbital_set.threshold_degrees):
            yield f"layer {layer.name!r} has no finite threshold"
    for module in meter.each(rules.modules, every=10):
        if module.placement not in (NORMAL, FILLER, EXCLUDED):
            yield f"module {module.key!r} has the placement {module.placement!r}"
        if len(module.bonds) != len(rules.layers):
            yield f"module {module.key!r} has bonds in {len(module.bonds)} of {len(rules.layers)} layers"
        for bonds in module.bonds:
            masks = (bonds.orbital_mask, bonds.boundary_mask, bonds.wildcard_mask)
            if any(mask < 0 or mask >> MAX_ORBITALS for mask in masks):
                yield f"module {module.key!r} has a mask of orbitals that do not exist"
            if any(mask is not None and mask < 0 for mask in bonds.neighbours):
                yield f"module {module.key!r} has a mask of modules below 0"


def _odd_lattice(staging: Staging) -> Iterator[str]:
    lattice = staging.cluster
    assert isinstance(lattice, Lattice)
    if min(lattice.width, lattice.height, lattice.depth) < 1 or count_nodes(staging) > MAX_NODES:
        yield f"expected 1 to {MAX_NODES:,} cells"
    if lattice.kind not in (SQUARE, HEX):
        yield f"no lattice is called {lattice.kind!r}"
    if lattice.kind == HEX:
        if lattice.depth != 1:
            yield "a hexagonal lattice has the depth 1"
        if lattice.periodic[1] and lattice.height % 2:
            yield "a hexagonal lattice that is periodic in y has an even height"
    for layer in staging.rules.layers:
        yield from _odd_hex_layer(layer) if lattice.kind == HEX else _odd_square_layer(layer)


def _odd_hex_layer(layer: Layer) -> Iterator[str]:
    names = [orbital.name for orbital in layer.orbital_set.orbitals]
    if names != [orbital.name for orbital in HEX_ORBITALS.orbitals]:
        yield f"layer {layer.name!r} has not the orbitals of a hexagonal lattice"


def _odd_square_layer(layer: Layer) -> Iterator[str]:
    steps = [orbital.direction for orbital in layer.orbital_set.orbitals]
    whole = [
        step
        for step in steps
        if step is not None
        and any(step)
        and all(math.isfinite(part) and part == int(part) and abs(part) <= LONGEST_STEP for part in step)
    ]
    if len(whole) != len(steps):
        yield f"layer {layer.name!r} has an orbital that leads to no cell"
    elif len(set(whole)) != len(whole):
        yield f"layer {layer.name!r} has two orbitals of the same direction"
    elif any((-x, -y, -z) not in whole for x, y, z in whole):
        yield f"layer {layer.name!r} has an orbital without a way back"


def _odd_graph(staging: Staging, meter: Meter) -> Iterator[str]:
    graph = staging.cluster
    assert isinstance(graph, Graph)
    nodes, layers, edges = len(graph.positions), staging.rules.layers, graph.edges
    if nodes > MAX_NODES:
        yield f"expected at most {MAX_NODES:,} nodes"
    if not all(np.isfinite(graph.positions[part]).all() for part in slices(nodes, meter)):
        yield "a node has no finite position"
    if any(((edges[part] < 0) | (edges[part] >= nodes)).any() for part in slices(len(edges), meter)):
        yield "an edge leads to no node"
    elif any((edges[part, 0] == edges[part, 1]).any() for part in slices(len(edges), meter)):
        yield "an edge leads from a node to itself"
    elif graph.orbitals is None:
        pairs = np.empty(len(edges), dtype=np.int64)
        for part in slices(len(edges), meter):
            ends = np.sort(edges[part], axis=1)
            pairs[part] = ends[:, 0].astype(np.int64) * nodes + ends[:, 1]
        if repeats(pairs, meter):
            yield "two nodes have two edges"
    elif len(edges):
        if graph.orbitals.shape != (len(edges), len(layers), 2):
            yield "the orbitals of the edges are not given for each layer"
            return
        for number, layer in enumerate(layers):
            yield from _odd_ends(graph, graph.orbitals[:, number, :], layer, meter)


def _odd_ends(graph: Graph, ends: npt.NDArray[np.int16], layer: Layer, meter: Meter) -> Iterator[str]:
    orbitals = len(layer.orbital_set.orbitals)
    slots = [np.zeros(0, dtype=np.int64)]
    for part in slices(len(ends), meter):
        some = ends[part].astype(np.int64)
        if ((some < -1) | (some >= orbitals)).any():
            yield f"an edge has an orbital that layer {layer.name!r} has not"
            return
        if ((some[:, 0] < 0) != (some[:, 1] < 0)).any():
            yield f"an edge has only one orbital in layer {layer.name!r}"
            return
        slots.append((graph.edges[part] * np.int64(MAX_ORBITALS) + some)[some >= 0])
    if repeats(joined(slots, np.int64, meter), meter):
        yield f"a node has two edges on the same orbital of layer {layer.name!r}"
