"""Nodes that hold certain modules form a loop: each has two joins. That they hang together is said of connections."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.half_edges import HalfEdges
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Loop
from solvent.valency.slices import count_each, where_true

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula

JOINS = 2
"""How many joins a node of a loop has."""


def broken(placing: Placing, loop: Loop, modules: Numbers) -> Iterator[str]:
    """Yield the nodes with more joins or fewer."""
    joining = Joining(placing, loop)
    one, other = (count_each(ends, len(modules), placing.meter) for ends in joining.joined(modules))
    joins = one + other
    for node in where_true(joining.holders(modules) & (joins != JOINS), placing.meter).tolist():
        yield f"{name_node(placing.staging, node)} has {joins[node]} joins, and {JOINS} is what a loop asks for"


def write(formula: Formula, loop: Loop) -> None:
    """Each node that holds a module of the set has two joins. The clauses of a connection come before.

    New variables say of each end of an edge whether one can leave through it, then of each edge whether it joins its
    ends. Edges that lead out of W may join theirs or not.
    """
    ends = HalfEdges(formula, Joining(formula.placing, loop), both_ways=True)
    opens = formula.clauses.new_variables(ends.edges) + np.arange(ends.edges)
    first = ends.first + 2 * np.arange(ends.edges)
    formula.clauses.reserve(3 * ends.edges, 7 * ends.edges)
    formula.clauses.add_table(np.stack([-opens, first], axis=1))
    formula.clauses.add_table(np.stack([-opens, first + 1], axis=1))
    formula.clauses.add_table(np.stack([opens, -first, -first - 1], axis=1))
    ranks = formula.rank(ends.nodes)
    order = np.argsort(ranks, kind="stable")
    literals = opens[ends.edge_of[order]]
    starts = np.searchsorted(ranks[order], np.arange(len(formula.nodes) + 1)).tolist()
    starting, _, _ = formula.placing.surroundings.arcs
    everywhere = (starting[formula.nodes + 1] - starting[formula.nodes]).tolist()
    for place in formula.meter.each(range(len(formula.nodes))):
        own: list[int] = literals[starts[place] : starts[place + 1]].tolist()
        alone = len(own) - len(set(own))  # edges that lead back to the node have both ends here, and are no arcs
        outside = everywhere[place] - (len(own) - 2 * alone)
        _say_joins(formula, formula.held_in[-1] + place, own, JOINS - outside)


def _say_joins(formula: Formula, holds: int, literals: list[int], least: int) -> None:
    """Say of a node that not three of its edges join it, and if it is in the set, at least so many do."""
    triples = comb(len(literals), JOINS + 1)
    formula.clauses.reserve(triples, triples * (JOINS + 1))
    clauses = {tuple(sorted({-one for one in some})) for some in combinations(literals, JOINS + 1)}
    if least == JOINS:
        rest = [literals[:at] + literals[at + 1 :] for at in range(len(literals))] or [[]]
        clauses |= {(-holds, *sorted(set(others))) for others in rest}
    elif least > 0:
        clauses.add((-holds, *sorted(set(literals))))
    for clause in sorted(clauses):
        formula.clauses.add_clause(np.array(clause, dtype=np.int64))
