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
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, show_value
from solvent.core.events import Listener, ignore
from solvent.engine.random import ALL_BITS, after_draws, scramble
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE
from solvent.valency.slices import distinct, first_of_each, gathered, joined, slices, stable_order, where_true
from solvent.valency.solver.collapse_kernel import STUCK
from solvent.valency.solver.filling import Filling, FillManner, Watch
from solvent.valency.solver.network import Network, Words
from solvent.valency.solver.shaking import shake_free

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
    watch: Watch | None = None
    """Who looks at a collapse in progress, if somebody does."""
    attempt: int = 0
    """How often this was tried before; choices differ from one attempt to the next."""
    filling: Filling | None = None
    """The last collapse, to go on from."""
    status: int | None = None
    """How it ended; see `collapse_kernel`."""
    reason: Reason | None = None
    """Why it was cut short, if it was."""
    seeds: npt.NDArray[np.uint64] | None = None
    """The seed of each region, once it was asked for."""

    def region_seeds(self) -> npt.NDArray[np.uint64]:
        """Return the seed of each region; entry 0 is for nodes in none."""
        if self.seeds is None:
            regions = self.meter.each(self.network.staging.regions)
            seeds = [self.seed, *(self.seed if one.seed is None else one.seed for one in regions)]
            self.seeds = np.array([_first_draw(seed) for seed in self.meter.each(seeds)], dtype=np.uint64)
        return self.seeds

    def shuffled_nodes(self) -> npt.NDArray[np.int32]:
        """Return all open nodes in an order that the seed and the attempt decide."""
        nodes = where_true(self.network.cache.open_nodes, self.meter)
        key = _first_draw(self.seed * 2 + 1) ^ self.attempt
        hashes = np.empty(len(nodes), dtype=np.uint64)
        for part in slices(len(nodes), self.meter):
            hashed = (nodes[part].astype(np.uint64) + np.uint64(1)) * np.uint64(key | 1)
            hashed ^= hashed >> np.uint64(29)
            hashes[part] = hashed * np.uint64(0xBF58476D1CE4E5B9)
        return gathered(nodes, stable_order(hashes, self.meter), self.meter).astype(np.int32)

    def collapse(
        self,
        order: npt.NDArray[np.integer[Any]] | None = None,
        *,
        placing: npt.NDArray[np.int32] | None = None,
        balance: bool = True,
    ) -> Modules:
        """Fill the network node by node: in this order, or by entropy without one. Contradictions are mended nearby.

        `placing` says where modules that are wanted a number of times are tried first; by default anywhere. With
        `balance`, frequencies are steered towards the weights.
        """
        if order is not None:
            order = accept_order(self.network, order, self.meter)
        wanted = any(bound.least > 0 for bound in self.network.count_bounds)
        if wanted and placing is None:
            placing = self.shuffled_nodes()
        self.filling = Filling(
            self.network,
            seeds=self.region_seeds(),
            roots=self.roots,
            order=order,
            placing=placing if wanted else None,
            manner=FillManner(self.attempt, bool(self.options.get("repair", True)), balance),
            meter=self.meter,
        )
        self.filling.look_at_all(self.meter)
        self.status, self.reason = self.filling.run(self.meter, self.listen, self.watch)
        if self.status == STUCK:
            self.status, self.reason = shake_free(self.filling, self.meter, self.listen, self.watch)
        return self._unset() if self.reason is not None else self.filling.modules(self.meter)

    def _unset(self) -> Modules:
        """Return no modules at all: what stops for want of time shall not take time for what nobody looks at."""
        return np.broadcast_to(np.int64(UNSET), self.network.nodes)


def _first_draw(seed: int) -> int:
    """Return the first random word that a seed gives."""
    return scramble(after_draws(seed & ALL_BITS, 1))


