"""What the golden files say, held against every solution there is."""

from __future__ import annotations

import pytest

import solvent
from golden import golden_answers
from starbattle.brute_force import is_solution, solutions
from starbattle.plain_sat import sat_solutions

EXAMPLES = {example.name: example for example in solvent.examples("starbattle")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_golden_verdicts_and_stars_are_right(name: str):
    told = golden_answers("starbattle", name)
    puzzle = solvent.parse(EXAMPLES[name].text)
    every = solutions(puzzle) if puzzle.stars == 1 else sat_solutions(puzzle, most=2)
    assert (told["solvable"]["verdict"] == "YES") == (len(every) > 0)
    assert (told["unique"]["verdict"] == "YES") == (len(every) == 1)
    if every:
        stars = told["solvable"]["certificate"]["stars"]
        assert is_solution(puzzle, frozenset(row * puzzle.size + col for row, col in stars))
