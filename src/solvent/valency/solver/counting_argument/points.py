"""Points for what stands where, and whether they show that there is no fill."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from solvent.valency.model import numbers_in
from solvent.valency.solver.clash_elements import Element, as_json
from solvent.valency.solver.counting_argument.choices import Choices, Edge
from solvent.valency.solver.counting_argument.counted import Counted

MOST_POINTS = 1 << 53
"""More than that a certificate does not give."""
Table = Mapping[int, int]
"""The points of each module; those without any may be left out."""


class Points(Struct, frozen=True):
    """Hold the points of modules along edges, and of counts."""

    along: Mapping[Edge, tuple[Table, Table]]
    """At both ends of an edge."""
    counts: dict[int, int]
    """By the place of a count, for each node that counts."""
    modulus: int
    """0 if whole sums are compared, else their remainders."""

    def each(self, change: Callable[[int], int], *, modulus: int) -> Points:
        """Return them with every number of points changed."""
        along = {
            edge: (
                {module: change(worth) for module, worth in here.items()},
                {module: change(worth) for module, worth in there.items()},
            )
            for edge, (here, there) in self.along.items()
        }
        return Points(along, {place: change(worth) for place, worth in self.counts.items()}, modulus)


class CountingArgument(Struct, frozen=True):
    """Hold a proof by counting that elements clash."""

    nodes: tuple[int, ...]
    elements: tuple[Element, ...]
    points: tuple[tuple[int, ...] | None, ...]
    """For each element: of an edge the numbers of two tables, of a count the points of each that counts."""
    tables: tuple[tuple[tuple[int, int], ...], ...]
    modulus: int

    def as_json(self) -> dict[str, Any]:
        """Return it as the body of a certificate."""
        return {
            "nodes": list(self.nodes),
            "elements": [as_json(element) for element in self.elements],
            "points": [None if each is None else list(each) for each in self.points],
            "tables": [[list(pair) for pair in table] for table in self.tables],
            "modulus": self.modulus,
        }


def refute_with(choices: Choices, counted: Sequence[Counted], points: Points) -> bool:
    """Tell whether the two sums contradict each other, over the nodes and edges of some choices."""
    if any(abs(worth) > MOST_POINTS for worth in points.counts.values()):
        return False
    modulus = points.modulus
    earned: dict[int, list[Table]] = defaultdict(list)
    by_edges = 0
    for edge, tables in choices.meter.each(points.along.items()):
        here, there = tables
        if any(abs(worth) > MOST_POINTS for table in tables for worth in table.values()):
            return False
        earned[edge.node].append(here)
        earned[edge.other].append(there)
        sums = _sums_along(choices, edge, here, there)
        if modulus and len({each % modulus for each in sums}) > 1:
            return False
        by_edges += max(sums, default=0)
    for place, worth in points.counts.items():
        one = counted[place]
        table = dict.fromkeys(numbers_in(one.modules), worth)
        for node in choices.nodes:
            if one.scope[node]:
                earned[node].append(table)
        most = _most_from(choices, one, worth, modulus)
        if most is None:
            return False
        by_edges += most
    by_nodes = 0
    for node in choices.meter.each(choices.nodes):
        tables_here = earned[node]
        sums = {sum(table.get(m, 0) for table in tables_here) for m in numbers_in(choices.possible[node])}
        if not sums:
            return True
        if modulus and len({each % modulus for each in sums}) > 1:
            return False
        by_nodes += min(sums)
    return bool((by_nodes - by_edges) % modulus) if modulus else by_nodes > by_edges


def _sums_along(choices: Choices, edge: Edge, here: Table, there: Table) -> set[int]:
    sums = set()
    for module in numbers_in(choices.possible[edge.node]):
        beside = choices.agreeing(edge.kind, module) & choices.possible[edge.other]
        sums |= {here.get(module, 0) + there.get(other, 0) for other in numbers_in(beside)}
    return sums


def _most_from(choices: Choices, one: Counted, worth: int, modulus: int) -> int | None:
    if not worth:
        return 0
    outside = choices.may_hold_outside(one.modules, one.scope)
    if one.odd is not None:
        return worth * one.odd if modulus and not outside and 2 * worth % modulus == 0 else None
    if modulus:
        return worth * one.least if one.is_exact and not outside else None
    if worth > 0:
        return None if one.most is None else worth * one.most
    return worth * max(0, one.least - outside)


def argument_of(choices: Choices, counted: Sequence[Counted], points: Points) -> CountingArgument | None:
    """Return the points as an argument, about as few nodes as it takes; None if they refute nothing."""
    if not refute_with(choices, counted, points):
        return None
    wanted = {end for edge in points.along for end in (edge.node, edge.other)}
    for place in points.counts:
        wanted.update(choices.able_nodes(counted[place].modules, counted[place].scope))
    few = choices.among(wanted, points.along)
    if refute_with(few, counted, points):
        choices = few
    elements: list[Element] = [
        ("pick" if node in choices.picked else "node", node) for node in choices.nodes
    ]  # fmt: skip
    given: list[tuple[int, ...] | None] = [None] * len(elements)
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    for edge in choices.edges:
        elements.append(("edge", edge.layer, edge.node, edge.orbital))
        tables = points.along.get(edge)
        if tables is None:
            given.append(None)
            continue
        keys = [tuple(sorted((m, worth) for m, worth in table.items() if worth)) for table in tables]
        given.append(tuple(numbers.setdefault(key, len(numbers)) for key in keys))
    for limit in choices.only:
        if np.isin(choices.nodes, limit.only.nodes).any():
            elements.append(("constraint", limit.number))
            given.append(None)
    for place, worth in points.counts.items():
        one = counted[place]
        both = one.least_element != one.most_element
        if both and points.modulus and one.least:
            elements.append(one.least_element)
            given.append((0,))
        use_least = both and worth < 0 and not points.modulus
        elements.append(one.least_element if use_least else one.most_element)
        given.append((worth,))
    return CountingArgument(tuple(choices.nodes), tuple(elements), tuple(given), tuple(numbers), points.modulus)
