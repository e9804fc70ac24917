"""Nodes that hold certain modules form a loop: each has two joins. That they hang together is said elsewhere."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from solvent.core.budget import Meter
from solvent.valency.model import Loop, Rules
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.rules import agreement
from solvent.valency.slices import count_each, slices
from solvent.valency.solver.constraints.limit import Limit, Modules
from solvent.valency.solver.constraints.open_edges import Edges, Numbers, OpenEdges, say_ends
from solvent.valency.solver.module_sets import Words, pack

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula

JOINS = 2
"""How many joins a node of a loop has."""


class Joints(Limit):
    """Hold what a `Loop` asks for beside being connected."""

    forbids_only = False

    def __init__(self, number: int, loop: Loop, cache: OrbitalCache, rules: Rules) -> None:
        super().__init__(number)
        self.cache = cache
        self.rules = rules
        self.joins = OpenEdges(loop, cache, len(rules.modules))
        self.modules = self.joins.chosen[: len(rules.modules)]

    def narrow(self, roots: Words, meter: Meter) -> None:
        """Take modules from where they would have too many joins whatever stands beside them, or too few."""
        count = len(self.rules.modules)
        for part in slices(self.cache.nodes, meter, width=2 * count):
            must, may = (np.zeros((part.stop - part.start, count), dtype=np.int16) for _ in range(2))
            for layer, (beside, backs) in enumerate(zip(self.cache.neighbours, self.cache.back_orbitals, strict=True)):
                for orbital in range(beside.shape[1]):
                    for back in np.unique(backs[part, orbital][beside[part, orbital] >= 0]).tolist():
                        here = np.flatnonzero((backs[part, orbital] == back) & (beside[part, orbital] >= 0))
                        agrees = agreement(self.rules, layer, orbital, back)
                        leaves, enters = (self.joins.leaving(layer, one)[:count] for one in (orbital, back))
                        must[here] += leaves & ~(agrees & ~enters).any(axis=1)
                        may[here] += leaves & (agrees & enters).any(axis=1)
            roots[part] &= pack(~self.modules | ((must <= JOINS) & (may >= JOINS)))

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return a node with more joins or fewer."""
        edges = self.joins.joined(modules, meter)
        joins = _count(edges, len(modules), meter)
        wrong: list[int] = np.flatnonzero(self.joins.chosen[modules] & (joins != JOINS))[:1].tolist()
        return wrong

    def write(self, formula: Formula, guard: int) -> None:
        """Say that each node of the set has two joins, but for edges that lead out.

        New variables say of each end of an edge whether one can leave through it, then of each edge whether it is open.
        """
        takes_part = formula.takes_part(self.number)
        edges, opens = self._say_edges(formula, guard)
        outside = count_each(
            formula.inside.places(formula.edges_leading_out().source), len(formula.nodes), formula.meter
        )
        nodes, literals = _by_node(formula, edges, opens)
        starts = np.searchsorted(nodes, np.arange(len(formula.nodes) + 1)).tolist()
        for place, beyond in enumerate(formula.meter.each(outside.tolist())):
            own: list[int] = literals[starts[place] : starts[place + 1]].tolist()
            _say_between(formula, own, JOINS - beyond, JOINS, takes_part + place, guard)

    def write_around(self, formula: Formula, modules: Modules) -> None:
        """Say the same with what stands outside, and that the nodes around have two joins as well."""
        takes_part = formula.say_members(self.modules, 0)
        edges, opens = self._say_edges(formula, 0)
        out = formula.edges_leading_out()
        out = out.chosen(self.joins.can_leave(out.layer, out.target, out.back, modules))
        through = formula.rows.new_variables(len(out)) + np.arange(len(out))
        say_ends(formula, self.joins, out.layer, out.source, out.out, through, 0, both_ways=True)
        nodes, literals = _by_node(formula, edges, opens)
        nodes, literals = np.append(nodes, formula.inside.places(out.source)), np.append(literals, through)
        for place in range(len(formula.nodes)):
            own = literals[nodes == place].tolist()
            _say_between(formula, own, JOINS, JOINS, takes_part + place, 0)
        settled = self.joins.joined(modules, formula.meter)
        inside = formula.inside.has(settled.source) | formula.inside.has(settled.target)
        joins = _count(settled.chosen(~inside), len(modules), formula.meter)
        for node in np.unique(out.target).tolist():
            own, missing = through[out.target == node].tolist(), JOINS - int(joins[node])
            if 0 <= missing <= len(own):  # else another window mends it
                _say_between(formula, own, missing, missing, 0, 0)

    def _say_edges(self, formula: Formula, guard: int) -> tuple[Edges, Numbers]:
        """Return the edges within the nodes of a formula, and variables that say whether each is open."""
        edges = formula.edges_within()
        first = formula.rows.new_variables(2 * len(edges)) + 2 * np.arange(len(edges))
        for side, (nodes, orbitals) in enumerate(edges.sides()):
            say_ends(formula, self.joins, edges.layer, nodes, orbitals, first + side, guard, both_ways=True)
        opens = formula.rows.new_variables(len(edges)) + np.arange(len(edges))
        formula.rows.add_table(np.stack([-opens, first], axis=1), guard)
        formula.rows.add_table(np.stack([-opens, first + 1], axis=1), guard)
        formula.rows.add_table(np.stack([opens, -first, -first - 1], axis=1), guard)
        return edges, opens


def _count(edges: Edges, nodes: int, meter: Meter) -> Numbers:
    """Return how many joins each node has along open edges."""
    return count_each(edges.source, nodes, meter) + count_each(edges.target, nodes, meter)


def _by_node(formula: Formula, edges: Edges, opens: Numbers) -> tuple[Numbers, Numbers]:
    """Return the places of nodes, rising, with the variables of their edges; an edge to itself stands there twice."""
    nodes = formula.inside.places(np.concatenate([edges.source, edges.target]))
    order = np.argsort(nodes, kind="stable")
    return nodes[order], np.concatenate([opens, opens])[order]


def _say_between(formula: Formula, literals: list[int], least: int, most: int, holds: int, guard: int) -> None:
    """Say that at most so many of the edges of a node are open, and if a variable holds, at least so many."""
    count = len(literals)
    formula.rows.reserve(float(most + 1) * comb(count, most + 1))
    clauses = {tuple(sorted({-one for one in some})) for some in combinations(literals, most + 1)}
    premise = [-holds] if holds else []
    if least > 0:
        others = combinations(range(count), max(0, count - least + 1))
        clauses |= {(*premise, *sorted({literals[at] for at in some})) for some in others}
    for clause in sorted(clauses):
        formula.rows.add_clause(np.array(clause, dtype=np.int64), guard)
