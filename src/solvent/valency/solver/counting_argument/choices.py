"""What may stand where, and how the two ends of each edge depend on each other, for an argument that counts.

Sets of modules are whole numbers here, bit m for module m. All of it is kept to what the checker works out for itself:
what may stand on a node, less what has nothing to agree with along some edge.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from solvent.core.budget import Meter
from solvent.valency.model import mask_of, numbers_in
from solvent.valency.solver.constraints.allowed import Allowed
from solvent.valency.solver.module_sets import Truths
from solvent.valency.solver.network import Network
from solvent.valency.solver.refuting import placeable


class Edge(Struct, frozen=True):
    """Hold one edge between two nodes."""

    layer: int
    node: int
    orbital: int
    """On which the other node is."""
    other: int
    kind: int
    """Which table says who agrees, from the node to the other one."""
    back: int
    """The same the other way round."""


class Whole:
    """Hold what is so whatever part of a task is looked at."""

    def __init__(self, network: Network, meter: Meter) -> None:
        self.network = network
        self.meter = meter
        self.nodes: list[int] = np.flatnonzero(network.cache.open_nodes).tolist()
        placed = masks_of(placeable(network, np.array(self.nodes, dtype=np.int64), meter))
        self.placeable = dict(zip(self.nodes, placed, strict=True))
        """For each open node, what may stand there before anyone looks at neighbours or constraints."""
        self.picked = set(network.placement.picked)
        self.only = [limit for limit in network.limits if isinstance(limit, Allowed)]
        self.edges = self._find_edges()
        self.agreeing = [masks_of(table) for table in network.agreements]
        self.supported: dict[tuple[int, int], int] = {}

    def _find_edges(self) -> list[Edge]:
        network = self.network
        found = []
        for layer, (edges, kinds) in enumerate(zip(network.cache.edges, network.kind_tables, strict=True)):
            rows = zip(
                edges.source.tolist(), edges.source_orbital.tolist(),
                edges.target.tolist(), edges.target_orbital.tolist(), strict=True,
            )  # fmt: skip
            for node, orbital, other, back in self.meter.each(rows):
                kind, return_kind = int(kinds[orbital, back]), int(kinds[back, orbital])
                found.append(Edge(layer, node, orbital, other, kind, return_kind))
        return found


class Choices:
    """Hold what may stand on some nodes, each of which must be filled."""

    def __init__(self, whole: Whole, nodes: Iterable[int], edges: Iterable[Edge]) -> None:
        """Look at some nodes, and some edges among them."""
        self.whole = whole
        self.network = whole.network
        self.meter = whole.meter
        self.picked = whole.picked
        self.only = whole.only
        self.nodes = sorted(nodes)
        self.edges = list(edges)
        self.edges_of: dict[int, list[Edge]] = {node: [] for node in self.nodes}
        for edge in self.edges:
            self.edges_of[edge.node].append(edge)
            if edge.other != edge.node:
                self.edges_of[edge.other].append(edge)
        self._agreeing = whole.agreeing
        self._supported = whole.supported
        self._parts: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        self.possible = self._narrowed()

    def _narrowed(self) -> dict[int, int]:
        possible = {node: self.whole.placeable[node] for node in self.nodes}
        meanings = masks_of(self.network.placement.picked.truths(self.network.modules))
        for node in self.picked & possible.keys():
            possible[node] &= meanings[int(self.network.placement.picked.meaning_of[node])]
        for limit in self.only:
            allowed = masks_of(limit.modules[None, :])[0]
            for node in self.meter.each(limit.only.nodes):
                if node in possible:
                    possible[node] &= allowed
        for edge in self.edges:
            if edge.node == edge.other:
                table = self._agreeing[edge.kind]
                possible[edge.node] &= mask_of(m for m in range(self.network.modules) if table[m] >> m & 1)
        waiting = deque(self.nodes)
        while waiting:
            self.meter.checkpoint()
            node = waiting.popleft()
            for edge in self.edges_of[node]:
                other, kind = (edge.other, edge.kind) if edge.node == node else (edge.node, edge.back)
                left = possible[other] & self.supported(kind, possible[node])
                if left != possible[other]:
                    possible[other] = left
                    waiting.append(other)
        return possible

    def among(self, nodes: Iterable[int], edges: Iterable[Edge]) -> Choices:
        """Return what may stand on some of the nodes, by some of the edges."""
        return Choices(self.whole, nodes, edges)

    def able_nodes(self, modules: int, scope: Truths) -> list[int]:
        """Return the nodes of the whole among some on which one of some modules may stand."""
        placeable = self.whole.placeable
        return [node for node in self.whole.nodes if scope[node] and placeable[node] & modules]

    def may_hold_outside(self, modules: int, scope: Truths) -> int:
        """Count those of them that these choices are not about."""
        return sum(node not in self.possible for node in self.able_nodes(modules, scope))

    def supported(self, kind: int, modules: int) -> int:
        """Return what agrees with any of some modules along arcs of a kind."""
        if (kind, modules) not in self._supported:
            found = 0
            for module in numbers_in(modules):
                found |= self._agreeing[kind][module]
            self._supported[kind, modules] = found
        return self._supported[kind, modules]

    def agreeing(self, kind: int, module: int) -> int:
        """Return what agrees with a module along arcs of a kind."""
        return self._agreeing[kind][module]

    def parts(self, edge: Edge) -> list[tuple[int, int]]:
        """Return how an edge's choices fall apart: modules here and there that only agree among themselves.

        Whichever part the module here is of, the module there is of the same.
        """
        key = edge.kind, self.possible[edge.node], self.possible[edge.other]
        if key not in self._parts:
            kind, left, there = key
            found = []
            while left:
                here, beside = left & -left, 0
                while True:
                    reached = self.supported(kind, here) & there
                    back = self.supported(edge.back, reached) & key[1]
                    if (here | back, reached) == (here, beside):
                        break
                    here, beside = here | back, reached
                found.append((here, beside))
                left &= ~here
            self._parts[key] = found
        return self._parts[key]


def masks_of(truths: Truths) -> list[int]:
    """Return each row of truths as a whole number."""
    packed = np.packbits(truths, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]
