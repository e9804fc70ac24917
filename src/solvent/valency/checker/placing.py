"""Say what may stand on a node: what fits it, what is picked for it, and what agrees with its neighbours."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.checker.neighbours import Numbers, Surroundings, Truths
from solvent.valency.model import BEST, EXCLUDED, FIRST, FORCE, Staging
from solvent.valency.slices import distinct

Masks = npt.NDArray[np.uint64]

CELLS_A_SLICE = 1 << 24
"""How large a table of nodes and modules may be at once, in bytes."""


class Picks(Struct, frozen=True):
    """Hold the picks of one name that are not ignored."""

    nodes: Numbers
    candidates: Numbers
    """The modules that the name may mean."""
    chosen: Truths
    """For each node and candidate, whether it is among those the pick means there."""


class Placing:
    """Know what may stand on each node of a staging."""

    def __init__(self, staging: Staging) -> None:
        self.staging = staging
        self.surroundings = Surroundings(staging)
        modules = staging.rules.modules
        self.modules = len(modules)
        self.excluded: Truths = np.array([module.placement == EXCLUDED for module in modules], dtype=np.bool_)
        layers = range(len(staging.rules.layers))
        bonds = [[module.bonds[layer] for module in modules] for layer in layers]
        self.wanted = [np.array([b.orbital_mask for b in row], dtype=np.uint64) for row in bonds]
        self.unwanted = [np.array([b.boundary_mask for b in row], dtype=np.uint64) for row in bonds]
        self.wild = [np.array([b.wildcard_mask for b in row], dtype=np.uint64) for row in bonds]

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
        return (self.fits(nodes[:, None], np.arange(self.modules)) & ~self.excluded) | self.picked(nodes)

    def count_holders(self, among: Truths, modules: Truths) -> int:
        """Count the nodes among some that may hold one of some modules."""
        nodes, members = np.flatnonzero(among), np.flatnonzero(modules)
        height = max(1, CELLS_A_SLICE // max(1, self.modules))
        free = members[~self.excluded[members]]
        # Nodes with the same masks are alike but for their picks, and there are few different masks.
        alike, first = self._classes[nodes], self._examples
        known = np.zeros(len(first), dtype=np.bool_)
        for begin in range(0, len(first), height):
            known[begin : begin + height] = self.fits(first[begin : begin + height, None], free).any(axis=1)
        able = known[alike]
        having = np.flatnonzero(self._pick_group[nodes] >= 0)
        for begin in range(0, len(having), height):
            part = having[begin : begin + height]
            able[part] |= self.picked(nodes[part])[:, members].any(axis=1)
        return int(able.sum())

    @cached_property
    def _sorted_by_masks(self) -> tuple[Numbers, Numbers]:
        codes = np.zeros(self.surroundings.nodes, dtype=np.int64)
        examples = np.zeros(min(1, self.surroundings.nodes), dtype=np.int64)
        for mask in self.surroundings.masks:
            _, ranks = np.unique(mask, return_inverse=True)
            joint = codes * (int(ranks.max(initial=0)) + 1) + ranks.reshape(-1)
            _, examples, codes = np.unique(joint, return_index=True, return_inverse=True)
        return codes.reshape(-1), examples

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
            table[here[:, None], picks.candidates] = picks.chosen[self._pick_row[nodes[here]]]
        return table

    def has_pick(self, nodes: Numbers) -> Truths:
        """Tell which of the nodes have a pick that is not ignored."""
        return self._pick_group[nodes] >= 0

    @cached_property
    def picks(self) -> list[Picks]:
        """All picks that are not ignored, name by name."""
        by_name = defaultdict(list)
        for pick in self.staging.picks:
            if self.surroundings.open[pick.node]:
                by_name[pick.name].append(pick.node)
        found = []
        for name, places in by_name.items():
            candidates = self._candidates(name)
            if len(candidates):
                picks = self._choose(np.array(places, dtype=np.int64), candidates)
                if len(picks.nodes):
                    found.append(picks)
        return found

    def _candidates(self, name: str) -> Numbers:
        modules = self.staging.rules.modules
        own = [number for number, module in enumerate(modules) if module.key == name]
        shared = [number for number, module in enumerate(modules) if module.name == name]
        return np.array(own[:1] or shared, dtype=np.int64)

    def _choose(self, nodes: Numbers, candidates: Numbers) -> Picks:
        eligible = self.fits(nodes[:, None], candidates)
        misfits = ~eligible.any(axis=1)
        if self.staging.pick_misfit == FORCE:
            eligible[misfits] = True
        else:
            nodes, eligible = nodes[~misfits], eligible[~misfits]
        if self.staging.pick_selection in (FIRST, BEST) and len(nodes):
            score = np.zeros(eligible.shape, dtype=np.int64)
            if self.staging.pick_selection == BEST:
                for layer, masks in enumerate(self.surroundings.masks):
                    score += _count_bits(masks[nodes][:, None] & self.wanted[layer][candidates])
            best = np.argmax(np.where(eligible, score, -1), axis=1)  # the first of those with the highest score
            eligible = np.zeros_like(eligible)
            eligible[np.arange(len(nodes)), best] = True
        return Picks(nodes, candidates, eligible)

    @cached_property
    def _pick_group(self) -> Numbers:
        groups = np.full(self.surroundings.nodes, -1, dtype=np.int64)
        for group, picks in enumerate(self.picks):
            groups[picks.nodes] = group
        return groups

    @cached_property
    def _pick_row(self) -> Numbers:
        rows = np.full(self.surroundings.nodes, -1, dtype=np.int64)
        for picks in self.picks:
            rows[picks.nodes] = np.arange(len(picks.nodes))
        return rows

    # What agrees

    def accepted(self, layer: int, orbital: int) -> Truths:
        """Tell, for each module and each other one, whether it lets that one stand on its orbital."""
        table = np.ones((self.modules, self.modules), dtype=np.bool_)
        width = (self.modules + 7) // 8
        all_modules = (1 << self.modules) - 1
        for number, module in enumerate(self.staging.rules.modules):
            neighbours = module.bonds[layer].neighbours
            allowed = neighbours[orbital] if orbital < len(neighbours) else None
            if allowed is not None:
                packed = (allowed & all_modules).to_bytes(width, "little")
                bits = np.unpackbits(np.frombuffer(packed, dtype=np.uint8), bitorder="little")
                table[number] = bits[: self.modules]
        return table

    def agreeing(self, layer: int, orbital: int, back: int) -> Truths:
        """Tell, for each module and each other one, whether they agree across an edge with these orbitals."""
        return self.accepted(layer, orbital) & self.accepted(layer, back).T


def members_of(mask: int, modules: int) -> Truths:
    """Return a mask of modules as one truth for each module."""
    return np.array([mask >> module & 1 for module in range(modules)], dtype=np.bool_)


def _count_bits(masks: Masks) -> Numbers:
    octets = np.ascontiguousarray(masks)[..., None].view(np.uint8)
    counts: Numbers = np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.int64)
    return counts
