"""A fill in progress: the arrays of the collapse, and how to drive it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener, ignore
from solvent.engine import driver
from solvent.engine.jit.heap import grow_heap, new_heap
from solvent.valency.model import NULL_SLOT, UNSET
from solvent.valency.solver import state_kernel as state
from solvent.valency.solver.collapse_kernel import (
    CONTRADICTION,
    FILLED,
    HEAP_FULL,
    OUT_OF_BOUNDS,
    STUCK,
    WORKING,
    collapse,
)
from solvent.valency.solver.mend_kernel import gather, reset
from solvent.valency.solver.network import Network, Words, pack, unpack
from solvent.valency.solver.propagate_kernel import propagate
from solvent.valency.solver.state_kernel import clear_queue

__all__ = ["CONTRADICTION", "FILLED", "OUT_OF_BOUNDS", "STUCK", "Filling"]

NARROWEST, WIDEST = 2, 7
"""How far around a contradiction nodes start again: at first, and before something stronger is tried."""
FRINGE = 2
"""How much further out open nodes belong to a window."""


class Filling:
    """Hold what is known about each node while a network is being filled."""

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
        self.counters = np.zeros(state.COUNTERS, dtype=np.int64)
        self.counters[state.NARROWEST], self.counters[state.WIDEST] = NARROWEST, WIDEST
        self.counters[state.REPAIRING] = repair
        self.counters[state.BALANCING] = balance
        self.counters[state.BY_ENTROPY] = order is None
        self.counters[state.ATTEMPT] = attempt
        self.queue = np.zeros(max(1, nodes), dtype=np.int32)
        self.queued = np.zeros(nodes, dtype=np.uint8)
        self.touched = np.zeros(nodes, dtype=np.int32)
        self.is_touched = np.zeros(nodes, dtype=np.uint8)
        self.seen = np.zeros_like(self.domains) if network.words > 1 else self.domains
        self.stale = np.ones(nodes, dtype=np.uint8)
        self.settled = np.full(nodes, -1, dtype=np.int32)
        self.counts = np.zeros((len(network.weights), network.modules + 1), dtype=np.int64)
        self.filled_at = np.zeros(nodes, dtype=np.int32)
        self.order = np.flatnonzero(network.cache.open_nodes).astype(np.int32) if order is None else order
        self.rank = np.zeros(nodes, dtype=np.int32)
        self.rank[self.order] = np.arange(len(self.order), dtype=np.int32)
        self.heap = new_heap(2 * nodes if order is None else 0)
        self.keys = np.zeros(nodes if order is None else 0, dtype=np.int64)
        self.seeds = seeds
        self.totals = network.weights.sum(axis=1).astype(np.float64)
        self.draws = np.zeros(nodes, dtype=np.int32)
        self.random = np.zeros(1, dtype=np.uint64)
        self.failures = np.zeros(nodes, dtype=np.int32)
        self.ball = np.zeros(nodes, dtype=np.int32)
        self.mark = np.zeros(nodes, dtype=np.int64)
        self.away = np.zeros(nodes, dtype=np.int32)
        tallies = network.tallies
        self.placing = np.zeros(0, dtype=np.int32) if placing is None else placing
        self.tally_modules = pack(np.stack([tally.modules for tally in tallies])) if tallies else _NO_WORDS
        self.tally_scope = (
            np.stack([tally.scope for tally in tallies]).astype(np.uint8) if tallies else np.zeros((0, 0), np.uint8)
        )
        self.tally_bounds = np.array([(tally.least, tally.most) for tally in tallies], dtype=np.int64).reshape(-1, 2)
        self.tally_counts = np.zeros((len(tallies), 2), dtype=np.int64)
        self.tally_flags = np.zeros((len(tallies), nodes if tallies else 0), dtype=np.uint8)
        self.tally_pointer = np.zeros(len(tallies), dtype=np.int64)

    def look_at(self, nodes: npt.NDArray[np.int64]) -> None:
        """Have the arcs of these nodes looked at; nothing else may be waiting."""
        self.queue[: len(nodes)] = nodes
        self.queued[nodes] = 1
        self.counters[state.QUEUE_HEAD], self.counters[state.QUEUE_LENGTH] = 0, len(nodes)
        fresh = nodes[self.is_touched[nodes] == 0]
        filled = int(self.counters[state.TOUCHED])
        self.touched[filled : filled + len(fresh)] = fresh
        self.is_touched[fresh] = 1
        self.counters[state.TOUCHED] += len(fresh)

    def look_at_all(self) -> None:
        """Have the arcs of every open node looked at."""
        self.look_at(np.flatnonzero(self.network.cache.open_nodes))

    def propagate(self, meter: Meter) -> tuple[int, Reason | None]:
        """Draw all consequences without choosing; returns the node that is left with nothing, or -1."""
        network = self.network
        failed = -1

        def step(limit: int) -> tuple[int, int]:
            nonlocal failed
            self.counters[state.WORK] = 0
            failed = propagate(
                limit, self.counters, self.domains, self.sizes, self.queue, self.queued, self.touched,
                self.is_touched, self.settled, network.region_of, self.counts, self.filled_at, network.arc_start,
                network.arc_target, network.arc_kind, network.support, network.against, self.seen, self.stale,
            )  # fmt: skip
            done = failed >= 0 or self.counters[state.QUEUE_LENGTH] == 0
            return int(done), int(self.counters[state.WORK])

        _, reason = driver.drive(step, meter)
        if failed >= 0:
            clear_queue(self.counters, self.queue, self.queued)
        return int(failed), reason

    def run(self, meter: Meter, listen: Listener = ignore) -> tuple[int, Reason | None]:
        """Choose and propagate on; returns how it ended, or WORKING with the reason it stopped."""
        network = self.network

        def step(limit: int) -> tuple[int, int]:
            status = collapse(
                limit, self.counters, self.domains, self.sizes, self.roots, self.queue, self.queued, self.touched,
                self.is_touched, self.settled, self.counts, self.filled_at, network.arc_start, network.near_end,
                network.arc_target, network.arc_kind, network.support, network.against, self.seen, self.stale,
                self.order, self.rank, self.heap, self.keys,
                network.weights, self.totals, network.tiers, network.region_of, self.seeds, self.draws, self.random,
                self.failures, self.ball, self.mark, self.away, self.placing, self.tally_modules, self.tally_scope,
                self.tally_bounds, self.tally_counts, self.tally_flags, self.tally_pointer,
            )  # fmt: skip
            if status == HEAP_FULL:
                self.heap = grow_heap(self.heap)
                status = WORKING
            return int(status), max(1, int(self.counters[state.WORK]))

        return driver.drive(step, meter, listen=listen, message="filling")

    @property
    def place(self) -> int:
        """Return the node of the last contradiction, or the number of the tally that cannot be kept."""
        return int(self.counters[state.PLACE])

    @property
    def last_choice(self) -> int:
        """Return the node that was chosen last."""
        return int(self.counters[state.LAST_CHOICE])

    def around(self, place: int, radius: int) -> npt.NDArray[np.int64]:
        """Return the open nodes within some edges of a node, nearest first."""
        network = self.network
        count = gather(
            self.counters, place, radius, network.arc_start, network.near_end, network.arc_target, self.ball, self.mark,
            self.away,
        )  # fmt: skip
        nodes = self.ball[:count].astype(np.int64)
        return nodes[network.cache.open_nodes[nodes]]

    def window(self, place: int, radius: int) -> npt.NDArray[np.int64]:
        """Return the nodes within some edges of a node, and the open ones a little further out, sorted.

        An open node is narrowed by those beside it; leaving it out would let them forget it.
        """
        nodes = self.around(place, radius + FRINGE)
        return np.sort(nodes[(self.away[nodes] <= radius) | (self.sizes[nodes] > 1)])

    def start_again(self, nodes: npt.NDArray[np.int64]) -> None:
        """Give nodes back what they began with, and whatever they had narrowed; all of it is looked at again."""
        self.counters[state.MARK] += 1
        self.mark[nodes] = self.counters[state.MARK]
        self.ball[: len(nodes)] = nodes
        network = self.network
        reset(
            self.counters, len(nodes), self.domains, self.sizes, self.roots, self.queue, self.queued, self.touched,
            self.is_touched, network.arc_start, network.arc_target, self.rank, self.stale, self.settled,
            network.region_of, self.counts, self.ball, self.mark,
        )  # fmt: skip

    def impose(self, nodes: npt.NDArray[np.int64], modules: npt.NDArray[np.int64]) -> None:
        """Settle nodes on modules, whatever stood there before."""
        self.start_again(nodes)
        self.domains[nodes] = 0
        self.domains[nodes, modules >> 6] = np.int64(1) << (modules & 63)
        self.sizes[nodes] = 1
        self.settled[nodes] = modules
        regions = self.network.region_of[nodes]
        np.add.at(self.counts, (regions, modules), 1)
        np.add.at(self.counts[:, -1], regions, 1)
        self.filled_at[nodes] = self.counters[state.CHOICES]

    def leave_out(self, node: int) -> None:
        """Have a node hold nothing and ask nothing of its neighbours, which start again, as does what has nothing."""
        if not self._loosened:
            # What follows from all nodes need not follow without this one; what nodes hold by themselves still does.
            left_out = (self.roots == 0).all(axis=1)
            self.roots = self.network.domains.copy()
            self.roots[left_out] = 0
            self._loosened = True
        self.roots[node] = 0
        network = self.network
        near = network.arc_target[network.arc_start[node] : network.arc_start[node + 1]].astype(np.int64)
        empty = np.flatnonzero((self.sizes == 0) & (self.roots != 0).any(axis=1))
        again = [near[self.sizes[near] != 1], empty, np.array([node])]
        for place in empty.tolist():
            again.append(self.around(place, NARROWEST))
        self.start_again(np.unique(np.concatenate(again)))

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
_NO_WORDS = np.zeros((0, 0), dtype=np.int64)
