"""Write the clauses of edges, leaving out what is never allowed."""

# mypy: ignore-errors

from __future__ import annotations

import cython


@cython.final
@cython.cclass
class EdgeClauses:
    """Say of edges of one kind: not this module at the start, or one at the end that agrees."""

    modules: cython.longlong
    """How many modules there are."""
    agrees: cython.uchar[:, ::1]
    """Shape (modules, modules): 1 if m at the start of an edge and n at its end agree."""
    allowed: cython.uchar[:, ::1]
    """Shape (nodes, modules): 1 for what may stand on each node."""
    variable: cython.longlong[:, ::1]
    """Shape (nodes, modules): the variable that says a node holds a module."""
    start: cython.longlong[::1]
    """Shape (edges): the node where each edge starts."""
    end: cython.longlong[::1]
    """Shape (edges): the node where it ends."""
    literals = cython.declare(cython.longlong, visibility="readonly")
    """How many literals all clauses have together, once they were counted or written."""
    clauses = cython.declare(cython.longlong, visibility="readonly")
    """How many clauses there are."""

    def __init__(
        self, agrees: memoryview, allowed: memoryview, variable: memoryview, start: memoryview, end: memoryview
    ) -> None:
        self.modules = len(agrees)
        self.agrees = agrees
        self.allowed = allowed
        self.variable = variable
        self.start = start
        self.end = end
        self.literals = 0
        self.clauses = 0

    def count(self) -> None:
        """Count the literals and clauses that `write` writes."""
        edge: cython.longlong
        module: cython.longlong
        other: cython.longlong
        self.literals = 0
        self.clauses = 0
        with cython.nogil:
            for edge in range(self.start.shape[0]):
                for module in range(self.modules):
                    if self.needs_clause(edge, module):
                        self.clauses += 1
                        self.literals += 1
                        for other in range(self.modules):
                            if self.allowed[self.end[edge], other] != 0 and self.agrees[module, other] != 0:
                                self.literals += 1

    def write(self, literals: cython.longlong[::1], widths: cython.longlong[::1]) -> None:
        """Write the clauses, one after the other, and how many literals each has; there must be room."""
        edge: cython.longlong
        module: cython.longlong
        self.literals = 0
        self.clauses = 0
        with cython.nogil:
            for edge in range(self.start.shape[0]):
                for module in range(self.modules):
                    if self.needs_clause(edge, module):
                        begin: cython.longlong = self.literals
                        self.write_clause(edge, module, literals)
                        widths[self.clauses] = self.literals - begin
                        self.clauses += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def needs_clause(self, edge: cython.longlong, module: cython.longlong) -> cython.bint:
        """Tell whether a module is allowed at the start and rules something out that is allowed at the end."""
        if self.allowed[self.start[edge], module] == 0:
            return False
        node: cython.longlong = self.end[edge]
        other: cython.longlong
        for other in range(self.modules):
            if self.allowed[node, other] != 0 and self.agrees[module, other] == 0:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write_clause(
        self, edge: cython.longlong, module: cython.longlong, literals: cython.longlong[::1]
    ) -> cython.void:
        """Write one clause behind those that are written."""
        node: cython.longlong = self.end[edge]
        literals[self.literals] = -self.variable[self.start[edge], module]
        self.literals += 1
        other: cython.longlong
        for other in range(self.modules):
            if self.allowed[node, other] != 0 and self.agrees[module, other] != 0:
                literals[self.literals] = self.variable[node, other]
                self.literals += 1
