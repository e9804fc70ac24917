"""Find what in a staging no rule speaks of, so that the rules need not fear it.

Reading a staging has refused all this before; one built by hand in Python is checked here.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

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
    Connected,
    Constraint,
    Count,
    Graph,
    Lattice,
    Layer,
    Path,
    Rules,
    Separation,
    Staging,
)

LONGEST_STEP = 1 << 30
"""How far an orbital of a lattice may lead along one axis; sums stay far within 64 bits."""


def find_malformed(staging: Staging) -> list[str]:
    """Return what must be otherwise before anything can be checked, the first few."""
    return [f"the staging is malformed: {fault}" for fault in islice(_faults(staging), 20)]


def _faults(staging: Staging) -> Iterator[str]:
    rules, cluster = staging.rules, staging.cluster
    shape = [*_odd_rules(rules), *(_odd_lattice if isinstance(cluster, Lattice) else _odd_graph)(staging)]
    yield from shape
    if shape:
        return
    nodes = count_nodes(staging)
    if staging.pick_selection not in (WEIGHTED, FIRST, BEST):
        yield f"no pick selection is called {staging.pick_selection!r}"
    if staging.pick_misfit not in (SKIP, FORCE):
        yield f"no treatment of misfits is called {staging.pick_misfit!r}"
    places = [pick.node for pick in staging.picks]
    if any(not 0 <= node < nodes for node in places):
        yield "a pick is on no node"
    elif len(set(places)) != len(places):
        yield "a node has two picks"
    for number, constraint in enumerate(staging.constraints):
        yield from _odd_constraint(constraint, f"constraint {number}", rules, nodes)


def count_nodes(staging: Staging) -> int:
    """Return how many nodes there are."""
    cluster = staging.cluster
    if isinstance(cluster, Lattice):
        return cluster.width * cluster.height * cluster.depth
    return len(cluster.positions)


def _odd_rules(rules: Rules) -> Iterator[str]:
    if not 1 <= len(rules.layers) <= MAX_LAYERS:
        yield f"expected 1 to {MAX_LAYERS} layers, found {len(rules.layers)}"
    if len(rules.modules) > MAX_MODULES:
        yield f"expected at most {MAX_MODULES} modules, found {len(rules.modules)}"
    for layer in rules.layers:
        if len(layer.orbital_set.orbitals) > MAX_ORBITALS:
            yield f"layer {layer.name!r} has more than {MAX_ORBITALS} orbitals"
        if not math.isfinite(layer.orbital_set.threshold_degrees):
            yield f"layer {layer.name!r} has no finite threshold"
    for module in rules.modules:
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


def _odd_graph(staging: Staging) -> Iterator[str]:
    graph = staging.cluster
    assert isinstance(graph, Graph)
    nodes, layers = len(graph.positions), staging.rules.layers
    if nodes > MAX_NODES:
        yield f"expected at most {MAX_NODES:,} nodes"
    if not np.isfinite(graph.positions).all():
        yield "a node has no finite position"
    if ((graph.edges < 0) | (graph.edges >= nodes)).any():
        yield "an edge leads to no node"
    elif (graph.edges[:, 0] == graph.edges[:, 1]).any():
        yield "an edge leads from a node to itself"
    elif graph.orbitals is None:
        ends = np.sort(graph.edges, axis=1)
        if _repeats(ends[:, 0].astype(np.int64) * nodes + ends[:, 1]):
            yield "two nodes have two edges"
    elif len(graph.edges):
        if graph.orbitals.shape != (len(graph.edges), len(layers), 2):
            yield "the orbitals of the edges are not given for each layer"
            return
        for number, layer in enumerate(layers):
            yield from _odd_ends(graph, number, layer)


def _odd_ends(graph: Graph, number: int, layer: Layer) -> Iterator[str]:
    assert graph.orbitals is not None
    ends = graph.orbitals[:, number, :].astype(np.int64)
    if ((ends < -1) | (ends >= len(layer.orbital_set.orbitals))).any():
        yield f"an edge has an orbital that layer {layer.name!r} has not"
    elif ((ends[:, 0] < 0) != (ends[:, 1] < 0)).any():
        yield f"an edge has only one orbital in layer {layer.name!r}"
    else:
        slots = (graph.edges * np.int64(MAX_ORBITALS) + ends)[ends >= 0]
        if _repeats(slots):
            yield f"a node has two edges on the same orbital of layer {layer.name!r}"


def _repeats(values: npt.NDArray[np.int64]) -> bool:
    in_order = np.sort(values)
    return bool((in_order[1:] == in_order[:-1]).any())


def _odd_constraint(constraint: Constraint, which: str, rules: Rules, nodes: int) -> Iterator[str]:
    if constraint.modules < 0:
        yield f"{which} has a mask of modules below 0"
    if isinstance(constraint, Count):
        if any(not 0 <= node < nodes for node in constraint.nodes):
            yield f"{which} names no node"
    elif isinstance(constraint, Path | Connected):
        wide = len(constraint.exits) == len(rules.layers)
        if constraint.exits and not (wide and all(len(row) == len(rules.modules) for row in constraint.exits)):
            yield f"{which} has not one mask of exits for each layer and module"
        elif any(mask < 0 or mask >> MAX_ORBITALS for row in constraint.exits for mask in row):
            yield f"{which} has a mask of orbitals that do not exist"
        if isinstance(constraint, Path) and not (0 <= constraint.start < nodes and 0 <= constraint.end < nodes):
            yield f"{which} names no node"
    elif not isinstance(constraint, Separation):
        yield f"{which} is of no kind there is"
