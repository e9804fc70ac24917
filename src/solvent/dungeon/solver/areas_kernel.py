"""Join tiles to areas, and work out when a move between areas changes nothing but the place.

What an area is, and what this is for, is said in `areas`.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, UNSIGNED, new_row, new_table

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.graph_kernel import Graph
    from solvent.dungeon.solver.mechanics import (
        ADVANCE,
        ALWAYS,
        GATES_A_MOVE,
        IF_BITS,
        NEVER_CALM,
        REFILL,
        SPEND,
        TOGGLE,
        TRY,
    )
    from solvent.dungeon.solver.state_kernel import BitRows, PackedState

_UNSEEN = cython.declare(cython.longlong, -1)
_DIFFER = cython.declare(cython.longlong, -2)


@cython.final
@cython.cclass
class Joining:
    """Divide the cells of a graph into areas. The fields are described in `areas_kernel.pxd`."""

    def __init__(self, cells: Graph, apart: cython.bint) -> None:
        """Begin; with `apart`, each cell with something to take is an area of its own. `join` does the work."""
        self.cells = cells
        self.count = 0
        self.next_arc = 0
        self.area_of = new_row(cells.nodes, SHORT)
        self.alone = bytearray(cells.nodes)
        self.first_cell = self.sizes = new_row(1, SHORT)
        with cython.nogil:
            self.set_alone(apart)

    def join(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more arcs; returns whether all areas are found."""
        with cython.nogil:
            self.join_cells(limit)
        if self.next_arc < self.cells.arcs:
            return False
        with cython.nogil:
            self.number()
        self.first_cell = new_row(self.count, SHORT)
        self.sizes = new_row(self.count, SHORT)
        with cython.nogil:
            self.measure()
        return True

    def set_alone(self, apart: cython.bint) -> cython.void:
        """Mark the cells on which something happens beside taking things; with `apart`, those with things as well."""
        for cell in range(self.cells.nodes):
            self.area_of[cell] = cell
            self.alone[cell] = self.cells.is_goal[cell] or self.cells.has_rests(cell)
            for effect in range(self.cells.first_effect[cell], self.cells.first_effect[cell + 1]):
                if apart or self.cells.effect_kind[effect] >= TOGGLE:
                    self.alone[cell] = 1
        for arc in range(self.cells.arcs):
            if self.cells.demand_block[self.cells.demand[arc]] >= 0:
                self.alone[self.cells.target[arc]] = 1

    def joins(self, arc: cython.longlong) -> cython.bint:
        """Tell whether an arc asks for nothing and leads from one cell to another that may be in one area."""
        return (
            self.cells.demand[arc] == 0
            and self.alone[self.cells.source[arc]] == 0
            and self.alone[self.cells.target[arc]] == 0
        )

    def head(self, cell: cython.longlong) -> cython.longlong:
        """Return the smallest cell known to be in the same area; shortens the way to it."""
        while self.area_of[cell] != cell:
            self.area_of[cell] = self.area_of[self.area_of[cell]]
            cell = self.area_of[cell]
        return cell

    def join_cells(self, limit: cython.longlong) -> cython.void:
        """Let `area_of` lead from each cell to the smallest one that arcs join it with, both ways."""
        while self.next_arc < self.cells.arcs and limit > 0:
            arc = self.next_arc
            self.next_arc += 1
            limit -= 1
            here = self.cells.source[arc]
            there = self.cells.target[arc]
            if here > there or not self.joins(arc):
                continue
            both: cython.bint = False
            for other in range(self.cells.first_arc[there], self.cells.first_arc[there + 1]):
                limit -= 1
                if self.cells.target[other] == here and self.joins(other):
                    both = True
                    break
            if both:
                one = self.head(here)
                two = self.head(there)
                self.area_of[max(one, two)] = min(one, two)

    def number(self) -> cython.void:
        """Number the areas in the order of their first cells; until all are, a number stands as -1 - number."""
        for cell in range(self.cells.nodes):
            head = self.area_of[cell]
            if head == cell:
                self.area_of[cell] = -1 - self.count
                self.count += 1
            else:  # what it leads to is smaller, and numbered by now
                self.area_of[cell] = self.area_of[head]
        for cell in range(self.cells.nodes):
            self.area_of[cell] = -1 - self.area_of[cell]

    def measure(self) -> cython.void:
        """Fill in the first cell and the size of each area."""
        for cell in range(self.cells.nodes):
            area = self.area_of[cell]
            if self.sizes[area] == 0:
                self.first_cell[area] = cell
            self.sizes[area] += 1


