"""The band count: the stars of neighbouring lines against those of the regions inside them, and of those they reach.

A band is one or more lines side by side. Regions that have all their candidates inside it put all the stars they need
there: if these are more than the lines need, nothing fits, and if they are as many, no other region has a star there.
All stars of the band are in the regions it reaches: if those need fewer than the lines, nothing fits, and if they need
as many, they have no star elsewhere.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import REGIONS
else:
    from solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import REGIONS, WIDEST, zeros


@cython.final
@cython.freelist(2)
@cython.cclass
class BandCount:
    """Count bands of rows or columns against regions. The fields are of use during a call only."""

    def __init__(self) -> None:
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.met = zeros(WIDEST)
            self.first = zeros(WIDEST)
            self.ending = zeros(WIDEST)

    def narrow(self, position: Position, orientation: cython.longlong) -> cython.longlong:
        """Draw conclusions from all bands of an orientation.

        Returns -1 if one cannot be filled, 1 if any cell changed, else 0. What is ruled out on the way is not looked at
        any more in the same call.
        """
        self.look(position, orientation)
        size = position.board.size
        changed: cython.longlong = 0
        for start in range(size):
            wanted: cython.longlong = 0
            reached_need: cython.longlong = 0
            inside_need: cython.longlong = 0
            reached: cython.ulonglong = 0
            inside: cython.ulonglong = 0
            for end in range(start, size):
                wanted += position.needs[orientation][end]
                regions = self.met[end] & ~reached
                reached |= regions
                while regions != 0:
                    reached_need += position.needs[REGIONS][lowest_bit(regions)]
                    regions = without_lowest_bit(regions)
                regions = self.ending[end]
                while regions != 0:
                    region = lowest_bit(regions)
                    regions = without_lowest_bit(regions)
                    if self.first[region] >= start:
                        inside |= bit(region)
                        inside_need += position.needs[REGIONS][region]
                if inside_need > wanted or reached_need < wanted:
                    return -1
                if inside_need == wanted and reached & ~inside != 0:
                    for line in range(start, end + 1):
                        changed |= self.rule_out(position, orientation, line, self.met[line] & ~inside)
                if reached_need == wanted and reached & ~inside != 0:
                    for line in range(size):
                        if line < start or line > end:
                            changed |= self.rule_out(position, orientation, line, self.met[line] & reached)
        return changed

    def look(self, position: Position, orientation: cython.longlong) -> cython.void:
        """Note which regions have candidates on which lines."""
        seen: cython.ulonglong = 0
        size = position.board.size
        for line in range(size):
            self.ending[line] = 0
            self.met[line] = 0
            cells = position.candidates[orientation][line]
            regions = position.board.met[orientation][line]
            while regions != 0:
                region = lowest_bit(regions)
                regions = without_lowest_bit(regions)
                if cells & position.board.segment[orientation][line][region] != 0:
                    self.met[line] |= bit(region)
                    if seen & bit(region) == 0:
                        seen |= bit(region)
                        self.first[region] = line
        for line in range(size - 1, -1, -1):
            self.ending[line] = self.met[line] & seen
            seen &= ~self.met[line]

    def rule_out(
        self,
        position: Position,
        orientation: cython.longlong,
        line: cython.longlong,
        regions: cython.ulonglong,
    ) -> cython.longlong:
        """Rule out the candidates of some regions on a line; returns 1 if there was any, else 0."""
        cells: cython.ulonglong = 0
        while regions != 0:
            cells |= position.board.segment[orientation][line][lowest_bit(regions)]
            regions = without_lowest_bit(regions)
        if cells & position.candidates[orientation][line] == 0:
            return 0
        position.rule_out(orientation, line, cells)
        return 1
