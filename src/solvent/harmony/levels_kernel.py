"""Boards packed into whole numbers, for the exhaustive trial: neighbours, and one form for all symmetric boards.

A board is packed cell by cell, row by row, each as its colour and then its moves. Boards that differ only in the order
of columns, or of rows with their colours, are symmetric; the smallest of their numbers stands for all.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import cython

from solvent.engine.arrays import new_row, new_table, row_of
from solvent.harmony.model import Swap

if cython.compiled:
    from cython.cimports.solvent.harmony.invalidity.position_kernel import Position
else:
    from solvent.harmony.invalidity.position_kernel import Position


@cython.final
@cython.cclass
class Packing:
    """Pack boards of one size."""

    rows: cython.longlong
    """Rows of the boards."""
    cols: cython.longlong
    """Columns of the boards."""
    cells: cython.longlong
    """Rows times columns."""
    colour_bits: cython.longlong
    """Bits that hold a colour."""
    move_bits: cython.longlong
    """Bits that hold the moves of a tile."""
    pairs: cython.longlong[:, ::1]
    """Shape (pair_count, 2): every two aligned cells."""
    pair_count: cython.longlong
    """How many there are."""
    row_orders: cython.longlong[:, ::1]
    """Shape (order_count, rows): every order of the rows, as the new place of each."""
    order_count: cython.longlong
    """How many there are."""
    board: Position
    """The board at hand."""
    old_row: cython.longlong[::1]
    """For each new place the row that goes there, in the order of rows at hand."""
    codes: cython.longlong[:, ::1]
    """Shape (rows, cols): the tiles as numbers, rows in the order at hand, columns sorted as far as they are in."""

    def __init__(self, rows: int, cols: int, colour_bits: int, move_bits: int, pairs: Sequence[Swap]) -> None:
        self.rows = rows
        self.cols = cols
        self.cells = rows * cols
        self.colour_bits = colour_bits
        self.move_bits = move_bits
        self.pairs = _table_of(pairs, 2)
        self.pair_count = len(pairs)
        orders = list(permutations(range(rows)))
        self.row_orders = _table_of(orders, rows)
        self.order_count = len(orders)
        self.board = Position(rows, cols, [0] * self.cells, [0] * self.cells)
        self.old_row = new_row(rows)
        self.codes = new_table(rows, cols)

    def pack(self, colours: Sequence[int], moves: Sequence[int]) -> int:
        """Return the number that stands for a board and those symmetric to it."""
        for cell in range(self.cells):
            self.board.colours[cell] = colours[cell]
            self.board.moves[cell] = moves[cell]
        return self._smallest_form()

    def unpack(self, packed: cython.longlong) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the colours and the moves of a packed board."""
        self._take(packed)
        cells = range(self.cells)
        return tuple([self.board.colours[cell] for cell in cells]), tuple([self.board.moves[cell] for cell in cells])

    def neighbours(self, boards: Sequence[int], change: cython.longlong) -> set[int]:
        """Return what all swaps make of packed boards, adding `change`, -1 or +1, to the moves of both tiles.

        With -1 only legal swaps are played: those of two tiles that have moves left.
        """
        memory = new_row(len(boards) * self.pair_count)
        given: cython.longlong[::1] = row_of(boards)
        found: cython.longlong[::1] = memory
        count: cython.longlong = 0
        number: cython.longlong = len(boards)
        with cython.nogil:
            for place in range(number):
                self._take(given[place])
                for pair in range(self.pair_count):
                    a = self.pairs[pair, 0]
                    b = self.pairs[pair, 1]
                    if change > 0 or (self.board.moves[a] > 0 and self.board.moves[b] > 0):
                        self.board.exchange(a, b, change)
                        found[count] = self._smallest_form()
                        count += 1
                        self.board.exchange(a, b, -change)
        return set(memory[:count].tolist())

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, packed: cython.longlong) -> cython.void:
        """Make a packed board the one at hand."""
        one: cython.longlong = 1
        for cell in range(self.cells - 1, -1, -1):
            self.board.moves[cell] = packed & ((one << self.move_bits) - 1)
            packed >>= self.move_bits
            self.board.colours[cell] = packed & ((one << self.colour_bits) - 1)
            packed >>= self.colour_bits

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _smallest_form(self) -> cython.longlong:
        """Pack the board at hand as the smallest of its symmetric forms."""
        best: cython.longlong = -1
        for order in range(self.order_count):
            packed = self._smallest_in_order(order)
            if best < 0 or packed < best:
                best = packed
        return best

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _smallest_in_order(self, order: cython.longlong) -> cython.longlong:
        """Pack the board with its rows in this order; the columns are sorted, which makes the number smallest."""
        for row in range(self.rows):
            self.old_row[self.row_orders[order, row]] = row
        for col in range(self.cols):
            place = col
            while place > 0 and self._goes_before(order, col, place - 1):
                for row in range(self.rows):
                    self.codes[row, place] = self.codes[row, place - 1]
                place -= 1
            for row in range(self.rows):
                self.codes[row, place] = self._code(order, row, col)
        packed: cython.longlong = 0
        for row in range(self.rows):
            for col in range(self.cols):
                packed = (packed << (self.colour_bits + self.move_bits)) | self.codes[row, col]
        return packed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _goes_before(self, order: cython.longlong, col: cython.longlong, place: cython.longlong) -> cython.bint:
        """Tell whether a column of the board is smaller than the one sorted into a place, read from the top."""
        for row in range(self.rows):
            code = self._code(order, row, col)
            if code != self.codes[row, place]:
                return code < self.codes[row, place]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _code(self, order: cython.longlong, row: cython.longlong, col: cython.longlong) -> cython.longlong:
        """Return the tile of a column that stands in a row, in the order of rows at hand, as a number."""
        cell = self.old_row[row] * self.cols + col
        return (self.row_orders[order, self.board.colours[cell]] << self.move_bits) | self.board.moves[cell]


def _table_of(rows: Sequence[Sequence[int]], columns: int) -> memoryview:
    """Return a table of whole numbers, given row by row."""
    table = new_table(len(rows), columns)
    for row, numbers in enumerate(rows):
        for column, number in enumerate(numbers):
            table[row, column] = number
    return table
