"""Boot a task: everything the solvers need, as flat arrays, made once.

A set of modules is a row of uint64 words, bit m % 64 of word m // 64. An arc is one direction of an edge; its *kind*
says which table of supports to use. Two nodes that a separation keeps apart are joined by arcs as well.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Cause, Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.valency.model import FILLER, Connected, Count, Path, Separation, Staging, numbers_in
from solvent.valency.orbitals import NO_NEIGHBOUR, OrbitalCache, build_cache
from solvent.valency.rules import Placement, place, write_agreements
from solvent.valency.slices import SLICE, distinct, row_of, run_through, running_total, slices
from solvent.valency.solver.constraints import make_limits
from solvent.valency.solver.constraints.images import Images
from solvent.valency.solver.constraints.limit import Limit
from solvent.valency.solver.distances_kernel import NearPairs
from solvent.valency.solver.module_sets import Truths as Truths
from solvent.valency.solver.module_sets import Words as Words
from solvent.valency.solver.module_sets import pack as pack
from solvent.valency.solver.module_sets import truths_of as truths_of
from solvent.valency.solver.module_sets import unpack as unpack
from solvent.valency.solver.network_kernel import Arcs, Regions
from solvent.valency.validation import require_valid

MAX_PAIRS = 40_000_000
"""More would take gigabytes, in arcs and in what is learned from them."""
MAX_NODES_KEPT = 200_000
"""How many nodes the networks have together, at most, that are kept when another is asked for."""
Weights = npt.NDArray[np.int64]

WEIGHT_SCALE = 1 << 32
"""What the weights of a region add up to as whole numbers, about."""


def pairs_closer_than(
    start: npt.NDArray[np.int64], target: npt.NDArray[np.int32], distance: int, meter: Meter = UNLIMITED
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return all pairs of different nodes with fewer edges than that between them, each in both directions."""
    pairs = NearPairs(start.data, target.data, distance, MAX_PAIRS)
    run_through(pairs.count_some, meter)
    if pairs.found > MAX_PAIRS:
        detail = f"a separation of {distance} edges keeps over {MAX_PAIRS:,} pairs of nodes apart"
        raise LimitReached(Reason(Cause.MEMORY, detail))
    meter.require_memory(24 * pairs.found / 1e6, f"a separation that keeps {pairs.found:,} pairs of nodes apart")
    first, second = np.empty(pairs.found, dtype=np.int32), np.empty(pairs.found, dtype=np.int32)
    pairs.begin_writing(first.data, second.data)
    run_through(pairs.write_some, meter)
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

    def held(self, modules: npt.NDArray[np.int64], meter: Meter = UNLIMITED) -> int:
        """Return how many nodes of the scope hold a module of the set, given the module of each node."""
        count = 0
        for part in slices(len(modules), meter):
            some = modules[part]
            count += int(np.count_nonzero(self.modules[some[self.scope[part] & (some >= 0)]]))
        return count


class EdgeNumbers:
    """Know which edge a node has on an orbital; found for a layer when it is first asked for."""

    def __init__(self, cache: OrbitalCache) -> None:
        self._cache = cache
        self._tables: dict[int, npt.NDArray[np.int32]] = {}

    def table(self, layer: int, meter: Meter) -> npt.NDArray[np.int32]:
        """Return the number of the edge of each node on each orbital, among those of a layer; undefined without one."""
        if layer not in self._tables:
            edges, shape = self._cache.edges[layer], self._cache.neighbours[layer].shape
            meter.require_memory(4 * shape[0] * shape[1] / 1e6, "a table of edges")
            table = np.zeros(shape, dtype=np.int32)
            for part in slices(len(edges), meter):
                numbers = np.arange(part.start, part.stop, dtype=np.int32)
                table[edges.source[part], edges.source_orbital[part]] = numbers
                table[edges.target[part], edges.target_orbital[part]] = numbers
            self._tables[layer] = table
        return self._tables[layer]


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
    kind_tables: tuple[npt.NDArray[np.int32], ...]
    """For each layer the kind by orbital and orbital back."""
    separation_kinds: tuple[tuple[int, int], ...]
    """The number of each separation among the constraints, and the kind of its arcs."""
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
    limits: tuple[Limit, ...]
    """Constraints of other kinds."""
    edge_numbers: EdgeNumbers
    """Which edge is where."""
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


