"""Find counting arguments by adding up the laws of nodes, for the remainders by a few primes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import neg
from typing import NamedTuple

from solvent.valency.model import numbers_in
from solvent.valency.solver.counting_argument.choices import Choices, Edge
from solvent.valency.solver.counting_argument.counted import Counted
from solvent.valency.solver.counting_argument.elimination import Elimination, TooMuchWorkError
from solvent.valency.solver.counting_argument.laws import Law, Laws
from solvent.valency.solver.counting_argument.points import Points

LARGE_PRIME = (1 << 31) - 1
"""What has no solution in fractions has none here either, but for rare luck, and then nothing is found."""
PRIMES = (LARGE_PRIME, 2, 3)
"""By which remainders are looked at: any fractions, what is even, and what comes in threes."""


def points_by_remainders(choices: Choices, counted: Sequence[Counted], work: int) -> Iterator[Points]:
    """Yield points that refute the task if the sums work out, prime by prime."""
    for prime in PRIMES:
        try:
            points = _Equations(choices, counted, prime, work).contradiction()
        except TooMuchWorkError:
            continue
        if points is None:
            continue
        # As whole numbers around 0, they are often right and say more.
        around = points.each(partial(_around_zero, prime), modulus=0)
        yield from (around, around.each(neg, modulus=0), around.each(int, modulus=prime))


def _around_zero(prime: int, worth: int) -> int:
    return worth - prime if worth > prime // 2 else worth


class _Unknown(NamedTuple):
    """Name an unknown: a part of an edge, or whether a node counts."""

    edge: Edge | None
    part: int
    """Which part of the edge's choices, or which count."""
    node: int
    """The node that counts; -1 for an edge."""


class _Equations:
    """Hold the laws of all nodes, and what is counted, for the remainders by one prime."""

    def __init__(self, choices: Choices, counted: Sequence[Counted], prime: int, work: int) -> None:
        self.choices = choices
        self.prime = prime
        self.elimination = Elimination(prime, work, choices.meter)
        self.counts = [
            (place, one) for place, one in enumerate(counted) if one.is_exact or (one.odd is not None and prime == 2)
        ]
        self.laws = Laws(prime)
        self.numbers: dict[_Unknown, int] = {}
        """The number of each unknown."""
        self.used: list[tuple[int, Law, list[_Unknown]] | int] = []
        """What each equation is: a law of a node, or the number of a count."""

    def contradiction(self) -> Points | None:
        """Return points made of equations that contradict each other, if some do."""
        for node in self.choices.nodes:
            columns = self._columns(node)
            masks = [mask for _, mask in columns]
            for law in self.laws.of(self.choices.possible[node], masks):
                terms = {}
                for (name, _), factor in zip(columns, law[0], strict=True):
                    if factor:
                        terms[self._number(name)] = factor
                self.used.append((node, law, [name for name, _ in columns]))
                factors = self.elimination.add(terms, law[1])
                if factors is not None:
                    return self._points(factors)
        for place, one in self.counts:
            terms, certain = {}, 0
            for node in self.choices.nodes:
                if one.scope[node]:
                    holding = one.modules & self.choices.possible[node]
                    if holding == self.choices.possible[node]:
                        certain += 1
                    elif holding:
                        terms[self._number(_Unknown(None, place, node))] = 1
            self.used.append(place)
            total = one.least if one.odd is None else int(one.odd)
            factors = self.elimination.add(terms, total - certain)
            if factors is not None:
                return self._points(factors)
        return None

    def _columns(self, node: int) -> list[tuple[_Unknown, int]]:
        """Return the unknowns of a node, each with the modules with which it is 1."""
        columns: list[tuple[_Unknown, int]] = []
        possible = self.choices.possible[node]
        for edge in self.choices.edges_of[node]:
            if edge.node == edge.other:
                continue
            end = 0 if edge.node == node else 1
            for number, part in enumerate(self.choices.parts(edge)[1:], start=1):
                columns.append((_Unknown(edge, number, -1), part[end]))
        for place, one in self.counts:
            if one.scope[node] and 0 != one.modules & possible != possible:
                columns.append((_Unknown(None, place, node), one.modules))
        return columns

    def _number(self, name: _Unknown) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def _points(self, factors: dict[int, int]) -> Points:
        """Give each module the points that its node's laws give its unknowns."""
        along: dict[Edge, tuple[dict[int, int], dict[int, int]]] = {}
        counts: dict[int, int] = {}
        for number, factor in factors.items():
            made_of = self.used[number]
            if isinstance(made_of, int):
                # The unknowns of a count are those of the nodes: there they are taken off again.
                counts[made_of] = (counts.get(made_of, 0) - factor) % self.prime
                continue
            node, law, names = made_of
            for name, its_factor in zip(names, law[0], strict=True):
                edge, part = name.edge, name.part
                if edge is None or not its_factor:
                    continue
                end = 0 if edge.node == node else 1
                table = along.setdefault(edge, ({}, {}))[end]
                for module in numbers_in(self.choices.parts(edge)[part][end]):
                    table[module] = (table.get(module, 0) + factor * its_factor) % self.prime
        along = {edge: tables for edge, tables in along.items() if any(any(table.values()) for table in tables)}
        return Points(along, {place: worth for place, worth in counts.items() if worth}, self.prime)
