"""ColourCluster: the tiles of a colour cannot share out the cells of their row."""

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
class ColourCluster(HarmonyTest):
    """The tiles of a colour cannot share out the cells of their row."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a colour of which two tiles need one cell, or the last must stay where it cannot."""
        return cannot_share(position, -1, -1)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the colours of the two tiles that moved: those of the others are where they were."""
        return cannot_share(position, position.colours[a], position.colours[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cannot_share(position: Position, one: cython.longlong, other: cython.longlong) -> cython.bint:
    """Let each tile claim the cell on which it must end, if there is only one; all colours, or just these two.

    A tile without moves claims its own cell, a tile with one move that is not home the cell of its column.
    """
    position.claim += 1
    for row in range(position.rows):
        position.balance[row] = 0  # claims
        position.most[row] = -1  # the tile that claims none; -2 if there are several
    for cell in range(position.cells):
        home = position.colours[cell]
        if home >= position.rows or (one >= 0 and home != one and home != other):
            continue
        moves = position.moves[cell]
        is_home: cython.bint = home == position.row_of[cell]
        if (moves == 0 and is_home) or (moves == 1 and not is_home):
            place = home * position.cols + position.column_of[cell]
            if position.claims[place] == position.claim:
                return True
            position.claims[place] = position.claim
            position.balance[home] += 1
        elif moves == 1 and position.most[home] == -1:
            position.most[home] = cell
        else:
            position.most[home] = -2
    for row in range(position.rows):
        last = position.most[row]
        if last >= 0 and position.balance[row] == position.cols - 1 and position.claims[last] != position.claim:
            return True
    return False


TEST = ColourCluster(
    "ColourCluster",
    "A tile with one move that is not home must end on the cell of its row in its column, one without moves where it "
    "stands. Two of a colour need the same cell, or all cells but one are taken, and the tile left for that one stands "
    "on it with a single move to spend.",
    cost=24,
)
