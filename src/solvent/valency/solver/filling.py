"""A fill in progress: the records of the collapse with the memory behind them, and how to drive it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Budget, Meter
from solvent.core.events import Listener, ignore
from solvent.engine import driver
from solvent.valency.distinct import distinct
from solvent.valency.model import NULL_SLOT, UNSET, Staging
from solvent.valency.rules import Truths
from solvent.valency.solver.choose_kernel import Choosing
from solvent.valency.solver.collapse_kernel import (
    CONTRADICTION,
    FILLED,
    HEAP_FULL,
    OUT_OF_BOUNDS,
    STUCK,
    WORKING,
    Collapse,
)
from solvent.valency.solver.count_bounds_kernel import MUST_HOLD, CountBounds
from solvent.valency.solver.draw_kernel import Draws
from solvent.valency.solver.mend_kernel import Surroundings
from solvent.valency.solver.network import Network, Words, boot_once, pack, put_modules, unpack
from solvent.valency.solver.propagate_kernel import Fill

__all__ = ["CONTRADICTION", "FILLED", "OUT_OF_BOUNDS", "STUCK", "Filling"]

NARROWEST, WIDEST = 2, 7
"""How far around a contradiction nodes start again: at first, and before something stronger is tried."""
FRINGE = 2
"""How much further out open nodes belong to a window."""


class Filling:
    """Hold what is known about each node while a network is being filled.

    Kernels work in the same memory as the arrays here, so none of these may be replaced. Records that only choosing or
    mending needs are made when that begins: many fillings only draw consequences.
    """

    def __init__(
        self,
        network: Network,
        *,
        seeds: npt.NDArray[np.uint64],
        roots: Words | None = None,
        order: npt.NDArray[np.int32] | None = None,
        placing: npt.NDArray[np.int32] | None = None,
        attempt: int = 0,
        repair: bool = True,
        balance: bool = True,
    ) -> None:
        """Begin with everything possible, or with `roots`. Without an order the node of least entropy comes next.

        `placing` says where modules that are wanted a number of times are tried first.
        """
        nodes = network.nodes
        self.network = network
        self.roots: Words = (network.domains if roots is None else roots).copy()
        self._loosened = False
        self.domains = self.roots.copy()
        self.sizes = count_modules(self.roots)
        self.settled = np.full(nodes, -1, dtype=np.int32)
        self.filled_at = np.zeros(nodes, dtype=np.int32)
        self.counts = np.zeros((len(network.weights), network.modules + 1), dtype=np.int64)
        self.failures = np.zeros(nodes, dtype=np.int32)
        self._ball = np.zeros(nodes, dtype=np.int32)
        self._away = np.zeros(nodes, dtype=np.int32)
        self._bound_states = np.zeros((len(network.count_bounds), nodes), dtype=np.uint8)
        self._fill = Fill(
            network.arcs,
            network.region_weights,
            self.domains.data,
            self.sizes.data,
            self.settled.data,
            self.filled_at.data,
            self.counts.data,
        )
        self._seeds = seeds
        self._order = order
        self._placing = placing
        self._attempt = attempt
        self._repair = repair
        self._balance = balance

    @classmethod
    def without_choices(cls, network: Network, roots: Words | None = None) -> Filling:
        """Prepare to draw consequences only: nothing is chosen, so no seed matters."""
        seeds = np.zeros(len(network.weights), dtype=np.uint64)
        return cls(network, seeds=seeds, roots=roots, order=_NO_NODES)

    @cached_property
    def _choosing(self) -> Choosing:
        draws = Draws(self._seeds.data, self.network.nodes, self._attempt)
        order = _NO_NODES if self._order is None else self._order
        return Choosing(self._fill, draws, order.data, self._order is None, self._balance)

    @cached_property
    def _surroundings(self) -> Surroundings:
        surroundings = Surroundings(
            self._choosing, self.roots.data, self.failures.data, self._ball.data, self._away.data
        )
        surroundings.allow_radius(NARROWEST, WIDEST)
        return surroundings

    @cached_property
    def _count_bounds(self) -> CountBounds:
        count_bounds = self.network.count_bounds
        if not count_bounds:
            return CountBounds(
                self._fill, _NO_SETS.data, _NO_STATES.data, _NO_BOUNDS.data, _NO_STATES.data, _NO_NODES.data
            )
        modules = pack(np.stack([bound.modules for bound in count_bounds]))
        scope = np.stack([bound.scope for bound in count_bounds]).astype(np.uint8)
        bounds = np.array([(bound.least, bound.most) for bound in count_bounds], dtype=np.int64)
        placing = _NO_NODES if self._placing is None else self._placing
        return CountBounds(self._fill, modules.data, scope.data, bounds.data, self._bound_states.data, placing.data)

    @cached_property
    def _collapse(self) -> Collapse:
        return Collapse(self._surroundings, self._count_bounds, self._repair)

    def look_at(self, nodes: npt.NDArray[np.int64]) -> None:
        """Have the arcs of these nodes looked at."""
        self._fill.look_at(nodes.data)

    def look_at_all(self) -> None:
        """Have the arcs of every open node looked at."""
        self.look_at(np.flatnonzero(self.network.cache.open_nodes))

    def propagate(self, meter: Meter) -> tuple[int, Reason | None]:
        """Draw all consequences without choosing; returns the node that is left with nothing, or -1."""
        failed = -1

        def step(limit: int) -> tuple[int, int]:
            nonlocal failed
            failed = self._fill.draw_consequences(limit)
            done = failed >= 0 or self._fill.queue_length == 0
            return int(done), self._fill.work

        _, reason = driver.drive(step, meter)
        if failed >= 0:
            self._fill.clear_queue()
        return failed, reason

    def run(self, meter: Meter, listen: Listener = ignore) -> tuple[int, Reason | None]:
        """Choose and propagate on; returns how it ended, or WORKING with the reason it stopped."""
        collapse = self._collapse

        def step(limit: int) -> tuple[int, int]:
            status = collapse.run(limit)
            if status == HEAP_FULL:
                self._choosing.grow_heap()
                status = WORKING
            return status, max(1, self._fill.work)

        return driver.drive(step, meter, listen=listen, message="filling")

    @property
    def place(self) -> int:
        """Return the node of the last contradiction, or the number of the bound that cannot be kept."""
        place: int = self._collapse.place
        return place

    @property
    def last_choice(self) -> int:
        """Return the node that was chosen last."""
        return self._choosing.last

    @property
    def choices(self) -> int:
        """Return how many choices were made."""
        return self._fill.choices

    @property
    def removed(self) -> int:
        """Return how many modules were taken away from nodes."""
        return self._fill.removed

    @property
    def repairs(self) -> int:
        """Return how many contradictions were met."""
        return self._surroundings.repairs

    def held_for(self, bound: int) -> npt.NDArray[np.bool_]:
        """Return which nodes were found to hold a module that a bound counts."""
        held: npt.NDArray[np.bool_] = self._bound_states[bound] == MUST_HOLD
        return held

    def around(self, place: int, radius: int) -> npt.NDArray[np.int64]:
        """Return the open nodes within some edges of a node, nearest first."""
        count = self._surroundings.gather(place, radius)
        nodes = self._ball[:count].astype(np.int64)
        return nodes[self.network.cache.open_nodes[nodes]]

    def window(self, place: int, radius: int) -> npt.NDArray[np.int64]:
        """Return the nodes within some edges of a node, and the open ones a little further out, sorted.

        An open node is narrowed by those beside it; leaving it out would let them forget it.
        """
        nodes = self.around(place, radius + FRINGE)
        return np.sort(nodes[(self._away[nodes] <= radius) | (self.sizes[nodes] > 1)])

    def start_again(self, nodes: npt.NDArray[np.int64]) -> None:
        """Give nodes back what they began with, and whatever they had narrowed; all of it is looked at again."""
        self._surroundings.start_again(nodes.data)

    def impose(self, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64]) -> None:
        """Settle nodes on modules, whatever stood there before."""
        self.start_again(nodes)
        put_modules(self.domains, nodes, modules)
        self.sizes[nodes] = 1
        self.settled[nodes] = modules
        regions = self.network.region_of[nodes]
        np.add.at(self.counts, (regions, modules), 1)
        np.add.at(self.counts[:, -1], regions, 1)
        self.filled_at[nodes] = self.choices

    def leave_out(self, node: int) -> None:
        """Have a node hold nothing and ask nothing of its neighbours, which start again, as does what has nothing."""
        if not self._loosened:
            # What follows from all nodes need not follow without this one; what nodes hold by themselves still does.
            left_out = (self.roots == 0).all(axis=1)
            self.roots[:] = self.network.domains
            self.roots[left_out] = 0
            self._loosened = True
        self.roots[node] = 0
        network = self.network
        near = network.arc_target[network.arc_start[node] : network.arc_start[node + 1]].astype(np.int64)
        empty = np.flatnonzero((self.sizes == 0) & (self.roots != 0).any(axis=1))
        again = [near[self.sizes[near] != 1], empty, np.array([node])]
        for place in empty.tolist():
            again.append(self.around(place, NARROWEST))
        self.start_again(distinct(np.concatenate(again)))

    def modules(self) -> npt.NDArray[np.int64]:
        """Return the module on each node: UNSET where several are possible or none, NULL_SLOT on null slots."""
        modules: npt.NDArray[np.int64] = unpack(self.domains, self.network.modules).argmax(axis=1)
        modules[self.sizes != 1] = UNSET
        modules[~self.network.cache.open_nodes] = NULL_SLOT
        return modules


def count_modules(domains: Words) -> npt.NDArray[np.int32]:
    """Return how many modules each row of words holds."""
    data = np.ascontiguousarray(domains).view(np.uint8)
    counted: npt.NDArray[np.int32] = _BITS_IN_BYTE[data].sum(axis=1, dtype=np.int32)
    return counted


_BITS_IN_BYTE = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
_NO_NODES = np.zeros(0, dtype=np.int32)
_NO_SETS = np.zeros((0, 1), dtype=np.uint64)
_NO_STATES = np.zeros((0, 1), dtype=np.uint8)
_NO_BOUNDS = np.zeros((0, 2), dtype=np.int64)


def count_candidates(staging: Staging) -> list[int]:
    """Return how many modules are possible on each node once all consequences are drawn; 0 on null slots.

    Where a node is left with nothing, that is as far as it goes: the node has 0, and others may have too many.
    """
    counted: list[int] = _propagated(staging).sizes.tolist()
    return counted


def find_candidates(staging: Staging) -> Truths:
    """Return which modules are possible on each node, shape (nodes, modules), as `count_candidates` counts them."""
    return unpack(_propagated(staging).domains, len(staging.rules.modules))


def _propagated(staging: Staging) -> Filling:
    network = boot_once(staging)
    filling = Filling.without_choices(network)
    if not (network.cache.open_nodes & (filling.sizes == 0)).any():
        filling.look_at_all()
        filling.propagate(Budget().start())
    return filling
