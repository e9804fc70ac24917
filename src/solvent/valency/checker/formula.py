"""Write down, in clauses, what holds of some nodes in every fill.

Let W be the nodes in question, rising, T the number of modules and B the number of bits that tell them apart. The
variables are, in this order:

    x(i, m)   |W| × T of them: the i-th node of W holds module m
    b(i, j)   |W| × B: bit j of the number of the module on the i-th node of W

and then those that counting and constraints bring with them, in the order of the elements. A node holds at most
one module, because the bits of two modules differ; and it holds none that may not stand there. All else is said by an
element. Every clause holds of every fill, whatever W and the elements are: the variables b are read off the module, and
`clauses`, `add_connected`, `add_path` and `constraints` tell how the others are. So if the clauses cannot all be
satisfied, there is no fill.
"""

from __future__ import annotations

import numpy as np

from solvent.valency.checker.certificate_schema import Cut
from solvent.valency.checker.clauses import CheckingLimits, Clauses
from solvent.valency.checker.holding import scope
from solvent.valency.checker.joins import Joining
from solvent.valency.checker.neighbours import Edges, Numbers, Truths, is_among
from solvent.valency.checker.placing import Placing, members_of
from solvent.valency.model import Connected, Count, Path
from solvent.valency.slices import distinct, slices, sorted_values, stable_order


