"""Write the clauses of counters that are alike but for the numbers of their variables."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row, row_of


@cython.final
@cython.cclass
class CounterTemplate:
    """Hold the clauses of a counter as if its cells were the variables from 1 on, and its own variables came next."""

    cells: cython.longlong
    """How many cells there are."""
    own = cython.declare(cython.longlong, visibility="readonly")
    """How many variables of its own the counter has."""
    length = cython.declare(cython.longlong, visibility="readonly")
    """How many literals all clauses have together."""
    clause_count: cython.longlong
    """How many clauses there are."""
    literals: cython.int[::1]
    """The literals of all clauses, one clause after the other."""
    ends: cython.longlong[::1]
    """Where each clause ends in them."""

    def __init__(self, cells: int, own: int, clauses: list[list[int]]) -> None:
        self.cells = cells
        self.own = own
        literals: list[int] = []
        ends = []
        for clause in clauses:
            literals += clause
            ends.append(len(literals))
        self.length = len(literals)
        self.clause_count = len(clauses)
        self.literals = row_of(literals, SHORT)
        self.ends = row_of(ends)

    def literals_for(self, cells: memoryview, variables: cython.longlong) -> memoryview:
        """Return the bytes of the literals for these cells; the counter's variables come after the given number."""
        row = new_row(self.length, SHORT)
        names: cython.int[::1] = cells
        numbered: cython.int[::1] = row
        for place in range(self.length):
            literal: cython.longlong = self.literals[place]
            variable: cython.longlong = literal if literal > 0 else -literal
            if variable <= self.cells:
                variable = names[variable - 1] + 1
            else:
                variable += variables - self.cells
            numbered[place] = variable if literal > 0 else -variable
        return row.cast("B")[: 4 * self.length]

    def ends_for(self, begin: cython.longlong) -> memoryview:
        """Return the bytes of where each clause ends, if the first one begins there."""
        row = new_row(self.clause_count)
        ends: cython.longlong[::1] = row
        for clause in range(self.clause_count):
            ends[clause] = begin + self.ends[clause]
        return row.cast("B")[: 8 * self.clause_count]
