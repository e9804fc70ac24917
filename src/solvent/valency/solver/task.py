"""What a solver is given, what a solver is, and something sound made of what it gives.

A solver fills a network as far as it can. Whatever it leaves open or gets wrong is mended afterwards, and nothing it
says is believed before it was checked; so a solver of one's own can be as simple as an order of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.errors import BadOption, show_value
from solvent.core.events import Listener, ignore
from solvent.engine.random import ALL_BITS, after_draws, scramble
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.network import Network, Words, unpack

Modules = npt.NDArray[np.int64]


class Task(Struct, eq=False):
    """Hold one call of a solver: the network, where choices come from, and what may be spent."""

    network: Network
    roots: Words
    """What is possible on each node before anything is chosen; shape (nodes, words)."""
    seed: int
    meter: Meter
    options: Mapping[str, Any] = field(default_factory=dict)
    listen: Listener = ignore
    attempt: int = 0
    """How often this was tried before; choices differ from one attempt to the next."""
    filling: Filling | None = None
    """The last collapse, to go on from."""
    status: int | None = None
    """How it ended; see `collapse_kernel`."""
    reason: Reason | None = None
    """Why it was cut short, if it was."""

    def region_seeds(self) -> npt.NDArray[np.uint64]:
        """Return the seed of each region; entry 0 is for nodes in none."""
        seeds = [self.seed, *(self.seed if one.seed is None else one.seed for one in self.network.staging.regions)]
        return np.array([_first_draw(seed) for seed in seeds], dtype=np.uint64)

    def shuffled_nodes(self) -> npt.NDArray[np.int32]:
        """Return all open nodes in an order that the seed and the attempt decide."""
        nodes = np.flatnonzero(self.network.cache.open_nodes)
        key = _first_draw(self.seed * 2 + 1) ^ self.attempt
        hashed = (nodes.astype(np.uint64) + np.uint64(1)) * np.uint64(key | 1)
        hashed ^= hashed >> np.uint64(29)
        hashed *= np.uint64(0xBF58476D1CE4E5B9)
        return nodes[np.lexsort((nodes, hashed))].astype(np.int32)

    def collapse(
        self,
        order: npt.NDArray[np.int32] | None = None,
        *,
        placing: npt.NDArray[np.int32] | None = None,
        balance: bool = True,
    ) -> Modules:
        """Fill the network node by node: in this order, or by entropy without one. Contradictions are mended nearby.

        `placing` says where modules that are wanted a number of times are tried first; by default anywhere. With
        `balance`, frequencies are steered towards the weights.
        """
        if order is not None:
            order = accept_order(self.network, order)
        wanted = any(bound.least > 0 for bound in self.network.count_bounds)
        if wanted and placing is None:
            placing = self.shuffled_nodes()
        self.filling = Filling(
            self.network,
            seeds=self.region_seeds(),
            roots=self.roots,
            order=order,
            placing=placing if wanted else None,
            attempt=self.attempt,
            repair=bool(self.options.get("repair", True)),
            balance=balance,
        )
        self.filling.look_at(np.flatnonzero(self.filling.sizes > 0))
        self.status, self.reason = self.filling.run(self.meter, self.listen)
        return self.filling.modules()


def _first_draw(seed: int) -> int:
    """Return the first random word that a seed gives."""
    return scramble(after_draws(seed & ALL_BITS, 1))


@runtime_checkable
class Solver(Protocol):
    """Fill a network. Register one with the entry point group `solvent.valency_solvers`, or with `register`."""

    name: str
    """What `--solver` calls it."""
    title: str
    """What it does, in one line."""

    def fill(self, task: Task) -> Modules:
        """Return the module of each node; a negative number where it has none to offer.

        What does not agree is mended, and what is missing filled, unless the solver has `gives_up = True`.
        """


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
