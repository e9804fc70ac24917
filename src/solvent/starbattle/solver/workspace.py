"""Where everything stands that the search kernel works with: one int64 array, cut up by the offsets below.

One array, because each further one would cost every kernel call more than a small board costs to solve. Lines are rows
(orientation 0) and columns (orientation 1); a set of cells of a line is the bits of one word, bit j for its j-th cell.

A *level* is one position of the search: `LEVELS + depth * level_words(n)` is where the level at a depth begins. In it,
for a board of n rows, stand at

    0      n words   candidates of each row: cells that may still become a star
    n      n words   the same candidates, of each column
    2n     n words   stars each row still needs
    3n     n words   stars each column still needs
    4n     n words   stars each region still needs
    5n     3 words   rows, columns and regions that changed since they were last looked at
    5n+3   n words   stars placed, of each row
"""

from __future__ import annotations

import numpy as np

from solvent.engine.jit.kernel import kernel

WIDEST = 25
"""Lines and regions there can be."""

# The header: one word each.
SIZE, STARS, DEPTH, PENDING, NODES, SOLUTIONS = 0, 1, 2, 3, 4, 5

REGION = 16
"""Region of the cell in row r, column c at r * WIDEST + c."""
SEGMENT = REGION + WIDEST * WIDEST
"""Cells of line l in region g, at (orientation * WIDEST + l) * WIDEST + g."""
PRESENT = SEGMENT + 2 * WIDEST * WIDEST
"""Regions that line l meets, at orientation * WIDEST + l."""
FIRST_ROW = PRESENT + 2 * WIDEST
LAST_ROW = FIRST_ROW + WIDEST
"""The first and last row each region reaches."""
WEIGHT = LAST_ROW + WIDEST
"""How often each unit failed, rows, columns, then regions, WIDEST apart; half a failure counts 1."""
FLOW = WEIGHT + 3 * WIDEST
"""Stars of line l sent to region g by the last transport, laid out as SEGMENT."""
ROOM = FLOW + 2 * WIDEST * WIDEST
"""The most stars line l has room for in region g, laid out as one orientation of SEGMENT."""
ARROWS = ROOM + WIDEST * WIDEST
"""For each line, then each region: where the residual graph leads, as bits; then the same arrows backwards."""
PAIR = ARROWS + 4 * WIDEST
"""Four tables of the line-pair count, WIDEST + 1 words each."""
MOST_SUBSETS = 1200
SUBSETS = PAIR + 4 * (WIDEST + 1)
FORWARD = SUBSETS + MOST_SUBSETS
BACKWARD = FORWARD + MOST_SUBSETS
"""Ways to fill one row of a region, and the most stars at or above it, and at or below it."""
SUBSETS_END = BACKWARD + MOST_SUBSETS
"""Where the ways of each row end in SUBSETS."""
MASKS = SUBSETS_END + WIDEST + 1
"""The candidates of a region in each row."""
ABOVE = MASKS + WIDEST + 1
BELOW = ABOVE + WIDEST + 1
"""Bounds for the stars of a region above each row, and below it."""
CHOICE = BELOW + WIDEST + 1
"""The cell on which each level branched."""
MOST_LEVELS = WIDEST * 6 + 2
KEPT = CHOICE + MOST_LEVELS
KEPT_SOLUTIONS = 2
"""The latest solutions, each the cells of its stars, row * n + column; the s-th of all stands at s modulo this many."""
KEPT_WORDS = WIDEST * 6
LEVELS = KEPT + KEPT_SOLUTIONS * KEPT_WORDS


def workspace_words(size: int, stars: int) -> int:
    """Return how long a workspace must be."""
    return LEVELS + (size * stars + 2) * (6 * size + 3)


@kernel
def level_words(n: int) -> int:
    """Return the words of one level."""
    return 6 * n + 3


COMBINATIONS_LOG = np.array(
    [[float(sum(np.log(np.arange(n - k + 1, n + 1) / np.arange(1, k + 1)))) if k <= n else 0.0 for k in range(7)]
     for n in range(64)]
)  # fmt: skip
"""The logarithm of how many ways there are to choose k of n cells."""
