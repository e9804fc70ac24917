"""The rules as the solver uses them: a state is a whole number with one bit per lamp, so a press is one `^`.

The checker restates the rules on its own and never imports this file. If both shared one mistake, nobody would notice.
"""

from __future__ import annotations

from template_domain.model import Grid


def pack(grid: Grid) -> int:
    """Return the state in which exactly the lit lamps' bits are set; the bit's number is the cell's."""
    return sum(1 << cell for cell, lamp in enumerate(grid.lit) if lamp)


def unpack(state: int, cells: int) -> tuple[bool, ...]:
    """Return which lamps are lit in a state."""
    return tuple(bool(state >> cell & 1) for cell in range(cells))


def all_lit(grid: Grid) -> int:
    """Return the state that is the goal."""
    return (1 << len(grid.lit)) - 1


def press_masks(grid: Grid) -> list[int]:
    """Return, for each cell, the bits that change when its lamp is pressed: `state ^ mask` is the next state."""
    masks = []
    for cell in range(len(grid.lit)):
        row, col = divmod(cell, grid.cols)
        mask = 1 << cell
        if row > 0:
            mask |= 1 << cell - grid.cols
        if row < grid.rows - 1:
            mask |= 1 << cell + grid.cols
        if col > 0:
            mask |= 1 << cell - 1
        if col < grid.cols - 1:
            mask |= 1 << cell + 1
        masks.append(mask)
    return masks