def boot(staging: Staging, meter: Meter = UNLIMITED) -> Network:
    """Make the network of a task."""
    cache = build_cache(staging, meter)
    placement = place(staging, cache, meter)
    limits = make_limits(staging, cache, meter)
    arcs = _Arcs(staging, cache, limits, meter)
    support, against = _pack_tables(arcs.agreements, meter), _pack_tables(arcs.agreements.transpose(0, 2, 1), meter)
    domains = _domains(cache, placement, arcs, meter)
    for limit in limits:
        limit.allow(domains, meter)
    region_of, weights = _regions(staging, cache.nodes, meter)
    tiers = _tiers(staging, weights)
    totals = weights.sum(axis=1).astype(np.float64)
    return Network(
        staging=staging,
        cache=cache,
        placement=placement,
        modules=len(staging.rules.modules),
        words=domains.shape[1],
        domains=domains,
        arc_start=arcs.start,
        near_end=arcs.near_end,
        arc_target=arcs.target,
        arc_kind=arcs.kind,
        kind_tables=tuple(arcs.kind_tables),
        separation_kinds=tuple(arcs.separation_kinds),
        agreements=arcs.agreements,
        support=support,
        against=against,
        weights=weights,
        tiers=tiers,
        region_of=region_of,
        count_bounds=_count_bounds(staging, cache, meter),
        joins=tuple(
            (number, constraint)
            for number, constraint in enumerate(staging.constraints)
            if isinstance(constraint, Connected | Path)
        ),
        limits=limits,
        edge_numbers=EdgeNumbers(cache),
        arcs=Arcs(arcs.start.data, arcs.near_end.data, arcs.target.data, arcs.kind.data, support.data, against.data),
        region_weights=Regions(region_of.data, weights.data, totals.data, tiers.data),
    )


_recent: list[Network] = []


def boot_once(staging: Staging, meter: Meter = UNLIMITED) -> Network:
    """Return the network of a task, the same one if this very object was booted a moment ago."""
    for network in _recent:
        if network.staging is staging:
            return network
    del _recent[:-1]
    if _recent and _recent[0].nodes > MAX_NODES_KEPT:
        _recent.clear()  # before memory is taken for another
    require_valid(staging, meter)
    network = boot(staging, meter)
    _recent.append(network)
    return network


def agreeing_modules(network: Network, modules: npt.NDArray[np.int64], node: int) -> Truths:
    """Return the modules that may stand on a node and agree with all its neighbours as they are filled."""
    possible: Truths = unpack(network.domains[node : node + 1], network.modules)[0]
    for arc in range(network.arc_start[node], network.arc_start[node + 1]):
        other = modules[network.arc_target[arc]]
        if other >= 0:
            possible &= network.agreements[network.arc_kind[arc], :, other]
    return possible


def _pack_tables(tables: Truths, meter: Meter) -> Words:
    kinds, modules, _ = tables.shape
    words = max(1, (modules + 63) // 64)
    if tables.size <= SLICE:  # all at once
        meter.checkpoint()
        return pack(tables.reshape(kinds * modules, modules)).reshape(kinds, modules, words)
    packed = np.empty((kinds, modules, words), dtype=np.uint64)
    for kind in range(kinds):
        for part in slices(modules, meter, width=modules):
            packed[kind, part] = pack(tables[kind, part])
    return packed


def put_modules(domains: Words, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64]) -> None:
    """Make one module the only one possible on each of these nodes."""
    domains[nodes] = 0
    domains[nodes, modules >> 6] = np.uint64(1) << (modules & 63).astype(np.uint64)


