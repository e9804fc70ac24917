"""A fill in progress: the records of the collapse with the memory behind them, and how to drive it."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.core.events import Listener, ignore
from solvent.engine import driver
from solvent.valency.model import NULL_SLOT, UNSET, Staging
from solvent.valency.slices import as_list, copy_of, distinct, full, slices
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
from solvent.valency.solver.network import Network, Words, boot_once, pack, put_modules
from solvent.valency.solver.propagate_kernel import Fill

__all__ = ["CONTRADICTION", "FILLED", "OUT_OF_BOUNDS", "STUCK", "Filling"]

FIRST_CHUNK = 256
"""How much work is done before the first look at the budget; what a unit of it costs depends on the task."""
NARROWEST, WIDEST = 2, 7
"""How far around a contradiction nodes start again: at first, and before something stronger is tried."""
FRINGE = 2
"""How much further out open nodes belong to a window."""


class FillManner(NamedTuple):
    """Say how to choose, and what to do about contradictions."""

    attempt: int = 0
    """Which attempt this is; each draws other numbers."""
    repair: bool = True
    """Whether contradictions are mended nearby."""
    balance: bool = True
    """Whether frequencies are steered towards the weights."""


AS_USUAL = FillManner()


class Watch(Protocol):
    """Look at a fill in progress."""

    chunk: int
    """How much work is done between looks, at most."""

    def look(self, filling: Filling) -> None:
        """Hear that some more was done."""

    def show(self, modules: npt.NDArray[np.int64]) -> None:
        """Hear that all nodes hold something, and some now something else."""


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
        manner: FillManner = AS_USUAL,
        meter: Meter = UNLIMITED,
    ) -> None:
        """Begin with everything possible, or with `roots`. Without an order the node of least entropy comes next.

        `placing` says where modules that are wanted a number of times are tried first. The meter is for making it.
        """
        nodes = network.nodes
        needed = 8 * network.words * (3 if network.words > 1 else 1) + 60 + len(network.count_bounds)
        meter.require_memory(needed * nodes / 1e6, f"filling {nodes:,} nodes")
        self.network = network
        self.roots: Words = network.domains if roots is None else roots
        self._loosened = False
        self.domains = copy_of(self.roots, meter)
        self.sizes = count_modules(self.roots, meter)
        self.settled = full(nodes, -1, np.int32, meter)
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
        self._attempt = manner.attempt
        self._repair = manner.repair
        self._balance = manner.balance
        self._collapse: Collapse | None = None
        self._contradictions: list[int] = []
        """Where runs ended since a node was left out last."""

    @classmethod
    def without_choices(cls, network: Network, roots: Words | None = None, meter: Meter = UNLIMITED) -> Filling:
        """Prepare to draw consequences only: nothing is chosen, so no seed matters."""
        seeds = np.zeros(len(network.weights), dtype=np.uint64)
        return cls(network, seeds=seeds, roots=roots, order=_NO_NODES, meter=meter)

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

    def _prepare(self, meter: Meter) -> Collapse:
        """Make what choosing needs, unless that was done before."""
        if self._collapse is None:
            for part in slices(0 if self._order is None else len(self._order), meter):
                self._choosing.rank_nodes(part.start, part.stop)
            self._collapse = Collapse(self._surroundings, self._make_count_bounds(meter), self._repair)
        return self._collapse

    def _make_count_bounds(self, meter: Meter) -> CountBounds:
        count_bounds = self.network.count_bounds
        if not count_bounds:
            return CountBounds(
                self._fill, _NO_SETS.data, _NO_STATES.data, _NO_BOUNDS.data, _NO_STATES.data, _NO_NODES.data
            )
        modules = pack(np.stack([bound.modules for bound in count_bounds]))
        scope = np.empty((len(count_bounds), self.network.nodes), dtype=np.uint8)
        for row, bound in zip(scope, count_bounds, strict=True):
            meter.checkpoint()
            row[:] = bound.scope
        bounds = np.array([(bound.least, bound.most) for bound in count_bounds], dtype=np.int64)
        placing = _NO_NODES if self._placing is None else self._placing
        return CountBounds(self._fill, modules.data, scope.data, bounds.data, self._bound_states.data, placing.data)

    def look_at(self, nodes: npt.NDArray[np.int64], meter: Meter = UNLIMITED) -> None:
        """Have the arcs of these nodes looked at."""
        for part in slices(len(nodes), meter):
            self._fill.look_at(nodes[part].data)

    def look_at_all(self, meter: Meter = UNLIMITED) -> None:
        """Have the arcs of every open node looked at that something is possible on."""
        for part in slices(self.network.nodes, meter):
            there = self.network.cache.open_nodes[part] & (self.sizes[part] > 0)
            self._fill.look_at((part.start + np.flatnonzero(there)).data)

    def find_empty(self, inside: npt.NDArray[np.bool_], meter: Meter) -> int:
        """Return the first of some nodes on which nothing is possible, or -1."""
        for part in slices(len(inside), meter):
            empty = inside[part] & (self.sizes[part] == 0)
            if empty.any():
                first: int = part.start + int(np.argmax(empty))
                return first
        return -1

    def propagate(self, meter: Meter) -> tuple[int, Reason | None]:
        """Draw all consequences without choosing; returns the node that is left with nothing, or -1."""
        failed = -1

        def step(limit: int) -> tuple[int, int]:
            nonlocal failed
            failed = self._fill.draw_consequences(limit)
            done = failed >= 0 or self._fill.queue_length == 0
            return int(done), self._fill.work

        _, reason = driver.drive(step, meter, first_chunk=FIRST_CHUNK)
        if failed >= 0:
            self._fill.clear_queue()
        return failed, reason

    def run(self, meter: Meter, listen: Listener = ignore, watch: Watch | None = None) -> tuple[int, Reason | None]:
        """Choose and propagate on; returns how it ended, or WORKING with the reason it stopped."""
        collapse = self._prepare(meter)

        def step(limit: int) -> tuple[int, int]:
            status = collapse.run(limit if watch is None else min(limit, watch.chunk))
            if watch is not None:
                watch.look(self)
            if status == HEAP_FULL:
                self._choosing.grow_heap()
                status = WORKING
            return status, max(1, self._fill.work)

        status, reason = driver.drive(step, meter, first_chunk=FIRST_CHUNK, listen=listen, message="filling")
        if status in (CONTRADICTION, STUCK):
            self._contradictions.append(self.place)
        return status, reason

    @property
    def place(self) -> int:
        """Return the node of the last contradiction, or the number of the bound that cannot be kept."""
        assert self._collapse is not None, "only a run meets contradictions"
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

    def impose(self, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64], meter: Meter = UNLIMITED) -> None:
        """Settle nodes on modules, whatever stood there before."""
        for part in slices(len(nodes), meter):
            self._impose(nodes[part], modules[part])

    def _impose(self, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64]) -> None:
        self.start_again(nodes)
        put_modules(self.domains, nodes, modules)
        self.sizes[nodes] = 1
        self.settled[nodes] = modules
        regions = self.network.region_of[nodes]
        np.add.at(self.counts, (regions, modules), 1)
        np.add.at(self.counts[:, -1], regions, 1)
        self.filled_at[nodes] = self.choices

    def leave_out(self, node: int, meter: Meter = UNLIMITED) -> None:
        """Have a node hold nothing and ask nothing of its neighbours, which start again, as does what has nothing."""
        if not self._loosened:
            self._loosen(meter)
        self.roots[node] = 0
        network = self.network
        near = network.arc_target[network.arc_start[node] : network.arc_start[node + 1]].astype(np.int64)
        empty = self._emptied()
        again = [near[self.sizes[near] != 1], empty, np.array([node])]
        for place in empty.tolist():
            again.append(self.around(place, NARROWEST))
        self.start_again(distinct(np.concatenate(again)))

    def _loosen(self, meter: Meter) -> None:
        """Go back to what nodes hold by themselves: what follows from all of them need not follow without one."""
        roots = np.empty_like(self.network.domains)
        for part in slices(len(roots), meter, width=self.network.words):
            roots[part] = self.network.domains[part]
            roots[part][(self.roots[part] == 0).all(axis=1)] = 0  # those were left out
        self.roots = roots
        self._surroundings.take_roots(roots.data)
        self._loosened = True

    def _emptied(self) -> npt.NDArray[np.int64]:
        """Return the nodes on which nothing is possible any more, though something was: where runs ended."""
        empty = distinct(np.array(self._contradictions, dtype=np.int64))
        self._contradictions.clear()
        empty = empty[self.sizes[empty] == 0]
        return np.asarray(empty[(self.roots[empty] != 0).any(axis=1)])

    def modules(self, meter: Meter = UNLIMITED) -> npt.NDArray[np.int64]:
        """Return the module on each node: UNSET where several are possible or none, NULL_SLOT on null slots."""
        network = self.network
        modules = np.empty(network.nodes, dtype=np.int64)
        for part in slices(network.nodes, meter, width=network.words):
            domains = self.domains[part]
            word = (domains != 0).argmax(axis=1)
            # A word with one bit is a power of two, which a float holds exactly.
            _, bits = np.frexp(domains[np.arange(len(word)), word].astype(np.float64))
            modules[part] = np.where(self.sizes[part] == 1, 64 * word + bits - 1, UNSET)
            modules[part][~network.cache.open_nodes[part]] = NULL_SLOT
        return modules


def count_modules(domains: Words, meter: Meter = UNLIMITED) -> npt.NDArray[np.int32]:
    """Return how many modules each row of words holds."""
    counted = np.empty(len(domains), dtype=np.int32)
    for part in slices(len(domains), meter, width=8 * domains.shape[1]):
        data = np.ascontiguousarray(domains[part]).view(np.uint8)
        counted[part] = _BITS_IN_BYTE[data].sum(axis=1, dtype=np.int32)
    return counted


_BITS_IN_BYTE = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
_NO_NODES = np.zeros(0, dtype=np.int32)
_NO_SETS = np.zeros((0, 1), dtype=np.uint64)
_NO_STATES = np.zeros((0, 1), dtype=np.uint8)
_NO_BOUNDS = np.zeros((0, 2), dtype=np.int64)


def count_candidates(staging: Staging, meter: Meter = UNLIMITED) -> list[int]:
    """Return how many modules are possible on each node once all consequences are drawn; 0 on null slots.

    Where a node is left with nothing, that is as far as it goes: the node has 0, and others may have too many.
    """
    return as_list(_propagated(staging, meter).sizes, meter)


def find_candidates(staging: Staging, meter: Meter = UNLIMITED) -> Words:
    """Return which modules are possible on each node, a set in words for each, as `count_candidates` counts them."""
    return _propagated(staging, meter).domains


def _propagated(staging: Staging, meter: Meter) -> Filling:
    network = boot_once(staging, meter)
    filling = Filling.without_choices(network, meter=meter)
    if filling.find_empty(network.cache.open_nodes, meter) < 0:
        filling.look_at_all(meter)
        _, reason = filling.propagate(meter)
        if reason is not None:
            raise LimitReached(reason)
    return filling
