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
        ALWAYS,
        IF_BITS,
        NEED,
        NEED_OFF,
        NEVER,
        NEVER_CALM,
        SHUT,
        SPEND,
        TOGGLE,
        TRY,
    )
    from solvent.dungeon.solver.state_kernel import PackedState

_UNSEEN = cython.declare(cython.longlong, -1)
_DIFFER = cython.declare(cython.longlong, -2)


@cython.final
@cython.cclass
class Joining:
    """Divide the cells of a graph into areas. The fields are described in `areas_kernel.pxd`."""

    def __init__(self, cells: Graph, apart: cython.bint) -> None:
        """Find the areas; with `apart`, each cell with something to take is one of its own."""
        self.cells = cells
        self.count = 0
        self.area_of = new_row(cells.nodes, SHORT)
        self.alone = bytearray(cells.nodes)
        self.first_cell = self.sizes = new_row(1, SHORT)
        with cython.nogil:
            self.set_alone(apart)
            self.join()
            self.number()
        self.first_cell = new_row(self.count, SHORT)
        self.sizes = new_row(self.count, SHORT)
        with cython.nogil:
            self.measure()

    def crossing(self) -> list[int]:
        """Return the arcs that lead from one area into another, or ask for something."""
        found = new_row(self.list_crossing(new_row(1, SHORT), False), SHORT)
        count = self.list_crossing(found, True)
        return found.tolist()[:count]

    def set_alone(self, apart: cython.bint) -> cython.void:
        """Mark the cells on which something happens beside taking things; with `apart`, those with things as well."""
        for cell in range(self.cells.nodes):
            self.alone[cell] = self.cells.is_goal[cell] or self.cells.has_rests(cell)
            for effect in range(self.cells.first_effect[cell], self.cells.first_effect[cell + 1]):
                if apart or self.cells.effect_kind[effect] == TOGGLE:
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

    def join(self) -> cython.void:
        """Let `area_of` lead from each cell to the smallest one that arcs join it with, both ways."""
        for cell in range(self.cells.nodes):
            self.area_of[cell] = cell
        for arc in range(self.cells.arcs):
            here = self.cells.source[arc]
            there = self.cells.target[arc]
            if here > there or not self.joins(arc):
                continue
            both: cython.bint = False
            for other in range(self.cells.first_arc[there], self.cells.first_arc[there + 1]):
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

    def list_crossing(self, found: cython.int[::1], fill: cython.bint) -> cython.longlong:
        """Return how many arcs lead into another area, or ask for something; with `fill`, write them down."""
        count: cython.longlong = 0
        for arc in range(self.cells.arcs):
            same: cython.bint = self.area_of[self.cells.source[arc]] == self.area_of[self.cells.target[arc]]
            if self.cells.demand[arc] != 0 or not same:
                if fill:
                    found[count] = arc
                count += 1
        return count


