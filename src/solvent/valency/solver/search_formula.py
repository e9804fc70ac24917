"""Write a part of a task as clauses to search with, which no certificate is about."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.valency.model import Connected, Path, numbers_in
from solvent.valency.slices import slices
from solvent.valency.solver.formula import Formula, Numbers, Truths, has_exit
from solvent.valency.solver.formula_kernel import EdgeClauses
from solvent.valency.solver.network import CountBound, pack, truths_of
from solvent.valency.solver.node_sets import NodeSet

NEVER = 1
"""The variable that is false: it stands for whatever is never allowed."""


class SearchFormula(Formula):
    """Gather clauses to search with: the same meaning, but only modules that are still allowed have variables."""

    def holds(self, index: Any, module: Any) -> Any:
        """Return the variable that says a node, by its index, holds a module."""
        return self._variable[index, module]

    def _table_of(self, truths: Truths, part: slice) -> Truths:
        return truths[self._variable[part]] & self.allowed[part]

    def _write_background(self) -> None:
        count = len(self.nodes)
        self.rows.reserve(float(count) * self.modules * (1 + 2 * self.bits))
        self._variable = np.empty(self.allowed.shape, dtype=np.int32)
        self._frozen: dict[int, tuple[int, npt.NDArray[np.int64], Numbers]] = {}
        self.rows.new_variables(1)
        for part in slices(count, self.meter, width=self.modules):
            allowed = self.allowed[part]
            first = self.rows.new_variables(int(np.count_nonzero(allowed)))
            self._variable[part] = NEVER
            self._variable[part][allowed] = np.arange(first, self.rows.variables + 1)
        self.rows.add_table(np.array([[-NEVER]], dtype=np.int64))
        self.first_bit = codes = self.rows.new_variables(count * self.bits)
        bit = np.arange(self.bits)[None, :]
        for part in slices(count, self.meter, width=self.modules * self.bits):
            index, module = np.nonzero(self.allowed[part])
            index += part.start
            sign = np.where((module[:, None] >> bit) & 1, 1, -1)
            code = codes + index[:, None] * self.bits + bit
            held = np.broadcast_to(self.holds(index, module)[:, None], sign.shape)
            self.rows.add_table(np.stack([-held, sign * code], axis=-1).reshape(-1, 2))

    def add_bounds(self, bound: CountBound, least: int, most: int) -> None:
        """Bound how many of the nodes hold a module of a set."""
        inside = np.flatnonzero(bound.scope[self.nodes])
        index, module = np.nonzero(self.allowed[inside] & bound.modules)
        literals = self.holds(inside[index], module)
        if most < 0:
            self.rows.add_clause(np.empty(0, dtype=np.int64))
            return
        self.rows.at_most(most, literals)
        self.rows.at_least(least, literals)

    def add_frozen_join(self, number: int, constraint: Connected | Path, modules: Numbers) -> None:
        """Add variables for what takes part and which edges are open; nodes outside hold what `modules` says."""
        chosen = truths_of(numbers_in(constraint.modules), self.modules)
        takes_part = self.rows.new_variables(len(self.nodes))
        index, module = np.nonzero(self.allowed & chosen)
        self.rows.add_table(np.stack([-self.holds(index, module), takes_part + index], axis=1))
        ends: list[tuple[int, int]] = []
        variables: list[int] = []
        for layer in range(len(self.network.cache.edges)):
            edges = self.inside.edges(layer, within=False)
            columns = (edges.source, edges.source_orbital, edges.target, edges.target_orbital)
            for node, out, other, back in self.meter.each(zip(*(one.tolist() for one in columns), strict=True)):
                sides = [(place, end, orbital) for place, (end, orbital) in self._sides(node, out, other, back)]
                if node == other or not all(
                    place >= 0 or self._may_open(constraint, chosen, layer, int(modules[end]), orbital)
                    for place, end, orbital in sides
                ):
                    continue
                variable = self.rows.new_variables(1)
                for place, _, orbital in sides:
                    if place >= 0:
                        through = [
                            one
                            for one in np.flatnonzero(self.allowed[place] & chosen).tolist()
                            if has_exit(constraint, layer, one, orbital)
                        ]
                        held = self.holds(place, np.array(through, dtype=np.int64))
                        self.rows.add_clause(np.array([-variable, *held]))
                ends.append((node, other))
                variables.append(variable)
        if isinstance(constraint, Path):
            for place in self.inside.places(np.array([constraint.start, constraint.end])).tolist():
                if place >= 0:
                    self.rows.add_clause(self.holds(place, np.flatnonzero(self.allowed[place] & chosen)))
        pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
        self._frozen[number] = (takes_part, pairs, np.array(variables, dtype=np.int64))

    def _sides(self, node: int, out: int, other: int, back: int) -> list[tuple[int, tuple[int, int]]]:
        """Return where the two ends of an edge stand among the nodes, with each end and its orbital."""
        places = self.inside.places(np.array([node, other])).tolist()
        return list(zip(places, ((node, out), (other, back)), strict=True))

    def _may_open(self, constraint: Connected | Path, chosen: Truths, layer: int, held: int, orbital: int) -> bool:
        """Tell whether what a node holds that stays as it is lets one through."""
        return held >= 0 and bool(chosen[held]) and has_exit(constraint, layer, held, orbital)

    def frozen_cut(self, number: int, reached: NodeSet, node: int) -> list[int]:
        """Return the clause that a piece must be left; with a node, only if that takes part."""
        takes_part, ends, variables = self._frozen[number]
        crossing: list[int] = variables[reached.has(ends[:, 0]) != reached.has(ends[:, 1])].tolist()
        if node < 0:
            return crossing
        return [-(takes_part + int(self.inside.places(np.array([node]))[0])), *crossing]

    def _add_edges(self, agrees: Truths, ends: Numbers, guards: Numbers) -> None:
        first, second = ends[:, 0].copy(), ends[:, 1].copy()
        loops = first == second
        if loops.any():
            super()._add_edges(agrees, ends[loops], guards[loops])
            first, second = first[~loops], second[~loops]
        allowed = self._packed
        width = 1 + int(np.count_nonzero(agrees)) // 8
        for table, start, end in ((pack(agrees), first, second), (pack(agrees.T), second, first)):
            for part in slices(len(start), self.meter, width=width):
                clauses = EdgeClauses(table.data, allowed.data, self._variable.data, start[part].data, end[part].data)
                clauses.count()
                literals = np.empty(clauses.literals, dtype=np.int32)
                widths = np.empty(clauses.clauses, dtype=np.int64)
                clauses.write(literals.data, widths.data)
                self.rows.add(literals, widths)

    @cached_property
    def _packed(self) -> Any:
        """Return what is allowed as sets of modules in words."""
        words = np.empty((len(self.allowed), max(1, (self.modules + 63) // 64)), dtype=np.uint64)
        for part in slices(len(self.allowed), self.meter, width=self.modules):
            words[part] = pack(self.allowed[part])
        return words
