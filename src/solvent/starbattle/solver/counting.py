"""Count the solutions of a puzzle, up to a limit, and keep the first few."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Budget, Meter
from solvent.core.events import Listener, ignore
from solvent.engine.driver import WORKING, drive
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.solver.search_kernel import EXHAUSTED, FOUND, KEPT_SOLUTIONS, SolutionSearch

MANY = 1 << 62
FIRST_CHUNK = 512
"""Nodes: some 10 ms on the largest boards, so that the first look at the clock comes early."""


class SolutionCount(Struct, frozen=True):
    """Hold what a count saw. Unless it is `complete`, it says nothing about the solutions it did not see."""

    count: int
    """How many solutions were seen."""
    complete: bool
    """True only if every solution was seen."""
    capped: bool
    """True if counting stopped because it had seen as many as it was asked for."""
    timed_out: bool
    """True if counting stopped because the budget was spent: time, nodes, memory, or a cancellation."""
    reason: Reason | None
    """Why it stopped early, if the budget ended it."""
    solutions: tuple[tuple[int, ...], ...]
    """The first solutions, in the order they were found; each the cells of its stars, rising."""
    nodes: int
    """Positions visited."""


class Ending(Enum):
    """Say why a search stopped."""

    FOUND = "found as many as were wanted"
    EXHAUSTED = "there is no more"
    PAUSED = "came to its pause"
    SPENT = "the budget is spent"


_PAUSED = 9
_ENDINGS = {
    WORKING: Ending.SPENT,
    FOUND: Ending.FOUND,
    EXHAUSTED: Ending.EXHAUSTED,
    _PAUSED: Ending.PAUSED,
}


class Search:
    """Go through the solutions of a puzzle one by one. The same puzzle always gives them in the same order."""

    def __init__(self, puzzle: Puzzle, *, by_cases: bool = False) -> None:
        """Begin; with `by_cases` the search writes down what proves that there is no other solution."""
        self.puzzle = puzzle
        self.reason: Reason | None = None
        """Why the budget ended the search, once it has."""
        self.by_cases = by_cases
        self._begun = False
        marks = b"" if puzzle.marks == UNKNOWN * len(puzzle.marks) else puzzle.marks.encode("ascii")
        self._kernel = SolutionSearch(puzzle.size, puzzle.stars, puzzle.regions, marks, by_cases)

    @property
    def nodes(self) -> int:
        """Return how many positions were visited so far."""
        return self._kernel.nodes

    @property
    def found(self) -> int:
        """Return how many solutions were found so far."""
        return self._kernel.found

    def run(self, most: int, meter: Meter, *, pause: int | None = None, listen: Listener = ignore) -> Ending:
        """Go on until `most` solutions were found in all, there is no more, or the budget is spent.

        With `pause` it also stops once this many nodes were visited in all. It can be called again.
        """
        kernel = self._kernel
        if not self._begun and meter.stop_reason() is None:
            # Most boards are decided at once; for those, the driver would cost more than the search.
            self._begun = True
            limit, left = FIRST_CHUNK, meter.nodes_left
            if pause is not None and pause < limit:
                limit = pause
            if left is not None and left < limit:
                limit = left
            status = kernel.run(limit, most)
            meter.spend(kernel.nodes)
            if status != WORKING:
                return _ENDINGS[status]

        def step(limit: int) -> tuple[int, int]:
            before = kernel.nodes
            if pause is not None and limit > pause - before:
                limit = pause - before
                if limit <= 0:
                    return _PAUSED, 0
            status = kernel.run(limit, most)
            return status, kernel.nodes - before

        status, reason = drive(step, meter, first_chunk=FIRST_CHUNK, listen=listen, message="searching")
        if reason is not None:
            self.reason = reason
        return _ENDINGS[status]

    def next(self, meter: Meter, *, listen: Listener = ignore) -> tuple[int, ...] | Reason | None:
        """Return the next solution, None if there is no more, or the reason why the budget ended the search."""
        ending = self.run(self.found + 1, meter, listen=listen)
        return self.solution(self.found - 1) if ending is Ending.FOUND else self.reason

    def solution(self, number: int) -> tuple[int, ...]:
        """Return the cells of the stars of one of the latest solutions, counted from 0."""
        return self._kernel.solution(number)

    def cases(self) -> list[int]:
        """Return the cases of a search `by_cases` that is exhausted, as certificates write them."""
        return self._kernel.written_cases()


def count_solutions(
    puzzle: Puzzle,
    *,
    most: int | None = None,
    keep: int = 2,
    budget: Budget | None = None,
    meter: Meter | None = None,
    listen: Listener = ignore,
) -> SolutionCount:
    """Count the solutions that agree with the marks, but stop at `most`; keep the first `keep` of them.

    One position visited is one node. Give either a budget or a running meter.
    """
    meter = meter or (budget or Budget()).start()
    search = Search(puzzle)
    kept: list[tuple[int, ...]] = []
    ending = Ending.FOUND
    while ending is Ending.FOUND and (most is None or search.found < most):
        # those to be kept must be fetched before later ones take their place
        target = search.found + KEPT_SOLUTIONS if len(kept) < keep else MANY
        ending = search.run(target if most is None else min(target, most), meter, listen=listen)
        while len(kept) < min(keep, search.found):
            kept.append(search.solution(len(kept)))
    return SolutionCount(
        count=search.found,
        complete=ending is Ending.EXHAUSTED,
        capped=ending is Ending.FOUND,
        timed_out=ending is Ending.SPENT,
        reason=search.reason,
        solutions=tuple(kept),
        nodes=search.nodes,
    )
