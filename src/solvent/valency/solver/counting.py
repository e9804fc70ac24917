"""Count fills one by one, up to a limit: depth first, drawing consequences after each choice.

Each fill keeps all rules, that of the fillers included. Counting starts at a fill that is known, if there is one, so
that even where contradictions are many the first fills are found without meeting any.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import FILLER, NORMAL, NULL_SLOT, numbers_in
from solvent.valency.solver.joins import broken_joins
from solvent.valency.solver.network import Network, Words

WORK_BETWEEN_LOOKS = 512
"""Arcs that are followed before the budget is looked at again."""


class FillCount(Struct, frozen=True):
    """Hold how many fills were found."""

    fills: int
    exact: bool
    """Whether there are no others; otherwise there are at least so many."""
    reason: Reason | None = None
    """Why counting ended early, unless it was for the limit."""

    def __str__(self) -> str:
        return f"{self.fills:,}" if self.exact else f"at least {self.fills:,}"


def count_fills(network: Network, limit: int, meter: Meter, *, known: npt.NDArray[np.int64] | None = None) -> FillCount:
    """Count the fills of a network; with more than `limit`, that many are counted and the count is not exact.

    One arc that is followed is one node of the budget. `known` is a fill to begin with: a module for each node.
    """
    search = _Search(network, meter, known)
    found = 0
    for _ in search.fills():
        if found == limit:
            return FillCount(found, False)
        found += 1
    return FillCount(found, search.reason is None, search.reason)


class _Search:
    """Hold one search. Sets of modules are whole numbers, bit m for module m."""

    def __init__(self, network: Network, meter: Meter, known: npt.NDArray[np.int64] | None) -> None:
        self.network = network
        self.meter = meter
        self.known = known
        self.reason: Reason | None = None
        self.open_nodes = np.flatnonzero(network.cache.open_nodes).tolist()
        self.domains = _as_numbers(network.domains)
        self.start = network.arc_start.tolist()
        self.target = network.arc_target.tolist()
        self.kind = network.arc_kind.tolist()
        self.support = [_as_numbers(rows) for rows in network.support]
        self.unions: dict[tuple[int, int], int] = {}
        self.trail: list[tuple[int, int]] = []
        """Nodes whose domains were narrowed, with what they were."""
        self.work = 0
        modules = network.staging.rules.modules
        self.fillers = sum(1 << m for m, module in enumerate(modules) if module.placement == FILLER)
        self.normal = sum(1 << m for m, module in enumerate(modules) if module.placement == NORMAL)
        self.count_bounds = [
            (sum(1 << m for m in np.flatnonzero(bound.modules).tolist()), bound.scope.tolist(), bound.least, bound.most)
            for bound in network.count_bounds
        ]
        self.must = [0] * len(self.count_bounds)
        self.may = [0] * len(self.count_bounds)
        for node in self.open_nodes:
            self._count(node, self.domains[node], 1)

    def fills(self) -> Iterator[None]:
        """Yield once for each fill, which `domains` then holds; stop early when the budget ends, with the reason."""
        if any(not self.domains[node] for node in self.open_nodes) or not self._propagate(list(self.open_nodes)):
            return
        choices: list[tuple[int, int, int, int]] = []  # node, modules still to try, length of the trail, place in order
        place = 0
        order = self.open_nodes
        while True:
            while place < len(order) and self.domains[order[place]].bit_count() == 1:
                place += 1
            if place < len(order):
                node = order[place]
                choices.append((node, self.domains[node], len(self.trail), place))
            elif self._is_fill():
                yield
            while choices:
                node, rest, length, place = choices.pop()
                self._undo(length)
                if not rest:
                    continue
                module = self._first(node, rest)
                choices.append((node, rest & ~(1 << module), length, place))
                self._narrow(node, 1 << module)
                if self._propagate([node]):
                    break
                if self.reason is not None:
                    return
            else:
                return
            if self.reason is not None:
                return

    def _first(self, node: int, modules: int) -> int:
        if self.known is not None and modules >> int(self.known[node]) & 1:
            return int(self.known[node])
        return (modules & -modules).bit_length() - 1

    def _propagate(self, waiting: list[int]) -> bool:
        """Draw consequences; False at a contradiction, or when the budget ends."""
        queued = set(waiting)
        while waiting:
            node = waiting.pop()
            queued.discard(node)
            here = self.domains[node]
            for arc in range(self.start[node], self.start[node + 1]):
                other = self.target[arc]
                left = self.domains[other] & self._union(self.kind[arc], here)
                if left != self.domains[other]:
                    self._narrow(other, left)
                    if not left:
                        return False
                    if other not in queued:
                        queued.add(other)
                        waiting.append(other)
            if not self._may_go_on(1 + self.start[node + 1] - self.start[node]):
                return False
        return all(
            self.must[number] <= most and self.may[number] >= least
            for number, (_, _, least, most) in enumerate(self.count_bounds)
        )

    def _may_go_on(self, work: int) -> bool:
        self.work += work
        if self.work >= WORK_BETWEEN_LOOKS:
            self.meter.spend(self.work)
            self.work = 0
            self.reason = self.meter.stop_reason()
        return self.reason is None

    def _union(self, kind: int, modules: int) -> int:
        found = self.unions.get((kind, modules))
        if found is None:
            found = 0
            for module in numbers_in(modules):
                found |= self.support[kind][module]
            self.unions[kind, modules] = found
        return found

    def _narrow(self, node: int, left: int) -> None:
        before = self.domains[node]
        self.trail.append((node, before))
        self.domains[node] = left
        if self.count_bounds:
            self._count(node, before, -1)
            self._count(node, left, 1)

    def _undo(self, length: int) -> None:
        while len(self.trail) > length:
            node, before = self.trail.pop()
            if self.count_bounds:
                self._count(node, self.domains[node], -1)
                self._count(node, before, 1)
            self.domains[node] = before

    def _count(self, node: int, modules: int, by: int) -> None:
        """Book whether a node with these modules left may hold one of each bound's set, and whether it must."""
        for number, (chosen, scope, _, _) in enumerate(self.count_bounds):
            if scope[node] and modules & chosen:
                self.may[number] += by
                if not modules & ~chosen:
                    self.must[number] += by

    def _is_fill(self) -> bool:
        """Tell whether the rules hold that are not looked at on the way."""
        if self.network.joins or self.network.limits:
            self._may_go_on(self.network.nodes)
            if self._is_broken():
                return False
        if not self.fillers:
            return True
        picked = self.network.placement.picked
        return not any(
            self._could_give_way(node)
            for node in self.open_nodes
            if self.domains[node] & self.fillers and node not in picked
        )

    def _could_give_way(self, node: int) -> bool:
        """Tell whether a normal module could stand there instead, all else staying as it is."""
        before = self.domains[node]
        row = self.network.domains[node : node + 1]
        possible = _as_numbers(row)[0] & self.normal
        for arc in range(self.start[node], self.start[node + 1]):
            back = self._agreeing(self.kind[arc], self.domains[self.target[arc]])
            possible &= back
        for module in numbers_in(possible):
            length = len(self.trail)
            self._narrow(node, 1 << module)
            fine = (
                all(least <= self.must[number] <= most for number, (_, _, least, most) in enumerate(self.count_bounds))
                and not self._is_broken()
            )
            self._undo(length)
            assert self.domains[node] == before
            if fine:
                return True
        return False

    def _agreeing(self, kind: int, other: int) -> int:
        """Return the modules at the start of an arc that agree with the one at its end."""
        key = (-1 - kind, other)
        if key not in self.unions:
            self.unions[key] = sum(1 << m for m, row in enumerate(self.support[kind]) if row & other)
        return self.unions[key]

    def _is_broken(self) -> bool:
        """Tell whether a constraint is broken that is not looked at on the way."""
        if not self.network.joins and not self.network.limits:
            return False
        modules = np.full(self.network.nodes, NULL_SLOT, dtype=np.int64)
        for node in self.open_nodes:
            modules[node] = self.domains[node].bit_length() - 1
        if any(limit.broken(modules, UNLIMITED) for limit in self.network.limits):
            return True
        return bool(broken_joins(self.network, modules))


def _as_numbers(rows: Words) -> list[int]:
    data = np.ascontiguousarray(rows, dtype="<u8")
    return [int.from_bytes(row.tobytes(), "little") for row in data]
