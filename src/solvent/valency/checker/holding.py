"""Say which nodes of a fill hold certain modules, and how many."""

from __future__ import annotations

import numpy as np

from solvent.valency.checker.neighbours import Numbers, Truths
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Count, Parity
from solvent.valency.slices import slices


def count_modules(placing: Placing, modules: Numbers) -> list[int]:
    """Count how often each module stands in a fill."""
    counts = np.zeros(placing.modules, dtype=np.int64)
    for part in slices(len(modules), placing.meter):
        counts += np.bincount(modules[part][modules[part] >= 0], minlength=placing.modules)
    return counts.tolist()


def holders(placing: Placing, mask: int, modules: Numbers) -> Truths:
    """Tell which nodes of a fill hold a module of a mask."""
    members = np.append(members_of(mask, placing.modules), False)  # what is below 0 holds none
    held = np.empty(len(modules), dtype=np.bool_)
    for part in slices(len(modules), placing.meter):
        held[part] = members[np.maximum(modules[part], -1)]
    return held


def scope(placing: Placing, count: Count | Parity) -> Truths:
    """Tell among which nodes a constraint counts; null slots never count."""
    if not count.nodes:
        return placing.surroundings.open
    among = np.zeros(placing.surroundings.nodes, dtype=np.bool_)
    for part in slices(len(count.nodes), placing.meter):
        nodes = np.array(count.nodes[part], dtype=np.int64)
        among[nodes] = placing.surroundings.open[nodes]
    return among


def count_within(placing: Placing, count: Count, modules: Numbers) -> int:
    """Count the nodes that a constraint counts in a fill."""
    held, among = holders(placing, count.modules, modules), scope(placing, count)
    return sum(int(np.count_nonzero(held[part] & among[part])) for part in slices(len(held), placing.meter))
