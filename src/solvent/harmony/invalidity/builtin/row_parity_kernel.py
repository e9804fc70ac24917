"""RowParity: the moves inside a row cannot be used up in pairs, with tiles of other colours passing through.

StuckTilesV2 takes for granted that only a row's own tiles swap inside it. Here that is made sure of first.
"""

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
class RowParity(HarmonyTest):
    """The moves inside a row cannot be used up in pairs, with tiles of other colours passing through."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row whose own tiles in it have an odd number of moves, where no stranger can swap along the row.

        That is so if no tile on the board has more than two moves, and the tiles on the wrong side of the row's border
        have one.
        """
        if position.restless > 0:
            return False
        for row in range(position.rows):
            position.balance[row] = 0
            position.most[row] = 1
        for cell in range(position.cells):
            moves = position.moves[cell]
            row = position.row_of[cell]
            home = position.colours[cell]
            if home == row:
                position.balance[row] += moves
            elif moves == 2:
                position.most[row] = 2
                if home < position.rows:
                    position.most[home] = 2
        for row in range(position.rows):
            if position.most[row] == 1 and position.balance[row] % 2 == 1:
                return True
        return False


TEST = RowParity(
    "RowParity",
    "A tile of the row with two moves or fewer either stays inside or leaves and comes back with both. One outside has "
    "one move, which brings it in. A stranger needs all its moves to leave, or to come and go. So all swaps along the "
    "row are between its own tiles, their moves are used up in pairs, and here they are odd in number.",
    cost=10,
)
