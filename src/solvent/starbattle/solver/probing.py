"""Try a mark on every open cell, one at a time, and see by counting alone which of them cannot stand.

Nothing is explained here: this finds out where an explanation is worth looking for.
"""

from __future__ import annotations

from msgspec import Struct

from solvent.starbattle.model import STAR, Puzzle
from solvent.starbattle.solver.probing_kernel import STANDS, Probe


class Failure(Struct, frozen=True):
    """Hold a cell on which a mark cannot stand."""

    cell: int
    removed: int
    """How many cells were ruled out before the contradiction: few make a short argument likely."""


def failing_marks(puzzle: Puzzle, value: str) -> list[Failure]:
    """Return the open cells on which a star (or a cross) leads to a contradiction by counting alone.

    Those that rule out the fewest cells before they fail come first, then in reading order. If the marks on the board
    contradict each other, there is nothing to find and the list is empty.
    """
    size = puzzle.size
    probe = Probe(size, puzzle.stars, puzzle.regions)
    if not probe.mark(puzzle.marks.encode("ascii")):
        return []
    found = []
    for row in range(size):
        removed = probe.run(row, value == STAR)
        found += [Failure(row * size + col, gone) for col, gone in enumerate(removed) if gone != STANDS]
    return sorted(found, key=lambda failure: (failure.removed, failure.cell))
