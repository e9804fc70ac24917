"""Grades: numbers from 1 to 100 with a word, from the hardest step and the effort of all, and as others grade."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

import solvent
from solvent.core.answer import Verdict
from solvent.core.hints import Hint
from solvent.starbattle.checker.steps import TECHNIQUES as CHECKED
from solvent.starbattle.domain import DOMAIN, GRADES, TECHNIQUES
from solvent.starbattle.generator import generate
from solvent.starbattle.hints.grading import GRADE_LIMITS, StepEffort, effort_of_step, grade_of, step_cost, word_for
from solvent.starbattle.hints.path import walk
from solvent.starbattle.hints.position import position_of
from solvent.starbattle.hints.techniques import BASIC, SUPPOSING, catalogue, difficulties, titles
from starbattle.brute_force import is_solution
from starbattle.plain_sat import sat_solutions

ROUTINE_ONLY = {"neighbour", "full unit"}
"""Every puzzle needs these, so nobody wishes for them."""


def effort(difficulty: float, length: int = 1) -> StepEffort:
    return StepEffort("some", "Some", difficulty, length)


def grade_of_board(path: Path) -> int:
    walked = walk(position_of(solvent.load(path)))
    assert walked is not None, path.name
    return grade_of(walked.efforts()).number


# The catalogue and its words.


def test_the_lists_of_the_domain_are_those_of_the_catalogue():
    assert tuple(word for _, word in GRADE_LIMITS) == GRADES
    names = [technique.NAME for technique in catalogue()]
    assert tuple(name for name in names if name not in ROUTINE_ONLY | {"uniqueness"}) == TECHNIQUES
    assert set(names) == set(CHECKED)
    assert len(names) == len({*names}) == len(BASIC) + len(SUPPOSING) + 2
    assert len({*titles().values()}) == len(names)


def test_techniques_come_from_easy_to_hard():
    hard = [technique.DIFFICULTY for technique in catalogue()]
    assert all(left <= right for left, right in pairwise(hard[: len(BASIC) + len(SUPPOSING)]))
    assert min(hard) > 0


def test_every_number_has_a_word():
    words = [word_for(number) for number in range(1, 101)]
    assert tuple(dict.fromkeys(words)) == GRADES
    for (highest, word), (_, following) in pairwise(GRADE_LIMITS):
        assert (word_for(highest), word_for(highest + 1)) == (word, following)
    assert GRADE_LIMITS[-1][0] == 100


# The number.


def test_a_harder_or_longer_step_never_makes_a_path_easier():
    hard = sorted({*difficulties().values()})
    for rest in ([], [effort(1.0)] * 9, [effort(5.0)] * 3, [effort(9.0), effort(4.0)]):
        by_difficulty = [grade_of([*rest, effort(difficulty)]).number for difficulty in hard]
        assert by_difficulty == sorted(by_difficulty)
        by_length = [grade_of([*rest, effort(hard[-2], length)]).number for length in range(1, 30)]
        assert by_length == sorted(by_length)
        assert by_difficulty[0] < by_difficulty[-1]


def test_one_more_step_never_makes_a_path_easier():
    for difficulty in sorted({*difficulties().values()}):
        numbers = [grade_of([effort(7.0)] + [effort(difficulty)] * count).number for count in range(40)]
        assert numbers == sorted(numbers)


def test_the_order_of_steps_does_not_matter():
    steps = [effort(1.0), effort(6.0), effort(12.0, 4), effort(3.0)]
    assert grade_of(steps).number == grade_of(steps[::-1]).number


def test_routine_costs_nothing_and_long_suppositions_more():
    assert step_cost(effort(1.0)) == 0
    assert 0 < step_cost(effort(5.0)) < step_cost(effort(6.0))
    assert step_cost(effort(12.0, 1)) < step_cost(effort(12.0, 2)) < step_cost(effort(12.0, 9))


def test_numbers_stay_within_one_and_a_hundred():
    assert grade_of([effort(0.1)]).number == 1
    worst = grade_of([effort(17.0, 500)] * 500)
    assert (worst.number, worst.word) == (100, "fiendish")


def test_the_length_of_a_supposition_is_that_of_its_steps():
    inner = {"technique": "tiling", "stars": [], "crosses": [[0, 0]], "witness": {}}
    assert effort_of_step("exclusion", {}).length == 1
    assert effort_of_step("hypothesis", {"steps": [inner] * 3}).length == 4
    nested = {**inner, "technique": "hypothesis", "witness": {"steps": [inner] * 2}}
    assert effort_of_step("nested hypothesis", {"steps": [inner, nested]}).length == 1 + 1 + 3


def test_the_length_of_a_tiling_is_that_of_its_blocks():
    assert effort_of_step("tiling", {"blocks": [[0, 0]]}).length == 1
    assert effort_of_step("tiling", {"blocks": [[0, 0], [4, 4]]}).length == 2


# Grades of boards.


@pytest.mark.parametrize(("size", "stars"), [(6, 1), (8, 1), (9, 2), (10, 2)])
def test_a_board_gets_a_grade(size: int, stars: int):
    for seed in range(4):
        puzzle = generate(size=size, stars=stars, seed=seed)
        told = list(solvent.hints(puzzle, path=True))
        grade = DOMAIN.hints.grade(told)
        assert grade is not None
        assert 1 <= grade.number <= 100
        assert grade.word == word_for(grade.number)
        assert grade.steps == len(told) - 1
        hardest = max(told[:-1], key=lambda hint: difficulties()[hint.data["technique"]])
        by_title = {titles()[name]: difficulty for name, difficulty in difficulties().items()}
        assert by_title[grade.technique] == by_title[hardest.technique]
        walked = walk(position_of(puzzle))
        assert grade_of(walked.efforts()) == grade  # what the generator goes by
        assert str(grade) == (
            f"{grade.word} ({grade.number} of 100), {grade.steps} steps, the hardest is {grade.technique}"
        )


def test_a_path_that_does_not_reach_the_end_has_no_grade():
    puzzle = generate(size=8, stars=1, seed=1)
    told = list(solvent.hints(puzzle, path=True))
    assert DOMAIN.hints.grade(told) is not None
    assert DOMAIN.hints.grade(told[:-1]) is None
    assert DOMAIN.hints.grade([]) is None
    assert DOMAIN.hints.grade(told[-1:]) is None  # solved from the start: nothing to grade
    for example in solvent.examples("starbattle"):
        if example.name in ("wrong_mark", "no_room", "two_ways"):
            assert DOMAIN.hints.grade(list(solvent.hints(solvent.parse(example.text), path=True))) is None


@pytest.mark.parametrize("grade", GRADES[:4])
def test_a_wished_grade_is_the_grade(grade: str):
    puzzle = solvent.generate("starbattle", size=8, stars=1, grade=grade, seed=2)
    assert DOMAIN.hints.grade(list(solvent.hints(puzzle, path=True))).word == grade


# Grades that others gave.


def ranks(values: list[float]) -> list[float]:
    """Return the rank of each value; equal values share the middle one."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def rank_correlation(one: list[float], other: list[float]) -> float:
    """Return Spearman's coefficient: 1 if both rank alike, 0 if they have nothing to do with each other."""
    first, second = ranks(one), ranks(other)
    middle = (len(one) - 1) / 2
    common = sum((a - middle) * (b - middle) for a, b in zip(first, second, strict=True))
    spread = sum((a - middle) ** 2 for a in first) * sum((b - middle) ** 2 for b in second)
    return common / spread**0.5


