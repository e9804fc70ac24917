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
        ADVANCE,
        ASSIGN,
        CALM,
        CHANGED,
        EARN,
        GAIN,
        GATES_A_MOVE,
        ILLEGAL,
        NEED,
        NEED_OFF,
        NEED_ON,
        NEVER,
        REFILL,
        RULE,
        SPEND,
        TAKE,
        TOGGLE,
        TOOK,
    )
    from solvent.dungeon.solver.requirements_kernel import Programs
    from solvent.dungeon.solver.state_kernel import BitRows, PackedState
    from solvent.engine.bits import bit


@cython.final
@cython.cclass
class Mechanics:
    """Hold what the gates, stocks and blocks of a dungeon are. The fields are described in `graph_kernel.pxd`."""

    def __init__(
        self,
        words: int,
        gates: Sequence[GateRow],
        stocks: Sequence[StockRow],
        blocks: Sequence[tuple[int, int, int]],
        pushes_on: bool,
        rules: Programs,
    ) -> None:
        """Take over the rows; those of `blocks` are the word, shift and mask of each block's field."""
        self.words = words
        self.rules = rules
        self.pushes_on = pushes_on
        self.has_spare = any(row.spare for row in stocks)
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
        self.stock_spare = row_of((row.spare for row in stocks), SHORT)
        self.gate_rule = row_of((row.rule for row in gates), SHORT)
        self.block_word = row_of((word for word, _, _ in blocks), SHORT)
        self.block_shift = row_of((shift for _, shift, _ in blocks), SHORT)
        self.block_mask = row_of((mask for _, _, mask in blocks), UNSIGNED)

    def meet(self, gate: cython.longlong, before: PackedState, state: PackedState) -> cython.longlong:
        """Pass a gate: CHANGED if it was opened or fell shut just now, CALM if not, ILLEGAL if it bars the way.

        `before` is the state before the move, which requirements are about.
        """
        kind = self.gate_kind[gate]
        word = self.gate_word[gate]
        mask = self.gate_mask[gate]
        if kind == NEED:
            return CALM if self.gate_needs.are_set(gate, state) else ILLEGAL
        if kind == NEVER:
            return ILLEGAL
        if kind == RULE:
            return CALM if self.rules.holds(self.gate_rule[gate], before) else ILLEGAL
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
        """Add to a stock, up to what is of use."""
        closed = self.worth_having(stock, state)
        self.set_stock(stock, min(min(self.in_hand(stock, state), closed) + amount, closed), state)

    def fill_stock(self, stock: cython.longlong, amount: cython.longlong, state: PackedState) -> cython.bint:
        """Fill a stock up to an amount, or to what is of use; returns whether that was more than there was."""
        filled = min(amount, self.worth_having(stock, state))
        if self.in_hand(stock, state) >= filled:
            return False
        self.set_stock(stock, filled, state)
        return True

    def in_hand(self, stock: cython.longlong, state: PackedState) -> cython.longlong:
        """Return how much there is of a stock."""
        return (state.words[self.stock_word[stock]] >> self.stock_shift[stock]) & self.stock_most[stock]

    def set_stock(self, stock: cython.longlong, amount: cython.longlong, state: PackedState) -> cython.void:
        """Let there be so much of a stock."""
        word = self.stock_word[stock]
        shift = self.stock_shift[stock]
        kept: cython.ulonglong = amount
        state.words[word] = (state.words[word] & ~(self.stock_most[stock] << shift)) | (kept << shift)

    def worth_having(self, stock: cython.longlong, state: PackedState) -> cython.longlong:
        """Return how much of a stock is of use: one for each gate that is closed, and what requirements ask for."""
        return self.stock_gates.count_unset(stock, state) + self.stock_spare[stock]


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
        has_rules = bytearray(nodes)
        for row in effects:
            has_rules[row.node] |= row.action.rule >= 0
        self.has_rules = has_rules
        self.any_rules = any(has_rules)
        self.rests = rests
        self.first_rest = first_rows((row.node for row in rests), nodes)
        self.rest_block = row_of((row.block for row in rests), SHORT)
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
        gates = new_table(len(demands), GATES_A_MOVE, SHORT)
        for number, row in enumerate(demands):
            for place in range(GATES_A_MOVE):
                gates[number, place] = row.gates[place]
        self.demand_gates = gates
        self.demand_block = row_of((row.block for row in demands), SHORT)
        self.demand_behind = row_of((row.behind for row in demands), SHORT)
        self.demand_stays = bytearray(row.stays for row in demands)
        actions = [effect.action for effect in self.effects]
        firsts = []
        for row in demands:
            firsts.append(len(actions))
            actions.extend(row.actions)
        self.first_deed = row_of([*firsts, len(actions)], SHORT)
        self.effect_kind = bytearray(row.kind for row in actions) or bytearray(1)
        self.effect_word = row_of((row.word for row in actions), SHORT)
        self.effect_mask = row_of((row.mask for row in actions), UNSIGNED)
        self.effect_stock = row_of((row.stock for row in actions), SHORT)
        self.effect_amount = row_of((row.amount for row in actions), SHORT)
        self.effect_rule = row_of((row.rule for row in actions), SHORT)
        self.effect_follows = bytearray(row.follows for row in actions) or bytearray(1)

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
        target = self.target[arc]
        if demand != 0:
            for place in range(GATES_A_MOVE):
                if self.demand_gates[demand, place] >= 0:
                    met = self.mechanics.meet(self.demand_gates[demand, place], state, out)
                    if met == ILLEGAL:
                        return ILLEGAL
                    done = max(done, met)
        stays: cython.bint = self.demand_stays[demand] != 0
        if self.has_rests(target) and not stays:
            met = self.push_block(demand, target, out)
            if met == ILLEGAL:
                return ILLEGAL
            done = max(done, met)
        for deed in range(self.first_deed[demand], self.first_deed[demand + 1]):
            done = max(done, self.act(deed, out))
        if not self.has_effects(target):
            return done
        met = self.enter(target, out, not stays)
        done = max(done, met)
        while met != CALM and self.has_rules[target] != 0:  # what is taken may make more appear
            met = self.enter(target, out, False)
            done = max(done, met)
        return done

    def enter(self, node: cython.longlong, state: PackedState, steps: cython.bint) -> cython.longlong:
        """Let happen once what entering a node does; plates only if they are stepped on."""
        done: cython.longlong = CALM
        happens: cython.bint = True
        for effect in range(self.first_effect[node], self.first_effect[node + 1]):
            kind = self.effect_kind[effect]
            if kind >= TOGGLE and kind <= ADVANCE:
                if steps:
                    done = max(done, self.act(effect, state))
                continue
            if self.effect_follows[effect] == 0:
                happens = self.effect_rule[effect] < 0 or self.mechanics.rules.holds(self.effect_rule[effect], state)
            if happens:
                done = max(done, self.act(effect, state))
        return done

    def act(self, action: cython.longlong, state: PackedState) -> cython.longlong:
        """Do what an action does: CHANGED, TOOK, or CALM if it changes nothing."""
        kind = self.effect_kind[action]
        word = self.effect_word[action]
        mask = self.effect_mask[action]
        if kind == TOGGLE:
            state.words[word] ^= mask
            return CHANGED
        if kind == ASSIGN or kind == ADVANCE:
            shift = self.effect_stock[action]
            value: cython.ulonglong = self.effect_amount[action]
            was: cython.ulonglong = (state.words[word] & mask) >> shift
            if kind == ADVANCE:
                value = was + 1 if was + 1 < value else 0
            state.words[word] = (state.words[word] & ~mask) | (value << shift)
            return CALM if value == was else CHANGED
        if kind == REFILL:
            filled = self.mechanics.fill_stock(self.effect_stock[action], self.effect_amount[action], state)
            return CHANGED if filled else CALM
        if state.words[word] & mask != 0:
            return CALM
        state.words[word] |= mask
        if kind == GAIN or kind == EARN:
            self.mechanics.add_stock(self.effect_stock[action], self.effect_amount[action], state)
        return TOOK if kind == GAIN or kind == TAKE else CHANGED

    def push_block(self, demand: cython.longlong, node: cython.longlong, state: PackedState) -> cython.longlong:
        """Push the block that is on a node: CHANGED, or CALM if there is none, ILLEGAL if it stands fast."""
        found = self.block_on(node, state)
        if found < 0:
            return CALM
        block = self.rest_block[found]
        behind = self.demand_behind[demand]
        if behind < 0 or (self.rest_value[found] != 0 and not self.mechanics.pushes_on):
            return ILLEGAL
        if self.block_on(behind, state) >= 0:
            return ILLEGAL
        for rest in range(self.first_rest[behind], self.first_rest[behind + 1]):
            if self.rest_block[rest] == block:
                word = self.mechanics.block_word[block]
                pushed: cython.ulonglong = self.rest_value[rest]
                kept: cython.ulonglong = state.words[word] & ~self.mechanics.block_mask[block]
                state.words[word] = kept | (pushed << self.mechanics.block_shift[block])
                return CHANGED
        return ILLEGAL

    def block_on(self, node: cython.longlong, state: PackedState) -> cython.longlong:
        """Return the entry of `rests` that says which block is on a node; -1 if none is."""
        for rest in range(self.first_rest[node], self.first_rest[node + 1]):
            block = self.rest_block[rest]
            field: cython.ulonglong = state.words[self.mechanics.block_word[block]] & self.mechanics.block_mask[block]
            value: cython.ulonglong = self.rest_value[rest]
            if field >> self.mechanics.block_shift[block] == value:
                return rest
        return -1

    def collect(self, node: cython.longlong, state: PackedState) -> cython.bint:
        """Take what lies on a node and is never worse to have; returns whether that may open a way, or show more."""
        opens: cython.bint = False
        happens: cython.bint = True
        for effect in range(self.first_effect[node], self.first_effect[node + 1]):
            kind = self.effect_kind[effect]
            if kind >= TOGGLE:
                continue
            if self.effect_follows[effect] == 0:
                happens = self.effect_rule[effect] < 0 or self.mechanics.rules.holds(self.effect_rule[effect], state)
            if happens and self.act(effect, state) != CALM:
                opens = opens or kind != GAIN or self.any_rules or self.mechanics.has_spare
        return opens

    def has_more(self, node: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether something lies on a node that `collect` would take."""
        for effect in range(self.first_effect[node], self.first_effect[node + 1]):
            if self.effect_kind[effect] >= TOGGLE or state.words[self.effect_word[effect]] & self.effect_mask[effect]:
                continue
            if self.effect_rule[effect] < 0 or self.mechanics.rules.holds(self.effect_rule[effect], state):
                return True
        return False

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
