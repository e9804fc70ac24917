"""Distance: no walk of as many swaps as a tile has moves ends in its row.

A tile makes as many swaps as it has moves, each to another cell of its row or column. The cells it stands on are live
then, so they are live now. Only tiles with up to three moves are looked at: with more, a tile that can get to its row
at all can nearly always use up the rest.
"""

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
class Distance(HarmonyTest):
    """No walk of as many swaps as a tile has moves ends in its row."""

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires(self, position: Position) -> cython.bint:
        """Find a tile with up to three moves that has no such walk over live cells."""
        for cell in range(position.cells):
            if is_out_of_reach(position, cell):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def fires_after(self, position: Position, a: cython.longlong, b: cython.longlong) -> cython.bint:
        """Look at the two tiles that moved, and at all if a cell was closed, which may have been on their way."""
        if position.moves[a] == 0 or position.moves[b] == 0:
            return self.fires(position)
        return is_out_of_reach(position, a) or is_out_of_reach(position, b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_out_of_reach(position: Position, cell: cython.longlong) -> cython.bint:
    """Tell whether the tile on a cell has no walk that ends in its row with no move left."""
    moves = position.moves[cell]
    if moves == 0 or moves > 3:
        return False
    row = position.row_of[cell]
    col = position.column_of[cell]
    home = position.colours[cell]
    if home == row:
        if position.live_in_row[row] > 1:
            return False  # to and fro inside the row, or there and home again by a third cell
        if moves == 2:
            return position.live_in_column[col] < 2
        return moves == 1 or position.live_in_column[col] < 3
    if home >= position.rows:
        return False
    is_open: cython.bint = position.moves[home * position.cols + col] > 0
    if moves == 1 or (moves == 3 and is_open):
        return not is_open
    if moves == 2:
        if is_open and (position.live_in_row[home] > 1 or position.live_in_column[col] > 2):
            return False
        return not row_leads_home(position, row, home, col)
    return not has_detour(position, row, home, col)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def row_leads_home(
    position: Position, row: cython.longlong, home: cython.longlong, col: cython.longlong
) -> cython.bint:
    """Tell whether two swaps lead home: along the row, then along another column."""
    for other in range(position.cols):
        if (
            other != col
            and position.moves[row * position.cols + other] > 0
            and position.moves[home * position.cols + other] > 0
        ):
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_detour(position: Position, row: cython.longlong, home: cython.longlong, col: cython.longlong) -> cython.bint:
    """Tell whether three swaps lead home, where the cell of the tile's column in its row is closed."""
    for other in range(position.cols):
        if other == col or position.moves[home * position.cols + other] == 0:
            continue
        for between in range(position.rows):
            if (
                between == home
                or position.moves[between * position.cols + col] == 0
                or position.moves[between * position.cols + other] == 0
            ):
                continue
            if between != row:
                return True  # along the column, along that row, along the other column
            if position.live_in_row[home] > 1 or position.live_in_row[row] > 2 or position.live_in_column[other] > 2:
                return True  # two swaps lead home, and there is a third cell to spend the odd one on
    return False


TEST = Distance(
    "Distance",
    "The tile makes exactly as many swaps as it has moves, over cells that are live now, "
    "and no walk of that many swaps ends in its own row.",
    cost=22,
)