def test_rank_correlation():
    assert rank_correlation([1, 2, 3], [10, 20, 400]) == 1
    assert rank_correlation([1, 2, 3], [3, 2, 1]) == -1
    assert rank_correlation([1, 1, 2, 2], [1, 2, 1, 2]) == 0


@pytest.mark.corpus
def test_grades_rank_like_the_work_krazydad_published(corpora: Path):
    file = corpora / "starbattle" / "krazydad_solutions.json"
    if not file.is_file():
        pytest.skip(f"no published work in {corpora}")
    published = json.loads(file.read_text())
    boards = [path for path in sorted(file.parent.glob("*/*.txt")) if path.stem in published]
    work = [published[path.stem]["lwork"] for path in boards]
    assert len(boards) >= 40
    assert rank_correlation(work, [grade_of_board(path) for path in boards]) >= 0.5


TIERS = ("ez", "med", "hard", "expert")
FEW = 10
"""A tier with fewer boards says nothing about its middle."""


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("8-1", 0.6),
        ("9-1", 0.75),
        pytest.param("9-2", 0.85, marks=pytest.mark.slow),
        pytest.param("10-2", 0.85, marks=pytest.mark.slow),
    ],
)
def test_grades_rank_like_the_tiers_of_starbattlelab(corpora: Path, kind: str, least: float):
    boards = {
        path: tier for tier in TIERS for path in sorted((corpora / "starbattle" / kind).glob(f"sbl_{kind}-{tier}_*"))
    }
    if not boards:
        pytest.skip(f"no graded boards in {corpora}")
    tiers = [float(TIERS.index(tier)) for tier in boards.values()]
    grades = [grade_of_board(path) for path in boards]
    assert rank_correlation(tiers, grades) >= least
    # the constants were fitted on every other board of a tier; on the boards between, each tier is harder than the last
    kept = {
        tier: [grade for grade, other in zip(grades, boards.values(), strict=True) if other == tier] for tier in TIERS
    }
    medians = [median(found[1::2]) for found in kept.values() if len(found) >= FEW]
    assert len(medians) >= 3
    assert all(left + 2 <= right for left, right in pairwise(medians)), medians


# Paths of real puzzles.


def marks_of(hint: Hint, size: int) -> list[tuple[int, bool]]:
    """Return each cell a hint decides, and whether it is a star."""
    return [(row * size + col, key == "stars") for key in ("stars", "crosses") for row, col in hint.data.get(key, ())]


@pytest.mark.slow
@pytest.mark.corpus
def test_real_puzzles_are_walked_to_their_end(corpora: Path):
    files = [
        path
        for path in sorted((corpora / "starbattle").glob("*/*.txt"))
        if int(path.parent.name.partition("-")[0]) <= 11
    ][::8]
    if not files:
        pytest.skip(f"no Star Battle puzzles in {corpora}")
    nested = tens = 0
    for path in files:
        puzzle = solvent.load(path)
        unique = solvent.ask(puzzle, "unique", proof=False, nodes=100_000).verdict is Verdict.YES
        every = sat_solutions(puzzle, most=50)
        told = list(solvent.hints(puzzle, path=True))
        for hint in told:
            for cell, star in marks_of(hint, puzzle.size):
                assert all((cell in solution) == star for solution in every), (path.name, hint.caption)
        if unique:
            assert told[-1].data == {"news": "solved"}, path.name
            stars = {cell for hint in told for cell, star in marks_of(hint, puzzle.size) if star}
            assert is_solution(puzzle, frozenset(stars)), path.name
        else:
            assert told[0].data["news"] == "several solutions", path.name
            assert told[-1].reason is not None, path.name
        if puzzle.size == 10:
            tens += 1
            nested += any(hint.data.get("technique") == "nested hypothesis" for hint in told)
    assert tens > 0
    assert nested <= 0.05 * tens
