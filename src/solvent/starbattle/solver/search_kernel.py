"""The search kernel: branch on a cell of the most troublesome unit, first with a star, then without."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, longer_row, new_row
from solvent.engine.driver import WORKING
from solvent.starbattle.solver.combinations import LOG_COMBINATIONS

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.board_kernel import Board
    from cython.cimports.solvent.starbattle.solver.position_kernel import Position
    from cython.cimports.solvent.starbattle.solver.propagation_kernel import Propagation
    from cython.cimports.solvent.starbattle.solver.saved_positions_kernel import SavedPositions
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, MAX_STARS, REGIONS, ROWS, widened
else:
    from solvent.engine.bits import bit, lowest_bit, popcount, without_lowest_bit
    from solvent.starbattle.solver.board_kernel import Board
    from solvent.starbattle.solver.position_kernel import Position
    from solvent.starbattle.solver.propagation_kernel import Propagation
    from solvent.starbattle.solver.saved_positions_kernel import SavedPositions
    from solvent.starbattle.solver.units import COLUMNS, MAX_STARS, REGIONS, ROWS, WIDEST, widened, zeros

FOUND, EXHAUSTED = 1, 2
"""What `SolutionSearch.run` returns beside WORKING: as many were found as were wanted, or there is no more."""
KEPT_SOLUTIONS = 2
"""How many of the latest solutions a search can show."""

_WORKING = cython.declare(cython.longlong, WORKING)
_FOUND = cython.declare(cython.longlong, FOUND)
_EXHAUSTED = cython.declare(cython.longlong, EXHAUSTED)
NO_ROOM = cython.declare(cython.longlong, 3)  # positions must be saved from now on

# What `pending` can say is to be done next.
ENTER = cython.declare(cython.longlong, 0)
CHOOSE = cython.declare(cython.longlong, 1)
GO_BACK = cython.declare(cython.longlong, 2)
OVER = cython.declare(cython.longlong, 3)


@cython.final
@cython.cclass
class Combinations:
    """Hold a table. The field is described in `search_kernel.pxd`."""

    def __init__(self) -> None:
        if not cython.compiled:
            self.log = zeros(64, MAX_STARS + 1)
        for cells in range(64):
            for stars in range(MAX_STARS + 1):
                self.log[cells][stars] = LOG_COMBINATIONS[stars][cells]


_COMBINATIONS = Combinations()
_NO_CASES = new_row(1, SHORT)
_CELLS = tuple(range(WIDEST * WIDEST))  # numbers made once: new ones would lie all over the memory
_NOT_SAVED = SavedPositions(1, 0)  # what a search has before its first guess; most boards need none


@cython.final
@cython.freelist(2)
@cython.cclass
class SolutionSearch:
    """Find the solutions of a board one by one, always in the same order.

    The fields are described in `search_kernel.pxd`.
    """

    def __init__(
        self, size: int, stars: int, regions: tuple[int, ...], marks: bytes, by_cases: cython.bint = False
    ) -> None:
        """Begin a search; `regions` and `marks` are those of all cells, row by row; b"" stands for no marks.

        With `by_cases` it writes the cases down for a proof.
        """
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.chosen = zeros(WIDEST * MAX_STARS, 2)
            self.kept = zeros(2, WIDEST * MAX_STARS)
        self.nodes = 0
        self.found = 0
        self.board = Board(size, stars, regions)
        self.position = Position(self.board)
        self.propagation = Propagation()
        self.by_cases = by_cases
        self.cases = _NO_CASES
        self.written = 0
        self.saved = _NOT_SAVED
        self.combinations = _COMBINATIONS
        self.depth = 0
        self.pending = ENTER
        if marks and not self.position.mark(marks):
            self.pending = OVER

    def run(self, limit: cython.longlong, most: cython.longlong) -> int:
        """Visit up to `limit` more nodes.

        Returns FOUND once `most` solutions were found in all, EXHAUSTED if there is no more, else WORKING.
        """
        last = self.nodes + limit
        if self.by_cases:
            self.make_room_for_cases(limit)
        with cython.nogil:
            status = self.search(last, most)
        if status == NO_ROOM:
            self.saved = SavedPositions(self.board.size, self.board.size * self.board.stars)
            with cython.nogil:
                status = self.search(last, most)
        return status

    def solution(self, number: cython.longlong) -> tuple[int, ...]:
        """Return the cells of the stars of one of the latest solutions, counted from 0."""
        cells: tuple[int, ...] = _CELLS
        return tuple([cells[self.kept[number % 2][star]] for star in range(self.board.size * self.board.stars)])

    def written_cases(self) -> list[int]:
        """Return the cases the search went through: for each a cell, counted from 1, or 0 where counting ended it.

        Behind a cell come the cases with a star on it, and behind those the cases without.
        """
        if self.written == 0:  # the marks contradict each other
            return [0]
        return [self.cases[number] for number in range(self.written)]

    def make_room_for_cases(self, limit: cython.longlong) -> None:
        """Make sure that the cases of so many more nodes can be written: a node has two entries at most."""
        needed = self.written + 2 * limit
        if needed > len(self.cases):
            self.cases = longer_row(memoryview(self.cases), max(needed, 2 * len(self.cases)))

    def search(self, last: cython.longlong, most: cython.longlong) -> cython.longlong:
        """Go on until `last` nodes were visited in all; returns what `run` does."""
        while True:
            if self.pending == ENTER:
                if self.nodes >= last:
                    return _WORKING
                self.nodes += 1
                if self.propagation.run(self.position):
                    self.pending = CHOOSE
                else:
                    self.write_case(0)
                    self.pending = GO_BACK
            elif self.pending == CHOOSE:
                if not self.choose():
                    self.keep_solution()
                    self.write_case(0)
                    self.pending = GO_BACK
                    if self.found >= most:
                        return _FOUND
                elif self.depth < self.saved.depths:
                    self.branch()
                else:
                    return NO_ROOM
            elif self.pending == GO_BACK:
                self.go_back()
            else:
                return _EXHAUSTED

    def branch(self) -> cython.void:
        """Place a star on the chosen cell, one level deeper."""
        self.saved.save(self.depth, self.position)
        row = self.chosen[self.depth][0]
        col = self.chosen[self.depth][1]
        self.depth += 1
        self.write_case(row * self.board.size + col + 1)
        if self.position.place_star(row, col):
            self.pending = ENTER
        else:
            self.write_case(0)
            self.pending = GO_BACK

    def write_case(self, entry: cython.longlong) -> cython.void:
        """Write one entry of the cases, if they are wanted."""
        if self.by_cases:
            self.cases[self.written] = entry
            self.written += 1

    def go_back(self) -> cython.void:
        """Go back to the last branch and rule its cell out."""
        if self.depth == 0:
            self.pending = OVER
            return
        self.depth -= 1
        self.saved.restore(self.depth, self.position)
        self.position.rule_out(ROWS, self.chosen[self.depth][0], bit(self.chosen[self.depth][1]))
        self.pending = ENTER

    def keep_solution(self) -> cython.void:
        """Write the stars of the position down."""
        star: cython.longlong = 0
        for row in range(self.board.size):
            cells = self.position.stars[row]
            while cells != 0:
                self.kept[self.found % 2][star] = row * self.board.size + lowest_bit(cells)
                cells = without_lowest_bit(cells)
                star += 1
        self.found += 1

    def choose(self) -> cython.bint:
        """Choose the cell to branch on; False if every unit has its stars.

        The unit is the one with the fewest ways to choose its stars, in proportion to how often it failed before; the
        cell is the one of it that touches the most candidates.
        """
        least: cython.double = 1e18
        kind_chosen: cython.longlong = -1
        unit_chosen: cython.longlong = -1
        for kind in range(3):
            for unit in range(self.board.size):
                if self.position.needs[kind][unit] == 0:
                    continue
                trouble = self.trouble(kind, unit)
                if trouble < least:
                    least = trouble
                    kind_chosen = kind
                    unit_chosen = unit
        if kind_chosen < 0:
            return False
        most: cython.longlong = -1
        for row in range(self.board.size):
            cells = self.candidates_in_row(kind_chosen, unit_chosen, row)
            while cells != 0:
                col = lowest_bit(cells)
                cells = without_lowest_bit(cells)
                touched = self.touched(row, col)
                if touched > most:
                    most = touched
                    self.chosen[self.depth][0] = row
                    self.chosen[self.depth][1] = col
        return True

    def trouble(self, kind: cython.longlong, unit: cython.longlong) -> cython.double:
        """Return how many ways a unit has to choose its stars, as a logarithm, in proportion to its failures."""
        count: cython.longlong = 0
        if kind == REGIONS:
            for row in range(self.board.first_row[unit], self.board.last_row[unit] + 1):
                count += popcount(self.candidates_in_row(kind, unit, row))
        else:
            count = popcount(self.position.candidates[kind][unit])
        need = self.position.needs[kind][unit]
        return self.combinations.log[min(count, 63)][need] / self.propagation.weight[kind][unit]

    def candidates_in_row(self, kind: cython.longlong, unit: cython.longlong, row: cython.longlong) -> cython.ulonglong:
        """Return the candidates of a unit in a row."""
        cells = self.position.candidates[ROWS][row]
        if kind == ROWS:
            return cells if row == unit else 0
        if kind == COLUMNS:
            return cells & bit(unit)
        return cells & self.board.segment[ROWS][row][unit]

    def touched(self, row: cython.longlong, col: cython.longlong) -> cython.longlong:
        """Return how many candidates a cell touches, itself included."""
        around = widened(bit(col))
        touched = popcount(self.position.candidates[ROWS][row] & around)
        if row > 0:
            touched += popcount(self.position.candidates[ROWS][row - 1] & around)
        if row + 1 < self.board.size:
            touched += popcount(self.position.candidates[ROWS][row + 1] & around)
        return touched
