"""The kernel that looks over the rows of a formula before anyone relies on them."""

# mypy: ignore-errors

from __future__ import annotations

import cython


@cython.final
@cython.cclass
class LiteralRow:
    """Find out whether numbers are literals of a formula."""

    literals: cython.int[::1]
    """The literals of all clauses."""

    def __init__(self, literals: memoryview) -> None:
        self.literals = literals

    def first_bad(self, variables: cython.longlong) -> int:
        """Return the first place that holds 0 or a variable there is not, or -1."""
        place: cython.longlong
        literal: cython.longlong
        with cython.nogil:
            for place in range(self.literals.shape[0]):
                literal = self.literals[place]
                if literal == 0 or literal > variables or literal < -variables:
                    break
            else:
                place = -1
        return place

    def take_from(self, numbers: memoryview, variables: cython.longlong) -> int:
        """Copy numbers of 64 bits in, up to the first that is no literal; returns its place, or -1."""
        wide: cython.longlong[::1] = numbers
        place: cython.longlong
        with cython.nogil:
            for place in range(wide.shape[0]):
                if wide[place] == 0 or wide[place] > variables or wide[place] < -variables:
                    break
                self.literals[place] = wide[place]
            else:
                place = -1
        return place


@cython.final
@cython.cclass
class StartRow:
    """Find out whether numbers cut a row into consecutive pieces."""

    starts: cython.longlong[::1]
    """Where each clause begins, and where the last one ends."""

    def __init__(self, starts: memoryview) -> None:
        self.starts = starts

    def first_falling(self) -> int:
        """Return the first place whose start is before the one ahead of it, or -1."""
        place: cython.longlong
        with cython.nogil:
            for place in range(1, self.starts.shape[0]):
                if self.starts[place] < self.starts[place - 1]:
                    break
            else:
                place = -1
        return place
