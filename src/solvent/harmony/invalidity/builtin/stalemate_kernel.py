"""Stalemate: no swap is legal and the board is not solved."""

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
class Stalemate(HarmonyTest):
    """No swap is legal and the board is not solved."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find out that no two live cells share a row or column, though the board is not solved."""
        for row in range(position.rows):
            if position.live_in_row[row] > 1:
                return False
        for col in range(position.cols):
            if position.live_in_column[col] > 1:
                return False
        return position.total > 0 or position.away > 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the rest of the board only if the same two tiles cannot swap again."""
        if position.moves[a] > 0 and position.moves[b] > 0:
            return False
        return self.fires(position)


TEST = Stalemate(
    "Stalemate",
    "The board is not solved and no swap is legal, so it stays as it is.",
    cost=5,
)
