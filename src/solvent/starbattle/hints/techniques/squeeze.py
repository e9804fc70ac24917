"""Squeeze: two neighbouring lines whose open cells fit into as many 2×2 blocks as they need stars.

Two cells of a block touch, so a block holds at most one star. If as many blocks as the lines need stars cover all their
open cells, every block holds exactly one, and no star lies in two blocks. So a block with one open cell is a star, a
cell in two blocks stays empty, and so does a cell that touches all that a block has left.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.counting import need_of, tile, tiled_application
from solvent.starbattle.hints.phrases import count_of, name_units
from solvent.starbattle.hints.position import Position

NAME = "squeeze"
TITLE = "Squeeze"
DIFFICULTY = 9.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield tiled pairs of rows from the top, then of columns from the left."""
    seen = set()
    for lines in (position.geometry.rows, position.geometry.columns):
        for first in lines[:-1]:
            pair = (first, first + 1)
            if min(position.needs[line] for line in pair) <= 0:  # one line alone: a tiling
                continue
            need = need_of(position, pair)
            tiling = tile(
                position, position.open & position.geometry.cells_of(pair), need, work, most=2 * position.size
            )
            if tiling is None or (tiling.stars, tiling.crosses) in seen:
                continue
            seen.add((tiling.stars, tiling.crosses))
            named, stars = name_units(position, pair), count_of(need, "star")
            yield tiled_application(
                position,
                NAME,
                tiling,
                (pair, ()),
                because=capitalised(f"{named} need {stars}, and {count_of(need, 'block')} cover their open cells."),
                opening=(capitalised(f"{named} still need {stars}."),),
            )
