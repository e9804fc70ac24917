"""What makes a constraint usable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import (
    HALF_TURN,
    HEX,
    MIRROR_X,
    MIRROR_Y,
    QUARTER_TURN,
    Consecutive,
    Constraint,
    Count,
    Graph,
    Lattice,
    Only,
    Parity,
    Path,
    Separation,
    Staging,
    Symmetry,
)
from solvent.valency.orbitals import build_cache
from solvent.valency.slices import row_of, slices
from solvent.valency.validation.fault import LARGEST_NUMBER, Fault, Place, bound_faults, repeated_places

KINDS = get_args(Constraint)
LONGEST_ROW = 10_000
"""How many nodes in a row are counted."""


def constraint_faults(place: Place, constraint: Any, staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    """Yield what is wrong with a constraint."""
    modules = len(staging.rules.modules)
    kind = type(constraint).__name__.lower()
    if not isinstance(constraint, KINDS):
        names = [one.__name__ for one in KINDS]
        yield Fault(place, f"a {', '.join(names[:-1])} or {names[-1]}", constraint)
        return
    if isinstance(constraint, Symmetry):
        yield from _symmetry_faults((*place, kind), constraint, staging)
        return
    if constraint.modules <= 0 or constraint.modules >> modules:
        yield Fault((*place, kind, "modules"), f"some of the {modules} modules", constraint.modules)
    if isinstance(constraint, Count):
        yield from bound_faults((*place, kind), constraint.least, constraint.most)
    if isinstance(constraint, Count | Only | Parity):
        if isinstance(constraint, Only) and not constraint.nodes:
            yield Fault((*place, kind, "nodes"), "at least one node", ())
        yield from node_faults((*place, kind, "nodes"), constraint.nodes, nodes, meter)
    elif isinstance(constraint, Separation):
        yield from _separation_faults((*place, kind), constraint, modules)
    elif isinstance(constraint, Consecutive):
        yield from _row_faults((*place, kind), constraint, staging)
    else:
        yield from _exit_faults((*place, kind, "exits"), constraint.exits, staging)
    if isinstance(constraint, Path):
        for name, end in (("from", constraint.start), ("to", constraint.end)):
            if not 0 <= end < nodes:
                yield Fault((*place, kind, name), f"a node from 0 to {nodes - 1}", end)
            elif not has_neighbour(staging, end, meter):
                yield Fault((*place, kind, name), "a node that has a neighbour", end)


def _separation_faults(place: Place, separation: Separation, modules: int) -> Iterator[Fault]:
    if not 1 <= separation.distance <= LARGEST_NUMBER:
        yield Fault((*place, "distance"), f"from 1 to {LARGEST_NUMBER}", separation.distance)
    if separation.others < 0 or separation.others >> modules:
        yield Fault((*place, "others"), f"some of the {modules} modules", separation.others)
    elif separation.others & separation.modules:
        yield Fault((*place, "others"), "none that is among the modules as well", separation.others)


def _row_faults(place: Place, consecutive: Consecutive, staging: Staging) -> Iterator[Fault]:
    if not 1 <= consecutive.most <= LONGEST_ROW:
        yield Fault((*place, "most"), f"from 1 to {LONGEST_ROW}", consecutive.most)
    if not consecutive.along:
        yield Fault((*place, "along"), "at least one orbital", ())
    layers = staging.rules.layers
    for number, (layer, orbital) in enumerate(consecutive.along):
        if not 0 <= layer < len(layers) or not 0 <= orbital < len(layers[layer].orbital_set.orbitals):
            yield Fault((*place, "along", number), "a layer and an orbital that it has", (layer, orbital))


def _symmetry_faults(place: Place, symmetry: Symmetry, staging: Staging) -> Iterator[Fault]:
    lattice, modules = staging.cluster, len(staging.rules.modules)
    kinds = (MIRROR_X, MIRROR_Y, HALF_TURN, QUARTER_TURN)
    if symmetry.kind not in kinds:
        yield Fault((*place, "kind"), f"{', '.join(kinds[:-1])} or {kinds[-1]}", symmetry.kind)
    if not isinstance(lattice, Lattice) or lattice.kind == HEX:
        yield Fault(place, "a square lattice to mirror or turn")
    elif symmetry.kind == QUARTER_TURN and lattice.width != lattice.height:
        size = [lattice.width, lattice.height]
        yield Fault(place, "a lattice as wide as it is high, to turn it by 90 degrees", size)
    if len(symmetry.images) != modules or any(not -1 <= image < modules for image in symmetry.images):
        yield Fault((*place, "images"), f"an image for each of the {modules} modules", symmetry.images)


def _exit_faults(place: Place, exits: tuple[tuple[int, ...], ...], staging: Staging) -> Iterator[Fault]:
    if not exits:
        return
    layers, modules = staging.rules.layers, len(staging.rules.modules)
    if len(exits) != len(layers) or any(len(masks) != modules for masks in exits):
        yield Fault(place, f"exits of {modules} modules in {len(layers)} layers", [len(masks) for masks in exits])
        return
    for layer, masks in zip(layers, exits, strict=True):
        for module, mask in enumerate(masks):
            if mask < 0 or mask >> len(layer.orbital_set.orbitals):
                expected = f"exits of {staging.rules.modules[module].key} on orbitals of layer {layer.name}"
                yield Fault(place, expected, mask)


def has_neighbour(staging: Staging, node: int, meter: Meter = UNLIMITED) -> bool:
    """Tell whether a node has a neighbour in some layer, so that it is to be filled."""
    cluster = staging.cluster
    if isinstance(cluster, Graph):
        if cluster.orbitals is not None:
            orbitals = cluster.orbitals
            return any(
                bool((orbitals[part][(cluster.edges[part] == node).any(axis=1)] >= 0).any())
                for part in slices(len(cluster.edges), meter)
            )
        return bool(build_cache(staging, meter).open_nodes[node])
    size = (cluster.width, cluster.height, cluster.depth)
    if cluster.kind == HEX:
        return max(size) > 1 or any(cluster.periodic)
    cell = (node % size[0], node // size[0] % size[1], node // (size[0] * size[1]))
    return any(
        all(
            wraps or 0 <= at + step < length
            for at, step, length, wraps in zip(cell, orbital.direction, size, cluster.periodic, strict=True)
        )
        for layer in staging.rules.layers
        for orbital in layer.orbital_set.orbitals
        if orbital.direction is not None
    )


def node_faults(place: Place, chosen: tuple[int, ...], nodes: int, meter: Meter) -> Iterator[Fault]:
    """Yield what is wrong with a list of nodes."""
    for part in slices(len(chosen), meter):
        some = chosen[part]
        if min(some) < 0 or max(some) >= nodes:
            at = part.start + next(index for index, node in enumerate(some) if not 0 <= node < nodes)
            yield Fault((*place, at), f"a node from 0 to {nodes - 1}", chosen[at])
            return
    for index in repeated_places(row_of(chosen, np.int64, meter), meter):
        yield Fault((*place, index), "each node once", chosen[index])
