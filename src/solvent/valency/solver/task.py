"""What a solver is given, and what a solver is.

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
from solvent.core.events import Listener, ignore
from solvent.engine.random import ALL_BITS, after_draws, scramble
from solvent.valency.solver.accepting import accept_order
from solvent.valency.solver.filling import Filling
from solvent.valency.solver.network import Network, Words

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
