"""The measurements of invalidity tests run, and their figures can be true."""

from __future__ import annotations

from benchmarks.harmony_boards import Size
from benchmarks.harmony_pruning import (
    NO_TESTS,
    PROMISED,
    STRATEGIES,
    compare_strategies,
    tables,
    time_calls,
    undecided_boards,
    worth_of_each,
)

from solvent.harmony.invalidity import ALL_TESTS, SEARCH_TESTS


def test_all_three_tables():
    boards = undecided_boards([Size(3, 8)], 2)
    calls = time_calls(boards)
    assert [row["test"] for row in calls] == [test.name for test in ALL_TESTS]
    assert {row["test"] for row in calls if row["promised"]} == set(PROMISED)
    worth = worth_of_each(boards, 2000)
    assert [row["test"] for row in worth] == [NO_TESTS, *(test.name for test in SEARCH_TESTS)]
    assert all(row["alone"] >= 1 for row in worth)
    assert all(row["without"] >= 1 for row in worth[1:])
    assert worth[0]["alone"] > 1.5
    strategies = compare_strategies(boards, 2000, rounds=1)
    visited = {row["strategy"]: row["boards"] for row in strategies}
    assert visited["as it is"] == visited["both"] == visited["every call timed"]
    assert visited[NO_TESTS] > visited["dear tests after 4 swaps"] >= visited["as it is"]
    assert set(STRATEGIES) < set(visited)
    assert [table.row_count for table in tables(calls, worth, strategies)] == [len(calls), len(worth), len(strategies)]
