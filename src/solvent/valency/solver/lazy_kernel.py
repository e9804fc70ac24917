"""Fill node by node, looking at filled neighbours only and never going back."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row

if cython.compiled:
    from cython.cimports.solvent.engine.heap_kernel import Heap
    from cython.cimports.solvent.valency.solver.draw_kernel import Draws
    from cython.cimports.solvent.valency.solver.network_kernel import Arcs, Regions
else:
    from solvent.engine.heap_kernel import Heap
    from solvent.valency.solver.draw_kernel import Draws
    from solvent.valency.solver.network_kernel import Arcs, Regions

MAX_EFFORT = cython.declare(cython.longlong, 1 << 16)
"""The effort in one call beside the nodes that are filled; that takes some milliseconds."""
UNSET = cython.declare(cython.longlong, -1)
UNSOLVABLE = cython.declare(cython.longlong, -3)
"""What `model` calls these: a node before its turn, and one that was given up."""


@cython.final
@cython.cclass
class LazyFill:
    """Hold a fill that nothing is propagated in."""

    arcs: Arcs
    """Who is whose neighbour."""
    regions: Regions
    """Which module is wanted how often."""
    draws: Draws
    """Where chance comes from."""
    agreements: cython.uchar[:, :, ::1]
    """Shape (kinds, modules, modules): 1 if m at the start of an arc and n at its end agree."""
    modules: cython.longlong[::1]
    """Shape (nodes): the module on each node; UNSET until its turn."""
    candidates: cython.uchar[:, ::1]
    """Shape (nodes, modules): 1 for what fits; what neighbours rule out is taken away when a node's turn comes."""
    heap: Heap
    """Nodes by entropy; old entries are passed over."""
    keys: cython.longlong[::1]
    """Shape (nodes): the entropy of each node as it is now."""
    begun: cython.longlong
    """How many nodes were looked at to be put on the heap at first."""
    effort: cython.longlong
    """What was done in the last call: nodes that were ranked, and modules that were held against each other, some of
    them for one unit."""
    is_done: cython.bint
    """Whether all nodes had their turn."""
    filled = cython.declare(cython.longlong, visibility="readonly")
    """How many nodes had their turn in the last call."""

    def __init__(
        self,
        arcs: Arcs,
        regions: Regions,
        draws: Draws,
        agreements: memoryview,
        modules: memoryview,
        candidates: memoryview,
    ) -> None:
        """Begin with `modules` UNSET wherever something is to be filled."""
        self.arcs = arcs
        self.regions = regions
        self.draws = draws
        self.agreements = agreements
        self.modules = modules
        self.candidates = candidates
        self.heap = Heap(len(arcs.target) + arcs.nodes)
        self.keys = new_row(arcs.nodes)
        self.begun = 0
        self.effort = 0
        self.is_done = False
        self.filled = 0

    def run(self, limit: cython.longlong) -> bool:
        """Fill up to `limit` nodes; returns whether all had their turn."""
        with cython.nogil:
            self.fill_some(limit)
        return self.is_done

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_some(self, limit: cython.longlong) -> cython.void:
        """Put nodes on the heap, some in each call, and then fill up to `limit` of them."""
        node: cython.longlong
        self.filled = 0
        self.effort = 0
        while self.begun < self.arcs.nodes and self.effort < MAX_EFFORT:
            node = self.begun
            self.begun += 1
            self.effort += 1 + self.regions.modules // 64
            if self.modules[node] == UNSET:
                self.keys[node] = self.entropy(node)
                self.heap.push(self.keys[node], node)
        if self.begun < self.arcs.nodes:
            return
        while self.filled < limit and self.effort < MAX_EFFORT:
            node = self.next_node()
            if node < 0:
                self.is_done = True
                break
            self.filled += 1
            self.fill_node(node)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def next_node(self) -> cython.longlong:
        """Return the open node of least entropy; -1 if there is none."""
        while self.heap.size > 0:
            self.heap.pop()
            node: cython.longlong = self.heap.item
            if self.modules[node] == UNSET and self.keys[node] == self.heap.priority:
                return node
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fill_node(self, node: cython.longlong) -> cython.void:
        """Fill a node by chance, or give it up."""
        left = self.filter_by_neighbours(node)
        if left == 0:
            self.modules[node] = UNSOLVABLE
            return
        if left > 1:
            self.look_ahead(node, left)
        self.modules[node] = self.draw_candidate(node)
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            other: cython.longlong = self.arcs.target[arc]
            if self.modules[other] == UNSET:
                key = self.entropy(other)
                if key != self.keys[other]:
                    self.keys[other] = key
                    self.heap.push(key, other)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def entropy(self, node: cython.longlong) -> cython.longlong:
        """Return how much there is to choose from, as a whole number: lower is more urgent.

        It is the number of what fits, less up to a half for neighbours that are done.
        """
        fits: cython.longlong = 0
        module: cython.longlong
        for module in range(self.regions.modules):
            if self.candidates[node, module] != 0:
                fits += 1
        neighbours: cython.longlong = 0
        resolved: cython.longlong = 0
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            neighbours += 1
            if self.modules[self.arcs.target[arc]] != UNSET:
                resolved += 1
        if neighbours == 0:
            return fits * 2_000_000
        return fits * 2_000_000 - 1_000_000 * resolved // neighbours

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def filter_by_neighbours(self, node: cython.longlong) -> cython.longlong:
        """Take away what a filled neighbour does not agree with; returns how many are left."""
        left: cython.longlong = 0
        module: cython.longlong
        for module in range(self.regions.modules):
            if self.candidates[node, module] != 0:
                if self.agrees_with_filled(node, module):
                    left += 1
                else:
                    self.candidates[node, module] = 0
        return left

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def agrees_with_filled(self, node: cython.longlong, module: cython.longlong) -> cython.bint:
        """Tell whether a module agrees with all filled neighbours of a node."""
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            other: cython.longlong = self.modules[self.arcs.target[arc]]
            if other >= 0 and self.agreements[self.arcs.kind[arc], module, other] == 0:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def look_ahead(self, node: cython.longlong, left: cython.longlong) -> cython.void:
        """Take away what would leave an open neighbour with nothing, as long as something is left."""
        module: cython.longlong = self.regions.modules
        while module > 0:
            module -= 1
            if left > 1 and self.candidates[node, module] != 0 and not self.leaves_something(node, module):
                self.candidates[node, module] = 0
                left -= 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def leaves_something(self, node: cython.longlong, module: cython.longlong) -> cython.bint:
        """Tell whether every open neighbour has a candidate that agrees with a module."""
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            if self.modules[self.arcs.target[arc]] == UNSET and not self.is_supported(arc, module):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_supported(self, arc: cython.longlong, module: cython.longlong) -> cython.bint:
        """Tell whether the node at the end of an arc has a candidate that agrees with a module at its start."""
        other: cython.longlong = self.arcs.target[arc]
        kind: cython.longlong = self.arcs.kind[arc]
        neighbour: cython.longlong
        for neighbour in range(self.regions.modules):
            if self.candidates[other, neighbour] != 0 and self.agreements[kind, module, neighbour] != 0:
                self.effort += neighbour // 64
                return True
        self.effort += self.regions.modules // 64
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def draw_candidate(self, node: cython.longlong) -> cython.longlong:
        """Draw one of the candidates that are left, by weight."""
        region: cython.longlong = self.regions.of_node[node]
        total: cython.double = 0.0
        module: cython.longlong
        for module in range(self.regions.modules):
            if self.candidates[node, module] != 0:
                total += self.weight_of(region, module)
        aim: cython.double = self.draws.draw(node, region) * total
        chosen: cython.longlong = -1
        for module in range(self.regions.modules):
            if self.candidates[node, module] != 0 and aim >= 0.0:
                chosen = module
                aim -= self.weight_of(region, module)
        return chosen

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def weight_of(self, region: cython.longlong, module: cython.longlong) -> cython.double:
        """Return the weight to draw with, 1 at least."""
        weight: cython.longlong = self.regions.weights[region, module]
        return 1.0 * weight if weight > 1 else 1.0
