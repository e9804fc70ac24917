"""The depth-first search: try every swap, skip what a test or the table of visited boards rules out.

Swaps always use up moves, so the search never runs in circles and never goes deeper than the number of swaps left.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import UNSIGNED, new_row, new_table
from solvent.engine.driver import WORKING

if cython.compiled:
    from cython.cimports.solvent.engine.hash_table_kernel import HashTable
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
    from cython.cimports.solvent.harmony.invalidity.tests_kernel import CountedTest
else:
    from solvent.engine.hash_table_kernel import HashTable
    from solvent.harmony.invalidity.position_kernel import Position
    from solvent.harmony.invalidity.tests_kernel import CountedTest

FOUND, EXHAUSTED, TABLE_FULL = 1, 2, 3
WORD_BITS = 63
"""Bits of a key's word that are used."""
LOOKS_A_CALL = 10_000_000
"""Pairs and cells that one call looks at: some ten milliseconds. On large boards thousands of pairs may be dead between
two that can be swapped, and the tests have much to look at."""
LOOKS_AT_CELL = 20
"""How often all tests together look at a cell, about."""

_WORKING = cython.declare(cython.longlong, WORKING)
_FOUND = cython.declare(cython.longlong, FOUND)
_EXHAUSTED = cython.declare(cython.longlong, EXHAUSTED)
_TABLE_FULL = cython.declare(cython.longlong, TABLE_FULL)
_WORD_BITS = cython.declare(cython.longlong, WORD_BITS)
_LOOKS_A_CALL = cython.declare(cython.longlong, LOOKS_A_CALL)
_LOOKS_AT_CELL = cython.declare(cython.longlong, LOOKS_AT_CELL)


