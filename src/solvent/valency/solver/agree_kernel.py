"""Look whether a fill agrees with itself."""

# mypy: ignore-errors

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit
    from cython.cimports.solvent.valency.solver.network_kernel import Arcs
else:
    from solvent.engine.bits import bit
    from solvent.valency.solver.network_kernel import Arcs


@cython.final
@cython.cclass
class Agreement:
    """Hold a fill to be looked at."""

    arcs: Arcs
    """Who is whose neighbour."""
    domains: cython.ulonglong[:, ::1]
    """Shape (nodes, words): what may stand on each node."""
    modules: cython.longlong[::1]
    """Shape (nodes): the module on each node; negative where there is none."""
    node: cython.longlong
    """The next node to look at."""
    holds = cython.declare(cython.bint, visibility="readonly")
    """Whether nothing was found that is wrong."""

    def __init__(self, arcs: Arcs, domains: memoryview, modules: memoryview) -> None:
        self.arcs = arcs
        self.domains = domains
        self.modules = modules
        self.node = 0
        self.holds = True

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to `limit` nodes; returns whether there is no more to look at, because nothing is left to say.

        Then `holds` tells whether everything stands where it may, and all filled neighbours agree.
        """
        with cython.nogil:
            while limit > 0 and self.holds and self.node < self.arcs.nodes:
                if self.modules[self.node] >= 0:
                    self.holds = self.fits(self.node)
                self.node += 1
                limit -= 1
        return self.node == self.arcs.nodes or not self.holds

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fits(self, node: cython.longlong) -> cython.bint:
        """Tell whether the module of a node may stand there and agrees with its filled neighbours."""
        module = self.modules[node]
        if self.domains[node, module >> 6] & bit(module & 63) == 0:
            return False
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.start[node + 1]):
            other = self.modules[self.arcs.target[arc]]
            if other >= 0 and self.arcs.support[self.arcs.kind[arc], module, other >> 6] & bit(other & 63) == 0:
                return False
        return True
