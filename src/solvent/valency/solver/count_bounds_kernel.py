"""Keep counts within their bounds."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.engine.bits import popcount
    from solvent.valency.solver.propagate_kernel import Fill

MUST_HOLD = 2
"""What `states` says of a node that must hold a module of a bound's set, as Python sees it."""
NEVER = cython.declare(cython.longlong, 0)
MAY = cython.declare(cython.longlong, 1)
MUST = cython.declare(cython.longlong, 2)
NODES_A_UNIT = cython.declare(cython.longlong, 1000)
"""How many nodes that are only gone over are one unit of work."""
LEAST = cython.declare(cython.longlong, 0)
MOST = cython.declare(cython.longlong, 1)


@cython.final
@cython.cclass
class CountBounds:
    """Hold counts of modules and their bounds. The fields are described in `count_bounds_kernel.pxd`."""

    def __init__(
        self,
        fill: Fill,
        modules: memoryview,
        scope: memoryview,
        bounds: memoryview,
        states: memoryview,
        placing: memoryview,
    ) -> None:
        """Begin with `states` of zeros."""
        self.fill = fill
        self.count = len(modules)
        self.modules = modules
        self.scope = scope
        self.bounds = bounds
        self.states = states
        self.must = new_row(self.count)
        self.may = new_row(self.count)
        self.placing = placing
        self.placing_length = len(placing)
        self.recounted = 0
        self.placed = new_row(self.count)

    def recount(self, effort: cython.longlong) -> cython.bint:
        """Bring the counts up to date with every node that changed.

        Returns False if that had to be left off because the effort of this call has become so much.
        """
        bound: cython.longlong
        while self.recounted < self.fill.touched_count:
            if self.fill.effort >= effort:
                return False
            self.fill.effort += self.count
            node: cython.longlong = self.fill.touched[self.recounted]
            self.recounted += 1
            for bound in range(self.count):
                if self.scope[bound, node] == 0:
                    continue
                now = self.state_of(bound, node)
                before: cython.longlong = self.states[bound, node]
                if now == before:
                    continue
                self.states[bound, node] = now
                if before == MUST:
                    self.must[bound] -= 1
                if before != NEVER:
                    self.may[bound] -= 1
                if now == MUST:
                    self.must[bound] += 1
                if now != NEVER:
                    self.may[bound] += 1
        self.recounted = 0
        return True

    def state_of(self, bound: cython.longlong, node: cython.longlong) -> cython.longlong:
        """Return whether a node holds a module of a bound's set: NEVER, MAY or MUST."""
        inside: cython.bint = False
        outside: cython.bint = False
        word: cython.longlong
        for word in range(self.fill.arcs.words):
            possible: cython.ulonglong = self.fill.domains[node, word]
            inside = inside or (possible & self.modules[bound, word]) != 0
            outside = outside or (possible & ~self.modules[bound, word]) != 0
        if not inside:
            return NEVER
        return MAY if outside else MUST

    def keep_bounds(self) -> cython.longlong:
        """Draw consequences from the counts; returns a bound that cannot be kept any more, or -1.

        If as many must as may at most, no other does. If only as many may as must at least, they all do.
        """
        bound: cython.longlong
        for bound in range(self.count):
            must: cython.longlong = self.must[bound]
            may: cython.longlong = self.may[bound]
            least: cython.longlong = self.bounds[bound, LEAST]
            most: cython.longlong = self.bounds[bound, MOST]
            if must > most or may < least:
                return bound
            if may == must:
                continue
            if must == most:
                self.narrow_open(bound, False)
                return -1  # first let this sink in
            if may == least:
                self.narrow_open(bound, True)
                return -1
        return -1

    def narrow_open(self, bound: cython.longlong, inside: cython.bint) -> cython.void:
        """Have every node that may hold a module of the set hold one, or none of them."""
        node: cython.longlong
        word: cython.longlong
        self.fill.effort += self.fill.arcs.nodes
        self.fill.work += self.fill.arcs.nodes // NODES_A_UNIT
        for node in range(self.fill.arcs.nodes):
            if self.states[bound, node] == MAY:
                size: cython.longlong = 0
                for word in range(self.fill.arcs.words):
                    if inside:
                        self.fill.domains[node, word] &= self.modules[bound, word]
                    else:
                        self.fill.domains[node, word] &= ~self.modules[bound, word]
                    size += popcount(self.fill.domains[node, word])
                self.fill.narrowed(node, size)

    def place_wanted(self) -> cython.longlong:
        """Narrow the next node of `placing` to the set of a bound that has too few; returns it, or -1."""
        bound: cython.longlong
        word: cython.longlong
        for bound in range(self.count):
            if self.must[bound] >= self.bounds[bound, LEAST]:
                continue
            while self.placed[bound] < self.placing_length:
                node: cython.longlong = self.placing[self.placed[bound]]
                self.placed[bound] += 1
                if self.states[bound, node] == MAY:
                    size: cython.longlong = 0
                    for word in range(self.fill.arcs.words):
                        self.fill.domains[node, word] &= self.modules[bound, word]
                        size += popcount(self.fill.domains[node, word])
                    self.fill.book_size(node, size)
                    return node
        return -1
