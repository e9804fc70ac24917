"""Follow a proof by cases: at every turn a cell has a star or has none, until counting ends each case.

Counting is done here, from the rule book; the proof says only which cells to tell apart. These are the rules, taken
again and again until none says anything new. With k stars in every row, column and region:

- *Quota.* A unit with k stars has no other. One with only as many open cells as it lacks stars has stars on all; with
  fewer, the case cannot be.
- *Touching.* No star stands on a cell that touches a star.
- *Two lines.* Stars on two neighbouring lines stand at least two places apart along them, whichever line each is on. So
  walk along the places and note with how many stars on either line each can be reached, and from which counts the way
  on leads to k and k. A star that is on no such walk is none; where no walk leaves a place empty and only one line can
  have a star there, it has.
- *Placements.* List the ways to place what stars a region still lacks, unless more than MAX_BEGUN are begun: a cell of
  the region in none of them has no star, one in all of them has one, and a cell that touches a star in each has none.
- *Bands.* Lines side by side lack some stars. Regions whose open cells are all inside this band cannot lack more. If
  they lack as many, no other region has a star in the band. All stars of the band go to regions with open cells in it,
  so those cannot lack fewer; if they lack as many, they have no star outside.

This is plain Python that is compiled as it stands, for proofs of thousands of cases.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, TINY, UNSIGNED, new_row
from solvent.starbattle.model import CROSS, STAR, Puzzle

MAX_BEGUN = 250
"""Placements of a region are listed if no more than this are begun: ways to choose up to as many stars as it lacks."""

WORKING, FINISHED, LEFT_OPEN, CUT_SHORT, TOO_LONG, TOO_DEEP = 0, 1, 2, 3, 4, 5
"""What `follow` returns: more is to be done, all cases end, or what is wrong."""
WRONG = {
    LEFT_OPEN: "counting does not end this case",
    CUT_SHORT: "the cases end too early",
    TOO_LONG: "there are entries behind the last case",
    TOO_DEEP: "there are more cases within each other than the board has cells",
}

_OPEN = cython.declare(cython.longlong, 0)
_STAR = cython.declare(cython.longlong, 1)
_CROSS = cython.declare(cython.longlong, 2)
# What is known of a cell.

_QUOTA = cython.declare(cython.longlong, 0)
_LINES = cython.declare(cython.longlong, 1)
_PLACEMENTS = cython.declare(cython.longlong, 2)
# The rules that look again at units of which a cell changed.

_MAX_BEGUN = cython.declare(cython.longlong, MAX_BEGUN)


@cython.final
@cython.cclass
class Cases:
    """Hold a board, what is known of its cells in the case at hand, and the cases still to come."""

    size: cython.longlong
    """Rows, columns and regions."""
    stars: cython.longlong
    """The k of the rules above."""
    region: cython.int[::1]
    """[cell]: its region."""
    cells: cython.int[::1]
    """The cells of all units: row by row, column by column, region by region."""
    begin: cython.int[::1]
    """[unit]: where its cells begin there; the next unit's follow. Columns are units from `size` on, then regions."""
    around: cython.int[::1]
    """[8 * cell and on]: the cells that touch it; -1 behind the last."""
    known: cython.schar[::1]
    """[cell]: open, star or cross."""
    stale: cython.schar[::1]
    """[rule * units + unit]: whether a cell of the unit changed since the rule last looked at it."""
    changes: cython.longlong
    """How many cells changed so far."""
    broken: cython.bint
    """Whether the case at hand cannot be."""
    entries: cython.int[::1]
    """The proof."""
    length: cython.longlong
    """How many entries it has."""
    place = cython.declare(cython.longlong, visibility="readonly")
    """The next entry."""
    solution: list
    """The cells of the stars that a case may end with; None where there must be no solution."""
    kept: list
    """For each case within which the one at hand is: what was known before it, and the cell it told apart."""
    ahead: cython.ulonglong[::1]
    """[place]: the counts with which a walk can come to a place of two lines; bit x + 8 * y for x and y stars."""
    behind: cython.ulonglong[::1]
    """[place]: the counts with which it can go on there, to k and k."""
    choice: cython.int[::1]
    """The open cells of a region."""
    chosen: cython.int[::1]
    """Those with stars in the placement at hand."""
    begun: cython.longlong
    """How many placements were begun."""
    complete: cython.longlong
    """How many were finished."""
    starred: cython.int[::1]
    """[cell]: in how many of them it has a star."""
    touched: cython.int[::1]
    """[cell]: in how many of them it touches one."""
    latest: cython.int[::1]
    """[cell]: the number of the last one in which it does."""
    lacks: cython.int[::1]
    """[unit]: how many stars are still to be placed in it."""
    first: cython.int[::1]
    """[region]: the first line, of those looked at, with an open cell of it."""
    last: cython.int[::1]
    """[region]: the last one; -1 if there is none."""
    meets: cython.schar[::1]
    """[line * size + region]: whether the region has open cells on the line."""
    reached: cython.schar[::1]
    """[region]: whether it has open cells in the band at hand."""

    def __init__(self, puzzle: Puzzle, entries: memoryview, length: int, solution: list | None) -> None:
        """Begin with the marks of a puzzle and a proof, whose entries are 0 or cells of the board counted from 1.

        Each case must end in nothing, or in the solution if one is given.
        """
        size: cython.longlong = puzzle.size
        self.size = size
        self.stars = puzzle.stars
        self.entries = entries
        self.length = length
        self.place = 0
        self.solution = solution
        self.kept = []
        self.changes = 0
        self.broken = False
        self.region = new_row(size * size, SHORT)
        for cell, region in enumerate(puzzle.regions):
            self.region[cell] = region
        self.list_units()
        self.list_touching()
        self.known = new_row(size * size, TINY)
        self.stale = new_row(9 * size, TINY)
        for unit in range(9 * size):
            self.stale[unit] = True
        self.ahead = new_row(size + 2, UNSIGNED)
        self.behind = new_row(size + 2, UNSIGNED)
        self.choice = new_row(size * size, SHORT)
        self.chosen = new_row(size, SHORT)
        self.starred = new_row(size * size, SHORT)
        self.touched = new_row(size * size, SHORT)
        self.latest = new_row(size * size, SHORT)
        self.lacks = new_row(3 * size, SHORT)
        self.first = new_row(size, SHORT)
        self.last = new_row(size, SHORT)
        self.meets = new_row(size * size, TINY)
        self.reached = new_row(size, TINY)
        if puzzle.marks.count(STAR) or puzzle.marks.count(CROSS):
            for cell, mark in enumerate(puzzle.marks):
                if mark == STAR:
                    self.put(cell, _STAR)
                if mark == CROSS:
                    self.put(cell, _CROSS)

    @cython.cfunc
    def list_units(self) -> cython.void:
        """Fill `cells` and `begin`."""
        size = self.size
        self.cells = new_row(3 * size * size, SHORT)
        self.begin = new_row(3 * size + 1, SHORT)
        at: cython.longlong = 0
        for row in range(size):
            self.begin[row] = at
            for col in range(size):
                self.cells[at] = row * size + col
                at += 1
        for col in range(size):
            self.begin[size + col] = at
            for row in range(size):
                self.cells[at] = row * size + col
                at += 1
        for region in range(size):
            self.begin[2 * size + region] = at
            for cell in range(size * size):
                if self.region[cell] == region:
                    self.cells[at] = cell
                    at += 1
        self.begin[3 * size] = at

    @cython.cfunc
    def list_touching(self) -> cython.void:
        """Fill `around`."""
        size = self.size
        self.around = new_row(8 * size * size, SHORT)
        for row in range(size):
            for col in range(size):
                at: cython.longlong = 8 * (row * size + col)
                end: cython.longlong = at + 8
                for other_row in range(max(0, row - 1), min(size, row + 2)):
                    for other_col in range(max(0, col - 1), min(size, col + 2)):
                        if other_row != row or other_col != col:
                            self.around[at] = other_row * size + other_col
                            at += 1
                if at < end:
                    self.around[at] = -1

    def follow(self, limit: cython.longlong) -> int:
        """Look at up to `limit` more cases and return what became of that; `place` is then behind the entry at hand."""
        for _ in range(limit):
            if self.place >= self.length:
                return CUT_SHORT
            entry: cython.longlong = self.entries[self.place]
            self.place += 1
            self.count()
            if entry > 0 and not self.broken:
                if len(self.kept) >= self.size * self.size:
                    return TOO_DEEP
                self.kept.append((bytes(self.known), entry - 1))
                self.put(entry - 1, _STAR)
                continue
            if entry > 0 and not self.skip():
                return CUT_SHORT
            if not self.broken and not self.is_solution():
                return LEFT_OPEN
            if not self.kept:
                return FINISHED if self.place == self.length else TOO_LONG
            self.go_back()
        return WORKING

    @cython.cfunc
    def skip(self) -> cython.bint:
        """Pass over the two cases behind an entry and all within them; False if some are missing."""
        cases: cython.longlong = 2
        while cases > 0:
            if self.place >= self.length:
                return False
            cases += 1 if self.entries[self.place] > 0 else -1
            self.place += 1
        return True

    @cython.cfunc
    def is_solution(self) -> cython.bint:
        """Tell whether all stars of the solution are there; others cannot be, for every solution has as many."""
        if self.solution is None:
            return False
        for cell in self.solution:
            if self.known[cell] != _STAR:
                return False
        return True

    @cython.cfunc
    def go_back(self) -> cython.void:
        """Go back to before the last case in which a cell had a star; now it has none."""
        known, cell = self.kept.pop()
        before: cython.const[cython.uchar][::1] = known
        for other in range(self.size * self.size):
            self.known[other] = before[other]
        for unit in range(9 * self.size):
            self.stale[unit] = False
        self.broken = False
        self.put(cell, _CROSS)

    @cython.cfunc
    def put(self, cell: cython.longlong, mark: cython.longlong) -> cython.void:
        """Note a star or a cross; the case cannot be if the other one is there."""
        if self.known[cell] == mark:
            return
        if self.known[cell] != _OPEN:
            self.broken = True
            return
        self.known[cell] = mark
        self.changes += 1
        size = self.size
        for rule in range(3):
            self.stale[rule * 3 * size + cell // size] = True
            self.stale[rule * 3 * size + size + cell % size] = True
            self.stale[rule * 3 * size + 2 * size + self.region[cell]] = True
        if mark == _STAR:
            for at in range(8 * cell, 8 * cell + 8):
                if self.around[at] < 0:
                    break
                self.put(self.around[at], _CROSS)

    @cython.cfunc
    def count(self) -> cython.void:
        """Take the rules until none has anything new to say, or the case cannot be."""
        size = self.size
        while not self.broken:
            before = self.changes
            for unit in range(3 * size):
                if self.is_stale(_QUOTA, unit):
                    self.count_unit(unit)
            if self.changes != before or self.broken:
                continue
            for line in range(2 * size):  # rows and columns; the last of each has no next one
                if line != size - 1 and line != 2 * size - 1:
                    if self.is_stale(_LINES, line) | self.stale[_LINES * 3 * size + line + 1]:
                        self.count_two_lines(line)
                else:
                    self.stale[_LINES * 3 * size + line] = False
            if self.changes != before or self.broken:
                continue
            for region in range(2 * size, 3 * size):
                if self.is_stale(_PLACEMENTS, region):
                    self.count_placements(region)
            if self.changes != before or self.broken:
                continue
            self.count_bands(0)
            self.count_bands(size)
            if self.changes == before:
                return

    @cython.cfunc
    def is_stale(self, rule: cython.longlong, unit: cython.longlong) -> cython.bint:
        """Tell whether a rule has to look at a unit; it is about to."""
        stale: cython.bint = self.stale[rule * 3 * self.size + unit]
        self.stale[rule * 3 * self.size + unit] = False
        return stale

    @cython.cfunc
    def lacking(self, unit: cython.longlong) -> cython.longlong:
        """Return how many stars are still to be placed in a unit."""
        lacking = self.stars
        for at in range(self.begin[unit], self.begin[unit + 1]):
            if self.known[self.cells[at]] == _STAR:
                lacking -= 1
        return lacking

    # Quota

    @cython.cfunc
    def count_unit(self, unit: cython.longlong) -> cython.void:
        """Compare what a unit lacks with the cells that are open in it."""
        lacking = self.lacking(unit)
        still_open: cython.longlong = 0
        for at in range(self.begin[unit], self.begin[unit + 1]):
            if self.known[self.cells[at]] == _OPEN:
                still_open += 1
        if lacking < 0 or still_open < lacking:
            self.broken = True
        elif still_open > 0 and (lacking == 0 or lacking == still_open):
            for at in range(self.begin[unit], self.begin[unit + 1]):
                if self.known[self.cells[at]] == _OPEN:
                    self.put(self.cells[at], _CROSS if lacking == 0 else _STAR)

    # Two lines

    @cython.cfunc
    def count_two_lines(self, line: cython.longlong) -> cython.void:
        """Walk along a line and the next one, which is a row or a column as it is."""
        size = self.size
        begin: cython.longlong = self.begin[line]
        begin_next: cython.longlong = self.begin[line + 1]
        one: cython.ulonglong = 1
        counts: cython.ulonglong = 0  # all that are of use
        for x in range(self.stars + 1):
            for y in range(self.stars + 1):
                counts |= one << (x + 8 * y)
        goal = one << (self.stars + 8 * self.stars)
        for place in range(size + 2):
            self.ahead[place] = 0
            self.behind[place] = goal if place >= size else 0
        self.ahead[0] = 1
        for place in range(size):
            here: cython.longlong = self.known[self.cells[begin + place]]
            there: cython.longlong = self.known[self.cells[begin_next + place]]
            if here != _STAR and there != _STAR:
                self.ahead[place + 1] |= self.ahead[place]
            if here != _CROSS and there != _STAR:  # the place behind a star stays empty
                self.ahead[place + 2] |= (self.ahead[place] << 1) & counts
            if there != _CROSS and here != _STAR:
                self.ahead[place + 2] |= (self.ahead[place] << 8) & counts
        if (self.ahead[size] | self.ahead[size + 1]) & goal == 0:
            self.broken = True
            return
        for place in range(size - 1, -1, -1):
            here = self.known[self.cells[begin + place]]
            there = self.known[self.cells[begin_next + place]]
            if here != _STAR and there != _STAR:
                self.behind[place] |= self.behind[place + 1]
            if here != _CROSS and there != _STAR:
                self.behind[place] |= (self.behind[place + 2] >> 1) & counts
            if there != _CROSS and here != _STAR:
                self.behind[place] |= (self.behind[place + 2] >> 8) & counts
        star_before: cython.bint = False
        for place in range(size):
            cell: cython.longlong = self.cells[begin + place]
            other: cython.longlong = self.cells[begin_next + place]
            here = self.known[cell]
            there = self.known[other]
            empty: cython.bint = star_before or (
                here != _STAR and there != _STAR and self.ahead[place] & self.behind[place + 1] != 0
            )
            star: cython.bint = (
                here != _CROSS and there != _STAR and (self.ahead[place] << 1) & counts & self.behind[place + 2] != 0
            )
            other_star: cython.bint = (
                there != _CROSS and here != _STAR and (self.ahead[place] << 8) & counts & self.behind[place + 2] != 0
            )
            star_before = star or other_star
            if not star:
                self.put(cell, _CROSS)
            if not other_star:
                self.put(other, _CROSS)
            if not empty and star and not other_star:
                self.put(cell, _STAR)
            if not empty and other_star and not star:
                self.put(other, _STAR)

    # Placements

    @cython.cfunc
    def count_placements(self, region: cython.longlong) -> cython.void:
        """List the placements of a region, which is given as a unit, and see what they have in common."""
        lacking = self.lacking(region)
        size = self.size
        number: cython.longlong = 0
        for at in range(self.begin[region], self.begin[region + 1]):
            if self.known[self.cells[at]] == _OPEN:
                self.choice[number] = self.cells[at]
                number += 1
        if lacking <= 0 or number == 0:
            return
        for cell in range(size * size):
            self.starred[cell] = 0
            self.touched[cell] = 0
            self.latest[cell] = 0
        self.begun = 0
        self.complete = 0
        if not self.place_more(0, number, 0, lacking):
            return
        if self.complete == 0:
            self.broken = True
            return
        for cell in range(size * size):
            if self.starred[cell] == self.complete:
                self.put(cell, _STAR)
            elif self.touched[cell] == self.complete:
                self.put(cell, _CROSS)
        for at in range(number):
            if self.starred[self.choice[at]] == 0:
                self.put(self.choice[at], _CROSS)

    @cython.cfunc
    def place_more(
        self, first: cython.longlong, number: cython.longlong, placed: cython.longlong, lacking: cython.longlong
    ) -> cython.bint:
        """Go through all ways to place the stars that are left on the choices from `first` on; False if too many."""
        for at in range(first, number):
            cell: cython.longlong = self.choice[at]
            if self.touches_chosen(cell, placed):
                continue
            self.begun += 1
            if self.begun > _MAX_BEGUN:
                return False
            self.chosen[placed] = cell
            if placed + 1 == lacking:
                self.note_placement(lacking)
            elif not self.place_more(at + 1, number, placed + 1, lacking):
                return False
        return True

    @cython.cfunc
    def touches_chosen(self, cell: cython.longlong, placed: cython.longlong) -> cython.bint:
        """Tell whether a cell touches one of the first so many stars of the placement at hand."""
        row: cython.longlong = cell // self.size
        col: cython.longlong = cell % self.size
        for star in range(placed):
            other: cython.longlong = self.chosen[star]
            rows: cython.longlong = row - other // self.size
            cols: cython.longlong = col - other % self.size
            if -1 <= rows <= 1 and -1 <= cols <= 1:
                return True
        return False

    @cython.cfunc
    def note_placement(self, lacking: cython.longlong) -> cython.void:
        """Count the stars of a placement, and each cell that touches one, once."""
        self.complete += 1
        for star in range(lacking):
            cell: cython.longlong = self.chosen[star]
            self.starred[cell] += 1
            for at in range(8 * cell, 8 * cell + 8):
                other: cython.longlong = self.around[at]
                if other < 0:
                    break
                if self.latest[other] != self.complete:
                    self.latest[other] = self.complete
                    self.touched[other] += 1

    # Bands

    @cython.cfunc
    def count_bands(self, lines: cython.longlong) -> cython.void:
        """Count the bands of rows, for 0, or of columns, for `size`: the number of their first unit."""
        size = self.size
        for unit in range(3 * size):
            self.lacks[unit] = self.lacking(unit)
        self.find_regions(lines)
        for start in range(size):
            for region in range(size):
                self.reached[region] = False
            wanted: cython.longlong = 0
            inside: cython.longlong = 0
            reached: cython.longlong = 0
            for end in range(start, size):
                wanted += self.lacks[lines + end]
                for region in range(size):
                    if self.meets[end * size + region]:
                        if not self.reached[region]:
                            self.reached[region] = True
                            reached += self.lacks[2 * size + region]
                        if self.first[region] >= start and self.last[region] == end:
                            inside += self.lacks[2 * size + region]
                if inside > wanted or reached < wanted:
                    self.broken = True
                    return
                if inside < reached and inside == wanted:
                    self.clear_band(lines, start, end)
                if inside < reached and reached == wanted:
                    self.clear_outside(lines, start, end)

    @cython.cfunc
    def find_regions(self, lines: cython.longlong) -> cython.void:
        """Fill `meets`, `first` and `last` for rows or columns."""
        size = self.size
        for region in range(size):
            self.last[region] = -1
        for line in range(size):
            for region in range(size):
                self.meets[line * size + region] = False
            for at in range(self.begin[lines + line], self.begin[lines + line + 1]):
                cell: cython.longlong = self.cells[at]
                if self.known[cell] == _OPEN:
                    region = self.region[cell]
                    self.meets[line * size + region] = True
                    if self.last[region] < 0:
                        self.first[region] = line
                    self.last[region] = line

    @cython.cfunc
    def clear_band(self, lines: cython.longlong, start: cython.longlong, end: cython.longlong) -> cython.void:
        """Cross the cells of a band that are in regions with open cells elsewhere too."""
        for at in range(self.begin[lines + start], self.begin[lines + end + 1]):
            region = self.region[self.cells[at]]
            if self.known[self.cells[at]] == _OPEN and not (self.first[region] >= start and self.last[region] <= end):
                self.put(self.cells[at], _CROSS)

    @cython.cfunc
    def clear_outside(self, lines: cython.longlong, start: cython.longlong, end: cython.longlong) -> cython.void:
        """Cross the cells outside a band that are in regions with open cells in it."""
        for line in range(self.size):
            if start <= line <= end:
                continue
            for at in range(self.begin[lines + line], self.begin[lines + line + 1]):
                if self.known[self.cells[at]] == _OPEN and self.reached[self.region[self.cells[at]]]:
                    self.put(self.cells[at], _CROSS)
