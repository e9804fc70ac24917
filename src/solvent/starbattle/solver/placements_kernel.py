"""The region's placements: what all ways to place the stars of one region have in common.

They are listed one by one, star by star in reading order, if no more than MAX_BEGUN are begun on the way. A cell of the
region that no placement stars is ruled out, one that all star gets a star, and a cell anywhere that touches a star of
each placement is ruled out.

How many are begun depends on the candidates and the need alone: it is the number of ways to choose up to so many of
them that do not touch. Whatever is ruled out or placed makes it smaller, so what was concluded once is concluded again
in every position that follows. The proof by cases rests on that.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import popcount, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS, ROWS, WIDEST, widened
else:
    from solvent.engine.bits import popcount, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, ROWS, WIDEST, widened, zeros

MAX_BEGUN = 250
"""More placements than this are not listed. The checker lists as many."""

_MAX_BEGUN = cython.declare(cython.longlong, MAX_BEGUN)


@cython.final
@cython.freelist(2)
@cython.cclass
class RegionPlacements:
    """List the placements of one region. The fields are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.row = zeros(256)
            self.cell = zeros(256)
            self.stars = zeros(WIDEST + 2)
            self.some = zeros(WIDEST)
            self.every = zeros(WIDEST)
            self.excluded = zeros(WIDEST)
        self.begun = 0
        self.found = False
        self.top = 0
        self.bottom = 0
        self.count = 0

    def narrow(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Draw conclusions from one region alone: -1 if it cannot be filled, 1 if any cell changed, else 0."""
        need = position.needs[REGIONS][region]
        if need == 0 or not self.gather(position, region):
            return 0
        if need > 1 and self.count * (self.count - 9) > 2 * _MAX_BEGUN:
            return 0  # a cell touches eight at most, so there are too many pairs to begin with
        self.begun = 0
        self.found = False
        for line in range(position.board.size):
            self.some[line] = 0
            self.every[line] = position.board.every
            self.excluded[line] = position.board.every
        if not self.place_from(0, need):
            return 0
        if not self.found:
            return -1
        return self.conclude(position, region)

    def gather(self, position: Position, region: cython.longlong) -> cython.bint:
        """Gather the candidates; False if they are too many."""
        self.count = 0
        for row in range(position.board.first_row[region], position.board.last_row[region] + 1):
            cells = position.candidates[ROWS][row] & position.board.segment[ROWS][row][region]
            if cells == 0:
                continue
            if self.count + popcount(cells) > _MAX_BEGUN:
                return False
            if self.count == 0:
                self.top = row
            self.bottom = row
            while cells != 0:
                self.row[self.count] = row
                self.cell[self.count] = cells & (~cells + 1)
                self.count += 1
                cells = without_lowest_bit(cells)
        for row in range(WIDEST + 2):
            self.stars[row] = 0
        return True

    def place_from(self, first: cython.longlong, left: cython.longlong) -> cython.bint:
        """Place so many more stars on candidates from a number on, in all ways; False if there are too many ways."""
        for number in range(first, self.count):
            row = self.row[number]
            cell = self.cell[number]
            if (self.stars[row] | self.stars[row + 1]) & widened(cell) != 0:
                continue  # what follows in reading order was not placed yet
            self.begun += 1
            if self.begun > _MAX_BEGUN:
                return False
            self.stars[row + 1] |= cell
            if left == 1:
                self.note()
            elif not self.place_from(number + 1, left - 1):
                return False
            self.stars[row + 1] &= ~cell
        return True

    def note(self) -> cython.void:
        """Take account of a placement."""
        self.found = True
        for row in range(self.top, self.bottom + 1):
            stars = self.stars[row + 1]
            self.some[row] |= stars
            self.every[row] &= stars
            self.excluded[row] &= widened(self.stars[row] | stars | self.stars[row + 2]) & ~stars
        if self.top > 0:
            self.excluded[self.top - 1] &= widened(self.stars[self.top + 1])
        if self.bottom + 1 < WIDEST:
            self.excluded[self.bottom + 1] &= widened(self.stars[self.bottom + 1])

    def conclude(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Rule out and place what all placements agree on; returns what `narrow` does."""
        changed: cython.longlong = 0
        size = position.board.size
        for row in range(max(0, self.top - 1), min(size, self.bottom + 2)):
            cells = self.excluded[row]
            if self.top <= row <= self.bottom:
                cells |= position.board.segment[ROWS][row][region] & ~self.some[row]
            cells &= position.candidates[ROWS][row]
            if cells != 0:
                changed = 1
                position.rule_out(ROWS, row, cells)
        for row in range(self.top, self.bottom + 1):
            if self.every[row] & position.candidates[ROWS][row] != 0:
                changed = 1
                if not position.place(ROWS, row, self.every[row]):
                    return -1
        return changed
