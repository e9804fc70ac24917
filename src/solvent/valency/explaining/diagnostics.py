"""Why a module does not fit a node, and what removed each candidate of one that is left out: which test, by whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.drawing.phrases import listed
from solvent.valency.model import EXCLUDED, NULL_SLOT, UNSOLVABLE
from solvent.valency.phrases import Phrases
from solvent.valency.solver.network import Network

MAX_NODES = 5
"""Nodes that are described in full; data has them all."""
MAX_REASONS, MAX_REASONS_HERE = 8, 6
"""Lines about a node that nothing fits, and about one of several that are left out."""
MAX_NAMED = 5

ONLY_PICKED = "stands only where a pick asks for it"
NOT_REMOVED = "nothing rules it out as the others are now"


def why_nothing_fits(phrases: Phrases, node: int) -> list[str]:
    """Say for the modules, by what they ask for first, why none of them fits a node."""
    by_reason: dict[str, list[int]] = {}
    for number, module in enumerate(phrases.staging.rules.modules):
        misfit = next(phrases.misfits(node, number), None)
        if misfit is not None:
            by_reason.setdefault(phrases.misfit(misfit), []).append(number)
        elif module.placement == EXCLUDED:
            by_reason.setdefault(ONLY_PICKED, []).append(number)
    return _list_reasons(phrases, by_reason, MAX_REASONS)


def _list_reasons(phrases: Phrases, by_reason: Mapping[str, list[int]], most: int) -> list[str]:
    """Say what is wrong with modules, the reason that most of them share first."""
    shown = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    lines = [f"{listed(phrases.module_names(modules), MAX_NAMED)}: {reason}." for reason, modules in shown[:most]]
    if len(shown) > most:
        lines.append(f"… and {sum(len(modules) for _, modules in shown[most:])} more modules.")
    return lines


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Hold what there is to know about one node that stays empty."""

    node: int
    proved: bool
    """Whether it is proved impossible; otherwise the budget ended first."""
    neighbours: tuple[tuple[int, int, int], ...]
    """Layer, orbital and neighbour."""
    removed: tuple[tuple[int, tuple[str, ...]], ...]
    """Each module with all reasons against it."""


def diagnose(
    phrases: Phrases, network: Network, fill: Sequence[int], node: int, counts: Sequence[int], *, proved: bool
) -> Diagnosis:
    """Find what speaks against each module on a node that is left out, the others being filled as they are."""
    neighbours = tuple(
        (layer, orbital, int(other))
        for layer, table in enumerate(phrases.cache.neighbours)
        for orbital, other in enumerate(table[node].tolist())
        if other >= 0
    )
    removed = tuple(
        (module, tuple(_reasons(phrases, network, fill, node, module, neighbours, counts)))
        for module in range(network.modules)
    )
    return Diagnosis(node, proved, neighbours, removed)


def _reasons(
    phrases: Phrases,
    network: Network,
    fill: Sequence[int],
    node: int,
    module: int,
    neighbours: tuple[tuple[int, int, int], ...],
    counts: Sequence[int],
) -> Iterator[str]:
    """Yield every test that a module fails on a node, in the order in which they are made."""
    rules = phrases.staging.rules
    picked = phrases.placement.picked.get(node)
    if picked is not None and module not in picked:
        yield f"the pick asks for {phrases.pick(node)}"
    if picked is None and rules.modules[module].placement == EXCLUDED:
        yield ONLY_PICKED
    if node not in phrases.placement.forced:
        yield from (phrases.misfit(misfit) for misfit in phrases.misfits(node, module))
    for layer, orbital, other in neighbours:
        held = module if other == node else fill[other]
        if held < 0:
            continue
        on = phrases.side(layer, orbital)
        back = int(phrases.cache.back_orbitals[layer][node, orbital])
        who = "itself" if other == node else phrases.module(held)
        if not _accepts(phrases, layer, held, back, module):
            yield f"{who} {on} does not allow it"
        elif not _accepts(phrases, layer, module, orbital, held):
            yield f"does not allow {who} {on}"
    for arc in range(network.near_end[node], network.arc_start[node + 1]):
        other = int(network.arc_target[arc])
        if fill[other] >= 0 and not network.agreements[network.arc_kind[arc], module, fill[other]]:
            yield f"{phrases.module(fill[other])} on {phrases.node(other)} is too near"
    for number, bound in enumerate(network.count_bounds):
        if bound.scope[node] and bound.modules[module] and counts[number] >= bound.most:
            yield f"at most {bound.most} of {phrases.modules(np.flatnonzero(bound.modules).tolist())} are allowed"


