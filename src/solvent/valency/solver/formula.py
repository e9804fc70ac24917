"""Write a task, or a part of it, as clauses.

Node i of those that take part and module m have the variable i * modules + m + 1; then each node has bits that spell
out its module's number, so that it holds at most one. What else there is has variables after those. The reference page
says exactly which, because a certificate's proof is about this formula and the checker writes it down on its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.engine.clauses import ClauseList
from solvent.valency.distinct import distinct
from solvent.valency.model import Connected, Count, Path, Separation, numbers_in
from solvent.valency.rules import agreement
from solvent.valency.solver.clash_elements import Element
from solvent.valency.solver.formula_kernel import EdgeClauses
from solvent.valency.solver.network import CountBound, Network, pack, truths_of

Numbers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]


class Cut(Struct, frozen=True):
    """Hold one consequence of a constraint on what hangs together: these nodes must be left somewhere."""

    constraint: int
    inside: tuple[int, ...]
    """Sorted nodes."""
    start: int = -1
    end: int = -1
    """Two nodes, one inside and one outside, that must hang together if both take part; -1 for a path's own ends."""

    def as_json(self) -> dict[str, Any]:
        """Return it as a certificate writes it."""
        body: dict[str, Any] = {"constraint": self.constraint, "inside": list(self.inside)}
        return body if self.start < 0 else {**body, "from": self.start, "to": self.end}


