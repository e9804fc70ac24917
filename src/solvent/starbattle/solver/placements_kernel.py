"""The region's placements: what all ways to place the stars of one region have in common.

They are listed, star by star in reading order, if no more than MAX_BEGUN are begun on the way. A cell of the region
that no placement stars is ruled out, one that all star gets a star, and a cell anywhere that touches a star of each
placement is ruled out.

How many are begun depends on the candidates and the need alone: it is the number of ways to choose up to so many of
them that do not touch. Whatever is ruled out or placed makes it smaller, so what was concluded once is concluded again
in every position that follows. The proof by cases rests on that.

Candidates are numbered in reading order, and a set of them is a word. Placements that differ in the last star alone are
one entry of the list: a family.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, low_bits, lowest_bit, popcount, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS, ROWS, widened
else:
    from solvent.engine.bits import bit, low_bits, lowest_bit, popcount, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, ROWS, WIDEST, widened, zeros

MAX_BEGUN = 120
"""More placements than this are not listed. The checker lists more, so it concludes whatever is concluded here."""

_MAX_BEGUN = cython.declare(cython.longlong, MAX_BEGUN)

ROOM_TO_SPARE = 1
"""Where a region could have more stars than this beyond what it needs, it is left alone: little follows there, and
listing takes long."""

TO_SPARE = cython.declare(cython.longlong, ROOM_TO_SPARE)


@cython.final
@cython.freelist(2)
@cython.cclass
class RegionPlacements:
    """List the placements of one region. The fields are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.cells = zeros(WIDEST)
            self.before = zeros(WIDEST)
            self.later = zeros(64)
            self.fixed = zeros(256)
            self.last = zeros(256)
        self.begun = 0
        self.families = 0
        self.top = 0
        self.bottom = 0
        self.count = 0
        self.columns = 0

    def narrow(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Draw conclusions from one region alone: -1 if it cannot be filled, 1 if any cell changed, else 0."""
        need = position.needs[REGIONS][region]
        if need == 0:
            return 0
        if self.gather(position, region) > need + TO_SPARE or self.has_too_many(need):
            return 0
        if need > 1 and self.fewest_begun(need, self.note_touching()) > _MAX_BEGUN:
            return 0
        self.begun = 0
        self.families = 0
        if not self.place_from(0, low_bits(self.count), need):
            return 0
        if self.families == 0:
            return -1
        return self.conclude(position)

    def gather(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Number the candidates, row by row; returns how many stars can be set greedily, a lower bound for the room."""
        first = position.board.first_row[region]
        last = position.board.last_row[region]
        easy: cython.longlong = 0
        taken: cython.ulonglong = 0
        self.count = 0
        self.top = last
        self.bottom = first
        self.columns = 0
        for row in range(first, last + 1):
            cells = position.candidates[ROWS][row] & position.board.segment[ROWS][row][region]
            rest = cells & ~widened(taken)
            taken = 0
            self.cells[row] = cells
            if cells == 0:
                continue
            self.columns |= cells
            self.before[row] = self.count
            self.count += popcount(cells)
            self.top = min(self.top, row)
            self.bottom = row
            while rest != 0:
                lowest = rest & (~rest + 1)
                taken |= lowest
                rest &= ~(lowest | (lowest << 1))
                easy += 1
        return easy

    def has_too_many(self, need: cython.longlong) -> cython.bint:
        """Tell whether it is plain that too many placements would be begun, or that nothing follows from them.

        A cell touches eight at most, so of many candidates there are too many pairs to begin with. If it is one star
        that is needed, a cell touches all places for it only if these are within three rows and three columns.
        """
        if need == 1:
            leftmost = self.columns & (~self.columns + 1)
            return self.count > 1 and (self.bottom > self.top + 2 or self.columns >= leftmost << 3)
        return self.count * (self.count - 9) > 2 * _MAX_BEGUN

    def touched(self, row: cython.longlong, cell: cython.ulonglong) -> cython.ulonglong:
        """Return the candidates of the region that are in a row, at a place given as a bit or beside it, by number."""
        cells = self.cells[row] & widened(cell)
        if cells == 0:
            return 0
        first = self.before[row] + popcount(self.cells[row] & ((cells & (~cells + 1)) - 1))
        return low_bits(popcount(cells)) << first

    def fewest_begun(self, need: cython.longlong, touching: cython.longlong) -> cython.longlong:
        """Return a lower bound for how many placements are begun, from how many pairs of candidates touch.

        Exact for one and two stars. Of all sets of three, a pair that touches spoils those it is in, one for each
        candidate left.
        """
        count = self.count
        fewest = count + count * (count - 1) // 2 - touching
        if need > 2:
            fewest += max(0, count * (count - 1) // 2 * (count - 2) // 3 - touching * (count - 2))
        return fewest

    def note_touching(self) -> cython.longlong:
        """Fill `later`; returns how many pairs of candidates touch."""
        touching: cython.longlong = 0
        number: cython.longlong = 0
        for row in range(self.top, self.bottom + 1):
            cells = self.cells[row]
            while cells != 0:
                cell = cells & (~cells + 1)
                cells = without_lowest_bit(cells)
                self.later[number] = bit(number + 1) if cells & (cell << 1) else 0
                if row < self.bottom:
                    self.later[number] |= self.touched(row + 1, cell)
                touching += popcount(self.later[number])
                number += 1
        return touching

    def place_from(self, placed: cython.ulonglong, possible: cython.ulonglong, left: cython.longlong) -> cython.bint:
        """Go through all ways to place the stars that are left on the possible candidates; False if too many."""
        if left == 1:
            self.begun += popcount(possible)
            if self.begun > _MAX_BEGUN:
                return False
            if possible != 0:
                self.fixed[self.families] = placed
                self.last[self.families] = possible
                self.families += 1
            return True
        while possible != 0:
            number = lowest_bit(possible)
            possible = without_lowest_bit(possible)
            self.begun += 1
            if self.begun > _MAX_BEGUN:
                return False
            if not self.place_from(placed | bit(number), possible & ~self.later[number], left - 1):
                return False
        return True

    def conclude(self, position: Position) -> cython.longlong:
        """Rule out and place what all placements agree on; returns what `narrow` does."""
        some: cython.ulonglong = 0
        every = low_bits(self.count)
        for family in range(self.families):
            last = self.last[family]
            some |= self.fixed[family] | last
            every &= self.fixed[family] | (last if without_lowest_bit(last) == 0 else 0)
        changed: cython.longlong = 0
        for row in range(max(0, self.top - 1), min(position.board.size, self.bottom + 2)):
            cells = self.excluded(position, row)
            if cells != 0:
                changed = 1
                position.rule_out(ROWS, row, cells)
        if some != low_bits(self.count) or every != 0:
            changed = 1
            number: cython.longlong = 0
            for row in range(self.top, self.bottom + 1):
                cells = self.cells[row]
                while cells != 0:
                    cell = cells & (~cells + 1)
                    cells = without_lowest_bit(cells)
                    if some & bit(number) == 0:
                        position.rule_out(ROWS, row, cell)
                    elif every & bit(number) != 0 and not position.place(ROWS, row, cell):
                        return -1
                    number += 1
        return changed

    def excluded(self, position: Position, row: cython.longlong) -> cython.ulonglong:
        """Return the candidates in a row, of other regions, that touch a star of each placement."""
        near: cython.ulonglong = 0
        own: cython.ulonglong = 0
        for other in range(max(self.top, row - 1), min(self.bottom, row + 1) + 1):
            near |= self.cells[other]
            if other == row:
                own = self.cells[other]
        cells = widened(near) & position.candidates[ROWS][row] & ~own
        excluded: cython.ulonglong = 0
        while cells != 0:
            cell = cells & (~cells + 1)
            cells = without_lowest_bit(cells)
            touched: cython.ulonglong = 0
            for other in range(max(self.top, row - 1), min(self.bottom, row + 1) + 1):
                touched |= self.touched(other, cell)
            always: cython.bint = True
            for family in range(self.families):
                if self.fixed[family] & touched == 0 and self.last[family] & ~touched != 0:
                    always = False
                    break
            if always:
                excluded |= cell
        return excluded
