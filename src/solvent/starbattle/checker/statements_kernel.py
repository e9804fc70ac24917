"""Write down, clause by clause, what holds in every solution of a puzzle.

The statements are about stars, and about counting them. Variable 1 + row × size + col says that a star stands there.
Counting goes along a list of places; a place is one cell or several that all touch each other, so it has at most one
star. A place of several cells has a variable, "there is a star on one of these". For each number i of places and each
j there is the statement "the first i places have at least j stars". No place needs to be counted to know that

- they have at least 0 stars, and not more than are wanted altogether;
- they have at most as many stars as they have room for: one to a place, and along lines only every other place;
- they have at least as many as do not find room on the places behind them.

Only the statements which that leaves open have a variable. Lists are counted in this order: rows, columns, then, if
four stars or more are wanted in each, pairs of neighbouring rows and pairs of neighbouring columns, with two cells to a
place and twice the stars; then regions, cut into blocks. Variables are numbered list by list, places first, then the
statements by i and j.

If the puzzle has a solution, reading these off it satisfies every clause below, because each says something about
counting. So if the clauses cannot all be satisfied, there is no solution.

This is plain Python that is compiled as it stands: large boards have tens of thousands of clauses.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import cython

from solvent.engine.clauses import ClauseList
from solvent.starbattle.model import CROSS, STAR, Puzzle

Cell = tuple[int, int]
"""Row and column, from 0."""
Place = list[Cell]
"""Cells of which at most one has a star."""

TRUE = cython.declare(
    cython.longlong, 1000000000
)  # stands for a statement known to hold; what is known not to is -TRUE


class Statements:
    """Hold what holds in every solution that keeps the marks."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.variables = puzzle.size**2
        self.literals: list[int] = []
        """The literals of all clauses, one clause after the other."""
        self.starts = [0]
        """Where each clause begins in them, and where the last one ends."""
        self.stars_do_not_touch()
        for places, stars in self.lines():
            self.count(places, stars, True)
        for region in range(self.size):
            self.count(self.blocks(region), puzzle.stars, False)
        self.marks_are_kept()

    def formula(self) -> ClauseList:
        """Return all clauses."""
        return ClauseList(self.literals, self.starts, self.variables)

    def add(self, clause: list[int]) -> None:
        """Say that one of these holds."""
        self.literals += clause
        self.starts.append(len(self.literals))

    def star(self, row: int, col: int) -> int:
        """Number a variable."""
        return 1 + row * self.size + col

    def new_variable(self) -> int:
        """Number a variable."""
        self.variables += 1
        return self.variables

    def stars_do_not_touch(self) -> None:
        """Of two cells that touch, one has no star."""
        cells = {(row, col) for row in range(self.size) for col in range(self.size)}
        for row, col in sorted(cells):
            for other in ((row, col + 1), (row + 1, col - 1), (row + 1, col), (row + 1, col + 1)):
                if other in cells:
                    self.add([-self.star(row, col), -self.star(*other)])

    def marks_are_kept(self) -> None:
        """A star stands where one is marked, none where a cross is."""
        for cell, mark in enumerate(self.puzzle.marks):
            if mark == STAR:
                self.add([self.star(*divmod(cell, self.size))])
            if mark == CROSS:
                self.add([-self.star(*divmod(cell, self.size))])

    def lines(self) -> Iterator[tuple[list[Place], int]]:
        """Yield the places of the lines and of the pairs of lines, with how many stars they want."""
        numbers = range(self.size)
        rows = [[(row, col) for col in numbers] for row in numbers]
        columns = [[(row, col) for row in numbers] for col in numbers]
        for line in rows + columns:
            yield [[cell] for cell in line], self.puzzle.stars
        if self.puzzle.stars >= 4:
            for lines in (rows, columns):
                for one, other in pairwise(lines):
                    yield [[one[number], other[number]] for number in numbers], 2 * self.puzzle.stars

    def blocks(self, region: int) -> list[Place]:
        """Cut a region into blocks: from its first cell on, what is left of it in the 2×2 cells down and right."""
        left = [divmod(cell, self.size) for cell, name in enumerate(self.puzzle.regions) if name == region]
        blocks = []
        while left:
            row, col = left[0]
            block = [cell for cell in left if cell[0] in (row, row + 1) and cell[1] in (col, col + 1)]
            left = [cell for cell in left if cell not in block]
            blocks.append(block)
        return blocks

    def count(self, places: list[Place], stars: cython.longlong, every_other: cython.bint) -> None:
        """There are exactly so many stars on these places; with `every_other`, they are places along a line."""
        count: cython.longlong = len(places)
        if room_on(count, every_other) < stars:
            self.add([])  # they cannot be placed
            return
        names = [self.name(place) for place in places]
        if every_other:
            for (one, first), (other, second) in pairwise(zip(places, names, strict=True)):
                if len(one) > 1 and len(other) > 1:  # single cells are told not to touch already
                    self.add([-first, -second])
        at_least: list[list[int]] = []  # [i][j]: the first i places have at least j stars
        for i in range(count + 1):
            least: cython.longlong = max(0, stars - room_on(count - i, every_other))
            most: cython.longlong = min(stars, room_on(i, every_other))
            still_open = [self.new_variable() for _ in range(least + 1, most + 1)]
            at_least.append([*[TRUE] * (least + 1), *still_open, *[-TRUE] * (stars + 1 - most)])
        for name, before, here in zip(names, at_least, at_least[1:], strict=False):
            for j in range(1, stars + 2):
                either(self.literals, self.starts, -before[j], here[j], -TRUE)
                either(self.literals, self.starts, -before[j - 1], -name, here[j])
                either(self.literals, self.starts, -here[j], before[j], name)
                either(self.literals, self.starts, -here[j], before[j - 1], -TRUE)

    def name(self, place: Place) -> int:
        """Return the variable that says whether a place has a star."""
        stars = [self.star(*cell) for cell in place]
        assert all(abs(a - c) <= 1 and abs(b - d) <= 1 for (a, b), (c, d) in combinations(place, 2)), place
        if len(stars) == 1:
            return stars[0]
        name = self.new_variable()
        self.add([-name, *stars])
        for star in stars:
            self.add([-star, name])
        return name


@cython.cfunc
def room_on(count: cython.longlong, every_other: cython.bint) -> cython.longlong:
    """Return how many stars have room on so many places."""
    return (count + 1) // 2 if every_other else count


@cython.cfunc
def either(
    literals: list[int], starts: list[int], one: cython.longlong, other: cython.longlong, third: cython.longlong
) -> cython.void:
    """Say that one of three statements holds; what is known is left out."""
    if one == TRUE or other == TRUE or third == TRUE:
        return
    if one != -TRUE:
        literals.append(one)
    if other != -TRUE:
        literals.append(other)
    if third != -TRUE:
        literals.append(third)
    starts.append(len(literals))
