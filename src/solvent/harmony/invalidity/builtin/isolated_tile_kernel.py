"""IsolatedTile: a tile has moves left and no other tile to swap with."""

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
class IsolatedTile(HarmonyTest):
    """A tile has moves left and no other tile to swap with."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a live cell that is the only one in its row and in its column."""
        for row in range(position.rows):
            if is_alone_in_row(position, row):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look along the rows and columns of a cell that the swap closed; if it closed none, all is as before."""
        if position.moves[a] == 0 and leaves_one_alone(position, a):
            return True
        return position.moves[b] == 0 and leaves_one_alone(position, b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leaves_one_alone(position: Position, closed: cython.longlong) -> cython.bint:
    """Tell whether somebody has lost the last partner through a cell that was closed."""
    if is_alone_in_row(position, position.row_of[closed]):
        return True
    if position.live_in_column[position.column_of[closed]] != 1:
        return False
    cell = position.column_of[closed]
    while position.moves[cell] == 0:
        cell += position.cols
    return position.live_in_row[position.row_of[cell]] == 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_alone_in_row(position: Position, row: cython.longlong) -> cython.bint:
    """Tell whether a row has one live cell, and the column of that has no other."""
    if position.live_in_row[row] != 1:
        return False
    cell = row * position.cols
    while position.moves[cell] == 0:
        cell += 1
    return position.live_in_column[position.column_of[cell]] == 1


TEST = IsolatedTile(
    "IsolatedTile",
    "Tiles without moves never move, so every other cell in this tile's row and column stays closed: "
    "it can neither move nor be joined, and its moves are never used up.",
    cost=4,
)
