"""StuckTilesV2: the wider parity rule that turned out to be wrong. Kept to compare with; never used to prune.

The rule looks at a colour whose tiles all have at most two moves and all stand in their row, or all but one (T1).
T2 is the tile in the colour's row, in T1's column. If T2 has the colour too, T1 must have exactly two moves, and they
count; if not, T1 must have exactly one, and it does not count. If the moves of the colour's tiles in the row, plus what
T1 counts for, are odd, the rule calls the board impossible.

It is unsound: a tile of another colour inside the row can make an odd number of swaps there, and each one uses up one
move of this colour. Colour 0 belongs in row A; colour/moves:

    A: 0/0 0/1 1/2   B: 0/2 1/1 1/0     solved by A2-A3 B1-B2 A2-B2             (T1 not in the correct column)
    A: 0/0 0/0 1/1   B: 1/1 1/2 0/4     colour 1 misfires; solved by B2-B3 B1-B2 B1-B3 A3-B3

`fires_after` is the shortcut that goes with the rule: look only at the rows of the last swap. It misses boards the full
scan catches, because T1's moves count in the row of its colour, which the swap need not have touched.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.harmony.model import Board, Swap

if cython.compiled:
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
    from cython.cimports.solvent.harmony.invalidity.tests_kernel import HarmonyTest
else:
    from solvent.harmony.invalidity.position_kernel import Position
    from solvent.harmony.invalidity.tests_kernel import HarmonyTest


@cython.final
@cython.cclass
class StuckTilesV2(HarmonyTest):
    """Apply the rule to every row."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a row that looks stuck."""
        for row in range(position.rows):
            if row_looks_stuck(position, row):
                return True
        return False


TEST = StuckTilesV2(
    "StuckTilesV2",
    "Unsound. It takes for granted that only tiles of the row's own colour swap inside the row.",
    sound=False,
)


def fires_after(board: Board, swap: Swap) -> bool:
    """Apply the rule only to the rows that the last swap touched."""
    position = Position(board.rows, board.cols, board.colours, board.moves)
    for cell in swap:
        if row_looks_stuck(position, cell // board.cols):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def row_looks_stuck(position: Position, row: cython.longlong) -> cython.bint:
    """Apply the rule to one row."""
    outside: cython.longlong = 0
    stray: cython.longlong = -1
    total: cython.longlong = 0
    start = row * position.cols
    for cell in range(position.cells):
        if position.colours[cell] != row:
            continue
        if position.moves[cell] > 2:
            return False
        if start <= cell < start + position.cols:
            total += position.moves[cell]
        else:
            outside += 1
            stray = cell
            if outside > 1:
                return False
    if outside == 1:
        if position.colours[start + stray % position.cols] == row:
            if position.moves[stray] != 2:
                return False
            total += 2
        elif position.moves[stray] != 1:
            return False
    return total % 2 == 1
