"""What can follow a situation, once all are known: a winning move, and how soon; and what is sure to be opened."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.exploring_kernel import Situations
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.exploring_kernel import Situations
    from solvent.dungeon.solver.state_kernel import PackedState


@cython.final
@cython.cclass
class Ranks:
    """Find for each situation how many others lie between it and a winning move.

    It sweeps backwards, since what was found later usually lies deeper, until nothing changes.
    """

    situations: Situations
    """The situations, all of them expanded."""
    ranks: cython.longlong[::1]
    """How many others lie between each and a winning move, as far as is known; -1 if there is no way."""
    next: cython.longlong
    """The situation to look at next, -1 at the end of a sweep."""
    changed: cython.bint
    """Whether this sweep changed anything."""
    lost = cython.declare(cython.longlong, visibility="readonly")
    """Once all ranks are found: how many situations are lost."""

    def __init__(self, situations: Situations) -> None:
        """Begin; `run` does the work."""
        self.situations = situations
        self.ranks = new_row(situations.table.size)
        self.changed = False
        self.lost = 0
        self.next = situations.table.size - 1
        with cython.nogil:
            for situation in range(situations.table.size):
                self.ranks[situation] = 0 if situations.winning_arc[situation] >= 0 else -1

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more ways from one situation to another; returns whether all is found."""
        with cython.nogil:
            while limit > 0:
                limit = self._sweep(limit)
                if self.next < 0:
                    if not self.changed:
                        break
                    self.changed = False
                    self.next = self.situations.table.size - 1
        if self.next >= 0:
            return False
        self.lost = 0
        with cython.nogil:
            for situation in range(self.situations.table.size):
                self.lost += self.ranks[situation] < 0
        return True

    def row(self) -> memoryview:
        """Return for each situation how many others lie between it and a winning move, -1 if it is lost."""
        return memoryview(self.ranks)[: self.situations.table.size]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sweep(self, limit: cython.longlong) -> cython.longlong:
        """Go on with a sweep; returns what is left of the limit."""
        while self.next >= 0 and limit > 0:
            situation = self.next
            self.next -= 1
            first = self.situations.first_edge[situation]
            best = self.ranks[situation]
            limit -= 1 + self.situations.edge_count[situation]
            for edge in range(first, first + self.situations.edge_count[situation]):
                there = self.ranks[self.situations.edges[edge]]
                if there >= 0 and (best < 0 or there + 1 < best):
                    best = there + 1
            if best != self.ranks[situation]:
                self.ranks[situation] = best
                self.changed = True
        return limit


@cython.final
@cython.cclass
class AlwaysSet:
    """Find those of some bits that in each situation are set, or are so in one that can follow."""

    situations: Situations
    """The situations, all of them expanded."""
    bits: PackedState
    """Which bits."""
    follow: cython.ulonglong[:, ::1]
    """Shape (situations, words): the bits of each situation and of all that are known to follow it."""
    next: cython.longlong
    """The situation to look at next, -1 at the end of a sweep."""
    changed: cython.bint
    """Whether this sweep changed anything."""

    def __init__(self, situations: Situations, bits: PackedState) -> None:
        """Begin; `run` does the work."""
        self.situations = situations
        self.bits = bits.copy()
        self.follow = new_table(situations.table.size, bits.count, UNSIGNED)
        self.changed = False
        self.next = situations.table.size - 1
        with cython.nogil:
            for situation in range(situations.table.size):
                for word in range(situations.table.count):
                    self.follow[situation, word] = situations.table.words[situation, word]

    def run(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more ways from one situation to another; returns whether all is found."""
        with cython.nogil:
            while limit > 0:
                limit = self._sweep(limit)
                if self.next < 0:
                    if not self.changed:
                        break
                    self.changed = False
                    self.next = self.situations.table.size - 1
        return self.next < 0

    def found(self) -> tuple[int, ...]:
        """Return the words of the bits that are set sooner or later, whatever is done before."""
        always: PackedState = self.bits.copy()
        with cython.nogil:
            for situation in range(self.situations.table.size):
                for word in range(always.count):
                    always.words[word] &= self.follow[situation, word]
        return always.as_tuple()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _sweep(self, limit: cython.longlong) -> cython.longlong:
        """Go on with a sweep; returns what is left of the limit."""
        while self.next >= 0 and limit > 0:
            situation = self.next
            self.next -= 1
            first = self.situations.first_edge[situation]
            limit -= 1
            for edge in range(first, first + self.situations.edge_count[situation]):
                limit -= 1 + self.situations.table.count // 4
                for word in range(self.situations.table.count):
                    more = self.follow[self.situations.edges[edge], word] & ~self.follow[situation, word]
                    if more != 0:
                        self.follow[situation, word] |= more
                        self.changed = True
        return limit