@cython.final
@cython.cclass
class Asked:
    """Hold what each demand asks for a move to be calm. The fields are described in `areas_kernel.pxd`."""

    def __init__(self, set_bits: BitRows, unset_bits: BitRows, never: bytearray, tries: bytearray) -> None:
        self.set_bits = set_bits
        self.unset_bits = unset_bits
        self.never = never
        self.tries = tries


@cython.final
@cython.cclass
class Areas:
    """Hold the graph of areas, and how it belongs to that of cells. The fields are described in `areas_kernel.pxd`."""

    def __init__(self, joining: Joining, graph: Graph, cell_arc: memoryview, asked: Asked, apart: cython.bint) -> None:
        """Take over the graph of areas, which `mark` then looks through."""
        self.graph = graph
        self.area_of = joining.area_of
        self.first_cell = joining.first_cell
        self.sizes = joining.sizes
        self.cell_arc = cell_arc
        self.asked = asked
        self.apart = apart
        self.calm = bytearray(graph.arcs)
        self.back = bytearray(graph.arcs)
        self.swift = bytearray(graph.arcs)
        self.switches = bytearray(graph.nodes)
        self.sure = new_table(1, 1, UNSIGNED)
        self.sure_words = 0
        self.gate_target = new_row(graph.mechanics.gates, SHORT)
        self.gate_low = new_row(graph.mechanics.gates, SHORT)
        self.gate_high = new_row(graph.mechanics.gates, SHORT)
        self.bits = PackedState([0] * graph.mechanics.words)
        self.refills = False
        self.next_arc = 0
        graph.sort_incoming()
        with cython.nogil:
            self.note_ends()
            self.mark_switches()
            self.mark_calm()

    def mark(self, limit: cython.longlong) -> bool:
        """Find moves back for up to about `limit` arcs; returns whether that was done for all."""
        with cython.nogil:
            self.mark_back(limit)
        return self.next_arc == self.graph.arcs

    def learn_sure_things(self, sure: memoryview, words: int) -> None:
        """Take over what a player is sure to have: a table of areas and words, the first `words` of them."""
        self.sure = sure
        self.sure_words = words

    def cells_of(self, flags: bytearray) -> bytearray:
        """Return the flags of cells, set for those whose area is."""
        count = len(self.area_of)
        held = bytearray(count)
        cells: cython.uchar[::1] = held
        areas: cython.uchar[::1] = flags
        with cython.nogil:
            for cell in range(count):
                cells[cell] = areas[self.area_of[cell]]
        return held

    def is_barred(self, arc: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether some bit keeps a move from being calm; blocks and the like aside."""
        demand = self.graph.demand[arc]
        if demand != 0 and not self.asked.set_bits.are_set(demand, state):
            return True
        if demand != 0 and self.asked.unset_bits.is_any_set(demand, state):
            return True
        return self.apart and self.lacks_things(arc, state)

    def lacks_things(self, arc: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether something lies where a move leads that a state does not have."""
        target = self.graph.target[arc]
        for effect in range(self.graph.first_effect[target], self.graph.first_effect[target + 1]):
            lacking = self.graph.effect_mask[effect] & ~state.words[self.graph.effect_word[effect]]
            if lacking != 0 and self.graph.effect_kind[effect] < TOGGLE:
                return True
        return False

    def mark_calm(self) -> cython.void:
        """Fill in `calm`."""
        for arc in range(self.graph.arcs):
            demand = self.graph.demand[arc]
            target = self.graph.target[arc]
            stays: cython.bint = self.graph.demand_stays[demand] != 0
            turns: cython.bint = self.switches[target] != 0 and not stays
            if self.graph.is_goal[target] != 0 or self.asked.never[demand] != 0 or turns:
                self.calm[arc] = NEVER_CALM
            elif self.asked.tries[demand] != 0 or self.graph.has_rests(target) or self.is_moody(target):
                self.calm[arc] = TRY
            else:
                self.calm[arc] = IF_BITS if self.asks_for_bits(arc) else ALWAYS

    def is_moody(self, node: cython.longlong) -> cython.bint:
        """Tell whether it depends on more than what is lacking whether entering a node changes something."""
        if self.graph.has_rules[node] != 0:
            return True
        for effect in range(self.graph.first_effect[node], self.graph.first_effect[node + 1]):
            if self.graph.effect_kind[effect] > TOGGLE:
                return True
        return False

    def mark_switches(self) -> cython.void:
        """Fill in `switches`, and whether some stock is filled up somewhere."""
        for node in range(self.graph.nodes):
            for effect in range(self.graph.first_effect[node], self.graph.first_effect[node + 1]):
                kind = self.graph.effect_kind[effect]
                if kind == TOGGLE or kind == ADVANCE:
                    self.switches[node] = 1
                elif kind == REFILL:
                    self.refills = True

    def asks_for_bits(self, arc: cython.longlong) -> cython.bint:
        """Tell whether it depends on any bit whether a move is calm."""
        demand = self.graph.demand[arc]
        if not self.asked.set_bits.is_empty(demand) or not self.asked.unset_bits.is_empty(demand):
            return True
        return self.apart and self.graph.has_effects(self.graph.target[arc])

    def asks_no_more(self, arc: cython.longlong, other: cython.longlong) -> cython.bint:
        """Tell whether a move is calm whenever another is, as far as bits go."""
        demand = self.graph.demand[arc]
        beside = self.graph.demand[other]
        self.asked.unset_bits.add_to(beside, self.bits)
        fewer: cython.bint = self.asked.unset_bits.are_set(demand, self.bits)
        self.asked.unset_bits.clear_in(beside, self.bits)
        if not fewer:
            return False
        self.asked.set_bits.add_to(beside, self.bits)
        if self.apart:
            self.set_things(self.graph.target[other], True)
        fewer = self.asked.set_bits.are_set(demand, self.bits)
        fewer = fewer and not (self.apart and self.lacks_things(arc, self.bits))
        self.asked.set_bits.clear_in(beside, self.bits)
        if self.apart:
            self.set_things(self.graph.target[other], False)
        return fewer

    def set_things(self, node: cython.longlong, held: cython.bint) -> cython.void:
        """Set in `bits` what lies in an area, or clear the words it stands in."""
        for effect in range(self.graph.first_effect[node], self.graph.first_effect[node + 1]):
            if not held:
                self.bits.words[self.graph.effect_word[effect]] = 0
            elif self.graph.effect_kind[effect] < TOGGLE:
                self.bits.words[self.graph.effect_word[effect]] |= self.graph.effect_mask[effect]

    def mark_back(self, limit: cython.longlong) -> cython.void:
        """Fill in `back` and `swift`."""
        while self.next_arc < self.graph.arcs and limit > 0:
            arc = self.next_arc
            self.next_arc += 1
            limit -= 1
            if self.calm[arc] > IF_BITS:
                continue
            here = self.graph.source[arc]
            there = self.graph.target[arc]
            other = self.graph.first_to(there, here)
            while other < self.graph.first_arc[there + 1] and self.graph.target[other] == here:
                limit -= 4
                if self.calm[other] <= IF_BITS and self.asks_no_more(other, arc):
                    self.back[arc] = 1
                    self.mark_swift(arc)
                    break
                other += 1

    def note_ends(self) -> cython.void:
        """Fill in where the arcs lead that each gate bars."""
        for gate in range(self.graph.mechanics.gates):
            self.gate_target[gate] = self.gate_low[gate] = self.gate_high[gate] = _UNSEEN
        for arc in range(self.graph.arcs):
            there = self.graph.target[arc]
            low = min(self.graph.source[arc], there)
            high = max(self.graph.source[arc], there)
            for place in range(GATES_A_MOVE):
                gate = self.graph.demand_gates[self.graph.demand[arc], place]
                if gate < 0:
                    continue
                if self.gate_target[gate] == _UNSEEN:
                    self.gate_target[gate] = there
                    self.gate_low[gate] = low
                    self.gate_high[gate] = high
                if self.gate_target[gate] != there:
                    self.gate_target[gate] = _DIFFER
                if self.gate_low[gate] != low or self.gate_high[gate] != high:
                    self.gate_low[gate] = _DIFFER

    def mark_swift(self, arc: cython.longlong) -> cython.void:
        """Fill in `swift` of an arc that can be undone."""
        # Where it matters elsewhere how much is in hand, a region may fall apart when something is spent.
        if self.refills or self.graph.mechanics.has_spare:
            return
        gates: cython.longlong = 0
        gate: cython.longlong = _UNSEEN
        for place in range(GATES_A_MOVE):
            if self.graph.demand_gates[self.graph.demand[arc], place] >= 0:
                gate = self.graph.demand_gates[self.graph.demand[arc], place]
                gates += 1
        if gates == 1 and self.graph.mechanics.gate_kind[gate] == SPEND:
            self.swift[arc] = self.gate_target[gate] >= 0 or self.gate_low[gate] >= 0
