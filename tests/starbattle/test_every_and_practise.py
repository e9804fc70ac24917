"""All steps there are now, technique by technique; and positions to practise a technique on, the answer kept back."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest

import solvent
from helpers.command import Run
from solvent.core.errors import BadOption
from solvent.core.hints import Hint
from solvent.starbattle.generator import generate
from solvent.starbattle.hints.techniques import difficulties
from solvent.starbattle.model import STAR, UNKNOWN, Puzzle
from starbattle.plain_sat import sat_solutions

BOARDS = [(6, 1, 3), (8, 1, 5), (10, 2, 3)]


def board(seed: int = 3) -> Puzzle:
    return generate(size=10, stars=2, seed=seed)


@pytest.mark.parametrize(("size", "stars", "seed"), BOARDS)
def test_every_step_is_right_and_none_is_taken(size: int, stars: int, seed: int):
    puzzle = generate(size=size, stars=stars, seed=seed)
    [solution] = sat_solutions(puzzle, most=2)
    steps = list(solvent.hints(puzzle, every=True))
    assert len(steps) > 3
    for hint in steps:
        assert hint.alternative
        assert hint.move is not None
        solvent.check(puzzle, hint.certificate)  # on the board as it is, not after the steps before
        assert all((row * size + col) in solution for row, col in hint.data["stars"])
        assert not any((row * size + col) in solution for row, col in hint.data["crosses"])
    assert len({hint.caption for hint in steps}) == len(steps)


def test_steps_are_grouped_by_technique_from_easy_to_hard():
    steps = list(solvent.hints(board(), every=True))
    groups = [name for name, _ in groupby(steps, key=lambda hint: hint.data["technique"])]
    hard = [difficulties()[name] for name in groups]
    assert len(groups) == len(set(groups)) >= 3
    assert hard == sorted(hard)


def test_the_command_names_each_technique_once(run: Run, empty_folder: Path):
    Path("board.txt").write_text(solvent.format(board(), "grid"))
    ran = run("hint", "board.txt", "--every", "--level", "cells")
    titles = [title for title, _ in groupby(hint.technique for hint in solvent.hints(board(), every=True))]
    assert ran.code == 0
    assert [ran.out.splitlines().count(f"{title}:") for title in titles] == [1] * len(titles)
    assert not any(f"  {title}." in run("hint", "board.txt", "--every").out.splitlines() for title in titles)


def exercise(technique: str) -> tuple[Puzzle, Hint]:
    """Return the first board that needs a technique, and what there is to practise."""
    for seed in range(40):
        puzzle = board(seed)
        [hint] = solvent.hints(puzzle, practise=technique)
        if hint.reason is None:
            return puzzle, hint
    raise AssertionError(technique)


@pytest.mark.parametrize("technique", ["reserved area", "exclusion", "pressured exclusion"])
def test_an_exercise_needs_its_technique_and_keeps_the_answer_back(technique: str):
    puzzle, hint = exercise(technique)
    assert hint.caption.startswith("Your turn: find the step by ")
    assert (hint.move, hint.proof, hint.certificate) == (None, "", None)
    assert not {"stars", "crosses", "witness"} & set(hint.data)
    [solution] = sat_solutions(puzzle, most=2)
    marks = hint.data["marks"]
    assert all((mark == STAR) == (cell in solution) for cell, mark in enumerate(marks) if mark != UNKNOWN)
    there = Puzzle(puzzle.size, puzzle.stars, puzzle.regions, marks)
    step = next(solvent.hints(there))
    assert step.data["technique"] == technique  # nothing easier helps
    [told] = solvent.hints(puzzle, practise=technique, answer=True)
    assert told.data["marks"] == marks
    assert told.data["stars"] or told.data["crosses"]
    assert told.proof


def test_a_board_that_never_needs_it_says_so():
    [hint] = solvent.hints(generate(size=6, stars=1, seed=3), practise="n-rooks")
    assert hint.caption == "This board never needs N-rooks."
    assert 'solvent generate starbattle --technique "n-rooks"' in hint.narrative
    with pytest.raises(BadOption):
        list(solvent.hints(board(), practise="guessing"))


def test_a_board_that_never_needs_it_has_the_exit_code_of_no_hint_whatever_is_said_before(run: Run, empty_folder: Path):
    for name, news in (("two_stars", False), ("two_ways", True)):
        Path("board.txt").write_text(run("examples", "starbattle", name).out)
        ran = run("hint", "board.txt", "--practise", "n-rooks")
        assert (ran.code, "never needs" in ran.out, "more than one solution" in ran.out) == (20, True, news)


def test_an_exercise_from_the_command(run: Run, empty_folder: Path):
    puzzle, hint = exercise("exclusion")
    Path("board.txt").write_text(solvent.format(puzzle, "grid"))
    ran = run("hint", "board.txt", "--practise", "exclusion")
    assert (ran.code, hint.caption in ran.out, "Proof" in ran.out) == (0, True, False)
    [said] = json.loads(run("hint", "board.txt", "--practise", "exclusion", "--json").out)["hints"]
    assert (said["move"], said["proof"], said["certificate"]) == (None, "", None)
    assert said["data"]["marks"] == hint.data["marks"]
