"""Try every module on one node: where each leads to a contradiction by consequences alone, there is no fill.

On a lattice that wraps around, the rules of a sample may leave one choice and decide the rest, so that a size that is
no multiple of the sample's cannot be filled. No window that fits into the lattice shows that; one node tried does.
"""

from __future__ import annotations

import numpy as np

from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.network import Network, Words, unpack

LEAST_WORK, WORK_A_NODE = 100_000, 100
"""How much propagation is worth it, in all. The first module that leads to no contradiction ends it anyway."""


def is_dead_end(network: Network, roots: Words, node: int, meter: Meter) -> bool:
    """Tell whether every module that is possible on a node leads to a contradiction; False if that takes too long."""
    part = meter.part(nodes=max(LEAST_WORK, WORK_A_NODE * network.nodes))
    here = np.array([node])
    for module in np.flatnonzero(unpack(roots[here], network.modules)[0]).tolist():
        filling = Filling.without_choices(network, roots, meter)
        filling.impose(here, np.array([module]))
        empty, reason = filling.propagate(part)
        if empty >= 0:
            continue
        stopped = None if reason is None else meter.stop_reason()
        if stopped is not None:
            raise LimitReached(stopped)
        return False
    return True
