"""Certain nodes hold none but certain modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.messages import name_module, name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Only
from solvent.valency.slices import slices

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def broken(placing: Placing, only: Only, modules: Numbers) -> Iterator[str]:
    """Yield the nodes that hold something else."""
    members = members_of(only.modules, placing.modules)
    for part in slices(len(only.nodes), placing.meter):
        nodes = np.array(only.nodes[part], dtype=np.int64)
        nodes = nodes[modules[nodes] >= 0]
        for node in nodes[~members[modules[nodes]]].tolist():
            held = name_module(placing.staging, int(modules[node]))
            yield f"{name_node(placing.staging, node)} holds {held}, which it may not"


def write(formula: Formula, only: Only) -> None:
    """Each of the nodes holds none of the other modules."""
    others = np.flatnonzero(~members_of(only.modules, formula.placing.modules))
    nodes = np.unique(np.array(only.nodes, dtype=np.int64))
    ranks = formula.rank(nodes[formula.has(nodes)])
    formula.clauses.reserve(len(ranks) * len(others), len(ranks) * len(others))
    for part in slices(len(ranks), formula.meter, width=1 + len(others)):
        formula.clauses.add_table(-formula.holds[ranks[part]][:, others].reshape(-1, 1))
