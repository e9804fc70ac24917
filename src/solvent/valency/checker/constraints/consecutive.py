"""No more than so many nodes in a row hold certain modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from solvent.valency.checker.holding import holders
from solvent.valency.checker.messages import name_node
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import Consecutive
from solvent.valency.slices import slices

if TYPE_CHECKING:
    from solvent.valency.checker.formula import Formula


def rows_from(placing: Placing, consecutive: Consecutive, nodes: Numbers) -> Iterator[Numbers]:
    """Yield the rows of one node too many that begin at some nodes, a line each; in a small ring nodes come again."""
    for layer, orbital in consecutive.along:
        for part in slices(len(nodes), placing.meter, width=consecutive.most + 1):
            rows = nodes[part][:, None]
            for _ in range(consecutive.most):
                placing.meter.checkpoint()
                beside, _ = placing.surroundings.beside(layer, orbital, rows[:, -1])
                there = beside >= 0
                rows = np.concatenate([rows[there], beside[there][:, None]], axis=1)
                if not len(rows) or (rows[:, -1:] == rows[:, :1]).all():
                    break  # every row has come back to where it began
            yield rows


def broken(placing: Placing, consecutive: Consecutive, modules: Numbers) -> Iterator[str]:
    """Yield where rows of the modules that are too long begin."""
    held = holders(placing, consecutive.modules, modules)
    for part in slices(len(held), placing.meter):
        nodes = part.start + np.flatnonzero(held[part])
        for rows in rows_from(placing, consecutive, nodes):
            for row in rows[held[rows].all(axis=1)]:
                name = name_node(placing.staging, int(row[0]))
                yield f"from {name} on, more than {consecutive.most} in a row hold modules of which no more may"


def write(formula: Formula, consecutive: Consecutive) -> None:
    """Not all nodes of a row that is too long hold such modules.

    New variables say that a node holds one.
    """
    first = formula.say_members(consecutive.modules)
    for rows in rows_from(formula.placing, consecutive, formula.nodes):
        within = np.sort(rows[formula.has(rows.reshape(-1)).reshape(rows.shape).all(axis=1)], axis=1)
        formula.clauses.reserve(len(within), within.size)
        plain = (within[:, 1:] > within[:, :-1]).all(axis=1)
        formula.clauses.add_table(-(first + formula.rank(within[plain])))
        for row in formula.meter.each(within[~plain]):
            ring = np.unique(row)
            formula.clauses.add(-(first + formula.rank(ring)), np.array([len(ring)]))
