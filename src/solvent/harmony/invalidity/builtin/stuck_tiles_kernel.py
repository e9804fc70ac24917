"""StuckTiles: a finished row in which an odd number of tiles have one move left each."""

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
class StuckTiles(HarmonyTest):
    """A finished row in which an odd number of tiles have one move left each."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row whose tiles are all home, with at most one move each and an odd number of moves together."""
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
    """Tell whether a row is all home, with an odd number of tiles that have one move, and none with more."""
    if position.live_in_row[row] % 2 == 0:
        return False
    for cell in range(row * position.cols, (row + 1) * position.cols):
        if position.colours[cell] != row or position.moves[cell] > 1:
            return False
    return True


TEST = StuckTiles(
    "StuckTiles",
    "A tile that left the row would be out of moves elsewhere, so none leaves and no other tile gets in. "
    "The moves must be used up in pairs inside the row, and their number is odd.",
    cost=4,
)
