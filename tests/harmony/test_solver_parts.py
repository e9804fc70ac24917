"""Each part of the portfolio alone against brute force: what it says is right, and what it cannot say is UNKNOWN."""

from __future__ import annotations

from collections import Counter

import pytest

import solvent
from harmony.boards import board_of, tiny_boards
from harmony.brute_force import is_solvable
from solvent.core.answer import Answer, Cause, Verdict
from solvent.harmony.model import Board
from solvent.harmony.rules import is_solved

NODES = 100_000


def judge(board: Board, answer: Answer) -> str:
    """Insist that the answer is right or UNKNOWN with a reason, and return it in words."""
    solvable = is_solvable(board)
    if answer.verdict is Verdict.UNKNOWN:
        assert answer.reason is not None
    else:
        assert answer.verdict is (Verdict.YES if solvable else Verdict.NO), repr(board)
    return f"{answer.verdict} {solvable}"


def test_dfs_decides_every_tiny_board():
    said = Counter(judge(board, solvent.ask(board, solver="dfs")) for board in tiny_boards(400, seed=50))
    assert set(said) == {"YES True", "NO False"}
    assert min(said.values()) > 100


def test_order_is_right_and_finds_every_plan():
    said = Counter()
    for board in tiny_boards(150, seed=51):
        answer = solvent.ask(board, solver="order")
        said[judge(board, answer)] += 1
        if answer.verdict is Verdict.UNKNOWN:
            # The one thing it does not look at: tiles that will never move, on cells that are not theirs.
            assert any(not left and board.colours[n] != n // board.cols for n, left in enumerate(board.moves))
            assert answer.reason.cause is Cause.INCOMPLETE
    assert set(said) == {"YES True", "NO False", "UNKNOWN False"}
    assert min(said["YES True"], said["NO False"]) > 30


def test_layers_without_proof_decides_what_it_takes_on():
    said = Counter()
    for board in tiny_boards(250, seed=52):
        answer = solvent.ask(board, solver="layers", proof=False)
        said[judge(board, answer)] += 1
        if answer.verdict is Verdict.NO:
            assert not answer.certified
        if answer.verdict is Verdict.UNKNOWN:
            assert not any(board.moves) or max(board.colours) >= board.rows
    assert set(said) == {"YES True", "NO False", "UNKNOWN False"}
    assert min(said["YES True"], said["NO False"]) > 60


def test_layers_with_proof_never_says_no():
    said = Counter(judge(board, solvent.ask(board, solver="layers")) for board in tiny_boards(100, seed=53))
    assert set(said) == {"YES True", "UNKNOWN False"}


@pytest.mark.parametrize("seed", [0, 1])
def test_annealing_finds_every_plan_and_never_says_no(seed: int):
    said = Counter(
        judge(board, solvent.ask(board, solver="annealing", nodes=NODES, seed=seed))
        for board in tiny_boards(150, seed=54)
    )
    assert set(said) == {"YES True", "UNKNOWN False"}
    assert min(said.values()) > 40


@pytest.mark.parametrize("part", ["portfolio", "dfs", "order", "layers", "annealing"])
def test_every_part_knows_a_solved_board(part: str):
    for text in ("0/0", "0/0 0/0 | 1/0 1/0", "0/0 | 1/0 | 2/0"):
        board = board_of(text)
        assert is_solved(board)
        answer = solvent.ask(board, solver=part, nodes=0)
        assert (answer.verdict, answer.certificate["plan"]) == (Verdict.YES, [])


@pytest.mark.parametrize("part", ["portfolio", "dfs", "order", "layers", "annealing"])
def test_every_part_is_right_on_a_board_that_needs_moves_burnt(part: str):
    """The tiles are home from the start; a foreign tile has to come and go."""
    board = board_of("0/0 0/0 0/5 | 1/1 1/2 1/2")
    assert solvent.ask(board, solver=part, nodes=NODES).verdict is Verdict.YES


def test_the_seed_chooses_among_plans():
    board = board_of("0/3 1/3 2/2 | 1/2 0/2 2/3 | 2/2 1/3 0/2")
    plans = {tuple(solvent.ask(board, solver="annealing", seed=seed).certificate["plan"]) for seed in range(6)}
    assert len(plans) > 1
