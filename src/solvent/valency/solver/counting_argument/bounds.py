"""Find counting arguments where bounds matter: what stands on a node is shared out, and no share is below 0."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from solvent.valency.model import numbers_in
from solvent.valency.solver.counting_argument.choices import Choices, Edge
from solvent.valency.solver.counting_argument.counted import Counted
from solvent.valency.solver.counting_argument.points import Points
from solvent.valency.solver.counting_argument.simplex import Reals, contradicting_factors

DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 24, 30, 60, 120, 840)
"""By which factors are multiplied until they are whole."""
MOST_ENTRIES = 4_000_000
"""How large the table of coefficients may be: 32 MB."""


def points_by_bounds(choices: Choices, counted: Sequence[Counted], work: int) -> Iterator[Points]:
    """Yield points that refute the task if shares do not work out."""
    shares = _Shares(choices, counted)
    shares.add_nodes()
    shares.add_edges()
    shares.add_counts()
    if not shares.rows or len(shares.rows) * (shares.unknowns + shares.slacks) > MOST_ENTRIES:
        return
    matrix, right = shares.as_arrays()
    factors = contradicting_factors(matrix, right, work, choices.meter)
    if factors is None:
        return
    for denominator in DENOMINATORS:
        scaled = factors * denominator
        whole = np.rint(scaled)
        if np.abs(whole - scaled).max() < 1e-6 * denominator:
            yield shares.points([int(each) for each in whole.tolist()])


class _Row:
    """Hold one equation: some modules here, less some there, and a slack."""

    def __init__(self, right: int, slack: int) -> None:
        self.right = right
        self.slack = slack
        """1 if the sum may be less than the right side, -1 if more, 0 if neither."""
        self.parts: list[tuple[int, int, int]] = []
        """Nodes, masks of modules, and the sign they come with."""
        self.edge: Edge | None = None
        self.count = -1


class _Shares:
    """Write down what shares must keep to."""

    def __init__(self, choices: Choices, counted: Sequence[Counted]) -> None:
        self.choices = choices
        self.counted = counted
        self.rows: list[_Row] = []
        self.unknown_of: dict[tuple[int, int], int] = {}
        """By node and module; modules of a node that no equation tells apart share one."""
        self.unknowns = 0
        self.slacks = 0

    def add_nodes(self) -> None:
        """The shares of a node add up to one."""
        for node in self.choices.nodes:
            alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
            possible = self.choices.possible[node]
            for module in numbers_in(possible):
                alike[self._signature(node, module)].append(module)
            for modules in alike.values():
                self.unknown_of.update(((node, module), self.unknowns) for module in modules)
                self.unknowns += 1
            self._add(1, 0).parts.append((node, possible, 1))

    def _signature(self, node: int, module: int) -> tuple[int, ...]:
        beside = []
        for edge in self.choices.edges_of[node]:
            kind, other = (edge.kind, edge.other) if edge.node == node else (edge.back, edge.node)
            beside.append(self.choices.agreeing(kind, module) & self.choices.possible[other])
        belongs = (one.modules >> module & int(one.scope[node]) for one in self.counted)
        return (*beside, *belongs)

    def _add(self, right: int, slack: int) -> _Row:
        row = _Row(right, slack)
        self.rows.append(row)
        self.slacks += slack != 0
        return row

    def add_edges(self) -> None:
        """Along an edge, what asks for one of some modules beside it has no more share than these have."""
        for edge in self.choices.meter.each(self.choices.edges):
            if edge.node == edge.other:
                continue
            for number, (here, there) in enumerate(self.choices.parts(edge)):
                if number:
                    self._compare(edge, (edge.node, here), (edge.other, there), 0)
                self._add_narrower(edge, (edge.node, edge.kind, here), (edge.other, there))
                self._add_narrower(edge, (edge.other, edge.back, there), (edge.node, here))

    def _add_narrower(self, edge: Edge, source: tuple[int, int, int], target: tuple[int, int]) -> None:
        """Compare those of a part that agree with less than all of the part beside them."""
        node, kind, part = source
        other, beside = target
        supports = {self.choices.agreeing(kind, module) & beside for module in numbers_in(part)}
        for support in sorted(supports - {beside}):
            asking = sum(1 << m for m in numbers_in(part) if not self.choices.agreeing(kind, m) & beside & ~support)
            self._compare(edge, (node, asking), (other, support), 1)

    def _compare(self, edge: Edge, here: tuple[int, int], there: tuple[int, int], slack: int) -> None:
        row = self._add(0, slack)
        row.edge = edge
        row.parts += [(*here, 1), (*there, -1)]

    def add_counts(self) -> None:
        """Bounds hold of the shares of all nodes."""
        for place, one in enumerate(self.counted):
            nodes = [node for node in self.choices.nodes if one.scope[node]]
            bounds = ((one.most, 1), (one.least if one.least > 0 else None, -1))
            for bound, slack in bounds:
                if bound is not None and one.odd is None:
                    row = self._add(bound, slack)
                    row.count = place
                    row.parts += [(node, one.modules, 1) for node in nodes]

    def as_arrays(self) -> tuple[Reals, Reals]:
        """Return the coefficients, those of slacks last, and the right sides."""
        matrix = np.zeros((len(self.rows), self.unknowns + self.slacks))
        slack = self.unknowns
        for number, row in enumerate(self.rows):
            for node, modules, sign in row.parts:
                for module in numbers_in(modules & self.choices.possible[node]):
                    matrix[number, self.unknown_of[node, module]] = sign
            if row.slack:
                matrix[number, slack] = row.slack
                slack += 1
        return matrix, np.array([row.right for row in self.rows], dtype=np.float64)

    def points(self, factors: Sequence[int]) -> Points:
        """Give each module the points that rows with these factors give it, and take off what they say of a node."""
        along: dict[Edge, tuple[dict[int, int], dict[int, int]]] = {}
        counts: dict[int, int] = defaultdict(int)
        for row, factor in zip(self.rows, factors, strict=True):
            if not factor:
                continue
            if row.count >= 0:
                counts[row.count] -= factor
            elif row.edge is not None:
                tables = along.setdefault(row.edge, ({}, {}))
                for node, modules, sign in row.parts:
                    table = tables[0 if node == row.edge.node else 1]
                    for module in numbers_in(modules & self.choices.possible[node]):
                        table[module] = table.get(module, 0) - factor * sign
        return Points(dict(along), {place: worth for place, worth in counts.items() if worth}, 0)
