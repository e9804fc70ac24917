"""Boot a task: everything the solvers need, as flat arrays, made once.

A set of modules is a row of uint64 words, bit m % 64 of word m // 64. An arc is one direction of an edge; its *kind*
says which table of supports to use. Two nodes that a separation keeps apart are joined by arcs as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.model import FILLER, Connected, Count, Path, Separation, Staging, numbers_in
from solvent.valency.orbitals import NO_NEIGHBOUR, OrbitalCache, build_cache
from solvent.valency.rules import Placement, agreements, place
from solvent.valency.solver.distances_kernel import NearPairs
from solvent.valency.solver.network_kernel import Arcs, Regions
from solvent.valency.validation import require_valid

MAX_PAIRS = 40_000_000
"""More would take gigabytes, in arcs and in what is learned from them."""
Words = npt.NDArray[np.uint64]
Weights = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

WEIGHT_SCALE = 1 << 32
"""What the weights of a region add up to as whole numbers, about."""


def pairs_closer_than(
    start: npt.NDArray[np.int64], target: npt.NDArray[np.int32], distance: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return all pairs of different nodes with fewer edges than that between them, each in both directions."""
    pairs = NearPairs(start.data, target.data)
    total = pairs.count(distance, MAX_PAIRS)
    if total > MAX_PAIRS:
        raise MemoryError(f"a separation of {distance} edges keeps over {MAX_PAIRS:,} pairs of nodes apart")
    first, second = np.empty(total, dtype=np.int32), np.empty(total, dtype=np.int32)
    pairs.write(distance, first.data, second.data)
    return first, second


class CountBound(Struct, frozen=True, eq=False):
    """Hold one bound on how many nodes hold modules of a set."""

    modules: Truths
    scope: Truths
    """Which nodes count."""
    least: int
    most: int
    element: tuple[tuple[str, int], ...]
    """What it comes from: ("least", m), ("most", m) or ("constraint", j)."""

    def held(self, modules: npt.NDArray[np.int64]) -> int:
        """Return how many nodes of the scope hold a module of the set, given the module of each node."""
        return int(self.modules[modules[self.scope & (modules >= 0)]].sum())


class Network(Struct, frozen=True, eq=False):
    """Hold a task as arrays. Nothing in it changes while a solver works."""

    staging: Staging
    cache: OrbitalCache
    placement: Placement
    modules: int
    words: int
    domains: Words
    """Shape (nodes, words): the modules that may stand on each node, its pick taken into account."""
    arc_start: npt.NDArray[np.int64]
    """The arcs of node v are arc_start[v] to arc_start[v + 1]; first its edges, then its separations."""
    near_end: npt.NDArray[np.int64]
    """Where the edges of node v end and its separations begin."""
    arc_target: npt.NDArray[np.int32]
    arc_kind: npt.NDArray[np.int32]
    agreements: Truths
    """Shape (kinds, modules, modules): whether m at the start of an arc and n at its end agree."""
    support: Words
    """Shape (kinds, modules, words): the modules that agree with m at the start of an arc."""
    against: Words
    """Shape (kinds, modules, words): the modules that agree with m at the end of an arc."""
    weights: Weights
    """Shape (regions, modules): weights as whole numbers; region 0 is everything that is in no region."""
    tiers: npt.NDArray[np.int64]
    """Shape (regions, modules): 0 if it is chosen by its weight, 1 if its weight is 0, 2 if it is a filler; lower comes
    first."""
    region_of: npt.NDArray[np.int32]
    count_bounds: tuple[CountBound, ...]
    joins: tuple[tuple[int, Connected | Path], ...]
    """Constraints on what hangs together, with their numbers."""
    arcs: Arcs
    """The arcs and their supports, as kernels read them."""
    region_weights: Regions
    """The regions and their weights, as kernels read them."""
    only_most: bool = False
    """Whether lower bounds are not asked for."""

    @property
    def nodes(self) -> int:
        """Return how many nodes there are, null slots included."""
        return self.cache.nodes


