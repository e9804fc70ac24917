"""The true verdict of a question about an instance, where the instance is small enough to find it by brute force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from solvent.dungeon.model import Dungeon
from solvent.harmony.model import Board
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.valency.model import Staging
from torture.judges import dungeon, harmony, starbattle, valency

MAX_STATES = 1_500
MAX_FILLS = 5_000


def judge_dungeon(problem: Dungeon, question: str) -> bool | None:
    """Look at every state."""
    if sum(len(row) for floor in problem.floors for row in floor.terrain) > 400:
        return None
    try:
        return dungeon.verdict(problem, question, MAX_STATES)
    except dungeon.TooLarge:
        return None


def judge_harmony(problem: Board, question: str) -> bool | None:  # noqa: ARG001 (there is only one)
    """Try every line of play."""
    try:
        return harmony.can_be_solved(problem, MAX_STATES)
    except harmony.TooLarge:
        return None


def judge_starbattle(problem: Puzzle, question: str) -> bool | None:
    """Look at every way to fill the lines."""
    if (problem.size, problem.stars) not in starbattle.KNOWN_SIZES:
        return None
    solutions = starbattle.all_solutions(problem)
    if question == "forced":
        cell = problem.marks.index(UNKNOWN)
        return len({cell in solution for solution in solutions}) <= 1
    return len(solutions) == 1 if question == "unique" else len(solutions) > 0


def judge_valency(problem: Staging, question: str) -> bool | None:
    """Try every fill; that there is a partial one is no question."""
    if question != "solvable" or valency.node_count(problem.cluster) > 40:
        return None
    twin = valency.Twin(problem)
    if prod(max(1, len(twin.candidates(node))) for node in twin.open) > MAX_FILLS:
        return None
    return valency.is_solvable(problem)


JUDGES: Mapping[str, Callable[..., bool | None]] = {
    "dungeon": judge_dungeon,
    "harmony": judge_harmony,
    "starbattle": judge_starbattle,
    "valency": judge_valency,
}
"""Each returns whether the answer is YES, or None if the instance is too large."""
