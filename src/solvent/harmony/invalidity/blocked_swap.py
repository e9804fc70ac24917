"""BlockedSwap: a tile's last move must bring it home, and the cell it needs is closed."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def blocked_swap(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find a tile with one move, not home, whose place in its own row and column is held by a tile without moves."""
    for cell in range(rows * cols):
        home = colours[cell]
        if moves[cell] == 1 and home != cell // cols and home < rows and moves[home * cols + cell % cols] == 0:
            return True
    return False


BLOCKED_SWAP = HarmonyTest(
    "BlockedSwap",
    "A tile with one move left that is not home must spend it on a swap along its column, into its own row. "
    "The tile on that cell has no moves left, so it stays there for ever.",
    blocked_swap,
)
