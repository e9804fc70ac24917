"""Write a formula with costs: clauses, counts and choices, from which a cheapest solution can be found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations


class TooManyClauses(Exception):
    """Say that a formula grew beyond its limit."""


class Formula:
    """Gather clauses, and costs of literals that are true."""

    def __init__(self, max_clauses: int) -> None:
        """Begin without clauses; one more than `max_clauses` raises TooManyClauses."""
        self.max_clauses = max_clauses
        self.variables = 0
        self.clauses: list[list[int]] = []
        self.costs: dict[int, int] = {}

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Demand that one of these is true."""
        if len(self.clauses) >= self.max_clauses:
            raise TooManyClauses
        self.clauses.append(list(literals))

    def pay(self, literal: int, cost: int) -> None:
        """Let a literal cost something when it is true."""
        if cost:
            self.costs[literal] = self.costs.get(literal, 0) + cost

    def any_of(self, literals: Sequence[int]) -> int:
        """Return a variable that is true exactly if one of these is."""
        if len(literals) == 1:
            return literals[0]
        either = self.new()
        self.add(-either, *literals)
        for literal in literals:
            self.add(-literal, either)
        return either

    def at_most_one(self, literals: Iterable[int]) -> None:
        """Demand that no two of these are true."""
        left = list(literals)
        while len(left) > 6:  # four of them become one, which keeps the number of clauses linear
            some = left[:4]
            either = self.new()
            for literal in some:
                self.add(-literal, either)
            for one, other in combinations(some, 2):
                self.add(-one, -other)
            left = [*left[4:], either]
        for one, other in combinations(left, 2):
            self.add(-one, -other)

    def exactly_one(self, literals: Sequence[int]) -> None:
        """Demand that one of these is true and no other."""
        self.add(*literals)
        self.at_most_one(literals)

    def count(self, literals: Sequence[int]) -> list[int]:
        """Return variables of which number j, from 0, is true exactly if more than j of the literals are."""
        if len(literals) <= 1:
            return list(literals)
        middle = len(literals) // 2
        left, right = self.count(literals[:middle]), self.count(literals[middle:])
        out = [self.new() for _ in literals]
        for one in range(len(left) + 1):
            for other in range(len(right) + 1):
                if one + other > 0:
                    lower = [-left[one - 1]] * (one > 0) + [-right[other - 1]] * (other > 0)
                    self.add(*lower, out[one + other - 1])
                if one + other < len(literals):
                    upper = left[one : one + 1] + right[other : other + 1]
                    self.add(*upper, -out[one + other])
        return out

    def at_least(self, counted: list[int], least: int, *unless: int) -> None:
        """Demand of a count that it is at least this, unless one of the literals is true."""
        if least > len(counted):
            self.add(*unless)
        elif least > 0:
            self.add(*unless, counted[least - 1])

    def at_most(self, counted: list[int], most: int, *unless: int) -> None:
        """Demand of a count that it is at most this, unless one of the literals is true."""
        if most < 0:
            self.add(*unless)
        elif most < len(counted):
            self.add(*unless, -counted[most])
