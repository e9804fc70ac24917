"""A dungeon as a graph, and one move in it: what every search of the solver is made of.

Nodes are tiles one can stand on, or areas of them. An arc is a move from one node to another. Most arcs ask for nothing
and most nodes do nothing, so what is asked and done stands in small tables of its own.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cython

from solvent.dungeon.solver.mechanics import NOTHING_ASKED, Demand, Effect, GateRow, Rest, StockRow
from solvent.engine.arrays import SHORT, UNSIGNED, new_row, new_table, row_of

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.mechanics import (
        CALM,
        CHANGED,
        GAIN,
        ILLEGAL,
        NEED,
        NEED_OFF,
        NEED_ON,
        NEVER,
        SPEND,
        TOGGLE,
        TOOK,
    )
    from solvent.dungeon.solver.state_kernel import BitRows, PackedState
    from solvent.engine.bits import bit

_BLOCK_BITS = cython.declare(cython.ulonglong, 7)
"""A block's field: 0 as it stood, else 1 + the direction it was pushed in."""


@cython.final
@cython.cclass
class Mechanics:
    """Hold what the gates, stocks and blocks of a dungeon are. The fields are described in `graph_kernel.pxd`."""

    def __init__(
        self, words: int, gates: Sequence[GateRow], stocks: Sequence[StockRow], blocks: Sequence[tuple[int, int]]
    ) -> None:
        """Take over the rows; those of `blocks` are the word and shift of each block's field."""
        self.words = words
        self.gates = len(gates)
        self.stocks = len(stocks)
        self.gate_kind = bytearray(row.kind for row in gates)
        self.gate_word = row_of((row.word for row in gates), SHORT)
        self.gate_mask = row_of((row.mask for row in gates), UNSIGNED)
        self.gate_stock = row_of((row.stock for row in gates), SHORT)
        self.gate_needs = BitRows(row.needs for row in gates)
        self.stock_word = row_of((row.word for row in stocks), SHORT)
        self.stock_shift = row_of((row.shift for row in stocks), SHORT)
        self.stock_most = row_of((row.most for row in stocks), UNSIGNED)
        self.stock_gates = BitRows(row.gates for row in stocks)
        self.block_word = row_of((word for word, _ in blocks), SHORT)
        self.block_shift = row_of((shift for _, shift in blocks), SHORT)

    def meet(self, gate: cython.longlong, state: PackedState) -> cython.longlong:
        """Pass a gate: CHANGED if it was opened or fell shut just now, CALM if not, ILLEGAL if it bars the way."""
        kind = self.gate_kind[gate]
        word = self.gate_word[gate]
        mask = self.gate_mask[gate]
        if kind == NEED:
            return CALM if self.gate_needs.are_set(gate, state) else ILLEGAL
        if kind == NEVER:
            return ILLEGAL
        is_set: cython.bint = state.words[word] & mask != 0
        if kind == NEED_ON:
            return CALM if is_set else ILLEGAL
        if kind == NEED_OFF:
            return ILLEGAL if is_set else CALM
        if kind == SPEND:
            if is_set:
                return CALM
            stock = self.gate_stock[gate]
            paid_from = self.stock_word[stock]
            if (state.words[paid_from] >> self.stock_shift[stock]) & self.stock_most[stock] == 0:
                return ILLEGAL
            state.words[paid_from] -= bit(self.stock_shift[stock])
        elif is_set:  # the door fell shut before
            return ILLEGAL
        state.words[word] |= mask
        return CHANGED

    def add_stock(self, stock: cython.longlong, amount: cython.longlong, state: PackedState) -> cython.void:
        """Add to a stock, up to what can still be spent of it."""
        word = self.stock_word[stock]
        shift = self.stock_shift[stock]
        closed = self.left_to_spend_on(stock, state)
        have: cython.longlong = (state.words[word] >> shift) & self.stock_most[stock]
        have = min(min(have, closed) + amount, closed)
        kept: cython.ulonglong = have
        state.words[word] = (state.words[word] & ~(self.stock_most[stock] << shift)) | (kept << shift)

    def left_to_spend_on(self, stock: cython.longlong, state: PackedState) -> cython.longlong:
        """Return how many of the gates that a stock is spent on are closed."""
        return self.stock_gates.count_unset(stock, state)


