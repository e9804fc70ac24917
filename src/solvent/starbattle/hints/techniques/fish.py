"""Fish: rows whose open cells all lie in columns which need no more stars than they do, or the other way round.

The stars of such rows are stars of these columns. If the columns need no more than that, they have all their stars in
these rows, and their other open cells stay empty. Regions play no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.counting import counted_applications
from solvent.starbattle.hints.position import Position

NAME = "fish"
TITLE = "Fish"
DIFFICULTY = 14.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of rows inside columns, then of columns inside rows, the smallest first."""
    rows, columns = position.geometry.rows, position.geometry.columns
    return counted_applications(position, NAME, [(rows, columns), (columns, rows)], work)
