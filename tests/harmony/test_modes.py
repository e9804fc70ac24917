"""A little of every kernel, small enough to run uncompiled and with every index checked."""

from __future__ import annotations

import pytest

import solvent
from harmony.boards import board_of, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Verdict
from solvent.harmony.invalidity import ALL_TESTS

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


def test_invalidity_tests_on_tiny_boards():
    for board in tiny_boards(60, seed=97):
        for test in ALL_TESTS:
            if test.is_invalid(board) and test.sound:
                assert not is_solvable(board)
