"""Fish: rows whose open cells all lie in columns which need no more stars than they do, or the other way round.

The stars of such rows are stars of these columns. If the columns need no more than that, they have all their stars in
these rows, and their other open cells stay empty. Regions play no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work, unit_keys
from solvent.starbattle.hints.counting import counted, tight_sets
from solvent.starbattle.hints.position import Position

NAME = "fish"
TITLE = "Fish"
DIFFICULTY = 14.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of rows inside columns, then of columns inside rows, the smallest first."""
    geometry, seen = position.geometry, 0
    for base, lines, cover in (
        ("rows", geometry.rows, geometry.columns),
        ("columns", geometry.columns, geometry.rows),
    ):
        for one in tight_sets(position, lines, cover, work):
            rows, columns = (one.base, one.cover) if base == "rows" else (one.cover, one.base)
            witness = {"rows": unit_keys(position, rows), "columns": unit_keys(position, columns), "base": base}
            found = counted(position, NAME, one, witness, seen)
            if found is not None:
                seen |= found.crosses
                yield found
