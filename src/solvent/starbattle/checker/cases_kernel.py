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
- *Shares.* Take the lines by twos, from the first or from the second on; one may be left at either end. Such a pair
  shares out the stars it lacks among the regions with open cells in it, to each as many as fit at the most: stars stand
  at least two places apart along the pair. If the regions cannot get what they lack, the case cannot be. If a region
  gets none from a pair however the stars are shared out, it has none there. If it always gets as many as fit, it has
  them in each run of places next to each other: if the run is odd, at every other place, and at none next to those; if
  it is even, at one of the first two places, one of the next two, and on. No other region has a star at such places,
  nor next to those of which each has one, and a place with one open cell of the region has its star there.
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

_ONE = cython.declare(cython.ulonglong, 1)
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
    counts: cython.ulonglong
    """Every count of stars on two lines that is of use; bit x + 8 * y for x and y stars."""
    ahead: cython.ulonglong[::1]
    """[place]: the counts with which a walk can come to a place of two lines, as bits."""
    behind: cython.ulonglong[::1]
    """[place]: the counts with which it can go on there, to k and k."""
    choice: cython.int[::1]
    """The open cells of a region."""
    number: cython.int[::1]
    """[cell]: which of them it is."""
    touching: cython.ulonglong[::1]
    """[choice]: the choices that touch it, as bits."""
    placements: cython.ulonglong[::1]
    """The placements listed, each as the choices that have its stars."""
    begun: cython.longlong
    """How many placements were begun."""
    complete: cython.longlong
    """How many were finished."""
    near: cython.ulonglong[::1]
    """[cell]: the choices that it touches, if it is none itself; used for a moment only."""
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
    pairs: cython.longlong
    """How many pairs of lines share out their stars."""
    first_line: cython.longlong
    """The first row or column, as a unit."""
    odd: cython.bint
    """Whether the first line is alone, and pairs are from the second line on."""
    fit: cython.schar[::1]
    """[pair * size + region]: how many stars fit on the open cells that they share."""
    sent: cython.schar[::1]
    """[pair * size + region]: how many the pair sends there."""
    missing: cython.int[::1]
    """[region]: how many stars it does not get yet."""
    more: cython.ulonglong[::1]
    """[node]: pairs p are nodes p, regions g nodes 32 + g. From a pair to the regions that it could send more, from a
    region to the pairs that could send it less, as bits."""
    way: cython.ulonglong[::1]
    """[node]: where any number of such steps leads."""
    shared: cython.schar[::1]
    """[place]: how many open cells a region has there on a pair."""
    tried: cython.ulonglong
    """The nodes a way to send one more star was looked for at."""

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
        self.counts = 0
        for x in range(self.stars + 1):
            for y in range(self.stars + 1):
                self.counts |= _ONE << (x + 8 * y)
        self.ahead = new_row(size + 2, UNSIGNED)
        self.behind = new_row(size + 2, UNSIGNED)
        self.choice = new_row(size * size, SHORT)
        self.number = new_row(size * size, SHORT)
        self.touching = new_row(64, UNSIGNED)
        self.placements = new_row(MAX_BEGUN, UNSIGNED)
        self.near = new_row(size * size, UNSIGNED)
        self.lacks = new_row(3 * size, SHORT)
        self.first = new_row(size, SHORT)
        self.last = new_row(size, SHORT)
        self.meets = new_row(size * size, TINY)
        self.reached = new_row(size, TINY)
        self.fit = new_row(size * size, TINY)
        self.sent = new_row(size * size, TINY)
        self.missing = new_row(size, SHORT)
        self.more = new_row(64, UNSIGNED)
        self.way = new_row(64, UNSIGNED)
        self.shared = new_row(size, TINY)
        for unit in range(3 * size):
            self.lacks[unit] = self.stars
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
        size = self.size
        for unit in range(3 * size):
            self.lacks[unit] = self.stars
        for other in range(size * size):
            self.known[other] = before[other]
            if before[other] == _STAR:
                self.note_star(other)
        for unit in range(9 * size):
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
            self.note_star(cell)
            for at in range(8 * cell, 8 * cell + 8):
                if self.around[at] < 0:
                    break
                self.put(self.around[at], _CROSS)

    @cython.cfunc
    def note_star(self, cell: cython.longlong) -> cython.void:
        """Note that the units of a cell lack one star less."""
        self.lacks[cell // self.size] -= 1
        self.lacks[self.size + cell % self.size] -= 1
        self.lacks[2 * self.size + self.region[cell]] -= 1

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
                    stale: cython.bint = self.is_stale(_LINES, line) | self.stale[_LINES * 3 * size + line + 1]
                    if stale and self.lacks[line] + self.lacks[line + 1] > 0:  # else nothing is open there by now
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
            self.count_shares(0, False)
            self.count_shares(0, True)
            self.count_shares(size, False)
            self.count_shares(size, True)
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

    # Quota

    @cython.cfunc
    def count_unit(self, unit: cython.longlong) -> cython.void:
        """Compare what a unit lacks with the cells that are open in it."""
        lacking = self.lacks[unit]
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
        counts = self.counts
        goal = _ONE << (self.stars + 8 * self.stars)
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
            if here != _OPEN and there != _OPEN:
                star_before = here == _STAR or there == _STAR
                continue
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
        lacking: cython.longlong = self.lacks[region]
        number: cython.longlong = 0
        for at in range(self.begin[region], self.begin[region + 1]):
            cell: cython.longlong = self.cells[at]
            if self.known[cell] == _OPEN:
                self.choice[number] = cell
                self.number[cell] = number
                number += 1
        self.begun = 0
        self.complete = 0
        if lacking <= 0 or number == 0:
            return
        if number > 64:  # too many pairs to begin with, or if one star is lacking, nothing touches all of them
            self.begun = _MAX_BEGUN + 1
            return
        self.find_touching(number)
        every: cython.ulonglong = 0
        for at in range(number):
            every |= _ONE << at
        if not self.place_more(0, number, 0, every, lacking):
            return
        if self.complete == 0:
            self.broken = True
            return
        some: cython.ulonglong = 0
        for at in range(self.complete):
            some |= self.placements[at]
            every &= self.placements[at]
        self.cross_touched(number)
        for at in range(number):
            if every >> at & 1:
                self.put(self.choice[at], _STAR)
            elif not some >> at & 1:
                self.put(self.choice[at], _CROSS)

    @cython.cfunc
    def find_touching(self, number: cython.longlong) -> cython.void:
        """Fill `touching`."""
        region: cython.longlong = self.region[self.choice[0]]
        for at in range(number):
            cell: cython.longlong = self.choice[at]
            self.touching[at] = 0
            for next_at in range(8 * cell, 8 * cell + 8):
                other: cython.longlong = self.around[next_at]
                if other < 0:
                    break
                if self.known[other] == _OPEN and self.region[other] == region:
                    self.touching[at] |= _ONE << self.number[other]

    @cython.cfunc
    def place_more(
        self,
        first: cython.longlong,
        number: cython.longlong,
        placed: cython.ulonglong,
        possible: cython.ulonglong,
        lacking: cython.longlong,
    ) -> cython.bint:
        """Go through all ways to place the stars that are left on possible choices from `first` on; False if too many.

        What touches a star of those placed is not possible.
        """
        for at in range(first, number):
            if not possible >> at & 1:
                continue
            self.begun += 1
            if self.begun > _MAX_BEGUN:
                return False
            if lacking == 1:
                self.placements[self.complete] = placed | _ONE << at
                self.complete += 1
            elif not self.place_more(at + 1, number, placed | _ONE << at, possible & ~self.touching[at], lacking - 1):
                return False
        return True

    @cython.cfunc
    def cross_touched(self, number: cython.longlong) -> cython.void:
        """Cross the cells of other regions that touch a star in each placement."""
        region: cython.longlong = self.region[self.choice[0]]
        for at in range(number):
            for next_at in range(8 * self.choice[at], 8 * self.choice[at] + 8):
                other: cython.longlong = self.around[next_at]
                if other < 0:
                    break
                if self.known[other] == _OPEN and self.region[other] != region:
                    self.near[other] |= _ONE << at
        for at in range(number):
            for next_at in range(8 * self.choice[at], 8 * self.choice[at] + 8):
                other = self.around[next_at]
                if other < 0:
                    break
                if self.near[other] != 0 and self.touches_all(self.near[other]):
                    self.put(other, _CROSS)
                self.near[other] = 0

    @cython.cfunc
    def touches_all(self, choices: cython.ulonglong) -> cython.bint:
        """Tell whether each placement has a star on one of these choices."""
        for at in range(self.complete):
            if self.placements[at] & choices == 0:
                return False
        return True

    # Shares

    @cython.cfunc
    def count_shares(self, lines: cython.longlong, odd: cython.bint) -> cython.void:
        """Share out the stars of pairs of rows, for 0, or of columns, for `size`: the number of their first unit."""
        if self.broken:
            return
        size = self.size
        self.first_line = lines
        self.odd = odd
        self.pairs = (size + 2) // 2 if odd else (size + 1) // 2
        for region in range(size):
            self.missing[region] = self.lacks[2 * size + region]
            self.more[32 + region] = 0
        for pair in range(self.pairs):
            self.measure(pair)
        for pair in range(self.pairs):
            lacking: cython.longlong = 0
            for line in range(self.from_line(pair), self.to_line(pair)):
                lacking += self.lacks[lines + line]
            for region in range(size):
                sent: cython.longlong = min(self.fit[pair * size + region], min(lacking, self.missing[region]))
                if sent > 0:
                    self.send(pair, region, sent)
                    self.missing[region] -= sent
                    lacking -= sent
            while lacking > 0:
                self.tried = 0
                if not self.send_one_more(pair):
                    self.broken = True
                    return
                lacking -= 1
        self.conclude_shares()

    @cython.cfunc
    def from_line(self, pair: cython.longlong) -> cython.longlong:
        """Return the first line of a pair, counted among rows or columns."""
        return max(0, 2 * pair - 1) if self.odd else 2 * pair

    @cython.cfunc
    def to_line(self, pair: cython.longlong) -> cython.longlong:
        """Return the line behind a pair."""
        return min(self.size, 2 * pair + 1 if self.odd else 2 * pair + 2)

    @cython.cfunc
    def measure(self, pair: cython.longlong) -> cython.void:
        """Fill `fit` for a pair: from place to place, take each for a region unless it has the one before."""
        size = self.size
        self.more[pair] = 0
        for region in range(size):
            self.fit[pair * size + region] = 0
            self.sent[pair * size + region] = 0
            self.last[region] = -2
        for place in range(size):
            for line in range(self.from_line(pair), self.to_line(pair)):
                cell: cython.longlong = self.cells[self.begin[self.first_line + line] + place]
                region = self.region[cell]
                if self.known[cell] == _OPEN and place - self.last[region] > 1:
                    self.last[region] = place
                    self.fit[pair * size + region] += 1
                    self.more[pair] |= _ONE << (32 + region)

    @cython.cfunc
    def send(self, pair: cython.longlong, region: cython.longlong, stars: cython.longlong) -> cython.void:
        """Send some stars more from a pair to a region, or less, and note what can be sent then."""
        at: cython.longlong = pair * self.size + region
        self.sent[at] += stars
        self.more[pair] &= ~(_ONE << (32 + region))
        self.more[32 + region] &= ~(_ONE << pair)
        if self.sent[at] < self.fit[at]:
            self.more[pair] |= _ONE << (32 + region)
        if self.sent[at] > 0:
            self.more[32 + region] |= _ONE << pair

    @cython.cfunc
    def send_one_more(self, pair: cython.longlong) -> cython.bint:
        """Send a star more from a pair to a region that misses one, or to one that then gets less from another pair."""
        self.tried |= _ONE << pair
        for region in range(self.size):
            if self.more[pair] >> (32 + region) & 1 and self.missing[region] > 0:
                self.missing[region] -= 1
                self.send(pair, region, 1)
                return True
        for region in range(self.size):
            if self.more[pair] >> (32 + region) & 1 and not self.tried >> (32 + region) & 1:
                self.tried |= _ONE << (32 + region)
                for other in range(self.pairs):
                    if (
                        self.more[32 + region] >> other & 1
                        and not self.tried >> other & 1
                        and self.send_one_more(other)
                    ):
                        self.send(other, region, -1)
                        self.send(pair, region, 1)
                        return True
        return False

    @cython.cfunc
    def conclude_shares(self) -> cython.void:
        """Say what is the same however the stars are shared out.

        What a pair sends to a region can change only if ways lead from the one to the other and back, along which each
        in turn gives one more or one less.
        """
        size = self.size
        self.follow_ways()
        for pair in range(self.pairs):
            for region in range(size):
                at: cython.longlong = pair * size + region
                if self.fit[at] == 0 or (self.sent[at] > 0 and self.sent[at] < self.fit[at]):
                    continue
                if self.way[pair] >> (32 + region) & 1 and self.way[32 + region] >> pair & 1:
                    continue
                if self.sent[at] == 0:
                    self.cross_shared(pair, region)
                else:
                    self.fill_shared(pair, region)

    @cython.cfunc
    def follow_ways(self) -> cython.void:
        """Fill `way`: where one step leads, then where steps through more and more nodes do."""
        end: cython.longlong = 32 + self.size
        for node in range(end):
            self.way[node] = self.more[node]
        for through in range(end):
            if self.pairs <= through < 32:
                continue
            beyond = self.way[through]
            for node in range(end):
                if self.way[node] >> through & 1:
                    self.way[node] |= beyond

    @cython.cfunc
    def cross_shared(self, pair: cython.longlong, region: cython.longlong) -> cython.void:
        """Cross the open cells that a pair and a region share."""
        for line in range(self.from_line(pair), self.to_line(pair)):
            unit = self.first_line + line
            for at in range(self.begin[unit], self.begin[unit + 1]):
                if self.known[self.cells[at]] == _OPEN and self.region[self.cells[at]] == region:
                    self.put(self.cells[at], _CROSS)

    @cython.cfunc
    def fill_shared(self, pair: cython.longlong, region: cython.longlong) -> cython.void:
        """Say what follows where a pair and a region share as many stars as fit on their open cells."""
        first: cython.longlong = self.begin[self.first_line + self.from_line(pair)]
        second: cython.longlong = self.begin[self.first_line + self.to_line(pair) - 1]
        for place in range(self.size):  # 0, or how many of the two cells there are open ones of the region
            self.shared[place] = self.is_shared(self.cells[first + place], region)
            if second != first:
                self.shared[place] += self.is_shared(self.cells[second + place], region)
        start: cython.longlong = 0
        while start < self.size:
            end: cython.longlong = start
            while end < self.size and self.shared[end] > 0:
                end += 1
            is_odd: cython.bint = (end - start) % 2 == 1
            for place in range(start, end):
                may_have_star: cython.bint = not is_odd or (place - start) % 2 == 0
                self.clear_place(first + place, region, may_have_star)
                self.clear_place(second + place, region, may_have_star)
            if is_odd:
                if start > 0:
                    self.clear_place(first + start - 1, region, False)
                    self.clear_place(second + start - 1, region, False)
                if end < self.size:
                    self.clear_place(first + end, region, False)
                    self.clear_place(second + end, region, False)
                for place in range(start, end, 2):
                    if self.shared[place] == 1:
                        is_on_first: cython.bint = self.is_shared(self.cells[first + place], region)
                        self.put(self.cells[(first if is_on_first else second) + place], _STAR)
            start = end + 1

    @cython.cfunc
    def is_shared(self, cell: cython.longlong, region: cython.longlong) -> cython.bint:
        """Tell whether a cell is open and in a region."""
        return self.known[cell] == _OPEN and self.region[cell] == region

    @cython.cfunc
    def clear_place(self, at: cython.longlong, region: cython.longlong, spare: cython.bint) -> cython.void:
        """Cross an open cell of a pair, unless it is one of the region and those are to be spared."""
        cell: cython.longlong = self.cells[at]
        if self.known[cell] == _OPEN and not (spare and self.region[cell] == region):
            self.put(cell, _CROSS)

    # Bands

    @cython.cfunc
    def count_bands(self, lines: cython.longlong) -> cython.void:
        """Count the bands of rows, for 0, or of columns, for `size`: the number of their first unit."""
        size = self.size
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
