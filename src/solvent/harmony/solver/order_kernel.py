"""Write the clauses of the order encoding; `order` says what the variables mean.

The clauses are gone through twice by the same code: once to count them, once to write them into memory of that size.
They come kind by kind, and a kind comes in pieces, so that a call does a bounded amount of work and the next one goes
on with the next piece.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, new_row, new_table, row_of

if cython.compiled:
    from cython.cimports.solvent.harmony.solver.reachable_cells_kernel import ReachableCells
else:
    from solvent.harmony.solver.reachable_cells_kernel import ReachableCells


KINDS = 9
"""Kinds of clause, the first of which finds out what can be matched and writes none."""

_KINDS = cython.declare(cython.longlong, KINDS)
_MATCHING = cython.declare(cython.longlong, 0)
_PLACES = cython.declare(cython.longlong, 1)
_STEPS = cython.declare(cython.longlong, 2)
_OWN_ORDER = cython.declare(cython.longlong, 3)
_TRANSITIVITY = cython.declare(cython.longlong, 4)
_TOGETHER = cython.declare(cython.longlong, 5)
_EXCHANGE = cython.declare(cython.longlong, 6)
_PARTNERS = cython.declare(cython.longlong, 7)


@cython.final
@cython.cclass
class OrderClauses:
    """Hold what the clauses are about, and the clauses once they are written."""

    reachable: ReachableCells
    """Where the tiles can stand at each instant."""
    exact: cython.bint
    """True when every live tile is followed."""
    events: cython.longlong
    """How many events there are; those of a tile follow each other."""
    tile: cython.longlong[::1]
    """For each event the number of its tile, counted from 0."""
    after: cython.longlong[::1]
    """For each event the instant after it; the one before it is one less."""
    owner: cython.longlong[::1]
    """For each instant the number of its tile."""
    arrival: cython.longlong[::1]
    """For each instant the event that ends in it, or -1 at the start."""
    leaving: cython.longlong[::1]
    """For each instant the event that begins in it, or -1 at the end."""
    matchable: cython.schar[:, ::1]
    """Shape (events, events): 1 if two events can be one swap, as far as the cells of their tiles go."""
    before_base: cython.longlong
    """The number of variables ahead of those of `before`."""
    same_base: cython.longlong
    """The same for `same`."""
    anonymous_base: cython.longlong
    """The same for `anonymous`."""
    variables = cython.declare(cython.longlong, visibility="readonly")
    """How many variables there are."""
    writing: cython.bint
    """False while the clauses are only counted."""
    literals: cython.int[::1]
    """The literals of all clauses, one clause after the other."""
    starts: cython.longlong[::1]
    """Where each clause begins, and where the last one ends."""
    literal_count = cython.declare(cython.longlong, visibility="readonly")
    """How many literals were counted or written so far."""
    clause_count = cython.declare(cython.longlong, visibility="readonly")
    """How many clauses."""
    kind: cython.longlong
    """The kind of clause that is gone through; KINDS when all are done."""
    piece: cython.longlong
    """The next piece of that kind."""
    looked_at: cython.longlong
    """Cells and events looked at so far."""

    def __init__(self, reachable: ReachableCells, tile_of_event: list[int], exact: bool) -> None:
        events = len(tile_of_event)
        self.reachable = reachable
        self.exact = exact
        self.events = events
        self.tile = row_of(tile_of_event)
        self.after = row_of([event + tile + 1 for event, tile in enumerate(tile_of_event)])
        self.owner = new_row(reachable.instants)
        self.arrival = row_of([-1] * reachable.instants)
        self.leaving = row_of([-1] * reachable.instants)
        for event in range(events):
            after = self.after[event]
            self.owner[after - 1] = self.tile[event]
            self.owner[after] = self.tile[event]
            self.leaving[after - 1] = event
            self.arrival[after] = event
        self.matchable = new_table(events, events, TINY)
        self.before_base = reachable.instants * reachable.cells
        self.same_base = self.before_base + events * events
        self.anonymous_base = self.same_base + events * events
        self.variables = self.anonymous_base + events
        self.writing = False
        self.literals = new_row(0, SHORT)
        self.starts = new_row(0)
        self.literal_count = 0
        self.clause_count = 0
        self.kind = _MATCHING
        self.piece = 0
        self.looked_at = 0

    def begin_writing(self, literals: memoryview, starts: memoryview) -> None:
        """Go through the clauses again, once all are counted, and write them into rows that have just the room."""
        self.literals = literals
        self.starts = starts
        self.writing = True
        self.literal_count = 0
        self.clause_count = 0
        self.kind = _PLACES
        self.piece = 0

    def run(self, limit: cython.longlong) -> bool:
        """Count or write clauses until some `limit` cells, events and literals were looked at; True once it is done."""
        with cython.nogil:
            self._go_on(limit)
        return self.kind == _KINDS

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _go_on(self, limit: cython.longlong) -> cython.void:
        """Do the work of `run`."""
        until = self.looked_at + self.literal_count + limit
        while self.kind < _KINDS:
            if self.piece >= self._pieces():
                self.kind += 1
                self.piece = 0
                continue
            if self.looked_at + self.literal_count >= until:
                return
            self._do_piece()
            self.piece += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _pieces(self) -> cython.longlong:
        """Return how many pieces the kind at hand comes in."""
        if self.kind == _PLACES:
            return self.reachable.instants
        if self.kind == _OWN_ORDER:
            return 3 * self.events
        if self.kind == _TOGETHER:
            return 4 * self.events
        if self.kind == _EXCHANGE:
            return 8 * self.events
        if self.kind == _KINDS - 1:
            return 4 * self.reachable.instants
        return self.events

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _do_piece(self) -> cython.void:
        """Go through one piece of the kind at hand."""
        piece = self.piece
        if self.kind == _MATCHING:
            self._find_matchable(piece)
        elif self.kind == _PLACES:
            self._each_tile_stands_somewhere(piece)
        elif self.kind == _STEPS:
            self._step_along_lines(self.after[piece] - 1, self.after[piece])
            self._step_along_lines(self.after[piece], self.after[piece] - 1)
        elif self.kind == _OWN_ORDER:
            self._own_events_are_in_order(piece // self.events, piece % self.events)
        elif self.kind == _TRANSITIVITY:
            self._order_is_transitive(piece)
        elif self.kind == _TOGETHER:
            self._halves_happen_together(piece // self.events, piece % self.events)
        elif self.kind == _EXCHANGE:
            self._halves_exchange_cells(piece // self.events, piece % self.events)
        elif self.kind == _PARTNERS:
            self._each_event_has_a_partner(piece)
        else:
            self._cells_hold_one_tile(piece // 4, piece % 4)

    # The variables by number

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _stands(self, instant: cython.longlong, cell: cython.longlong) -> cython.longlong:
        return instant * self.reachable.cells + cell + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _before(self, e: cython.longlong, f: cython.longlong) -> cython.longlong:
        return self.before_base + e * self.events + f + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _same(self, e: cython.longlong, f: cython.longlong) -> cython.longlong:
        return self.same_base + min(e, f) * self.events + max(e, f) + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _anonymous(self, e: cython.longlong) -> cython.longlong:
        return self.anonymous_base + e + 1

    # Clauses, literal by literal

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _put(self, literal: cython.longlong) -> cython.void:
        """Add a literal to the clause at hand."""
        if self.writing:
            self.literals[self.literal_count] = literal
        self.literal_count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _end_clause(self) -> cython.void:
        """End the clause at hand."""
        self.clause_count += 1
        if self.writing:
            self.starts[self.clause_count] = self.literal_count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_two(self, first: cython.longlong, second: cython.longlong) -> cython.void:
        """Add a clause of two literals."""
        self._put(first)
        self._put(second)
        self._end_clause()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _add_three(self, first: cython.longlong, second: cython.longlong, third: cython.longlong) -> cython.void:
        """Add a clause of three literals."""
        self._put(first)
        self._put(second)
        self._put(third)
        self._end_clause()

    # The kinds of clause, a piece of each

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _find_matchable(self, e: cython.longlong) -> cython.void:
        """Find the later events that an event can be one swap with."""
        for f in range(e + 1, self.events):
            if self.tile[e] == self.tile[f]:
                continue
            self.looked_at += self.reachable.cell_count[self.after[e] - 1] + self.reachable.cell_count[self.after[e]]
            if self.reachable.can_exchange(self.after[e], self.after[f]):
                self.matchable[e, f] = 1
                self.matchable[f, e] = 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _each_tile_stands_somewhere(self, instant: cython.longlong) -> cython.void:
        """At each of its instants a tile stands on exactly one cell."""
        count = self.reachable.cell_count[instant]
        for place in range(count):
            self._put(self._stands(instant, self.reachable.cell_list[instant, place]))
        self._end_clause()
        for one in range(count):
            for other in range(one + 1, count):
                self._add_two(
                    -self._stands(instant, self.reachable.cell_list[instant, one]),
                    -self._stands(instant, self.reachable.cell_list[instant, other]),
                )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _step_along_lines(self, here: cython.longlong, there: cython.longlong) -> cython.void:
        """Where a tile stands before or after a swap, it stands a step along a row or column away at the other time."""
        self.looked_at += self.reachable.cell_count[here] * self.reachable.cell_count[there]
        for place in range(self.reachable.cell_count[here]):
            cell = self.reachable.cell_list[here, place]
            self._put(-self._stands(here, cell))
            for step in range(self.reachable.cell_count[there]):
                other = self.reachable.cell_list[there, step]
                if self.reachable.are_aligned(cell, other):
                    self._put(self._stands(there, other))
            self._end_clause()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _own_events_are_in_order(self, part: cython.longlong, e: cython.longlong) -> cython.void:
        """Whatever happens no earlier than a tile's next event happens no earlier than this one, and so on."""
        if e + 1 == self.events or self.tile[e] != self.tile[e + 1]:
            return
        for f in range(self.events):
            if self.tile[f] == self.tile[e]:
                continue
            if part == 0:
                self._add_two(-self._before(e + 1, f), self._before(e, f))
            elif part == 1:
                self._add_two(-self._before(f, e), self._before(f, e + 1))
            else:
                self._add_two(-self._before(e + 1, f), -self._before(f, e))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _order_is_transitive(self, f: cython.longlong) -> cython.void:
        """If e is no later than f and f no later than g, e is no later than g."""
        for e in range(self.events):
            if self.tile[e] == self.tile[f]:
                continue
            for g in range(self.events):
                if self.tile[g] != self.tile[f] and self.tile[g] != self.tile[e]:
                    self._add_three(-self._before(e, f), -self._before(f, g), self._before(e, g))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _halves_happen_together(self, part: cython.longlong, e: cython.longlong) -> cython.void:
        """Two events of different tiles happen at once exactly when they are the halves of one swap."""
        for f in range(e + 1, self.events):
            if not self.matchable[e, f]:
                if part == 3 and self.tile[e] != self.tile[f]:
                    self._add_two(-self._before(e, f), -self._before(f, e))
            elif part == 0:
                self._add_two(-self._same(e, f), self._before(e, f))
            elif part == 1:
                self._add_two(-self._same(e, f), self._before(f, e))
            elif part == 2:
                self._add_three(-self._before(e, f), -self._before(f, e), self._same(e, f))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _halves_exchange_cells(self, part: cython.longlong, e: cython.longlong) -> cython.void:
        """In one swap, each tile arrives where the other one left."""
        for f in range(e + 1, self.events):
            if not self.matchable[e, f]:
                continue
            if part < 2:
                self._stand_alike(e, f, self.after[e] - 1, self.after[f], part == 0)
            elif part < 4:
                self._stand_alike(e, f, self.after[f], self.after[e] - 1, part == 2)
            elif part < 6:
                self._stand_alike(e, f, self.after[e], self.after[f] - 1, part == 4)
            else:
                self._stand_alike(e, f, self.after[f] - 1, self.after[e], part == 6)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _stand_alike(
        self,
        e: cython.longlong,
        f: cython.longlong,
        one: cython.longlong,
        other: cython.longlong,
        shared: cython.bint,
    ) -> cython.void:
        """If e and f are one swap, the tile of instant `other` stands where that of `one` does.

        Says so for the cells that both can stand on (`shared`), or for those that only the one can.
        """
        self.looked_at += self.reachable.cell_count[one]
        for place in range(self.reachable.cell_count[one]):
            cell = self.reachable.cell_list[one, place]
            if shared and self.reachable.stands[other, cell]:
                self._add_three(-self._same(e, f), -self._stands(one, cell), self._stands(other, cell))
            elif not shared and not self.reachable.stands[other, cell]:
                self._add_two(-self._same(e, f), -self._stands(one, cell))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _each_event_has_a_partner(self, e: cython.longlong) -> cython.void:
        """Each event is one half of a swap; the other half may be anonymous unless all tiles are followed."""
        for f in range(self.events):
            if self.matchable[e, f]:
                self._put(self._same(e, f))
        if not self.exact:
            self._put(self._anonymous(e))
        self._end_clause()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cells_hold_one_tile(self, first: cython.longlong, part: cython.longlong) -> cython.void:
        """Two tiles stand on one cell one after the other: one has left no later than the other arrives."""
        for second in range(first + 1, self.reachable.instants):
            if self.owner[second] == self.owner[first]:
                continue
            first_leaves: cython.bint = self.leaving[first] >= 0 and self.arrival[second] >= 0
            second_leaves: cython.bint = self.leaving[second] >= 0 and self.arrival[first] >= 0
            if first_leaves == (part >= 2) and second_leaves == (part % 2 == 1):
                self.looked_at += self.reachable.cell_count[first]
                self._take_turns(first, second, first_leaves, second_leaves)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take_turns(
        self,
        first: cython.longlong,
        second: cython.longlong,
        first_leaves: cython.bint,
        second_leaves: cython.bint,
    ) -> cython.void:
        """If two tiles stand on one cell, each at its instant, one of those that can leave it in time does."""
        for place in range(self.reachable.cell_count[first]):
            cell = self.reachable.cell_list[first, place]
            if not self.reachable.stands[second, cell]:
                continue
            self._put(-self._stands(first, cell))
            self._put(-self._stands(second, cell))
            if first_leaves:
                self._put(self._before(self.leaving[first], self.arrival[second]))
            if second_leaves:
                self._put(self._before(self.leaving[second], self.arrival[first]))
            self._end_clause()
