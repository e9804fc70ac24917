"""Undercounting: regions that fit into lines which need no more stars than they do.

If all open cells of some regions lie in some rows (or columns), the stars of these regions are stars of these rows. If
the rows need no more than that, they get all their stars from these regions, and their other open cells stay empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work, unit_keys
from solvent.starbattle.hints.counting import counted, tight_sets
from solvent.starbattle.hints.position import Position

NAME = "undercounting"
TITLE = "Undercounting"
DIFFICULTY = 8.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of regions inside rows, then inside columns, the smallest first.

    A set of more than half of all units is left to overcounting, which says the same with the other half.
    """
    geometry, seen = position.geometry, 0
    for lines in (geometry.rows, geometry.columns):
        for one in tight_sets(position, geometry.regions, lines, work):
            witness = {"lines": unit_keys(position, one.cover), "regions": unit_keys(position, one.base)}
            found = counted(position, NAME, one, witness, seen)
            if found is not None:
                seen |= found.crosses
                yield found
