"""A little of every kernel, small enough to run uncompiled and with every index checked."""

from __future__ import annotations

import pytest

import solvent
from harmony.boards import board_of, near_miss, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Verdict
from solvent.core.budget import Budget
from solvent.core.pruning import InvalidityTestCoordinator
from solvent.harmony.audit import SmallBoards
from solvent.harmony.generator import generate
from solvent.harmony.invalidity import ALL_TESTS
from solvent.harmony.model import Board
from solvent.harmony.solver import dfs

pytestmark = pytest.mark.modes


def test_portfolio_and_search_on_tiny_boards():
    for board in tiny_boards(40, seed=95):
        expected = Verdict.YES if is_solvable(board) else Verdict.NO
        assert solvent.ask(board).verdict is expected
        assert solvent.ask(board, solver="dfs").verdict is expected


@pytest.mark.parametrize("text", ["1/2 0/2 | 0/1 1/1", "0/0 0/1 1/2 | 0/2 1/1 1/0", "1/3 0/0 | 0/3 1/0"])
def test_annealing_on_tiny_boards(text: str):
    board = board_of(text)
    answer = solvent.ask(board, solver="annealing", nodes=20_000)
    assert answer.verdict is (Verdict.YES if is_solvable(board) else Verdict.UNKNOWN)


def test_refutations_on_tiny_boards():
    refuted = 0
    for board in tiny_boards(15, seed=96):
        answer = solvent.ask(board, solver="order")
        if answer.verdict is Verdict.NO:
            refuted += 1
            assert not is_solvable(board)
    assert refuted > 2


def test_the_order_encoding_finds_plans():
    solved = 0
    for board in tiny_boards(15, seed=98):
        if is_solvable(board) and solvent.ask(board, solver="order").verdict is Verdict.YES:
            solved += 1
    assert solved > 2


def test_the_table_of_visited_boards_grows(monkeypatch: pytest.MonkeyPatch):
    visited = 0
    for seed in range(6):
        results = []
        for entries in (1, 5000):
            monkeypatch.setattr(dfs, "FIRST_TABLE_ENTRIES", entries)
            results.append(
                dfs.search(near_miss(3, 3, 7, seed), Budget(nodes=600).start(), InvalidityTestCoordinator[Board]([]))
            )
        assert results[0] == results[1]
        visited = max(visited, results[0].boards)
    assert visited == 600


@pytest.mark.parametrize("part", ["dfs", "annealing", "order"])
@pytest.mark.parametrize(("rows", "cols"), [(26, 99), (26, 1), (1, 99)])
def test_the_largest_boards(part: str, rows: int, cols: int):
    board = generate(rows=rows, cols=cols, swaps=4, seed=1)
    answer = solvent.ask(board, nodes=60, solver=part)
    assert answer.verdict in (Verdict.YES, Verdict.UNKNOWN)


@pytest.mark.parametrize(
    ("rows", "cols", "solvable"), [(2, 2, [1, 2, 6, 13, 27]), (3, 2, [1, 2, 9, 38]), (1, 1, [1, 0]), (1, 3, [1, 1])]
)
def test_small_boards_are_listed(rows: int, cols: int, solvable: list[int]):
    boards = SmallBoards(rows, cols, len(solvable) - 1)
    assert [sum(1 for _ in boards.solvable(swaps)) for swaps in range(len(solvable))] == solvable
    for swaps in range(1, len(solvable)):
        for board in boards.solvable(swaps):
            assert len(boards.solution(board)) == swaps
        for board in boards.just_lost(swaps):
            assert not is_solvable(board)


def test_invalidity_tests_on_tiny_boards():
    for board in tiny_boards(60, seed=97):
        for test in ALL_TESTS:
            if test.is_invalid(board) and test.sound:
                assert not is_solvable(board)
