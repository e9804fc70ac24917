"""Tiles: rectangles cover exactly what they should, each tile once."""

from __future__ import annotations

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from solvent.drawing.tiles import cover, find_runs


@given(st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_rectangles_cover_each_tile_once(tiles: set[tuple[int, int]]):
    runs = [run for row in range(8) for run in find_runs(row, sorted(column for r, column in tiles if r == row))]
    covered: Counter[tuple[int, int]] = Counter()
    for found in re.finditer(r"M(\d+) (\d+)h(\d+)v(\d+)h-\3z", cover(runs, 10)):
        x, y, width, height = (int(part) // 10 for part in found.groups())
        covered.update((row, column) for row in range(y, y + height) for column in range(x, x + width))
    assert covered == Counter(tiles)


def test_equal_runs_below_each_other_are_one_rectangle():
    assert cover([(0, 1, 3), (1, 1, 3), (2, 1, 2), (4, 1, 2)]) == "M1 0h2v2h-2zM1 2h1v1h-1zM1 4h1v1h-1z"
