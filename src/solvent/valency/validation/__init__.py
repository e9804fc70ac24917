"""What makes a task usable: everything that solvers, checkers and drawings rely on, in one place.

`faults` names all of them at once. A task without faults may well have no fill; that is for the solver to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from solvent.core.errors import BadOption
from solvent.valency.model import (
    BEST,
    FIRST,
    FORCE,
    HEX,
    SKIP,
    WEIGHTED,
    Connected,
    Count,
    Graph,
    Path,
    Separation,
    Staging,
)
from solvent.valency.orbitals import build_cache, count_nodes
from solvent.valency.validation.cluster import find_cluster_faults
from solvent.valency.validation.fault import (
    LARGEST_COORDINATE,
    LARGEST_NUMBER,
    MAX_FAULTS,
    Fault,
    Place,
    bound_faults,
    first_places,
    is_weight,
    name_list_faults,
    repeated_places,
    seed_faults,
    show_place,
    text_faults,
)
from solvent.valency.validation.rules import find_rule_faults

__all__ = ["Fault", "faults", "find_faults", "find_rule_faults", "in_sentences", "require_valid", "show_place"]


def faults(staging: Staging) -> list[str]:
    """Return everything that is wrong with a task, one sentence each; none if it can be used."""
    return in_sentences(find_faults(staging))


def in_sentences(found: Sequence[Fault]) -> list[str]:
    """Return faults as sentences, the first of them if there are many."""
    shown = [str(fault) for fault in found[:MAX_FAULTS]]
    return shown if len(found) <= MAX_FAULTS else [*shown, f"and {len(found) - MAX_FAULTS} more"]


def require_valid(staging: Staging) -> None:
    """Raise BadOption unless a task can be used."""
    found = faults(staging)
    if found:
        raise BadOption("this task cannot be used: " + "; ".join(found))


def find_faults(staging: Staging) -> list[Fault]:
    """Return everything that is wrong with a task."""
    found = find_rule_faults(staging.rules)
    found += find_cluster_faults(staging.cluster, staging.rules.layers)
    if not found:  # what follows counts on modules, layers and nodes that there are
        found += _staging_faults(staging)
    return found


def _staging_faults(staging: Staging) -> list[Fault]:
    nodes = count_nodes(staging.cluster)
    found = list(_pick_faults(staging, nodes))
    for number, constraint in enumerate(staging.constraints):
        found += _constraint_faults(("constraints", number), constraint, staging, nodes)
    found += _region_faults(staging, nodes)
    if staging.priorities:
        if len(staging.priorities) != nodes:
            found.append(Fault(("priorities",), f"a priority for each of {nodes} nodes", len(staging.priorities)))
        wrong = ~(np.abs(np.asarray(staging.priorities, dtype=np.float64)) <= LARGEST_COORDINATE)
        found += [
            Fault(("priorities", at), "a number within ±1e15", staging.priorities[at]) for at in first_places(wrong)
        ]
    found += seed_faults(("seed",), staging.seed)
    return found


def _pick_faults(staging: Staging, nodes: int) -> Iterator[Fault]:
    if staging.pick_selection not in (WEIGHTED, FIRST, BEST):
        yield Fault(("picks", "selection"), f"{WEIGHTED}, {FIRST} or {BEST}", staging.pick_selection)
    if staging.pick_misfit not in (SKIP, FORCE):
        yield Fault(("picks", "misfit"), f"{SKIP} or {FORCE}", staging.pick_misfit)
    if not staging.picks:
        return
    at = np.array([pick.node for pick in staging.picks], dtype=np.int64)
    for number in first_places((at < 0) | (at >= nodes)):
        yield Fault(("picks", "at", number, "node"), f"a node from 0 to {nodes - 1}", int(at[number]))
    for number in repeated_places(at):
        yield Fault(("picks", "at", number, "node"), "at most one pick for each node", int(at[number]))
    if len(at) > 1 and (np.diff(at) < 0).any():
        yield Fault(("picks", "at"), "picks sorted by node")
    yield from name_list_faults(("picks", "at"), [pick.name for pick in staging.picks], "module")


def _constraint_faults(place: Place, constraint: Any, staging: Staging, nodes: int) -> Iterator[Fault]:
    modules = len(staging.rules.modules)
    kind = type(constraint).__name__.lower()
    if not isinstance(constraint, Count | Connected | Path | Separation):
        yield Fault(place, "a Count, Connected, Path or Separation", constraint)
        return
    if constraint.modules <= 0 or constraint.modules >> modules:
        yield Fault((*place, kind, "modules"), f"some of the {modules} modules", constraint.modules)
    if isinstance(constraint, Count):
        yield from bound_faults((*place, kind), constraint.least, constraint.most)
        yield from _node_faults((*place, kind, "nodes"), constraint.nodes, nodes)
    elif isinstance(constraint, Separation):
        if not 1 <= constraint.distance <= LARGEST_NUMBER:
            yield Fault((*place, kind, "distance"), f"from 1 to {LARGEST_NUMBER}", constraint.distance)
    else:
        yield from _exit_faults((*place, kind, "exits"), constraint.exits, staging)
    if isinstance(constraint, Path):
        for name, end in (("from", constraint.start), ("to", constraint.end)):
            if not 0 <= end < nodes:
                yield Fault((*place, kind, name), f"a node from 0 to {nodes - 1}", end)
            elif not has_neighbour(staging, end):
                yield Fault((*place, kind, name), "a node that has a neighbour", end)


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


def has_neighbour(staging: Staging, node: int) -> bool:
    """Tell whether a node has a neighbour in some layer, so that it is to be filled."""
    cluster = staging.cluster
    if isinstance(cluster, Graph):
        if cluster.orbitals is not None:
            return bool((cluster.orbitals[(cluster.edges == node).any(axis=1)] >= 0).any())
        return bool(build_cache(staging).open_nodes[node])
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


def _region_faults(staging: Staging, nodes: int) -> Iterator[Fault]:
    modules = len(staging.rules.modules)
    taken = np.zeros(nodes, dtype=bool)
    for number, region in enumerate(staging.regions):
        place = ("regions", number)
        yield from text_faults((*place, "name"), region.name, empty=True)
        if not region.nodes:
            yield Fault((*place, "nodes"), "at least one node", ())
        wrong = list(_node_faults((*place, "nodes"), region.nodes, nodes))
        yield from wrong
        if region.nodes and not wrong:
            at = np.array(region.nodes, dtype=np.int64)
            for index in first_places(taken[at]):
                yield Fault((*place, "nodes", index), "a node that is in no other region", int(at[index]))
            taken[at] = True
        if region.seed is not None:
            yield from seed_faults((*place, "seed"), region.seed)
        numbers = [module for module, _ in region.weights]
        if numbers != sorted(set(numbers)) or any(not 0 <= module < modules for module in numbers):
            yield Fault((*place, "weights"), f"modules from 0 to {modules - 1}, rising", numbers)
            continue
        for module, factor in region.weights:
            if not is_weight(factor):
                key = staging.rules.modules[module].key
                yield Fault((*place, "weights", key), "0, or a number from 1e-12 to 1e12", factor)


def _node_faults(place: Place, chosen: tuple[int, ...], nodes: int) -> Iterator[Fault]:
    if not chosen:
        return
    if min(chosen) < 0 or max(chosen) >= nodes:
        at = next(index for index, node in enumerate(chosen) if not 0 <= node < nodes)
        yield Fault((*place, at), f"a node from 0 to {nodes - 1}", chosen[at])
        return
    for index in repeated_places(np.array(chosen, dtype=np.int64)):
        yield Fault((*place, index), "each node once", chosen[index])
