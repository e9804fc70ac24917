"""Try a mark on every open cell of a row, one at a time, by counting alone."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, popcount
    from cython.cimports.solvent.starbattle.solver.board_kernel import Board
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.propagation_kernel import Propagation
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS
else:
    from solvent.engine.bits import bit, popcount
    from solvent.starbattle.solver.board_kernel import Board
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.propagation_kernel import Propagation
    from solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS

STANDS = -1
"""What `Probe.run` says of a cell whose mark leads to no contradiction, or that is not open."""

_STANDS = cython.declare(cython.longlong, STANDS)


@cython.final
@cython.cclass
class Probe:
    """Hold a position and try marks on it."""

    position: Position
    """The one to probe; it stays as it is."""
    trial: Position
    """Where a mark is tried."""
    propagation: Propagation
    """The counts."""

    def __init__(self, size: int, stars: int, regions: tuple[int, ...]) -> None:
        """Begin with a board without marks; `regions` are those of all cells, row by row."""
        board = Board(size, stars, regions)
        self.position = Position(board)
        self.trial = Position(board)
        self.propagation = Propagation()

    def mark(self, marks: bytes) -> bool:
        """Make the marks of all cells, row by row, and count; False if they contradict each other.

        If nothing follows from the marks, no unit counts as changed any more, so that probes look only at what they
        change themselves.
        """
        if not self.position.mark(marks):
            return False
        self.trial.copy(self.position)
        if not self.propagation.run(self.trial):
            return False
        if self._is_unchanged():
            self.position.changed[ROWS] = 0
            self.position.changed[COLUMNS] = 0
            self.position.changed[REGIONS] = 0
        return True

    def run(self, row: cython.longlong, star: cython.bint) -> list[int]:
        """Try a star, or a cross, on each candidate of a row.

        Returns for each cell of the row STANDS, or how many cells were ruled out before the contradiction.
        """
        found = []
        for col in range(self.position.board.size):
            with cython.nogil:
                removed = self._probe(row, col, star)
            found.append(removed)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_unchanged(self) -> cython.bint:
        """Tell whether the trial has the candidates and stars of the position."""
        for row in range(self.position.board.size):
            if self.trial.candidates[ROWS][row] != self.position.candidates[ROWS][row]:
                return False
            if self.trial.stars[row] != self.position.stars[row]:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _probe(self, row: cython.longlong, col: cython.longlong, star: cython.bint) -> cython.longlong:
        """Try a mark on one cell; returns what `run` says of it."""
        if self.position.candidates[ROWS][row] & bit(col) == 0:
            return _STANDS
        self.trial.copy(self.position)
        stands: cython.bint = True
        if star:
            stands = self.trial.place_star(row, col)
        else:
            self.trial.rule_out(ROWS, row, bit(col))
        if stands and self.propagation.run(self.trial):
            return _STANDS
        removed: cython.longlong = 0
        for other in range(self.position.board.size):
            removed += popcount(self.position.candidates[ROWS][other] & ~self.trial.candidates[ROWS][other])
        return removed
