"""Fill by priority: the highest first, or with `invert` the lowest."""

from __future__ import annotations

import numpy as np

from solvent.core.errors import BadOption
from solvent.valency.solver.orders.frontier import frontier_order
from solvent.valency.solver.task import Modules, Task


class Priority:
    """Fill in the order of the nodes' priorities."""

    name = "priority"
    title = "by the priority of each node, the highest first"

    def fill(self, task: Task) -> Modules:
        """Collapse by priority; equal ones from the middle outwards."""
        priorities = task.network.staging.priorities
        if not priorities:
            raise BadOption("the priority solver needs priorities; this task gives its nodes none")
        order = frontier_order(task.network)
        values = np.array(priorities, dtype=np.float64)[order]
        sign = 1.0 if task.options.get("invert") else -1.0
        return task.collapse(order[np.argsort(sign * values, kind="stable")], balance=task.options.get("balance", True))


SOLVER = Priority()
