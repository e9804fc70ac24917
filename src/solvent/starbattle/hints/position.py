"""A position as the techniques see it: sets of cells as bits of one number, bit `row * size + col`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from msgspec import Struct

from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.rules import Unit, lines_of, neighbours_of, regions_of

Cells = int
"""A set of cells, one bit each."""
Units = tuple[int, ...]
"""Numbers of units in the geometry, rising."""


def cells_in(cells: Cells) -> Iterator[int]:
    """Yield the cells of a set in reading order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def set_of(cells: Iterable[int]) -> Cells:
    """Return the set of these cells."""
    gathered = 0
    for cell in cells:
        gathered |= 1 << cell
    return gathered


class Geometry(Struct, frozen=True):
    """Hold what never changes on a board."""

    size: int
    units: tuple[Unit, ...]
    """Rows, columns, regions, `size` of each."""
    masks: tuple[Cells, ...]
    """The cells of each unit."""
    touching: tuple[Cells, ...]
    """For each cell the cells it touches."""
    units_at: tuple[tuple[int, int, int], ...]
    """For each cell the numbers of its row, column and region in `units`."""

    @property
    def rows(self) -> range:
        """The numbers of the rows in `units`."""
        return range(self.size)

    @property
    def columns(self) -> range:
        """The numbers of the columns in `units`."""
        return range(self.size, 2 * self.size)

    @property
    def regions(self) -> range:
        """The numbers of the regions in `units`."""
        return range(2 * self.size, 3 * self.size)

    def cells_of(self, units: Iterable[int]) -> Cells:
        """Return all cells of some units."""
        gathered = 0
        for unit in units:
            gathered |= self.masks[unit]
        return gathered

    def around(self, cells: Cells) -> Cells:
        """Return the cells that touch one of these."""
        gathered = 0
        for cell in cells_in(cells):
            gathered |= self.touching[cell]
        return gathered

    def beside_all(self, cells: Cells) -> Cells:
        """Return the cells that touch each of these; all cells if there is none."""
        shared = -1
        for cell in cells_in(cells):
            shared &= self.touching[cell]
        return shared

    def block(self, corner: int) -> Cells:
        """Return the 2×2 block with this top-left cell, cut off at the edge."""
        row, col = divmod(corner, self.size)
        block = 1 << corner
        if col + 1 < self.size:
            block |= block << 1
        if row + 1 < self.size:
            block |= block << self.size
        return block


@functools.lru_cache(maxsize=32)
def geometry_of(size: int, regions: tuple[int, ...]) -> Geometry:
    """Return the geometry of a board."""
    units = (*lines_of(size), *regions_of(size, regions))
    return Geometry(
        size=size,
        units=units,
        masks=tuple(set_of(unit.cells) for unit in units),
        touching=tuple(set_of(cells) for cells in neighbours_of(size)),
        units_at=tuple((cell // size, size + cell % size, 2 * size + region) for cell, region in enumerate(regions)),
    )


class Position(Struct, frozen=True):
    """Hold a board with the marks made so far, and what follows from the marks at a glance."""

    puzzle: Puzzle
    geometry: Geometry
    stars: Cells
    crosses: Cells
    unknown: Cells
    """Cells without a mark."""
    open: Cells
    """Unknown cells that touch no star and lie in no unit that has all its stars. A star can only go there."""
    needs: tuple[int, ...]
    """How many stars each unit still needs; negative if it has too many."""

    @property
    def size(self) -> int:
        """Rows, columns and regions."""
        return self.geometry.size

    def open_in(self, unit: int) -> Cells:
        """Return the open cells of a unit."""
        return self.open & self.geometry.masks[unit]

    def filled_by(self, cell: int) -> Units:
        """Return the units that a star on this cell would complete."""
        return tuple(unit for unit in self.geometry.units_at[cell] if self.needs[unit] == 1)

    def marked(self, *, stars: Iterable[int] = (), crosses: Iterable[int] = ()) -> Position:
        """Return the position after these marks are made as well."""
        marks = list(self.puzzle.marks)
        for cell in stars:
            marks[cell] = STAR
        for cell in crosses:
            marks[cell] = CROSS
        return position_of(replace(self.puzzle, marks="".join(marks)))

    @property
    def complete(self) -> bool:
        """Tell whether every unit has its stars."""
        return not any(self.needs)


def position_of(puzzle: Puzzle) -> Position:
    """Return the position of a puzzle with its marks."""
    geometry = geometry_of(puzzle.size, puzzle.regions)
    stars = crosses = unknown = 0
    bit = 1
    for mark in puzzle.marks:
        if mark == UNKNOWN:
            unknown |= bit
        elif mark == STAR:
            stars |= bit
        else:
            crosses |= bit
        bit <<= 1
    needs = tuple(puzzle.stars - (stars & mask).bit_count() for mask in geometry.masks)
    closed = geometry.around(stars)
    for mask, need in zip(geometry.masks, needs, strict=True):
        if need <= 0:
            closed |= mask
    return Position(puzzle, geometry, stars, crosses, unknown, unknown & ~closed, needs)


class Scratch(Struct):
    """Hold a board on which marks are tried."""

    geometry: Geometry
    open: Cells
    needs: list[int]

    def copy(self) -> Scratch:
        """Return a board to go on with while this one stays."""
        return Scratch(self.geometry, self.open, self.needs.copy())

    def place(self, cell: int) -> bool:
        """Put a star on an open cell; False, and nothing happens, if the cell is not open."""
        if not self.open >> cell & 1:
            return False
        geometry = self.geometry
        self.open &= ~(geometry.touching[cell] | 1 << cell)
        for unit in geometry.units_at[cell]:
            self.needs[unit] -= 1
            if self.needs[unit] == 0:
                self.open &= ~geometry.masks[unit]
        return True

    def area(self, plus: Units, minus: Units = ()) -> Cells:
        """Return the open cells of some units outside some others."""
        area = self.open & self.geometry.cells_of(plus)
        return area & ~self.geometry.cells_of(minus) if minus else area

    def surplus(self, plus: Units, minus: Units) -> int:
        """Return how many stars some units need more than some others."""
        surplus = 0
        for unit in plus:
            surplus += self.needs[unit]
        for unit in minus:
            surplus -= self.needs[unit]
        return surplus
