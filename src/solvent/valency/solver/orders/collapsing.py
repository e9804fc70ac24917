"""Solvers that differ only in which node they collapse next."""

from __future__ import annotations

import numpy as np

from solvent.core.errors import BadOption
from solvent.valency.orbitals import node_positions
from solvent.valency.solver.filling import count_modules
from solvent.valency.solver.orders.frontier import frontier_order
from solvent.valency.solver.task import Modules, Task


class Frontier:
    """Fill outwards from the middle; see `frontier`."""

    name = "frontier"
    title = "grow from the middle, next the node with the most filled neighbours"

    def fill(self, task: Task) -> Modules:
        """Collapse in frontier order."""
        return task.collapse(frontier_order(task.network), balance=task.options.get("balance", True))


class Entropy:
    """Fill the node of least entropy next, as wave function collapse is usually described."""

    name = "entropy"
    title = "next the node with the least to choose from"

    def fill(self, task: Task) -> Modules:
        """Collapse by entropy."""
        return task.collapse(balance=task.options.get("balance", True))


class Scanline:
    """Fill in reading order: from the top down, in each line from the left."""

    name = "scanline"
    title = "line by line, as one reads"

    def fill(self, task: Task) -> Modules:
        """Collapse in the order of z, y, x; nodes at the same place by their number."""
        nodes = np.flatnonzero(task.network.cache.open_nodes)
        x, y, z = node_positions(task.network.staging.cluster)[nodes].T
        order = nodes[np.lexsort((nodes, x, y, z))].astype(np.int32)
        return task.collapse(order, balance=task.options.get("balance", True))


class Priority:
    """Fill in the order of the nodes' priorities: the highest first, or with `invert` the lowest."""

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


class ConstraintFirst:
    """Keep a budget of slots: modules that are wanted a number of times go first, where little else could stand."""

    name = "constraint"
    title = "first what is wanted a number of times, where least else fits; then by entropy"

    def fill(self, task: Task) -> Modules:
        """Collapse by entropy, wanted modules on the tightest nodes first."""
        shuffled = task.shuffled_nodes()
        tightness = count_modules(task.roots)[shuffled]
        placing = shuffled[np.argsort(tightness, kind="stable")]
        return task.collapse(placing=placing, balance=task.options.get("balance", True))


SOLVERS = {solver.name: solver for solver in (Frontier(), Entropy(), Scanline(), Priority(), ConstraintFirst())}
