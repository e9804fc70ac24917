"""How hard a puzzle is for a person, judged by the path of steps that solves it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.core.hints import Grade, Hint
from solvent.starbattle.hints.techniques import difficulties, titles

GRADE_LIMITS = ((25, "very easy"), (33, "easy"), (45, "medium"), (65, "hard"), (85, "very hard"), (100, "fiendish"))
"""The highest number of each grade, and its name."""
POINTS, OFFSET = 3.2, -10.0
"""These spread what real puzzles give over 1 to 100."""
OPENING = 0.75
"""What it adds when the steps before the first star double in number. With it grades agree best with the tiers that
people gave to half of the published boards; the other half was kept to measure that."""
FIRST_STAR = "exact fill"
"""The technique that places most stars."""
TILING = "tiling"
"""The technique that easy puzzles differ by: two blocks to find are more than one."""
ROUTINE = 3.0
"""Techniques easier than this are routine, and cost nothing."""


class StepEffort(Struct, frozen=True):
    """Hold what counts of a step: how hard its technique is, and how long its argument."""

    technique: str
    title: str
    difficulty: float
    length: int
    """How many arguments it takes: 1, for a tiling its blocks, for a supposition one more than the steps after it."""


def grade_of(steps: Sequence[StepEffort]) -> Grade:
    """Grade a path from its first to its last step.

    What makes a puzzle hard is first its hardest step, then how much there is of hard steps in all, and how long it
    takes to the first star; the more there is of them, the less one more adds.
    """
    hardest = max(steps, key=lambda step: (step.difficulty, step.length))
    opening = next((index for index, step in enumerate(steps) if step.technique == FIRST_STAR), len(steps))
    number = _number(hardest.difficulty, sum(step_cost(step) for step in steps), opening)
    return Grade(number, word_for(number), hardest.title, len(steps))


def _number(hardest: float, effort: float, opening: int) -> int:
    hard = hardest + math.log2(1 + effort) + OPENING * math.log2(1 + opening)
    return min(100, max(1, round(POINTS * hard + OFFSET)))


def hardest_for(word: str) -> float:
    """Return how hard the techniques of a puzzle can be at most for a grade with this name."""
    highest = next(highest for highest, other in GRADE_LIMITS if other == word)
    return max(difficulty for difficulty in difficulties().values() if _number(difficulty, difficulty**2, 0) <= highest)


def grade_path(path: Sequence[Hint]) -> Grade | None:
    """Grade a puzzle by all its hints; None if they do not lead to the end."""
    if not path or path[-1].data.get("news") != "solved":
        return None
    steps = [effort_of_step(hint.data["technique"], hint.data["witness"]) for hint in path if hint.move is not None]
    return grade_of(steps) if steps else None


def effort_of_step(technique: str, witness: Mapping[str, Any]) -> StepEffort:
    """Return what a step takes a person, judged by its technique and witness."""
    length = len(witness["blocks"]) if technique == TILING else _length(witness)
    return StepEffort(technique, titles()[technique], difficulties()[technique], length)


def _length(witness: Mapping[str, Any]) -> int:
    """Return how many arguments follow each other: one, and for a supposition those of its steps."""
    if "steps" not in witness and "proof" in witness:  # a search: longer with each doubling of its proof
        return 1 + 2 * str(witness["proof"]).count("\n").bit_length()
    return 1 + sum(_length(step["witness"]) for step in witness.get("steps", ()))


def step_cost(step: StepEffort) -> float:
    """Return what one step costs a person: more for a hard technique, and more the longer it is."""
    if step.difficulty < ROUTINE:
        return 0.0
    return step.difficulty**2 * (1 + 0.5 * (step.length - 1))


def word_for(number: int) -> str:
    """Return the name of the grade for a number from 1 to 100."""
    return next(word for highest, word in GRADE_LIMITS if number <= highest)
