"""Undercounting: regions that fit into lines which need no more stars than they do.

If all open cells of some regions lie in some rows (or columns), the stars of these regions are stars of these rows. If
the rows need no more than that, they get all their stars from these regions, and their other open cells stay empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.counting import counted_applications
from solvent.starbattle.hints.position import Position

NAME = "undercounting"
TITLE = "Undercounting"
DIFFICULTY = 8.0


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of regions inside rows, then inside columns, the smallest first.

    A set of more than half of all units is left to overcounting, which says the same with the other half.
    """
    geometry = position.geometry
    families = [(geometry.regions, geometry.rows), (geometry.regions, geometry.columns)]

    return counted_applications(position, NAME, families, work)
