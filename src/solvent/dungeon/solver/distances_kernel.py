"""How far each tile is from the nearest of some others, if gates were open."""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Iterable

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
else:
    from solvent.dungeon.solver.graph_kernel import Graph

FAR = 1 << 40
"""A distance that no walk has: it cannot be done."""

_FAR = cython.declare(cython.longlong, FAR)


@cython.final
@cython.cclass
class Distances:
    """Walk backwards from some nodes over arcs whose demands can be met."""

    graph: Graph
    """The graph to walk in."""
    passable: cython.uchar[::1]
    """1 for each demand that is taken to be met."""
    closed: cython.uchar[::1]
    """1 for nodes that arcs may neither lead from nor to."""
    away: cython.longlong[::1]
    """How many moves each node is away, FAR if there is no way."""
    queue: cython.int[::1]
    """The nodes that were come to, in the order they were."""
    reached: cython.longlong
    """How many these are."""
    done: cython.longlong
    """From how many of them it went on."""

    def __init__(
        self,
        graph: Graph,
        passable: bytearray,
        closed: bytearray | None,
        targets: Iterable[int],
        onwards: cython.longlong = 0,
    ) -> None:
        """Begin to find how far each node is from the nearest target, and `onwards` from there; `run` does the work."""
        graph.sort_incoming()
        self.graph = graph
        self.passable = passable
        self.closed = bytearray(graph.nodes) if closed is None else closed
        self.away = new_row(graph.nodes)
        self.queue = new_row(graph.nodes, SHORT)
        self.reached = 0
        self.done = 0
        with cython.nogil:
            for node in range(graph.nodes):
                self.away[node] = _FAR
        for target in set(targets) if onwards < _FAR else ():
            self.queue[self.reached] = target
            self.away[target] = onwards
            self.reached += 1

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more arcs; returns whether all is found."""
        with cython.nogil:
            self._spread(limit)
        return self.done == self.reached

    def row(self) -> memoryview:
        """Return the distance of each node."""
        return memoryview(self.away)[: self.graph.nodes]

    def near(self) -> bytearray:
        """Return flags for nodes, set where there is a way."""
        held = bytearray(self.graph.nodes)
        flags: cython.uchar[::1] = held
        with cython.nogil:
            for node in range(self.graph.nodes):
                flags[node] = self.away[node] != _FAR
        return held

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(self, limit: cython.longlong) -> cython.void:
        """Go on to fill in `away`."""
        while self.done < self.reached and limit > 0:
            there = self.queue[self.done]
            self.done += 1
            if self.closed[there] != 0:
                continue
            for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
                limit -= 1
                arc = self.graph.incoming[place]
                here = self.graph.source[arc]
                if self.away[here] != _FAR or self.closed[here] != 0 or self.passable[self.graph.demand[arc]] == 0:
                    continue
                self.away[here] = self.away[there] + 1
                self.queue[self.reached] = here
                self.reached += 1