def boot(staging: Staging) -> Network:
    """Make the network of a task."""
    cache = build_cache(staging)
    placement = place(staging, cache)
    count = len(staging.rules.modules)
    arcs = _Arcs(staging, cache, count)
    support, against = _pack_tables(arcs.agreements), _pack_tables(arcs.agreements.transpose(0, 2, 1))
    domains = _domains(cache, placement, arcs, count)
    region_of, weights = _regions(staging, cache.nodes)
    tiers = _tiers(staging, weights)
    totals = weights.sum(axis=1).astype(np.float64)
    return Network(
        staging=staging,
        cache=cache,
        placement=placement,
        modules=count,
        words=domains.shape[1],
        domains=domains,
        arc_start=arcs.start,
        near_end=arcs.near_end,
        arc_target=arcs.target,
        arc_kind=arcs.kind,
        agreements=arcs.agreements,
        support=support,
        against=against,
        weights=weights,
        tiers=tiers,
        region_of=region_of,
        count_bounds=_count_bounds(staging, cache),
        joins=tuple(
            (number, constraint)
            for number, constraint in enumerate(staging.constraints)
            if isinstance(constraint, Connected | Path)
        ),
        arcs=Arcs(arcs.start.data, arcs.near_end.data, arcs.target.data, arcs.kind.data, support.data, against.data),
        region_weights=Regions(region_of.data, weights.data, totals.data, tiers.data),
    )


_recent: list[Network] = []


def boot_once(staging: Staging) -> Network:
    """Return the network of a task, the same one if this very object was booted a moment ago."""
    for network in _recent:
        if network.staging is staging:
            return network
    require_valid(staging)
    network = boot(staging)
    _recent.append(network)
    del _recent[:-2]
    return network


def truths_of(chosen: Sequence[int] | npt.NDArray[np.integer[Any]], count: int) -> Truths:
    """Return a row of `count` truths, true for those chosen."""
    truths = np.zeros(count, dtype=np.bool_)
    truths[np.asarray(chosen, dtype=np.int64)] = True
    return truths


def agreeing_modules(network: Network, modules: npt.NDArray[np.int64], node: int) -> Truths:
    """Return the modules that may stand on a node and agree with all its neighbours as they are filled."""
    possible: Truths = unpack(network.domains[node : node + 1], network.modules)[0]
    for arc in range(network.arc_start[node], network.arc_start[node + 1]):
        other = modules[network.arc_target[arc]]
        if other >= 0:
            possible &= network.agreements[network.arc_kind[arc], :, other]
    return possible


def pack(truths: Truths) -> Words:
    """Return rows of truths as rows of words."""
    words = max(1, (truths.shape[1] + 63) // 64)
    padded = np.zeros((len(truths), words * 64), dtype=np.bool_)
    padded[:, : truths.shape[1]] = truths
    packed: Words = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return packed


def _pack_tables(tables: Truths) -> Words:
    kinds, modules, _ = tables.shape
    packed = pack(tables.reshape(-1, modules))
    return packed.reshape(kinds, modules, packed.shape[1])


def unpack(words: Words, modules: int) -> Truths:
    """Return rows of words as rows of truths."""
    data = np.ascontiguousarray(words, dtype="<u8").view(np.uint8)
    return np.unpackbits(data, axis=1, count=modules, bitorder="little").astype(np.bool_)


def put_modules(domains: Words, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64]) -> None:
    """Make one module the only one possible on each of these nodes."""
    domains[nodes] = 0
    domains[nodes, modules >> 6] = np.uint64(1) << (modules & 63).astype(np.uint64)


