"""The line-pair count: what two neighbouring lines can hold together.

Two stars in neighbouring lines touch unless they stand at least two places apart along the lines, and so do two stars
in one line. So the stars of both lines, read along them, stand on places no two of which are next to each other or the
same. Walking along the places, the only memory needed is whether the place before holds a star, and how many stars
each line has so far. The set of those counts fits one word: bit `x + 8 * y` for x stars in the first line and y in the
second. Walking from both ends tells for each cell whether some complete walk puts a star there, and whether every one
does: exact for the pair, and every "squeeze" a player sees between two lines is in it.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, low_bits, lowest_bit, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
else:
    from solvent.engine.bits import bit, low_bits, lowest_bit, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import WIDEST, zeros


@cython.final
@cython.freelist(2)
@cython.cclass
class LinePairCount:
    """Count two neighbouring lines. The fields, described in `line_pair_kernel.pxd`, are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.stops = zeros(WIDEST)
            self.free = zeros(WIDEST)
            self.taken = zeros(WIDEST)
        self.first = 0
        self.second = 0
        self.counts = 0
        self.goal = 0
        self.count = 0
        self.may = 0
        self.may_other = 0
        self.must = 0

    def narrow(self, position: Position, orientation: cython.longlong, line: cython.longlong) -> cython.longlong:
        """Draw every conclusion from lines `line` and `line + 1` alone.

        Returns -1 if they cannot be filled, 1 if any cell changed, else 0.
        """
        need = position.needs[orientation][line]
        other_need = position.needs[orientation][line + 1]
        if need == 0 and other_need == 0:
            return 0
        self.first = position.candidates[orientation][line]
        self.second = position.candidates[orientation][line + 1]
        if (
            need != 0
            and other_need != 0
            and self.first & self.second == position.board.every
            and 2 * (need + other_need) <= position.board.size
        ):
            return 0  # nothing is ruled out yet, and there is room: every cell may be a star, and none must be
        self.counts = 0
        for other in range(other_need + 1):
            self.counts |= low_bits(need + 1) << (8 * other)
        self.goal = bit(need + 8 * other_need)
        if not self.walk_there():
            return -1
        self.walk_back()
        return self.conclude(position, orientation, line)

    def walk_there(self) -> cython.bint:
        """Fill `stops`, `free` and `taken`; False if no walk reaches the goal."""
        free: cython.ulonglong = 1
        taken: cython.ulonglong = 0
        last: cython.longlong = -1
        count: cython.longlong = 0
        cells = self.first | self.second
        while cells != 0:
            place = lowest_bit(cells)
            cells = without_lowest_bit(cells)
            if place > last + 1:  # a star on the last stop does not matter any more
                free |= taken
                taken = 0
            self.stops[count] = place
            self.free[count] = free
            self.taken[count] = taken
            step: cython.ulonglong = free << 1 if self.first & bit(place) else 0
            step |= free << 8 if self.second & bit(place) else 0
            free |= taken
            taken = step & self.counts
            last = place
            count += 1
        self.count = count
        return (free | taken) & self.goal != 0

    def walk_back(self) -> cython.void:
        """Fill `may`, `may_other` and `must`.

        On the way, `free_on` and `taken_on` are the counts with which a walk can still reach the goal behind the stop
        at hand, if that is empty or has a star.
        """
        may: cython.ulonglong = 0
        may_other: cython.ulonglong = 0
        must: cython.ulonglong = 0
        free_on = self.goal
        taken_on = self.goal
        last: cython.longlong = 64
        for stop in range(self.count - 1, -1, -1):
            place = self.stops[stop]
            cell = bit(place)
            if place + 1 < last:
                taken_on = free_on
            step = free_on
            if self.first & cell:
                step |= taken_on >> 1
                may |= cell if (self.free[stop] << 1) & taken_on else 0
            if self.second & cell:
                step |= taken_on >> 8
                may_other |= cell if (self.free[stop] << 8) & taken_on else 0
            must |= cell if (self.free[stop] | self.taken[stop]) & free_on == 0 else 0
            taken_on = free_on
            free_on = step & self.counts
            last = place
        self.may = may
        self.may_other = may_other
        self.must = must

    def conclude(self, position: Position, orientation: cython.longlong, line: cython.longlong) -> cython.longlong:
        """Rule out what no complete walk stars and place what every one stars; returns what `narrow` does."""
        never = self.first & ~self.may
        never_other = self.second & ~self.may_other
        always = self.must & self.may & ~self.may_other
        always_other = self.must & self.may_other & ~self.may
        if never | never_other | always | always_other == 0:
            return 0
        position.rule_out(orientation, line, never)
        position.rule_out(orientation, line + 1, never_other)
        if not position.place(orientation, line, always):
            return -1
        if not position.place(orientation, line + 1, always_other):
            return -1
        return 1
