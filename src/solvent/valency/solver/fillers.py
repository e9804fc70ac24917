"""Replace fillers wherever something else would do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter
from solvent.valency.model import NORMAL, numbers_in
from solvent.valency.slices import slices
from solvent.valency.solver.joins import are_joined
from solvent.valency.solver.network import Network, agreeing_modules, unpack

Modules = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint8]


def replace_fillers(network: Network, modules: Modules, seeds: npt.NDArray[np.uint64], meter: Meter) -> bool:
    """Put a normal module in place of each filler, where one fits all that stands around it and no rule breaks.

    Each replacement leaves one filler less, so going around until nothing changes ends. Returns False if the budget
    ended it before that.
    """
    if not (network.tiers[0] == 2).any():
        return True
    work = _Replacing(network, modules, seeds, meter)
    while True:
        replaced = 0
        for nodes, possible in work.promising():
            for node, row in zip(nodes.tolist(), possible, strict=True):
                if not (row & work.not_full).any():
                    continue
                if meter.stop_reason() is not None:
                    return False
                meter.spend(1)
                replaced += work.replace(node)
        if replaced == 0:
            return True


class _Replacing:
    """Hold a fill while its fillers are being replaced."""

    def __init__(self, network: Network, modules: Modules, seeds: npt.NDArray[np.uint64], meter: Meter) -> None:
        self.network = network
        self.meter = meter
        self.modules = modules
        self.seeds = seeds
        self.normal = np.array([one.placement == NORMAL for one in network.staging.rules.modules], dtype=np.bool_)
        self.held = [bound.held(modules, meter) for bound in network.count_bounds]
        self._not_full: Bits | None = None
        self.joined: Truths = np.zeros(network.modules, dtype=np.bool_)
        """Modules that some constraint wants to hang together."""
        for _, constraint in network.joins:
            self.joined[numbers_in(constraint.modules)] = True

    @property
    def not_full(self) -> Bits:
        """Return the modules of which there may be more, as bits."""
        if self._not_full is None:
            full = np.zeros(self.network.modules, dtype=np.bool_)
            fillers = self.network.tiers[0] == 2
            for bound, held in zip(self.network.count_bounds, self.held, strict=True):
                # A filler that counts itself makes room when it goes; a bound of some nodes leaves the others alone.
                everywhere = bound.scope is self.network.cache.open_nodes
                if everywhere and held >= bound.most and not (bound.modules & fillers).any():
                    full |= bound.modules
            self._not_full = np.packbits(~full)
        return self._not_full

    def promising(self) -> list[tuple[npt.NDArray[np.int64], Bits]]:
        """Return the fillers, unpicked, for which something agrees with all neighbours as they stand now, and what.

        What agrees is a row of bits for each.
        """
        found = []
        for part in slices(len(self.modules), self.meter, width=self.network.modules):
            held = self.modules[part]
            fillers = (held >= 0) & (self.network.tiers[0][np.maximum(held, 0)] == 2)
            nodes = part.start + np.flatnonzero(fillers)
            nodes = nodes[self.network.placement.picked.meaning_of[nodes] == 0]
            if len(nodes):
                found.append(self._promising_of(nodes))
        return found

    def _promising_of(self, nodes: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], Bits]:
        network = self.network
        possible = unpack(network.domains[nodes], network.modules) & self.normal
        degree = np.diff(network.arc_start)[nodes]
        for turn in range(int(degree.max(initial=0))):
            rows = np.flatnonzero(degree > turn)
            arcs = network.arc_start[nodes[rows]] + turn
            others = self.modules[network.arc_target[arcs]]
            known = others >= 0
            possible[rows[known]] &= network.agreements[network.arc_kind[arcs[known]], :, others[known]]
        some = possible.any(axis=1)
        return nodes[some], np.packbits(possible[some], axis=1)

    def replace(self, node: int) -> bool:
        """Replace one filler if something will do; tells whether it did."""
        network = self.network
        possible = agreeing_modules(network, self.modules, node) & self.normal
        before = int(self.modules[node])
        for candidate in self._by_weight(node, possible):
            change = [
                int(bound.scope[node]) * (int(bound.modules[candidate]) - int(bound.modules[before]))
                for bound in network.count_bounds
            ]
            counts = zip(network.count_bounds, self.held, change, strict=True)
            if not all(bound.least <= held + more <= bound.most for bound, held, more in counts):
                continue
            self.modules[node] = candidate
            if not self._keeps_others(candidate, before):
                self.modules[node] = before
                continue
            self.held = [held + more for held, more in zip(self.held, change, strict=True)]
            self._not_full = None
            return True
        return False

    def _keeps_others(self, candidate: int, before: int) -> bool:
        """Tell whether what must hang together still does, and every constraint of another kind holds."""
        network = self.network
        if (self.joined[candidate] or self.joined[before]) and not are_joined(network, self.modules, self.meter):
            return False
        return not any(limit.broken(self.modules, self.meter) for limit in network.limits)

    def _by_weight(self, node: int, possible: Truths) -> list[int]:
        """Return the possible modules, heaviest first; of equal ones the seed says which."""
        region = self.network.region_of[node]
        weights = self.network.weights[region]
        salt = int(self.seeds[region]) ^ node
        found = np.flatnonzero(possible).tolist()
        return sorted(found, key=lambda module: (-weights[module], (salt * 31 + module) % 1009))
