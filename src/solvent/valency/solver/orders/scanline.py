"""Fill line by line: from the top down, in each line from the left."""

from __future__ import annotations

import numpy as np

from solvent.valency.orbitals import node_positions
from solvent.valency.solver.task import Modules, Task


class Scanline:
    """Fill in reading order."""

    name = "scanline"
    title = "line by line, as one reads"

    def fill(self, task: Task) -> Modules:
        """Collapse in the order of z, y, x; nodes at the same place by their number."""
        nodes = np.flatnonzero(task.network.cache.open_nodes)
        x, y, z = node_positions(task.network.staging.cluster)[nodes].T
        order = nodes[np.lexsort((nodes, x, y, z))].astype(np.int32)
        return task.collapse(order, balance=task.options.get("balance", True))


SOLVER = Scanline()
