"""The line-pair count: what two neighbouring lines can hold together.

Two stars in neighbouring lines touch unless they stand at least two places apart along the lines, and so do two stars
in one line. So the stars of both lines, read along them, stand on places no two of which are next to each other or the
same. Walking along the places, the only memory needed is whether the place before holds a star, and how many stars
each line has so far. The set of those counts fits one word: bit `x + 8 * y` for x stars in the first line and y in the
second. Walking from both ends tells for each cell whether some complete walk puts a star there, and whether every one
does: exact for the pair, and every "squeeze" a player sees between two lines is in it.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.marking import place_in_line, rule_out_in_line
from solvent.starbattle.solver.workspace import PAIR, WIDEST


@kernel
def narrow_line_pair(w: Any, b: int, n: int, orientation: int, line: int) -> int:
    """Draw every conclusion from lines `line` and `line + 1` alone: -1 if they cannot be filled, 1 if it changed any.

    The tables hold for each place the counts that walks can have there: from the start with the place before empty
    (`free`) or starred (`taken`), and the counts from which walks can still reach the goal, likewise.
    """
    first = w[b + orientation * n + line]
    second = w[b + orientation * n + line + 1]
    needs = b + (2 + orientation) * n + line
    need, other_need = w[needs], w[needs + 1]
    if need == 0 and other_need == 0:
        return 0
    if need != 0 and other_need != 0 and first & second == (1 << n) - 1 and 2 * (need + other_need) <= n:
        return 0  # nothing is ruled out yet, and there is room: every cell may be a star, and none must be
    counts = 0
    for other in range(other_need + 1):
        counts |= ((1 << (need + 1)) - 1) << (8 * other)
    free, taken = PAIR, PAIR + WIDEST + 1
    free_on, taken_on = PAIR + 2 * (WIDEST + 1), PAIR + 3 * (WIDEST + 1)
    w[free] = 1
    w[taken] = 0
    for place in range(n):
        here = w[free + place]
        step = 0
        if (first >> place) & 1:
            step |= here << 1
        if (second >> place) & 1:
            step |= here << 8
        w[free + place + 1] = here | w[taken + place]
        w[taken + place + 1] = step & counts
    goal = 1 << (need + 8 * other_need)
    if (w[free + n] | w[taken + n]) & goal == 0:
        return -1
    w[free_on + n] = goal
    w[taken_on + n] = goal
    for place in range(n - 1, -1, -1):
        there, after_star = w[free_on + place + 1], w[taken_on + place + 1]
        step = there
        if (first >> place) & 1:
            step |= after_star >> 1
        if (second >> place) & 1:
            step |= after_star >> 8
        w[free_on + place] = step & counts
        w[taken_on + place] = there
    never, always, never_other, always_other = 0, 0, 0, 0
    for place in range(n):
        bit = 1 << place
        if (first | second) & bit == 0:
            continue
        here, after_star = w[free + place], w[taken_on + place + 1]
        may = first & bit != 0 and (here << 1) & counts & after_star != 0
        may_other = second & bit != 0 and (here << 8) & counts & after_star != 0
        may_stay_empty = (here | w[taken + place]) & w[free_on + place + 1] != 0
        if not may:
            never |= first & bit
        if not may_other:
            never_other |= second & bit
        if not may_stay_empty:
            if may and not may_other:
                always |= bit
            elif may_other and not may:
                always_other |= bit
    if never | never_other | always | always_other == 0:
        return 0
    rule_out_in_line(w, b, n, orientation, line, never)
    rule_out_in_line(w, b, n, orientation, line + 1, never_other)
    if not place_in_line(w, b, n, orientation, line, always):
        return -1
    if not place_in_line(w, b, n, orientation, line + 1, always_other):
        return -1
    return 1
