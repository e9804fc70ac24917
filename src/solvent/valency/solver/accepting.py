"""Make something sound of what a solver gives: it may be anyone's, and wrong in any way."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption, show_value
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE
from solvent.valency.solver.network import Network, unpack

Modules = npt.NDArray[np.int64]


def accept_modules(network: Network, solver: str, given: Any) -> Modules:
    """Return what a solver gave as modules; what may not stand on its node is UNSET. Raises BadOption on nonsense."""
    modules = np.asarray(given)
    if modules.shape != (network.nodes,) or not np.issubdtype(modules.dtype, np.integer):
        raise BadOption(
            f"solver {solver!r}: expected a row of {network.nodes} whole numbers from fill, "
            f"found {show_value(given) if modules.ndim != 1 else f'{len(modules)} of type {modules.dtype}'}"
        )
    modules = modules.astype(np.int64)
    open_nodes = network.cache.open_nodes
    strange = (modules >= network.modules) | ((modules < 0) & (modules != UNSOLVABLE))
    modules[strange] = UNSET
    held = np.flatnonzero(open_nodes & (modules >= 0))
    may = unpack(network.domains[held], network.modules)[np.arange(len(held)), modules[held]]
    modules[held[~may]] = UNSET
    modules[~open_nodes] = NULL_SLOT
    return modules


def accept_order(network: Network, given: Any) -> npt.NDArray[np.int32]:
    """Return an order of all open nodes: the given one, each node once, and then those it leaves out."""
    order = np.asarray(given)
    if order.ndim != 1 or not (np.issubdtype(order.dtype, np.integer) or order.size == 0):
        raise BadOption(f"collapse: expected an order of nodes as a row of whole numbers, found {show_value(given)}")
    wrong = (order < 0) | (order >= network.nodes)
    if wrong.any():
        raise BadOption(f"collapse: expected nodes from 0 to {network.nodes - 1}, found {order[np.argmax(wrong)]}")
    named = np.zeros(network.nodes, dtype=np.bool_)
    named[order.astype(np.int64)] = True
    open_nodes = network.cache.open_nodes
    if len(order) == np.count_nonzero(open_nodes) and np.array_equal(named, open_nodes):
        return order.astype(np.int32)  # each of them once
    _, first = np.unique(order, return_index=True)
    order = order[np.sort(first)]
    order = order[open_nodes[order.astype(np.int64)]]
    missing = open_nodes.copy()
    missing[order.astype(np.int64)] = False
    return np.concatenate([order, np.flatnonzero(missing)]).astype(np.int32)


def empty_what_disagrees(network: Network, modules: Modules) -> None:
    """Empty nodes until all that are filled agree with each other, and no node is only unset."""
    modules[network.cache.open_nodes & (modules < 0)] = UNSOLVABLE
    source = np.repeat(np.arange(network.nodes), np.diff(network.arc_start))
    first, second = modules[source], modules[network.arc_target]
    both = np.flatnonzero((first >= 0) & (second >= 0))
    clash = both[~network.agreements[network.arc_kind[both], first[both], second[both]]]
    for node, other in zip(source[clash].tolist(), network.arc_target[clash].tolist(), strict=True):
        if modules[node] >= 0 and modules[other] >= 0:
            modules[max(node, other)] = UNSOLVABLE
