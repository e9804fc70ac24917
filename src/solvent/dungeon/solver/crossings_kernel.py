"""The moves between areas: of all arcs that lead from one area into another and ask for the same, one is enough."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.areas_kernel import Joining
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
else:
    from solvent.dungeon.solver.areas_kernel import Joining
    from solvent.dungeon.solver.graph_kernel import Graph

_BY_MOVE = cython.declare(cython.longlong, 0)
_BY_TARGET = cython.declare(cython.longlong, 1)
_BY_SOURCE = cython.declare(cython.longlong, 2)


@cython.final
@cython.cclass
class Crossings:
    """Choose arcs between cells that stand for all arcs between areas, and sort them."""

    cells: Graph
    """The graph of cells."""
    area_of: cython.int[::1]
    """The area of each cell."""
    areas: cython.longlong
    """How many areas there are."""
    demand_of: cython.int[::1]
    """For each demand between cells, the one between areas."""
    demands: cython.longlong
    """How many of those there are."""
    count = cython.declare(cython.longlong, visibility="readonly")
    """How many arcs are chosen so far."""
    chosen: cython.int[::1]
    """Those arcs."""
    spare: cython.int[::1]
    """Room to sort them into."""
    counts: cython.int[::1]
    """How many arcs have each key, and then where the next of them goes."""

    moves: cython.longlong
    """How many kinds of move there are."""

    def __init__(self, joining: Joining, demand_of: memoryview, demands: int, moves: int) -> None:
        """Find the arcs that lead into another area or ask for something."""
        cells = joining.cells
        self.cells = cells
        self.area_of = joining.area_of
        self.areas = joining.count
        self.demand_of = demand_of
        self.demands = demands
        self.moves = moves
        self.count = 0
        self.chosen = new_row(1, SHORT)
        with cython.nogil:
            self._list(False)
        self.chosen = new_row(self.count, SHORT)
        self.spare = new_row(self.count, SHORT)
        self.counts = new_row(1, SHORT)
        with cython.nogil:
            self._list(True)

    def sort_by_move(self) -> None:
        """Sort the arcs by their move, keeping the order of equal ones."""
        self.counts = new_row(self.moves + 1, SHORT)
        with cython.nogil:
            self._sort(_BY_MOVE)

    def sort_by_target(self) -> None:
        """Sort the arcs by the area they lead to, keeping the order of equal ones."""
        self.counts = new_row(self.areas + 1, SHORT)
        with cython.nogil:
            self._sort(_BY_TARGET)

    def sort_by_source(self) -> None:
        """Sort the arcs by the area they lead from, keeping the order of equal ones."""
        self.counts = new_row(self.areas + 1, SHORT)
        with cython.nogil:
            self._sort(_BY_SOURCE)

    def drop_alike(self) -> None:
        """Keep the first of arcs between the same areas that ask for the same; arcs of two areas stand together."""
        self.counts = new_row(self.demands, SHORT)
        with cython.nogil:
            self._drop_alike()

    def rows(self) -> tuple[memoryview, memoryview, memoryview, memoryview, memoryview]:
        """Return for each arc the areas it leads from and to, its move, its demand, and the arc between cells."""
        sources, targets, moves, demands, arcs = [new_row(self.count, SHORT) for _ in range(5)]
        source: cython.int[::1] = sources
        target: cython.int[::1] = targets
        move: cython.int[::1] = moves
        demand: cython.int[::1] = demands
        held: cython.int[::1] = arcs
        with cython.nogil:
            for place in range(self.count):
                arc = self.chosen[place]
                source[place] = self.area_of[self.cells.source[arc]]
                target[place] = self.area_of[self.cells.target[arc]]
                move[place] = self.cells.move[arc]
                demand[place] = self.demand_of[self.cells.demand[arc]]
                held[place] = arc
        return sources, targets, moves, demands, arcs

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _list(self, fill: cython.bint) -> cython.void:
        """Count the arcs that lead into another area or ask for something; with `fill`, write them down."""
        self.count = 0
        for arc in range(self.cells.arcs):
            same: cython.bint = self.area_of[self.cells.source[arc]] == self.area_of[self.cells.target[arc]]
            if self.cells.demand[arc] != 0 or not same:
                if fill:
                    self.chosen[self.count] = arc
                self.count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self, arc: cython.longlong, kind: cython.longlong) -> cython.longlong:
        """Return what an arc is sorted by."""
        if kind == _BY_MOVE:
            return self.cells.move[arc]
        return self.area_of[self.cells.target[arc] if kind == _BY_TARGET else self.cells.source[arc]]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sort(self, kind: cython.longlong) -> cython.void:
        """Sort by counting: `counts` is all zeros, and has one entry more than there are keys."""
        for place in range(self.count):
            self.counts[self._key(self.chosen[place], kind) + 1] += 1
        for key in range(1, self.counts.shape[0]):
            self.counts[key] += self.counts[key - 1]
        for place in range(self.count):
            key_of_arc = self._key(self.chosen[place], kind)
            self.spare[self.counts[key_of_arc]] = self.chosen[place]
            self.counts[key_of_arc] += 1
        for place in range(self.count):
            self.chosen[place] = self.spare[place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _drop_alike(self) -> cython.void:
        """Do what `drop_alike` says; `counts` has for each demand the last pair of areas it was met between."""
        kept: cython.longlong = 0
        pair: cython.longlong = 0
        here: cython.longlong = -1
        there: cython.longlong = -1
        for place in range(self.count):
            arc = self.chosen[place]
            source = self.area_of[self.cells.source[arc]]
            target = self.area_of[self.cells.target[arc]]
            if source != here or target != there:
                pair += 1
                here = source
                there = target
            demand = self.demand_of[self.cells.demand[arc]]
            if self.counts[demand] != pair:
                self.counts[demand] = pair
                self.chosen[kept] = arc
                kept += 1
        self.count = kept
