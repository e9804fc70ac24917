"""Whatever step the checker accepts is true in every solution: random witnesses of each technique against brute force.

The witnesses are made here, blindly: random units, random covers, random cells. Most show nothing and are refused.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from torture.certificates.starbattle.suppositions import MAKERS, rectangle_puzzle, stepped, uniqueness_witness, without
from torture.certificates.starbattle.witnesses import Position, Witness
from torture.instances.starbattle import solvable_puzzle
from torture.judges.starbattle import all_solutions

from helpers.depth import up_to
from solvent.core.answer import Verdict
from solvent.proof.certificate import make_certificate
from solvent.starbattle.checker import violations
from solvent.starbattle.checker.steps import TECHNIQUES
from solvent.starbattle.checker.steps.board import NotShown, board_of
from solvent.starbattle.model import Puzzle
from starbattle.brute_force import solutions


class Trial(Position):
    """Hold a board with its solutions."""

    def __init__(self, dice: Random, puzzle: Puzzle) -> None:
        super().__init__(dice, puzzle)
        self.board = board_of(puzzle)
        found = all_solutions(puzzle)
        assert found
        self.ever = {divmod(cell, self.size) for cells in found for cell in cells}
        self.always = {divmod(cell, self.size) for cell in frozenset.intersection(*found)}


SIZES = ((4, 1), (5, 1), (6, 1), (6, 1), (7, 1), (8, 2), (8, 1), (9, 2))


def trials(seed: int, count: int) -> Iterator[Trial]:
    """Make boards with a solution and marks that agree with it, regions connected or not."""
    dice = Random(seed)
    for number in range(count):
        size, stars = SIZES[number % len(SIZES)]
        marks = dice.randrange(size**2 * 2 // 3)
        yield Trial(dice, solvable_puzzle(dice, size, stars, connected=dice.randrange(3) > 0, marks=marks))


def spoilt(dice: Random, witness: Witness, size: int) -> Witness:
    """Change one thing somewhere in a witness: a number, a word, a list that loses or repeats a part."""
    changed = msgspec.json.decode(msgspec.json.encode(witness))
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [changed]
    while waiting:
        value = waiting.pop()
        for key in value if isinstance(value, dict) else range(len(value)):
            places.append((value, key))
            if isinstance(value[key], dict | list):
                waiting.append(value[key])
    holder, key = dice.choice(places)
    value = holder[key]
    if isinstance(value, int):
        holder[key] = dice.choice([value + 1, max(0, value - 1), dice.randrange(size)])
    elif isinstance(value, str):
        words = ("row", "column", "region", "rows", "columns", "star", "cross", "tiling", "exact fill")
        holder[key] = dice.choice(words)
    elif isinstance(value, list) and value and dice.randrange(2):
        value.pop(dice.randrange(len(value)))
    elif isinstance(value, list) and value:
        value.insert(dice.randrange(len(value) + 1), copy.deepcopy(dice.choice(value)))
    return changed


def assert_true_if_accepted(trial: Trial, technique: str, witness: Witness) -> bool:
    """See that all a witness shows is true; returns whether it shows anything."""
    try:
        found = TECHNIQUES[technique](trial.board, witness)
    except (NotShown, msgspec.ValidationError):
        return False
    shown = (trial.puzzle, technique, witness)
    assert found.stars <= trial.always, shown
    assert not found.crosses & trial.ever, shown
    step = stepped(trial.puzzle, technique, witness)
    if step is None:
        return False
    assert (
        violations(trial.puzzle, make_certificate("starbattle", "forced", Verdict.YES, "explained step", **step)) == []
    )
    return True


def run(technique: str, seed: int, boards: int, most: int = 400) -> Counter[str]:
    """Try witnesses on boards, as they are and spoilt, until so many were accepted."""
    counts: Counter[str] = Counter()
    for trial in trials(seed, boards):
        for witness in MAKERS[technique](trial):
            counts["tried"] += 1
            if assert_true_if_accepted(trial, technique, witness):
                counts["accepted"] += 1
                for _ in range(3):
                    counts["spoilt"] += 1
                    changed = spoilt(trial.dice, witness, trial.size)
                    counts["spoilt and accepted"] += assert_true_if_accepted(trial, technique, changed)
        if counts["accepted"] >= most:
            break
    return counts


def test_every_technique_has_a_maker():
    assert set(MAKERS) | {"uniqueness"} == set(TECHNIQUES)


def test_the_fillings_agree_with_brute_force():
    for trial in trials(3, 10):
        if trial.size < 8:
            assert set(all_solutions(trial.puzzle)) == set(solutions(trial.puzzle))
        assert trial.open == sorted(trial.board.open)
        assert trial.needs == dict(trial.board.needs)


@pytest.mark.parametrize("technique", MAKERS)
def test_what_is_accepted_is_true(technique: str):
    least = up_to(10, deep=20) if "hypothesis" in technique else up_to(25, deep=50)
    counts = run(technique, 11, 160, most=least)
    assert counts["accepted"] >= least
    assert counts["spoilt"] - counts["spoilt and accepted"] >= least


@pytest.mark.slow
@pytest.mark.parametrize("technique", MAKERS)
def test_what_is_accepted_is_true_on_many_boards(technique: str):
    least = up_to(25, deep=100) if "hypothesis" in technique else up_to(60, deep=250)
    counts = run(technique, 12, up_to(300, deep=800), most=4 * least)
    assert counts["accepted"] >= least


# Uniqueness: the only technique whose witness takes a refutation


def run_uniqueness(seed: int, boards: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    dice = Random(seed)
    for number in range(boards):
        size, stars = ((4, 1), (5, 1), (6, 1), (9, 2))[number % 4]
        puzzle, star, opposite = rectangle_puzzle(dice, size, stars)
        trial = Trial(dice, puzzle)
        found = all_solutions(without(puzzle, star))
        witness = uniqueness_witness(puzzle, star, opposite)
        shown = assert_true_if_accepted(trial, "uniqueness", witness)
        assert not shown or len(found) == 1
        counts["accepted"] += shown
        counts["accepted with two stars"] += shown and stars == 2
        counts["of several"] += len(found) > 1
        for _ in range(3):
            counts["spoilt and accepted"] += assert_true_if_accepted(trial, "uniqueness", spoilt(dice, witness, size))
    return counts


def test_what_uniqueness_shows_is_true():
    counts = run_uniqueness(21, 200)
    assert counts["accepted"] >= 7
    assert counts["of several"] >= 5


@pytest.mark.slow
def test_what_uniqueness_shows_is_true_on_many_boards():
    boards = up_to(2_000, deep=8_000)
    counts = run_uniqueness(22, boards)
    assert counts["accepted"] >= boards // 27
    assert counts["accepted with two stars"] >= 1
