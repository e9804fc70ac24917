"""WrongRowZeroMoves: a tile without moves stands in a row that is not its own."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def wrong_row_zero_moves(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find a tile that can no longer move and is not home."""
    for cell in range(rows * cols):
        if moves[cell] == 0 and colours[cell] != cell // cols:
            return True
    return False


WRONG_ROW_ZERO_MOVES = HarmonyTest(
    "WrongRowZeroMoves",
    "A tile with no moves left never moves again, and this one stands in a row that is not its colour's.",
    wrong_row_zero_moves,
)
