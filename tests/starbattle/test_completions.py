"""What completions have in common is said only when all of them were seen."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

from solvent.core.budget import Budget, Cancellation
from solvent.starbattle.model import CROSS
from solvent.starbattle.solver.completions import Common, analyse_completions
from starbattle.brute_force import solutions

ROWS = puzzle_of("AAAA BBBB CCCC DDDD", 1)


def test_it_agrees_with_brute_force():
    random = Random(2)
    seen = dict.fromkeys(Common, 0)
    for _ in range(60):
        size, stars = random.choice([(4, 1), (5, 1), (6, 1), (8, 2)])
        puzzle = solvable_puzzle(random, size, stars, marks=random.randrange(5))
        every = solutions(puzzle)
        found = analyse_completions(puzzle, most=len(every) + 1)
        assert (found.complete, found.timed_out, found.capped, found.count) == (True, False, False, len(every))
        for cell, common in enumerate(found.cells):
            starred = {cell in solution for solution in every}
            expected = {(True,): Common.ALWAYS_STAR, (False,): Common.ALWAYS_EMPTY}.get(tuple(starred), Common.VARIABLE)
            assert common is expected
            seen[common] += 1
    assert min(seen.values()) > 50


def test_a_sample_never_says_always():
    random = Random(3)
    partial = 0
    for _ in range(60):
        puzzle = random_puzzle(random, random.choice([4, 5, 6]), 1, marks=random.randrange(3))
        count = len(solutions(puzzle))
        for most in range(count + 1):
            found = analyse_completions(puzzle, most=most)
            assert not found.complete
            assert found.capped
            assert found.count == most
            assert set(found.cells) == {Common.VARIABLE}
            partial += 1
    assert partial > 60


def test_an_exhausted_budget_never_says_always():
    puzzle = puzzle_of("AAAAA BBBBB CCCCC DDDDD EEEEE", 1)
    needed = 0
    while True:
        found = analyse_completions(puzzle, most=10**6, budget=Budget(nodes=needed))
        if found.complete:
            break
        assert found.timed_out
        assert set(found.cells) == {Common.VARIABLE}
        needed += 1
    assert needed > 3
    assert found.count == len(solutions(puzzle))


def test_a_cancelled_analysis_never_says_always():
    cancelled = Cancellation()
    cancelled.cancel()
    found = analyse_completions(ROWS, most=10, budget=Budget(cancellation=cancelled))
    assert (found.complete, found.timed_out, found.count) == (False, True, 0)
    assert set(found.cells) == {Common.VARIABLE}


def test_without_a_completion_nothing_is_always_so():
    found = analyse_completions(replace(ROWS, marks=CROSS * 16), most=10)
    assert (found.complete, found.count) == (True, 0)
    assert set(found.cells) == {Common.VARIABLE}


def test_the_same_puzzle_gives_the_same_analysis():
    puzzle = solvable_puzzle(Random(6), 6, 1)
    assert len({analyse_completions(puzzle, most=100) for _ in range(10)}) == 1
