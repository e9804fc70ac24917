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

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest, board_arrays
from solvent.harmony.model import Board, Swap


@kernel
def row_looks_stuck(row: int, rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Apply the rule to one row."""
    outside = 0
    stray = -1
    total = 0
    for cell in range(rows * cols):
        if colours[cell] != row:
            continue
        if moves[cell] > 2:
            return False
        if cell // cols == row:
            total += moves[cell]
        else:
            outside += 1
            stray = cell
            if outside > 1:
                return False
    if outside == 1:
        if colours[row * cols + stray % cols] == row:
            if moves[stray] != 2:
                return False
            total += 2
        elif moves[stray] != 1:
            return False
    return total % 2 == 1


@kernel
def stuck_tiles_v2(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Apply the rule to every row."""
    for row in range(rows):
        if row_looks_stuck(row, rows, cols, colours, moves):
            return True
    return False


def fires_after(board: Board, swap: Swap) -> bool:
    """Apply the rule only to the rows that the last swap touched."""
    colours, moves = board_arrays(board)
    return any(
        row_looks_stuck(row, board.rows, board.cols, colours, moves) for row in {cell // board.cols for cell in swap}
    )


STUCK_TILES_V2 = HarmonyTest(
    "StuckTilesV2",
    "Unsound. It takes for granted that only tiles of the row's own colour swap inside the row.",
    stuck_tiles_v2,
    sound=False,
)
