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
            self.free = zeros(WIDEST + 1)
            self.taken = zeros(WIDEST + 1)
            self.free_on = zeros(WIDEST + 1)
            self.taken_on = zeros(WIDEST + 1)
        self.first = 0
        self.second = 0
        self.counts = 0
        self.goal = 0

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
        self.walk_from_start(size)
        if (self.free[size] | self.taken[size]) & self.goal == 0:
            return -1
        self.walk_from_end(size)
        return self.conclude(position, orientation, line)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_from_start(self, size: cython.longlong) -> cython.void:
        """Fill `free` and `taken`."""
        self.free[0] = 1
        self.taken[0] = 0
        for place in range(size):
            here = self.free[place]
            step: cython.ulonglong = 0
            if self.first & bit(place):
                step |= here << 1
            if self.second & bit(place):
                step |= here << 8
            self.free[place + 1] = here | self.taken[place]
            self.taken[place + 1] = step & self.counts

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def walk_from_end(self, size: cython.longlong) -> cython.void:
        """Fill `free_on` and `taken_on`."""
        self.free_on[size] = self.goal
        self.taken_on[size] = self.goal
        for place in range(size - 1, -1, -1):
            step = self.free_on[place + 1]
            if self.first & bit(place):
                step |= self.taken_on[place + 1] >> 1
            if self.second & bit(place):
                step |= self.taken_on[place + 1] >> 8
            self.free_on[place] = step & self.counts
            self.taken_on[place] = self.free_on[place + 1]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def conclude(self, position: Position, orientation: cython.longlong, line: cython.longlong) -> cython.longlong:
        """Rule out what no complete walk stars and place what every one stars; returns what `narrow` does."""
        never: cython.ulonglong = 0
        always: cython.ulonglong = 0
        never_other: cython.ulonglong = 0
        always_other: cython.ulonglong = 0
        for place in range(position.board.size):
            cell = bit(place)
            if (self.first | self.second) & cell == 0:
                continue
            here = self.free[place]
            after_star = self.taken_on[place + 1]
            may: cython.bint = self.first & cell != 0 and (here << 1) & self.counts & after_star != 0
            may_other: cython.bint = self.second & cell != 0 and (here << 8) & self.counts & after_star != 0
            may_stay_empty: cython.bint = (here | self.taken[place]) & self.free_on[place + 1] != 0
            if not may:
                never |= self.first & cell
            if not may_other:
                never_other |= self.second & cell
            if not may_stay_empty:
                if may and not may_other:
                    always |= cell
                elif may_other and not may:
                    always_other |= cell
        if never | never_other | always | always_other == 0:
            return 0
        position.rule_out(orientation, line, never)
        position.rule_out(orientation, line + 1, never_other)
        if not position.place(orientation, line, always):
            return -1
        if not position.place(orientation, line + 1, always_other):
            return -1
        return 1
