"""The region count: what the candidates of one region can hold.

Row by row through the region, each way to fill a row (no two stars next to each other) is kept with the most stars that
the rows above it, and the rows below it, can have beside it. A way is possible only if those together reach what the
region still needs. A cell that no possible way stars is ruled out; one that every possible way of its row stars gets a
star. Fewer stars than the most can always be had by leaving some out, so "at least what is needed" is the right test.
A region with much more room than it needs is left alone, because nothing would follow.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.bits import popcount
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.marking import place_in_line, rule_out_in_row
from solvent.starbattle.solver.transport import room_on
from solvent.starbattle.solver.workspace import (
    ABOVE,
    BACKWARD,
    BELOW,
    FIRST_ROW,
    FORWARD,
    LAST_ROW,
    MASKS,
    MOST_SUBSETS,
    SEGMENT,
    SUBSETS,
    SUBSETS_END,
    WIDEST,
)

IMPOSSIBLE = -100
ROOM_TO_SPARE = 2
"""A star and the cells it touches have room for four stars at most, so making a cell a star costs a region at most
three of the stars it could have. Where it could have more than two to spare, nothing follows."""


@kernel
def narrow_region(w: Any, b: int, n: int, region: int) -> int:
    """Draw conclusions from one region alone: -1 if it cannot be filled, 1 if it changed any cell, else 0."""
    need = w[b + 4 * n + region]
    if need == 0:
        return 0
    top, bottom, easy = -1, -1, 0
    taken, taken_before = 0, 0
    for row in range(w[FIRST_ROW + region], w[LAST_ROW + region] + 1):
        mask = w[b + row] & w[SEGMENT + row * WIDEST + region]
        w[MASKS + row] = mask
        taken_before, taken = taken, 0
        if mask != 0:
            bottom = row
            if top < 0:
                top = row
            rest = mask & ~(taken_before | (taken_before << 1) | (taken_before >> 1))
            while rest != 0:  # stars set greedily: a lower bound for the room there is
                lowest = rest & -rest
                taken |= lowest
                rest &= ~(lowest | (lowest << 1))
                easy += 1
    if easy > need + ROOM_TO_SPARE:
        return 0
    if top < 0:
        return -1
    if _bound_rows(w, top, bottom) < need:
        return -1
    if not _list_ways(w, top, bottom, need):
        return 0
    most = _count_downwards(w, top, bottom)
    if most < need:
        return -1
    if most > need + ROOM_TO_SPARE:
        return 0
    _count_upwards(w, top, bottom)
    return _conclude(w, b, n, region, top, bottom, need)


@kernel
def _bound_rows(w: Any, top: int, bottom: int) -> Any:
    """Bound from above the stars of the rows above each row, and of those below it; returns the bound for all rows.

    A row has the room of its cells; two rows together have the room of their cells laid over each other.
    """
    w[ABOVE + top] = 0
    for row in range(top + 1, bottom + 2):
        bound = w[ABOVE + row - 1] + room_on(w[MASKS + row - 1])
        if row > top + 1:
            bound = min(bound, w[ABOVE + row - 2] + room_on(w[MASKS + row - 1] | w[MASKS + row - 2]))
        w[ABOVE + row] = bound
    w[BELOW + bottom] = 0
    for row in range(bottom - 1, top - 1, -1):
        bound = w[BELOW + row + 1] + room_on(w[MASKS + row + 1])
        if row < bottom - 1:
            bound = min(bound, w[BELOW + row + 2] + room_on(w[MASKS + row + 1] | w[MASKS + row + 2]))
        w[BELOW + row] = bound
    return w[ABOVE + bottom + 1]


@kernel
def _list_ways(w: Any, top: int, bottom: int, need: int) -> bool:
    """List the ways to fill each row that can still lead to what is needed; False if they are too many."""
    total = 0
    for row in range(top, bottom + 1):
        fewest = need - w[ABOVE + row] - w[BELOW + row]
        begin = total
        w[SUBSETS + total] = 0
        total += 1
        mask = w[MASKS + row]
        while mask != 0:
            lowest = mask & -mask
            mask &= mask - 1
            for way in range(begin, total):
                if w[SUBSETS + way] & (lowest >> 1) == 0:
                    if total == MOST_SUBSETS:
                        return False
                    w[SUBSETS + total] = w[SUBSETS + way] | lowest
                    total += 1
        if fewest > 0:
            kept = begin
            for way in range(begin, total):
                if popcount(w[SUBSETS + way]) >= fewest:
                    w[SUBSETS + kept] = w[SUBSETS + way]
                    kept += 1
            total = kept
        w[SUBSETS_END + row] = total
    return True


@kernel
def _count_downwards(w: Any, top: int, bottom: int) -> int:
    """Fill FORWARD: the most stars from the top row to each way, with it; returns the most of all."""
    begin, before = 0, 0
    most = 0
    for row in range(top, bottom + 1):
        end = w[SUBSETS_END + row]
        for way in range(begin, end):
            subset = w[SUBSETS + way]
            touched = subset | (subset << 1) | (subset >> 1)
            best = 0 if row == top else IMPOSSIBLE
            for above in range(before, begin):
                if w[SUBSETS + above] & touched == 0 and w[FORWARD + above] > best:
                    best = w[FORWARD + above]
            w[FORWARD + way] = best + popcount(subset)
            if row == bottom and w[FORWARD + way] > most:
                most = w[FORWARD + way]
        before, begin = begin, end
    return most


@kernel
def _count_upwards(w: Any, top: int, bottom: int) -> None:
    """Fill BACKWARD: the most stars from each way, with it, to the bottom row."""
    after_end = w[SUBSETS_END + bottom]
    for row in range(bottom, top - 1, -1):
        end = w[SUBSETS_END + row]
        begin = w[SUBSETS_END + row - 1] if row > top else 0
        for way in range(begin, end):
            subset = w[SUBSETS + way]
            touched = subset | (subset << 1) | (subset >> 1)
            best = 0 if row == bottom else IMPOSSIBLE
            for below in range(end, after_end):
                if w[SUBSETS + below] & touched == 0 and w[BACKWARD + below] > best:
                    best = w[BACKWARD + below]
            w[BACKWARD + way] = best + popcount(subset)
        after_end = end


@kernel
def _conclude(w: Any, b: int, n: int, region: int, top: int, bottom: int, need: int) -> int:
    """Rule out what no possible way stars, and place what every possible way stars."""
    changed = 0
    begin = 0
    for row in range(top, bottom + 1):
        end = w[SUBSETS_END + row]
        mask = w[SEGMENT + row * WIDEST + region]
        some, every = 0, mask
        for way in range(begin, end):
            subset = w[SUBSETS + way]
            if w[FORWARD + way] + w[BACKWARD + way] - popcount(subset) >= need:
                some |= subset
                every &= subset
        begin = end
        never = w[b + row] & mask & ~some
        if never != 0:
            changed = 1
            rule_out_in_row(w, b, n, row, never)
        if every != 0:
            changed = 1
            if not place_in_line(w, b, n, 0, row, every):
                return -1
    return changed
