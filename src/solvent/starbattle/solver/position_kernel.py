"""A position of the search: the cells that may still become stars, and the two ways to change it.

Cells are ruled out, and stars are placed; a star rules out what it excludes. Nothing else changes a position.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from cython.cimports.solvent.starbattle.solver.board_kernel import Board
    from cython.cimports.solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS, widened
else:
    from solvent.engine.bits import bit, lowest_bit, without_lowest_bit
    from solvent.starbattle.solver.board_kernel import Board
    from solvent.starbattle.solver.units import COLUMNS, REGIONS, ROWS, WIDEST, widened, zeros

STAR = cython.declare(cython.longlong, 42)
CROSS = cython.declare(cython.longlong, 120)
# How marks are written: the characters * and x.


@cython.final
@cython.freelist(2)
@cython.cclass
class Position:
    """Hold a position. The fields are described in `position_kernel.pxd`."""

    def __init__(self, board: Board) -> None:
        """Begin with every cell open and every unit to be looked at."""
        if not cython.compiled:  # C's arrays are there from the start, all zero
            self.candidates = zeros(2, WIDEST)
            self.needs = zeros(3, WIDEST)
            self.changed = zeros(3)
            self.stars = zeros(WIDEST)
        self.board = board
        for line in range(board.size):
            self.candidates[ROWS][line] = board.every
            self.candidates[COLUMNS][line] = board.every
        for kind in range(3):
            self.changed[kind] = board.every
            for unit in range(board.size):
                self.needs[kind][unit] = board.stars

    def mark(self, marks: bytes) -> bool:
        """Keep the marks of all cells, row by row; False if they break a rule by themselves."""
        size = self.board.size
        if len(marks) != size * size:
            raise ValueError(f"expected a mark for each of {size * size} cells, found {len(marks)}")
        for row in range(size):
            for col in range(size):
                if marks[row * size + col] == CROSS:
                    self.rule_out_in_row(row, bit(col))
        for row in range(size):
            for col in range(size):
                if marks[row * size + col] == STAR and not self.place_star(row, col):
                    return False
        return True

    def copy(self, other: Position) -> cython.void:
        """Become equal to another position of the same board."""
        for line in range(self.board.size):
            self.candidates[ROWS][line] = other.candidates[ROWS][line]
            self.candidates[COLUMNS][line] = other.candidates[COLUMNS][line]
            self.needs[ROWS][line] = other.needs[ROWS][line]
            self.needs[COLUMNS][line] = other.needs[COLUMNS][line]
            self.needs[REGIONS][line] = other.needs[REGIONS][line]
            self.stars[line] = other.stars[line]
        for kind in range(3):
            self.changed[kind] = other.changed[kind]

    def rule_out(self, orientation: cython.longlong, line: cython.longlong, cells: cython.ulonglong) -> cython.void:
        """Take cells of a row or column out of the candidates."""
        if orientation == ROWS:
            self.rule_out_in_row(line, cells)
        else:
            self.rule_out_in_column(line, cells)

    def place_star(self, row: cython.longlong, col: cython.longlong) -> cython.bint:
        """Place a star on a candidate and rule out what that excludes; False if the star cannot stand there.

        A star excludes the cells it touches, and the rest of each unit that now has all its stars.
        """
        cell = bit(col)
        if self.candidates[ROWS][row] & cell == 0:
            return self.stars[row] & cell != 0
        region = self.board.region[row][col]
        self.needs[ROWS][row] -= 1
        self.needs[COLUMNS][col] -= 1
        self.needs[REGIONS][region] -= 1
        if self.needs[ROWS][row] < 0 or self.needs[COLUMNS][col] < 0 or self.needs[REGIONS][region] < 0:
            return False
        self.stars[row] |= cell
        if row > 0:
            self.rule_out_in_row(row - 1, widened(cell))
        if row + 1 < self.board.size:
            self.rule_out_in_row(row + 1, widened(cell))
        self.rule_out_in_row(row, widened(cell) if self.needs[ROWS][row] > 0 else self.board.every)
        if self.needs[COLUMNS][col] == 0:
            self.rule_out_in_column(col, self.board.every)
        if self.needs[REGIONS][region] == 0:
            self.rule_out_region(region)
        return True

    def place(self, orientation: cython.longlong, line: cython.longlong, cells: cython.ulonglong) -> cython.bint:
        """Place stars on cells of a row or column; False if one cannot stand."""
        while cells != 0:
            place = lowest_bit(cells)
            cells = without_lowest_bit(cells)
            if orientation == ROWS:
                if not self.place_star(line, place):
                    return False
            elif not self.place_star(place, line):
                return False
        return True

    def rule_out_in_row(self, row: cython.longlong, cells: cython.ulonglong) -> cython.void:
        """Take cells of a row out of the candidates."""
        cells &= self.candidates[ROWS][row]
        if cells == 0:
            return
        self.candidates[ROWS][row] &= ~cells
        self.changed[ROWS] |= bit(row)
        self.changed[COLUMNS] |= cells
        keep = ~bit(row)
        regions: cython.ulonglong = 0
        while cells != 0:
            col = lowest_bit(cells)
            cells = without_lowest_bit(cells)
            self.candidates[COLUMNS][col] &= keep
            regions |= bit(self.board.region[row][col])
        self.changed[REGIONS] |= regions

    def rule_out_in_column(self, col: cython.longlong, cells: cython.ulonglong) -> cython.void:
        """Take cells of a column out of the candidates."""
        cells &= self.candidates[COLUMNS][col]
        if cells == 0:
            return
        self.candidates[COLUMNS][col] &= ~cells
        self.changed[ROWS] |= cells
        self.changed[COLUMNS] |= bit(col)
        keep = ~bit(col)
        regions: cython.ulonglong = 0
        while cells != 0:
            row = lowest_bit(cells)
            cells = without_lowest_bit(cells)
            self.candidates[ROWS][row] &= keep
            regions |= bit(self.board.region[row][col])
        self.changed[REGIONS] |= regions

    def rule_out_region(self, region: cython.longlong) -> cython.void:
        """Take all cells of a region out of the candidates."""
        for row in range(self.board.first_row[region], self.board.last_row[region] + 1):
            self.rule_out_in_row(row, self.board.segment[ROWS][row][region])
