"""LiveParity: a live component's moves cannot be used up in pairs."""

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
class LiveParity(HarmonyTest):
    """A live component's moves cannot be used up in pairs."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a component whose moves are odd in number, or where one tile has more than all the others together."""
        position.group_rows()
        for group in range(position.rows):
            if is_uneven(position, group):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the component of the two tiles, unless a cell was closed, which may have split it."""
        if position.moves[a] == 0 or position.moves[b] == 0:
            return self.fires(position)
        position.group_rows()
        return is_uneven(position, position.group_of_row[position.row_of[a]])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_uneven(position: Position, group: cython.longlong) -> cython.bint:
    """Tell whether the moves of a component cannot be used up in pairs."""
    total: cython.longlong = 0
    most: cython.longlong = 0
    for row in range(position.rows):
        if position.group_of_row[row] == group and position.live_in_row[row] > 0:
            for cell in range(row * position.cols, (row + 1) * position.cols):
                moves = position.moves[cell]
                total += moves
                if moves > most:
                    most = moves
    return total % 2 == 1 or 2 * most > total


TEST = LiveParity(
    "LiveParity",
    "Each swap uses up two moves inside one live component, and no tile swaps with itself. "
    "So each component's moves are even in number, and no tile has more than all the others there together.",
    cost=18,
)
