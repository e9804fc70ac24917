"""The search kernel: branch on a cell of the most troublesome unit, first with a star, then without.

`workspace` says what the array holds. `prepare` fills it from a puzzle; `search` goes on from wherever it stopped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.bits import lowest_bit, popcount
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.marking import place_star, rule_out_in_row
from solvent.starbattle.solver.propagation import propagate
from solvent.starbattle.solver.workspace import (
    CHOICE,
    COMBINATIONS_LOG,
    DEPTH,
    FIRST_ROW,
    FLOW,
    KEPT,
    KEPT_SOLUTIONS,
    KEPT_WORDS,
    LAST_ROW,
    LEVELS,
    NODES,
    PENDING,
    PRESENT,
    REGION,
    SEGMENT,
    SIZE,
    SOLUTIONS,
    STARS,
    WEIGHT,
    WIDEST,
    level_words,
)

WORKING, FOUND, EXHAUSTED = 0, 1, 2

# What PENDING says is to be done next.
ENTER, CHOOSE, GO_BACK, OVER = 0, 1, 2, 3

STAR, CROSS = 42, 120
"""How marks are written: the characters * and x."""


@kernel
def prepare(w: Any, n: int, k: int, regions: Any, marks: Any) -> bool:
    """Fill a workspace from the regions of all cells and their marks, if there are any.

    Returns False if the marks break a rule by themselves.
    """
    w[:REGION] = 0
    w[SIZE], w[STARS] = n, k
    for unit in range(n):
        w[FIRST_ROW + unit] = n
        w[LAST_ROW + unit] = -1
        w[PRESENT + unit] = 0
        w[PRESENT + WIDEST + unit] = 0
        for other in range(n):
            at = unit * WIDEST + other
            w[SEGMENT + at] = 0
            w[SEGMENT + WIDEST * WIDEST + at] = 0
            w[FLOW + at] = 0
            w[FLOW + WIDEST * WIDEST + at] = 0
    for row in range(n):
        for col in range(n):
            region = int(np.int64(regions[row * n + col]))
            w[REGION + row * WIDEST + col] = region
            w[SEGMENT + row * WIDEST + region] |= 1 << col
            w[SEGMENT + (WIDEST + col) * WIDEST + region] |= 1 << row
            w[PRESENT + row] |= 1 << region
            w[PRESENT + WIDEST + col] |= 1 << region
            if w[FIRST_ROW + region] == n:
                w[FIRST_ROW + region] = row
            w[LAST_ROW + region] = row
    for unit in range(3 * WIDEST):
        w[WEIGHT + unit] = 2
    b = LEVELS
    every = (1 << n) - 1
    for line in range(n):
        w[b + line] = every
        w[b + n + line] = every
        w[b + 2 * n + line] = k
        w[b + 3 * n + line] = k
        w[b + 4 * n + line] = k
        w[b + 5 * n + 3 + line] = 0
    for kind in range(3):
        w[b + 5 * n + kind] = every
    if len(marks) == 0:
        return True
    for row in range(n):
        for col in range(n):
            if marks[row * n + col] == CROSS:
                rule_out_in_row(w, b, n, row, 1 << col)
    for row in range(n):
        for col in range(n):
            if marks[row * n + col] == STAR and not place_star(w, b, n, row, col):
                w[PENDING] = OVER
                return False
    return True


@kernel
def search(w: Any, limit: int, most: int) -> int:
    """Visit up to `limit` more nodes: FOUND if `most` solutions were found in all, EXHAUSTED if there is no more.

    The latest solutions stand in KEPT, and SOLUTIONS says how many there were.
    """
    n = w[SIZE]
    words = level_words(n)
    last = w[NODES] + limit
    while True:
        depth = w[DEPTH]
        b = LEVELS + depth * words
        if w[PENDING] == OVER:
            return EXHAUSTED
        if w[PENDING] == ENTER:
            if w[NODES] >= last:
                return WORKING
            w[NODES] += 1
            w[PENDING] = CHOOSE if propagate(w, b, n) else GO_BACK
        elif w[PENDING] == CHOOSE:
            cell = _choose(w, b, n)
            if cell < 0:
                w[PENDING] = GO_BACK
                kept = KEPT + w[SOLUTIONS] % KEPT_SOLUTIONS * KEPT_WORDS
                for row in range(n):
                    mask = w[b + 5 * n + 3 + row]
                    while mask != 0:
                        w[kept] = row * n + lowest_bit(mask)
                        mask &= mask - 1
                        kept += 1
                w[SOLUTIONS] += 1
                if w[SOLUTIONS] >= most:
                    return FOUND
                continue
            w[CHOICE + depth] = cell
            for word in range(words):
                w[b + words + word] = w[b + word]
            w[DEPTH] = depth + 1
            w[PENDING] = ENTER if place_star(w, b + words, n, cell // WIDEST, cell % WIDEST) else GO_BACK
        else:
            if depth == 0:
                w[PENDING] = OVER
                return EXHAUSTED
            w[DEPTH] = depth - 1
            cell = w[CHOICE + depth - 1]
            rule_out_in_row(w, b - words, n, cell // WIDEST, 1 << (cell % WIDEST))
            w[PENDING] = ENTER


@kernel
def _choose(w: Any, b: int, n: int) -> int:
    """Return the cell to branch on, as row * WIDEST + column, or -1 if every unit has its stars.

    The unit is the one with the fewest ways to choose its stars, in proportion to how often it failed before; the cell
    is the one of it that touches the most candidates.
    """
    best, kind_best, index_best = 1e18, -1, -1
    for kind in range(3):
        for index in range(n):
            need = w[b + (2 + kind) * n + index]
            if need == 0:
                continue
            if kind < 2:
                count = popcount(w[b + kind * n + index])
            else:
                count = 0
                for row in range(w[FIRST_ROW + index], w[LAST_ROW + index] + 1):
                    count += popcount(w[b + row] & w[SEGMENT + row * WIDEST + index])
            trouble = COMBINATIONS_LOG[min(count, 63), need] / w[WEIGHT + kind * WIDEST + index]
            if trouble < best:
                best, kind_best, index_best = trouble, kind, index
    if kind_best < 0:
        return -1
    cell_best, most = -1, -1
    for line in range(n):
        if kind_best == 0 and line != index_best:
            continue
        mask = w[b + line]
        if kind_best == 1:
            mask &= 1 << index_best
        elif kind_best == 2:
            mask &= w[SEGMENT + line * WIDEST + index_best]
        while mask != 0:
            col = lowest_bit(mask)
            mask &= mask - 1
            around = (7 << col) >> 1
            touched = popcount(w[b + line] & around)
            if line > 0:
                touched += popcount(w[b + line - 1] & around)
            if line + 1 < n:
                touched += popcount(w[b + line + 1] & around)
            if touched > most:
                most, cell_best = touched, line * WIDEST + col
    return cell_best
