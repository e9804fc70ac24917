"""Write the clauses that make an order transitive: by far the most of a refutation's statements, so compiled."""

# mypy: ignore-errors

from __future__ import annotations

import cython


@cython.final
@cython.cclass
class Transitivity:
    """Say of any three events: if e is no later than f and f no later than g, then e is no later than g."""

    events: cython.longlong
    """How many events there are."""
    first: cython.longlong
    """The variable that event 0 is no later than itself. For e and f it is the one e × events + f after that."""
    literals: cython.int[::1]
    """The literals of all clauses, one clause after the other."""
    starts: cython.longlong[::1]
    """Where each clause begins, and where the last one ends."""

    def __init__(self, events: int, first: int, literals: memoryview, starts: memoryview) -> None:
        self.events = events
        self.first = first
        self.literals = literals
        self.starts = starts

    def write(self, clause: cython.longlong, literal: cython.longlong) -> None:
        """Write all clauses, of which the first gets this number and its first literal this place."""
        with cython.nogil:
            for f in range(self.events):
                for e in range(self.events):
                    for g in range(self.events):
                        if e != f and f != g and e != g:
                            self.literals[literal] = -self._no_later(e, f)
                            self.literals[literal + 1] = -self._no_later(f, g)
                            self.literals[literal + 2] = self._no_later(e, g)
                            literal += 3
                            clause += 1
                            self.starts[clause] = literal

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _no_later(self, e: cython.longlong, f: cython.longlong) -> cython.longlong:
        return self.first + e * self.events + f
