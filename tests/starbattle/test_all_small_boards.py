"""On all small boards, the clauses that the checker refutes have exactly the solutions as their models."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.marks import slow
from solvent.starbattle.checker.statements_kernel import Statements
from solvent.starbattle.model import UNKNOWN, Puzzle
from starbattle.brute_force import solutions
from starbattle.test_encoding import models


def all_regions(size: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to cut a board into as many regions as it has rows, connected or not, named by first cell."""

    def extend(names: list[int], used: int) -> Iterator[tuple[int, ...]]:
        left = size**2 - len(names)
        if left == 0:
            yield tuple(names)
            return
        for name in range(used + 1 if used < size else size):
            now = max(used, name + 1)
            if left - 1 >= size - now:
                yield from extend([*names, name], now)

    return extend([], 0)


def assert_exact(regions: tuple[int, ...], size: int, stars: int) -> int:
    puzzle = Puzzle(size, stars, regions, UNKNOWN * size**2)
    expected = set(solutions(puzzle))
    assert models(Statements(puzzle).formula(), size**2) == expected, puzzle
    return len(expected)


@pytest.mark.parametrize(("size", "boards"), [(1, 1), (2, 7), (3, 3025)])
def test_all_boards_of_up_to_three_rows(size: int, boards: int):
    """There are as many as Stirling numbers of the second kind say: S(1, 1), S(4, 2), S(9, 3)."""
    counts = [assert_exact(regions, size, 1) for regions in all_regions(size)]
    assert len(counts) == boards
    assert max(counts) == (1 if size == 1 else 0)  # two stars of neighbouring lines always touch


TWO_WAYS = ((1, 7, 8, 14), (2, 4, 11, 13))
"""The only ways to place four stars on four rows and columns so that none touch."""


def boards_of_four(every: int) -> Iterator[tuple[int, ...]]:
    """Yield boards of four rows: for each way that the eight cells above can be named, all other cells alike."""
    cells = [cell for way in TWO_WAYS for cell in way]
    seen = set()  # boards that differ in the names of regions alone are one
    for code in range(0, 4**8, every):
        names = [code // 4**place % 4 for place in range(8)]
        for rest in range(4):
            board = [rest] * 16
            for cell, name in zip(cells, names, strict=True):
                board[cell] = name
            if len(set(board)) == 4:
                order = {name: number for number, name in enumerate(dict.fromkeys(board))}
                regions = tuple(order[name] for name in board)
                if regions not in seen:
                    seen.add(regions)
                    yield regions


@pytest.mark.parametrize("every", [101, *slow([1])])
def test_boards_of_four_rows(every: int):
    """A solution is one of two ways, so only the regions of their cells decide; all combinations of these are tried."""
    counts = [assert_exact(regions, 4, 1) for regions in boards_of_four(every)]
    assert {0, 1, 2} <= set(counts)
