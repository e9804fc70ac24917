"""Draw every conclusion the counts allow, again and again, until nothing changes.

Cheap counts come first, and each is taken up only for units that changed. `WEIGHT` remembers which units failed: a unit
that fails often is a good one to branch on.
"""

from __future__ import annotations

from typing import Any

from solvent.engine.jit.bits import lowest_bit, popcount
from solvent.engine.jit.kernel import kernel
from solvent.starbattle.solver.line_pairs import narrow_line_pair
from solvent.starbattle.solver.marking import place_in_line, rule_out_in_line
from solvent.starbattle.solver.region_rooms import narrow_region
from solvent.starbattle.solver.transport import narrow_transport
from solvent.starbattle.solver.workspace import FIRST_ROW, LAST_ROW, SEGMENT, WEIGHT, WIDEST


@kernel
def propagate(w: Any, b: int, n: int) -> bool:
    """Take a level to where no count changes anything; False if it cannot be completed."""
    changed = b + 5 * n
    pending_rows, pending_columns, pending_regions = 0, 0, 0
    while True:
        rows, columns, regions = w[changed], w[changed + 1], w[changed + 2]
        while rows | columns | regions != 0:  # the cheap counts, until they have nothing more to say
            pending_rows |= rows
            pending_columns |= columns
            pending_regions |= regions
            w[changed], w[changed + 1], w[changed + 2] = 0, 0, 0
            if not _fill_lines(w, b, n, 0, rows) or not _fill_lines(w, b, n, 1, columns):
                return False
            if not _fill_regions(w, b, n, regions):
                return False
            rows, columns, regions = w[changed], w[changed + 1], w[changed + 2]
        if pending_rows | pending_columns | pending_regions == 0:
            return True
        rows, columns, regions = pending_rows, pending_columns, pending_regions
        pending_rows, pending_columns, pending_regions = 0, 0, 0
        if not _narrow_pairs(w, b, n, 0, rows) or not _narrow_pairs(w, b, n, 1, columns):
            return False
        regions |= w[changed + 2]
        while regions != 0:
            region = lowest_bit(regions)
            regions &= regions - 1
            if narrow_region(w, b, n, region) < 0:
                w[WEIGHT + 2 * WIDEST + region] += 2
                return False
        if w[changed] | w[changed + 1] | w[changed + 2] != 0:
            continue  # cheaper counts have something to say first
        if _has_all_stars(w, b, n):
            return True
        if narrow_transport(w, b, n, 0) < 0 or narrow_transport(w, b, n, 1) < 0:
            return False


@kernel
def _has_all_stars(w: Any, b: int, n: int) -> bool:
    """Tell whether no row needs another star; then no column or region does, since all of them want as many in all."""
    for row in range(n):
        if w[b + 2 * n + row] != 0:
            return False
    return True


@kernel
def _fill_lines(w: Any, b: int, n: int, orientation: int, lines: int) -> bool:
    """Look at each line: too few candidates fail, exactly enough become stars, a full line has no more."""
    while lines != 0:
        line = lowest_bit(lines)
        lines &= lines - 1
        mask = w[b + orientation * n + line]
        need = w[b + (2 + orientation) * n + line]
        count = popcount(mask)
        if count < need:
            w[WEIGHT + orientation * WIDEST + line] += 2
            return False
        if count == 0:
            continue
        if need == 0:
            rule_out_in_line(w, b, n, orientation, line, mask)
        elif count == need and not place_in_line(w, b, n, orientation, line, mask):
            return False
    return True


@kernel
def _fill_regions(w: Any, b: int, n: int, regions: int) -> bool:
    """Look at each region: too few candidates fail, exactly enough become stars."""
    while regions != 0:
        region = lowest_bit(regions)
        regions &= regions - 1
        need = w[b + 4 * n + region]
        if need == 0:
            continue
        count = 0
        first, last = w[FIRST_ROW + region], w[LAST_ROW + region]
        for row in range(first, last + 1):
            count += popcount(w[b + row] & w[SEGMENT + row * WIDEST + region])
        if count < need:
            w[WEIGHT + 2 * WIDEST + region] += 2
            return False
        if count == need:
            for row in range(first, last + 1):
                mask = w[b + row] & w[SEGMENT + row * WIDEST + region]
                if not place_in_line(w, b, n, 0, row, mask):
                    return False
    return True


@kernel
def _narrow_pairs(w: Any, b: int, n: int, orientation: int, lines: int) -> bool:
    """Count each pair of neighbouring lines of which one changed, those changed on the way included."""
    for line in range(n - 1):
        if ((lines | w[b + 5 * n + orientation]) >> line) & 3 != 0 and narrow_line_pair(w, b, n, orientation, line) < 0:
            w[WEIGHT + orientation * WIDEST + line] += 1
            w[WEIGHT + orientation * WIDEST + line + 1] += 1
            return False
    return True