class Formula:
    """Gather the clauses of elements over some nodes. Elements must be added in the order a certificate lists them."""

    def __init__(self, network: Network, nodes: Numbers, allowed: Truths) -> None:
        """Begin with what holds anyway. `allowed` says what may stand on each of the nodes, which are sorted."""
        self.network = network
        self.nodes = nodes
        self.allowed = allowed
        self.modules = network.modules
        self.where = np.full(network.nodes, -1, dtype=np.int64)
        self.where[nodes] = np.arange(len(nodes))
        self.bits = max(1, (self.modules - 1).bit_length())
        self.variables = 0
        self._literals: list[npt.NDArray[np.int32] | Numbers] = []
        self._widths: list[Numbers] = []
        self._joins: dict[int, tuple[dict[int, int], Any]] = {}
        self._write_background()

    def clauses(self) -> ClauseList:
        """Return all clauses gathered since the beginning, or since this was called last."""
        # Variables that do not fit 32 bits are too many for a formula, which says so.
        literals = np.concatenate([*self._literals, np.empty(0, dtype=np.int32)], dtype=np.int32, casting="same_kind")
        widths = np.concatenate([*self._widths, np.empty(0, dtype=np.int64)])
        self._literals, self._widths = [], []
        return ClauseList(literals, np.concatenate([[0], np.cumsum(widths)]), self.variables)

    def holds(self, index: Any, module: Any) -> Any:
        """Return the variable that says a node, by its index, holds a module."""
        return index * self.modules + module + 1

    def tables_of(self, values: Truths) -> Truths:
        """Return for each node and module whether it holds it, given the values of all variables."""
        return values[1 : len(self.nodes) * self.modules + 1].reshape(len(self.nodes), self.modules)

    def new_variables(self, count: int) -> Numbers:
        """Return the next variables."""
        first = self.variables + 1
        self.variables += count
        return np.arange(first, first + count, dtype=np.int64)

    def modules_of(self, values: bytearray) -> Numbers:
        """Return the module of each node, given the values of all variables; -1 if it holds none."""
        table = self.tables_of(np.frombuffer(values, dtype=np.bool_))
        return np.where(table.any(axis=1), table.argmax(axis=1), -1)

    def add(self, elements: Sequence[Element], *, guards: Mapping[Element, int] | None = None) -> None:
        """Add elements. With guards each of their clauses holds only if the element's guard is true."""
        edges: dict[tuple[int, int, int], list[tuple[int, int, int]]] = defaultdict(list)
        for element in elements:
            guard = 0 if guards is None else -guards[element]
            kind = element[0]
            if kind == "node":
                index = self.where[element[1]]
                possible = np.flatnonzero(self.network.placement.placeable(element[1]))
                self._clause(self.holds(index, possible), guard)
            elif kind == "pick":
                index = self.where[element[1]]
                self._clause(self.holds(index, np.array(self.network.placement.picked[element[1]])), guard)
            elif kind == "edge":
                _, layer, node, orbital = element
                other = int(self.network.cache.neighbours[layer][node, orbital])
                back = int(self.network.cache.back_orbitals[layer][node, orbital])
                edges[layer, orbital, back].append((int(self.where[node]), int(self.where[other]), guard))
            elif kind == "apart":
                self._add_apart(element, guard)
            elif kind in ("least", "most"):
                self._add_count(element[1], kind, guard)
            else:
                self._add_constraint(element[1], guard)
        for (layer, orbital, back), found in edges.items():
            self._add_edges(agreement(self.network.staging.rules, layer, orbital, back), np.array(found))

    def add_cut(self, cut: Cut, guard: int = 0) -> None:
        """Add a cut of a constraint that was added."""
        ys, (edge_variables, sources, targets) = self._joins[cut.constraint]
        inside = truths_of(cut.inside, self.network.nodes)
        crossing = edge_variables[inside[sources] != inside[targets]]
        ends = [] if cut.start < 0 else [-ys[cut.start], -ys[cut.end]]
        self._clause(np.concatenate([np.array(ends, dtype=np.int64), crossing]), -guard if guard else 0)

    def _write_background(self) -> None:
        count, modules, bits = len(self.nodes), self.modules, self.bits
        self.variables = count * (modules + bits)
        index = np.arange(count)[:, None, None]
        module = np.arange(modules)[None, :, None]
        bit = np.arange(bits)[None, None, :]
        variable = count * modules + index * bits + bit + 1
        sign = np.where((module >> bit) & 1, 1, -1)
        pairs = np.stack(np.broadcast_arrays(-self.holds(index, module), sign * variable), axis=-1)
        self._rows(pairs.reshape(-1, 2))
        index, module = np.nonzero(~self.allowed)
        self._rows(-self.holds(index, module)[:, None])

    def _add_edges(self, agrees: Truths, edges: Numbers) -> None:
        first, second, guards = edges[:, 0], edges[:, 1], edges[:, 2]
        loops = first == second
        if loops.any():
            for module in np.flatnonzero(~np.diagonal(agrees)).tolist():
                self._guarded(-self.holds(first[loops], module)[:, None], guards[loops])
            first, second, guards = first[~loops], second[~loops], guards[~loops]
        for table, start, end in ((agrees, first, second), (agrees.T, second, first)):
            for module in range(self.modules):
                others = np.flatnonzero(table[module])
                block = np.concatenate(
                    [-self.holds(start, module)[:, None], self.holds(end[:, None], others[None, :])], axis=1
                )
                self._guarded(block, guards)

    def _add_apart(self, element: Element, guard: int) -> None:
        _, number, node, other = element
        constraint = self.network.staging.constraints[number]
        assert isinstance(constraint, Separation)
        chosen = np.array(numbers_in(constraint.modules), dtype=np.int64)
        first, second = np.meshgrid(chosen, chosen, indexing="ij")
        block = np.stack(
            [-self.holds(self.where[node], first.ravel()), -self.holds(self.where[other], second.ravel())], axis=1
        )
        self._guarded(block, np.full(len(block), guard))

    def _add_count(self, module: int, kind: str, guard: int) -> None:
        literals = self.holds(np.arange(len(self.nodes)), module)
        rule = self.network.staging.rules.modules[module]
        if kind == "most":
            assert rule.most is not None
            self._at_most(rule.most, literals, guard)
        else:
            outside = self._may_hold_outside(
                np.eye(1, self.modules, module, dtype=np.bool_)[0], self.network.cache.open_nodes
            )
            self._at_least(rule.least - outside, literals, guard)

    def _may_hold_outside(self, chosen: Truths, scope: Truths) -> int:
        """Return how many nodes in the scope that take no part could hold a chosen module."""
        placement = self.network.placement
        by_class = np.asarray(placement.free[:, chosen].any(axis=1))
        may = by_class[placement.class_of]
        for node, picked in placement.picked.items():
            may[node] |= chosen[list(picked)].any()
        return int((may & scope & (self.where < 0)).sum())

    def _add_constraint(self, number: int, guard: int) -> None:
        constraint = self.network.staging.constraints[number]
        if isinstance(constraint, Count):
            bound = next(bound for bound in self.network.count_bounds if bound.element == (("constraint", number),))
            inside = np.flatnonzero(bound.scope[self.nodes])
            chosen = np.flatnonzero(bound.modules)
            literals = self.holds(inside[:, None], chosen[None, :]).ravel()
            if constraint.most is not None:
                self._at_most(constraint.most, literals, guard)
            if constraint.least > 0 and not self.network.only_most:
                outside = self._may_hold_outside(bound.modules, bound.scope)
                self._at_least(constraint.least - outside, literals, guard)
        elif isinstance(constraint, Connected | Path):
            self._add_join(number, constraint, guard)

    def _add_join(self, number: int, constraint: Connected | Path, guard: int) -> None:
        chosen = np.array(numbers_in(constraint.modules), dtype=np.int64)
        ys: dict[int, int] = {}
        if isinstance(constraint, Connected):
            variables = self.new_variables(len(self.nodes))
            ys = dict(zip(self.nodes.tolist(), variables.tolist(), strict=True))
            for module in chosen.tolist():
                block = np.stack([-self.holds(np.arange(len(self.nodes)), module), variables], axis=1)
                self._guarded(block, np.full(len(block), guard))
        columns: list[list[Numbers]] = [[], [], [], [], []]
        for layer, edges in enumerate(self.network.cache.edges):
            there = (self.where[edges.source] >= 0) & (self.where[edges.target] >= 0) & (edges.source != edges.target)
            found = (edges.source, edges.source_orbital, edges.target, edges.target_orbital)
            for column, values in zip(columns, found, strict=False):
                column.append(values[there].astype(np.int64))
            columns[4].append(np.full(int(there.sum()), layer))
        source, out, target, back, layers = (np.concatenate(column) for column in columns)
        variables = self.new_variables(len(source))
        for node, orbital in ((source, out), (target, back)):
            keys = layers * 64 + orbital
            for key in distinct(keys).tolist():
                rows = np.flatnonzero(keys == key)
                through = [module for module in chosen.tolist() if has_exit(constraint, key // 64, module, key % 64)]
                block = np.concatenate(
                    [
                        -variables[rows][:, None],
                        self.holds(self.where[node[rows]][:, None], np.array(through, dtype=np.int64)[None, :]),
                    ],
                    axis=1,
                )
                self._guarded(block, np.full(len(block), guard))
        if isinstance(constraint, Path):
            for end in (constraint.start, constraint.end):
                self._clause(self.holds(self.where[end], chosen), guard)
        self._joins[number] = (ys, (variables, source, target))

    def _at_most(self, most: int, literals: Numbers, guard: int) -> None:
        count = len(literals)
        if most >= count:
            return
        if most == 0:
            self._guarded(-literals[:, None], np.full(count, guard))
            return
        table = self.new_variables(count * most).reshape(count, most)
        blocks = [
            np.stack([-literals, table[:, 0]], axis=1),
            np.stack([-table[:-1].ravel(), table[1:].ravel()], axis=1),
            np.stack([-literals[1:], -table[:-1, -1]], axis=1),
        ]
        if most > 1:
            repeated = np.repeat(-literals[1:], most - 1)
            blocks.append(np.stack([repeated, -table[:-1, :-1].ravel(), table[1:, 1:].ravel()], axis=1))
        for block in blocks:
            self._guarded(block, np.full(len(block), guard))

    def _at_least(self, least: int, literals: Numbers, guard: int) -> None:
        count = len(literals)
        if least <= 0:
            return
        if least > count:
            self._clause(np.empty(0, dtype=np.int64), guard)
            return
        table = self.new_variables(count * least).reshape(count, least)
        blocks = [
            np.stack([-table[0], np.repeat(literals[0], least)], axis=1),
            np.stack([-table[1:].ravel(), np.repeat(literals[1:], least), table[:-1].ravel()], axis=1),
            -table[0, 1:][:, None],
            np.stack([-table[1:, 1:].ravel(), table[:-1, 1:].ravel(), table[:-1, :-1].ravel()], axis=1),
        ]
        for block in blocks:
            self._guarded(block, np.full(len(block), guard))
        self._clause(table[-1, -1:], guard)

    def _clause(self, literals: Numbers, guard: int) -> None:
        self._guarded(np.asarray(literals, dtype=np.int64).reshape(1, -1), np.array([guard]))

    def _guarded(self, block: Numbers, guards: Numbers) -> None:
        if guards.any():
            block = np.concatenate([block, guards[:, None]], axis=1)
        self._rows(block)

    def _rows(self, block: Numbers) -> None:
        self._literals.append(block.ravel())
        self._widths.append(np.full(len(block), block.shape[1], dtype=np.int64))


def has_exit(constraint: Connected | Path, layer: int, module: int, orbital: int) -> bool:
    """Tell whether one gets in and out of a module through an orbital."""
    return not constraint.exits or bool(constraint.exits[layer][module] >> orbital & 1)


class SearchFormula(Formula):
    """Gather clauses to search with: the same meaning, but only modules that are still allowed have variables.

    What is never allowed shares one variable that is false. Certificates are about `Formula`.
    """

    def holds(self, index: Any, module: Any) -> Any:
        """Return the variable that says a node, by its index, holds a module."""
        return self._variable[index, module]

    def tables_of(self, values: Truths) -> Truths:
        """Return for each node and module whether it holds it, given the values of all variables."""
        return values[self._variable] & self.allowed

    def _write_background(self) -> None:
        never = 1
        self._variable = np.full(self.allowed.shape, never, dtype=np.int64)
        index, module = np.nonzero(self.allowed)
        self._variable[index, module] = np.arange(2, 2 + len(index))
        self.variables = 1 + len(index)
        self._frozen: dict[int, tuple[Numbers, Numbers, Numbers]] = {}
        self._rows(np.array([[-never]], dtype=np.int64))
        code = self.new_variables(len(self.nodes) * self.bits).reshape(len(self.nodes), self.bits)
        bit = np.arange(self.bits)[None, :]
        sign = np.where((module[:, None] >> bit) & 1, 1, -1)
        held = np.broadcast_to(self.holds(index, module)[:, None], sign.shape)
        self._rows(np.stack([-held, sign * code[index]], axis=-1).reshape(-1, 2))

    def add_bounds(self, bound: CountBound, least: int, most: int) -> None:
        """Bound how many of the nodes hold a module of a set."""
        inside = np.flatnonzero(bound.scope[self.nodes])
        index, module = np.nonzero(self.allowed[inside] & bound.modules)
        literals = self.holds(inside[index], module)
        if most < 0:
            self._clause(np.empty(0, dtype=np.int64), 0)
            return
        self._at_most(most, literals, 0)
        self._at_least(least, literals, 0)

    def add_frozen_join(self, number: int, constraint: Connected | Path, modules: Numbers) -> None:
        """Add variables for what takes part and which edges are open; nodes outside hold what `modules` says."""
        chosen = truths_of(numbers_in(constraint.modules), self.modules)
        takes_part = self.new_variables(len(self.nodes))
        index, module = np.nonzero(self.allowed & chosen)
        self._rows(np.stack([-self.holds(index, module), takes_part[index]], axis=1))
        ends: list[tuple[int, int]] = []
        variables: list[int] = []
        for layer, edges in enumerate(self.network.cache.edges):
            touching = (self.where[edges.source] >= 0) | (self.where[edges.target] >= 0)
            columns = (edges.source, edges.source_orbital, edges.target, edges.target_orbital)
            for node, out, other, back in zip(*(column[touching].tolist() for column in columns), strict=True):
                sides = ((node, out), (other, back))
                if node == other or not all(
                    self._may_open(constraint, chosen, layer, end, orbital, modules) for end, orbital in sides
                ):
                    continue
                variable = int(self.new_variables(1)[0])
                for end, orbital in sides:
                    place = self.where[end]
                    if place >= 0:
                        through = [
                            one
                            for one in np.flatnonzero(self.allowed[place] & chosen).tolist()
                            if has_exit(constraint, layer, one, orbital)
                        ]
                        self._clause(np.array([-variable, *self.holds(place, np.array(through, dtype=np.int64))]), 0)
                ends.append((node, other))
                variables.append(variable)
        if isinstance(constraint, Path):
            for end in (constraint.start, constraint.end):
                if self.where[end] >= 0:
                    place = self.where[end]
                    self._clause(self.holds(place, np.flatnonzero(self.allowed[place] & chosen)), 0)
        pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
        self._frozen[number] = (takes_part, pairs, np.array(variables, dtype=np.int64))

    def _may_open(
        self, constraint: Connected | Path, chosen: Truths, layer: int, end: int, orbital: int, modules: Numbers
    ) -> bool:
        if self.where[end] >= 0:
            return True
        held = int(modules[end])
        return held >= 0 and bool(chosen[held]) and has_exit(constraint, layer, held, orbital)

    def frozen_cut(self, number: int, reached: Truths, node: int) -> list[int]:
        """Return the clause that a piece, given as truths, must be left; with a node, only if that takes part."""
        takes_part, ends, variables = self._frozen[number]
        crossing = variables[reached[ends[:, 0]] != reached[ends[:, 1]]].tolist()
        return crossing if node < 0 else [-int(takes_part[self.where[node]]), *crossing]

    def _add_edges(self, agrees: Truths, edges: Numbers) -> None:
        first, second = edges[:, 0].copy(), edges[:, 1].copy()
        loops = first == second
        if loops.any():
            super()._add_edges(agrees, edges[loops])
            first, second = first[~loops], second[~loops]
        allowed = pack(self.allowed)
        for table, start, end in ((pack(agrees), first, second), (pack(agrees.T), second, first)):
            edge_clauses = EdgeClauses(table.data, allowed.data, self._variable.data, start.data, end.data)
            edge_clauses.count()
            literals = np.empty(edge_clauses.literals, dtype=np.int32)
            widths = np.empty(edge_clauses.clauses, dtype=np.int64)
            edge_clauses.write(literals.data, widths.data)
            self._literals.append(literals)
            self._widths.append(widths)
