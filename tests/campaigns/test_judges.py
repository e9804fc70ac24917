"""The judges of campaigns agree with the brute forces of the tests, which were written apart from them."""

from __future__ import annotations

from random import Random

from torture.instances.harmony import make_board
from torture.instances.starbattle import random_puzzle, solvable_puzzle
from torture.judges.harmony import TooLarge, can_be_solved, plan_solves
from torture.judges.starbattle import KNOWN_SIZES, all_solutions, fillings

from harmony.brute_force import find_plan, is_solvable
from solvent.harmony.positions import format_swap
from starbattle.brute_force import solutions


def test_boards_are_solvable_or_not():
    dice = Random(1)
    seen = {True: 0, False: 0}
    for _ in range(150):
        board = make_board(dice)
        try:
            solvable = can_be_solved(board, 3_000)
        except TooLarge:
            continue
        assert solvable is is_solvable(board)
        seen[solvable] += 1
        plan = [format_swap(swap, board.cols) for swap in find_plan(board) or ()]
        assert plan_solves(board, plan) is solvable
        if plan:
            assert not plan_solves(board, plan[:-1])
            assert not plan_solves(board, [*plan, plan[0]])
    assert min(seen.values()) > 15


def test_puzzles_have_these_solutions():
    dice = Random(1)
    for number in range(80):
        size, stars = KNOWN_SIZES[number % 4]
        make = solvable_puzzle if number % 3 else random_puzzle
        puzzle = make(dice, size, stars, marks=dice.randrange(5))
        assert sorted(map(sorted, all_solutions(puzzle))) == sorted(map(sorted, solutions(puzzle)))


def test_as_many_fillings_as_are_known():
    """Permutations without neighbouring values next to each other: sequence A002464 of the OEIS."""
    assert [len(fillings(size, 1)) for size in range(4, 9)] == [2, 14, 90, 646, 5242]
