"""Fill without propagating and without ever going back, for comparison.

A node's candidates are filtered by its filled neighbours only when its turn comes; a node with none left is given up,
and the run goes on. On rules that can well be filled this leaves some nodes in a hundred empty.
"""

from __future__ import annotations

import numpy as np

from solvent.core.answer import Cause, Reason
from solvent.engine import driver
from solvent.valency.model import NULL_SLOT, UNSET
from solvent.valency.solver.draw_kernel import Draws
from solvent.valency.solver.lazy_kernel import LazyFill
from solvent.valency.solver.network import unpack
from solvent.valency.solver.task import Modules, Task


class Lazy:
    """Fill node by node, looking at filled neighbours only, and give up where nothing fits."""

    name = "lazy"
    title = "look at filled neighbours only and never go back; for comparison"
    gives_up = True

    def fill(self, task: Task) -> Modules:
        """Return the fill; UNSOLVABLE where it gave up."""
        network = task.network
        modules = np.full(network.nodes, UNSET, dtype=np.int64)
        modules[~network.cache.open_nodes] = NULL_SLOT
        candidates = unpack(network.domains, network.modules).astype(np.uint8)
        agreements = network.agreements.astype(np.uint8)
        draws = Draws(task.region_seeds().data, network.nodes, 0)
        fill = LazyFill(
            network.arcs,
            network.region_weights,
            draws,
            agreements.data,
            modules.data,
            candidates.data,
        )

        def step(limit: int) -> tuple[int, int]:
            done = fill.run(limit)
            return int(done), fill.filled

        _, task.reason = driver.drive(step, task.meter, listen=task.listen, message="filling")
        if task.reason is None and (modules < NULL_SLOT).any():
            task.reason = Reason(Cause.INCOMPLETE, "the lazy solver gives nodes up and never goes back")
        return modules
