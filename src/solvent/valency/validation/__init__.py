"""What makes a task usable: everything that solvers, checkers and drawings rely on, in one place.

`faults` names all of them at once. A task without faults may well have no fill; that is for the solver to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
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
from solvent.valency.slices import row_of, slices
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


def require_valid(staging: Staging, meter: Meter = UNLIMITED) -> None:
    """Raise BadOption unless a task can be used."""
    found = in_sentences(find_faults(staging, meter))
    if found:
        raise BadOption("this task cannot be used: " + "; ".join(found))


def find_faults(staging: Staging, meter: Meter = UNLIMITED) -> list[Fault]:
    """Return everything that is wrong with a task."""
    found = find_rule_faults(staging.rules, meter)
    found += find_cluster_faults(staging.cluster, staging.rules.layers, meter)
    if not found:  # what follows counts on modules, layers and nodes that there are
        found += _staging_faults(staging, meter)
    return found


def _staging_faults(staging: Staging, meter: Meter) -> list[Fault]:
    nodes, priorities = count_nodes(staging.cluster), staging.priorities
    found = list(_pick_faults(staging, nodes, meter))
    for number, constraint in enumerate(meter.each(staging.constraints, every=1)):
        found += _constraint_faults(("constraints", number), constraint, staging, nodes, meter)
    found += _region_faults(staging, nodes, meter)
    if priorities:
        if len(priorities) != nodes:
            found.append(Fault(("priorities",), f"a priority for each of {nodes} nodes", len(priorities)))

        def is_wrong(part: slice) -> npt.NDArray[np.bool_]:
            return ~(np.abs(np.asarray(priorities[part], dtype=np.float64)) <= LARGEST_COORDINATE)

        for at in first_places(len(priorities), is_wrong, meter):
            found.append(Fault(("priorities", at), "a number within ±1e15", priorities[at]))
    found += seed_faults(("seed",), staging.seed)
    return found


def _pick_faults(staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    if staging.pick_selection not in (WEIGHTED, FIRST, BEST):
        yield Fault(("picks", "selection"), f"{WEIGHTED}, {FIRST} or {BEST}", staging.pick_selection)
    if staging.pick_misfit not in (SKIP, FORCE):
        yield Fault(("picks", "misfit"), f"{SKIP} or {FORCE}", staging.pick_misfit)
    if not staging.picks:
        return
    at = np.empty(len(staging.picks), dtype=np.int64)
    for part in slices(len(at), meter):
        at[part] = [pick.node for pick in staging.picks[part]]
    for number in first_places(len(at), lambda part: (at[part] < 0) | (at[part] >= nodes), meter):
        yield Fault(("picks", "at", number, "node"), f"a node from 0 to {nodes - 1}", int(at[number]))
    for number in repeated_places(at, meter):
        yield Fault(("picks", "at", number, "node"), "at most one pick for each node", int(at[number]))
    if first_places(len(at) - 1, lambda part: at[part.start + 1 : part.stop + 1] < at[part], meter):
        yield Fault(("picks", "at"), "picks sorted by node")
    for part in slices(len(at), meter):
        for fault in name_list_faults((), [pick.name for pick in staging.picks[part]], "module"):
            within = fault.place[0]
            assert isinstance(within, int)
            yield Fault(("picks", "at", part.start + within, "module"), fault.expected, fault.value)


def _constraint_faults(place: Place, constraint: Any, staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    modules = len(staging.rules.modules)
    kind = type(constraint).__name__.lower()
    if not isinstance(constraint, Count | Connected | Path | Separation):
        yield Fault(place, "a Count, Connected, Path or Separation", constraint)
        return
    if constraint.modules <= 0 or constraint.modules >> modules:
        yield Fault((*place, kind, "modules"), f"some of the {modules} modules", constraint.modules)
    if isinstance(constraint, Count):
        yield from bound_faults((*place, kind), constraint.least, constraint.most)
        yield from _node_faults((*place, kind, "nodes"), constraint.nodes, nodes, meter)
    elif isinstance(constraint, Separation):
        if not 1 <= constraint.distance <= LARGEST_NUMBER:
            yield Fault((*place, kind, "distance"), f"from 1 to {LARGEST_NUMBER}", constraint.distance)
    else:
        yield from _exit_faults((*place, kind, "exits"), constraint.exits, staging)
    if isinstance(constraint, Path):
        for name, end in (("from", constraint.start), ("to", constraint.end)):
            if not 0 <= end < nodes:
                yield Fault((*place, kind, name), f"a node from 0 to {nodes - 1}", end)
            elif not has_neighbour(staging, end, meter):
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


def _region_faults(staging: Staging, nodes: int, meter: Meter) -> Iterator[Fault]:
    modules = len(staging.rules.modules)
    taken = np.zeros(nodes, dtype=bool)
    for number, region in enumerate(meter.each(staging.regions, every=100)):
        place = ("regions", number)
        yield from text_faults((*place, "name"), region.name, empty=True)
        if not region.nodes:
            yield Fault((*place, "nodes"), "at least one node", ())
        wrong = list(_node_faults((*place, "nodes"), region.nodes, nodes, meter))
        yield from wrong
        if region.nodes and not wrong:
            at = row_of(region.nodes, np.int64, meter)
            for index in first_places(len(at), lambda part, at=at: taken[at[part]], meter):  # type: ignore[misc]
                yield Fault((*place, "nodes", index), "a node that is in no other region", int(at[index]))
            for part in slices(len(at), meter):
                taken[at[part]] = True
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


def _node_faults(place: Place, chosen: tuple[int, ...], nodes: int, meter: Meter) -> Iterator[Fault]:
    for part in slices(len(chosen), meter):
        some = chosen[part]
        if min(some) < 0 or max(some) >= nodes:
            at = part.start + next(index for index, node in enumerate(some) if not 0 <= node < nodes)
            yield Fault((*place, at), f"a node from 0 to {nodes - 1}", chosen[at])
            return
    for index in repeated_places(row_of(chosen, np.int64, meter), meter):
        yield Fault((*place, index), "each node once", chosen[index])
