"""What a Harmony board is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from solvent.core.source import Source

MAX_ROWS = 26
"""Rows are lettered A to Z."""
MAX_COLS = 99
MAX_MOVES = 999
"""The most moves one tile may have left."""


@dataclass(frozen=True, slots=True)
class Board:
    """Hold the tiles of a Harmony puzzle as they stand.

    Cells are numbered row by row from 0: cell `row * cols + col`. A colour is an index into `palette`; colours
    0 to rows-1 are the targets of the rows, in order, so colour c belongs in row c. Colours beyond those belong in no
    row; a board that has tiles of such a colour cannot be solved, but it is a board.
    """

    rows: int
    cols: int
    palette: tuple[str, ...]
    """Names of the colours, upper case; the first `rows` of them are the rows' targets."""
    colours: tuple[int, ...]
    """The colour of the tile on each cell."""
    moves: tuple[int, ...]
    """How many moves the tile on each cell has left."""
    source: Source | None = field(default=None, compare=False, repr=False)
    """What it was read from; no part of what is equal."""

    domain: ClassVar[str] = "harmony"

    @property
    def swaps(self) -> int:
        """The number of swaps every solution has: each swap uses up one move of two tiles."""
        return sum(self.moves) // 2

    def __str__(self) -> str:
        from solvent.harmony.drawing import draw_text

        return draw_text(self)

    def _repr_svg_(self) -> str:
        from solvent.harmony.drawing import draw_svg

        return draw_svg(self)


Swap = tuple[int, int]
"""The two cells whose tiles change places, the smaller one first."""
