"""What the marks say at a glance: which cells are open, and how many stars each row, column and region still needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.starbattle.cells import format_region
from solvent.starbattle.checker.steps.certificate_schema import Cell, Unit
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle

CellSet = frozenset[Cell]


class NotShown(Exception):
    """Say which part of a witness does not hold."""


class Findings(Struct, frozen=True):
    """Hold all that follows from a witness."""

    stars: CellSet = frozenset()
    crosses: CellSet = frozenset()


class Board(Struct, frozen=True):
    """Hold a puzzle with its marks, and what they leave."""

    puzzle: Puzzle
    units: Mapping[Unit, CellSet]
    """The cells of every row, column and region."""
    needs: Mapping[Unit, int]
    """How many stars each of them lacks."""
    open: CellSet
    """Cells without a mark that touch no star and lie in no full unit. All stars not yet marked are on these."""
    meter: Meter
    """Whose limits end the check; what takes long looks at it."""

    @property
    def size(self) -> int:
        """Rows, columns and regions."""
        return self.puzzle.size

    def mark(self, cell: Cell) -> str:
        """Return what is marked on a cell."""
        row, col = cell
        return self.puzzle.marks[row * self.size + col]


def board_of(puzzle: Puzzle, meter: Meter = UNLIMITED) -> Board:
    """Read the marks of a puzzle."""
    units: dict[Unit, set[Cell]] = {}
    for number in range(puzzle.size):
        units["row", number] = {(number, col) for col in range(puzzle.size)}
        units["column", number] = {(row, number) for row in range(puzzle.size)}
        units["region", number] = set()
    for number, region in enumerate(puzzle.regions):
        units["region", region].add(divmod(number, puzzle.size))
    return _read_marks(puzzle, {unit: frozenset(cells) for unit, cells in units.items()}, meter)


def with_marks(board: Board, *, stars: Iterable[Cell] = (), crosses: Iterable[Cell] = ()) -> Board:
    """Return the board with more marks."""
    marks = list(board.puzzle.marks)
    for cells, mark in ((stars, STAR), (crosses, CROSS)):
        for row, col in cells:
            marks[row * board.size + col] = mark
    return _read_marks(replace(board.puzzle, marks="".join(marks)), board.units, board.meter)


def _read_marks(puzzle: Puzzle, units: Mapping[Unit, CellSet], meter: Meter) -> Board:
    """Find out what the marks leave, on a board with these units."""
    marked = [(divmod(number, puzzle.size), mark) for number, mark in enumerate(puzzle.marks)]
    stars = frozenset(cell for cell, mark in marked if mark == STAR)
    needs = {unit: puzzle.stars - len(members & stars) for unit, members in units.items()}
    still_open = {cell for cell, mark in marked if mark == UNKNOWN}
    for unit, members in units.items():
        if needs[unit] <= 0:
            still_open -= members
    for star in stars:
        still_open -= cells_around(star)
    return Board(puzzle, units, needs, frozenset(still_open), meter)


def touches(one: Cell, other: Cell) -> bool:
    """Tell whether two cells touch, diagonals included."""
    return one != other and abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= 1


def cells_around(cell: Cell) -> CellSet:
    """Return the cells that touch a cell, whether the board has them or not."""
    row, col = cell
    return frozenset((row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right)


def touches_any(cell: Cell, others: Iterable[Cell]) -> bool:
    """Tell whether a cell touches one of the others."""
    return any(touches(cell, other) for other in others)


def touches_all(cell: Cell, others: Iterable[Cell]) -> bool:
    """Tell whether a cell touches each of the others."""
    return all(touches(cell, other) for other in others)


def units_at(board: Board, cell: Cell) -> list[Unit]:
    """Return the row, column and region of a cell of the board."""
    row, col = cell
    return [("row", row), ("column", col), ("region", board.puzzle.regions[row * board.size + col])]


def excludes(board: Board, star: Cell, cell: Cell) -> bool:
    """Tell whether a star on one open cell rules out another: they touch, or it is the last star of a shared unit."""
    shared = [unit for unit in units_at(board, star) if cell in board.units[unit]]
    return star != cell and (touches(star, cell) or any(board.needs[unit] == 1 for unit in shared))


# What a witness names must be there.


def on_board(board: Board, cells: Iterable[Cell]) -> list[Cell]:
    """Return cells that were named, once each is known to exist and to be named once."""
    named = list(cells)
    for row, col in named:
        if row >= board.size or col >= board.size:
            raise NotShown(f"there is no cell in row {row + 1}, column {col + 1}")
    for cell, times in Counter(named).items():
        if times > 1:
            raise NotShown(f"{name(cell)} is listed {times} times")
    return named


def unit_on_board(board: Board, unit: Unit) -> Unit:
    """Return a unit that was named, once it is known to exist."""
    if unit not in board.units:
        raise NotShown(f"there is no {unit[0]} number {unit[1] + 1}")
    return unit


def open_cell(board: Board, cell: Cell) -> Cell:
    """Return a cell that was named, once it is known to be open."""
    on_board(board, [cell])
    if cell not in board.open:
        raise NotShown(f"{name(cell)} is not open")
    return cell


# As players write it.


def name(cell: Cell) -> str:
    """Write a cell as players do."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def names(cells: Iterable[Cell]) -> str:
    """Write cells in reading order."""
    return ", ".join(name(cell) for cell in sorted(cells)) or "no cell"


def unit_name(unit: Unit) -> str:
    """Write a unit that is on the board as players do."""
    kind, number = unit
    return f"region {format_region(number)}" if kind == "region" else f"{kind} {number + 1}"
