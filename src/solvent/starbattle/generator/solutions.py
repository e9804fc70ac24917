"""Place stars at random: a full board of them that keeps every rule but the regions', which come later."""

from __future__ import annotations

from dataclasses import replace

from solvent.core.budget import Budget
from solvent.engine.dice import Dice
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import Ending, Search

NODES_A_LOOK = 500
"""Positions to visit before a star is taken to be in the way; leaving it out is always right."""


def random_stars(size: int, stars: int, dice: Dice) -> tuple[int, ...]:
    """Return the cells of a random full set of stars."""
    rows = tuple(cell // size for cell in range(size * size))  # regions that ask for nothing more than the rows do
    puzzle = Puzzle(size, stars, rows, UNKNOWN * (size * size))
    while True:
        found = _fill(puzzle, dice.shuffled(range(size * size)))
        if found is not None:
            return found


def _fill(puzzle: Puzzle, order: list[int]) -> tuple[int, ...] | None:
    """Try stars in the given order; each stays if the board can still be filled with it. None if that misled."""
    marks = puzzle.marks
    for cell in order:
        if marks[cell] != UNKNOWN:
            continue
        attempt = replace(puzzle, marks=marks[:cell] + STAR + marks[cell + 1 :])
        search = Search(attempt)
        if search.run(1, Budget(nodes=NODES_A_LOOK).start()) is Ending.FOUND:
            marks = attempt.marks
        else:
            marks = marks[:cell] + CROSS + marks[cell + 1 :]
    stars = tuple(cell for cell, mark in enumerate(marks) if mark == STAR)
    return stars if len(stars) == puzzle.size * puzzle.stars else None