@runtime_checkable
class Solver(Protocol):
    """Fill a network. Register one with the entry point group `solvent.valency_solvers`, or with `register`."""

    @property
    def name(self) -> str:
        """Return what `--solver` calls it."""

    @property
    def title(self) -> str:
        """Return what it does, in one line."""

    def fill(self, task: Task) -> Modules:
        """Return the module of each node; a negative number where it has none to offer.

        What does not agree is mended, and what is missing filled, unless the solver has `gives_up = True`.
        """


def accept_modules(network: Network, solver: str, given: Any, meter: Meter = UNLIMITED) -> Modules:
    """Return what a solver gave as modules; what may not stand on its node is UNSET. Raises BadOption on nonsense."""
    offered = np.asarray(given)
    if offered.shape != (network.nodes,) or not np.issubdtype(offered.dtype, np.integer):
        raise BadOption(
            f"solver {solver!r}: expected a row of {network.nodes} whole numbers from fill, "
            f"found {show_value(given) if offered.ndim != 1 else f'{len(offered)} of type {offered.dtype}'}"
        )
    modules = np.empty(network.nodes, dtype=np.int64)
    for part in slices(network.nodes, meter, width=network.words):
        some = offered[part].astype(np.int64)
        some[(some >= network.modules) | ((some < 0) & (some != UNSOLVABLE))] = UNSET
        number = np.maximum(some, 0)
        words = network.domains[part][np.arange(len(some)), number >> 6]
        may = (words >> (number & 63).astype(np.uint64)) & np.uint64(1) != 0
        some[(some >= 0) & ~may] = UNSET
        some[~network.cache.open_nodes[part]] = NULL_SLOT
        modules[part] = some
    return modules


def accept_order(network: Network, given: Any, meter: Meter = UNLIMITED) -> npt.NDArray[np.int32]:
    """Return an order of all open nodes: the given one, each node once, and then those it leaves out."""
    order = np.asarray(given)
    if order.ndim != 1 or not (np.issubdtype(order.dtype, np.integer) or order.size == 0):
        raise BadOption(f"collapse: expected an order of nodes as a row of whole numbers, found {show_value(given)}")
    first = np.zeros(network.nodes, dtype=np.bool_)
    kept = []
    for part in slices(len(order), meter):
        some = order[part]
        wrong = (some < 0) | (some >= network.nodes)
        if wrong.any():
            raise BadOption(f"collapse: expected nodes from 0 to {network.nodes - 1}, found {some[np.argmax(wrong)]}")
        some = some.astype(np.int64)
        some = some[network.cache.open_nodes[some] & ~first[some]]
        if len(distinct(some)) < len(some):
            some = some[np.sort(first_of_each(some))]
        kept.append(some.astype(np.int32))
        first[some] = True
    for part in slices(network.nodes, meter):
        missing = np.flatnonzero(network.cache.open_nodes[part] & ~first[part])
        kept.append((part.start + missing).astype(np.int32))
    return joined(kept, np.int32, meter)


def empty_what_disagrees(network: Network, modules: Modules, meter: Meter = UNLIMITED) -> None:
    """Empty nodes until all that are filled agree with each other, and no node is only unset."""
    for part in slices(network.nodes, meter):
        modules[part][network.cache.open_nodes[part] & (modules[part] < 0)] = UNSOLVABLE
    for part in slices(network.nodes, meter, width=1 + len(network.arc_target) // max(1, network.nodes)):
        arcs = slice(network.arc_start[part.start], network.arc_start[part.stop])
        source = np.repeat(np.arange(part.start, part.stop), np.diff(network.arc_start[part.start : part.stop + 1]))
        target = network.arc_target[arcs]
        first, second = modules[source], modules[target]
        both = np.flatnonzero((first >= 0) & (second >= 0))
        clash = both[~network.agreements[network.arc_kind[arcs][both], first[both], second[both]]]
        for node, other in zip(source[clash].tolist(), target[clash].tolist(), strict=True):
            if modules[node] >= 0 and modules[other] >= 0:
                modules[max(node, other)] = UNSOLVABLE
