"""Replace fillers wherever something else would do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.model import NORMAL
from solvent.valency.solver.joins import broken_joins
from solvent.valency.solver.network import Network, unpack


def replace_fillers(network: Network, modules: npt.NDArray[np.int64], seeds: npt.NDArray[np.uint64]) -> None:
    """Put a normal module in place of each filler, where one fits all that stands around it and no count breaks.

    Each replacement leaves one filler less, so going around until nothing changes ends.
    """
    fillers = np.flatnonzero(network.tiers == 2)
    normal = np.array([module.placement == NORMAL for module in network.staging.rules.modules], dtype=np.bool_)
    if len(fillers) == 0:
        return
    waiting = [
        node for node in np.flatnonzero(np.isin(modules, fillers)).tolist() if node not in network.placement.picked
    ]
    changed = True
    while changed:
        changed = False
        for node in list(waiting):
            possible = unpack(network.domains[node : node + 1], network.modules)[0] & normal
            for arc in range(network.arc_start[node], network.arc_start[node + 1]):
                other = modules[network.arc_target[arc]]
                if other >= 0:
                    possible &= network.agreements[network.arc_kind[arc], :, other]
            chosen = _first_that_counts_allow(network, modules, node, _by_weight(network, node, possible, seeds))
            if chosen >= 0:
                modules[node] = chosen
                waiting.remove(node)
                changed = True


def _by_weight(
    network: Network, node: int, possible: npt.NDArray[np.bool_], seeds: npt.NDArray[np.uint64]
) -> list[int]:
    """Return the possible modules, heaviest first; of equal ones the seed says which."""
    region = network.region_of[node]
    weights = network.weights[region]
    salt = int(seeds[region]) ^ node
    return sorted(np.flatnonzero(possible).tolist(), key=lambda module: (-weights[module], (salt * 31 + module) % 1009))


def _first_that_counts_allow(network: Network, modules: npt.NDArray[np.int64], node: int, candidates: list[int]) -> int:
    before = modules[node]
    joined = bool(network.joins)
    for candidate in candidates:
        fine = True
        for tally in network.tallies:
            if tally.scope[node]:
                held = int(tally.modules[modules[tally.scope & (modules >= 0)]].sum())
                held += int(tally.modules[candidate]) - int(tally.modules[before])
                fine = fine and tally.least <= held <= tally.most
        if fine and joined:
            modules[node] = candidate
            fine = not broken_joins(network, modules)
            modules[node] = before
        if fine:
            return candidate
    return -1
