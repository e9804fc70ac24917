"""The solutions of a board with other borders, as many as are wanted."""

from __future__ import annotations

from solvent.core.answer import Cause, Reason
from solvent.core.budget import Meter
from solvent.core.errors import LimitReached
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import Ending, Search

NODES_A_BOARD = 200_000
"""Positions to visit on one board; one that takes more ends the work, as nothing is guessed."""


def solutions_of(puzzle: Puzzle, regions: tuple[int, ...], most: int, meter: Meter) -> list[tuple[int, ...]]:
    """Return up to so many solutions of the board with these regions and no marks; all of them if they are fewer.

    What cannot be decided raises LimitReached.
    """
    search = Search(Puzzle(puzzle.size, puzzle.stars, regions, UNKNOWN * len(regions)))
    part = meter.part(nodes=NODES_A_BOARD)
    found: list[tuple[int, ...]] = []
    while len(found) < most:
        ending = search.run(min(most, len(found) + 2), part)
        while len(found) < search.found:  # the kernel keeps the latest two
            found.append(search.solution(len(found)))
        if ending is Ending.EXHAUSTED:
            break
        if ending is not Ending.FOUND:
            meter.book(0)
            raise LimitReached(Reason(Cause.NODES, f"limit {NODES_A_BOARD} a board"))
    return found
