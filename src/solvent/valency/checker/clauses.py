"""Gather clauses in flat arrays, millions at a time, and say in clauses how many of some literals are true."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.clauses import ClauseList
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.slices import joined, running_total, slices

Literals = npt.NDArray[np.int32]

MAX_WORDS = 300_000_000
"""How large one formula may be, in literals; beyond this it would not fit into memory. A clause costs some as well."""
WORDS_A_CLAUSE = 6
BYTES_A_WORD = 8
"""What a word takes in memory, about, until the proof has been followed."""
MAX_WORDS_TOGETHER = 3_000_000_000
"""How large all formulas of a certificate may be together."""
MAX_STEPS = 30_000_000
"""How many nodes may be looked at to find out which are close to each other."""


class TooLargeError(Exception):
    """Say that a certificate asks for more than anyone could check."""


class CheckingLimits(Struct):
    """Count what checking a certificate may still cost."""

    words: int = MAX_WORDS_TOGETHER
    steps: int = MAX_STEPS

    def spend_steps(self, steps: int) -> None:
        """Take some steps, or refuse."""
        self.steps -= steps
        if self.steps < 0:
            raise TooLargeError("the refutation is too large to check: too many nodes are close to each other")


class Sums(Struct, frozen=True):
    """Hold what the variables of a count mean: s(i, j), the j-th of row i, is about the first i + 1 literals."""

    first: int
    """The first variable."""
    literals: Numbers
    width: int
    """How many variables there are for each literal."""


class Clauses:
    """Hold clauses about numbered variables. Room is asked for before anything is made."""

    def __init__(self, limits: CheckingLimits, meter: Meter = UNLIMITED) -> None:
        self.limits = limits
        self.meter = meter
        self.variables = 0
        self.sums: list[Sums] = []
        """The counts, in the order of their variables."""
        self._words = 0
        self._literals: list[Literals] = []
        self._lengths: list[Literals] = []

    def reserve(self, clauses: int, literals: int) -> None:
        """Make sure that so much more may be added, or refuse."""
        words = literals + WORDS_A_CLAUSE * clauses
        self._words += words
        self.limits.words -= words
        if self._words > MAX_WORDS or self.limits.words < 0:
            raise TooLargeError(f"the refutation is too large to check: its formula has over {MAX_WORDS:,} literals")
        self.meter.require_memory(BYTES_A_WORD * words / 1e6, "the formula of a refutation")

    def new_variables(self, count: int) -> int:
        """Number so many variables more; returns the first."""
        first = self.variables + 1
        self.variables += count
        if self.variables > MAX_WORDS:
            raise TooLargeError(f"the refutation is too large to check: it has over {MAX_WORDS:,} variables")
        return first

    def add_table(self, rows: npt.NDArray[np.integer]) -> None:
        """Add clauses of the same length, one a row; the room is reserved already."""
        count, length = rows.shape
        self._literals.append(rows.astype(np.int32).reshape(-1))
        self._lengths.append(np.full(count, length, dtype=np.int32))

    def add(self, literals: npt.NDArray[np.integer], lengths: npt.NDArray[np.integer]) -> None:
        """Add clauses that stand one after the other; the room is reserved already."""
        self._literals.append(literals.astype(np.int32).reshape(-1))
        self._lengths.append(lengths.astype(np.int32))

    def add_clause(self, literals: npt.NDArray[np.integer]) -> None:
        """Add one clause."""
        self.reserve(1, len(literals))
        self.add(literals, np.array([len(literals)]))

    def formula(self) -> ClauseList:
        """Return all clauses. Nothing can be added afterwards."""
        lengths, literals = (joined(rows, np.int32, self.meter) for rows in (self._lengths, self._literals))
        self._literals, self._lengths = [], []
        return ClauseList(literals, running_total(lengths, self.meter), self.variables)

    # Counting

    def at_most(self, literals: Numbers, most: int) -> None:
        """Say that at most so many of the literals are true.

        The variable s(i, j) stands for "of the first i literals at least j are true", and is true if that is.
        """
        count, most = len(literals), max(0, most)
        if most >= count:
            return
        self.reserve(2 * count * (most + 1), 6 * count * (most + 1))
        if most == 0:
            self.add_table(-literals[:, None])
            return
        first = self.new_variables(count * most)
        self.sums.append(Sums(first, literals, most))
        for part in slices(count, self.meter, width=most):
            some, sums = literals[part], _sums(first, part, most)
            self.add_table(np.stack([-some, sums[:, 0]], axis=1))
            later = slice(1 if part.start == 0 else 0, None)  # those with a literal before them
            some, sums = some[later], sums[later]
            before = sums - most
            self.add_table(_columns(-before, sums))
            wide = np.broadcast_to(-some[:, None], (len(some), most - 1))
            self.add_table(_columns(wide, -before[:, :-1], sums[:, 1:]))
            self.add_table(np.stack([-some, -before[:, -1]], axis=1))

    def at_least(self, literals: Numbers, least: int) -> None:
        """Say that at least so many of the literals are true.

        The variable s(i, j) stands for "of the first i literals at least j are true", and is false if that is.
        """
        count = len(literals)
        if least <= 0:
            return
        if least > count:
            self.add_clause(np.zeros(0, dtype=np.int64))
            return
        self.reserve(2 * count * least + 1, 6 * count * least + 1)
        first = self.new_variables(count * least)
        self.sums.append(Sums(first, literals, least))
        for part in slices(count, self.meter, width=least):
            wide, sums = np.repeat(literals[part], least).reshape(-1, least), _sums(first, part, least)
            if part.start == 0:
                self.add_table(_columns(-sums[:1], wide[:1]))
                self.add_table(_columns(-sums[:1, 1:]))
                wide, sums = wide[1:], sums[1:]
            before = sums - least
            self.add_table(_columns(-sums, wide, before))
            self.add_table(_columns(-sums[:, 1:], before[:, 1:], before[:, :-1]))
        self.add_table(np.array([[first + count * least - 1]]))


def _sums(first: int, part: slice, width: int) -> Numbers:
    """Return the variables s(i, j) of some literals, so many for each."""
    return first + width * np.arange(part.start, part.stop)[:, None] + np.arange(width)


def _columns(*tables: Numbers) -> Numbers:
    """Return the clauses whose literals stand at the same place in each table."""
    return np.stack([table.reshape(-1) for table in tables], axis=1)
