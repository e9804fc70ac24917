"""What a Harmony invalidity test is made of: a name, a reason, and one function over the board's arrays.

The function is a kernel, so the depth-first search can call it millions of times; `is_invalid` calls the same function
on a board. It takes `(rows, cols, colours, moves)`: int64 arrays with the colour and the moves left of the tile on each
cell, row by row. Colours of `rows` and above belong in no row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.harmony.model import Board

BoardKernel = Callable[[int, int, Any, Any], bool]


@dataclass(frozen=True, slots=True)
class HarmonyTest:
    """Recognise some boards that cannot be solved."""

    name: str
    reason: str
    """Why a board it fires on can never be solved."""
    fires: BoardKernel
    sound: bool = True
    """False for a test that is known to fire on solvable boards; such a test is never used to prune."""

    def is_invalid(self, board: Board, /) -> bool:
        """Tell whether the test proves the board unsolvable."""
        return bool(self.fires(board.rows, board.cols, *board_arrays(board)))


def board_arrays(board: Board) -> tuple[Any, Any]:
    """Return the colours and moves of a board as the kernels take them."""
    return np.array(board.colours, np.int64), np.array(board.moves, np.int64)
