"""Nodes that hold certain modules do not hang together in a circle."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct

from solvent.core.budget import Meter
from solvent.valency.model import Acyclic
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.slices import count_each, run_through, running_total
from solvent.valency.solver.constraints.limit import Limit, Modules
from solvent.valency.solver.constraints.open_edges import Edges, Ends, Numbers, OpenEdges, say_ends
from solvent.valency.solver.joins_kernel import Pieces

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula

MAX_CYCLES = 60
"""How many circles of a fill are ruled out at once, the shortest first."""
FEW_CYCLES = 40
"""How many circles are compared to find a short one."""
MAX_SQUARES = 50_000
"""How many circles of four edges a search begins with, at most."""
MAX_STEPS = 20_000
"""How many edges the circles of a fill may have together before no more are looked for."""


class Cycle(Struct, frozen=True, eq=False):
    """Hold edges that make a circle, so that they may not all be open."""

    constraint: int
    edges: Edges

    def as_json(self) -> dict[str, Any]:
        """Return it as a certificate writes it."""
        ends = (self.edges.layer, self.edges.source, self.edges.out)
        return {"constraint": self.constraint, "edges": np.stack(ends, axis=1).tolist()}


class Circles(Limit):
    """Hold an `Acyclic`. There are far too many circles to write them all down: those that a fill has are."""

    def __init__(self, number: int, acyclic: Acyclic, cache: OrbitalCache, modules: int) -> None:
        super().__init__(number)
        self.joins = OpenEdges(acyclic, cache, modules)

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return the nodes of a short circle."""
        edges = self._edges_in_doubt(self.joins.joined(modules, meter), len(modules), meter)
        found = list(islice(_circles(edges, len(modules), None, meter), FEW_CYCLES))
        if not found:
            return []
        shortest = edges.chosen(np.array(min(found, key=len)))
        return sorted({*shortest.source.tolist(), *shortest.target.tolist()})

    def consequences(self, modules: Modules, meter: Meter) -> list[Cycle]:
        """Return circles of a fill, short ones first."""
        return self._cycles(self.joins.joined(modules, meter), len(modules), None, meter)

    def _cycles(self, edges: Edges, nodes: int, first: Numbers | None, meter: Meter) -> list[Cycle]:
        edges = self._edges_in_doubt(edges, nodes, meter)
        found = sorted(_circles(edges, nodes, first, meter), key=len)[:MAX_CYCLES]
        return [Cycle(self.number, edges.chosen(np.array(circle))) for circle in found]

    def _edges_in_doubt(self, edges: Edges, nodes: int, meter: Meter) -> Edges:
        """Leave out the edges of pieces that are trees."""
        piece = _pieces(edges, nodes, meter)
        count = count_each(piece, nodes, meter)
        joins = count_each(piece[edges.source], nodes, meter)
        return edges.chosen(joins[piece[edges.source]] >= count[piece[edges.source]])

    def write(self, formula: Formula, guard: int) -> None:
        """Bring in variables for the ends of edges. The circles themselves are added when a fill has them."""
        edges = formula.edges_within()
        first = formula.rows.new_variables(2 * len(edges))
        ends = formula.ends[self.number] = Ends(formula.network.nodes)
        for side, (nodes, orbitals) in enumerate(edges.sides()):
            variables = first + 2 * np.arange(len(edges)) + side
            ends.add(ends.slots(edges.layer, nodes, orbitals), variables)
            say_ends(formula, self.joins, edges.layer, nodes, orbitals, variables, guard)

    def write_around(self, formula: Formula, modules: Modules) -> None:  # noqa: ARG002  # any may be on a circle
        """Bring in the ends inside of edges that lead out, too."""
        ends, edges = formula.ends[self.number], formula.edges_leading_out()
        variables = formula.rows.new_variables(len(edges)) + np.arange(len(edges))
        ends.add(ends.slots(edges.layer, edges.source, edges.out), variables)
        say_ends(formula, self.joins, edges.layer, edges.source, edges.out, variables, 0)

    def likely_consequences(self, formula: Formula) -> list[Cycle]:
        """Return the circles of four edges: where open floor is broad, nearly all circles have one of these inside."""
        edges = formula.edges_within()
        squares = _squares(edges, formula.meter)
        return [Cycle(self.number, edges.chosen(np.array(square))) for square in squares]

    def clauses_against(self, formula: Formula, modules: Modules) -> list[list[int]]:
        """Rule out the circles that a fill has and that touch the nodes of a formula."""
        edges = self.joins.joined(modules, formula.meter)
        touching = formula.inside.has(edges.source) | formula.inside.has(edges.target)
        # What hangs together outside counts as one node: if there is no circle then, none touches those inside.
        piece = _pieces(edges.chosen(~touching), len(modules), formula.meter)
        ends = edges.chosen(touching)
        if _is_forest(piece[ends.source].tolist(), piece[ends.target].tolist()):
            return []
        found = []
        for cycle in self._cycles(edges, len(modules), formula.nodes, formula.meter):
            literals = literals_of(formula, cycle)
            if len(literals):
                found.append((-literals).tolist())
        return found