def _accepts(phrases: Phrases, layer: int, module: int, orbital: int, guest: int) -> bool:
    """Tell whether a module, for its part, allows another on an orbital."""
    neighbours = phrases.staging.rules.modules[module].bonds[layer].neighbours
    allowed = neighbours[orbital] if orbital < len(neighbours) else None
    return allowed is None or bool(allowed >> guest & 1)


def describe_diagnosis(phrases: Phrases, fill: Sequence[int], found: Diagnosis) -> list[str]:
    """Return a diagnosis as lines for people: the node with its neighbours, then modules by what removed them first."""
    name = phrases.node(found.node)
    lines = [
        f"{name}, {'proved impossible' if found.proved else 'left open'}. Beside it: {_sides(phrases, fill, found)}."
    ]
    by_reason: dict[str, list[int]] = {}
    for module, reasons in found.removed:
        by_reason.setdefault(reasons[0] if reasons else NOT_REMOVED, []).append(module)
    lines += [f"  {line}" for line in _list_reasons(phrases, by_reason, MAX_REASONS_HERE)]
    wanted = _module_to_add(phrases, fill, found)
    return [*lines, f"  {wanted}"] if wanted else lines


def _module_to_add(phrases: Phrases, fill: Sequence[int], found: Diagnosis) -> str:
    """Say what a module would have to allow to stand there as the others are; empty beside nothing that is filled."""
    beside = [
        f"{phrases.module(fill[other])} {phrases.side(layer, orbital)}"
        for layer, orbital, other in found.neighbours
        if other != found.node and fill[other] >= 0
    ]
    return f"To fill it as the others are, add a module that agrees with {listed(beside, MAX_NAMED)}." if beside else ""


def _sides(phrases: Phrases, fill: Sequence[int], found: Diagnosis) -> str:
    """List the neighbours of a node; one that it has on the same side in several layers once."""
    sides: dict[tuple[str, int], list[str]] = {}
    for layer, orbital, other in found.neighbours:
        short = phrases.staging.rules.layers[layer].orbital_set.orbitals[orbital].name
        sides.setdefault((short, other), []).append(phrases.orbital(layer, orbital))
    return ", ".join(
        f"{short if len(names) > 1 else names[0]} {held_by(phrases, fill, other)}"
        for (short, other), names in sides.items()
    )


def held_by(phrases: Phrases, fill: Sequence[int], node: int) -> str:
    """Say what stands on a node."""
    number = fill[node]
    if number >= 0:
        return phrases.module(number)
    return {NULL_SLOT: "a null slot", UNSOLVABLE: "(left out)"}.get(number, "nothing")


def diagnosis_as_json(phrases: Phrases, fill: Sequence[int], found: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as JSON values."""
    layers = phrases.staging.rules.layers
    modules = phrases.staging.rules.modules
    return {
        "node": found.node,
        "name": phrases.node(found.node),
        "proved": found.proved,
        "masks": {
            layer.name: [
                layer.orbital_set.orbitals[orbital].name for at, orbital, _ in found.neighbours if at == number
            ]
            for number, layer in enumerate(layers)
        },
        "neighbours": [
            {
                "layer": layers[layer].name,
                "orbital": layers[layer].orbital_set.orbitals[orbital].name,
                "node": other,
                "module": modules[fill[other]].key if fill[other] >= 0 else None,
            }
            for layer, orbital, other in found.neighbours
        ],
        "candidates": [
            {"module": modules[module].key, "removed_by": list(reasons)} for module, reasons in found.removed
        ],
    }
