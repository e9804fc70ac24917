"""A board as the kernels see it: which cells of each line are in which region. It never changes during a search."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, low_bits
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, MAX_STARS, ROWS, WIDEST
else:
    from solvent.engine.bits import bit, low_bits
    from solvent.starbattle.solver.units import COLUMNS, MAX_STARS, ROWS, WIDEST, zeros


@cython.final
@cython.freelist(2)
@cython.cclass
class Board:
    """Hold a board without marks. The fields are described in `board_kernel.pxd`."""

    def __init__(self, size: cython.longlong, stars: cython.longlong, regions: tuple[int, ...]) -> None:
        """Read the regions of all cells, row by row; raises ValueError for a board that is no puzzle's."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.region = zeros(WIDEST, WIDEST)
            self.segment = zeros(2, WIDEST, WIDEST)
            self.met = zeros(2, WIDEST)
            self.first_row = zeros(WIDEST)
            self.last_row = zeros(WIDEST)
        if not 1 <= size <= WIDEST or not 0 <= stars <= MAX_STARS or len(regions) != size * size:
            raise ValueError(f"expected a board of up to 25×25 with up to 6 stars, found {size}×{size} with {stars}")
        self.size = size
        self.stars = stars
        self.every = low_bits(size)
        for unit in range(size):
            self.first_row[unit] = size
        for row in range(size):
            for col in range(size):
                region: cython.longlong = regions[row * size + col]
                if not 0 <= region < size:
                    raise ValueError(f"expected regions from 0 to {size - 1}, found {region}")
                self.region[row][col] = region
                self.segment[ROWS][row][region] |= bit(col)
                self.segment[COLUMNS][col][region] |= bit(row)
                self.met[ROWS][row] |= bit(region)
                self.met[COLUMNS][col] |= bit(region)
                self.first_row[region] = min(self.first_row[region], row)
                self.last_row[region] = row
