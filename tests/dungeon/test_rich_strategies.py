"""The random dungeons with every mechanic: each mechanic occurs, and makes a difference often enough to be a test."""

from __future__ import annotations

from collections import Counter

import pytest
from torture.instances.plainer_dungeon import WITHOUT, Difference
from torture.judges.dungeon import verdict

from dungeon.strategies import random_rich_dungeon

SEEDS = range(300)
FEW = range(100)
QUESTIONS = ("solvable", "losable", "collectable", "accessible", "monotone")


@pytest.mark.slow
@pytest.mark.parametrize("mechanic", WITHOUT)
def test_every_mechanic_changes_verdicts(mechanic: str):
    found = [Difference(random_rich_dungeon(seed), mechanic) for seed in SEEDS]
    assert sum(one.verdicts for one in found) >= 8


def test_every_mechanic_makes_a_difference_somewhere():
    dungeons = [random_rich_dungeon(seed) for seed in FEW]
    assert [name for name in WITHOUT if not any(Difference(one, name).lengths for one in dungeons)] == []


@pytest.mark.slow
def test_every_question_has_both_answers_often():
    seen: Counter[tuple[str, bool]] = Counter()
    for seed in SEEDS:
        for question in QUESTIONS:
            seen[question, verdict(random_rich_dungeon(seed), question)] += 1
    assert min(seen[question, answer] for question in QUESTIONS for answer in (True, False)) >= len(SEEDS) // 10
    assert min(seen[question, answer] for question in QUESTIONS[:2] for answer in (True, False)) >= len(SEEDS) // 5
