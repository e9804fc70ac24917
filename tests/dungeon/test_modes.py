"""The kernels give the same answers with bounds checked and without compiling; run with `make test-modes`."""

from __future__ import annotations

import pytest
from torture.judges.dungeon import truth

import solvent
from dungeon.dungeons import dungeon_of
from dungeon.strategies import random_dungeon
from solvent.core.examples import Example

EXAMPLES = solvent.examples("dungeon")
pytestmark = pytest.mark.modes


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
def test_every_example_is_answered(example: Example):
    dungeon = solvent.parse(example.text)
    for question, verdict in example.expected.items():
        assert solvent.ask(dungeon, question).verdict is verdict


@pytest.mark.parametrize("seed", range(20))
def test_random_dungeons_have_plans_of_the_right_length(seed: int):
    dungeon = random_dungeon(seed)
    known = truth(dungeon)
    assert solvent.ask(dungeon, "solvable").stats.get("plan_length") == known.plan
    assert solvent.ask(dungeon, "losable").stats.get("walk_length") == known.lost


PREFERENCES = (
    {"points": "key + lock", "macro_tries": 1, "profile": True},
    {"points": "all", "avoid": "monster 2 + oneway", "profile": True},
    {"macros": False, "avoid": "lock + stairs", "supply": True},
    {"alpha": 0.5, "beta": 1, "supply": True, "areas": False},
)


@pytest.mark.parametrize("seed", range(12))
def test_preferences_change_no_length(seed: int):
    dungeon = random_dungeon(seed)
    known = truth(dungeon)
    for options in PREFERENCES:
        assert solvent.ask(dungeon, "solvable", **options).stats.get("plan_length") == known.plan
        assert solvent.ask(dungeon, "losable", **options).stats.get("walk_length") == known.lost


def test_not_one_move():
    dungeon = dungeon_of("@#G")
    for options in ({}, *PREFERENCES):
        assert solvent.ask(dungeon, "losable", **options).stats["walk_length"] == 0
