"""The positions a search comes back to, one for each depth."""

from __future__ import annotations

import cython

from solvent.engine.arrays import SIGNED, UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS
else:
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS


@cython.final
@cython.cclass
class SavedPositions:
    """Keep positions. The fields are described in `saved_positions_kernel.pxd`.

    Positions are saved when every count has looked at them, so which units changed need not be kept: none.
    """

    def __init__(self, size: int, depths: int) -> None:
        """Make room for so many positions of a board of this size."""
        self.depths = depths
        self.candidates = _block(depths, 2, size, UNSIGNED)
        self.needs = _block(depths, 3, size, SIGNED)
        self.stars = new_table(depths, size, UNSIGNED)

    def save(self, depth: cython.longlong, position: Position) -> cython.void:
        """Write a position down."""
        for line in range(position.board.size):
            self.candidates[depth, ROWS, line] = position.candidates[ROWS][line]
            self.candidates[depth, COLUMNS, line] = position.candidates[COLUMNS][line]
            self.needs[depth, ROWS, line] = position.needs[ROWS][line]
            self.needs[depth, COLUMNS, line] = position.needs[COLUMNS][line]
            self.needs[depth, REGIONS, line] = position.needs[REGIONS][line]
            self.stars[depth, line] = position.stars[line]

    def restore(self, depth: cython.longlong, position: Position) -> cython.void:
        """Make a position what it was at a depth."""
        for line in range(position.board.size):
            position.candidates[ROWS][line] = self.candidates[depth, ROWS, line]
            position.candidates[COLUMNS][line] = self.candidates[depth, COLUMNS, line]
            position.needs[ROWS][line] = self.needs[depth, ROWS, line]
            position.needs[COLUMNS][line] = self.needs[depth, COLUMNS, line]
            position.needs[REGIONS][line] = self.needs[depth, REGIONS, line]
            position.stars[line] = self.stars[depth, line]
        position.changed[ROWS] = 0
        position.changed[COLUMNS] = 0
        position.changed[REGIONS] = 0


def _block(depths: int, rows: int, columns: int, kind: str) -> memoryview:
    """Make zeros, indexed [depth, row, column]."""
    shape = (max(1, depths), rows, columns)
    row = new_row(shape[0] * rows * columns, kind)
    return row.cast("B").cast(kind, shape)  # type: ignore[call-overload,no-any-return]
