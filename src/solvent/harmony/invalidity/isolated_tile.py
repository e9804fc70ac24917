"""IsolatedTile: a tile has moves left and nobody to swap with."""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def isolated_tile(rows: int, cols: int, colours: Any, moves: Any) -> bool:  # noqa: ARG001  (one shape for all tests)
    """Find a tile with moves left while no other tile in its row or column has any."""
    for cell in range(rows * cols):
        if moves[cell] == 0:
            continue
        row, col = cell // cols, cell % cols
        partner = False
        for other in range(cols):
            if other != col and moves[row * cols + other] > 0:
                partner = True
                break
        if not partner:
            for other in range(rows):
                if other != row and moves[other * cols + col] > 0:
                    partner = True
                    break
        if not partner:
            return True
    return False


ISOLATED_TILE = HarmonyTest(
    "IsolatedTile",
    "Tiles without moves never move, so every other cell in this tile's row and column stays closed: "
    "it can neither move nor be joined, and its moves are never used up.",
    isolated_tile,
)
