"""StuckTile: a finished row in which exactly one tile has one move left."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def stuck_tile(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find a row whose tiles are all home with no moves left, but for one that has one."""
    for row in range(rows):
        total = 0
        home = True
        for cell in range(row * cols, row * cols + cols):
            if colours[cell] != row:
                home = False
                break
            total += moves[cell]
        if home and total == 1:
            return True
    return False


STUCK_TILE = HarmonyTest(
    "StuckTile",
    "The tile's one move has no partner in its row, and a swap along the column would leave it, "
    "out of moves, in a row that is not its own.",
    stuck_tile,
)
