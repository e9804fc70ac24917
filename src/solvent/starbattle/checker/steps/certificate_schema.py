"""The parts a witness is written with, and how long they may be, since the file can come from anywhere."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from solvent.starbattle.checker.stars import Number
from solvent.starbattle.model import LARGEST_SIZE

Cell = tuple[Number, Number]
"""Row and column, from 0. A block is named by its top-left cell."""
Unit = tuple[Literal["row", "column", "region"], Number]
"""What it is, and its number from 0."""

MAX_CELLS = LARGEST_SIZE**2

Cells = Annotated[list[Cell], msgspec.Meta(max_length=MAX_CELLS)]
Blocks = Annotated[list[Cell], msgspec.Meta(max_length=MAX_CELLS)]
Units = Annotated[list[Unit], msgspec.Meta(max_length=3 * LARGEST_SIZE)]


class Tiles(msgspec.Struct):
    """Hold an area and the blocks that are to cover it."""

    plus: Units
    minus: Units
    blocks: Blocks
