"""StuckTiles: a finished row in which an odd number of tiles have one move left each."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def stuck_tiles(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find a row whose tiles are all home, with at most one move each and an odd number of moves together."""
    for row in range(rows):
        total = 0
        settled = True
        for cell in range(row * cols, row * cols + cols):
            if colours[cell] != row or moves[cell] > 1:
                settled = False
                break
            total += moves[cell]
        if settled and total % 2 == 1:
            return True
    return False


STUCK_TILES = HarmonyTest(
    "StuckTiles",
    "A tile that left the row would be out of moves elsewhere, so none leaves and no other tile gets in. "
    "The moves must be used up in pairs inside the row, and their number is odd.",
    stuck_tiles,
)