@cython.final
@cython.cclass
class Areas:
    """Hold the graph of areas, and how it belongs to that of cells. The fields are described in `areas_kernel.pxd`."""

    def __init__(self, joining: Joining, graph: Graph, cell_arc: memoryview, apart: cython.bint) -> None:
        """Work out which moves between areas are calm, and when."""
        self.graph = graph
        self.area_of = joining.area_of
        self.first_cell = joining.first_cell
        self.sizes = joining.sizes
        self.cell_arc = cell_arc
        self.calm = bytearray(graph.arcs)
        self.back = bytearray(graph.arcs)
        self.swift = bytearray(graph.arcs)
        words = graph.mechanics.words
        self.must_set = new_table(graph.arcs, words, UNSIGNED)
        self.must_not = new_table(graph.arcs, words, UNSIGNED)
        self.sure = new_table(graph.nodes, words, UNSIGNED)
        self.gate_target = new_row(graph.mechanics.gates, SHORT)
        self.gate_low = new_row(graph.mechanics.gates, SHORT)
        self.gate_high = new_row(graph.mechanics.gates, SHORT)
        graph.sort_incoming()
        with cython.nogil:
            self.mark_calm(apart)
            self.mark_back()
            self.note_ends()
            self.mark_swift()

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
        for word in range(state.count):
            lacking = self.must_set[arc, word] & ~state.words[word]
            if lacking | (self.must_not[arc, word] & state.words[word]) != 0:
                return True
        return False

    def mark_calm(self, apart: cython.bint) -> cython.void:
        """Fill in `must_set`, `must_not` and `calm`."""
        for arc in range(self.graph.arcs):
            demand = self.graph.demand[arc]
            target = self.graph.target[arc]
            never: cython.bint = self.graph.is_goal[target] != 0
            for place in range(3):
                if self.graph.demand_gates[demand, place] >= 0:
                    never = self.add_gate(arc, self.graph.demand_gates[demand, place]) or never
            never = self.add_effects(arc, apart) or never
            if never:
                self.calm[arc] = NEVER_CALM
            elif self.graph.demand_block[demand] >= 0 or self.graph.has_rests(target):
                self.calm[arc] = TRY
            else:
                self.calm[arc] = IF_BITS if self.asks_for_bits(arc) else ALWAYS

    def add_gate(self, arc: cython.longlong, gate: cython.longlong) -> cython.bint:
        """Add the bits for which passing a gate is calm; returns True if it never is."""
        kind = self.graph.mechanics.gate_kind[gate]
        word = self.graph.mechanics.gate_word[gate]
        if kind == SHUT or kind == NEVER:
            return True
        if kind == NEED:
            for each in range(self.graph.mechanics.words):
                self.must_set[arc, each] |= self.graph.mechanics.gate_needs[gate, each]
        elif kind == NEED_OFF:
            self.must_not[arc, word] |= self.graph.mechanics.gate_mask[gate]
        else:  # a switch that must be on, or a gate that was opened before
            self.must_set[arc, word] |= self.graph.mechanics.gate_mask[gate]
        return False

    def add_effects(self, arc: cython.longlong, apart: cython.bint) -> cython.bint:
        """Add the bits for which nothing is taken on arrival, if that counts; returns True if something is switched."""
        switches: cython.bint = False
        target = self.graph.target[arc]
        for effect in range(self.graph.first_effect[target], self.graph.first_effect[target + 1]):
            if self.graph.effect_kind[effect] == TOGGLE:
                switches = True
            elif apart:
                self.must_set[arc, self.graph.effect_word[effect]] |= self.graph.effect_mask[effect]
        return switches

    def asks_for_bits(self, arc: cython.longlong) -> cython.bint:
        """Tell whether it depends on any bit whether a move is calm."""
        for word in range(self.graph.mechanics.words):
            if self.must_set[arc, word] | self.must_not[arc, word] != 0:
                return True
        return False

    def asks_no_more(self, arc: cython.longlong, other: cython.longlong) -> cython.bint:
        """Tell whether a move is calm whenever another is."""
        for word in range(self.graph.mechanics.words):
            if self.must_set[arc, word] & ~self.must_set[other, word] != 0:
                return False
            if self.must_not[arc, word] & ~self.must_not[other, word] != 0:
                return False
        return True

    def mark_back(self) -> cython.void:
        """Fill in `back`."""
        for arc in range(self.graph.arcs):
            here = self.graph.source[arc]
            there = self.graph.target[arc]
            if self.calm[arc] > IF_BITS:
                continue
            low = self.graph.first_arc[there]
            high = self.graph.first_arc[there + 1]
            while low < high:  # the arcs of an area are sorted by target
                middle = (low + high) // 2
                if self.graph.target[middle] < here:
                    low = middle + 1
                else:
                    high = middle
            while low < self.graph.first_arc[there + 1] and self.graph.target[low] == here:
                if self.calm[low] <= IF_BITS and self.asks_no_more(low, arc):
                    self.back[arc] = 1
                    break
                low += 1

    def note_ends(self) -> cython.void:
        """Fill in where the arcs lead that each gate bars."""
        for gate in range(self.graph.mechanics.gates):
            self.gate_target[gate] = self.gate_low[gate] = self.gate_high[gate] = _UNSEEN
        for arc in range(self.graph.arcs):
            there = self.graph.target[arc]
            low = min(self.graph.source[arc], there)
            high = max(self.graph.source[arc], there)
            for place in range(3):
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

    def mark_swift(self) -> cython.void:
        """Fill in `swift`."""
        for arc in range(self.graph.arcs):
            if self.back[arc] == 0:
                continue
            gates: cython.longlong = 0
            gate: cython.longlong = _UNSEEN
            for place in range(3):
                if self.graph.demand_gates[self.graph.demand[arc], place] >= 0:
                    gate = self.graph.demand_gates[self.graph.demand[arc], place]
                    gates += 1
            if gates == 1 and self.graph.mechanics.gate_kind[gate] == SPEND:
                self.swift[arc] = self.gate_target[gate] >= 0 or self.gate_low[gate] >= 0
