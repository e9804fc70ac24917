"""LiveParity and LiveColours: what must hold inside each group of cells that tiles can still reach from one another.

A cell whose tile has no moves is closed for ever: that tile never leaves. So a tile can only ever stand on the live
cells it is connected to by rows and columns of live cells. Every swap happens inside one such component.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.engine.jit.kernel import kernel
from solvent.harmony.invalidity.base import HarmonyTest


@kernel
def mark_components(rows: int, cols: int, moves: Any, component: Any, queue: Any) -> int:
    """Number the live components from 0; `component` gets each cell's number, -1 for closed cells."""
    count = 0
    for cell in range(rows * cols):
        component[cell] = -1
    for start in range(rows * cols):
        if moves[start] == 0 or component[start] >= 0:
            continue
        component[start] = count
        queue[0] = start
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            row, col = cell // cols, cell % cols
            for index in range(rows + cols):
                other = row * cols + index if index < cols else (index - cols) * cols + col
                if moves[other] > 0 and component[other] < 0:
                    component[other] = count
                    queue[tail] = other
                    tail += 1
        count += 1
    return count


@kernel
def live_parity(rows: int, cols: int, colours: Any, moves: Any) -> bool:  # noqa: ARG001  (one shape for all tests)
    """Find a component whose moves are odd in number, or where one tile has more than all the others together."""
    cells = rows * cols
    component = np.empty(cells, np.int64)
    count = mark_components(rows, cols, moves, component, np.empty(cells, np.int64))
    total = np.zeros(count, np.int64)
    most = np.zeros(count, np.int64)
    for cell in range(cells):
        number = component[cell]
        if number >= 0:
            total[number] += moves[cell]
            most[number] = max(most[number], moves[cell])
    for number in range(count):
        if total[number] % 2 == 1 or 2 * most[number] > total[number]:
            return True
    return False


@kernel
def live_colours(rows: int, cols: int, colours: Any, moves: Any) -> bool:
    """Find a component that does not hold as many tiles of a colour as it has cells in that colour's row."""
    cells = rows * cols
    component = np.empty(cells, np.int64)
    count = mark_components(rows, cols, moves, component, np.empty(cells, np.int64))
    balance = np.zeros((count, rows), np.int64)
    for cell in range(cells):
        number = component[cell]
        if number >= 0:
            if colours[cell] >= rows:
                return True
            balance[number, colours[cell]] += 1
            balance[number, cell // cols] -= 1
    for number in range(count):
        for row in range(rows):
            if balance[number, row] != 0:
                return True
    return False


LIVE_PARITY = HarmonyTest(
    "LiveParity",
    "Each swap uses up two moves inside one live component, and no tile swaps with itself. "
    "So each component's moves are even in number, and no tile has more than all the others there together.",
    live_parity,
)
LIVE_COLOURS = HarmonyTest(
    "LiveColours",
    "Tiles never leave their live component, and in the end each cell of it holds a tile of its row's colour. "
    "So the component must hold exactly as many tiles of each colour as it has cells in that colour's row.",
    live_colours,
)
