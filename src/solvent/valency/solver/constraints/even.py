"""The number of nodes that hold certain modules is even, or odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from solvent.core.budget import Meter
from solvent.valency.model import NULL_SLOT, Parity, numbers_in
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.slices import row_of, slices
from solvent.valency.solver.constraints.limit import Limit, Modules
from solvent.valency.solver.module_sets import truths_of

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula


class Even(Limit):
    """Hold a `Parity`. One node more or less changes it, so it is mended last."""

    forbids_only = False
    anywhere = True

    def __init__(self, number: int, parity: Parity, cache: OrbitalCache, modules: int, meter: Meter) -> None:
        super().__init__(number)
        self.odd = parity.odd
        self.modules = truths_of(numbers_in(parity.modules), modules)
        self.scope = cache.open_nodes
        """Which nodes count."""
        if parity.nodes:
            self.scope = truths_of(row_of(parity.nodes, np.int64, meter), cache.nodes) & cache.open_nodes

    def held(self, modules: Modules, meter: Meter) -> int:
        """Return how many nodes count."""
        chosen = np.append(self.modules, (False, False, False))  # for nodes without a module
        return sum(
            int(np.count_nonzero(chosen[modules[part]] & self.scope[part])) for part in slices(len(modules), meter)
        )

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return the first node that counts, if the number is of the wrong kind: any would do."""
        if self.held(modules, meter) % 2 == self.odd:
            return []
        return np.flatnonzero(self.scope)[:1].tolist() or [0]

    def write(self, formula: Formula, guard: int) -> None:
        """Say that the number is even or odd, unless something outside may count as well.

        New variables say of each node that it holds such a module, and then, of those that count, the second, third
        and so on, whether the number up to it is odd.
        """
        first = formula.say_members(self.modules, guard, both_ways=True)
        if not formula.may_hold_outside(self.modules, self.scope):
            self._say(formula, first, self.odd, guard)

    def write_around(self, formula: Formula, modules: Modules) -> None:
        """Say whether the number inside is even or odd, so that the whole is right."""
        outside = modules.copy()
        outside[formula.nodes] = NULL_SLOT
        first = formula.say_members(self.modules, 0, both_ways=True)
        self._say(formula, first, bool((self.held(outside, formula.meter) + self.odd) % 2), 0)

    def _say(self, formula: Formula, first: int, odd: bool, guard: int) -> None:
        counting = (first + np.flatnonzero(self.scope[formula.nodes])).tolist()
        if not counting:
            if odd:
                formula.rows.add_clause(np.zeros(0, dtype=np.int64), guard)
            return
        so_far = counting[0]
        for variable in formula.meter.each(counting[1:]):
            total = formula.rows.new_variables(1)
            signs = np.array([(-1, -1, -1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)])
            formula.rows.add_table(signs * np.array([total, so_far, variable]), guard)
            so_far = total
        formula.rows.add_clause(np.array([so_far if odd else -so_far]), guard)
