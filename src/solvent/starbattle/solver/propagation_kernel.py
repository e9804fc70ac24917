"""Draw every conclusion the counts allow, again and again, until nothing changes.

Cheap counts come first, and each is taken up only for units that changed. `weight` remembers which units failed: a unit
that fails often is a good one to branch on.

The dear counts come in two sets. The ordinary one sees the most. The one for proofs by cases is what the checker counts
as well, in its own way: each conclusion follows in every later position too, so the checker sees no less.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.line_pair_kernel import LinePairCount
    from cython.cimports.solvent.starbattle.solver.placements_kernel import RegionPlacements
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.transport_kernel import TransportCount
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS, WIDEST
else:
    from solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from solvent.starbattle.solver.line_pair_kernel import LinePairCount
    from solvent.starbattle.solver.placements_kernel import RegionPlacements
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.transport_kernel import TransportCount
    from solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS, WIDEST, zeros


@cython.final
@cython.freelist(2)
@cython.cclass
class Propagation:
    """Hold all the counts and what they remember. The fields are described in `propagation_kernel.pxd`."""

    def __init__(self) -> None:
        """Begin with counts that remember nothing."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.weight = zeros(3, WIDEST)
            self.pending = zeros(3)
        for kind in range(3):
            for unit in range(WIDEST):
                self.weight[kind][unit] = 2
        self.line_pairs = LinePairCount()
        self.placements = RegionPlacements()
        self.transport = TransportCount()

    def run(self, position: Position) -> cython.bint:
        """Take a position to where no count changes anything; False if it cannot be completed."""
        while True:
            self.pending[ROWS] = 0
            self.pending[COLUMNS] = 0
            self.pending[REGIONS] = 0
            if not self.fill(position):
                return False
            if self.pending[ROWS] | self.pending[COLUMNS] | self.pending[REGIONS] == 0:
                return True
            if not self.narrow_pairs(position, ROWS) or not self.narrow_pairs(position, COLUMNS):
                return False
            if not self.narrow_regions(position):
                return False
            if position.changed[ROWS] | position.changed[COLUMNS] | position.changed[REGIONS] != 0:
                continue  # cheaper counts have something to say first
            if self.has_all_stars(position):
                return True
            for orientation in range(2):
                for begin in range(1, 3):
                    if self.transport.narrow(position, orientation, begin) < 0:
                        return False

    def fill(self, position: Position) -> cython.bint:
        """Take the cheap counts until they have nothing more to say, and note in `pending` what changed."""
        while True:
            rows = position.changed[ROWS]
            columns = position.changed[COLUMNS]
            regions = position.changed[REGIONS]
            if rows | columns | regions == 0:
                return True
            self.pending[ROWS] |= rows
            self.pending[COLUMNS] |= columns
            self.pending[REGIONS] |= regions
            position.changed[ROWS] = 0
            position.changed[COLUMNS] = 0
            position.changed[REGIONS] = 0
            if not self.fill_lines(position, ROWS, rows) or not self.fill_lines(position, COLUMNS, columns):
                return False
            if not self.fill_regions(position, regions):
                return False

    def fill_lines(self, position: Position, orientation: cython.longlong, lines: cython.ulonglong) -> cython.bint:
        """Look at each line: too few candidates fail, exactly enough become stars, a full line has no more."""
        while lines != 0:
            line = lowest_bit(lines)
            lines = without_lowest_bit(lines)
            cells = position.candidates[orientation][line]
            need = position.needs[orientation][line]
            count = popcount(cells)
            if count < need:
                self.weight[orientation][line] += 2
                return False
            if count == 0:
                continue
            if need == 0:
                position.rule_out(orientation, line, cells)
            elif count == need and not position.place(orientation, line, cells):
                return False
        return True

    def fill_regions(self, position: Position, regions: cython.ulonglong) -> cython.bint:
        """Look at each region: too few candidates fail, exactly enough become stars."""
        while regions != 0:
            region = lowest_bit(regions)
            regions = without_lowest_bit(regions)
            need = position.needs[REGIONS][region]
            if need == 0:
                continue
            first = position.board.first_row[region]
            last = position.board.last_row[region]
            count: cython.longlong = 0
            for row in range(first, last + 1):
                count += popcount(position.candidates[ROWS][row] & position.board.segment[ROWS][row][region])
            if count < need:
                self.weight[REGIONS][region] += 2
                return False
            if count == need:
                for row in range(first, last + 1):
                    cells = position.candidates[ROWS][row] & position.board.segment[ROWS][row][region]
                    if not position.place(ROWS, row, cells):
                        return False
        return True

    def narrow_pairs(self, position: Position, orientation: cython.longlong) -> cython.bint:
        """Count each pair of neighbouring lines of which one changed, those changed on the way included."""
        for line in range(position.board.size - 1):
            pair = bit(line) | bit(line + 1)
            if (self.pending[orientation] | position.changed[orientation]) & pair == 0:
                continue
            if self.line_pairs.narrow(position, orientation, line) < 0:
                self.weight[orientation][line] += 1
                self.weight[orientation][line + 1] += 1
                return False
        return True

    def narrow_regions(self, position: Position) -> cython.bint:
        """Count each region that changed up to now."""
        regions = self.pending[REGIONS] | position.changed[REGIONS]
        while regions != 0:
            region = lowest_bit(regions)
            regions = without_lowest_bit(regions)
            if self.placements.narrow(position, region) < 0:
                self.weight[REGIONS][region] += 2
                return False
        return True

    def has_all_stars(self, position: Position) -> cython.bint:
        """Tell whether no row needs another star; then no column or region does: all want as many altogether."""
        for row in range(position.board.size):
            if position.needs[ROWS][row] != 0:
                return False
        return True
