"""Kernel parts that change a level: rule cells out, place a star. `workspace` says where everything stands.

In all of them `w` is the workspace, `b` where the level begins and `n` the size of the board.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.bits import lowest_bit
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.workspace import FIRST_ROW, LAST_ROW, REGION, SEGMENT, WIDEST


@kernel
def rule_out_in_row(w: Any, b: int, n: int, row: int, mask: int) -> None:
    """Take cells of a row out of the candidates."""
    mask &= w[b + row]
    if mask == 0:
        return
    w[b + row] &= ~mask
    changed = b + 5 * n
    w[changed] |= 1 << row
    w[changed + 1] |= mask
    keep = ~(1 << row)
    regions = 0
    while mask != 0:
        col = lowest_bit(mask)
        mask &= mask - 1
        w[b + n + col] &= keep
        regions |= 1 << w[REGION + row * WIDEST + col]
    w[changed + 2] |= regions


@kernel
def rule_out_in_column(w: Any, b: int, n: int, col: int, mask: int) -> None:
    """Take cells of a column out of the candidates."""
    mask &= w[b + n + col]
    if mask == 0:
        return
    w[b + n + col] &= ~mask
    changed = b + 5 * n
    w[changed] |= mask
    w[changed + 1] |= 1 << col
    keep = ~(1 << col)
    regions = 0
    while mask != 0:
        row = lowest_bit(mask)
        mask &= mask - 1
        w[b + row] &= keep
        regions |= 1 << w[REGION + row * WIDEST + col]
    w[changed + 2] |= regions


@kernel
def rule_out_in_line(w: Any, b: int, n: int, orientation: int, line: int, mask: int) -> None:
    """Take cells of a row (orientation 0) or column (1) out of the candidates."""
    if orientation == 0:
        rule_out_in_row(w, b, n, line, mask)
    else:
        rule_out_in_column(w, b, n, line, mask)


@kernel
def place_star(w: Any, b: int, n: int, row: int, col: int) -> Any:
    """Place a star on a candidate and rule out what that excludes; False if the star cannot stand there.

    A star excludes the cells it touches, and the rest of each unit that now has all its stars.
    """
    if (w[b + row] >> col) & 1 == 0:
        return (w[b + 5 * n + 3 + row] >> col) & 1 == 1
    region = w[REGION + row * WIDEST + col]
    w[b + 2 * n + row] -= 1
    w[b + 3 * n + col] -= 1
    w[b + 4 * n + region] -= 1
    if w[b + 2 * n + row] < 0 or w[b + 3 * n + col] < 0 or w[b + 4 * n + region] < 0:
        return False
    w[b + 5 * n + 3 + row] |= 1 << col
    around = (7 << col) >> 1
    if row > 0:
        rule_out_in_row(w, b, n, row - 1, around)
    if row + 1 < n:
        rule_out_in_row(w, b, n, row + 1, around)
    rule_out_in_row(w, b, n, row, around if w[b + 2 * n + row] > 0 else -1)
    if w[b + 3 * n + col] == 0:
        rule_out_in_column(w, b, n, col, -1)
    if w[b + 4 * n + region] == 0:
        for other in range(w[FIRST_ROW + region], w[LAST_ROW + region] + 1):
            rule_out_in_row(w, b, n, other, w[SEGMENT + other * WIDEST + region])
    return True


@kernel
def place_in_line(w: Any, b: int, n: int, orientation: int, line: int, mask: int) -> bool:
    """Place stars on cells of a row (orientation 0) or column (1); False if one cannot stand."""
    while mask != 0:
        other = lowest_bit(mask)
        mask &= mask - 1
        row, col = (line, other) if orientation == 0 else (other, line)
        if not place_star(w, b, n, row, col):
            return False
    return True
