"""Go through every completion of a puzzle and say what they have in common: what the techniques are measured by."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from solvent.core.budget import Budget
from solvent.core.events import Listener, ignore
from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.counting import Search


class Common(Enum):
    """What all completions say about a cell."""

    ALWAYS_STAR = "always star"
    ALWAYS_EMPTY = "always empty"
    VARIABLE = "variable"
    """Completions differ, or not all of them were seen, or there is none."""


class CompletionAnalysis(Struct, frozen=True):
    """Hold what the completions of a puzzle have in common."""

    cells: tuple[Common, ...]
    """One for each cell. Unless the analysis is complete, all are VARIABLE: a sample proves nothing."""
    count: int
    """How many completions were seen."""
    complete: bool
    """True only if every completion was seen."""
    timed_out: bool
    """True if the budget ended it: time, nodes, memory, or a cancellation."""
    capped: bool
    """True if it ended because it had seen as many as it was asked for."""


def analyse_completions(
    puzzle: Puzzle, *, most: int, budget: Budget | None = None, listen: Listener = ignore
) -> CompletionAnalysis:
    """Go through the completions that keep the marks, but stop at `most`, and compare them cell by cell.

    One position visited is one node. A puzzle without any completion has only VARIABLE cells as well.
    """
    meter = (budget or Budget()).start()
    search = Search(puzzle)
    every = set(range(puzzle.size**2))
    some: set[int] = set()
    count = 0
    while count < most:
        found = search.next(meter, listen=listen)
        if found is None:
            return CompletionAnalysis(_compare(puzzle, every, some, count), count, True, False, False)
        if not isinstance(found, tuple):
            return CompletionAnalysis(_nothing(puzzle), count, False, True, False)
        count += 1
        every.intersection_update(found)
        some.update(found)
    return CompletionAnalysis(_nothing(puzzle), count, False, False, True)


def _compare(puzzle: Puzzle, every: set[int], some: set[int], count: int) -> tuple[Common, ...]:
    if count == 0:
        return _nothing(puzzle)
    return tuple(
        Common.ALWAYS_STAR if cell in every else Common.VARIABLE if cell in some else Common.ALWAYS_EMPTY
        for cell in range(puzzle.size**2)
    )


def _nothing(puzzle: Puzzle) -> tuple[Common, ...]:
    return (Common.VARIABLE,) * puzzle.size**2
