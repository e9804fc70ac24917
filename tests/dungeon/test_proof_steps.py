"""Proofs of dungeons, taken apart into steps."""

from __future__ import annotations

import json

import pytest

from helpers.examples import load_example
from solvent import asking
from solvent.core.budget import UNLIMITED
from solvent.core.domain import ProofStep
from solvent.dungeon.model import Dungeon
from solvent.dungeon.page.proof_steps import proof_steps
from solvent.dungeon.rules import Game


def steps_of(dungeon: Dungeon, question: str) -> list[ProofStep]:
    certificate = asking.ask(dungeon, question).certificate
    assert certificate is not None
    steps = list(proof_steps(dungeon, certificate, UNLIMITED))
    json.dumps([step.marks for step in steps])
    return steps


def test_a_plan_is_told_from_event_to_event_and_all_its_moves_are_in_it() -> None:
    level = load_example("dungeon", "red_and_blue")
    plan = asking.ask(level, "solvable").certificate["plan"]  # type: ignore[index]
    steps = steps_of(level, "solvable")
    assert [move for step in steps for move in step.marks.get("path", {}).get("moves", [])] == plan
    assert "Take the red key" in steps[0].text
    assert any("That uses a red key." in step.text for step in steps)
    goals = Game(level).goals
    assert tuple(steps[-1].marks["frame"]["place"]) in goals


def test_a_lost_walk_says_which_move_and_why_nothing_opens() -> None:
    steps = [step.text for step in steps_of(load_example("dungeon", "the_wrong_door"), "losable")]
    assert "Open a lock. That uses a key. This is the moment of no return." in " ".join(steps)
    assert "The lock at row 2, column 10 stays shut. That lock needs a key." in " ".join(steps)


def test_a_closed_set_is_told_situation_by_situation() -> None:
    steps = steps_of(load_example("dungeon", "one_bomb_short"), "solvable")
    assert [step.text.split(":")[0] for step in steps[1:3]] == ["Situation 1", "Situation 2"]
    assert steps[-2].marks["rims"] == [1]
    assert steps[-1].text.endswith("The goal is out of reach.")


@pytest.mark.parametrize(
    ("name", "question", "words"),
    [
        ("red_and_blue", "losable", "There is always enough to go on"),
        ("two_plates", "losable", "The numbers go down all the way"),
        ("the_lamp_in_the_dark", "accessible", "no play reaches the lamp"),
        ("the_lamp_in_the_dark", "collectable", "with everything in hand"),
        ("not_yet", "monotone", "cannot be had any more"),
        ("the_wrong_door", "monotone", "having more never takes anything away"),
        ("the_five_seals", "losable", "That gets there"),
    ],
)
def test_every_form_has_steps(name: str, question: str, words: str) -> None:
    assert words in " ".join(step.text for step in steps_of(load_example("dungeon", name), question))
