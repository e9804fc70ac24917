"""The rules as solvers use them: which modules fit a node, what fixed picks come to, and who may stand beside whom."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.model import BEST, EXCLUDED, FIRST, FORCE, Cluster, Graph, Module, Pick, Rules, Staging
from solvent.valency.orbitals import OrbitalCache, build_cache, node_name

Truths = npt.NDArray[np.bool_]

MAX_NAMED = 5
"""How many nodes or edges a remark lists by name."""


class Placement(Struct, frozen=True, eq=False):
    """Hold what may stand where, before anyone looks at neighbours.

    Nodes with the same neighbours' directions have the same class, so that fitness is worked out once for each.
    """

    class_of: npt.NDArray[np.int64]
    """The class of each node."""
    fits: Truths
    """Shape (classes, modules): whether the module fits nodes of the class, excluded modules too."""
    free: Truths
    """Shape (classes, modules): whether it fits and may be placed without a pick."""
    picked: dict[int, tuple[int, ...]]
    """For each open node with a pick that counts, the modules it may mean."""
    forced: frozenset[int]
    """Picked nodes whose modules do not fit and stand there all the same."""
    unknown: tuple[Pick, ...]
    """Picks of a name that no module has."""
    skipped: tuple[Pick, ...]
    """Picks that do not fit their node."""
    on_null_slots: tuple[Pick, ...]
    """Picks on nodes that stay empty."""

    def placeable(self, node: int) -> Truths:
        """Return for each module whether it may stand on the node."""
        truths: Truths = self.free[self.class_of[node]].copy()
        truths[list(self.picked.get(node, ()))] = True
        return truths


def place(staging: Staging, cache: OrbitalCache) -> Placement:
    """Work out fitness for every kind of node, and what each fixed pick comes to."""
    modules = staging.rules.modules
    kinds, class_of = _classes(cache)
    fits = np.zeros((len(kinds), len(modules)), dtype=np.bool_)
    for number, kind in enumerate(kinds.tolist()):
        fits[number] = [does_module_fit(module, kind) for module in modules]
    free = fits & np.array([module.placement != EXCLUDED for module in modules], dtype=np.bool_)
    picked: dict[int, tuple[int, ...]] = {}
    forced, unknown, skipped, idle = [], [], [], []
    for pick in staging.picks:
        candidates = modules_named(staging.rules, pick.name)
        if not candidates:
            unknown.append(pick)
            continue
        if not cache.open_nodes[pick.node]:
            idle.append(pick)
            continue
        fitting = [module for module in candidates if fits[class_of[pick.node], module]]
        if not fitting and staging.pick_misfit != FORCE:
            skipped.append(pick)
            continue
        if not fitting:
            forced.append(pick.node)
        masks = [int(mask[pick.node]) for mask in cache.masks]
        picked[pick.node] = _select(staging, fitting or candidates, masks)
    return Placement(class_of, fits, free, picked, frozenset(forced), tuple(unknown), tuple(skipped), tuple(idle))


def _classes(cache: OrbitalCache) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return the different rows of masks, one column per layer, and which row each node has."""
    class_of = np.zeros(cache.nodes, dtype=np.int64)
    kinds = np.zeros((min(1, cache.nodes), 0), dtype=np.uint64)
    for masks in cache.masks:  # a layer at a time: sorting whole rows takes far longer
        values, codes = np.unique(masks, return_inverse=True)
        pairs, class_of = np.unique(class_of * max(1, len(values)) + codes.reshape(-1), return_inverse=True)
        kinds = np.concatenate([kinds[pairs // len(values)], values[pairs % len(values)][:, None]], axis=1)
    return kinds, class_of


def does_module_fit(module: Module, node_masks: list[int]) -> bool:
    """Tell whether a node with neighbours on these orbitals, layer by layer, can hold the module."""
    for bonds, mask in zip(module.bonds, node_masks, strict=True):
        if bonds.orbital_mask & mask != bonds.orbital_mask:
            return False
        if bonds.boundary_mask & mask:
            return False
        if bonds.wildcard_mask & mask != bonds.wildcard_mask:
            return False
    return True


def modules_named(rules: Rules, name: str) -> list[int]:
    """Return the module with this key, or all with this name."""
    by_key = [number for number, module in enumerate(rules.modules) if module.key == name]
    return by_key or [number for number, module in enumerate(rules.modules) if module.name == name]


def _select(staging: Staging, candidates: list[int], node_masks: list[int]) -> tuple[int, ...]:
    if staging.pick_selection == FIRST:
        return (candidates[0],)
    if staging.pick_selection == BEST:
        return (max(candidates, key=lambda module: (_in_common(staging.rules.modules[module], node_masks), -module)),)
    return tuple(candidates)


def _in_common(module: Module, node_masks: list[int]) -> int:
    return sum((bonds.orbital_mask & mask).bit_count() for bonds, mask in zip(module.bonds, node_masks, strict=True))


def mask_matrix(masks: list[int | None], modules: int) -> Truths:
    """Return masks of modules as rows of truths; None is true everywhere."""
    width = (modules + 7) // 8
    everything = (1 << modules) - 1
    data = b"".join((everything if mask is None else mask).to_bytes(width, "little") for mask in masks)
    rows = np.frombuffer(data, dtype=np.uint8).reshape(len(masks), width)
    return np.unpackbits(rows, axis=1, count=modules, bitorder="little").astype(np.bool_)


def agreement(rules: Rules, layer: int, orbital: int, back: int) -> Truths:
    """Return who may stand beside whom along an edge: entry (m, n) for m at its start and n at its end.

    Agreement is mutual: m allows n on its orbital, and n allows m on the orbital that leads back.
    """
    return agreements(rules, [(layer, orbital, back)])[0]


def agreements(rules: Rules, kinds: list[tuple[int, int, int]]) -> list[Truths]:
    """Return `agreement` for each layer, orbital and orbital back."""
    size = len(rules.modules)
    allowed: dict[tuple[int, int], Truths] = {}
    for layer, orbital, back in kinds:
        for one in (orbital, back):
            if (layer, one) not in allowed:
                lists = [module.bonds[layer].neighbours for module in rules.modules]
                allowed[layer, one] = mask_matrix([masks[one] if one < len(masks) else None for masks in lists], size)
    return [allowed[layer, orbital] & allowed[layer, back].T for layer, orbital, back in kinds]


def remarks(staging: Staging) -> list[str]:
    """Return which edges and picks take no part, one sentence for each kind."""
    cache = build_cache(staging)
    placement = place(staging, cache)
    found = []
    for layer, unmatched, crowded in zip(staging.rules.layers, cache.unmatched, cache.crowded_out, strict=True):
        if unmatched:
            point, are = ("points", "is") if len(unmatched) == 1 else ("point", "are")
            edges = _edges(staging.cluster, unmatched)
            found.append(f"{edges} {point} along no orbital of layer {layer.name!r} and {are} left out.")
        if crowded:
            are = "is" if len(crowded) == 1 else "are"
            edges = _edges(staging.cluster, crowded)
            found.append(f"{edges} {are} left out of layer {layer.name!r}: another edge fits the same orbital better.")
    for picks, why in (
        (placement.unknown, "no module has that name"),
        (placement.skipped, "no module of that name fits there"),
        (placement.on_null_slots, "a node without neighbours stays empty"),
    ):
        if picks:
            listed = ", ".join(
                f"{pick.name!r} on {node_name(staging.cluster, pick.node)}" for pick in picks[:MAX_NAMED]
            )
            more = f" and {len(picks) - MAX_NAMED} more" if len(picks) > MAX_NAMED else ""
            noun = "Fixed pick" if len(picks) == 1 else "Fixed picks"
            found.append(f"{noun} ignored, {why}: {listed}{more}.")
    return found


def _edges(cluster: Cluster, numbers: tuple[int, ...]) -> str:
    """Say how many edges there are, and list the first by the names of their ends."""
    assert isinstance(cluster, Graph)  # every edge of a lattice has an orbital
    ends = cluster.edges[list(numbers[:MAX_NAMED])].tolist()
    listed = ", ".join(f"{node_name(cluster, a)} to {node_name(cluster, b)}" for a, b in ends)
    noun = "edge" if len(numbers) == 1 else "edges"
    return f"{len(numbers):,} {noun} ({listed}{', …' if len(numbers) > MAX_NAMED else ''})"
