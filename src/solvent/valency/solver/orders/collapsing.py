"""Solvers that differ only in which node they collapse next."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption
from solvent.valency.model import Graph
from solvent.valency.orbitals import positions_of
from solvent.valency.slices import gathered, row_of, run_through, slices, stable_order, where_true
from solvent.valency.solver.filling import count_modules
from solvent.valency.solver.frontier_kernel import Growth
from solvent.valency.solver.network import Network
from solvent.valency.solver.task import Modules, Task

STEPS = 1 << 17
"""How many nodes are put in order before the next look at the limits."""


def frontier_order(network: Network, meter: Meter = UNLIMITED) -> npt.NDArray[np.int32]:
    """Return all open nodes, from the middle outwards: always next the node with the most neighbours before it.

    The filled part stays round and without gaps, so no node is ever closed in from two sides by choices that know
    nothing of each other. That is why scanning a grid line by line succeeds where filling by entropy does not; this is
    the same for any graph, and since it grows in all directions at once, what the first choices prefer does not drift
    to one side.
    """
    cluster = network.staging.cluster
    open_nodes = where_true(network.cache.open_nodes, meter)
    if len(open_nodes) == 0:
        return np.empty(0, dtype=np.int32)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for part in slices(len(open_nodes), meter):
        positions = positions_of(cluster, open_nodes[part])
        low, high = np.minimum(low, positions.min(axis=0)), np.maximum(high, positions.max(axis=0))
    distances = np.empty(len(open_nodes))
    for part in slices(len(open_nodes), meter):
        away = positions_of(cluster, open_nodes[part]) - (low + high) / 2
        distances[part] = away[:, 0] * away[:, 0] + away[:, 1] * away[:, 1] + away[:, 2] * away[:, 2]
    starts = gathered(open_nodes, stable_order(distances, meter), meter).astype(np.int32)
    order = np.zeros(len(open_nodes), dtype=np.int32)
    before = np.empty(network.nodes, dtype=np.int32)
    edges = 0
    for part in slices(network.nodes, meter):
        before[part] = np.where(network.cache.open_nodes[part], 0, -1)  # the others have no place in the order
        edges += int((network.near_end[part] - network.arc_start[part]).sum())
    growth = Growth(network.arcs, before.data, order.data, edges, starts.data)
    run_through(growth.run, meter, STEPS)
    return order


class Frontier:
    """Fill outwards from the middle; see `frontier_order`."""

    name = "frontier"
    title = "grow from the middle, next the node with the most filled neighbours"

    def fill(self, task: Task) -> Modules:
        """Collapse in frontier order."""
        return task.collapse(frontier_order(task.network, task.meter), balance=task.options.get("balance", True))


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
        meter, cluster = task.meter, task.network.staging.cluster
        order = where_true(task.network.cache.open_nodes, meter)
        if isinstance(cluster, Graph):  # the cells of a lattice are numbered that way
            for axis in range(3):  # sorting keeps the order of what is equal, so the axis that matters most comes last
                values = np.empty(len(order))
                for part in slices(len(order), meter):
                    values[part] = cluster.positions[order[part], axis]
                order = gathered(order, stable_order(values, meter), meter)
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
        meter = task.meter
        order = frontier_order(task.network, meter)
        values = gathered(row_of(priorities, np.float64, meter), order, meter)
        values *= 1.0 if task.options.get("invert") else -1.0
        order = gathered(order, stable_order(values, meter), meter)
        return task.collapse(order, balance=task.options.get("balance", True))


class ConstraintFirst:
    """Keep a budget of slots: modules that are wanted a number of times go first, where little else could stand."""

    name = "constraint"
    title = "first what is wanted a number of times, where least else fits; then by entropy"

    def fill(self, task: Task) -> Modules:
        """Collapse by entropy, wanted modules on the tightest nodes first."""
        shuffled = task.shuffled_nodes()
        tightness = gathered(count_modules(task.roots, task.meter), shuffled, task.meter)
        placing = gathered(shuffled, stable_order(tightness, task.meter), task.meter)
        return task.collapse(placing=placing, balance=task.options.get("balance", True))


SOLVERS = {solver.name: solver for solver in (Frontier(), Entropy(), Scanline(), Priority(), ConstraintFirst())}
