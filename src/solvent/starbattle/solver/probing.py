"""Try a mark on every open cell, one at a time, and see by counting alone which of them cannot stand.

Nothing is explained here: this finds out where an explanation is worth looking for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.engine.jit.bits import popcount
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.model import STAR, Puzzle
from solvent.starbattle.solver import search_kernel
from solvent.starbattle.solver.marking import place_star, rule_out_in_row
from solvent.starbattle.solver.propagation import propagate
from solvent.starbattle.solver.workspace import LEVELS, level_words, workspace_words

STANDS = -1
"""What `probe_row` writes for a cell whose mark leads to no contradiction, or that cannot be a star anyway."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Hold a cell on which a mark cannot stand."""

    cell: int
    removed: int
    """How many cells were ruled out before the contradiction: few make a short argument likely."""


@kernel
def settle(w: Any, n: int) -> bool:
    """Find out whether the position draws any conclusions without a probe; False if it contradicts itself.

    `w` is a workspace as `prepare` leaves it; the level at depth 0 is the position, the one at depth 1 is scratch. If
    nothing follows, no unit of the position counts as changed any more, so that probes look only at what they change.
    """
    words = level_words(n)
    base, b = LEVELS, LEVELS + words
    for word in range(words):
        w[b + word] = w[base + word]
    if not propagate(w, b, n):
        return False
    for row in range(n):
        if w[b + row] != w[base + row] or w[b + 5 * n + 3 + row] != w[base + 5 * n + 3 + row]:
            return True
    for kind in range(3):
        w[base + 5 * n + kind] = 0
    return True


@kernel
def probe_row(w: Any, n: int, row: int, star: bool, removed: Any) -> None:
    """Probe the candidates of one row; `removed` gets for each cell of the row STANDS, or the cells ruled out."""
    words = level_words(n)
    base, b = LEVELS, LEVELS + words
    for col in range(n):
        removed[col] = STANDS
        if (w[base + row] >> col) & 1 == 0 or (w[base + 5 * n + 3 + row] >> col) & 1:
            continue
        for word in range(words):
            w[b + word] = w[base + word]
        stands = True
        if star:
            stands = place_star(w, b, n, row, col)
        else:
            rule_out_in_row(w, b, n, row, 1 << col)
        if stands and propagate(w, b, n):
            continue
        gone = 0
        for other in range(n):
            gone += popcount(w[base + other] & ~w[b + other])
        removed[col] = gone


def failing_marks(puzzle: Puzzle, value: str) -> list[Failure]:
    """Return the open cells on which a star (or a cross) leads to a contradiction by counting alone.

    Those that rule out the fewest cells before they fail come first, then in reading order. If the marks on the board
    contradict each other, there is nothing to find and the list is empty.
    """
    size = puzzle.size
    workspace = np.empty(workspace_words(size, puzzle.stars), np.int64)
    regions = np.frombuffer(bytes(puzzle.regions), np.uint8)
    marks = np.frombuffer(puzzle.marks.encode("ascii"), np.uint8)
    if not search_kernel.prepare(workspace, size, puzzle.stars, regions, marks) or not settle(workspace, size):
        return []
    found = []
    removed = np.empty(size, np.int64)
    for row in range(size):
        probe_row(workspace, size, row, value == STAR, removed)
        found += [Failure(row * size + col, gone) for col, gone in enumerate(removed.tolist()) if gone != STANDS]
    return sorted(found, key=lambda failure: (failure.removed, failure.cell))
