"""Overcounting: lines whose open cells all lie in regions which need no more stars than they do.

If all open cells of some rows (or columns) lie in some regions, the stars of these rows are stars of these regions. If
the regions need no more than that, they have all their stars in these rows, and their other open cells stay empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.counting import counted_applications
from solvent.starbattle.hints.position import Position

NAME = "overcounting"
TITLE = "Overcounting"
DIFFICULTY = 8.2


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield sets of rows inside regions, then of columns, the smallest first.

    A set of more than half of all units is left to undercounting, which says the same with the other half.
    """
    geometry = position.geometry
    families = [(geometry.rows, geometry.regions), (geometry.columns, geometry.regions)]

    return counted_applications(position, NAME, families, work)
