"""Fill by entropy: next the node with the least to choose from, as wave function collapse is usually told."""

from __future__ import annotations

from solvent.valency.solver.task import Modules, Task


class Entropy:
    """Fill the node of least entropy next."""

    name = "entropy"
    title = "next the node with the least to choose from"

    def fill(self, task: Task) -> Modules:
        """Collapse by entropy."""
        return task.collapse(balance=task.options.get("balance", True))


SOLVER = Entropy()
