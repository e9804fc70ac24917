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

    def __init__(self, graph: Graph, passable: bytearray, needs: list[int], gives: bytearray, items: int) -> None:
        """Mark every set of so many items, and every cell."""
        graph.sort_incoming()
        self.graph = graph
        self.passable = passable
        self.needs = row_of(needs, SHORT)
        self.gives = gives
        sets = 1 << items
        self.alive = memoryview(bytearray(sets * max(1, graph.nodes))).cast("B", (sets, max(1, graph.nodes)))
        self.queue = new_row(graph.nodes, SHORT)
        every: cython.longlong = sets - 1
        with cython.nogil:
            self._mark(every)

    def table(self) -> memoryview:
        """Return for each set of items and each cell, 1 where the goal can be reached."""
        return memoryview(self.alive)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark(self, every: cython.longlong) -> cython.void:
        """Go through the sets from all items down to none: who has fewer gets to more by taking what lies about."""
        for cell in range(self.graph.nodes):
            if self.graph.is_goal[cell] != 0:
                for held in range(every + 1):
                    self.alive[held, cell] = 1
        for held in range(every, -1, -1):
            reached: cython.longlong = 0
            for cell in range(self.graph.nodes):
                if self.alive[held, cell] != 0:
                    self.queue[reached] = cell
                    reached += 1
            done: cython.longlong = 0
            while done < reached:
                reached = self._mark_before(held, self.queue[done], reached)
                done += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _mark_before(self, held: cython.longlong, there: cython.longlong, reached: cython.longlong) -> cython.longlong:
        """Mark what leads to a cell and a set of items held there; returns how long the queue of this set is then."""
        given: cython.longlong = self.gives[there]
        if given & ~held != 0:
            return reached  # a player who stands here has taken it
        for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
            arc = self.graph.incoming[place]
            demand = self.graph.demand[arc]
            if self.passable[demand] == 0:
                continue
            here = self.graph.source[arc]
            # Every set that becomes this one by what lies here: without any part of what is given.
            part = given
            while True:
                before = held & ~part
                if self.needs[demand] & ~before == 0 and self.alive[before, here] == 0:
                    self.alive[before, here] = 1
                    if before == held:
                        self.queue[reached] = here
                        reached += 1
                if part == 0:
                    break
                part = (part - 1) & given
        return reached
