"""Fill without propagating and without ever going back, for comparison.

A node's candidates are filtered by its filled neighbours only when its turn comes; a node with none left is given up,
and the run goes on. On rules that can well be filled this leaves some nodes in a hundred empty.
"""

from __future__ import annotations

import numpy as np

from solvent.core.answer import Cause, Reason
from solvent.engine import driver
from solvent.valency.model import NULL_SLOT, UNSET
from solvent.valency.slices import full, slices
from solvent.valency.solver.draw_kernel import Draws
from solvent.valency.solver.filling import FIRST_CHUNK
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
        network, meter = task.network, task.meter
        meter.require_memory(network.nodes * network.modules / 1e6, "a list of candidates for each node")
        modules = full(network.nodes, UNSET, np.int64, meter)
        candidates = np.empty((network.nodes, network.modules), dtype=np.uint8)
        for part in slices(network.nodes, meter, width=network.modules):
            modules[part][~network.cache.open_nodes[part]] = NULL_SLOT
            candidates[part] = unpack(network.domains[part], network.modules)
        agreements = network.agreements.view(np.uint8)
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
            return int(done), max(1, fill.filled)

        _, task.reason = driver.drive(step, meter, first_chunk=FIRST_CHUNK, listen=task.listen, message="filling")
        if task.reason is None and any((modules[part] < NULL_SLOT).any() for part in slices(len(modules), meter)):
            task.reason = Reason(Cause.INCOMPLETE, "the lazy solver gives nodes up and never goes back")
        return modules
