"""LiveColours: a live component does not hold the tiles it needs."""

# mypy: ignore-errors

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
    from cython.cimports.solvent.harmony.invalidity.tests_kernel import HarmonyTest
else:
    from solvent.harmony.invalidity.position_kernel import Position
    from solvent.harmony.invalidity.tests_kernel import HarmonyTest


@cython.final
@cython.cclass
class LiveColours(HarmonyTest):
    """A live component does not hold the tiles it needs."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a component that does not hold as many tiles of a colour as it has cells in that colour's row."""
        position.group_rows()
        for row in range(position.rows):
            position.balance[row] = 0
        for group in range(position.rows):
            for row in range(position.rows):
                if position.group_of_row[row] == group:
                    for cell in range(row * position.cols, (row + 1) * position.cols):
                        if position.moves[cell] == 0:
                            continue
                        if position.colours[cell] >= position.rows:
                            return True
                        position.balance[position.colours[cell]] += 1
                        position.balance[row] -= 1
            for row in range(position.rows):
                if position.balance[row] != 0:
                    return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look only if a cell was closed: else the components are as before, and hold the same tiles."""
        if position.moves[a] > 0 and position.moves[b] > 0:
            return False
        return self.fires(position)


TEST = LiveColours(
    "LiveColours",
    "Tiles never leave their live component, and in the end each cell of it holds a tile of its row's colour. "
    "So the component must hold exactly as many tiles of each colour as it has cells in that colour's row.",
    cost=20,
)
