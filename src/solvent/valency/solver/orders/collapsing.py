"""Solvers that differ only in which node they collapse next."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.valency.orbitals import node_positions
from solvent.valency.solver.filling import count_modules
from solvent.valency.solver.frontier_kernel import Growth
from solvent.valency.solver.network import Network
from solvent.valency.solver.task import Modules, Task


def frontier_order(network: Network) -> npt.NDArray[np.int32]:
    """Return all open nodes, from the middle outwards: always next the node with the most neighbours before it.

    The filled part stays round and without gaps, so no node is ever closed in from two sides by choices that know
    nothing of each other. That is why scanning a grid line by line succeeds where filling by entropy does not; this is
    the same for any graph, and since it grows in all directions at once, what the first choices prefer does not drift
    to one side.
    """
    open_nodes = np.flatnonzero(network.cache.open_nodes)
    positions = node_positions(network.staging.cluster)[open_nodes]
    if len(open_nodes) == 0:
        return np.empty(0, dtype=np.int32)
    middle = (positions.min(axis=0) + positions.max(axis=0)) / 2
    away = positions - middle
    away = away[:, 0] * away[:, 0] + away[:, 1] * away[:, 1] + away[:, 2] * away[:, 2]
    starts = open_nodes[np.lexsort((open_nodes, away))].astype(np.int32)
    order = np.zeros(len(open_nodes), dtype=np.int32)
    before = np.where(network.cache.open_nodes, 0, -1).astype(np.int64)  # the others have no place in the order
    edges = int((network.near_end - network.arc_start[:-1]).sum())
    Growth(network.arcs, before.data, order.data, edges).grow(starts.data)
    return order


class Frontier:
    """Fill outwards from the middle; see `frontier_order`."""

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