class Formula:
    """Gather the clauses about some open nodes, which must be rising."""

    def __init__(self, placing: Placing, nodes: Numbers, limits: CheckingLimits) -> None:
        self.placing = placing
        self.meter = placing.meter
        self.nodes = nodes
        self.clauses = Clauses(limits, self.meter)
        count, modules = len(nodes), placing.modules
        bits = max(1, (modules - 1).bit_length()) if modules else 1
        self.clauses.reserve(count * modules * (bits + 1), count * modules * (2 * bits + 1))
        self.holds = self.clauses.new_variables(count * modules) + np.arange(count * modules).reshape(count, modules)
        """The variables x."""
        self.bits = bits
        """How many variables b there are for each node."""
        self.held_in: list[int] = []
        """For each connection, the first of the variables that say of a node that it holds a module of the set."""
        self.joins: list[EdgeVariables] = []
        """The variables of edges, of each connection and path."""
        self.first_bit = first = self.clauses.new_variables(count * bits)
        """The first of the variables b."""
        self.placeable = placing.placeable(nodes)
        set_bits = (np.arange(modules)[:, None] >> np.arange(bits)) & 1
        for part in slices(count, self.meter, width=modules * bits):
            numbers = first + bits * np.arange(part.start, part.stop)[:, None, None] + np.arange(bits)
            codes = np.where(set_bits, numbers, -numbers)
            holds = np.broadcast_to(-self.holds[part][:, :, None], codes.shape)
            self.clauses.add_table(np.stack([holds.reshape(-1), codes.reshape(-1)], axis=1))
            self.clauses.add_table(-self.holds[part][~self.placeable[part]][:, None])

    def rank(self, nodes: Numbers) -> Numbers:
        """Return where nodes of W stand in it."""
        return np.searchsorted(self.nodes, nodes)

    def has(self, nodes: Numbers) -> Truths:
        """Tell which nodes are in W."""
        return is_among(nodes, self.nodes)

    def spelling(self, ranks: Numbers, modules: Numbers) -> Numbers:
        """Return the literals that spell out each of some modules on each of some nodes, by where they stand in W."""
        bits = np.arange(self.bits)
        numbers = self.first_bit + self.bits * ranks[:, None, None] + bits
        return np.where((modules[:, None] >> bits) & 1, numbers, -numbers)

    def say_members(self, mask: int, *, both_ways: bool = False) -> int:
        """Bring in a variable for each node of W: true if it holds a module of a mask; returns the first.

        With `both_ways` it is false if it does not.
        """
        members = members_of(mask, self.placing.modules)
        first = self.clauses.new_variables(len(self.nodes))
        size = len(self.nodes) * int(members.sum())
        self.clauses.reserve(size + len(self.nodes), 3 * size + len(self.nodes))
        for part in slices(len(self.nodes), self.meter, width=self.placing.modules):
            held = self.holds[part][:, members]
            names = first + np.arange(part.start, part.stop)[:, None]
            owners = np.broadcast_to(names, held.shape)
            self.clauses.add_table(np.stack([-held.reshape(-1), owners.reshape(-1)], axis=1))
            if both_ways:
                self.clauses.add_table(np.concatenate([-names, held], axis=1))
        return first

    def add_filled(self, nodes: Numbers) -> None:
        """Each of these nodes holds a module that may stand there."""
        for part in slices(len(nodes), self.meter, width=self.placing.modules):
            ranks = self.rank(nodes[part])
            self._say_one_of(ranks, self.placeable[ranks])

    def add_picked(self, nodes: Numbers) -> None:
        """Each of these nodes holds a module that is picked for it."""
        for part in slices(len(nodes), self.meter, width=self.placing.modules):
            self._say_one_of(self.rank(nodes[part]), self.placing.picked(nodes[part]))

    def _say_one_of(self, ranks: Numbers, meant: Truths) -> None:
        self.clauses.reserve(len(ranks), int(meant.sum()))
        self.clauses.add(self.holds[ranks][meant], meant.sum(axis=1))

    def add_agreed(self, layer: int, orbital: int, back: int, nodes: Numbers, others: Numbers) -> None:
        """The modules at the ends of each of these edges agree."""
        agree = self.placing.agreeing(layer, orbital, back)
        alone = nodes == others
        loners = self.holds[self.rank(nodes[alone])][:, ~agree.diagonal()]
        self.clauses.reserve(loners.size, loners.size)
        self.clauses.add_table(-loners.reshape(-1, 1))
        nodes, others = nodes[~alone], others[~alone]
        for here, there, table in ((nodes, others, agree), (others, nodes, agree.T)):
            # All edges say the same: for each m, it is not here, or one that it agrees with is there.
            modules = self.placing.modules
            lengths = 1 + table.sum(axis=1)
            self.clauses.reserve(len(here) * modules, len(here) * int(lengths.sum()))
            wide = np.concatenate([np.ones((modules, 1), dtype=np.bool_), table], axis=1)
            owners, columns = np.nonzero(wide)
            own = columns == 0
            for part in slices(len(here), self.meter, width=len(columns)):
                rows = np.empty((part.stop - part.start, len(columns)), dtype=np.int32)
                rows[:, own] = -self.holds[self.rank(here[part])][:, owners[own]]
                rows[:, ~own] = self.holds[self.rank(there[part])][:, columns[~own] - 1]
                self.clauses.add(rows, np.tile(lengths, len(rows)))

    def add_apart(self, mask: int, others_mask: int, nodes: Numbers, others: Numbers) -> None:
        """Of each of these pairs, not one holds a module of the one mask while the other holds one of the other."""
        one = np.flatnonzero(members_of(mask, self.placing.modules))
        two = np.flatnonzero(members_of(others_mask, self.placing.modules))
        turns = ((one, two),) if mask == others_mask else ((one, two), (two, one))
        size = len(turns) * len(nodes) * len(one) * len(two)
        self.clauses.reserve(size, 2 * size)
        for here, there in turns:
            for part in slices(len(nodes), self.meter, width=len(one) * len(two)):
                first = self.holds[self.rank(nodes[part])][:, here, None]
                second = self.holds[self.rank(others[part])][:, None, there]
                pairs = np.broadcast_arrays(-first, -second)
                self.clauses.add_table(np.stack([side.reshape(-1) for side in pairs], axis=1))

    # Counting

    def add_module_most(self, module: int, most: int) -> None:
        """There are at most so many of a module."""
        self.clauses.at_most(self.holds[:, module], most)

    def add_module_least(self, module: int, least: int) -> None:
        """There are at least so many of a module, but for those that may stand outside W."""
        members = members_of(1 << module, self.placing.modules)
        outside = self.placing.count_holders(self._outside(self.placing.surroundings.open), members)
        self.clauses.at_least(self.holds[:, module], least - outside)

    def add_count(self, count: Count, *, with_least: bool) -> None:
        """A constraint counts at most and at least so many, but for those that may stand outside W."""
        members = members_of(count.modules, self.placing.modules)
        among = is_among(self.nodes, self.placing.counted_nodes(count)) if count.nodes else slice(None)
        self.clauses.reserve(0, len(self.nodes) * int(members.sum()))
        literals = self.holds[among][:, members].reshape(-1)
        if count.most is not None:
            self.clauses.at_most(literals, count.most)
        if with_least and count.least > 0:
            outside = self.placing.count_holders(self._outside(scope(self.placing, count)), members)
            self.clauses.at_least(literals, count.least - outside)

    def _outside(self, among: Truths) -> Truths:
        outside = among.copy()
        outside[self.nodes] = False
        return outside

    # Hanging together

    def add_connected(self, connected: Connected, cuts: list[Cut]) -> None:
        """All that hold a module of the set hang together.

        New variables say that a node holds a module of the set, then that an edge joins its ends. What holds such
        modules on both sides of a cut is joined across it.
        """
        joining = Joining(self.placing, connected)
        first = self.say_members(connected.modules)
        self.held_in.append(first)
        variable_of = self._say_joins(joining)
        for cut in self.meter.each(cuts, every=1):
            sides = first + self.rank(np.array([cut.start, cut.end]))
            self.clauses.add_clause(np.concatenate([-sides, variable_of(self.crossing(cut))]))

    def add_path(self, path: Path, cuts: list[Cut]) -> None:
        """Start and end hold modules of the set, and joins lead out of whatever holds only the start.

        New variables say that an edge joins its ends.
        """
        joining = Joining(self.placing, path)
        variable_of = self._say_joins(joining)
        for end in (path.start, path.end):
            self.clauses.add_clause(self.holds[self.rank(np.array([end]))[0], joining.members])
        for cut in self.meter.each(cuts, every=1):
            self.clauses.add_clause(variable_of(self.crossing(cut)))

    def _say_joins(self, joining: Joining) -> EdgeVariables:
        """Bring in a variable for each edge within W between two nodes: if true, the modules at both ends join it."""
        kinds, numbers = self.edges_within(between_two=True)
        variables = EdgeVariables(self.clauses.new_variables(len(numbers)), numbers)
        self.joins.append(variables)
        for edges in self.meter.each(kinds, every=1):
            names = variables(edges.numbers)[:, None]
            for orbital, ends in ((edges.orbital, edges.nodes), (edges.back, edges.others)):
                leaving = joining.leaving(edges.layer, orbital)
                self.clauses.reserve(len(ends), len(ends) * (1 + int(leaving.sum())))
                for part in slices(len(ends), self.meter, width=self.placing.modules):
                    able = self.holds[self.rank(ends[part])][:, leaving]
                    self.clauses.add_table(np.concatenate([-names[part], able], axis=1))
        return variables

    def edges_within(self, *, between_two: bool = False) -> tuple[list[Edges], Numbers]:
        """Return the edges within W, kind by kind, and their numbers, rising; perhaps only those of two nodes."""
        kinds, numbers = [], [np.zeros(0, dtype=np.int64)]
        for edges in self.placing.surroundings.kinds():
            within = self.has(edges.nodes) & self.has(edges.others)
            here = np.flatnonzero(within & (edges.nodes != edges.others) if between_two else within)
            if len(here):
                kinds.append(Edges(
                    edges.layer, edges.orbital, edges.back, edges.nodes[here], edges.others[here], edges.numbers[here]
                ))  # fmt: skip
                numbers.append(edges.numbers[here])
        return kinds, sorted_values(np.concatenate(numbers), self.meter)

    def crossing(self, cut: Cut) -> Numbers:
        """Return the numbers of all edges with exactly one end inside a cut."""
        return crossing_edges(self.placing, cut)[0]


class EdgeVariables:
    """Number the variables of some edges."""

    def __init__(self, first: int, numbers: Numbers) -> None:
        self.first = first
        self.numbers = numbers

    def __call__(self, numbers: Numbers) -> Numbers:
        return self.first + np.searchsorted(self.numbers, numbers)


def crossing_edges(placing: Placing, cut: Cut) -> tuple[Numbers, Numbers]:
    """Return the numbers of all edges with exactly one end inside a cut, and the ends outside."""
    inside = distinct(cut.inside, placing.meter)
    numbers, ends = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for part in slices(len(inside), placing.meter, width=8):
        _, beyond, edges = placing.surroundings.arcs_of(inside[part])
        out = ~is_among(beyond, inside)
        numbers.append(edges[out].astype(np.int64))
        ends.append(beyond[out].astype(np.int64))
    found = np.concatenate(numbers)
    order = stable_order(found, placing.meter)
    return found[order], np.concatenate(ends)[order]
