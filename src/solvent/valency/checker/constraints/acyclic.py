"""Nodes that hold certain modules do not hang together in a circle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.certificate_schema import Cycle
from solvent.valency.checker.components import find_components
from solvent.valency.checker.cycles import ends_of
from solvent.valency.checker.half_edges import HalfEdges
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Acyclic
from solvent.valency.slices import count_each, where_true

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def broken(placing: Placing, acyclic: Acyclic, modules: Numbers) -> Iterator[str]:
    """Yield the lowest node of each piece that is no tree: it has as many joins as nodes, or more."""
    ends, others = Joining(placing, acyclic).joined(modules)
    labels = find_components(len(modules), ends, others, placing.meter)
    nodes = count_each(labels, len(modules), placing.meter)
    joins = count_each(labels[ends], len(modules), placing.meter)
    for piece in where_true((joins >= nodes) & (nodes > 0), placing.meter).tolist():
        yield f"what hangs together with {name_node(placing.staging, piece)} closes a circle"


def write(formula: Formula, acyclic: Acyclic, cycles: Sequence[Cycle] = ()) -> None:
    """Not all edges of a circle join their ends.

    New variables say of each end of an edge that one can leave through it.
    """
    ends = HalfEdges(formula, Joining(formula.placing, acyclic))
    for cycle in formula.meter.each(cycles, every=1):
        _, slots = ends_of(formula.placing, np.array(cycle.edges, dtype=np.int64).reshape(-1, 3))
        formula.clauses.add_clause(-ends.at(slots.reshape(-1)))