class _Arcs:
    """Gather the arcs of all layers and separations, sorted by where they start."""

    def __init__(self, staging: Staging, cache: OrbitalCache, modules: int) -> None:
        tables, kind_tables = [], []
        kinds: dict[tuple[int, int, int], int] = {}
        for layer, (table, edges) in enumerate(zip(cache.neighbours, cache.edges, strict=True)):
            kind_table = np.full(table.shape, -1, dtype=np.int32)
            width = table.shape[1]
            pairs = edges.source_orbital.astype(np.int64) * width + edges.target_orbital
            for pair in np.flatnonzero(np.bincount(pairs)).tolist():
                p, q = divmod(pair, width)
                there = kinds.setdefault((layer, p, q), len(kinds))
                back = kinds.setdefault((layer, q, p), len(kinds))
                chosen = pairs == pair
                kind_table[edges.source[chosen], p] = there
                kind_table[edges.target[chosen], q] = back
            tables.append(table)
            kind_tables.append(kind_table)
        target, kind = np.concatenate(tables, axis=1), np.concatenate(kind_tables, axis=1)
        self.alone: list[tuple[npt.NDArray[np.int64], int]] = []
        """Nodes that are their own neighbours, with the kind of that arc."""
        own = target == np.arange(len(target), dtype=np.int32)[:, None]
        if own.any():
            for number in np.flatnonzero(np.bincount(kind[own])).tolist():
                self.alone.append((np.flatnonzero((own & (kind == number)).any(axis=1)), number))
        there = (target != NO_NEIGHBOUR) & ~own
        counts = there.sum(axis=1)
        matrices = agreements(staging.rules, list(kinds))
        self.target = target[there]
        self.kind = kind[there]
        self.start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self.near_end = self.start[1:].copy()
        self._keep_apart(staging, matrices, modules)
        self.agreements = np.stack(matrices) if matrices else np.zeros((0, modules, modules), dtype=np.bool_)

    def _keep_apart(self, staging: Staging, matrices: list[Truths], modules: int) -> None:
        """Add arcs between nodes that a separation keeps apart."""
        sources, targets, kinds = [], [], []
        for constraint in staging.constraints:
            if isinstance(constraint, Separation):
                first, second = pairs_closer_than(self.start, self.target, constraint.distance)
                chosen = truths_of(numbers_in(constraint.modules), modules)
                matrices.append(~(chosen[:, None] & chosen[None, :]))
                sources.append(first)
                targets.append(second)
                kinds.append(np.full(len(first), len(matrices) - 1, dtype=np.int32))
        if not sources:
            return
        nodes = len(self.start) - 1
        near = np.diff(self.start)
        source = np.concatenate([np.repeat(np.arange(nodes), near), *sources])
        order = np.argsort(source, kind="stable")  # the edges of a node stay in front
        self.target = np.concatenate([self.target, *targets]).astype(np.int32)[order]
        self.kind = np.concatenate([self.kind, *kinds]).astype(np.int32)[order]
        self.start = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=nodes))]).astype(np.int64)
        self.near_end = self.start[:-1] + near


def _domains(cache: OrbitalCache, placement: Placement, arcs: _Arcs, modules: int) -> Words:
    """Return what may stand on each node; nothing on null slots."""
    domains = pack(placement.free)[placement.class_of] if cache.nodes else pack(np.zeros((0, modules), dtype=np.bool_))
    for node, picked in placement.picked.items():
        domains[node] = pack(truths_of(list(picked), modules)[None, :])[0]
    for nodes, kind in arcs.alone:
        domains[nodes] &= pack(np.diagonal(arcs.agreements[kind])[None, :])[0]
    domains[~cache.open_nodes] = 0
    return domains


def _regions(staging: Staging, nodes: int) -> tuple[npt.NDArray[np.int32], Weights]:
    """Return the region of each node, counted from 1, and the weights in each as whole numbers."""
    region_of = np.zeros(nodes, dtype=np.int32)
    plain = np.array([module.weight for module in staging.rules.modules], dtype=np.float64)
    rows = [plain]
    for number, region in enumerate(staging.regions, start=1):
        region_of[list(region.nodes)] = number
        row = plain.copy()
        for module, factor in region.weights:
            row[module] *= factor
        rows.append(row)
    weights = np.stack(rows)
    total = weights.sum(axis=1, keepdims=True)
    scaled = np.rint(weights / np.where(total > 0, total, 1.0) * WEIGHT_SCALE).astype(np.int64)
    return region_of, np.where(weights > 0, np.maximum(scaled, 1), 0)


def _tiers(staging: Staging, weights: Weights) -> npt.NDArray[np.int64]:
    fillers = np.array([module.placement == FILLER for module in staging.rules.modules], dtype=np.bool_)
    return np.where(fillers[None, :], 2, (weights == 0).astype(np.int64))


def _count_bounds(staging: Staging, cache: OrbitalCache) -> tuple[CountBound, ...]:
    found = []
    count = len(staging.rules.modules)
    for number, module in enumerate(staging.rules.modules):
        if module.least > 0 or module.most is not None:
            chosen = truths_of([number], count)
            most = cache.nodes if module.most is None else module.most
            elements = ((("least", number),) if module.least > 0 else ()) + (
                (("most", number),) if module.most is not None else ()
            )
            found.append(CountBound(chosen, cache.open_nodes, module.least, most, elements))
    for number, constraint in enumerate(staging.constraints):
        if isinstance(constraint, Count):
            chosen = truths_of(numbers_in(constraint.modules), count)
            scope = cache.open_nodes
            if constraint.nodes:
                scope = truths_of(constraint.nodes, cache.nodes) & cache.open_nodes
            most = cache.nodes if constraint.most is None else constraint.most
            found.append(CountBound(chosen, scope, constraint.least, most, (("constraint", number),)))
    return tuple(found)
