"""Say what may stand on a node: what fits it, what is picked for it, and what agrees with its neighbours."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.components import begin_walk
from solvent.valency.checker.neighbours import Numbers, Surroundings, Truths
from solvent.valency.checker.walk_kernel import Walk
from solvent.valency.model import BEST, EXCLUDED, FIRST, FORCE, Count, Staging
from solvent.valency.slices import (
    distinct,
    first_of_each,
    gathered,
    row_of,
    slices,
    sorted_values,
    stable_order,
    where_true,
)

Masks = npt.NDArray[np.uint64]


class Picks(Struct, frozen=True):
    """Hold the picks of one name that are not ignored."""

    nodes: Numbers
    candidates: Numbers
    """The modules that the name may mean."""
    row: Numbers
    """For each node, its row in `chosen`; nodes with the same masks share one."""
    chosen: Truths
    """For each row and candidate, whether it is among those the pick means there."""


class Placing:
    """Know what may stand on each node of a staging."""

    def __init__(self, staging: Staging, meter: Meter = UNLIMITED) -> None:
        self.staging = staging
        self.meter = meter
        self.surroundings = Surroundings(staging, meter)
        modules = staging.rules.modules
        self.modules = len(modules)
        self.excluded: Truths = np.array([module.placement == EXCLUDED for module in modules], dtype=np.bool_)
        layers = range(len(staging.rules.layers))
        bonds = [[module.bonds[layer] for module in modules] for layer in layers]
        self.wanted = [np.array([b.orbital_mask for b in row], dtype=np.uint64) for row in bonds]
        self.unwanted = [np.array([b.boundary_mask for b in row], dtype=np.uint64) for row in bonds]
        self.wild = [np.array([b.wildcard_mask for b in row], dtype=np.uint64) for row in bonds]
        self._counted: dict[int, Numbers] = {}
        self._tables: dict[tuple[int, int], npt.NDArray[np.uint8]] = {}

    # What fits

    def fits(self, nodes: Numbers, modules: Numbers) -> Truths:
        """Tell which modules fit which nodes; the two are broadcast against each other."""
        fitting = np.ones(np.broadcast_shapes(nodes.shape, modules.shape), dtype=np.bool_)
        for layer, node_masks in enumerate(self.surroundings.masks):
            mask, wanted, wild = node_masks[nodes], self.wanted[layer][modules], self.wild[layer][modules]
            fitting &= (wanted & mask) == wanted
            fitting &= (self.unwanted[layer][modules] & mask) == 0
            fitting &= (wild & mask) == wild
        return fitting

    def placeable(self, nodes: Numbers) -> Truths:
        """Tell, for each of the nodes and each module, whether it may stand there."""
        self.meter.require_memory(len(nodes) * self.modules / 1e6, f"what may stand on {len(nodes):,} nodes")
        table = np.empty((len(nodes), self.modules), dtype=np.bool_)
        for part in slices(len(nodes), self.meter, width=8 * self.modules):
            fitting = self.fits(nodes[part, None], np.arange(self.modules))
            table[part] = (fitting & ~self.excluded) | self.picked(nodes[part])
        return table

    def count_holders(self, among: Truths, modules: Truths) -> int:
        """Count the nodes among some that may hold one of some modules."""
        members = np.flatnonzero(modules)
        free = members[~self.excluded[members]]
        # Nodes with the same masks are alike but for their picks, and there are few different masks.
        first = self._examples
        known = np.zeros(len(first), dtype=np.bool_)
        for part in slices(len(first), self.meter, width=8 * max(1, len(free))):
            known[part] = self.fits(first[part, None], free).any(axis=1)
        count = 0
        for part in slices(len(among), self.meter):
            nodes = part.start + np.flatnonzero(among[part])
            able = known[self._classes[nodes]]
            having = np.flatnonzero(self._pick_group[nodes] >= 0)
            for some in slices(len(having), self.meter, width=self.modules):
                able[having[some]] |= self.picked(nodes[having[some]])[:, members].any(axis=1)
            count += int(able.sum())
        return count

    @cached_property
    def _sorted_by_masks(self) -> tuple[Numbers, Numbers]:
        codes = np.zeros(self.surroundings.nodes, dtype=np.int64)
        examples = np.zeros(min(1, self.surroundings.nodes), dtype=np.int64)
        for mask in self.surroundings.masks:
            different = distinct(mask, self.meter)
            for part in slices(len(codes), self.meter):
                codes[part] = codes[part] * len(different) + np.searchsorted(different, mask[part])
            examples = first_of_each(codes, self.meter).astype(np.int64)
            different_codes = gathered(codes, examples, self.meter)
            for part in slices(len(codes), self.meter):
                codes[part] = np.searchsorted(different_codes, codes[part])
        return codes, examples

    @property
    def _classes(self) -> Numbers:
        """For each node, the class of nodes with the same masks."""
        return self._sorted_by_masks[0]

    @property
    def _examples(self) -> Numbers:
        """For each such class, one of its nodes."""
        return self._sorted_by_masks[1]

    # What is picked

    def picked(self, nodes: Numbers) -> Truths:
        """Tell, for each of the nodes and each module, whether a pick there means it."""
        table = np.zeros((len(nodes), self.modules), dtype=np.bool_)
        groups = self._pick_group[nodes]
        for group in distinct(groups[groups >= 0]).tolist():
            picks, here = self.picks[group], np.flatnonzero(groups == group)
            rows = picks.row[self._pick_place[nodes[here]]]
            table[here[:, None], picks.candidates] = picks.chosen[rows]
        return table

    def has_pick(self, nodes: Numbers) -> Truths:
        """Tell which of the nodes have a pick that is not ignored."""
        return self._pick_group[nodes] >= 0

    @cached_property
    def picks(self) -> list[Picks]:
        """All picks that are not ignored, name by name."""
        given = self.staging.picks
        by_key, by_name = self._modules_by_name
        names: dict[str, int] = {}
        number, nodes = np.empty(len(given), dtype=np.int32), np.empty(len(given), dtype=np.int64)
        for part in slices(len(given), self.meter):
            some = given[part]
            nodes[part] = [pick.node for pick in some]
            # A name that no module has is ignored.
            number[part] = [
                names.setdefault(pick.name, len(names)) if pick.name in by_key or pick.name in by_name else -1
                for pick in some
            ]
            number[part][~self.surroundings.open[nodes[part]]] = -1
        found = []
        order = stable_order(number, self.meter)
        ends = np.searchsorted(gathered(number, order, self.meter), np.arange(len(names) + 1)).tolist()
        for name, at in names.items():
            places = gathered(nodes, order[ends[at] : ends[at + 1]], self.meter)
            candidates = by_key[name] if name in by_key else by_name[name]
            picks = self._choose(places, np.array(candidates, dtype=np.int64))
            if len(picks.nodes):
                found.append(picks)
        return found

    @cached_property
    def _modules_by_name(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        """The module of each key, and the modules of each name."""
        by_key: dict[str, list[int]] = {}
        by_name: dict[str, list[int]] = {}
        for number, module in enumerate(self.staging.rules.modules):
            by_key.setdefault(module.key, [number])
            by_name.setdefault(module.name, []).append(number)
        return by_key, by_name

    def _choose(self, nodes: Numbers, candidates: Numbers) -> Picks:
        """Find which candidates a pick means on each of some nodes; those on which it is ignored are left out."""
        classes = gathered(self._classes, nodes, self.meter)
        kinds = distinct(classes, self.meter)
        self.meter.require_memory(len(kinds) * len(candidates) / 1e6, "what picks mean")
        chosen = np.empty((len(kinds), len(candidates)), dtype=np.bool_)
        for part in slices(len(kinds), self.meter, width=8 * len(candidates)):
            chosen[part] = self._meant(self._examples[kinds[part]], candidates)
        row = np.searchsorted(kinds, classes)
        kept = where_true(np.asarray(chosen.any(axis=1))[row], self.meter)
        return Picks(nodes[kept], candidates, row[kept], chosen)

    def _meant(self, nodes: Numbers, candidates: Numbers) -> Truths:
        """Tell which candidates are meant on which nodes; none where the pick is ignored."""
        eligible = self.fits(nodes[:, None], candidates)
        misfits = ~eligible.any(axis=1)
        if self.staging.pick_misfit == FORCE:
            eligible[misfits] = True
        if self.staging.pick_selection in (FIRST, BEST):
            score = np.zeros(eligible.shape, dtype=np.int64)
            if self.staging.pick_selection == BEST:
                for layer, masks in enumerate(self.surroundings.masks):
                    score += _count_bits(masks[nodes][:, None] & self.wanted[layer][candidates])
            best = np.argmax(np.where(eligible, score, -1), axis=1)  # the first of those with the highest score
            only = np.zeros_like(eligible)
            only[np.arange(len(nodes)), best] = True
            eligible &= only
        return eligible

    @cached_property
    def _pick_group(self) -> npt.NDArray[np.int32]:
        groups = np.empty(self.surroundings.nodes, dtype=np.int32)
        for part in slices(len(groups), self.meter):
            groups[part] = -1
        for group, picks in enumerate(self.picks):
            for part in slices(len(picks.nodes), self.meter):
                groups[picks.nodes[part]] = group
        return groups

    @cached_property
    def _pick_place(self) -> npt.NDArray[np.int32]:
        places = np.zeros(self.surroundings.nodes, dtype=np.int32)
        for picks in self.picks:
            for part in slices(len(picks.nodes), self.meter):
                places[picks.nodes[part]] = np.arange(part.start, part.stop)
        return places

    # What counts

    def counted_nodes(self, count: Count) -> Numbers:
        """Return the nodes that a constraint names to count among, rising; none if it counts among all."""
        if id(count) not in self._counted:
            self._counted[id(count)] = sorted_values(row_of(count.nodes, np.int64, self.meter), self.meter)
        return self._counted[id(count)]

    # What is near

    @cached_property
    def walk(self) -> tuple[Walk, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """A walk to be used again and again, with the rows in which it keeps how far each node is, and from which."""
        return begin_walk(self.surroundings, 0)

    # What agrees

    def accepts(self, layer: int, orbital: int, modules: Numbers, others: Numbers) -> Truths:
        """Tell whether modules let others stand on their orbital; the two are broadcast against each other."""
        table = self._accepted(layer, orbital)
        bits = table[modules, others >> 3] >> (others & 7).astype(np.uint8)
        return np.asarray(bits & np.uint8(1), dtype=np.bool_)

    def _accepted(self, layer: int, orbital: int) -> npt.NDArray[np.uint8]:
        """Return which modules each module accepts on an orbital: bit n % 8 of entry n // 8 of its row for module n."""
        if (layer, orbital) not in self._tables:
            width = (self.modules + 7) // 8
            self.meter.require_memory(self.modules * width / 1e6, "a table of who accepts whom")
            everything = (1 << self.modules) - 1
            packed = bytearray()
            for module in self.meter.each(self.staging.rules.modules):
                neighbours = module.bonds[layer].neighbours
                allowed = neighbours[orbital] if orbital < len(neighbours) else None
                packed += (everything if allowed is None else allowed & everything).to_bytes(width, "little")
            self._tables[layer, orbital] = np.frombuffer(packed, dtype=np.uint8).reshape(self.modules, width)
        return self._tables[layer, orbital]

    def agreeing(self, layer: int, orbital: int, back: int) -> Truths:
        """Tell, for each module and each other one, whether they agree across an edge with these orbitals."""
        table = np.empty((self.modules, self.modules), dtype=np.bool_)
        everyone = np.arange(self.modules)
        for part in slices(self.modules, self.meter, width=self.modules):
            some = everyone[part]
            table[part] = self.accepts(layer, orbital, some[:, None], everyone)
            table[part] &= self.accepts(layer, back, everyone[:, None], some).T
        return table


def members_of(mask: int, modules: int) -> Truths:
    """Return a mask of modules as one truth for each module."""
    data = (mask & ((1 << modules) - 1)).to_bytes((modules + 7) // 8, "little")
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=modules, bitorder="little")
    return bits.astype(np.bool_)


def _count_bits(masks: Masks) -> Numbers:
    octets = np.ascontiguousarray(masks)[..., None].view(np.uint8)
    counts: Numbers = np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.int64)
    return counts
