"""Write down the clauses of a refutation's statements; `refutation` says what the variables mean.

This is plain Python that is compiled, because there may be millions of clauses. Everything is gone through twice by the
same code: first the clauses are counted, then they are written into memory of that size. Each method writes those of
one instant or one event, so that whoever calls it can look at the clock in between.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence

import cython

from solvent.engine.arrays import SHORT, TINY, new_row, new_table, row_of


@cython.final
@cython.cclass
class StatementWriter:
    """Hold the followed tiles' events and places, and the clauses about them."""

    cells: cython.longlong
    """How many cells the board has."""
    cols: cython.longlong
    """How many columns."""
    all_followed: cython.bint
    """True if every tile of the component is followed."""
    instants: cython.longlong
    """How many instants there are."""
    places: cython.int[:, ::1]
    """Shape (instants, cells): the cells on which the instant's tile can stand, the first `place_count` of a row."""
    place_count: cython.longlong[::1]
    """For each instant how many these are."""
    can_stand: cython.schar[:, ::1]
    """Shape (instants, cells): 1 for these cells."""
    tile_at: cython.longlong[::1]
    """For each instant its tile, numbered by its cell."""
    arrives: cython.longlong[::1]
    """For each instant the event that ends in it, or -1."""
    departs: cython.longlong[::1]
    """For each instant the event that begins in it, or -1."""
    events: cython.longlong
    """How many events there are."""
    earlier: cython.longlong[::1]
    """For each event the instant before it; the one after it comes next."""
    can_swap: cython.schar[:, ::1]
    """Shape (events, events): 1 where two events can be the halves of one swap."""
    writing: cython.bint
    """False while the clauses are only counted."""
    literals: cython.int[::1]
    """The literals of all clauses, one clause after the other."""
    starts: cython.longlong[::1]
    """Where each clause begins, and where the last one ends."""
    literal_count = cython.declare(cython.longlong, visibility="readonly")
    """How many literals were counted or written."""
    clause_count = cython.declare(cython.longlong, visibility="readonly")
    """How many clauses."""

    def __init__(
        self, cells: int, cols: int, all_followed: bool, owners: Sequence[int], earlier: Sequence[int]
    ) -> None:
        """Take the tile of each instant and the instant before each event; places and swaps come next."""
        self.cells = cells
        self.cols = cols
        self.all_followed = all_followed
        self.instants = len(owners)
        self.places = new_table(len(owners), cells, SHORT)
        self.place_count = new_row(len(owners))
        self.can_stand = new_table(len(owners), cells, TINY)
        self.tile_at = row_of(owners)
        self.arrives = row_of([-1] * len(owners))
        self.departs = row_of([-1] * len(owners))
        self.events = len(earlier)
        self.earlier = row_of(earlier)
        for event, instant in enumerate(earlier):
            self.departs[instant] = event
            self.arrives[instant + 1] = event
        self.can_swap = new_table(len(earlier), len(earlier), TINY)
        self.writing = False
        self.literals = new_row(0, SHORT)
        self.starts = new_row(0)
        self.literal_count = 0
        self.clause_count = 0

    def set_places(self, instant: cython.longlong, places: Sequence[int]) -> None:
        """Say on which cells the tile of an instant can stand."""
        for number, cell in enumerate(places):
            self.places[instant, number] = cell
            self.can_stand[instant, cell] = 1
        self.place_count[instant] = len(places)

    def set_swap(self, e: cython.longlong, f: cython.longlong) -> None:
        """Say that two events can be the halves of one swap."""
        self.can_swap[e, f] = 1
        self.can_swap[f, e] = 1

    def begin_writing(self, literals: memoryview, starts: memoryview) -> None:
        """Write from now on, from the beginning, into rows with room for all that was counted."""
        self.literals = literals
        self.starts = starts
        self.writing = True
        self.literal_count = 0
        self.clause_count = 0

    # The statements

    def one_place_at_a_time(self, instant: cython.longlong) -> None:
        """At each instant a tile stands on one of its places, and not on two."""
        count: cython.longlong = self.place_count[instant]
        for number in range(count):
            self._put(self._stands(instant, self.places[instant, number]))
        self._end()
        for one in range(count):
            for other in range(one + 1, count):
                self._put(-self._stands(instant, self.places[instant, one]))
                self._put(-self._stands(instant, self.places[instant, other]))
                self._end()

    def along_lines(self, event: cython.longlong) -> None:
        """A swap takes a tile from a cell to another one in its row or column."""
        before: cython.longlong = self.earlier[event]
        for direction in range(2):
            here: cython.longlong = before + direction
            there: cython.longlong = before + 1 - direction
            for number in range(self.place_count[here]):
                cell: cython.longlong = self.places[here, number]
                self._put(-self._stands(here, cell))
                for step in range(self.place_count[there]):
                    other: cython.longlong = self.places[there, step]
                    if cell != other and self._are_in_line(cell, other):
                        self._put(self._stands(there, other))
                self._end()

    def own_order(self, e: cython.longlong) -> None:
        """A tile's events happen one after the other."""
        for f in range(e + 1, self.events):
            if self._tile(e) == self._tile(f):
                self._put(self._before(e, f))
                self._end()
                self._put(-self._before(f, e))
                self._end()

    def transitive_order(self, f: cython.longlong) -> None:
        """If e is no later than f and f no later than g, then e is no later than g."""
        for e in range(self.events):
            for g in range(self.events):
                if e != f and f != g and e != g:
                    self._put(-self._before(e, f))
                    self._put(-self._before(f, g))
                    self._put(self._before(e, g))
                    self._end()

    def swaps(self, e: cython.longlong) -> None:
        """Two events of different tiles happen at once exactly if they are one swap; then the tiles exchange cells."""
        for f in range(e + 1, self.events):
            if self._tile(e) == self._tile(f):
                continue
            if not self.can_swap[e, f]:
                self._put(-self._before(e, f))
                self._put(-self._before(f, e))
                self._end()
                continue
            self._put(-self._same(e, f))
            self._put(self._before(e, f))
            self._end()
            self._put(-self._same(e, f))
            self._put(self._before(f, e))
            self._end()
            self._put(self._same(e, f))
            self._put(-self._before(e, f))
            self._put(-self._before(f, e))
            self._end()
            self._stand_alike(e, f, self.earlier[e], self.earlier[f] + 1)
            self._stand_alike(e, f, self.earlier[f] + 1, self.earlier[e])
            self._stand_alike(e, f, self.earlier[e] + 1, self.earlier[f])
            self._stand_alike(e, f, self.earlier[f], self.earlier[e] + 1)

    def has_partner(self, e: cython.longlong) -> None:
        """Each event is a swap with another followed tile, or with one that is not followed."""
        for f in range(self.events):
            if self.can_swap[e, f]:
                self._put(self._same(e, f))
        if not self.all_followed:
            self._put(self._anonymous(e))
        self._end()

    def one_tile_to_a_cell(self, one: cython.longlong) -> None:
        """If two tiles stand on the same cell, one leaves it no later than the other arrives."""
        for other in range(one + 1, self.instants):
            if self.tile_at[one] == self.tile_at[other]:
                continue
            for number in range(self.place_count[one]):
                cell: cython.longlong = self.places[one, number]
                if not self.can_stand[other, cell]:
                    continue
                self._put(-self._stands(one, cell))
                self._put(-self._stands(other, cell))
                if self.departs[one] >= 0 and self.arrives[other] >= 0:
                    self._put(self._before(self.departs[one], self.arrives[other]))
                if self.departs[other] >= 0 and self.arrives[one] >= 0:
                    self._put(self._before(self.departs[other], self.arrives[one]))
                self._end()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _stand_alike(
        self, e: cython.longlong, f: cython.longlong, here: cython.longlong, there: cython.longlong
    ) -> cython.void:
        """If two events are one swap, a tile stands there where the other one stood here."""
        for number in range(self.place_count[here]):
            cell: cython.longlong = self.places[here, number]
            self._put(-self._same(e, f))
            self._put(-self._stands(here, cell))
            if self.can_stand[there, cell]:
                self._put(self._stands(there, cell))
            self._end()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _are_in_line(self, one: cython.longlong, other: cython.longlong) -> cython.bint:
        """Tell whether two cells share a row or a column."""
        return one // self.cols == other // self.cols or one % self.cols == other % self.cols

    # The variables by number

    @cython.cfunc
    @cython.exceptval(check=False)
    def _tile(self, event: cython.longlong) -> cython.longlong:
        return self.tile_at[self.earlier[event]]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _stands(self, instant: cython.longlong, cell: cython.longlong) -> cython.longlong:
        return 1 + instant * self.cells + cell

    @cython.cfunc
    @cython.exceptval(check=False)
    def _before(self, e: cython.longlong, f: cython.longlong) -> cython.longlong:
        return 1 + self.instants * self.cells + e * self.events + f

    @cython.cfunc
    @cython.exceptval(check=False)
    def _same(self, e: cython.longlong, f: cython.longlong) -> cython.longlong:
        return self._before(min(e, f), max(e, f)) + self.events * self.events

    @cython.cfunc
    @cython.exceptval(check=False)
    def _anonymous(self, e: cython.longlong) -> cython.longlong:
        return self._before(0, 0) + 2 * self.events * self.events + e

    # Clauses, literal by literal

    @cython.cfunc
    @cython.exceptval(check=False)
    def _put(self, literal: cython.longlong) -> cython.void:
        """Add a literal to the clause at hand."""
        if self.writing:
            self.literals[self.literal_count] = literal
        self.literal_count += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _end(self) -> cython.void:
        """End the clause at hand."""
        self.clause_count += 1
        if self.writing:
            self.starts[self.clause_count] = self.literal_count
