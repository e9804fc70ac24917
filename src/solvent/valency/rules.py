"""The rules as solvers use them: which modules fit a node, what fixed picks come to, and who may stand beside whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import (
    BEST,
    EXCLUDED,
    FIRST,
    FORCE,
    Bonds,
    Cluster,
    Graph,
    Lattice,
    Module,
    Pick,
    Rules,
    Staging,
)
from solvent.valency.orbitals import OrbitalCache, build_cache, node_name
from solvent.valency.slices import distinct, row_of, slices

Truths = npt.NDArray[np.bool_]

MAX_NAMED = 5
"""How many nodes or edges a remark lists by name."""


class PickedModules(Mapping[int, tuple[int, ...]]):
    """Map each open node with a pick that counts to the modules it may mean, by rising nodes.

    Many picks mean the same, and there may be as many picks as nodes, so each node only has the number of its meaning.
    """

    def __init__(self, meaning_of: npt.NDArray[np.int32], meanings: Sequence[tuple[int, ...]], count: int) -> None:
        """Take for each node the number of its meaning, counted from 1, or 0; and how many nodes have one."""
        self.meaning_of = meaning_of
        self.meanings = meanings
        self._count = count

    def __getitem__(self, node: int) -> tuple[int, ...]:
        meaning = int(self.meaning_of[node])
        if not meaning:
            raise KeyError(node)
        return self.meanings[meaning - 1]

    def __contains__(self, node: object) -> bool:
        return bool(self.meaning_of[cast("int", node)])  # only nodes are asked for

    def __iter__(self) -> Iterator[int]:
        for part in slices(len(self.meaning_of), UNLIMITED):
            yield from (part.start + np.flatnonzero(self.meaning_of[part])).tolist()

    def __len__(self) -> int:
        """Return how many nodes have a pick that counts."""
        return self._count

    def truths(self, modules: int) -> Truths:
        """Return the modules of each meaning as truths; the first row is for nodes without a pick."""
        table = np.zeros((len(self.meanings) + 1, modules), dtype=np.bool_)
        for number, meant in enumerate(self.meanings, start=1):
            table[number, list(meant)] = True
        return table


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
    picked: PickedModules
    """For each open node with a pick that counts, the modules it may mean."""
    forced: npt.NDArray[np.int64]
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


def place(staging: Staging, cache: OrbitalCache, meter: Meter = UNLIMITED) -> Placement:
    """Work out fitness for every kind of node, and what each fixed pick comes to."""
    kinds, class_of = _classes(cache, meter)
    fits = _fitness(staging.rules, kinds, meter)
    free = np.empty_like(fits)
    normal = np.array([module.placement != EXCLUDED for module in staging.rules.modules], dtype=np.bool_)
    for part in slices(len(fits), meter, width=len(normal)):
        free[part] = fits[part] & normal
    picks = _Picks(staging, cache, class_of, kinds, fits)
    for pick in meter.each(staging.picks):
        picks.add(pick)
    return Placement(
        class_of,
        fits,
        free,
        picks.picked(),
        row_of(picks.forced, np.int64, meter),
        tuple(picks.unknown),
        tuple(picks.skipped),
        tuple(picks.idle),
    )


class _Picks:
    """Find out what picks mean: the same for the same name on nodes of the same class."""

    def __init__(
        self,
        staging: Staging,
        cache: OrbitalCache,
        class_of: npt.NDArray[np.int64],
        kinds: npt.NDArray[np.uint64],
        fits: Truths,
    ) -> None:
        self.staging = staging
        self.kinds = kinds
        self.fits = fits
        self.unknown: list[Pick] = []
        self.skipped: list[Pick] = []
        self.idle: list[Pick] = []
        self.forced: list[int] = []
        self._open = cache.open_nodes
        self._class_of = class_of
        self._candidates: dict[str, list[int]] = {}
        self._known: dict[tuple[str, int], tuple[int, bool]] = {}
        """For a name and a class the number of the meaning, 0 if no module fits, and whether it is forced."""
        self._meanings: dict[tuple[int, ...], int] = {}
        self._meaning_of = np.zeros(cache.nodes, dtype=np.int32)
        self._count = 0

    def add(self, pick: Pick) -> None:
        """Find out what a pick comes to."""
        if pick.name not in self._candidates:
            self._candidates[pick.name] = modules_named(self.staging.rules, pick.name)
        if not self._candidates[pick.name]:
            self.unknown.append(pick)
            return
        if not self._open[pick.node]:
            self.idle.append(pick)
            return
        key = (pick.name, int(self._class_of[pick.node]))
        if key not in self._known:
            self._known[key] = self._find_meaning(*key)
        meaning, forced = self._known[key]
        if not meaning:
            self.skipped.append(pick)
            return
        if forced:
            self.forced.append(pick.node)
        self._meaning_of[pick.node] = meaning
        self._count += 1

    def _find_meaning(self, name: str, node_class: int) -> tuple[int, bool]:
        candidates = self._candidates[name]
        fitting = [module for module in candidates if self.fits[node_class, module]]
        if not fitting and self.staging.pick_misfit != FORCE:
            return 0, False
        chosen = _select(self.staging, fitting or candidates, self.kinds[node_class].tolist())
        return self._meanings.setdefault(chosen, len(self._meanings) + 1), not fitting

    def picked(self) -> PickedModules:
        """Return what was found."""
        return PickedModules(self._meaning_of, list(self._meanings), self._count)


def _classes(cache: OrbitalCache, meter: Meter) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]:
    """Return the different rows of masks, one column per layer, and which row each node has."""
    class_of = np.zeros(cache.nodes, dtype=np.int64)
    kinds = np.zeros((min(1, cache.nodes), 0), dtype=np.uint64)
    for masks in cache.masks:  # a layer at a time: sorting whole rows takes far longer
        values = distinct(masks, meter)
        for part in slices(cache.nodes, meter):
            class_of[part] *= len(values)
            class_of[part] += np.searchsorted(values, masks[part])
        pairs = distinct(class_of, meter)
        for part in slices(cache.nodes, meter):
            class_of[part] = np.searchsorted(pairs, class_of[part])
        if cache.nodes:
            meter.checkpoint()
            kinds = np.concatenate([kinds[pairs // len(values)], values[pairs % len(values)][:, None]], axis=1)
    return kinds, class_of


def _fitness(rules: Rules, kinds: npt.NDArray[np.uint64], meter: Meter) -> Truths:
    """Return for each kind of node and each module whether it fits."""
    count = len(rules.modules)
    meter.require_memory(2 * len(kinds) * count / 1e6, "finding what fits where")
    wanted, unwanted = (
        np.array([[mask(bonds) for bonds in module.bonds] for module in rules.modules], dtype=np.uint64).reshape(
            count, len(rules.layers)
        )
        for mask in (_asked_for, lambda bonds: bonds.boundary_mask)
    )
    fits = np.ones((len(kinds), count), dtype=np.bool_)
    for part in slices(len(kinds), meter, width=8 * count):
        for layer in range(len(rules.layers)):
            masks = kinds[part, layer][:, None]
            fits[part] &= (masks & wanted[:, layer]) == wanted[:, layer]
            fits[part] &= (masks & unwanted[:, layer]) == 0
    return fits


def _asked_for(bonds: Bonds) -> int:
    return bonds.orbital_mask | bonds.wildcard_mask


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
    return np.unpackbits(rows, axis=1, count=modules, bitorder="little").view(np.bool_)


def agreement(rules: Rules, layer: int, orbital: int, back: int) -> Truths:
    """Return who may stand beside whom along an edge: entry (m, n) for m at its start and n at its end.

    Agreement is mutual: m allows n on its orbital, and n allows m on the orbital that leads back.
    """
    table = np.empty((1, len(rules.modules), len(rules.modules)), dtype=np.bool_)
    write_agreements(rules, [(layer, orbital, back)], table)
    (agreements,) = table
    return np.asarray(agreements)


def write_agreements(
    rules: Rules, kinds: Sequence[tuple[int, int, int]], tables: Truths, meter: Meter = UNLIMITED
) -> None:
    """Write `agreement` for each layer, orbital and orbital back into a table each."""
    size = len(rules.modules)
    used = dict.fromkeys(chain.from_iterable(((kind[0], kind[1]), (kind[0], kind[2])) for kind in kinds))
    meter.require_memory(len(used) * size * size / 1e6, "tables of who may stand beside whom")
    allowed: dict[tuple[int, int], Truths] = {}
    for layer, orbital in used:
        meter.checkpoint()
        lists = [module.bonds[layer].neighbours for module in rules.modules]
        masks = [own[orbital] if orbital < len(own) else None for own in lists]
        allowed[layer, orbital] = mask_matrix(masks, size)
    for number, (layer, orbital, back) in enumerate(kinds):
        for part in slices(size, meter, width=size):
            np.logical_and(allowed[layer, orbital][part], allowed[layer, back][:, part].T, out=tables[number, part])


def remarks(staging: Staging, meter: Meter = UNLIMITED) -> list[str]:
    """Return which edges and picks take no part, one sentence for each kind."""
    if not staging.picks and (isinstance(staging.cluster, Lattice) or staging.cluster.orbitals is not None):
        return []  # only edges that are matched by their direction can miss their orbital
    cache = build_cache(staging, meter)
    placement = place(staging, cache, meter)
    found = []
    for layer, unmatched, crowded in zip(staging.rules.layers, cache.unmatched, cache.crowded_out, strict=True):
        if len(unmatched):
            point, are = ("points", "is") if len(unmatched) == 1 else ("point", "are")
            edges = _edges(staging.cluster, unmatched)
            found.append(f"{edges} {point} along no orbital of layer {layer.name!r} and {are} left out.")
        if len(crowded):
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


def _edges(cluster: Cluster, numbers: npt.NDArray[np.int64]) -> str:
    """Say how many edges there are, and list the first by the names of their ends."""
    assert isinstance(cluster, Graph)  # every edge of a lattice has an orbital
    ends = cluster.edges[numbers[:MAX_NAMED]].tolist()
    listed = ", ".join(f"{node_name(cluster, a)} to {node_name(cluster, b)}" for a, b in ends)
    noun = "edge" if len(numbers) == 1 else "edges"
    return f"{len(numbers):,} {noun} ({listed}{', …' if len(numbers) > MAX_NAMED else ''})"
