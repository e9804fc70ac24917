"""What a player is told before any step: a wrong mark, a board without a solution, or with several."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from torture.instances.starbattle import puzzle_of, random_puzzle, solvable_puzzle

import solvent
from solvent.core.answer import Cause, Verdict
from solvent.core.hints import Hint
from solvent.starbattle.cells import format_cell
from solvent.starbattle.checker.chain import take_step
from solvent.starbattle.generator import generate
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.brute_force import is_solution, solutions
from starbattle.plain_sat import sat_solutions

KINDS = [(5, 1), (6, 1), (8, 1), (9, 2), (10, 2)]
ROWS = puzzle_of("AAAA BBBB CCCC DDDD", 1)
"""Solved by r1c2 r2c4 r3c1 r4c3 and by its mirror image."""


def marked(puzzle: Puzzle, marks: dict[int, str]) -> Puzzle:
    return replace(puzzle, marks="".join(marks.get(cell, UNKNOWN) for cell in range(puzzle.size**2)))


def right_marks(puzzle: Puzzle, solution: frozenset[int], random: Random, count: int) -> dict[int, str]:
    cells = random.sample(range(puzzle.size**2), count)
    return {cell: STAR if cell in solution else CROSS for cell in cells}


def assert_names(puzzle: Puzzle, cell: int, *, alone: bool = True) -> Hint:
    """Assert that the one hint there is names this mark, and rests on certificates that check.

    It is wrong `alone`, or only given the marks before it.
    """
    [hint] = solvent.hints(puzzle)
    star = puzzle.marks[cell] == STAR
    name = format_cell(cell, puzzle.size)
    must_be = "cannot be a star" if star else "must be a star"
    if alone:
        assert hint.caption == f"The mark on {name} is wrong: it {must_be}."
    else:
        assert hint.caption == f"These marks leave no solution: given the marks before it, {name} {must_be}."
    assert hint.where == f"Look at your mark on {name}."
    assert hint.narrative
    assert (hint.lost, hint.move, hint.reason) == (True, None, None)
    assert hint.data["news"] == ("wrong mark" if alone else "marks that clash")
    assert hint.data["cell"] == list(divmod(cell, puzzle.size))
    assert hint.data["mark"] == ("star" if star else "cross")
    assert list(divmod(cell, puzzle.size)) in hint.data["highlights"]["causes"]
    for right, step in hint.also:  # the argument is a step on the board with right marks only, checked like any other
        solvent.check(right, step)
        assert all(mark in (".", puzzle.marks[place]) for place, mark in enumerate(right.marks))
        assert step["crosses" if star else "stars"] == [list(divmod(cell, puzzle.size))]
        assert hint.proof.endswith(f"So {name} {must_be}.")
    assert hint.certificate is not None
    assert (hint.certificate["question"], hint.certificate["verdict"]) == ("solvable", "NO")
    solvent.check(puzzle, hint.certificate)
    return hint


# A wrong mark.


@pytest.mark.parametrize("wrong_mark", [STAR, CROSS])
@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_a_wrong_mark_is_named(size: int, stars: int, wrong_mark: str):
    random = Random(size)
    explained = 0
    for seed in range(6):
        puzzle = generate(size=size, stars=stars, seed=seed)
        [solution] = sat_solutions(puzzle, most=2)
        cell = random.choice([cell for cell in range(size**2) if (cell in solution) == (wrong_mark == CROSS)])
        marks = right_marks(puzzle, solution, random, size * seed // 2) | {cell: wrong_mark}
        hint = assert_names(marked(puzzle, marks), cell)
        explained += bool(hint.technique and hint.proof)
    assert explained >= 4


def test_of_several_wrong_marks_the_first_is_named():
    random = Random(6)
    for seed in range(6):
        puzzle = generate(size=8, stars=1, seed=seed)
        [solution] = sat_solutions(puzzle, most=2)
        wrong = random.sample(range(64), 3)
        marks = right_marks(puzzle, solution, random, 12)
        marks |= {cell: CROSS if cell in solution else STAR for cell in wrong}
        assert_names(marked(puzzle, marks), min(wrong))


def test_stars_that_break_a_rule_at_sight():
    puzzle = generate(size=6, stars=1, seed=1)
    [solution] = sat_solutions(puzzle, most=2)
    star = min(solution)
    for cell in (star + 1, star + 6, star + 12):  # beside, below, and in the same column
        assert_names(marked(puzzle, {star: STAR, cell: STAR}), cell)
    assert_names(replace(puzzle, marks=CROSS * 36), star)


def test_the_bundled_wrong_mark():
    [example] = [example for example in solvent.examples("starbattle") if example.name == "wrong_mark"]
    assert_names(solvent.parse(example.text), 3 * 8 + 5)


def test_why_a_mark_is_wrong_does_not_rest_on_wrong_marks():
    """With two wrong marks, the reason for the first must not use the second."""
    puzzle = generate(size=6, stars=1, seed=1)
    [solution] = sat_solutions(puzzle, most=2)
    star = max(solution)
    hint = assert_names(marked(puzzle, {star: CROSS, star - 1: STAR}), star - 1)
    assert format_cell(star, 6) + " is empty" not in hint.proof


def test_marks_wrong_together_where_there_are_several_solutions():
    """No mark is wrong by itself; the one named is that after which, in reading order, nothing is left."""
    assert_names(marked(ROWS, {1: STAR, 4: STAR}), 4, alone=False)  # each is in one of the two solutions
    random = Random(3)
    named = 0
    while named < 12:
        puzzle = solvable_puzzle(random, 5, 1)
        if len(solutions(puzzle)) < 2:
            continue
        marks = {cell: random.choice((STAR, CROSS, CROSS, CROSS)) for cell in random.sample(range(25), 8)}
        if solutions(marked(puzzle, marks)):
            continue
        cells = sorted(marks)
        taken = 0
        while solutions(marked(puzzle, {cell: marks[cell] for cell in cells[: taken + 1]})):
            taken += 1
        assert_names(marked(puzzle, marks), cells[taken], alone=False)
        named += 1


# No solution.


def test_a_board_without_a_solution():
    random = Random(4)
    seen = 0
    while seen < 12:
        puzzle = random_puzzle(random, 6, 1, marks=4 * (seen % 2))
        if solutions(replace(puzzle, marks=UNKNOWN * 36)):
            continue
        [hint] = solvent.hints(puzzle)
        assert hint.caption == "This board has no solution, even without marks."
        assert (hint.lost, hint.move, hint.reason, hint.data) == (True, None, None, {"news": "no solution"})
        assert hint.certificate["verdict"] == "NO"
        solvent.check(puzzle, hint.certificate)
        seen += 1


# Several solutions.


def test_several_solutions_are_news_and_steps_go_on_where_they_agree():
    random = Random(5)
    boards = with_steps = 0
    while boards < 20:
        puzzle = solvable_puzzle(random, random.choice([5, 6, 7]), 1, marks=random.randrange(4))
        every = solutions(puzzle)
        if len(every) < 2:
            continue
        boards += 1
        news, *told = solvent.hints(puzzle)
        assert news.caption == "This board has more than one solution."
        assert (news.lost, news.move, news.reason) == (False, None, None)
        assert (news.data["news"], news.certificate["form"]) == ("several solutions", "two solutions")
        solvent.check(puzzle, news.certificate)
        one, other = (
            frozenset(row * puzzle.size + col for row, col in stars) for stars in news.certificate["solutions"]
        )
        assert is_solution(puzzle, one)
        assert is_solution(puzzle, other)
        assert [row * puzzle.size + col for row, col in news.data["differing"]] == sorted(one ^ other)
        for hint in told[:-1]:
            puzzle = take_step(puzzle, hint.certificate)
            assert solutions(puzzle) == every  # a step takes no solution away
        with_steps += len(told) > 1
        assert (told[-1].move, told[-1].lost) == (None, False)
        assert told[-1].reason.cause in (Cause.INCOMPLETE, Cause.NODES)
        assert told[-1].narrative == "Where solutions differ, no cell is forced."
    assert with_steps >= 10


def test_every_cell_where_two_solutions_agree_is_found():
    [example] = [example for example in solvent.examples("starbattle") if example.name == "two_ways"]
    puzzle = solvent.parse(example.text)
    every = solutions(puzzle)
    for hint in solvent.hints(puzzle, path=True):
        if hint.certificate is not None:
            puzzle = take_step(puzzle, hint.certificate)
    open_cells = {cell for cell, mark in enumerate(puzzle.marks) if mark == UNKNOWN}
    assert open_cells == frozenset.union(*every) - frozenset.intersection(*every)


def test_marks_may_choose_one_of_several_solutions():
    told = list(solvent.hints(marked(ROWS, {1: STAR})))
    assert told[0].move is not None
    assert told[-1].data == {"news": "solved"}


# Nothing to tell.


def test_a_solved_board():
    for size, stars in KINDS:
        puzzle = generate(size=size, stars=stars, seed=2)
        [solution] = sat_solutions(puzzle, most=2)
        for crosses in (UNKNOWN, CROSS):
            solved = replace(puzzle, marks="".join(STAR if cell in solution else crosses for cell in range(size**2)))
            [hint] = solvent.hints(solved)
            assert (hint.caption, hint.lost, hint.move) == ("The board is solved.", False, None)
            assert hint.certificate["verdict"] == Verdict.YES.value
            solvent.check(solved, hint.certificate)


def test_a_board_half_played_without_a_mistake_gets_a_step():
    random = Random(8)
    for size, stars in KINDS:
        puzzle = generate(size=size, stars=stars, seed=3)
        [solution] = sat_solutions(puzzle, most=2)
        played = marked(puzzle, right_marks(puzzle, solution, random, size**2 // 3))
        hint = next(solvent.hints(played))
        assert hint.move is not None
        assert "news" not in hint.data
        solvent.check(played, hint.certificate)


@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_whether_marks_are_right_is_not_guessed(nodes: int):
    """A budget too small to see a mistake must neither show a step nor call anything lost."""
    puzzle = generate(size=10, stars=2, seed=2)
    [solution] = sat_solutions(puzzle, most=2)
    for marks in ({}, {min(solution): CROSS}):
        [*_, hint] = solvent.hints(marked(puzzle, marks), nodes=nodes)
        assert (hint.move, hint.lost) == (None, False)
        assert hint.reason.cause is Cause.NODES