@cython.final
@cython.cclass
class Graph:
    """Hold nodes, the arcs between them, and what both ask and do. The fields are described in `graph_kernel.pxd`."""

    def __init__(
        self, mechanics: Mechanics, nodes: int, effects: Iterable[Effect], rests: Iterable[Rest], goals: Iterable[int]
    ) -> None:
        """Make a graph without arcs; `lay_arcs` and `set_demands` add those."""
        self.mechanics = mechanics
        self.nodes = nodes
        effects = sorted(effects)
        rests = sorted(rests)
        self.effects = effects
        self.first_effect = first_rows((row.node for row in effects), nodes)
        self.effect_kind = bytearray(row.kind for row in effects)
        self.effect_word = row_of((row.word for row in effects), SHORT)
        self.effect_mask = row_of((row.mask for row in effects), UNSIGNED)
        self.effect_stock = row_of((row.stock for row in effects), SHORT)
        self.effect_amount = row_of((row.amount for row in effects), SHORT)
        self.rests = rests
        self.first_rest = first_rows((row.node for row in rests), nodes)
        self.rest_word = row_of((row.word for row in rests), SHORT)
        self.rest_shift = row_of((row.shift for row in rests), SHORT)
        self.rest_value = row_of((row.value for row in rests), SHORT)
        is_goal = bytearray(nodes)
        for node in goals:
            is_goal[node] = 1
        self.is_goal = is_goal
        none = new_row(1, SHORT)
        self.lay_arcs(0, none, none, none, none)
        self.set_demands([NOTHING_ASKED])

    def lay_arcs(
        self, count: int, sources: memoryview, targets: memoryview, moves: memoryview, demands: memoryview
    ) -> None:
        """Take over rows of arcs, which are sorted by source."""
        self.arcs = count
        self.source = sources
        self.target = targets
        self.move = moves
        self.demand = demands
        firsts = new_row(self.nodes + 1, SHORT)
        fill_firsts(sources, count, firsts)
        self.first_arc = firsts
        self.incoming = new_row(1, SHORT)
        self.first_incoming = new_row(1, SHORT)

    def set_demands(self, demands: Sequence[Demand]) -> None:
        """Say what each number in `demand` stands for; the first must be NOTHING_ASKED."""
        self.demands = list(demands)
        gates = new_table(len(demands), 3, SHORT)
        for number, row in enumerate(demands):
            for place in range(3):
                gates[number, place] = row.gates[place]
        self.demand_gates = gates
        self.demand_block = row_of((row.block for row in demands), SHORT)
        self.demand_push = row_of((row.push for row in demands), SHORT)
        self.demand_behind = row_of((row.behind for row in demands), SHORT)

    def sort_incoming(self) -> None:
        """Fill in `incoming`, if that was not done before; arcs to the same node keep their order."""
        if len(self.first_incoming) == self.nodes + 1:
            return
        self.incoming = new_row(self.arcs, SHORT)
        self.first_incoming = new_row(self.nodes + 1, SHORT)
        with cython.nogil:
            self.sort_by_target()

    def first_to(self, source: cython.longlong, target: cython.longlong) -> cython.longlong:
        """Return the first arc from one node to another, or where it would be; each node's must be sorted by target."""
        low: cython.longlong = self.first_arc[source]
        high: cython.longlong = self.first_arc[source + 1]
        while low < high:
            middle = (low + high) // 2
            if self.target[middle] < target:
                low = middle + 1
            else:
                high = middle
        return low

    def arcs_between(self, here: bytearray, there: bytearray) -> list[int]:
        """Return the arcs that lead from a node that is set in `here` to one that is set in `there`."""
        found = new_row(self.arcs, SHORT)
        arcs: cython.int[::1] = found
        sources: cython.uchar[::1] = here
        targets: cython.uchar[::1] = there
        count: cython.longlong = 0
        with cython.nogil:
            for arc in range(self.arcs):
                if sources[self.source[arc]] != 0 and targets[self.target[arc]] != 0:
                    arcs[count] = arc
                    count += 1
        return found[:count].tolist()

    def arcs_that_ask(self, here: bytearray) -> list[int]:
        """Return the arcs that ask for something, of those from a node that is set in `here`."""
        found = new_row(self.arcs, SHORT)
        arcs: cython.int[::1] = found
        sources: cython.uchar[::1] = here
        count: cython.longlong = 0
        with cython.nogil:
            for arc in range(self.arcs):
                if self.demand[arc] != 0 and sources[self.source[arc]] != 0:
                    arcs[count] = arc
                    count += 1
        return found[:count].tolist()

    def sort_by_target(self) -> cython.void:
        """Sort by counting: first how many arcs lead to each node, then where each goes."""
        for arc in range(self.arcs):
            self.first_incoming[self.target[arc] + 1] += 1
        for node in range(self.nodes):
            self.first_incoming[node + 1] += self.first_incoming[node]
        for arc in range(self.arcs):
            place = self.first_incoming[self.target[arc]]
            self.incoming[place] = arc
            self.first_incoming[self.target[arc]] += 1
        for node in range(self.nodes, 0, -1):  # each was moved on to where the next one begins
            self.first_incoming[node] = self.first_incoming[node - 1]
        self.first_incoming[0] = 0

    def take(self, arc: cython.longlong, state: PackedState, out: PackedState) -> cython.longlong:
        """Write into `out` the words after a move from `state`, and return what the move does.

        The two are not the same object. After ILLEGAL, `out` holds nothing of use.
        """
        done: cython.longlong = CALM
        out.become(state)
        demand = self.demand[arc]
        if demand != 0:
            for place in range(3):
                if self.demand_gates[demand, place] >= 0:
                    met = self.mechanics.meet(self.demand_gates[demand, place], out)
                    if met == ILLEGAL:
                        return ILLEGAL
                    done = max(done, met)
            if self.demand_block[demand] >= 0:
                met = self.push_block(demand, out)
                if met == ILLEGAL:
                    return ILLEGAL
                done = max(done, met)
        target = self.target[arc]
        if self.has_rests(target) and self.is_rested_on(target, out):
            return ILLEGAL
        for effect in range(self.first_effect[target], self.first_effect[target + 1]):
            word = self.effect_word[effect]
            mask = self.effect_mask[effect]
            if self.effect_kind[effect] == TOGGLE:
                out.words[word] ^= mask
                done = CHANGED
            elif out.words[word] & mask == 0:
                out.words[word] |= mask
                if self.effect_kind[effect] == GAIN:
                    self.mechanics.add_stock(self.effect_stock[effect], self.effect_amount[effect], out)
                if done == CALM:
                    done = TOOK
        return done

    def push_block(self, demand: cython.longlong, state: PackedState) -> cython.longlong:
        """Push the block that a demand is about: CHANGED, or CALM if it is gone, ILLEGAL if it stands fast."""
        block = self.demand_block[demand]
        word = self.mechanics.block_word[block]
        shift = self.mechanics.block_shift[block]
        if (state.words[word] >> shift) & _BLOCK_BITS != 0:
            return CALM
        push: cython.ulonglong = self.demand_push[demand]
        if push == 0 or self.is_rested_on(self.demand_behind[demand], state):
            return ILLEGAL
        state.words[word] |= push << shift
        return CHANGED

    def is_rested_on(self, node: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a block that was pushed lies on a node."""
        for rest in range(self.first_rest[node], self.first_rest[node + 1]):
            value: cython.longlong = (state.words[self.rest_word[rest]] >> self.rest_shift[rest]) & _BLOCK_BITS
            if value == self.rest_value[rest]:
                return True
        return False

    def collect(self, node: cython.longlong, state: PackedState) -> cython.bint:
        """Take what lies on a node; returns whether something was among it that may open a way."""
        opens: cython.bint = False
        for effect in range(self.first_effect[node], self.first_effect[node + 1]):
            word = self.effect_word[effect]
            mask = self.effect_mask[effect]
            if self.effect_kind[effect] != TOGGLE and state.words[word] & mask == 0:
                state.words[word] |= mask
                if self.effect_kind[effect] == GAIN:
                    self.mechanics.add_stock(self.effect_stock[effect], self.effect_amount[effect], state)
                else:
                    opens = True
        return opens

    def has_effects(self, node: cython.longlong) -> cython.bint:
        """Tell whether entering a node does something."""
        return self.first_effect[node] < self.first_effect[node + 1]

    def has_rests(self, node: cython.longlong) -> cython.bint:
        """Tell whether a block can come to rest on a node."""
        return self.first_rest[node] < self.first_rest[node + 1]


def first_rows(owners: Iterable[int], nodes: int) -> memoryview:
    """Return where the rows of each node begin in a table sorted by node; one entry more than nodes."""
    held = list(owners)
    firsts = new_row(nodes + 1, SHORT)
    fill_firsts(row_of(held, SHORT), len(held), firsts)
    return firsts


def fill_firsts(owners: cython.int[::1], count: cython.longlong, firsts: cython.int[::1]) -> cython.void:
    """Write for each number where its entries begin in a sorted row of `count`; `firsts` has one entry more."""
    place: cython.longlong = 0
    for number in range(firsts.shape[0]):
        while place < count and owners[place] < number:
            place += 1
        firsts[number] = place
