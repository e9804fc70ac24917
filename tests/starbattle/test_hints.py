"""Hints as a player gets them: one cell with its reason, the same every time, step after step to the solution."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest
from torture.instances.starbattle import solvable_puzzle

import solvent
from helpers.marks import slow
from solvent.core.answer import Cause
from solvent.core.errors import UnsoundAnswer
from solvent.core.hints import Hint
from solvent.starbattle.cells import format_cell, parse_move
from solvent.starbattle.checker.chain import take_step
from solvent.starbattle.drawing import draw_svg
from solvent.starbattle.generator import generate
from solvent.starbattle.hints import steps
from solvent.starbattle.hints.application import Application, Work
from solvent.starbattle.hints.position import Position, position_of
from solvent.starbattle.hints.steps import SearchRecord, StepLimits, next_step
from solvent.starbattle.hints.techniques import neighbour, titles
from solvent.starbattle.hints.verifier import Verifier
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.plain_sat import sat_solutions

KINDS = [(6, 1), (8, 1), (9, 2), (10, 2)]


@functools.cache
def hard_board() -> Puzzle:
    """Return a board that needs suppositions, so that the whole catalogue is looked through."""
    return generate(size=10, stars=2, seed=2)


def solution_of(puzzle: Puzzle) -> frozenset[int]:
    [solution] = sat_solutions(puzzle, most=2)
    return solution


def as_json(hint: Hint) -> dict[str, Any]:
    return {
        "caption": hint.caption,
        "move": hint.move,
        "narrative": hint.narrative,
        "where": hint.where,
        "technique": hint.technique,
        "proof": hint.proof,
        "certificate": hint.certificate,
        "data": dict(hint.data),
    }


def decided(hint: Hint, size: int) -> dict[int, str]:
    """Return the cells a hint marks."""
    return {
        row * size + col: mark
        for key, mark in (("stars", STAR), ("crosses", CROSS))
        for row, col in hint.data.get(key, ())
    }


# What a hint says.


def test_one_cell_by_default():
    for size, stars in KINDS:
        for hint in islice(solvent.hints(generate(size=size, stars=stars, seed=7)), 20):
            assert decided(hint, size) == dict([parse_move(hint.move, size)])


def test_all_gives_every_cell_that_follows():
    more = 0
    for size, stars in KINDS:
        for seed in range(5):
            puzzle = generate(size=size, stars=stars, seed=seed)
            one, every = next(solvent.hints(puzzle)), next(solvent.hints(puzzle, all=True))
            assert one.technique == every.technique
            assert decided(one, size).items() <= decided(every, size).items()
            assert every.data["verification"]["cells"] == len(decided(every, size))
            solution = solution_of(puzzle)
            assert all((cell in solution) == (mark == STAR) for cell, mark in decided(every, size).items())
            more += len(decided(every, size)) > 1
    assert more > 10


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_a_hint_says_where_what_and_why(size: int, stars: int):
    puzzle = generate(size=size, stars=stars, seed=11)
    for options in ({}, {"path": True}):
        for hint in solvent.hints(puzzle, **options):
            if hint.move is None:
                continue
            cells = decided(hint, size)
            cell, mark = parse_move(hint.move, size)
            assert cells[cell] == mark
            assert "\n" not in hint.caption + hint.narrative + hint.where
            assert hint.caption.startswith("r")
            assert all(told.endswith(".") for told in (hint.caption, hint.narrative, hint.where))
            assert hint.where.startswith(("Look at ", "Look around "))
            assert not any(format_cell(cell, size) + "." in hint.where for cell in cells)  # it gives nothing away
            assert hint.technique == hint.data["title"]
            counted = hint.data["technique"] == "hypothesis" and not hint.data["witness"]["steps"]
            assert hint.technique == ("Exclusion by counting" if counted else titles()[hint.data["technique"]])
            assert all(line.endswith(".") and line == line.strip() for line in hint.proof.splitlines())
            assert len(hint.proof.splitlines()) >= 3
            assert hint.certificate is not None
            assert hint.certificate["form"] == "explained step"
            assert hint.certificate["witness"] == hint.data["witness"]
            assert json.loads(json.dumps(as_json(hint))) == as_json(hint)  # JSON values and nothing else


def test_highlights_are_pairs_from_zero():
    keys = {"causes", "removals", "stars", "rows", "columns", "regions", "blocks"}
    seen = dict.fromkeys(keys, 0)
    for hint in solvent.hints(hard_board(), path=True):
        if hint.move is None:
            continue
        highlights = hint.data["highlights"]
        assert set(highlights) == keys
        for key in ("causes", "removals", "stars", "blocks"):
            for row, col in highlights[key]:
                assert 0 <= row < hard_board().size
                assert 0 <= col < hard_board().size
        for key in ("rows", "columns", "regions"):
            assert highlights[key] == sorted(set(highlights[key]) & set(range(hard_board().size)))
        assert highlights["stars"] == hint.data["stars"]
        assert highlights["removals"] == hint.data["crosses"]
        assert any(highlights[key] for key in ("causes", "rows", "columns", "regions"))
        for key in keys:
            seen[key] += bool(highlights[key])
        assert draw_svg(hard_board(), highlights=highlights) != draw_svg(hard_board())
    assert all(seen.values()), seen


# The same input, the same hint.


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_ten_times_the_same_hint(size: int, stars: int):
    puzzle = generate(size=size, stars=stars, seed=3)
    first = [as_json(hint) for hint in islice(solvent.hints(puzzle), 4)]
    for _ in range(9):
        assert [as_json(hint) for hint in islice(solvent.hints(puzzle), 4)] == first


ELSEWHERE = """
import json, sys, solvent
told = solvent.hints(solvent.parse(sys.stdin.read()), path=True)
sys.stdout.write(json.dumps([[hint.caption, hint.where, hint.proof, hint.certificate, hint.data] for hint in told]))
"""


def test_the_same_path_in_every_process():
    told = []
    for seed in ("0", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", ELSEWHERE],
            input=solvent.format(hard_board()),
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        told.append(done.stdout)
    assert told[0] == told[1]
    path = solvent.hints(hard_board(), path=True)
    here = [[hint.caption, hint.where, hint.proof, hint.certificate, hint.data] for hint in path]
    assert json.loads(told[0]) == here
    assert len(here) > 20


# Step after step.


@pytest.mark.parametrize("path", [True, False])
@pytest.mark.parametrize(("size", "stars"), KINDS)
@pytest.mark.parametrize("seed", [20, *slow([21])])
def test_following_the_hints_solves_the_board(size: int, stars: int, path: bool, seed: int):
    puzzle = generate(size=size, stars=stars, seed=seed)
    solution = solution_of(puzzle)
    told = list(solvent.hints(puzzle, path=path))
    for hint in told[:-1]:
        solvent.check(puzzle, hint.certificate)
        before, puzzle = puzzle, take_step(puzzle, hint.certificate)
        changed = {cell: mark for cell, mark in enumerate(puzzle.marks) if mark != before.marks[cell]}
        assert changed == decided(hint, size)
        assert all((cell in solution) == (mark == STAR) for cell, mark in changed.items())
    assert {cell for cell, mark in enumerate(puzzle.marks) if mark == STAR} == solution
    assert (told[-1].caption, told[-1].data) == ("The board is solved.", {"news": "solved"})
    solvent.check(puzzle, told[-1].certificate)
    assert told[-1].certificate["form"] == "stars"


def test_a_hint_can_be_asked_anew_after_each_step():
    """The next hint of the same run, and the first of a new one, are one and the same."""
    puzzle = generate(size=8, stars=1, seed=5)
    for expected in list(solvent.hints(puzzle)):
        hint = next(solvent.hints(puzzle))
        assert as_json(hint) == as_json(expected)
        puzzle = take_step(puzzle, hint.certificate)


def test_a_path_takes_all_a_step_proves_at_once():
    for size, stars in KINDS:
        puzzle = generate(size=size, stars=stars, seed=8)
        path, single = list(solvent.hints(puzzle, path=True)), list(solvent.hints(puzzle))
        assert len(path) < len(single)
        assert [as_json(hint) for hint in path] == [as_json(hint) for hint in solvent.hints(puzzle, all=True)]


def test_a_player_who_marked_at_random_but_rightly_is_led_on():
    random = Random(13)
    for number in range(16):
        size, stars = KINDS[number % 4]
        puzzle = generate(size=size, stars=stars, seed=50 + number)
        solution = solution_of(puzzle)
        marks = [STAR if cell in solution else CROSS for cell in range(size**2)]
        for cell in random.sample(range(size**2), size**2 // 2):
            marks[cell] = UNKNOWN
        told = list(solvent.hints(replace(puzzle, marks="".join(marks)), path=True))
        assert told[-1].data == {"news": "solved"}
        for hint in told:
            assert all((cell in solution) == (mark == STAR) for cell, mark in decided(hint, size).items())


# Uniqueness only for those who ask.


def uniqueness_boards() -> Iterator[Puzzle]:
    """Boards with one solution on which some stars and crosses are marked."""
    random = Random(9)
    while True:
        puzzle = solvable_puzzle(random, random.choice([5, 6]), 1, connected=False)
        if len(found := sat_solutions(puzzle, most=2)) == 1:
            share = random.choice([0.3, 0.5])
            marks = [
                UNKNOWN if random.random() >= share else STAR if cell in found[0] else CROSS
                for cell in range(puzzle.size**2)
            ]
            yield replace(puzzle, marks="".join(marks))


def test_uniqueness_is_argued_only_on_request(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(steps, "BASIC", ())  # else plainer reasons come first
    found = 0
    for puzzle in islice(uniqueness_boards(), 300):
        asked = next(solvent.hints(puzzle, uniqueness=True))
        if asked.technique != "Uniqueness":
            continue
        found += 1
        assert "second solution" in asked.caption
        cell, mark = parse_move(asked.move, puzzle.size)
        assert mark == CROSS
        assert cell not in solution_of(puzzle)
        assert next(solvent.hints(puzzle)).technique != "Uniqueness"
        for options in ({"path": True}, {"path": True, "uniqueness": True}):  # a grade counts logic alone
            assert all(hint.technique != "Uniqueness" for hint in solvent.hints(puzzle, **options))
        if found == 3:
            break
    assert found == 3


# A technique that errs.


def propose(cell: int, mark: str, witness: dict[str, Any]) -> Any:
    """Return a `find` that always proposes one cell."""

    def find(position: Position, work: Work) -> Iterator[Application]:
        bit = position.unknown & 1 << cell
        if bit:
            stars, crosses = (bit, 0) if mark == STAR else (0, bit)
            yield Application("neighbour", stars, crosses, witness, "It is told so.", ("It is told so.",))

    return find


@pytest.mark.parametrize("mark", [STAR, CROSS])
def test_a_lie_is_never_shown(monkeypatch: pytest.MonkeyPatch, mark: str):
    for size, stars in KINDS:
        puzzle = generate(size=size, stars=stars, seed=31)
        cell = next(cell for cell in range(size**2) if (cell in solution_of(puzzle)) == (mark == CROSS))
        told = propose(cell, mark, {"star": [0, 0]})
        truth = next_step(position_of(puzzle), Verifier(), StepLimits(), SearchRecord())
        with monkeypatch.context() as patch:
            patch.setattr(neighbour, "find", told)
            record = SearchRecord()
            assert next_step(position_of(puzzle), Verifier(), StepLimits(), record) == truth
            assert (record.disproved, record.inconclusive) == (1, 0)
            for hint in islice(solvent.hints(puzzle), 10):
                assert "It is told so." not in hint.caption
                assert decided(hint, size).get(cell) != mark


@pytest.mark.parametrize("mark", [STAR, CROSS])
def test_a_forced_cell_with_a_wrong_reason_is_refused(monkeypatch: pytest.MonkeyPatch, mark: str):
    """The check of the opposite lets it pass, for it is forced; the checker reads the witness, and does not."""
    puzzle = generate(size=8, stars=1, seed=31)
    cell = next(cell for cell in range(64) if (cell in solution_of(puzzle)) == (mark == STAR))
    monkeypatch.setattr(neighbour, "find", propose(cell, mark, {"star": [7, 7]}))
    assert next_step(position_of(puzzle), Verifier(), StepLimits(), SearchRecord()) is not None
    with pytest.raises(UnsoundAnswer, match="rejected"):
        next(solvent.hints(puzzle))
    monkeypatch.setattr(neighbour, "find", propose(cell, mark, {"nonsense": None}))
    with pytest.raises(UnsoundAnswer, match="rejected"):
        next(solvent.hints(puzzle))


# What a hint may cost.


def assert_no_hint(hint: Hint, cause: Cause) -> None:
    assert (hint.move, hint.lost, hint.certificate) == (None, False, None)
    assert hint.reason is not None
    assert hint.reason.cause is cause
    assert hint.caption.startswith(("No hint: ", "No further step: ", "No step was found"))
    assert hint.narrative


def test_no_work_no_hint():
    [hint] = solvent.hints(hard_board(), search_work=0, supposing_work=0)
    assert_no_hint(hint, Cause.NODES)
    assert hint.narrative == "The marks are right so far."


def test_without_looking_a_supposition_is_tried():
    hint = next(solvent.hints(hard_board(), search_work=0))
    assert hint.data["technique"] == "hypothesis"
    cell, mark = parse_move(hint.move, hard_board().size)
    assert (cell in solution_of(hard_board())) == (mark == STAR)


@pytest.mark.parametrize(
    ("budget", "cause"), [({"nodes": 0}, Cause.NODES), ({"nodes": 2}, Cause.NODES), ({"seconds": 0}, Cause.TIME)]
)
def test_a_budget_that_is_too_small_is_the_reason(budget: dict[str, float], cause: Cause):
    [hint] = solvent.hints(hard_board(), **budget)
    assert_no_hint(hint, cause)
    assert "not known" in hint.narrative


def test_a_budget_that_ends_between_steps_does_not_doubt_the_marks():
    """Once a step was shown, it is known that the marks are right."""
    ended = 0
    for nodes in range(0, 3_000, 100):
        told = list(islice(solvent.hints(hard_board(), nodes=nodes), 40))
        if told[0].move is not None and told[-1].reason is not None:
            assert_no_hint(told[-1], Cause.NODES)
            assert "not known" not in told[-1].narrative
            ended += 1
    assert ended > 0


def test_a_cancelled_hint_is_none():
    cancellation = solvent.Cancellation()
    cancellation.cancel()
    [hint] = solvent.hints(hard_board(), cancellation=cancellation)
    assert_no_hint(hint, Cause.CANCELLED)
