"""The kernel of the reverse pass: mark, set of items by set of items, the tiles from which the goal can be reached."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row, row_of

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
else:
    from solvent.dungeon.solver.graph_kernel import Graph


@cython.final
@cython.cclass
class ReversePass:
    """Mark what leads to a goal if only items count."""

    graph: Graph
    """The graph of tiles."""
    passable: cython.uchar[::1]
    """1 for each demand that can be met at all."""
    needs: cython.int[::1]
    """For each demand the items it asks for, as a set."""
    gives: cython.uchar[::1]
    """For each cell the items that lie on it, as a set."""
    alive: cython.uchar[:, ::1]
    """Shape (sets of items, cells): 1 where the goal can be reached with the set."""
    queue: cython.int[::1]
    """The cells come to with one set, in the order they were."""
    held: cython.longlong
    """The set of items that is being gone through."""
    reached: cython.longlong
    """How many cells are in the queue."""
    done: cython.longlong
    """From how many of them it went on."""
    looks: cython.longlong
    """How many more arcs to look at in this call."""

    def __init__(self, graph: Graph, passable: bytearray, needs: list[int], gives: bytearray, items: int) -> None:
        """Begin to mark every set of so many items, and every cell; `run` does the work."""
        graph.sort_incoming()
        self.graph = graph
        self.passable = passable
        self.needs = row_of(needs, SHORT)
        self.gives = gives
        sets = 1 << items
        self.alive = memoryview(bytearray(sets * max(1, graph.nodes))).cast("B", (sets, max(1, graph.nodes)))
        self.queue = new_row(graph.nodes, SHORT)
        self.held = sets
        self.reached = 0
        self.done = 0
        self.looks = 0
        with cython.nogil:
            for cell in range(graph.nodes):
                if graph.is_goal[cell] != 0:
                    for held in range(self.held):
                        self.alive[held, cell] = 1

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more arcs; returns whether all is marked."""
        self.looks = limit
        with cython.nogil:
            self._mark()
        return self.held == 0 and self.done == self.reached

    def table(self) -> memoryview:
        """Return for each set of items and each cell, 1 where the goal can be reached."""
        return memoryview(self.alive)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(self) -> cython.void:
        """Go through the sets from all items down to none: who has fewer gets to more by taking what lies about."""
        while self.looks > 0:
            if self.done < self.reached:
                self._mark_before(self.queue[self.done])
                self.done += 1
            elif self.held > 0:
                self._begin_set()
            else:
                return

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin_set(self) -> cython.void:
        """Go on to the next set of items: line up the cells that are known to be alive with it."""
        self.held -= 1
        self.reached = 0
        self.done = 0
        self.looks -= self.graph.nodes
        for cell in range(self.graph.nodes):
            if self.alive[self.held, cell] != 0:
                self.queue[self.reached] = cell
                self.reached += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_before(self, there: cython.longlong) -> cython.void:
        """Mark what leads to a cell, with the set of items held there."""
        given: cython.longlong = self.gives[there]
        if given & ~self.held != 0:
            return  # a player who stands here has taken it
        for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
            self.looks -= 1
            arc = self.graph.incoming[place]
            demand = self.graph.demand[arc]
            if self.passable[demand] == 0:
                continue
            here = self.graph.source[arc]
            # Every set that becomes this one by what lies here: without any part of what is given.
            part = given
            while True:
                before = self.held & ~part
                if self.needs[demand] & ~before == 0 and self.alive[before, here] == 0:
                    self.alive[before, here] = 1
                    if before == self.held:
                        self.queue[self.reached] = here
                        self.reached += 1
                if part == 0:
                    break
                part = (part - 1) & given
