"""The answers to the bundled examples, byte for byte as they were last looked at."""

from __future__ import annotations

import json

import pytest

import solvent
from harmony.brute_force import plan_solves
from harmony.regenerate_golden import GOLDEN, examples, golden_text


def test_there_is_one_golden_file_for_each_example():
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(examples())


@pytest.mark.parametrize("name", examples())
def test_the_answer_is_the_golden_one(name: str):
    assert golden_text(examples()[name]) == (GOLDEN / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", examples())
def test_the_golden_certificate_is_right(name: str):
    """An old certificate stays good: anyone may have kept one."""
    told = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    board = solvent.parse(examples()[name].text)
    assert told["verdict"] == examples()[name].expected["solvable"].value
    solvent.check(board, told["certificate"])
    if told["verdict"] == "YES":
        assert plan_solves(board, told["certificate"]["plan"])
