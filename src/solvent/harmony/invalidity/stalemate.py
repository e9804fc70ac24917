"""Stalemate: no swap is legal and the board is not solved."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def stalemate(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find out that no two tiles with moves left share a row or column, though the board is not solved."""
    solved = True
    for cell in range(rows * cols):
        if moves[cell] > 0 or colours[cell] != cell // cols:
            solved = False
            break
    if solved:
        return False
    for row in range(rows):
        live = 0
        for col in range(cols):
            live += moves[row * cols + col] > 0
        if live > 1:
            return False
    for col in range(cols):
        live = 0
        for row in range(rows):
            live += moves[row * cols + col] > 0
        if live > 1:
            return False
    return True


STALEMATE = HarmonyTest(
    "Stalemate",
    "The board is not solved and no swap is legal, so it stays as it is.",
    stalemate,
)
