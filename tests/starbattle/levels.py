"""Read and write positions of the search kernel in the words of the rule book, for tests of its parts."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver.board_kernel import Board
from solvent.starbattle.solver.line_pair_kernel import LinePairCount
from solvent.starbattle.solver.placements_kernel import RegionPlacements
from solvent.starbattle.solver.position_kernel import Position
from solvent.starbattle.solver.propagation_kernel import Propagation
from solvent.starbattle.solver.transport_kernel import TransportCount

KINDS = ("row", "column", "region")


class Level:
    """Hold the position of a puzzle, and the counts that narrow it.

    Fields of a compiled position are read and set as a whole: what is read is a copy.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.position = Position(Board(puzzle.size, puzzle.stars, puzzle.regions))
        self.possible = self.position.mark(puzzle.marks.encode("ascii"))
        """False if the marks break a rule by themselves; the position then means nothing."""
        self._prepared = self.copy_of_position()
        self.restore()

    def restore(self) -> None:
        """Go back to the position as it was prepared, with counts that remember nothing."""
        self.put_back(self._prepared)
        self.line_pairs, self.placements, self.transport = LinePairCount(), RegionPlacements(), TransportCount()
        self.propagation = Propagation()

    def narrow_line_pair(self, orientation: int, line: int) -> int:
        return self.line_pairs.narrow(self.position, orientation, line)

    def narrow_region(self, region: int) -> int:
        return self.placements.narrow(self.position, region)

    def narrow_transport(self, orientation: int, begin: int) -> int:
        return self.transport.narrow(self.position, orientation, begin)

    def propagate(self) -> bool:
        return self.propagation.run(self.position)

    @property
    def candidates(self) -> frozenset[int]:
        """Return the cells that may still become stars, as the rows have them."""
        return self._cells(self.position.candidates[0])

    @property
    def stars(self) -> frozenset[int]:
        """Return the cells of the stars placed."""
        return self._cells(self.position.stars)

    def need(self, kind: str, index: int) -> int:
        """Return how many stars a unit still needs."""
        found: int = self.position.needs[KINDS.index(kind)][index]
        return found

    def set_need(self, kind: str, index: int, need: int) -> None:
        needs = self.position.needs
        needs[KINDS.index(kind)][index] = need
        self.position.needs = needs

    def set_candidates(self, cells: Iterable[int]) -> None:
        """Make these cells the candidates, in rows and columns alike."""
        candidates = [[0] * len(self.position.candidates[0]) for _ in range(2)]
        for cell in cells:
            row, col = divmod(cell, self.size)
            candidates[0][row] |= 1 << col
            candidates[1][col] |= 1 << row
        self.position.candidates = candidates

    def changed(self, kind: str) -> frozenset[int]:
        """Return the units that wait to be looked at again."""
        mask = self.position.changed[KINDS.index(kind)]
        return frozenset(index for index in range(self.size) if mask >> index & 1)

    def forget_changes(self) -> None:
        self.position.changed = [0, 0, 0]

    def inconsistencies(self) -> list[str]:
        """Return what does not fit together in the position; only for those not written by hand."""
        size, puzzle = self.size, self.puzzle
        wrong = []
        by_column = self.position.candidates[1]
        columns = {row * size + col for col in range(size) for row in range(size) if by_column[col] >> row & 1}
        if columns != self.candidates:
            wrong.append("rows and columns have different candidates")
        if self.candidates & self.stars:
            wrong.append("a star is a candidate too")
        for cell in self.stars:
            if any(touches(cell, other, size) for other in (self.stars | self.candidates) - {cell}):
                wrong.append(f"something touches the star on {cell}")
        for kind in KINDS:
            for index in range(size):
                placed = sum(unit_of(puzzle, cell, kind) == index for cell in self.stars)
                if self.need(kind, index) != puzzle.stars - placed:
                    wrong.append(f"the need of {kind} {index} is off")
                if placed == puzzle.stars and any(unit_of(puzzle, cell, kind) == index for cell in self.candidates):
                    wrong.append(f"{kind} {index} is full and has candidates")
        return wrong

    def copy_of_position(self) -> tuple[Any, ...]:
        """Return all that the position holds, to compare or to put back."""
        position = self.position
        return deepcopy((position.candidates, position.needs, position.changed, position.stars))

    def put_back(self, copied: tuple[Any, ...]) -> None:
        """Write a copied position back, and leave what the counts remember."""
        position = self.position
        position.candidates, position.needs, position.changed, position.stars = deepcopy(copied)

    def _cells(self, rows: list[int]) -> frozenset[int]:
        size = self.size
        return frozenset(row * size + col for row in range(size) for col in range(size) if rows[row] >> col & 1)


def touches(cell: int, other: int, size: int) -> bool:
    """Tell whether two different cells touch."""
    return cell != other and max(abs(cell // size - other // size), abs(cell % size - other % size)) <= 1


def unit_of(puzzle: Puzzle, cell: int, kind: str) -> int:
    """Return the number of a cell's row, column or region."""
    if kind == "region":
        return puzzle.regions[cell]
    return cell // puzzle.size if kind == "row" else cell % puzzle.size
