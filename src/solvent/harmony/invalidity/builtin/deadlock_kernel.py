"""Deadlock: tiles with one move each wait for each other in a circle."""

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
class Deadlock(HarmonyTest):
    """Tiles with one move each wait for each other in a circle."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a column in which three tiles or more, with one move each, are in each other's rows all around."""
        if position.away < 3:
            return False
        for col in range(position.cols):
            if has_circle(position, col):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the columns of the two tiles that moved: nothing has changed in any other."""
        if position.away < 3:
            return False
        if has_circle(position, position.column_of[a]):
            return True
        return position.column_of[a] != position.column_of[b] and has_circle(position, position.column_of[b])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_circle(position: Position, col: cython.longlong) -> cython.bint:
    """Follow the tiles of a column that have one move to where they must go; tell whether three or more go around."""
    if position.live_in_column[col] < 3:
        return False
    for start in range(position.rows - 2):  # each circle is found from its topmost row
        row: cython.longlong = start
        length: cython.longlong = 0
        while True:
            cell = row * position.cols + col
            home = position.colours[cell]
            if position.moves[cell] != 1 or home == row or home >= position.rows or home < start:
                break
            row = home
            length += 1
            if row == start:
                if length > 2:
                    return True
                break
            if length > position.rows:  # a circle further on, without the start
                break
    return False


TEST = Deadlock(
    "Deadlock",
    "Each of these tiles must spend its one move on going straight home along the column, where the next one of the "
    "circle stands. Whichever goes first sends that next one, which has no other move, into a row that is not its own.",
    cost=6,
)
