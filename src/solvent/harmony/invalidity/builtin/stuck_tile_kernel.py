"""StuckTile: a finished row in which exactly one tile has one move left."""

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
class StuckTile(HarmonyTest):
    """A finished row in which exactly one tile has one move left."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row whose tiles are all home with no moves left, but for one that has one."""
        for row in range(position.rows):
            if is_stuck(position, row):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the rows of the two tiles that moved: nothing has changed in any other."""
        if is_stuck(position, position.row_of[a]):
            return True
        return position.row_of[a] != position.row_of[b] and is_stuck(position, position.row_of[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_stuck(position: Position, row: cython.longlong) -> cython.bint:
    """Tell whether a row is all home, with one move left."""
    if position.live_in_row[row] != 1:
        return False
    total: cython.longlong = 0
    for cell in range(row * position.cols, (row + 1) * position.cols):
        if position.colours[cell] != row:
            return False
        total += position.moves[cell]
    return total == 1


TEST = StuckTile(
    "StuckTile",
    "The tile's one move has no partner in its row, and a swap along the column would leave it, "
    "out of moves, in a row that is not its own.",
    cost=4,
    superseded_by="StuckTiles",
)
