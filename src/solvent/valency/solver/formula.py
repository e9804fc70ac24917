"""Write a task, or a part of it, as clauses.

Node i of those that take part and module m have the variable i * modules + m + 1; then each node has bits that spell
out its module's number, so that it holds at most one. What else there is has variables after those. The reference page
says exactly which, because a certificate's proof is about this formula and the checker writes it down on its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.clauses import ClauseList
from solvent.valency.model import Connected, Count, Path, Separation, numbers_in
from solvent.valency.slices import distinct, first_of_each, slices, stable_order
from solvent.valency.solver.clash_elements import APART, CONSTRAINT, EDGE, KINDS, NODE, PICK, Elements
from solvent.valency.solver.clause_rows import ClauseRows
from solvent.valency.solver.constraints.circles import Cycle, literals_of
from solvent.valency.solver.constraints.open_edges import Edges, Ends
from solvent.valency.solver.network import Network, truths_of
from solvent.valency.solver.node_sets import NodeSet

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


Consequence = Cut | Cycle
"""What follows from a constraint, of things too many to write them all down."""


class _Join(Struct, frozen=True, eq=False):
    """Hold what a constraint on what hangs together brought with it."""

    takes_part: int
    """The variable that says the first node takes part; those of the others follow. -1 for a path."""
    edge_variable: int
    """The variable that says the first edge is open; those of the others follow."""
    source: Numbers
    target: Numbers


class Formula:
    """Gather the clauses of elements over some nodes. Elements must be added in the order a certificate lists them."""

    def __init__(self, network: Network, inside: NodeSet, allowed: Truths, meter: Meter = UNLIMITED) -> None:
        """Begin with what holds anyway. `allowed` says what may stand on each of the nodes."""
        self.network = network
        self.inside = inside
        self.nodes = inside.nodes
        self.allowed = allowed
        self.modules = network.modules
        self.bits = max(1, (self.modules - 1).bit_length())
        self.meter = meter
        self.rows = ClauseRows(meter)
        self._joins: dict[int, _Join] = {}
        self.ends: dict[int, Ends] = {}
        """For constraints that ask about them, the variables of the ends of edges."""
        self._write_background()

    @property
    def variables(self) -> int:
        """Return how many variables there are."""
        return self.rows.variables

    def clauses(self) -> ClauseList:
        """Return all clauses gathered since the beginning, or since this was called last."""
        return self.rows.take()

    def holds(self, index: Any, module: Any) -> Any:
        """Return the variable that says a node, by its index, holds a module."""
        return index * self.modules + module + 1

    def modules_of(self, values: bytearray) -> Numbers:
        """Return the module of each node, given the values of all variables; -1 if it holds none."""
        truths = np.frombuffer(values, dtype=np.bool_)
        modules = np.empty(len(self.nodes), dtype=np.int64)
        for part in slices(len(self.nodes), self.meter, width=self.modules):
            table = self._table_of(truths, part)
            modules[part] = np.where(table.any(axis=1), table.argmax(axis=1), -1)
        return modules

    def _table_of(self, truths: Truths, part: slice) -> Truths:
        """Return for some nodes and each module whether it is held, given the values of all variables."""
        begin, end = (place * self.modules + 1 for place in (part.start, part.stop))
        return truths[begin:end].reshape(-1, self.modules)

    def spelling(self, index: Numbers, modules: Numbers) -> Numbers:
        """Return the literals that spell out each of some modules on each of some nodes, by their indices."""
        bits = np.arange(self.bits)
        numbers = self.first_bit + index[:, None, None] * self.bits + bits
        return np.where((modules[:, None] >> bits) & 1, numbers, -numbers)

    def say_members(self, chosen: Truths, guard: int, *, both_ways: bool = False) -> int:
        """Bring in a variable for each node: true if it holds one of some modules; returns the first.

        With `both_ways` it is false if it does not.
        """
        members = np.flatnonzero(chosen)
        first = self.rows.new_variables(len(self.nodes))
        self.rows.reserve(3.0 * len(self.nodes) * len(members))
        for part in slices(len(self.nodes), self.meter, width=1 + len(members)):
            index = np.arange(part.start, part.stop)[:, None]
            held = np.broadcast_to(self.holds(index, members[None, :]), (len(index), len(members)))
            owners = np.broadcast_to(first + index, held.shape)
            self.rows.add_table(np.stack([-held.reshape(-1), owners.reshape(-1)], axis=1), guard)
            if both_ways:
                self.rows.add_table(np.concatenate([-(first + index), held], axis=1), guard)
        return first

    def add(self, elements: Elements, *, guards: Numbers | None = None) -> None:
        """Add elements. With guards each of their clauses holds only if the element's guard is true."""
        for kind, part in _runs(elements.rows, self.meter):
            rows = elements.rows[part]
            negated = np.zeros(len(rows), dtype=np.int64) if guards is None else -guards[part]
            if kind in (NODE, PICK):
                self._add_filled(rows, negated)
            elif kind == APART:
                self._add_apart(rows, negated)
            elif kind == CONSTRAINT:
                for number, guard in zip(rows[:, 1].tolist(), negated.tolist(), strict=True):
                    self._add_constraint(number, guard)
            elif kind != EDGE:
                for module, guard in zip(rows[:, 1].tolist(), negated.tolist(), strict=True):
                    self._add_count(module, KINDS[kind], guard)
        self._add_all_edges(elements.rows, guards)

    def add_consequence(self, found: Consequence, guard: int = 0) -> None:
        """Add a cut or a circle of a constraint that was added."""
        self.meter.spend(1)
        if isinstance(found, Cut):
            self._add_cut(found, guard)
        else:
            self.rows.add_clause(-literals_of(self, found), -guard if guard else 0)

    def _add_cut(self, cut: Cut, guard: int) -> None:
        join = self._joins[cut.constraint]
        crossing = []
        within = NodeSet(self.network, np.array(cut.inside, dtype=np.int64), self.meter)
        for part in slices(len(join.source), self.meter):
            crosses = within.has(join.source[part]) != within.has(join.target[part])
            crossing.append(join.edge_variable + part.start + np.flatnonzero(crosses))
        joined = np.array([] if cut.start < 0 else [cut.start, cut.end], dtype=np.int64)
        ends = -join.takes_part - self.inside.places(joined)
        self.rows.add_clause(np.concatenate([ends, *crossing]), -guard if guard else 0)

    def _write_background(self) -> None:
        count, modules, bits = len(self.nodes), self.modules, self.bits
        self.rows.reserve(float(count) * modules * (2 * bits + 1))
        self.rows.new_variables(count * (modules + bits))
        self.first_bit = count * modules + 1
        module, bit = np.arange(modules)[:, None], np.arange(bits)[None, :]
        sign = np.where((module >> bit) & 1, 1, -1)
        for part in slices(count, self.meter, width=modules * bits):
            index = np.arange(part.start, part.stop)[:, None, None]
            code = sign * (count * modules + index * bits + bit + 1)
            pairs = np.stack(np.broadcast_arrays(-self.holds(index, module), code), axis=-1)
            self.rows.add_table(pairs.reshape(-1, 2))
        for part in slices(count, self.meter, width=modules):
            index, module = np.nonzero(~self.allowed[part])
            self.rows.add_table(-self.holds(part.start + index, module)[:, None])

    def _add_filled(self, rows: npt.NDArray[np.int32], guards: Numbers) -> None:
        """Say that nodes hold what may stand there, or what is picked for them."""
        placement = self.network.placement
        picked = placement.picked.truths(self.modules)
        self.rows.reserve(float(len(rows)) * self.modules)
        for part in slices(len(rows), self.meter, width=self.modules):
            nodes = rows[part, 1]
            possible = picked[placement.picked.meaning_of[nodes]]
            free = rows[part, 0] == NODE
            possible[free] |= placement.free[placement.class_of[nodes[free]]]
            row, module = np.nonzero(possible)
            literals = self.holds(self.inside.places(nodes)[row], module)
            self.rows.add(literals, np.count_nonzero(possible, axis=1), guards[part])

    def _add_all_edges(self, rows: npt.NDArray[np.int32], guards: Numbers | None) -> None:
        """Say that the modules along edges agree: edges of one kind after the other, by which comes first."""
        places = [np.zeros(0, dtype=np.int64)]
        for part in slices(len(rows), self.meter):
            places.append(part.start + np.flatnonzero(rows[part, 0] == EDGE))
        chosen = np.concatenate(places)
        kinds = np.empty(len(chosen), dtype=np.int32)
        ends = np.empty((len(chosen), 2), dtype=np.int64)
        for part in slices(len(chosen), self.meter):
            kinds[part], ends[part] = self._edges_at(rows[chosen[part]])
        order = stable_order(kinds, self.meter)
        first = np.sort(first_of_each(kinds, self.meter))
        starts = np.concatenate([[0], np.cumsum(np.bincount(kinds))]) if len(kinds) else np.zeros(1, dtype=np.int64)
        for kind in kinds[first].tolist():
            own = order[starts[kind] : starts[kind + 1]]
            negated = np.zeros(len(own), dtype=np.int64) if guards is None else -guards[chosen[own]]
            self._add_edges(self.network.agreements[kind], ends[own], negated)

    def _edges_at(self, rows: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], Numbers]:
        """Return the kind of each edge, and the indices of its ends."""
        kinds, others = np.empty(len(rows), dtype=np.int32), np.empty(len(rows), dtype=np.int64)
        for layer in distinct(rows[:, 1]).tolist():
            here = rows[:, 1] == layer
            node, orbital = rows[here, 2], rows[here, 3]
            others[here] = self.network.cache.neighbours[layer][node, orbital]
            back = self.network.cache.back_orbitals[layer][node, orbital]
            kinds[here] = self.network.kind_tables[layer][orbital, back]
        return kinds, np.stack([self.inside.places(rows[:, 2]), self.inside.places(others)], axis=1)

    def _add_edges(self, agrees: Truths, ends: Numbers, guards: Numbers) -> None:
        first, second = ends[:, 0], ends[:, 1]
        loops = first == second
        if loops.any():
            for module in np.flatnonzero(~np.diagonal(agrees)).tolist():
                self.rows.add_table(-self.holds(first[loops], module)[:, None], guards[loops])
            first, second, guards = first[~loops], second[~loops], guards[~loops]
        self.rows.reserve(2.0 * len(first) * (self.modules + np.count_nonzero(agrees)))
        for table, start, end in ((agrees, first, second), (agrees.T, second, first)):
            for module in range(self.modules):
                others = np.flatnonzero(table[module])
                for part in slices(len(start), self.meter, width=1 + len(others)):
                    here = -self.holds(start[part], module)[:, None]
                    there = self.holds(end[part][:, None], others[None, :])
                    self.rows.add_table(np.concatenate([here, there], axis=1), guards[part])

    def _add_apart(self, rows: npt.NDArray[np.int32], guards: Numbers) -> None:
        for number in distinct(rows[:, 1]).tolist():  # they come one after the other
            own = np.flatnonzero(rows[:, 1] == number)
            constraint = self.network.staging.constraints[number]
            assert isinstance(constraint, Separation)
            chosen = np.array(numbers_in(constraint.modules), dtype=np.int64)
            others = np.array(numbers_in(constraint.others), dtype=np.int64) if constraint.others else chosen
            turns = ((chosen, others), (others, chosen)) if constraint.others else ((chosen, others),)
            size = len(chosen) * len(others)
            self.rows.reserve(2.0 * len(own) * len(turns) * size)
            for here, there in turns:
                for part in slices(len(own), self.meter, width=size):
                    at = own[part]
                    first = self.holds(self.inside.places(rows[at, 2])[:, None, None], here[:, None])
                    second = self.holds(self.inside.places(rows[at, 3])[:, None, None], there[None, :])
                    block = np.stack(np.broadcast_arrays(-first, -second), axis=-1).reshape(-1, 2)
                    self.rows.add_table(block, np.repeat(guards[at], size))

    def _add_count(self, module: int, kind: str, guard: int) -> None:
        literals = self.holds(np.arange(len(self.nodes)), module)
        rule = self.network.staging.rules.modules[module]
        if kind == "most":
            assert rule.most is not None
            self.rows.at_most(rule.most, literals, guard)
        else:
            chosen = truths_of([module], self.modules)
            outside = self.may_hold_outside(chosen, self.network.cache.open_nodes)
            self.rows.at_least(rule.least - outside, literals, guard)

    def may_hold_outside(self, chosen: Truths, scope: Truths) -> int:
        """Return how many nodes in the scope that take no part could hold a chosen module."""
        placement = self.network.placement
        by_class = np.asarray(placement.free[:, chosen].any(axis=1))
        by_pick = np.asarray(placement.picked.truths(self.modules)[:, chosen].any(axis=1))
        count = 0
        for part in slices(self.network.nodes, self.meter):
            may = by_class[placement.class_of[part]] | by_pick[placement.picked.meaning_of[part]]
            count += int(np.count_nonzero(may & scope[part]))
        for part in slices(len(self.nodes), self.meter):
            nodes = self.nodes[part]
            may = by_class[placement.class_of[nodes]] | by_pick[placement.picked.meaning_of[nodes]]
            count -= int(np.count_nonzero(may & scope[nodes]))
        return count

    def _add_constraint(self, number: int, guard: int) -> None:
        constraint = self.network.staging.constraints[number]
        if isinstance(constraint, Count):
            bound = next(bound for bound in self.network.count_bounds if bound.element == (("constraint", number),))
            inside = np.flatnonzero(bound.scope[self.nodes])
            chosen = np.flatnonzero(bound.modules)
            self.rows.reserve(2.0 * len(inside) * len(chosen))
            literals = self.holds(inside[:, None], chosen[None, :]).ravel()
            if constraint.most is not None:
                self.rows.at_most(constraint.most, literals, guard)
            if constraint.least > 0 and not self.network.only_most:
                outside = self.may_hold_outside(bound.modules, bound.scope)
                self.rows.at_least(constraint.least - outside, literals, guard)
        elif isinstance(constraint, Connected | Path):
            self._add_join(number, constraint, guard)
        for limit in self.network.limits:
            if limit.number == number:
                limit.write(self, guard)

    def _add_join(self, number: int, constraint: Connected | Path, guard: int) -> None:
        chosen = np.array(numbers_in(constraint.modules), dtype=np.int64)
        takes_part = -1
        if isinstance(constraint, Connected):
            takes_part = self.say_members(truths_of(chosen, self.modules), guard)
        edges = self.edges_within()
        edges = edges.chosen(edges.source != edges.target)
        first = self.rows.new_variables(len(edges))
        for node, orbital in edges.sides():
            keys = edges.layer * 64 + orbital
            for key in distinct(keys, self.meter).tolist():
                rows = np.flatnonzero(keys == key)
                through = [module for module in chosen.tolist() if has_exit(constraint, key // 64, module, key % 64)]
                for part in slices(len(rows), self.meter, width=1 + len(through)):
                    some = rows[part]
                    exits = np.array(through, dtype=np.int64)[None, :]
                    there = self.holds(self.inside.places(node[some])[:, None], exits)
                    self.rows.add_table(np.concatenate([-(first + some)[:, None], there], axis=1), guard)
        if isinstance(constraint, Path):
            for at_end in (constraint.start, constraint.end):
                place = int(self.inside.places(np.array([at_end]))[0])
                self.rows.add_clause(self.holds(place, chosen), guard)
        self._joins[number] = _Join(takes_part, first, edges.source, edges.target)

    def takes_part(self, number: int) -> int:
        """Return the variable that says the first node takes part in a connection that was added."""
        return self._joins[number].takes_part

    def edges_within(self) -> Edges:
        """Return all edges between nodes that take part, in the order of edges."""
        return self._edges(within=True)

    def edges_leading_out(self) -> Edges:
        """Return all edges from a node that takes part, the source, to one that does not."""
        edges = self._edges(within=False)
        first, second = self.inside.has(edges.source), self.inside.has(edges.target)
        out, turned = edges.chosen(first & ~second), edges.chosen(second & ~first)
        return Edges(*(
            np.append(one, other)
            for one, other in (
                (out.layer, turned.layer), (out.source, turned.target), (out.out, turned.back),
                (out.target, turned.source), (out.back, turned.out),
            )
        ))  # fmt: skip

    def _edges(self, *, within: bool) -> Edges:
        columns: list[list[Numbers]] = [[np.zeros(0, dtype=np.int64)] for _ in range(5)]
        for layer in range(len(self.network.cache.edges)):
            edges = self.inside.edges(layer, within=within)
            rows = (edges.source, edges.source_orbital, edges.target, edges.target_orbital)
            for column, row in zip(columns, (np.full(len(edges), layer), *rows), strict=True):
                column.append(np.asarray(row, dtype=np.int64))
        return Edges(*(np.concatenate(column) for column in columns))


def _runs(rows: npt.NDArray[np.int32], meter: Meter) -> Iterator[tuple[int, slice]]:
    """Yield the kind and the part of rows of elements that stand together; nodes and picks are one kind here."""
    begin = 0
    for part in slices(len(rows), meter):
        kinds = rows[part.start : part.stop + 1, 0]
        kinds = np.where(kinds == PICK, NODE, kinds)
        ends = part.start + 1 + np.flatnonzero(kinds[1:] != kinds[:-1])
        for end in [*ends.tolist(), *([len(rows)] if part.stop == len(rows) else [])]:
            yield int(kinds[end - 1 - part.start]), slice(begin, end)
            begin = end


def has_exit(constraint: Connected | Path, layer: int, module: int, orbital: int) -> bool:
    """Tell whether one gets in and out of a module through an orbital."""
    return not constraint.exits or bool(constraint.exits[layer][module] >> orbital & 1)
