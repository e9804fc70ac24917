"""Write the clauses of edges, leaving out what is never allowed."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if cython.compiled:
    from cython.cimports.solvent.engine.bits import lowest_bit, popcount, without_lowest_bit
else:
    from solvent.engine.bits import lowest_bit, popcount, without_lowest_bit


@cython.final
@cython.cclass
class EdgeClauses:
    """Say of edges of one kind: not this module at the start, or one at the end that agrees.

    Sets of modules are rows of words, bit m % 64 of word m // 64 for module m.
    """

    words: cython.longlong
    """How many words a set of modules takes."""
    agrees: cython.ulonglong[:, ::1]
    """Shape (modules, words): who at the end of an edge agrees with each module at its start."""
    allowed: cython.ulonglong[:, ::1]
    """Shape (nodes, words): what may stand on each node."""
    variable: cython.int[:, ::1]
    """Shape (nodes, modules): the variable that says a node holds a module."""
    start: cython.longlong[::1]
    """Shape (edges): the node where each edge starts."""
    end: cython.longlong[::1]
    """Shape (edges): the node where it ends."""
    literals = cython.declare(cython.longlong, visibility="readonly")
    """How many literals the clauses have together that were counted or written."""
    clauses = cython.declare(cython.longlong, visibility="readonly")
    """How many clauses that were."""
    literal_row: cython.int[::1]
    """Shape (literals): the clauses, one after the other."""
    width_row: cython.longlong[::1]
    """Shape (clauses): how many literals each has."""

    def __init__(
        self, agrees: memoryview, allowed: memoryview, variable: memoryview, start: memoryview, end: memoryview
    ) -> None:
        self.words = allowed.shape[1]
        self.agrees = agrees
        self.allowed = allowed
        self.variable = variable
        self.start = start
        self.end = end
        self.literals = 0
        self.clauses = 0
        self.literal_row = new_row(0, SHORT)
        self.width_row = new_row(0)

    def count(self) -> None:
        """Count the literals and clauses that `write` writes."""
        with cython.nogil:
            self.go_over(False)

    def write(self, literals: memoryview, widths: memoryview) -> None:
        """Write the clauses, one after the other, and how many literals each has; there must be room."""
        self.literal_row = literals
        self.width_row = widths
        with cython.nogil:
            self.go_over(True)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def go_over(self, writing: cython.bint) -> cython.void:
        """Count all clauses, and write them if that is asked for."""
        self.literals = 0
        self.clauses = 0
        edge: cython.longlong
        word: cython.longlong
        for edge in range(self.start.shape[0]):
            for word in range(self.words):
                left: cython.ulonglong = self.allowed[self.start[edge], word]
                while left != 0:
                    module = word * 64 + lowest_bit(left)
                    left = without_lowest_bit(left)
                    agreeing = self.count_agreeing(edge, module)
                    if agreeing < 0:
                        continue
                    if writing:
                        self.width_row[self.clauses] = 1 + agreeing
                        self.write_clause(edge, module)
                    self.clauses += 1
                    self.literals += 1 + agreeing

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def count_agreeing(self, edge: cython.longlong, module: cython.longlong) -> cython.longlong:
        """Return how many modules that are allowed at the end agree with one at the start; -1 if all of them do."""
        node: cython.longlong = self.end[edge]
        agreeing: cython.longlong = 0
        others: cython.ulonglong = 0
        word: cython.longlong
        for word in range(self.words):
            agreeing += popcount(self.allowed[node, word] & self.agrees[module, word])
            others |= self.allowed[node, word] & ~self.agrees[module, word]
        return -1 if others == 0 else agreeing

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def write_clause(self, edge: cython.longlong, module: cython.longlong) -> cython.void:
        """Write one clause behind those that are written."""
        node: cython.longlong = self.end[edge]
        place = self.literals
        self.literal_row[place] = -self.variable[self.start[edge], module]
        word: cython.longlong
        for word in range(self.words):
            left: cython.ulonglong = self.allowed[node, word] & self.agrees[module, word]
            while left != 0:
                place += 1
                self.literal_row[place] = self.variable[node, word * 64 + lowest_bit(left)]
                left = without_lowest_bit(left)