@cython.final
@cython.cclass
class Search:
    """Try every line of play from a position with swaps left."""

    position: Position
    """The board at the end of the line being tried."""
    tests: CountedTest
    """The tests to run on each board, or None."""
    pairs: cython.longlong[:, ::1]
    """Shape (pair_count, 2): every two aligned cells that are live at the start, in the order they are tried."""
    pair_count: cython.longlong
    """How many there are."""
    swaps: cython.longlong
    """The number of swaps every solution has: no line is longer."""
    upcoming: cython.longlong[::1]
    """For each depth up to `depth`, the pair to try next; the one before it is the swap that leads deeper."""
    depth: cython.longlong
    """How many swaps the line being tried has, or -1 when every line was tried."""
    status: cython.longlong
    """How the last run ended."""
    known = cython.declare(HashTable, visibility="readonly")
    """The boards visited so far; not used if `colour_bits` is 0."""
    colour_bits: cython.longlong
    """Bits that hold a colour in a key of `known`; 0 if boards are too large for a key."""
    move_bits: cython.longlong
    """Bits that hold the moves of a tile there."""
    columns: cython.ulonglong[::1]
    """The columns of a board as numbers, smallest first, while its key is made."""
    visited = cython.declare(cython.longlong, visibility="readonly")
    """Boards visited."""
    repeated = cython.declare(cython.longlong, visibility="readonly")
    """Boards that had been visited before."""

    def __init__(self, position: Position, swaps: int, tests: CountedTest | None, known: HashTable) -> None:
        self.position = position
        self.tests = tests
        self.pairs = new_table(0, 2)
        self.pair_count = 0
        self._list_pairs(False)
        self.pairs = new_table(self.pair_count, 2)
        self._list_pairs(True)
        self.swaps = swaps
        self.upcoming = new_row(swaps)
        self.depth = 0
        self.status = WORKING
        self.known = known
        self.colour_bits = 0
        self.move_bits = 0
        self.columns = new_row(position.cols, UNSIGNED)
        self.visited = 0
        self.repeated = 0

    def _list_pairs(self, write: cython.bint) -> None:
        """Count the pairs, or write them down, smallest first. Cells that are closed at the start stay closed."""
        cols = self.position.cols
        self.pair_count = 0
        for a in range(self.position.cells):
            if self.position.moves[a] == 0:
                continue
            for b in range(a + 1, (a // cols + 1) * cols):
                self._add_pair(a, b, write)
            below = a + cols
            while below < self.position.cells:
                self._add_pair(a, below, write)
                below += cols

    @cython.cfunc
    @cython.exceptval(check=False)
    def _add_pair(self, a: cython.longlong, b: cython.longlong, write: cython.bint) -> cython.void:
        """Count a pair if its second cell is live too, and write it down if that is wanted."""
        if self.position.moves[b] == 0:
            return
        if write:
            self.pairs[self.pair_count, 0] = a
            self.pairs[self.pair_count, 1] = b
        self.pair_count += 1

    def keep_boards(self, colour_bits: int, move_bits: int) -> None:
        """Keep the boards that were visited, with so many bits for a tile's colour and moves."""
        self.colour_bits = colour_bits
        self.move_bits = move_bits

    def run(self, limit: cython.longlong) -> int:
        """Visit up to `limit` boards, fewer if they are large or far between.

        Returns FOUND, EXHAUSTED, TABLE_FULL (let `known` grow and go on) or WORKING.
        """
        with cython.nogil:
            self.visit_boards(limit)
        return self.status

    def line(self) -> list[tuple[int, int]]:
        """Return the swaps of the line that was FOUND."""
        tried = [self.upcoming[depth] - 1 for depth in range(self.swaps)]
        return [(self.pairs[pair, 0], self.pairs[pair, 1]) for pair in tried]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def visit_boards(self, limit: cython.longlong) -> cython.void:
        """Do the work of `run`."""
        self.status = _WORKING
        until = self.visited + limit
        looked_at: cython.longlong = 0
        while self.visited < until and looked_at < _LOOKS_A_CALL:
            looked_at += 1
            if self.depth < 0:
                self.status = _EXHAUSTED
                return
            if self.upcoming[self.depth] == self.pair_count:
                self.depth -= 1
                if self.depth >= 0:
                    pair = self.upcoming[self.depth] - 1
                    self.position.exchange(self.pairs[pair, 0], self.pairs[pair, 1], 1)
                continue
            pair = self.upcoming[self.depth]
            a = self.pairs[pair, 0]
            b = self.pairs[pair, 1]
            if self.position.moves[a] == 0 or self.position.moves[b] == 0:
                self.upcoming[self.depth] += 1
                continue
            if self.known.size == self.known.capacity:
                self.status = _TABLE_FULL
                return
            self.upcoming[self.depth] += 1
            self.position.exchange(a, b, -1)
            self.visited += 1
            looked_at += _LOOKS_AT_CELL * self.position.cells
            if self.depth + 1 == self.swaps:
                if self.position.is_home():
                    self.status = _FOUND
                    return
            elif not self.is_ruled_out(a, b):
                if self.colour_bits == 0 or self.is_new():
                    self.depth += 1
                    self.upcoming[self.depth] = 0
                    continue
                self.repeated += 1
            self.position.exchange(a, b, 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_ruled_out(self, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Tell whether a test fires on the position, after a swap of two cells. None fired on the one before."""
        if self.tests is None:
            return False
        if not self.position.keeps_counts:
            self.position.recount()
        return self.tests.any_fires_after(self.position, a, b, self.depth + 1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def is_new(self) -> cython.bint:
        """Put the position into the table; returns False if it is there already, perhaps with other column order.

        The order of columns does not matter to the rules, so the key has them sorted.
        """
        for col in range(self.position.cols):
            code: cython.ulonglong = 0
            for row in range(self.position.rows):
                cell = row * self.position.cols + col
                code = (code << self.colour_bits) | cython.cast(cython.ulonglong, self.position.colours[cell])
                code = (code << self.move_bits) | cython.cast(cython.ulonglong, self.position.moves[cell])
            place = col
            while place > 0 and self.columns[place - 1] > code:
                self.columns[place] = self.columns[place - 1]
                place -= 1
            self.columns[place] = code
        width = self.position.rows * (self.colour_bits + self.move_bits)
        high: cython.ulonglong = 0
        low: cython.ulonglong = 0
        used: cython.longlong = 0
        for col in range(self.position.cols):
            if used + width > _WORD_BITS:
                high = low
                low = 0
                used = 0
            low = (low << width) | self.columns[col]
            used += width
        before = self.known.size
        return self.known.find_or_insert(high, low) == before
