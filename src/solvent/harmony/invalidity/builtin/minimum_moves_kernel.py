"""MinimumMoves: the board needs more swaps than there are."""

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
class MinimumMoves(HarmonyTest):
    """The board needs more swaps than there are."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Add up the swaps along columns and along rows that are needed at least."""
        along_columns = (position.away + 1) // 2
        along_rows = (position.surplus + 1) // 2
        return 2 * (along_columns + along_rows) > position.total


TEST = MinimumMoves(
    "MinimumMoves",
    "A tile that is not home needs a swap along a column, and a swap brings two home at most. In the end a column "
    "holds one tile of each colour, so all others of a colour need a swap along a row, which moves two at most. "
    "Together these are more swaps than there are moves for.",
    cost=3,
)
