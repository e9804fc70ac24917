"""Try one order after the other, and learn which pays on the task at hand.

No order is best everywhere, least of all on lattices that wrap around, where whatever grows meets itself in the end. A
collapse is short beside what mending a bad one takes, so each order is tried first; from then on those come first that
got furthest. What is counted is nodes, not seconds: the same task and seed try the same orders.
"""

from __future__ import annotations

import numpy as np

from solvent.core.budget import Meter
from solvent.valency.model import UNSET
from solvent.valency.slices import slices
from solvent.valency.solver.orders.collapsing import SOLVERS
from solvent.valency.solver.task import Modules, Solver, Task

MAX_NODES_TO_START_AGAIN = 20_000
"""On more nodes than this a collapse hardly ever succeeds where it did not the first time: it is mended instead."""
ROUNDS = 1
"""How often each order is tried before windows are filled by proof search."""


class Portfolio:
    """Collapse in the order that did best so far. Each task has its own."""

    title = "one order after the other, until one pays"

    def __init__(self, orders: tuple[str, ...]) -> None:
        """Take the names of orders, the most promising first."""
        self.orders: list[Solver] = [SOLVERS[name] for name in orders]
        self.current = self.orders[0]
        self.filled: dict[str, list[float]] = {name: [] for name in orders}
        """Which share of the nodes each order filled, each time that it was tried."""

    @property
    def name(self) -> str:
        """Return the order that was tried last."""
        return self.current.name

    def tries(self, nodes: int) -> int:
        """Return how many attempts are worth it before one is mended."""
        return 1 if nodes > MAX_NODES_TO_START_AGAIN else ROUNDS * len(self.orders)

    def fill(self, task: Task) -> Modules:
        """Collapse in the order whose turn it is."""
        self.current = self._next()
        modules = self.current.fill(task)
        if task.reason is None:
            self.filled[self.name].append(_share_filled(modules, task.meter))
        return modules

    def _next(self) -> Solver:
        """Return the order that was tried least; of several, the one that got furthest on average."""
        return min(self.orders, key=lambda order: (len(self.filled[order.name]), -self._mean(order.name)))

    def _mean(self, name: str) -> float:
        shares = self.filled[name]
        return sum(shares) / len(shares) if shares else 0.0


def _share_filled(modules: Modules, meter: Meter) -> float:
    """Return the share of nodes that are not open any more."""
    unset = sum(int(np.count_nonzero(modules[part] == UNSET)) for part in slices(len(modules), meter))
    return 1.0 - unset / max(1, len(modules))
