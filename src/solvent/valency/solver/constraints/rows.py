"""No more than so many nodes in a row hold certain modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from solvent.core.budget import Meter
from solvent.valency.model import Consecutive, Rules, numbers_in
from solvent.valency.orbitals import OrbitalCache
from solvent.valency.rules import agreement
from solvent.valency.slices import slices
from solvent.valency.solver.constraints.limit import Limit, Modules
from solvent.valency.solver.module_sets import Truths, Words, pack, truths_of, unpack

if TYPE_CHECKING:
    from solvent.valency.solver.formula import Formula

MAX_LOOKS = 200_000_000
"""How often it is looked at a module beside another, at most, to find those that never stand in a row."""
Nodes = npt.NDArray[np.int64]


class Rows(Limit):
    """Hold a `Consecutive`: all rows of one node too many, each a set of nodes that may not all hold its modules."""

    def __init__(self, number: int, consecutive: Consecutive, cache: OrbitalCache, rules: Rules, meter: Meter) -> None:
        super().__init__(number)
        self.consecutive = consecutive
        self.cache = cache
        self.rules = rules
        self.modules = truths_of(numbers_in(consecutive.modules), len(rules.modules))
        length = consecutive.most + 1
        meter.require_memory(
            8 * cache.nodes * length * len(consecutive.along) / 1e6, f"rows of {length:,} nodes from each node"
        )
        found = [np.zeros((0, length), dtype=np.int32)]
        for layer, orbital in consecutive.along:
            beside = cache.neighbours[layer][:, orbital]
            for part in slices(cache.nodes, meter, width=length):
                rows = np.empty((part.stop - part.start, length), dtype=np.int32)
                rows[:, 0] = np.arange(part.start, part.stop)
                for place in range(1, length):
                    rows[:, place] = beside[rows[:, place - 1]]
                    rows = rows[rows[:, place] >= 0]
                found.append(np.sort(rows, axis=1))
        self.rows = np.concatenate(found)
        """Nodes, rising; one that comes again stands for a row that is a ring."""

    def narrow(self, roots: Words, meter: Meter) -> None:
        """Take modules from where any row through them would be too long.

        A row through a node is at least as long as the shortest one that can end there and the shortest one that can
        begin there, less the node itself, which is in both.
        """
        most, count = self.consecutive.most, len(self.modules)
        looks = 2.0 * most * self.cache.nodes * count * int(self.modules.sum()) * len(self.consecutive.along)
        if looks > MAX_LOOKS:
            return
        meter.require_memory(16 * self.cache.nodes * count / 1e6, "the shortest rows through each node")
        for layer, orbital in self.consecutive.along:
            beside, backs = self.cache.neighbours[layer][:, orbital], self.cache.back_orbitals[layer][:, orbital]
            here = np.flatnonzero(beside >= 0)
            there = beside[here].astype(np.int64)
            if len(np.unique(there)) < len(there):
                continue  # several rows lead into one, so that none is the one before
            possible = unpack(roots, count)
            ends, begins = np.ones((2, self.cache.nodes, count), dtype=np.int32)
            for _ in meter.each(range(most)):
                for back in np.unique(backs[here]).tolist():
                    some = backs[here] == back
                    agrees = agreement(self.rules, layer, orbital, back)
                    self._lengthen(ends, possible, here[some], there[some], agrees)
                    self._lengthen(begins, possible, there[some], here[some], agrees.T)
            roots &= pack(~self.modules | (ends + begins - 1 <= most))

    def _lengthen(
        self, lengths: npt.NDArray[np.int32], possible: Truths, before: Nodes, after: Nodes, agrees: Truths
    ) -> None:
        """Raise the lengths of the shortest rows to one more than those on the node before."""
        too_long = self.consecutive.most + 1
        before, after = (nodes[possible[before].any(axis=1)] for nodes in (before, after))  # one left out ends a row
        shortest = np.where(possible[before], np.where(self.modules, lengths[before], 0), too_long)
        for module in np.flatnonzero(self.modules).tolist():
            found = shortest[:, agrees[:, module]].min(axis=1, initial=too_long)
            lengths[after, module] = np.minimum(found + 1, too_long)

    def broken(self, modules: Modules, meter: Meter) -> list[int]:
        """Return the nodes of a row that is too long."""
        chosen = np.append(self.modules, (False, False, False))  # for nodes without a module
        for part in slices(len(self.rows), meter, width=self.rows.shape[1]):
            wrong = np.flatnonzero(chosen[modules[self.rows[part]]].all(axis=1))
            if len(wrong):
                nodes: list[int] = self.rows[part][wrong[0]].tolist()
                return nodes
        return []

    def write(self, formula: Formula, guard: int) -> None:
        """Say of each row that not all its nodes hold such modules. New variables say that a node does."""
        first = formula.say_members(self.modules, guard)
        rows = self.rows[self._inside(formula).all(axis=1)]
        places = formula.inside.places(rows.reshape(-1)).reshape(rows.shape)
        plain = (rows[:, 1:] > rows[:, :-1]).all(axis=1)
        formula.rows.add_table(-(first + places[plain]), guard)
        for row in formula.meter.each(places[~plain]):
            formula.rows.add_clause(-(first + np.unique(row)), guard)

    def write_around(self, formula: Formula, modules: Modules) -> None:
        """Say the same of the rows that lead out, unless what stands there breaks them off."""
        first = formula.say_members(self.modules, 0)
        chosen = np.append(self.modules, (False, False, False))  # for nodes without a module
        inside = self._inside(formula)
        touched = self.rows[inside.any(axis=1) & ~inside.all(axis=1)]
        places = formula.inside.places(touched.reshape(-1)).reshape(touched.shape)
        broken_off = (places < 0) & ~chosen[modules[touched]]
        for row in formula.meter.each(places[~broken_off.any(axis=1)]):
            formula.rows.add_clause(-(first + np.unique(row[row >= 0])))

    def _inside(self, formula: Formula) -> Truths:
        return np.asarray(formula.inside.has(self.rows.reshape(-1))).reshape(self.rows.shape)
