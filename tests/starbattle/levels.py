"""Read and write the levels of the search kernel in the words of the rule book, for tests of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from solvent.starbattle.model import Puzzle
from solvent.starbattle.solver import search_kernel
from solvent.starbattle.solver.workspace import LEVELS, level_words, workspace_words

KINDS = ("row", "column", "region")


class Level:
    """Hold the workspace of a puzzle and show the position at depth 0."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.words = np.zeros(workspace_words(puzzle.size, puzzle.stars), np.int64)
        regions = np.frombuffer(bytes(puzzle.regions), np.uint8)
        marks = np.frombuffer(puzzle.marks.encode("ascii"), np.uint8)
        self.possible = bool(search_kernel.prepare(self.words, puzzle.size, puzzle.stars, regions, marks))
        """False if the marks break a rule by themselves; the position then means nothing."""
        self._prepared = self.words.copy()

    def call(self, part: Callable[..., int | None], *arguments: int) -> int:
        """Call a part of the kernel on the position; one that returns nothing counts as 0."""
        return int(part(self.words, LEVELS, self.size, *arguments) or 0)

    def restore(self) -> None:
        """Go back to the position as it was prepared."""
        self.words[:] = self._prepared

    @property
    def candidates(self) -> frozenset[int]:
        """Return the cells that may still become stars, as the rows have them."""
        return self._cells(0)

    @property
    def stars(self) -> frozenset[int]:
        """Return the cells of the stars placed."""
        return self._cells(5 * self.size + 3)

    def need(self, kind: str, index: int) -> int:
        """Return how many stars a unit still needs."""
        return int(self.words[self._need(kind, index)])

    def set_need(self, kind: str, index: int, need: int) -> None:
        self.words[self._need(kind, index)] = need

    def set_candidates(self, cells: Iterable[int]) -> None:
        """Make these cells the candidates, in rows and columns alike."""
        size = self.size
        self.words[LEVELS : LEVELS + 2 * size] = 0
        for cell in cells:
            row, col = divmod(cell, size)
            self.words[LEVELS + row] |= 1 << col
            self.words[LEVELS + size + col] |= 1 << row

    def changed(self, kind: str) -> frozenset[int]:
        """Return the units that wait to be looked at again."""
        mask = int(self.words[LEVELS + 5 * self.size + KINDS.index(kind)])
        return frozenset(index for index in range(self.size) if mask >> index & 1)

    def forget_changes(self) -> None:
        self.words[LEVELS + 5 * self.size : LEVELS + 5 * self.size + 3] = 0

    def inconsistencies(self) -> list[str]:
        """Return what does not fit together in the position; only for those not written by hand."""
        size, puzzle = self.size, self.puzzle
        wrong = []
        columns = {row * size + col for col in range(size) for row in range(size) if self._bit(size + col, row)}
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

    def copy_of_position(self) -> list[int]:
        """Return the words of the position, to compare or to put back."""
        words: list[int] = self.words[LEVELS : LEVELS + level_words(self.size)].tolist()
        return words

    def put_back(self, position: list[int]) -> None:
        """Write a copied position back, and leave what the kernel remembers beside it."""
        self.words[LEVELS : LEVELS + len(position)] = position

    def _need(self, kind: str, index: int) -> int:
        return LEVELS + (2 + KINDS.index(kind)) * self.size + index

    def _cells(self, offset: int) -> frozenset[int]:
        size = self.size
        rows: list[int] = self.words[LEVELS + offset : LEVELS + offset + size].tolist()
        return frozenset(row * size + col for row in range(size) for col in range(size) if rows[row] >> col & 1)

    def _bit(self, offset: int, index: int) -> bool:
        return bool(int(self.words[LEVELS + offset]) >> index & 1)


def touches(cell: int, other: int, size: int) -> bool:
    """Tell whether two different cells touch."""
    return cell != other and max(abs(cell // size - other // size), abs(cell % size - other % size)) <= 1


def unit_of(puzzle: Puzzle, cell: int, kind: str) -> int:
    """Return the number of a cell's row, column or region."""
    if kind == "region":
        return puzzle.regions[cell]
    return cell // puzzle.size if kind == "row" else cell % puzzle.size
