"""The region count: what the candidates of one region can hold.

Row by row through the region, each way to fill a row (no two stars next to each other) is kept with the most stars that
the rows above it, and the rows below it, can have beside it. A way is possible only if those together reach what the
region still needs. A cell that no possible way stars is ruled out; one that every possible way of its row stars gets a
star. Fewer stars than the most can always be had by leaving some out, so "at least what is needed" is the right test.
A region with much more room than it needs is left alone, because nothing would follow.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import popcount, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS, ROWS, room_on, widened
else:
    from solvent.engine.bits import popcount, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, ROWS, WIDEST, room_on, widened, zeros

IMPOSSIBLE = cython.declare(cython.longlong, -100)
MAX_WAYS = cython.declare(cython.longlong, 1200)

ROOM_TO_SPARE = 2
"""A star and the cells it touches have room for four stars at most, so making a cell a star costs a region at most
three of the stars it could have. Where it could have more than two to spare, nothing follows."""

TO_SPARE = cython.declare(cython.longlong, ROOM_TO_SPARE)


@cython.final
@cython.freelist(2)
@cython.cclass
class RegionCount:
    """Count one region. The fields, described in `region_kernel.pxd`, are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.cells = zeros(WIDEST)
            self.above = zeros(WIDEST + 1)
            self.below = zeros(WIDEST + 1)
            self.ways = zeros(MAX_WAYS)
            self.down = zeros(MAX_WAYS)
            self.up = zeros(MAX_WAYS)
            self.begins = zeros(WIDEST)
            self.ends = zeros(WIDEST)
            self.some = zeros(WIDEST)
            self.every = zeros(WIDEST)
        self.need = 0
        self.top = -1
        self.bottom = -1

    def narrow(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Draw conclusions from one region alone: -1 if it cannot be filled, 1 if any cell changed, else 0."""
        self.need = position.needs[REGIONS][region]
        if self.need == 0:
            return 0
        if self.look(position, region) > self.need + TO_SPARE:
            return 0
        if self.top < 0 or self.bound_rows() < self.need:
            return -1
        if not self.list_ways():
            return 0
        most = self.count_down()
        if most < self.need:
            return -1
        if most > self.need + TO_SPARE:
            return 0
        self.count_up()
        return self.conclude(position, region)

    def look(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Gather the candidates; returns how many stars can be set greedily, a lower bound for the room there is."""
        self.top = -1
        easy: cython.longlong = 0
        taken: cython.ulonglong = 0
        for row in range(position.board.first_row[region], position.board.last_row[region] + 1):
            cells = position.candidates[ROWS][row] & position.board.segment[ROWS][row][region]
            self.cells[row] = cells
            rest = cells & ~widened(taken)
            taken = 0
            if cells != 0:
                self.bottom = row
                if self.top < 0:
                    self.top = row
            while rest != 0:
                lowest = rest & (~rest + 1)
                taken |= lowest
                rest &= ~(lowest | (lowest << 1))
                easy += 1
        return easy

    def bound_rows(self) -> cython.longlong:
        """Bound from above the stars of the rows above each row, and of those below it; returns the bound for all rows.

        A row has the room of its cells; two rows together have the room of their cells laid over each other.
        """
        self.above[self.top] = 0
        for row in range(self.top + 1, self.bottom + 2):
            bound = self.above[row - 1] + room_on(self.cells[row - 1])
            if row > self.top + 1:
                bound = min(bound, self.above[row - 2] + room_on(self.cells[row - 1] | self.cells[row - 2]))
            self.above[row] = bound
        self.below[self.bottom] = 0
        for row in range(self.bottom - 1, self.top - 1, -1):
            bound = self.below[row + 1] + room_on(self.cells[row + 1])
            if row < self.bottom - 1:
                bound = min(bound, self.below[row + 2] + room_on(self.cells[row + 1] | self.cells[row + 2]))
            self.below[row] = bound
        return self.above[self.bottom + 1]

    def list_ways(self) -> cython.bint:
        """List the ways to fill each row that can still lead to what is needed; False if they are too many."""
        begin: cython.longlong = 0
        for row in range(self.top, self.bottom + 1):
            if not self.list_ways_of_row(row, begin):
                return False
            begin = self.ends[row]
        return True

    def list_ways_of_row(self, row: cython.longlong, begin: cython.longlong) -> cython.bint:
        """List the ways to fill one row, from the place `begin` on."""
        if begin == MAX_WAYS:
            return False
        end = begin + 1
        self.ways[begin] = 0
        cells = self.cells[row]
        while cells != 0:
            lowest = cells & (~cells + 1)
            cells = without_lowest_bit(cells)
            for way in range(begin, end):
                if self.ways[way] & (lowest >> 1) == 0:
                    if end == MAX_WAYS:
                        return False
                    self.ways[end] = self.ways[way] | lowest
                    end += 1
        fewest = self.need - self.above[row] - self.below[row]
        if fewest > 0:
            kept = begin
            for way in range(begin, end):
                if popcount(self.ways[way]) >= fewest:
                    self.ways[kept] = self.ways[way]
                    kept += 1
            end = kept
        self.begins[row] = begin
        self.ends[row] = end
        return True

    def count_down(self) -> cython.longlong:
        """Fill `down` and drop each way that cannot lead to what is needed; returns the most stars of all."""
        most: cython.longlong = 0
        for row in range(self.top, self.bottom + 1):
            before: cython.longlong = self.begins[row - 1] if row > self.top else 0
            before_end: cython.longlong = self.ends[row - 1] if row > self.top else 0
            fewest = self.need - self.below[row]
            kept = self.begins[row]
            for way in range(kept, self.ends[row]):
                stars: cython.ulonglong = self.ways[way]
                excluded = widened(stars)
                best: cython.longlong = 0 if row == self.top else IMPOSSIBLE
                for other in range(before_end - 1, before - 1, -1):  # those with the most stars come last
                    if self.down[other] > best and self.ways[other] & excluded == 0:
                        best = self.down[other]
                best += popcount(stars)
                if best >= fewest:
                    self.ways[kept] = stars
                    self.down[kept] = best
                    kept += 1
                    if row == self.bottom and best > most:
                        most = best
            self.ends[row] = kept
        return most

    def count_up(self) -> cython.void:
        """Fill `up` for the possible ways and drop the others; fill `some` and `every`."""
        for row in range(self.bottom, self.top - 1, -1):
            after: cython.longlong = self.begins[row + 1] if row < self.bottom else 0
            after_end: cython.longlong = self.ends[row + 1] if row < self.bottom else 0
            some: cython.ulonglong = 0
            every: cython.ulonglong = self.cells[row]
            kept = self.begins[row]
            for way in range(kept, self.ends[row]):
                stars: cython.ulonglong = self.ways[way]
                excluded = widened(stars)
                best: cython.longlong = 0 if row == self.bottom else IMPOSSIBLE
                for other in range(after_end - 1, after - 1, -1):
                    if self.up[other] > best and self.ways[other] & excluded == 0:
                        best = self.up[other]
                if best + self.down[way] >= self.need:
                    some |= stars
                    every &= stars
                    self.ways[kept] = stars
                    self.up[kept] = best + popcount(stars)
                    kept += 1
            self.ends[row] = kept
            self.some[row] = some
            self.every[row] = every

    def conclude(self, position: Position, region: cython.longlong) -> cython.longlong:
        """Rule out what no possible way stars and place what every one stars; returns what `narrow` does."""
        changed: cython.longlong = 0
        for row in range(self.top, self.bottom + 1):
            cells = position.candidates[ROWS][row] & position.board.segment[ROWS][row][region]
            never = cells & ~self.some[row]
            if never != 0:
                changed = 1
                position.rule_out(ROWS, row, never)
            if self.every[row] != 0:
                changed = 1
                if not position.place(ROWS, row, self.every[row]):
                    return -1
        return changed
