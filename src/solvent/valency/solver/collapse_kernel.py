"""The collapse: choose, propagate, and mend contradictions where they arise."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.valency.solver.choose_kernel import NO_ROOM, READY

if cython.compiled:
    from cython.cimports.solvent.valency.solver.choose_kernel import Choosing
    from cython.cimports.solvent.valency.solver.count_bounds_kernel import CountBounds
    from cython.cimports.solvent.valency.solver.mend_kernel import Surroundings
    from cython.cimports.solvent.valency.solver.propagate_kernel import Fill
else:
    from solvent.valency.solver.choose_kernel import Choosing
    from solvent.valency.solver.count_bounds_kernel import CountBounds
    from solvent.valency.solver.mend_kernel import Surroundings
    from solvent.valency.solver.propagate_kernel import Fill

WORKING, FILLED, CONTRADICTION, STUCK, OUT_OF_BOUNDS, HEAP_FULL = range(6)
"""What a call ends with: out of its limit; every node has one module; a node has none, and mending is off; mending goes
on too long at one place; a count cannot be kept any more; the heap must grow."""

MAX_EFFORT = cython.declare(cython.longlong, 1 << 17)
"""How many nodes are gone over in one call beside its work; that takes some milliseconds."""
_WORKING = cython.declare(cython.longlong, WORKING)
_FILLED = cython.declare(cython.longlong, FILLED)
_CONTRADICTION = cython.declare(cython.longlong, CONTRADICTION)
_STUCK = cython.declare(cython.longlong, STUCK)
_OUT_OF_BOUNDS = cython.declare(cython.longlong, OUT_OF_BOUNDS)
_READY = cython.declare(cython.longlong, READY)
_NO_ROOM = cython.declare(cython.longlong, NO_ROOM)
_HEAP_FULL = cython.declare(cython.longlong, HEAP_FULL)


@cython.final
@cython.cclass
class Collapse:
    """Fill nodes one after the other. Work can stop anywhere and go on in the next call."""

    fill: Fill
    """What is known about each node."""
    choosing: Choosing
    """Which node is next, and what stands on it."""
    surroundings: Surroundings
    """What starts again after a contradiction."""
    count_bounds: CountBounds
    """Counts to keep."""
    mending: cython.bint
    """Whether contradictions are mended on the spot."""
    is_counted: cython.bint
    """Whether the counts are up to date with all nodes that changed."""
    place = cython.declare(cython.longlong, visibility="readonly")
    """The node of the last contradiction, or the bound that cannot be kept."""

    def __init__(self, surroundings: Surroundings, count_bounds: CountBounds, mending: bool) -> None:
        self.fill = surroundings.fill
        self.choosing = surroundings.choosing
        self.surroundings = surroundings
        self.count_bounds = count_bounds
        self.mending = mending
        self.is_counted = False
        self.place = 0

    def run(self, limit: cython.longlong) -> int:
        """Fill nodes until all are filled, a contradiction cannot be mended here, or the limit of work is reached."""
        self.fill.work = 0
        self.fill.effort = 0
        status: cython.longlong = _WORKING
        with cython.nogil:
            while status == _WORKING and self.fill.work < limit and self.fill.effort < MAX_EFFORT:
                status = self.step(limit)
        return status

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def step(self, limit: cython.longlong) -> cython.longlong:
        """Draw the consequences that are waiting, or keep the counts, or choose a node; returns how that ended."""
        if self.fill.queue_length > 0:
            return self.propagate(limit)
        node: cython.longlong = -1
        if self.count_bounds.count > 0:
            if not self.is_counted:
                if not self.count_bounds.recount(MAX_EFFORT):
                    return _WORKING
                self.is_counted = True
            if not self.choosing.by_entropy:
                self.fill.forget_touched()
            bound = self.count_bounds.keep_bounds()
            if bound >= 0:
                self.place = bound
                return _OUT_OF_BOUNDS
            if self.fill.queue_length > 0:
                return _WORKING
            node = self.count_bounds.place_wanted()
        if node < 0:
            ready = self.choosing.is_ready(MAX_EFFORT)
            if ready != _READY:
                return _HEAP_FULL if ready == _NO_ROOM else _WORKING
            node = self.choosing.next_node()
        if node < 0:
            return _FILLED
        if self.fill.sizes[node] > 1:
            self.choosing.choose(node)
        else:
            self.fill.settle(node)
        self.fill.touch(node)
        self.fill.enqueue(node)
        self.fill.work += 1
        return _WORKING

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def propagate(self, limit: cython.longlong) -> cython.longlong:
        """Draw consequences, and mend the contradiction that comes of them."""
        self.is_counted = False
        failed = self.fill.propagate(limit)
        if failed < 0:
            return _WORKING
        self.place = failed
        if not self.mending:
            return _CONTRADICTION
        return _WORKING if self.surroundings.mend(failed) else _STUCK