class _Arcs:
    """Gather the arcs of all layers and separations, sorted by where they start."""

    def __init__(self, staging: Staging, cache: OrbitalCache, limits: tuple[Limit, ...], meter: Meter) -> None:
        self.kinds: dict[tuple[int, int, int], int] = {}
        self.alone: list[tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]] = []
        """Nodes that are their own neighbours, with the kind of that arc."""
        self.separation_kinds: list[tuple[int, int]] = []
        self.images = [way for limit in limits if isinstance(limit, Images) for way in limit.arcs()]
        """Who agrees along arcs to the image of a node, and where these lead; their kinds come last."""
        edges = sum(map(len, cache.edges))
        meter.require_memory((16 * edges + 16 * cache.nodes) / 1e6, f"the arcs along {edges:,} edges")
        self.kind_tables = self._find_kinds(cache, meter)
        self._gather(cache, self.kind_tables, edges, meter)
        for number, constraint in enumerate(staging.constraints):
            if isinstance(constraint, Separation):
                self.separation_kinds.append((number, len(self.kinds) + len(self.separation_kinds)))
        self.agreements = self._find_agreements(staging, meter)
        self._keep_apart(staging, meter)

    def _find_kinds(self, cache: OrbitalCache, meter: Meter) -> list[npt.NDArray[np.int32]]:
        """Number the kinds of arcs; returns for each layer the kind by orbital and orbital back."""
        lookup = []
        for layer, (table, edges) in enumerate(zip(cache.neighbours, cache.edges, strict=True)):
            width = table.shape[1]
            counts = np.zeros(width * width, dtype=np.int64)
            for part in slices(len(edges), meter):
                pairs = edges.source_orbital[part].astype(np.int64) * width + edges.target_orbital[part]
                counts += np.bincount(pairs, minlength=len(counts))
            numbers = np.full((width, width), -1, dtype=np.int32)
            for pair in np.flatnonzero(counts).tolist():
                p, q = divmod(pair, width)
                numbers[p, q] = self.kinds.setdefault((layer, p, q), len(self.kinds))
                numbers[q, p] = self.kinds.setdefault((layer, q, p), len(self.kinds))
            lookup.append(numbers)
        return lookup

    def _gather(self, cache: OrbitalCache, lookup: list[npt.NDArray[np.int32]], edges: int, meter: Meter) -> None:
        """Write down the arcs of each node: layer by layer, orbital by orbital."""
        target, kind = np.empty(2 * edges, dtype=np.int32), np.empty(2 * edges, dtype=np.int32)
        counts = np.empty(cache.nodes, dtype=np.int32)
        found = 0
        for part in slices(cache.nodes, meter, width=sum(len(numbers) for numbers in lookup)):
            there = np.concatenate([table[part] for table in cache.neighbours], axis=1)
            pairs = zip(lookup, cache.back_orbitals, strict=True)
            kinds = [numbers[np.arange(len(numbers)), back[part]] for numbers, back in pairs]
            kinds_there = np.concatenate(kinds, axis=1)
            own = there == np.arange(part.start, part.stop, dtype=np.int32)[:, None]
            if own.any():
                self.alone.append((part.start + np.nonzero(own)[0], kinds_there[own]))
            taken = (there != NO_NEIGHBOUR) & ~own
            counts[part] = taken.sum(axis=1)
            end = found + int(np.count_nonzero(taken))
            target[found:end], kind[found:end] = there[taken], kinds_there[taken]
            found = end
        self.target, self.kind = target[:found], kind[:found]
        self.start = running_total(counts, meter)
        self.near_end = self.start[1:].copy()

    def _find_agreements(self, staging: Staging, meter: Meter) -> Truths:
        """Return who agrees with whom along arcs of each kind, those of separations last."""
        modules = len(staging.rules.modules)
        count = len(self.kinds) + len(self.separation_kinds) + len(self.images)
        meter.require_memory(1.25 * count * modules * modules / 1e6, f"tables for {count:,} kinds of edges")
        tables = np.empty((count, modules, modules), dtype=np.bool_)
        write_agreements(staging.rules, list(self.kinds), tables, meter)
        for number, kind in self.separation_kinds:
            separation = staging.constraints[number]
            assert isinstance(separation, Separation)
            chosen = truths_of(numbers_in(separation.modules), modules)
            others = truths_of(numbers_in(separation.others), modules) if separation.others else chosen
            for part in slices(modules, meter, width=modules):
                tables[kind, part] = ~((chosen[part, None] & others) | (others[part, None] & chosen))
        for kind, (agrees, _) in enumerate(self.images, start=count - len(self.images)):
            tables[kind] = agrees
        return tables

    def _keep_apart(self, staging: Staging, meter: Meter) -> None:
        """Add arcs between nodes that a separation keeps apart or that are images, behind the edges of each node."""
        if not self.separation_kinds and not self.images:
            return
        nodes = len(self.start) - 1
        near_start, near = self.start, np.diff(self.start)
        pairs, counts = [], []
        total = near.copy()
        for number, _ in self.separation_kinds:
            separation = staging.constraints[number]
            assert isinstance(separation, Separation)
            first, second = pairs_closer_than(near_start, self.target, separation.distance, meter)
            counts.append(np.zeros(nodes, dtype=np.int64))
            for part in slices(len(first), meter):
                low, high = int(first[part][0]), int(first[part][-1]) + 1
                counts[-1][low:high] += np.bincount(first[part] - low, minlength=high - low)
            total += counts[-1]
            pairs.append((first, second))
        for _, leads_to in self.images:
            apart = leads_to != np.arange(nodes)
            counts.append(apart.astype(np.int64))
            total += counts[-1]
            pairs.append((np.flatnonzero(apart).astype(np.int32), leads_to[apart].astype(np.int32)))
        kinds = range(len(self.kinds), len(self.kinds) + len(pairs))
        self.start = running_total(total, meter)
        self.near_end = self.start[:-1] + near
        meter.require_memory(8 * self.start[-1] / 1e6, f"{self.start[-1]:,} arcs")
        target, kind = (np.empty(int(self.start[-1]), dtype=np.int32) for _ in range(2))
        for part in slices(nodes, meter, width=1 + len(self.target) // max(1, nodes)):
            places = _places(self.start[:-1][part], near[part])
            old = slice(near_start[part.start], near_start[part.stop])
            target[places], kind[places] = self.target[old], self.kind[old]
        begin = self.near_end.copy()
        for number, (_, second), count in zip(kinds, pairs, counts, strict=True):
            at = running_total(count, meter)
            for part in slices(nodes, meter, width=1 + len(second) // max(1, nodes)):
                places = _places(begin[part], count[part])
                target[places], kind[places] = second[at[part.start] : at[part.stop]], number
            begin += count
        self.target, self.kind = target, kind


def _places(begin: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the places of pieces of these lengths that begin at these places."""
    before = np.cumsum(counts) - counts
    places: npt.NDArray[np.int64] = np.repeat(begin - before, counts)
    places += np.arange(len(places))
    return places


def _domains(cache: OrbitalCache, placement: Placement, arcs: _Arcs, meter: Meter) -> Words:
    """Return what may stand on each node; nothing on null slots."""
    modules = placement.free.shape[1]
    words = max(1, (modules + 63) // 64)
    meter.require_memory(8 * words * cache.nodes / 1e6, "sets of modules for all nodes")
    domains = np.empty((cache.nodes, words), dtype=np.uint64)
    free, picked = pack(placement.free), placement.picked
    meant = pack(picked.truths(modules))
    for part in slices(cache.nodes, meter, width=words):
        domains[part] = free[placement.class_of[part]]
        if len(picked):
            meanings = picked.meaning_of[part]
            domains[part][meanings > 0] = meant[meanings[meanings > 0]]
        domains[part][~cache.open_nodes[part]] = 0
    for nodes, kinds in arcs.alone:
        meter.checkpoint()
        for kind in distinct(kinds).tolist():
            domains[nodes[kinds == kind]] &= pack(np.diagonal(arcs.agreements[kind])[None, :])[0]
    return domains


def _regions(staging: Staging, nodes: int, meter: Meter) -> tuple[npt.NDArray[np.int32], Weights]:
    """Return the region of each node, counted from 1, and the weights in each as whole numbers."""
    region_of = np.zeros(nodes, dtype=np.int32)
    plain = np.array([module.weight for module in staging.rules.modules], dtype=np.float64)
    meter.require_memory(40 * len(staging.regions) * len(plain) / 1e6, f"weights in {len(staging.regions):,} regions")
    weights = np.empty((len(staging.regions) + 1, len(plain)), dtype=np.float64)
    weights[0] = plain
    for number, region in enumerate(meter.each(staging.regions, every=100), start=1):
        for part in slices(len(region.nodes), meter):
            region_of[np.array(region.nodes[part])] = number
        weights[number] = plain
        for module, factor in region.weights:
            weights[number, module] *= factor
    whole = np.empty(weights.shape, dtype=np.int64)
    for part in slices(len(weights), meter, width=len(plain)):
        some = weights[part]
        total = some.sum(axis=1, keepdims=True)
        scaled = np.rint(some / np.where(total > 0, total, 1.0) * WEIGHT_SCALE).astype(np.int64)
        whole[part] = np.where(some > 0, np.maximum(scaled, 1), 0)
    return region_of, whole


def _tiers(staging: Staging, weights: Weights) -> npt.NDArray[np.int64]:
    fillers = np.array([module.placement == FILLER for module in staging.rules.modules], dtype=np.bool_)
    return np.where(fillers[None, :], 2, (weights == 0).astype(np.int64))


def _count_bounds(staging: Staging, cache: OrbitalCache, meter: Meter) -> tuple[CountBound, ...]:
    found = []
    counts = sum(isinstance(constraint, Count) for constraint in staging.constraints)
    meter.require_memory(3 * counts * cache.nodes / 1e6, f"{counts:,} counts of {cache.nodes:,} nodes")
    count = len(staging.rules.modules)
    for number, module in enumerate(staging.rules.modules):
        if module.least > 0 or module.most is not None:
            chosen = truths_of([number], count)
            most = cache.nodes if module.most is None else module.most
            elements = ((("least", number),) if module.least > 0 else ()) + (
                (("most", number),) if module.most is not None else ()
            )
            found.append(CountBound(chosen, cache.open_nodes, module.least, most, elements))
    for number, constraint in enumerate(meter.each(staging.constraints, every=1)):
        if isinstance(constraint, Count):
            chosen = truths_of(numbers_in(constraint.modules), count)
            scope = cache.open_nodes
            if constraint.nodes:
                scope = truths_of(row_of(constraint.nodes, np.int64, meter), cache.nodes)
                scope &= cache.open_nodes
            most = cache.nodes if constraint.most is None else constraint.most
            found.append(CountBound(chosen, scope, constraint.least, most, (("constraint", number),)))
    return tuple(found)