def _pieces(edges: Edges, nodes: int, meter: Meter) -> Numbers:
    """Return for each node the lowest one that it hangs together with."""
    piece = np.arange(nodes)
    joined = Pieces(piece.data)
    joined.join_ends(edges.source.astype(np.int32).data, edges.target.astype(np.int32).data)
    run_through(joined.settle, meter)
    return piece


def _is_forest(ends: list[int], others: list[int]) -> bool:
    """Tell whether edges between numbered nodes make no circle."""
    above: dict[int, int] = {}

    def top(node: int) -> int:
        while node in above:
            node = above[node]
        return node

    for end, other in zip(ends, others, strict=True):
        one, two = top(end), top(other)
        if one == two:
            return False
        above[one] = two
    return True


def literals_of(formula: Formula, cycle: Cycle) -> Numbers:
    """Return the variables of the ends of a circle, as far as they have any."""
    ends, edges = formula.ends[cycle.constraint], cycle.edges
    slots = [ends.slots(edges.layer, *side) for side in edges.sides()]
    variables = ends.find(np.concatenate(slots))
    return variables[variables > 0]


def _circles(edges: Edges, nodes: int, first: Numbers | None, meter: Meter) -> Iterator[list[int]]:
    """Yield circles as lists of places among edges: each edge that no walk needs, with the ways back from its ends.

    Walks begin at some nodes first, if they are given. Every edge in a circle is in one of these, unless there are too
    many.
    """
    ends = np.concatenate([edges.source, edges.target])
    order = np.argsort(ends, kind="stable")
    others = np.concatenate([edges.target, edges.source])[order]
    starts = running_total(count_each(ends, nodes, meter), meter)
    came: dict[int, tuple[int, int, int]] = {}  # the node before, the edge from there, and how far from the start
    used: set[int] = set()
    steps = 0
    for start in chain([] if first is None else first.tolist(), ends[order].tolist()):
        if start in came or starts[start] == starts[start + 1]:
            continue
        came[start] = (-1, -1, 0)
        queue = deque([start])
        for node in meter.each(_popped(queue)):
            here = slice(starts[node], starts[node + 1])
            for other, place in zip(others[here].tolist(), (order[here] % len(edges)).tolist(), strict=True):
                if place in used:
                    continue
                used.add(place)
                if other not in came:
                    came[other] = (node, place, came[node][2] + 1)
                    queue.append(other)
                    continue
                circle = [place]
                one, two = node, other
                while one != two:
                    if came[one][2] < came[two][2]:
                        one, two = two, one
                    circle.append(came[one][1])
                    one = came[one][0]
                yield circle
                steps += len(circle)
                if steps > MAX_STEPS:
                    return


def _squares(edges: Edges, meter: Meter) -> Iterator[list[int]]:
    """Yield circles of four edges, as lists of places among edges: each from its lowest node."""
    beside: dict[int, dict[int, int]] = {}
    for place, (one, other) in enumerate(meter.each(zip(edges.source.tolist(), edges.target.tolist(), strict=True))):
        if one != other:
            beside.setdefault(one, {})[other] = place
            beside.setdefault(other, {})[one] = place
    found = 0
    for low, near in meter.each(beside.items()):
        ways: dict[int, list[int]] = {}
        for middle in near:
            for far in beside[middle] if middle > low else ():
                if far > low:
                    ways.setdefault(far, []).append(middle)
        for far, middles in ways.items():
            for one, other in combinations(middles, 2):
                yield [near[one], beside[one][far], beside[far][other], near[other]]
                found += 1
                if found == MAX_SQUARES:
                    return


def _popped(queue: deque[int]) -> Iterator[int]:
    while queue:
        yield queue.popleft()
