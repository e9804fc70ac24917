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
    from cython.cimports.solvent.engine.bits import bit, low_bits
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
else:
    from solvent.engine.bits import bit, low_bits
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import WIDEST, zeros


@cython.final
@cython.cclass
class LinePairCount:
    """Count two neighbouring lines. The fields, described in `line_pair_kernel.pxd`, are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.free = zeros(WIDEST)
            self.taken = zeros(WIDEST)
        self.first = 0
        self.second = 0
        self.counts = 0
        self.goal = 0
        self.may = 0
        self.may_other = 0
        self.must = 0

    @cython.ccall
    @cython.nogil
    @cython.exceptval(check=False)
    def narrow(self, position: Position, orientation: cython.longlong, line: cython.longlong) -> cython.longlong:
        """Draw every conclusion from lines `line` and `line + 1` alone.

        Returns -1 if they cannot be filled, 1 if any cell changed, else 0.
        """
        size = position.board.size
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
            and 2 * (need + other_need) <= size
        ):
            return 0  # nothing is ruled out yet, and there is room: every cell may be a star, and none must be
        self.counts = 0
        for other in range(other_need + 1):
            self.counts |= low_bits(need + 1) << (8 * other)
        self.goal = bit(need + 8 * other_need)
        if not self.walk_there(size):
            return -1
        self.walk_back(size)
        return self.conclude(position, orientation, line)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_there(self, size: cython.longlong) -> cython.bint:
        """Fill `free` and `taken`; False if no walk reaches the goal."""
        first, second, counts = self.first, self.second, self.counts
        free: cython.ulonglong = 1
        taken: cython.ulonglong = 0
        for place in range(size):
            self.free[place] = free
            self.taken[place] = taken
            step: cython.ulonglong = free << 1 if first & bit(place) else 0
            step |= free << 8 if second & bit(place) else 0
            free |= taken
            taken = step & counts
        return (free | taken) & self.goal != 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_back(self, size: cython.longlong) -> cython.void:
        """Fill `may`, `may_other` and `must`.

        On the way stand in `free_on` and `taken_on` the counts with which a walk can still reach the goal from the
        place behind, if the one at hand is empty or has a star.
        """
        first, second, counts = self.first, self.second, self.counts
        free_on = self.goal
        taken_on = self.goal
        self.may = 0
        self.may_other = 0
        self.must = 0
        for place in range(size - 1, -1, -1):
            free = self.free[place]
            step = free_on
            if first & bit(place):
                step |= taken_on >> 1
                if (free << 1) & taken_on:
                    self.may |= bit(place)
            if second & bit(place):
                step |= taken_on >> 8
                if (free << 8) & taken_on:
                    self.may_other |= bit(place)
            if (free | self.taken[place]) & free_on == 0:
                self.must |= bit(place)
            taken_on = free_on
            free_on = step & counts

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
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
