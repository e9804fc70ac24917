"""Larger boards that cannot be solved, 4×4 to 6×6 with 8 to 50 swaps: each NO comes with a certificate.

All are reverse-played boards spoilt a little, known by their seeds. Where another method can finish, it must agree.
"""

from __future__ import annotations

import pytest

import solvent
from harmony.boards import lopsided_near_miss, near_miss
from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.harmony.model import Board

NODES = 2_000_000

SPREAD = {
    (4, 4, 8): (0, 7, 18, 20, 26),
    (4, 4, 12): (0, 1, 4, 12, 19, 26),
    (4, 5, 10): (0, 4, 13, 15, 23, 24, 27, 29),
    (4, 5, 16): (11,),
    (5, 5, 12): (7, 13, 15, 20, 23),
    (5, 5, 20): (1, 11, 15),
    (6, 6, 15): (9, 12, 16, 23, 25, 27),
    (6, 6, 25): (27,),
}
"""Rows, columns and swaps of `near_miss` boards, and their seeds."""
LOPSIDED = {
    (4, 4, 20): (22, 35, 40, 77, 96),
    (4, 4, 30): (13, 15, 102, 128, 204),
    (4, 5, 25): (29, 34, 49, 52, 81),
    (4, 5, 40): (17, 98, 125, 133, 139),
    (5, 5, 30): (8, 10, 23, 28, 35),
    (5, 5, 50): (16, 19, 36, 90, 120),
    (6, 6, 30): (1, 7, 51, 64, 81),
    (6, 6, 40): (4, 5, 23, 50, 75),
    (6, 6, 50): (2, 14, 27, 29, 52),
}
"""The same for `lopsided_near_miss`."""


def spread_boards(size: tuple[int, int, int]) -> list[Board]:
    return [near_miss(*size, seed) for seed in SPREAD[size]]


@pytest.mark.parametrize("size", SPREAD)
def test_near_misses_are_refuted(size: tuple[int, int, int]):
    for board in spread_boards(size):
        answer = solvent.ask(board, nodes=NODES)
        assert answer.verdict is Verdict.NO
        assert answer.certificate["form"] == "refutation"


@pytest.mark.parametrize("size", LOPSIDED)
def test_lopsided_near_misses_are_refuted(size: tuple[int, int, int]):
    for seed in LOPSIDED[size]:
        answer = solvent.ask(lopsided_near_miss(*size, seed), nodes=NODES)
        assert answer.verdict is Verdict.NO
        assert answer.certificate["form"] == "refutation"


@pytest.mark.parametrize("size", [(4, 4, 10), (4, 5, 20), (5, 5, 30), (6, 6, 50)])
def test_some_need_no_search(size: tuple[int, int, int]):
    answers = [solvent.ask(near_miss(*size, seed, times=3), nodes=0) for seed in range(40)]
    refused = [answer for answer in answers if answer.verdict is Verdict.NO]
    assert len(refused) >= 10
    assert {answer.certificate["form"] for answer in refused} == {"invariant"}
    assert {answer.verdict for answer in answers} <= {Verdict.NO, Verdict.UNKNOWN}


def test_enough_of_them_and_of_every_size():
    assert sum(map(len, SPREAD.values())) + sum(map(len, LOPSIDED.values())) >= 40
    assert {size[:2] for size in (*SPREAD, *LOPSIDED)} == {(4, 4), (4, 5), (5, 5), (6, 6)}
    boards = [board for size in SPREAD for board in spread_boards(size)]
    boards += [lopsided_near_miss(*size, seed) for size, seeds in LOPSIDED.items() for seed in seeds]
    assert {min(board.swaps for board in boards), max(board.swaps for board in boards)} == {8, 50}
    assert len(set(boards)) == len(boards)


@pytest.mark.parametrize("size", [(4, 4, 8), (4, 5, 10)])
def test_trying_every_line_agrees(size: tuple[int, int, int]):
    """A search without a formula: where it finishes it must have found nothing."""
    verdicts = [solvent.ask(board, solver="dfs", proof=False, nodes=3_000_000).verdict for board in spread_boards(size)]
    assert Verdict.YES not in verdicts
    assert verdicts.count(Verdict.NO) >= len(verdicts) / 2


@pytest.mark.parametrize("size", [(4, 4, 8), (4, 5, 10)])
def test_the_layered_formula_agrees(size: tuple[int, int, int]):
    """Another encoding, with another solver's formula and no shared clause."""
    verdicts = [
        solvent.ask(board, solver="layers", proof=False, nodes=6_000_000).verdict for board in spread_boards(size)
    ]
    assert Verdict.YES not in verdicts
    assert verdicts.count(Verdict.NO) >= len(verdicts) / 2


@pytest.mark.slow
@pytest.mark.parametrize("size", [(4, 4, 12), (5, 5, 12), (6, 6, 15)])
def test_the_layered_formula_agrees_on_larger_boards(size: tuple[int, int, int]):
    verdicts = [
        solvent.ask(board, solver="layers", proof=False, nodes=18_000_000).verdict for board in spread_boards(size)
    ]
    assert Verdict.YES not in verdicts
    assert Verdict.NO in verdicts


@pytest.mark.slow
@pytest.mark.parametrize("size", [*SPREAD, *LOPSIDED])
def test_annealing_finds_no_plan_for_them(size: tuple[int, int, int]):
    make = near_miss if size in SPREAD else lopsided_near_miss
    for seed in (SPREAD | LOPSIDED)[size]:
        answer = solvent.ask(make(*size, seed), solver="annealing", nodes=1_000_000)
        assert answer.verdict is Verdict.UNKNOWN


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "cols", "swaps"), [(4, 4, 8), (4, 4, 14), (4, 5, 12), (5, 5, 16), (6, 6, 18)])
def test_two_parts_never_contradict_each_other(rows: int, cols: int, swaps: int):
    """On boards nobody has looked at: what the portfolio says, the layered formula does not deny."""
    settled = 0
    for seed in range(1000, up_to(1008, deep=1015)):
        board = near_miss(rows, cols, swaps, seed)
        first = solvent.ask(board, nodes=NODES).verdict
        second = solvent.ask(board, solver="layers", proof=False, nodes=3_000_000).verdict
        if Verdict.UNKNOWN not in (first, second):
            settled += 1
            assert first is second, (seed, first, second)
    assert settled >= up_to(2, deep=5)
