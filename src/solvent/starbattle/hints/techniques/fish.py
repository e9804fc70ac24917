"""Fish: rows whose open cells all lie in columns which need no more stars than they do, or the other way round.

The stars of such rows are stars of these columns. If the columns need no more than that, they have all their stars in
these rows, and their other open cells stay empty. Regions play no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvent.starbattle.hints.application import Application, Work, unit_keys
from solvent.starbattle.hints.counting import Containment, counted_applications
from solvent.starbattle.hints.position import Position

NAME = "fish"
TITLE = "Fish"
DIFFICULTY = 14.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of rows inside columns, then of columns inside rows, the smallest first."""
    rows, columns = position.geometry.rows, position.geometry.columns

    def witness(one: Containment) -> dict[str, Any]:
        by_rows = one.base[0] in rows
        inside, outside = (one.base, one.cover) if by_rows else (one.cover, one.base)
        named = {"rows": unit_keys(position, inside), "columns": unit_keys(position, outside)}
        return {**named, "base": "rows" if by_rows else "columns"}

    return counted_applications(position, NAME, [(rows, columns), (columns, rows)], witness, work)
