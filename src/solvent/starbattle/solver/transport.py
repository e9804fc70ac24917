"""The transport count: how the stars of all lines can be shared out among all regions.

Every line must send the stars it needs to regions, every region must receive the stars it needs, and a line can send
a region no more than fit side by side on the cells they share. If no such transport exists, nothing fits. If one does,
it can be rerouted around any circle of its residual graph and in no other way, so a line and a region whose flow lies
on no circle have the same flow in every transport:

- a flow of 0: no star stands where they meet;
- a flow that fills the room: there stand as many stars as fit, and where the cells form a run of odd length, as many as
  fit means every other cell.

This is all counting of n regions against n lines, for every n and every choice of them at once.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.bits import lowest_bit
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.marking import place_in_line, rule_out_in_line
from solvent.starbattle.solver.workspace import ARROWS, FLOW, PRESENT, ROOM, SEGMENT, WIDEST


@kernel
def room_on(mask: int) -> int:
    """Return the most stars that fit on cells of one line, no two next to each other; greedy is best on a line."""
    count = 0
    while mask != 0:
        lowest = mask & -mask
        mask &= ~(lowest | (lowest << 1))
        count += 1
    return count


@kernel
def narrow_transport(w: Any, b: int, n: int, orientation: int) -> int:
    """Draw conclusions from rows (orientation 0) or columns (1) against regions: -1 impossible, 1 changed, else 0."""
    flow = FLOW + orientation * WIDEST * WIDEST
    segments = SEGMENT + orientation * WIDEST * WIDEST
    lines = b + orientation * n
    line_needs = b + (2 + orientation) * n
    needs = b + 4 * n
    # Keep what still fits of the last transport. What each unit still lacks is written over its arrows for now.
    lacking, lacking_region = ARROWS, ARROWS + WIDEST
    for region in range(n):
        w[lacking_region + region] = w[needs + region]
    for line in range(n):
        lack = w[line_needs + line]
        here = w[PRESENT + orientation * WIDEST + line]
        while here != 0:
            region = lowest_bit(here)
            here &= here - 1
            at = line * WIDEST + region
            room = room_on(w[lines + line] & w[segments + at])
            w[ROOM + at] = room
            sent = min(w[flow + at], room, lack, w[lacking_region + region])
            w[flow + at] = sent
            lack -= sent
            w[lacking_region + region] -= sent
        w[lacking + line] = lack
    for line in range(n):
        while w[lacking + line] > 0:
            if not _send_one_more(w, n, orientation, line):
                return -1
            w[lacking + line] -= 1
    _draw_arrows(w, n, orientation)
    return _conclude(w, b, n, orientation)


@kernel
def _send_one_more(w: Any, n: int, orientation: int, start: int) -> bool:
    """Find a way, rerouting others if need be, to send one more star from a line; False if there is none.

    Breadth first over lines: a line reaches a region it has room in; a region that lacks nothing reaches the lines that
    send to it. `came` remembers how each was reached, in ARROWS behind what is lacking.
    """
    flow = FLOW + orientation * WIDEST * WIDEST
    lacking_region = ARROWS + WIDEST
    came_region, came_line = ARROWS + 2 * WIDEST, ARROWS + 3 * WIDEST
    seen_regions = 0
    seen_lines = 1 << start
    waiting = 1 << start
    while waiting != 0:
        line = lowest_bit(waiting)
        waiting &= waiting - 1
        here = w[PRESENT + orientation * WIDEST + line] & ~seen_regions
        while here != 0:
            region = lowest_bit(here)
            here &= here - 1
            if w[flow + line * WIDEST + region] >= w[ROOM + line * WIDEST + region]:
                continue
            seen_regions |= 1 << region
            w[came_region + region] = line
            if w[lacking_region + region] > 0:
                w[lacking_region + region] -= 1
                while True:  # walk back to the start, moving one star along each step
                    sender = w[came_region + region]
                    w[flow + sender * WIDEST + region] += 1
                    if sender == start:
                        return True
                    region = w[came_line + sender]
                    w[flow + sender * WIDEST + region] -= 1
            for other in range(n):
                if (seen_lines >> other) & 1 == 0 and w[flow + other * WIDEST + region] > 0:
                    seen_lines |= 1 << other
                    waiting |= 1 << other
                    w[came_line + other] = region
    return False


@kernel
def _draw_arrows(w: Any, n: int, orientation: int) -> None:
    """Write the residual graph: arrows from lines to regions and back, and the same reversed.

    Nodes are bits: line l is bit l, region g is bit 32 + g.
    """
    flow = FLOW + orientation * WIDEST * WIDEST
    for unit in range(4 * WIDEST):
        w[ARROWS + unit] = 0
    for line in range(n):
        here = w[PRESENT + orientation * WIDEST + line]
        while here != 0:
            region = lowest_bit(here)
            here &= here - 1
            at = line * WIDEST + region
            if w[flow + at] < w[ROOM + at]:
                w[ARROWS + line] |= 1 << (32 + region)
                w[ARROWS + 3 * WIDEST + region] |= 1 << line
            if w[flow + at] > 0:
                w[ARROWS + WIDEST + region] |= 1 << line
                w[ARROWS + 2 * WIDEST + line] |= 1 << (32 + region)


@kernel
def _reach(w: Any, start: int, arrows: int, within: int) -> int:
    """Return all nodes of `within` that can be reached from a node, itself included."""
    reached = start
    waiting = start
    while waiting != 0:
        node = lowest_bit(waiting)
        waiting &= waiting - 1
        ahead = (w[arrows + node] if node < 32 else w[arrows + WIDEST + node - 32]) & within & ~reached
        reached |= ahead
        waiting |= ahead
    return reached


@kernel
def _conclude(w: Any, b: int, n: int, orientation: int) -> int:
    """Rule out and place where line and region lie on no common circle."""
    flow = FLOW + orientation * WIDEST * WIDEST
    segments = SEGMENT + orientation * WIDEST * WIDEST
    lines = b + orientation * n
    changed = 0
    every = (1 << n) - 1
    left = every | (every << 32)
    for start in range(n):
        if (left >> start) & 1 == 0:
            continue
        node = 1 << start
        circle = _reach(w, node, ARROWS, left)
        circle &= _reach(w, node, ARROWS + 2 * WIDEST, circle)
        left &= ~circle
        members = circle & every
        while members != 0:
            line = lowest_bit(members)
            members &= members - 1
            apart = w[PRESENT + orientation * WIDEST + line] & ~(circle >> 32)
            while apart != 0:
                region = lowest_bit(apart)
                apart &= apart - 1
                at = line * WIDEST + region
                mask = w[lines + line] & w[segments + at]
                if mask == 0:
                    continue
                if w[flow + at] == 0:
                    changed = 1
                    rule_out_in_line(w, b, n, orientation, line, mask)
                elif w[flow + at] == w[ROOM + at]:
                    always = _every_other(mask)
                    if always != 0:
                        changed = 1
                        if not place_in_line(w, b, n, orientation, line, always):
                            return -1
    return changed


@kernel
def _every_other(mask: int) -> int:
    """Return the cells that must be stars when as many as possible are: every other one of each run of odd length."""
    always = 0
    while mask != 0:
        start = mask & -mask
        run = mask & ~(mask + start)
        mask &= ~run
        length_is_odd, cell, picked = False, start, 0
        while run & cell != 0:
            length_is_odd = not length_is_odd
            if length_is_odd:
                picked |= cell
            cell <<= 1
        if length_is_odd:
            always |= picked
    return always
