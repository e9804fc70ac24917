"""Keep a budget of slots: modules that are wanted a number of times go first, where little else could stand."""

from __future__ import annotations

import numpy as np

from solvent.valency.solver.filling import count_modules
from solvent.valency.solver.task import Modules, Task


class ConstraintFirst:
    """Place what is wanted, then fill by entropy."""

    name = "constraint"
    title = "first what is wanted a number of times, where least else fits; then by entropy"

    def fill(self, task: Task) -> Modules:
        """Collapse by entropy, wanted modules on the tightest nodes first."""
        shuffled = task.shuffled_nodes()
        tightness = count_modules(task.roots)[shuffled]
        placing = shuffled[np.argsort(tightness, kind="stable")]
        return task.collapse(placing=placing, balance=task.options.get("balance", True))


SOLVER = ConstraintFirst()
