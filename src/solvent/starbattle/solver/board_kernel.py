"""A board as the kernels see it: which cells of each line are in which region. It never changes during a search."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, low_bits
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, ROWS
else:
    from solvent.engine.bits import bit, low_bits
    from solvent.starbattle.solver.units import COLUMNS, ROWS, WIDEST, zeros


@cython.final
@cython.cclass
class Board:
    """Hold a board without marks. The fields are described in `board_kernel.pxd`."""

    def __init__(self, size: cython.longlong, stars: cython.longlong, regions: tuple[int, ...]) -> None:
        """Read the regions of all cells, row by row."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.region = zeros(WIDEST, WIDEST)
            self.segment = zeros(2, WIDEST, WIDEST)
            self.met = zeros(2, WIDEST)
            self.first_row = zeros(WIDEST)
            self.last_row = zeros(WIDEST)
        self.size = size
        self.stars = stars
        self.every = low_bits(size)
        for unit in range(size):
            self.first_row[unit] = size
        for row in range(size):
            for col in range(size):
                region: cython.longlong = regions[row * size + col]
                self.region[row][col] = region
                self.segment[ROWS][row][region] |= bit(col)
                self.segment[COLUMNS][col][region] |= bit(row)
                self.met[ROWS][row] |= bit(region)
                self.met[COLUMNS][col] |= bit(region)
                self.first_row[region] = min(self.first_row[region], row)
                self.last_row[region] = row
