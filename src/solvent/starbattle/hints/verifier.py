"""Verify that a mark is forced: no completion of the puzzle has the opposite mark, and the search saw that to its end.

Techniques propose; this decides. A search that stopped early, for whatever reason, has decided nothing.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from enum import Enum

from msgspec import Struct

from solvent.core.answer import Reason
from solvent.core.budget import Budget, Meter
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.solver.counting import count_solutions

VERIFY_NODES = 10_000
"""Positions one check may visit: about a quarter of a second on the largest boards, where a node takes 25 µs."""
VERIFY_SECONDS = 5.0
"""A ceiling for slow machines. It can only make a check INCONCLUSIVE, never change what a finished one says."""
MAX_REMEMBERED = 4096
"""Checks that are remembered; the one not asked for the longest goes first."""


class Status(Enum):
    """What a check found out."""

    PROVED = "proved"
    """Every completion has the mark: the search for one with the opposite mark ended and found none."""
    DISPROVED = "disproved"
    """A completion with the opposite mark exists."""
    INCONCLUSIVE = "inconclusive"
    """The search stopped before it knew. The mark must not be called forced."""


class Verification(Struct, frozen=True):
    """Hold the outcome of one check."""

    status: Status
    cell: int
    value: str
    """The mark that was checked: STAR or CROSS."""
    solutions_seen: int
    """Completions seen with the opposite mark."""
    timed_out: bool
    """True if the budget ended the search: nodes, the ceiling in seconds, or a cancellation."""
    capped: bool
    """True if the search ended because it had seen a completion; it needs to see only one."""
    nodes: int
    """Positions visited."""
    reason: Reason | None = None
    """Why the search stopped early, if it did."""


_Key = tuple[int, int, tuple[int, ...], str, int, str, int]


class Verifier:
    """Check marks, and remember what was decided until a mark on the board changes."""

    def __init__(self, *, most_remembered: int = MAX_REMEMBERED) -> None:
        self.hits = 0
        """Checks answered from memory."""
        self.misses = 0
        """Checks that had to search."""
        self._most_remembered = most_remembered
        self._remembered: OrderedDict[_Key, Verification] = OrderedDict()
        self._marks = ""

    def __len__(self) -> int:
        """Return how many checks are remembered."""
        return len(self._remembered)

    def clear(self) -> None:
        """Forget every check."""
        self._remembered.clear()

    def verify(
        self,
        puzzle: Puzzle,
        cell: int,
        value: str,
        *,
        nodes: int = VERIFY_NODES,
        meter: Meter | None = None,
    ) -> Verification:
        """Check whether every completion of the puzzle with its marks has this mark on this cell.

        On a board whose marks allow no completion at all every mark is forced; ask about that first. Whatever else
        happens, an INCONCLUSIVE check is not remembered: with more luck or a larger budget it may come out otherwise.
        The positions it visits, at most `nodes`, are booked with the meter.
        """
        if puzzle.marks != self._marks:
            self.clear()
            self._marks = puzzle.marks
        key = (puzzle.size, puzzle.stars, puzzle.regions, puzzle.marks, cell, value, nodes)
        known = self._remembered.get(key)
        if known is not None:
            self.hits += 1
            self._remembered.move_to_end(key)
            return known
        self.misses += 1
        whole = meter or Budget().start()
        left = whole.nodes_left
        most = nodes if left is None else min(nodes, left)
        found = check_forced(puzzle, cell, value, budget=whole.fork(most, seconds=VERIFY_SECONDS).left())
        whole.spend(found.nodes)
        if found.status is not Status.INCONCLUSIVE:
            self._remembered[key] = found
            if len(self._remembered) > self._most_remembered:
                self._remembered.popitem(last=False)
        return found


def check_forced(puzzle: Puzzle, cell: int, value: str, *, budget: Budget) -> Verification:
    """Look for a completion with the opposite mark on a cell. Remembers nothing."""
    opposite = CROSS if value == STAR else STAR
    mark = puzzle.marks[cell]
    if mark == value:  # the opposite contradicts the board as it stands
        return Verification(Status.PROVED, cell, value, 0, False, False, 0)
    if mark == UNKNOWN:
        puzzle = replace(puzzle, marks=puzzle.marks[:cell] + opposite + puzzle.marks[cell + 1 :])
    seen = count_solutions(puzzle, most=1, keep=0, budget=budget)
    if seen.count > 0:
        status = Status.DISPROVED
    elif seen.complete and not seen.timed_out and not seen.capped:
        status = Status.PROVED
    else:
        status = Status.INCONCLUSIVE
    return Verification(status, cell, value, seen.count, seen.timed_out, seen.capped, seen.nodes, seen.reason)
