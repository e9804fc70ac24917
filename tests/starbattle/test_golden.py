"""The answers to the bundled examples, byte for byte as they were last looked at."""

from __future__ import annotations

import json

import pytest

import solvent
from starbattle.brute_force import is_solution, solutions
from starbattle.plain_sat import sat_solutions
from starbattle.regenerate_golden import GOLDEN, QUESTIONS, examples, golden_text


def test_there_is_one_golden_file_for_each_example():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(examples())


@pytest.mark.parametrize("name", examples())
def test_the_answers_are_the_golden_ones(name: str):
    assert golden_text(examples()[name]) == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", examples())
def test_the_golden_certificates_are_right(name: str):
    """An old certificate stays good: anyone may have kept one."""
    told = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    puzzle = solvent.parse(examples()[name].text)
    every = solutions(puzzle) if puzzle.stars == 1 else sat_solutions(puzzle, most=2)
    for question in QUESTIONS:
        assert told[question]["verdict"] == examples()[name].expected[question].value
        solvent.check(puzzle, told[question]["certificate"])
    assert (told["solvable"]["verdict"] == "YES") == (len(every) > 0)
    assert (told["unique"]["verdict"] == "YES") == (len(every) == 1)
    if every:
        stars = told["solvable"]["certificate"]["stars"]
        assert is_solution(puzzle, frozenset(row * puzzle.size + col for row, col in stars))
