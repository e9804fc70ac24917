"""Check a refutation: write down, clause by clause, what holds in every solution, and follow the proof that it cannot.

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
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

import msgspec

from solvent.core.answer import Certificate
from solvent.engine.clauses import ClauseList
from solvent.proof.rup import refutation_violations
from solvent.starbattle.checker.stars import Number, broken_rules
from solvent.starbattle.model import CROSS, STAR, Puzzle

Cell = tuple[int, int]
"""Row and column, from 0."""
Place = list[Cell]
"""Cells of which at most one has a star."""


class NoSolution(msgspec.Struct):
    """Hold the body of the form `refutation`."""

    proof: str
    """A refutation in DRUP text."""


class OnlySolution(msgspec.Struct):
    """Hold the body of the form `only solution`."""

    stars: list[tuple[Number, Number]]
    """The solution."""
    proof: str
    """A refutation, in DRUP text, of every other one."""


def check(puzzle: Puzzle, certificate: Certificate) -> list[str]:
    """Return why the proof does not refute a solution, or one other than the stars, or an empty list."""
    statements = Statements(puzzle)
    if certificate["form"] == "refutation":
        return refutation_violations(statements.formula(), msgspec.convert(certificate, NoSolution).proof)
    body = msgspec.convert(certificate, OnlySolution)
    broken = list(broken_rules(puzzle, body.stars))
    if broken:
        return broken
    # All solutions have equally many stars, so another one lacks one of these.
    statements.clauses.append([-statements.star(*cell) for cell in body.stars])
    return refutation_violations(statements.formula(), body.proof)


class Statements:
    """Write down what holds in every solution that keeps the marks."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.variables = puzzle.size**2
        self.clauses: list[list[int]] = []
        self.stars_do_not_touch()
        for places, stars in self.lines():
            self.count(places, stars, every_other=True)
        for region in range(self.size):
            self.count(self.blocks(region), puzzle.stars, every_other=False)
        self.marks_are_kept()

    def formula(self) -> ClauseList:
        """Return all clauses."""
        return ClauseList.of(self.clauses, variables=self.variables)

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
                    self.clauses.append([-self.star(row, col), -self.star(*other)])

    def marks_are_kept(self) -> None:
        """A star stands where one is marked, none where a cross is."""
        for cell, mark in enumerate(self.puzzle.marks):
            star = self.star(*divmod(cell, self.size))
            if mark == STAR:
                self.clauses.append([star])
            if mark == CROSS:
                self.clauses.append([-star])

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

    def count(self, places: list[Place], stars: int, *, every_other: bool) -> None:
        """There are exactly so many stars on these places."""

        def room(count: int) -> int:
            return (count + 1) // 2 if every_other else count

        if room(len(places)) < stars:
            self.clauses.append([])  # they cannot be placed
            return
        names = [self.name(place) for place in places]
        if every_other:
            for (one, first), (other, second) in pairwise(zip(places, names, strict=True)):
                if len(one) > 1 and len(other) > 1:  # single cells are told not to touch already
                    self.clauses.append([-first, -second])
        at_least: list[list[int | bool]] = []  # [i][j]: the first i places have at least j stars
        for i in range(len(places) + 1):
            least, most = max(0, stars - room(len(places) - i)), min(stars, room(i))
            open_ones = [self.new_variable() for _ in range(least + 1, most + 1)]
            at_least.append([*[True] * (least + 1), *open_ones, *[False] * (stars + 1 - most)])
        for name, before, here in zip(names, at_least, at_least[1:], strict=False):
            for j in range(1, stars + 2):
                self.imply((before[j],), here[j])
                self.imply((before[j - 1], name), here[j])
                self.imply((here[j],), before[j], name)
                self.imply((here[j],), before[j - 1])

    def name(self, place: Place) -> int:
        """Return the variable that says whether a place has a star."""
        stars = [self.star(*cell) for cell in place]
        assert all(abs(a - c) <= 1 and abs(b - d) <= 1 for (a, b), (c, d) in combinations(place, 2)), place
        if len(stars) == 1:
            return stars[0]
        name = self.new_variable()
        self.clauses.append([-name, *stars])
        self.clauses.extend([-star, name] for star in stars)
        return name

    def imply(self, causes: Sequence[int | bool], *effects: int | bool) -> None:
        """If all causes hold, one of the effects does; what is known is left out."""
        clause = []
        for cause in causes:
            if cause is False:
                return
            if cause is not True:
                clause.append(-cause)
        for effect in effects:
            if effect is True:
                return
            if effect is not False:
                clause.append(effect)
        self.clauses.append(clause)
