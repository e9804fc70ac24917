"""The kernel behind the bounded supply: through how many gates of one resource a way to the goal leads at least."""

# mypy: ignore-errors

from __future__ import annotations

from array import array

import cython

from solvent.engine.arrays import SHORT, new_row, row_of

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.graph_kernel import Graph
else:
    from solvent.dungeon.solver.graph_kernel import Graph

UNREACHED = 1 << 30
"""More gates than there are: nothing leads to the goal."""

_UNREACHED = cython.declare(cython.longlong, UNREACHED)


@cython.final
@cython.cclass
class GateCount:
    """Count gates backwards from the goals, with everything else open.

    All cells and ways of a gate are one node, so that a walk without loops meets each gate once.
    """

    graph: Graph
    """The graph of tiles."""
    passable: cython.uchar[::1]
    """1 for each demand that can be met at all."""
    gate_of_cell: cython.int[::1]
    """For each cell the gate of the resource it belongs to, from 0; -1 for none."""
    gate_of_arc: cython.int[::1]
    """For each arc the gate of the resource on the way it takes; -1 for none."""
    first_cell: cython.int[::1]
    """Shape (gates + 1): where the cells of each gate begin in `cells`."""
    cells: cython.int[::1]
    """The cells of the gates, gate by gate."""
    first_way: cython.int[::1]
    """Shape (gates + 1): where the arcs of ways through each gate begin in `ways`."""
    ways: cython.int[::1]
    """The arcs of ways through the gates, gate by gate."""
    needed: cython.int[::1]
    """For each cell the least number of gates on a way from there to a goal, its own included; UNREACHED for none."""
    opened: cython.uchar[::1]
    """1 for each gate that was come to."""
    queue: cython.int[::1]
    """Cells in the order they were come to: those behind as many gates together."""
    following: cython.int[::1]
    """Gates that were come to from these, behind one more."""

    def __init__(self, graph: Graph, passable: bytearray, cells_of: list[list[int]], ways_of: list[list[int]]) -> None:
        """Begin with the cells of each gate of one resource, and the arcs of the ways through it."""
        gates = len(cells_of)
        graph.sort_incoming()
        self.graph = graph
        self.passable = passable
        self.gate_of_cell = _owners(cells_of, graph.nodes)
        self.gate_of_arc = _owners(ways_of, graph.arcs)
        self.first_cell = _firsts(cells_of)
        self.cells = row_of([cell for cells in cells_of for cell in cells], SHORT)
        self.first_way = _firsts(ways_of)
        self.ways = row_of([arc for arcs in ways_of for arc in arcs], SHORT)
        self.needed = new_row(graph.nodes, SHORT)
        self.opened = bytearray(max(1, gates))
        self.queue = new_row(graph.nodes, SHORT)
        self.following = new_row(gates, SHORT)

    def run(self) -> None:
        """Find what each cell needs."""
        with cython.nogil:
            self._run()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self) -> cython.void:
        reached: cython.longlong = 0
        done: cython.longlong = 0
        waiting: cython.longlong = 0
        taken: cython.longlong = 0
        for cell in range(self.graph.nodes):
            self.needed[cell] = _UNREACHED
        for cell in range(self.graph.nodes):
            if self.graph.is_goal[cell] != 0:
                self.needed[cell] = 0
                self.queue[reached] = cell
                reached += 1
        while True:
            while done < reached:
                there = self.queue[done]
                done += 1
                count = self.needed[there]
                for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
                    arc = self.graph.incoming[place]
                    if self.passable[self.graph.demand[arc]] == 0:
                        continue
                    gate = self.gate_of_arc[arc]
                    if gate < 0:
                        gate = self.gate_of_cell[self.graph.source[arc]]
                    if gate < 0:
                        here = self.graph.source[arc]
                        if self.needed[here] == _UNREACHED:
                            self.needed[here] = count
                            self.queue[reached] = here
                            reached += 1
                    elif self.opened[gate] == 0:
                        self.opened[gate] = 1
                        self.following[waiting] = gate
                        waiting += 1
            if taken == waiting:
                return
            # Everything behind as many gates is done: go through the gates at its edge, all of them one deeper.
            count = self.needed[self.queue[reached - 1]] + 1
            last = waiting
            while taken < last:
                gate = self.following[taken]
                taken += 1
                for place in range(self.first_cell[gate], self.first_cell[gate + 1]):
                    here = self.cells[place]
                    if self.needed[here] == _UNREACHED:
                        self.needed[here] = count
                        self.queue[reached] = here
                        reached += 1
                for place in range(self.first_way[gate], self.first_way[gate + 1]):
                    here = self.graph.source[self.ways[place]]
                    other = self.gate_of_cell[here]
                    if other >= 0:
                        if self.opened[other] == 0:
                            self.opened[other] = 1
                            self.following[waiting] = other
                            waiting += 1
                    elif self.needed[here] == _UNREACHED:
                        self.needed[here] = count
                        self.queue[reached] = here
                        reached += 1

    def row(self) -> memoryview:
        """Return what each cell needs."""
        return memoryview(self.needed)[: self.graph.nodes]


def _owners(members_of: list[list[int]], count: int) -> memoryview:
    """Return the gate of each member, -1 for none."""
    owners = array(SHORT, [-1]) * max(1, count)
    for gate, members in enumerate(members_of):
        for member in members:
            owners[member] = gate
    return row_of(owners, SHORT)


def _firsts(members_of: list[list[int]]) -> memoryview:
    """Return where the members of each gate begin if all are listed gate by gate."""
    first, total = [0], 0
    for members in members_of:
        total += len(members)
        first.append(total)
    return row_of(first, SHORT)
