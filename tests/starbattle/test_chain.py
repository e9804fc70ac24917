"""Chains of explained steps: a whole path is proof that there is one solution, and only a whole one is."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from torture.instances.starbattle import solvable_puzzle

import solvent
from solvent.core.answer import Verdict
from solvent.core.errors import CertificateRejected
from solvent.starbattle.checker.chain import take_step
from solvent.starbattle.generator import generate
from solvent.starbattle.hints import path as paths
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from starbattle.plain_sat import sat_solutions

KINDS = [(5, 1), (6, 1), (8, 1), (9, 2), (10, 2)]
Steps = list[dict[str, Any]]


def chain_of(puzzle: Puzzle) -> dict[str, Any]:
    """Return the chain as a saved file would have it."""
    answer = solvent.ask(puzzle, "unique", explain=True)
    assert answer.verdict is Verdict.YES
    loaded: dict[str, Any] = json.loads(json.dumps(answer.certificate))
    assert loaded["form"] == "explained chain"
    return loaded


def rejection(puzzle: Puzzle, certificate: Any) -> str:
    """Return why a certificate is rejected; fails if it is accepted."""
    with pytest.raises(CertificateRejected) as caught:
        solvent.check(puzzle, certificate)
    return str(caught.value)


@functools.cache
def board() -> Puzzle:
    return generate(size=9, stars=2, seed=1)


@functools.cache
def chain() -> dict[str, Any]:
    return chain_of(board())


def changed(change: Callable[[Steps], object]) -> dict[str, Any]:
    certificate = copy.deepcopy(chain())
    change(certificate["steps"])
    return certificate


# Accepted.


@pytest.mark.parametrize(("size", "stars"), KINDS)
def test_an_explained_answer_is_a_chain(size: int, stars: int):
    for seed in range(3):
        puzzle = generate(size=size, stars=stars, seed=seed)
        answer = solvent.ask(puzzle, "unique", explain=True)
        certificate = answer.certificate
        assert (answer.verdict, certificate["form"], certificate["question"]) == (
            Verdict.YES,
            "explained chain",
            "unique",
        )
        assert answer.because == f"{len(certificate['steps'])} steps, each forced, lead to the only solution."
        solvent.check(puzzle, json.loads(json.dumps(certificate)))
        [solution] = sat_solutions(puzzle, most=2)
        stars_told = [cell for step in certificate["steps"] for cell in step["stars"]]
        assert {row * size + col for row, col in stars_told} == solution
        assert len(stars_told) == len(solution)


def test_a_chain_may_begin_with_marks():
    [solution] = sat_solutions(board(), most=2)
    half = "".join(STAR if cell in solution else UNKNOWN for cell in range(40)) + UNKNOWN * 41
    played = replace(board(), marks=half)
    certificate = chain_of(played)
    solvent.check(played, certificate)
    assert rejection(board(), certificate)
    assert "step 1: " in rejection(played, chain())


def test_a_solved_board_has_a_chain_without_steps():
    [solution] = sat_solutions(board(), most=2)
    solved = replace(board(), marks="".join(STAR if cell in solution else UNKNOWN for cell in range(81)))
    answer = solvent.ask(solved, "unique", explain=True)
    assert (answer.certificate["form"], answer.certificate["steps"]) == ("explained chain", [])
    assert "after the last step" in rejection(board(), answer.certificate)


def test_only_a_unique_board_is_explained():
    random = Random(2)
    puzzle = next(
        puzzle
        for puzzle in iter(lambda: solvable_puzzle(random, 6, 1), None)
        if len(sat_solutions(puzzle, most=2)) == 2
    )
    answer = solvent.ask(puzzle, "unique", explain=True)
    assert (answer.verdict, answer.certificate["form"]) == (Verdict.NO, "two solutions")
    assert solvent.ask(board(), "solvable", explain=True).certificate["form"] == "stars"


def test_where_no_step_is_found_the_answer_has_its_other_proof(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(paths, "next_step", lambda *arguments: None)
    answer = solvent.ask(board(), "unique", explain=True)
    assert (answer.verdict, answer.certificate["form"]) == (Verdict.YES, "only solution")
    assert "the techniques do not find every step" in answer.because


# Rejected.


def test_a_chain_that_lacks_a_star_is_rejected():
    for number, step in enumerate(chain()["steps"]):
        if step["stars"]:
            assert rejection(board(), changed(lambda steps, number=number: steps.pop(number)))


def test_a_chain_that_stops_early_is_rejected():
    last = max(number for number, step in enumerate(chain()["steps"]) if step["stars"])
    for kept in range(last + 1):
        told = rejection(board(), {**chain(), "steps": chain()["steps"][:kept]})
        assert "after the last step" in told


def test_a_step_without_those_before_it_is_rejected():
    rejected = 0
    for number in range(1, len(chain()["steps"])):
        rejected += "step 1: " in rejection(board(), {**chain(), "steps": chain()["steps"][number:]})
    assert rejected > len(chain()["steps"]) / 2


def test_a_step_told_twice_is_rejected():
    for number in range(0, len(chain()["steps"]), 5):
        told = rejection(
            board(), changed(lambda steps, number=number: steps.insert(number, copy.deepcopy(steps[number])))
        )
        assert f"step {number + 2}: " in told
        assert "marked already" in told


def test_a_chain_backwards_is_rejected():
    assert "step 1: " in rejection(board(), changed(lambda steps: steps.reverse()))


@pytest.mark.parametrize(
    "change",
    [
        lambda step: step.update(technique="neighbour" if step["technique"] != "neighbour" else "tiling"),
        lambda step: step.update(technique="no such technique"),
        lambda step: step.update(witness={}),
        lambda step: step.update(stars=step["crosses"], crosses=step["stars"]),
        lambda step: step.update(stars=[], crosses=[]),
        lambda step: step.update(stars=[*step["stars"], [9, 0]]),
        lambda step: step.update(crosses=[*step["crosses"], *step["crosses"]], stars=[*step["stars"], *step["stars"]]),
        lambda step: step.update(more=1),
        lambda step: step.pop("witness"),
        lambda step: step.clear(),
    ],
)
def test_an_altered_step_is_rejected(change: Callable[[dict[str, Any]], object]):
    for number in range(0, len(chain()["steps"]), 4):
        told = rejection(board(), changed(lambda steps, number=number: change(steps[number])))
        assert f"step {number + 1}: " in told or "malformed" in told


def test_no_step_can_say_more_than_it_shows():
    """Add one cell to a step, against the solution: rejected, whichever it is."""
    [solution] = sat_solutions(board(), most=2)
    random = Random(1)
    for number, step in enumerate(chain()["steps"]):
        told = {
            tuple(cell) for before in chain()["steps"][: number + 1] for cell in (*before["stars"], *before["crosses"])
        }
        free = [divmod(cell, 9) for cell in range(81) if divmod(cell, 9) not in told]
        for row, col in random.sample(free, min(3, len(free))):
            key = "crosses" if row * 9 + col in solution else "stars"
            lie = {**step, key: sorted([*step[key], [row, col]])}
            told_of = rejection(board(), changed(lambda steps, number=number, lie=lie: steps.__setitem__(number, lie)))
            assert f"step {number + 1}: " in told_of


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"steps": None}, "a list of steps"),
        ({"steps": {}}, "a list of steps"),
        ({"steps": [1]}, "step 1: "),
        ({"steps": [[]]}, "step 1: "),
        ({"more": 1}, "nothing else"),
        ({"verdict": "NO"}, "can only prove YES"),
        ({"question": "solvable"}, "can only answer unique"),
        ({"question": "forced"}, "can only answer unique"),
    ],
)
def test_a_malformed_chain_is_rejected(change: dict[str, Any], reason: str):
    assert reason in rejection(board(), {**chain(), **change})
    without = {key: value for key, value in chain().items() if key != "steps"}
    assert "a list of steps" in rejection(board(), without)


def test_a_chain_holds_for_its_own_board_only():
    for seed in (2, 3, 4):
        assert rejection(generate(size=9, stars=2, seed=seed), chain())
    assert rejection(generate(size=6, stars=1, seed=1), chain())


# Taking a step.


def test_taking_a_step_makes_its_marks_and_no_others():
    hint = next(solvent.hints(board(), all=True))
    after = take_step(board(), hint.certificate)
    told = {
        row * 9 + col: mark for key, mark in (("stars", STAR), ("crosses", CROSS)) for row, col in hint.certificate[key]
    }
    assert told
    assert after.marks == "".join(told.get(cell, UNKNOWN) for cell in range(81))
    assert replace(after, marks=board().marks) == board()


def test_what_is_no_step_changes_nothing():
    for certificate in (chain(), solvent.ask(board()).certificate, solvent.ask(board(), "unique").certificate):
        assert take_step(board(), certificate) is board()
