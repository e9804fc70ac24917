"""Grow from the middle: always next the node with the most neighbours filled before it.

The filled part stays round and without gaps, so no node is ever closed in from two sides by choices that know nothing
of each other. That is why scanning a grid line by line succeeds where filling by entropy does not; this is the same for
any graph, and since it grows in all directions at once, what the first choices prefer does not drift to one side.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.orbitals import node_positions
from solvent.valency.solver.frontier_kernel import Growth
from solvent.valency.solver.network import Network


def frontier_order(network: Network) -> npt.NDArray[np.int32]:
    """Return all open nodes, from the middle outwards."""
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
