"""Certain nodes hold none but certain modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvent.core.budget import Meter
from solvent.valency.model import Only, numbers_in
from solvent.valency.slices import row_of, slices
from solvent.valency.solver.constraints.limit import Limit, Modules
from solvent.valency.solver.module_sets import Words, pack, truths_of

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula


class Allowed(Limit):
    """Hold an `Only`. The domains keep it from the beginning; its clauses are for proofs."""

    def __init__(self, number: int, only: Only, modules: int) -> None:
        super().__init__(number)
        self.only = only
        self.modules = truths_of(numbers_in(only.modules), modules)

    def allow(self, domains: Words, meter: Meter) -> None:
        """Take the other modules away."""
        words = pack(self.modules[None, :])[0]
        nodes = row_of(self.only.nodes, np.int64, meter)
        for part in slices(len(nodes), meter):
            domains[nodes[part]] &= words

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return a node that holds something else."""
        nodes = row_of(self.only.nodes, np.int64, meter)
        nodes = nodes[modules[nodes] >= 0]
        wrong: list[int] = nodes[~self.modules[modules[nodes]]][:1].tolist()
        return wrong

    def write(self, formula: Formula, guard: int) -> None:
        """Rule the other modules out, node by node."""
        nodes = np.unique(row_of(self.only.nodes, np.int64, formula.meter))
        places = formula.inside.places(nodes)
        others = np.flatnonzero(~self.modules)
        for part in slices(int((places >= 0).sum()), formula.meter, width=1 + len(others)):
            literals = formula.holds(places[places >= 0][part][:, None], others[None, :])
            formula.rows.add_table(-literals.reshape(-1, 1), guard)
