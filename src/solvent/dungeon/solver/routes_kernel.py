"""Shortest walks that change nothing, tile by tile, to where something lies or to one tile."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
    from cython.cimports.solvent.dungeon.solver.mechanics import CALM, TOOK
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.graph_kernel import Graph
    from solvent.dungeon.solver.mechanics import CALM, TOOK
    from solvent.dungeon.solver.state_kernel import PackedState

_THINGS = cython.declare(cython.longlong, -1)


@cython.final
@cython.cclass
class Routes:
    """Find calm walks within a region."""

    graph: Graph
    """The graph of tiles."""
    area_of: cython.int[::1]
    """The area of each cell."""
    allowed: cython.int[::1]
    """For each area the number of the last call of `allow` that it may be walked on since."""
    allowing: cython.longlong
    """The number of the last call of `allow`."""
    lying: cython.uchar[::1]
    """1 for cells with something that was not fetched yet."""
    takes: cython.bint
    """Whether things may be taken on the way, which bars none."""
    after: PackedState
    """Where the last move that was tried leads."""
    stamp: cython.longlong
    """The number of the last walk."""
    seen: cython.int[::1]
    """For each cell the stamp of the last walk that came there."""
    came_by: cython.int[::1]
    """For each cell that a walk came to, the arc by which it did; -1 where it began."""
    queue: cython.int[::1]
    """The cells that a walk came to, in the order it did."""
    looked = cython.declare(cython.longlong, visibility="readonly")
    """How many looks all walks so far took."""

    def __init__(self, graph: Graph, area_of: memoryview, areas: int) -> None:
        """Begin with everything lying where it does, and no area allowed."""
        self.graph = graph
        self.area_of = area_of
        self.allowed = new_row(areas, SHORT)
        self.allowing = 0
        lying = bytearray(graph.nodes)
        for effect in graph.effects:
            lying[effect.node] = 1
        self.lying = lying
        self.takes = True
        self.after = PackedState([0] * graph.mechanics.words)
        self.stamp = 0
        self.seen = new_row(graph.nodes, SHORT)
        self.came_by = new_row(graph.nodes, SHORT)
        self.queue = new_row(graph.nodes, SHORT)
        self.looked = 0

    def allow(self, region: memoryview) -> None:
        """Let walks go over these areas and no others."""
        areas: cython.int[::1] = region
        count: cython.longlong = len(region)
        self.allowing += 1
        self.looked += count
        with cython.nogil:
            for place in range(count):
                self.allowed[areas[place]] = self.allowing

    def fetch(self, cell: cython.longlong) -> None:
        """Note that nothing lies on a cell any more."""
        self.lying[cell] = 0

    def to_things(self, start: cython.longlong, state: PackedState) -> list[int] | None:
        """Return the arcs of a shortest walk to a cell with something on it, or None if there is none."""
        self.takes = True
        return self._route(start, state, _THINGS)

    def to_cell(
        self, start: cython.longlong, state: PackedState, end: cython.longlong, takes: cython.bint
    ) -> list[int] | None:
        """Return the arcs of a shortest walk to a cell, or None if there is none; with `takes` it may take things."""
        self.takes = takes
        return self._route(start, state, end)

    def _route(self, start: cython.longlong, state: PackedState, end: cython.longlong) -> list[int] | None:
        with cython.nogil:
            length = self._find(start, state, end)
        return None if length < 0 else [self.queue[place] for place in range(length - 1, -1, -1)]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_wanted(self, cell: cython.longlong, end: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a walk ends on a cell."""
        if end != _THINGS:
            return cell == end
        if self.allowed[self.area_of[cell]] != self.allowing:
            return False
        # Things that appear may come to lie where a walk came by before.
        return self.graph.has_more(cell, state) if self.graph.any_rules else self.lying[cell] != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_calm(self, arc: cython.longlong, there: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a move changes nothing but the place, taking things aside where that is no matter."""
        if self.graph.demand[arc] == 0 and not self.graph.has_effects(there) and not self.graph.has_rests(there):
            return True
        self.looked += self.after.count // 8
        effect = self.graph.take(arc, state, self.after)
        return effect == CALM or (self.takes and effect == TOOK)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find(self, start: cython.longlong, state: PackedState, end: cython.longlong) -> cython.longlong:
        """Return the length of a shortest walk, or -1; its arcs are left in `queue`, the last one first."""
        self.stamp += 1
        self.queue[0] = start
        self.seen[start] = self.stamp
        self.came_by[start] = -1
        reached: cython.longlong = 1
        done: cython.longlong = 0
        last: cython.longlong = start if self._is_wanted(start, end, state) else -1
        while done < reached and last < 0:
            here = self.queue[done]
            done += 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                self.looked += 1
                if self.seen[there] == self.stamp or self.allowed[self.area_of[there]] != self.allowing:
                    continue
                if self._is_calm(arc, there, state):
                    self.seen[there] = self.stamp
                    self.came_by[there] = arc
                    self.queue[reached] = there
                    reached += 1
                    if last < 0 and self._is_wanted(there, end, state):
                        last = there
        if last < 0:
            return -1
        length: cython.longlong = 0
        while self.came_by[last] >= 0:
            self.queue[length] = self.came_by[last]
            length += 1
            last = self.graph.source[self.came_by[last]]
        return length
