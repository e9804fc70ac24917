"""Measure Harmony's invalidity tests: what a call takes, what each is worth beside the others, what strategies do.

`python -m benchmarks.harmony_pruning` prints three tables. Times are processor times; what is compared takes turns.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.harmony_boards import Size, spoil
from benchmarks.table import bare_table
from solvent.core.budget import Budget
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.invalidity import ALL_TESTS, SEARCH_TESTS, HarmonyTest
from solvent.harmony.invalidity.position_kernel import Position
from solvent.harmony.invalidity.tests_kernel import chain_tests
from solvent.harmony.model import Board
from solvent.harmony.rules import legal_swaps
from solvent.harmony.solver.dfs import SearchResult, Strategy, search

PROMISED = {"WrongRowZeroMoves": 500, "StuckTile": 800, "BlockedSwap": 1200}
"""Nanoseconds a call on a 4×4 board, as the description of these tests has them for a program in Java."""
CALLS = 2000
STRATEGIES: Mapping[str, Mapping[str, Any]] = {
    "as it is": {},
    "whole board each time": {"only_affected": False},
    "counts made anew": {"cached_counts": False},
    "both": {"only_affected": False, "cached_counts": False},
    "dear tests after 2 swaps": {"dear_tests_after": 2},
    "dear tests after 4 swaps": {"dear_tests_after": 4},
    "every call timed": {"time_tests": True},
}
DEAREST_FIRST = "dearest tests first"
NO_TESTS = "no tests"


def time_calls(boards: Sequence[Board]) -> list[dict[str, Any]]:
    """Time each test on boards: a look at everything, and at what a swap affected."""
    spent: dict[str, list[list[float]]] = {test.name: [[], []] for test in ALL_TESTS}
    for board in boards:
        a, b = next(iter(legal_swaps(board)))
        for test in ALL_TESTS:
            position = Position(board.rows, board.cols, board.colours, board.moves)
            position.keep_counts()
            chain = chain_tests([test])
            assert chain is not None
            began = time.process_time()
            chain.repeat(position, CALLS)
            spent[test.name][0].append((time.process_time() - began) / CALLS)
            position.swap(a, b, -1)
            began = time.process_time()
            chain.repeat_after(position, a, b, CALLS)
            spent[test.name][1].append((time.process_time() - began) / CALLS)
    return [
        {"test": name, "whole": mean(whole) * 1e9, "after": mean(after) * 1e9, "promised": PROMISED.get(name)}
        for name, (whole, after) in spent.items()
    ]


def worth_of_each(boards: Sequence[Board], nodes: int) -> list[dict[str, Any]]:
    """Count boards of the search with all tests but one, and with one alone, against all of them."""
    every = sum(_nodes(boards, SEARCH_TESTS, nodes))
    rows: list[dict[str, Any]] = [{"test": NO_TESTS, "without": None, "alone": sum(_nodes(boards, (), nodes)) / every}]
    for test in SEARCH_TESTS:
        without = sum(_nodes(boards, [other for other in SEARCH_TESTS if other is not test], nodes))
        alone = sum(_nodes(boards, [test], nodes))
        rows.append({"test": test.name, "without": without / every, "alone": alone / every})
    return rows


def compare_strategies(boards: Sequence[Board], nodes: int, rounds: int = 3) -> list[dict[str, Any]]:
    """Time the search under each strategy, taking turns board by board; the best of some rounds counts."""
    names = [*STRATEGIES, DEAREST_FIRST, NO_TESTS]
    seconds = dict.fromkeys(names, 0.0)
    visited = dict.fromkeys(names, 0)
    for number, board in enumerate(boards):
        best: dict[str, float] = {}
        for turn in range(rounds):
            first = (number + turn) % len(names)
            for name in (*names[first:], *names[:first]):
                began = time.process_time()
                result = _search(board, _tests_of(name), nodes, Strategy(**STRATEGIES.get(name, {})))
                took = time.process_time() - began
                best[name] = min(took, best.get(name, took))
                visited[name] += result.boards
        for name in names:
            seconds[name] += best[name]
    base = names[0]
    return [
        {
            "strategy": name,
            "boards": visited[name] // rounds,
            "seconds": seconds[name],
            "ratio": seconds[name] / seconds[base],
            "microseconds": seconds[name] / max(1, visited[name] // rounds) * 1e6,
        }
        for name in names
    ]


def _tests_of(strategy: str) -> Sequence[HarmonyTest]:
    if strategy == NO_TESTS:
        return ()
    return SEARCH_TESTS[::-1] if strategy == DEAREST_FIRST else SEARCH_TESTS


def _search(board: Board, tests: Sequence[HarmonyTest], nodes: int, strategy: Strategy) -> SearchResult:
    return search(board, Budget(nodes=nodes).start(), InvalidityTestCoordinator[Board](tests), strategy=strategy)


def _nodes(boards: Sequence[Board], tests: Sequence[HarmonyTest], nodes: int) -> list[int]:
    return [_search(board, tests, nodes, Strategy()).boards for board in boards]


def undecided_boards(sizes: Sequence[Size], count: int) -> list[Board]:
    """Return boards, made by reverse play and spoilt ones, on which the search has something to do."""
    found: list[Board] = []
    for size in sizes:
        seeds = iter(range(10_000))
        wanted = len(found) + count
        while len(found) < wanted:
            seed = next(seeds)
            for board in (size.generate(seed), spoil(size.generate(seed), seed)):
                if _search(board, SEARCH_TESTS, 200, Strategy()).boards >= 50 and len(found) < wanted:
                    found.append(board)
    return found


Rows = Sequence[Mapping[str, Any]]


def tables(calls: Rows, worth: Rows, strategies: Rows) -> list[Table]:
    """Make the three tables."""
    first = bare_table("test", title="Nanoseconds a call, 4×4")
    for heading in ("whole board", "after a swap", "promised", "× faster"):
        first.add_column(heading, justify="right")
    for row in calls:
        promised = row["promised"]
        ratio = "" if promised is None else f"{promised / row['whole']:.0f}"
        first.add_row(row["test"], f"{row['whole']:.0f}", f"{row['after']:.0f}", f"{promised or ''}", ratio)
    second = bare_table("test", title="Boards visited, over those with all tests")
    for heading in ("without it", "it alone"):
        second.add_column(heading, justify="right")
    for row in worth:
        without = "" if row["without"] is None else f"{row['without']:.3f}"
        second.add_row(row["test"], without, f"{row['alone']:.2f}")
    third = bare_table("strategy", title="The search, by strategy")
    for heading in ("boards", "CPU s", "×", "µs a board"):
        third.add_column(heading, justify="right")
    for row in strategies:
        figures = f"{row['boards']:,}", f"{row['seconds']:.3f}", f"{row['ratio']:.2f}", f"{row['microseconds']:.2f}"
        third.add_row(row["strategy"], *figures)
    return [first, second, third]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=12, help="boards of each size")
    parser.add_argument("--nodes", type=int, default=100_000, help="boards a search may visit")
    given = parser.parse_args()
    small = [Size(4, 12).generate(seed) for seed in range(30)]
    boards = undecided_boards([Size(3, 9), Size(4, 9), Size(4, 11)], given.boards)
    larger = undecided_boards([Size(3, 12), Size(4, 13), Size(5, 16)], given.boards // 2)
    console = Console()
    strategies = compare_strategies(larger, given.nodes)
    for table in tables(time_calls(small), worth_of_each(boards, given.nodes), strategies):
        console.print(table)
        console.print()


if __name__ == "__main__":
    main()
