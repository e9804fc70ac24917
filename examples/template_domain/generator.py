"""Make new grids: light all lamps, then press some. Pressing the same ones again solves it, so it can be solved."""

from __future__ import annotations

import random

from solvent.core.errors import BadOption
from template_domain.model import Grid
from template_domain.rules import all_lit, press_masks, unpack


def generate(*, seed: int, rows: int, cols: int, presses: int) -> Grid:
    """Make a solvable grid; the same arguments give the same grid on any machine."""
    cells = rows * cols
    if presses > cells:
        raise BadOption(f"presses: expected at most {cells}, the lamps of a {rows}×{cols} grid, found {presses}")
    dice = random.Random(seed)
    # Python promises the same numbers in every version for `random()` alone, not for `sample` or `shuffle`.
    order = sorted(range(cells), key=lambda _: dice.random())
    grid = Grid(rows, cols, (True,) * cells)
    state, masks = all_lit(grid), press_masks(grid)
    for cell in order[:presses]:
        state ^= masks[cell]
    return Grid(rows, cols, unpack(state, cells))
