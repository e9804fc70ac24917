"""What a player always has on arriving in an area.

It lies on the area's only tile, or every move there asks for it or comes from where it is sure to be held. Who is past
the water has what crosses it, who is past a corridor has taken what lies in it, and who is past the only lock has
opened it.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, UNSIGNED, new_row, new_table

if cython.compiled:
    from cython.cimports.solvent.dungeon.solver.areas_kernel import Areas
    from cython.cimports.solvent.dungeon.solver.mechanics import NEED, SPEND, TOGGLE
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.areas_kernel import Areas
    from solvent.dungeon.solver.mechanics import NEED, SPEND, TOGGLE
    from solvent.dungeon.solver.state_kernel import PackedState


@cython.final
@cython.cclass
class SureThings:
    """Find what is sure to be held or opened in each area, for a player who begins in one of them."""

    areas: Areas
    """The areas."""
    sure: cython.ulonglong[:, ::1]
    """Shape (areas, words): what is sure there, as far as is known; at first everything, where no walk has come."""
    asked: cython.ulonglong[:, ::1]
    """Shape (arcs, words): what a move asks to be held or opened."""
    gained: cython.ulonglong[:, ::1]
    """Shape (areas, words): what is taken by a player who enters."""
    waiting: cython.int[::1]
    """Areas to go on from."""
    is_waiting: cython.uchar[::1]
    """1 for areas in `waiting`."""

    def __init__(self, areas: Areas, start: cython.longlong, holdings: PackedState, lying: cython.bint) -> None:
        """Find it. `holdings` has the bits of all that can be held or opened.

        Without `lying`, only what was asked for on the way counts, not what lies there.
        """
        graph = areas.graph
        words = graph.mechanics.words
        self.areas = areas
        self.sure = new_table(graph.nodes, words, UNSIGNED)
        self.asked = new_table(graph.arcs, words, UNSIGNED)
        self.gained = new_table(graph.nodes, words, UNSIGNED)
        self.waiting = new_row(graph.nodes, SHORT)
        self.is_waiting = bytearray(graph.nodes)
        with cython.nogil:
            self._ask()
            if lying:
                self._gain()
            self._spread(start, holdings)

    def table(self) -> memoryview:
        """Return the bits for each area and word."""
        return memoryview(self.sure)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask(self) -> cython.void:
        """Fill in `asked`."""
        for arc in range(self.areas.graph.arcs):
            for place in range(3):
                gate = self.areas.graph.demand_gates[self.areas.graph.demand[arc], place]
                if gate >= 0:
                    self._ask_for(arc, gate)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _ask_for(self, arc: cython.longlong, gate: cython.longlong) -> cython.void:
        """Add to `asked` what a gate asks for."""
        kind = self.areas.graph.mechanics.gate_kind[gate]
        if kind == NEED:
            for word in range(self.areas.graph.mechanics.words):
                self.asked[arc, word] |= self.areas.graph.mechanics.gate_needs[gate, word]
        elif kind == SPEND:
            word_of_gate = self.areas.graph.mechanics.gate_word[gate]
            self.asked[arc, word_of_gate] |= self.areas.graph.mechanics.gate_mask[gate]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _gain(self) -> cython.void:
        """Fill in `gained` for areas of a single tile."""
        for area in range(self.areas.graph.nodes):
            if self.areas.sizes[area] != 1:
                continue
            for effect in range(self.areas.graph.first_effect[area], self.areas.graph.first_effect[area + 1]):
                if self.areas.graph.effect_kind[effect] != TOGGLE:
                    self.gained[area, self.areas.graph.effect_word[effect]] |= self.areas.graph.effect_mask[effect]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(self, start: cython.longlong, holdings: PackedState) -> cython.void:
        """Take from `sure` what some way to an area does not give, until nothing changes."""
        for area in range(self.areas.graph.nodes):
            for word in range(holdings.count):
                self.sure[area, word] = holdings.words[word]
        for word in range(holdings.count):
            self.sure[start, word] = self.gained[start, word]
        count: cython.longlong = 1
        self.waiting[0] = start
        self.is_waiting[start] = 1
        while count > 0:
            count -= 1
            here = self.waiting[count]
            self.is_waiting[here] = 0
            for arc in range(self.areas.graph.first_arc[here], self.areas.graph.first_arc[here + 1]):
                there = self.areas.graph.target[arc]
                if self._lower(arc, here, there) and self.is_waiting[there] == 0:
                    self.is_waiting[there] = 1
                    self.waiting[count] = there
                    count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lower(self, arc: cython.longlong, here: cython.longlong, there: cython.longlong) -> cython.bint:
        """Take from what is sure in an area what a move there does not give; returns whether that was something."""
        changed: cython.bint = False
        for word in range(self.areas.graph.mechanics.words):
            given = self.sure[here, word] | self.asked[arc, word] | self.gained[there, word]
            if self.sure[there, word] & ~given != 0:
                self.sure[there, word] &= given
                changed = True
        return changed
