"""BlockedSwap: a tile's last move must bring it home, and the cell it needs is closed."""

# mypy: ignore-errors

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
    from cython.cimports.solvent.harmony.invalidity.tests_kernel import HarmonyTest
else:
    from solvent.harmony.invalidity.position_kernel import Position
    from solvent.harmony.invalidity.tests_kernel import HarmonyTest


@cython.final
@cython.cclass
class BlockedSwap(HarmonyTest):
    """A tile's last move must bring it home, and the cell it needs is closed."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a tile with one move, not home, whose place in its own row and column is closed."""
        if position.away == 0:
            return False
        for cell in range(position.cells):
            if is_blocked(position, cell):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the two tiles that moved, and if one of them closed its cell, at who needs it in its column."""
        if position.away == 0:
            return False
        if is_blocked(position, a) or is_blocked(position, b):
            return True
        if position.moves[a] == 0 and is_needed(position, a):
            return True
        return position.moves[b] == 0 and is_needed(position, b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_blocked(position: Position, cell: cython.longlong) -> cython.bint:
    """Tell whether the tile on a cell has one move, is not home, and cannot get there."""
    home = position.colours[cell]
    return (
        position.moves[cell] == 1
        and home != position.row_of[cell]
        and home < position.rows
        and position.moves[home * position.cols + position.column_of[cell]] == 0
    )


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_needed(position: Position, cell: cython.longlong) -> cython.bint:
    """Tell whether a tile with one move in the column of a cell has to end on that cell."""
    row = position.row_of[cell]
    other = position.column_of[cell]
    while other < position.cells:
        if other != cell and position.moves[other] == 1 and position.colours[other] == row:
            return True
        other += position.cols
    return False


TEST = BlockedSwap(
    "BlockedSwap",
    "A tile with one move left that is not home must spend it on a swap along its column, into its own row. "
    "The tile on that cell has no moves left, so it stays there for ever.",
    cost=3,
)
