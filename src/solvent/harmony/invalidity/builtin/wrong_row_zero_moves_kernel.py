"""WrongRowZeroMoves: a tile without moves stands in a row that is not its own."""

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
class WrongRowZeroMoves(HarmonyTest):
    """A tile without moves stands in a row that is not its own."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a tile that can no longer move and is not home."""
        if position.away == 0:
            return False
        for cell in range(position.cells):
            if position.moves[cell] == 0 and position.colours[cell] != position.row_of[cell]:
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the two tiles that moved: no other has a move less than before, or another place."""
        if position.moves[a] == 0 and position.colours[a] != position.row_of[a]:
            return True
        return position.moves[b] == 0 and position.colours[b] != position.row_of[b]


TEST = WrongRowZeroMoves(
    "WrongRowZeroMoves",
    "A tile with no moves left never moves again, and this one stands in a row that is not its colour's.",
    cost=1,
)
