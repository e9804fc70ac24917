"""The rules as sets of cells with how many stars each may hold, so that a page only has to count.

Two stars touch exactly if some 2×2 block holds both, so blocks with at most one star say that none do.
"""

from __future__ import annotations

from dataclasses import dataclass

from solvent.starbattle.model import STAR, Puzzle
from solvent.starbattle.rules import Unit, units_of


@dataclass(frozen=True, slots=True)
class Limit:
    """Say how many stars some cells hold when the board is solved."""

    cells: tuple[int, ...]
    least: int
    most: int
    unit: Unit | None = None
    """The row, column or region they are; None for a block."""

    def stars(self, puzzle: Puzzle) -> tuple[int, ...]:
        """Return the cells of these that have a star."""
        return tuple(cell for cell in self.cells if puzzle.marks[cell] == STAR)


def limits_of(puzzle: Puzzle) -> tuple[Limit, ...]:
    """Return what holds of all 2×2 blocks, then of rows, columns and regions."""
    size = puzzle.size
    units = [Limit(unit.cells, puzzle.stars, puzzle.stars, unit) for unit in units_of(puzzle)]
    corners = [row * size + col for row in range(size - 1) for col in range(size - 1)]
    return (*(Limit((at, at + 1, at + size, at + size + 1), 0, 1) for at in corners), *units)


def is_solved(puzzle: Puzzle) -> bool:
    """Tell whether all stars are placed, by the rules."""
    return all(limit.least <= len(limit.stars(puzzle)) <= limit.most for limit in limits_of(puzzle))


def name_of(unit: Unit) -> str:
    """Name a unit at the beginning of a sentence."""
    return f"{str(unit)[0].upper()}{str(unit)[1:]}"
