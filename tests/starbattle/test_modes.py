"""A little of the star kernels, small enough to run uncompiled and with every index checked."""

from __future__ import annotations

import math
from hashlib import sha256
from random import Random

import pytest
from torture.instances.starbattle import random_puzzle, solvable_puzzle

import solvent
from solvent.core.answer import Verdict
from solvent.starbattle.checker import violations
from solvent.starbattle.drawing import draw_svg, draw_text
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import format_layout
from solvent.starbattle.solver.combinations import LOG_COMBINATIONS
from solvent.starbattle.solver.counting import count_solutions
from solvent.starbattle.solver.encoding import encode
from solvent.starbattle.solver.probing import failing_marks
from starbattle.brute_force import solutions

pytestmark = pytest.mark.modes


def test_the_kernel_counts_like_brute_force():
    dice = Random(95)
    counts = set()
    for number in range(24):
        make = solvable_puzzle if number % 2 else random_puzzle
        puzzle = make(dice, 5 + number % 2, 1, connected=number % 3 > 0, marks=number % 4)
        expected = solutions(puzzle)
        counted = count_solutions(puzzle, keep=len(expected))
        assert counted.complete
        assert set(map(frozenset, counted.solutions)) == set(expected)
        counts.add(min(2, len(expected)))
    assert counts == {0, 1, 2}


def test_two_stars():
    puzzle = solvable_puzzle(Random(3), 8, 2)
    counted = count_solutions(puzzle, keep=100)
    assert counted.complete
    assert set(map(frozenset, counted.solutions)) == set(solutions(puzzle))


def test_answers():
    dice = Random(96)
    for _ in range(4):
        puzzle = solvable_puzzle(dice, 5, 1)
        expected = len(solutions(puzzle, most=2)) == 1
        assert solvent.ask(puzzle, "unique").verdict is (Verdict.YES if expected else Verdict.NO)


@pytest.mark.parametrize(("size", "stars"), [(25, 6), (25, 1), (4, 1)])
def test_the_ends_of_every_table(size: int, stars: int):
    """The largest board reaches the last index of every table there is."""
    puzzle = Puzzle(size, stars, tuple(cell // size for cell in range(size**2)), UNKNOWN * size**2)
    counted = count_solutions(puzzle, most=2, keep=2)
    assert counted.capped
    assert len({*counted.solutions}) == 2
    assert all(len(found) == size * stars for found in counted.solutions)


def test_probing():
    puzzle = solvable_puzzle(Random(97), 5, 1)
    expected = solutions(puzzle)
    for failure in failing_marks(puzzle, STAR):
        assert not any(failure.cell in each for each in expected)
    for failure in failing_marks(puzzle, CROSS):
        assert all(failure.cell in each for each in expected)


@pytest.mark.parametrize(
    ("seed", "size", "stars", "marks", "count", "nodes", "clauses"),
    [
        (1, 6, 1, 0, 3, 11, "17f916722b17a2b1"),
        (2, 8, 1, 3, 29, 65, "3bdf90973c5a8c95"),
        (3, 8, 2, 0, 1, 1, "9ac41b961a5328b5"),
        (4, 9, 2, 5, 6, 13, "43ca4517c29caa4c"),
        (5, 10, 2, 0, 40, 88, "337c69c80b5ff686"),
        (6, 13, 3, 60, 1, 1, "c8634bea71cae427"),
    ],
)
def test_every_mode_searches_and_encodes_alike(
    seed: int, size: int, stars: int, marks: int, count: int, nodes: int, clauses: str
):
    """The nodes depend on every conclusion of every count, and on the last digit of every weight."""
    puzzle = solvable_puzzle(Random(seed), size, stars, marks=marks)
    counted = count_solutions(puzzle, most=40)
    assert (counted.count, counted.nodes) == (count, nodes)
    formula = encode(puzzle, other_than=counted.solutions[0])
    assert sha256(formula.literals.tobytes() + formula.starts.tobytes()).hexdigest()[:16] == clauses


@pytest.mark.parametrize(
    "wrong",
    [
        Puzzle(26, 1, (0,) * 26**2, UNKNOWN * 26**2),
        Puzzle(25, 7, (0,) * 25**2, UNKNOWN * 25**2),
        Puzzle(5, 1, (0,) * 24, UNKNOWN * 25),
        Puzzle(5, 1, (0,) * 24 + (5,), UNKNOWN * 25),
        Puzzle(5, 1, (0,) * 24 + (-1,), UNKNOWN * 25),
        Puzzle(5, 1, (0,) * 25, STAR * 24),
    ],
)
def test_what_is_no_puzzle_is_refused_before_it_can_reach_outside_a_table(wrong: Puzzle):
    with pytest.raises(ValueError, match="expected"):
        count_solutions(wrong)
    with pytest.raises(ValueError, match="expected"):
        failing_marks(wrong, STAR)
    for use in (draw_text, draw_svg, format_layout, lambda puzzle: violations(puzzle, {"form": "stars"})):
        with pytest.raises(ValueError, match="expected"):
            use(wrong)


def test_the_logarithms():
    for stars, row in enumerate(LOG_COMBINATIONS):
        for cells, found in enumerate(row):
            expected = math.log(math.comb(cells, stars)) if cells >= stars else 0.0
            assert found == pytest.approx(expected, rel=1e-13, abs=1e-13)
