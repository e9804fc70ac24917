"""Write tiles down as runs along rows, for colouring them on a map."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from solvent.dungeon.model import Place


def as_runs(places: Iterable[Place]) -> list[list[int]]:
    """Return tiles as runs along rows: floor, row, first column, and how many."""
    columns: dict[tuple[int, int], list[int]] = defaultdict(list)
    for floor, row, column in sorted(places):
        columns[floor, row].append(column)
    runs: list[list[int]] = []
    for (floor, row), some in columns.items():
        for column in some:
            last = runs[-1] if runs else None
            if last is not None and last[:2] == [floor, row] and last[2] + last[3] == column:
                last[3] += 1
            else:
                runs.append([floor, row, column, 1])
    return runs
