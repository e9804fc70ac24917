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
    from cython.cimports.solvent.dungeon.solver.mechanics import TOGGLE
    from cython.cimports.solvent.dungeon.solver.state_kernel import PackedState
else:
    from solvent.dungeon.solver.areas_kernel import Areas
    from solvent.dungeon.solver.mechanics import TOGGLE
    from solvent.dungeon.solver.state_kernel import PackedState


@cython.final
@cython.cclass
class SureThings:
    """Find what is sure to be held or opened in each area, for a player who begins in one of them."""

    areas: Areas
    """The areas."""
    holdings: PackedState
    """The bits of all that can be held or opened."""
    words: cython.longlong
    """How many words of a state can have such bits: all behind those are left out."""
    lying: cython.bint
    """Whether what lies on an area's only tile counts."""
    sure: cython.ulonglong[:, ::1]
    """Shape (areas, words): what is sure there, as far as is known; nothing yet where no walk has come."""
    come_to: cython.uchar[::1]
    """1 for areas that a walk has come to."""
    waiting: cython.int[::1]
    """Areas to go on from."""
    is_waiting: cython.uchar[::1]
    """1 for areas in `waiting`."""
    count: cython.longlong
    """How many areas wait."""
    given: PackedState
    """What a move and where it leads give, while that is looked at; empty otherwise."""
    filled: cython.longlong
    """How many areas were looked through for those that no walk comes to."""
    looks: cython.longlong
    """How much more to do in this call, in moves looked at."""

    def __init__(
        self, areas: Areas, start: cython.longlong, holdings: PackedState, words: int, lying: cython.bint
    ) -> None:
        """Begin; `run` does the work. `holdings` has the bits of all that can be held or opened, none behind `words`.

        Without `lying`, only what was asked for on the way counts, not what lies there.
        """
        nodes = areas.graph.nodes
        self.areas = areas
        self.holdings = holdings
        self.words = words
        self.lying = lying
        self.sure = new_table(nodes, words, UNSIGNED)
        self.come_to = bytearray(nodes)
        self.waiting = new_row(nodes, SHORT)
        self.is_waiting = bytearray(nodes)
        self.waiting[0] = start
        self.is_waiting[start] = 1
        self.come_to[start] = 1
        self.count = 1
        self.given = PackedState([0] * areas.graph.mechanics.words)
        self.filled = 0
        self.looks = 0
        with cython.nogil:
            self._begin(start)

    def run(self, limit: cython.longlong) -> bool:
        """Do about as much as looking at `limit` moves takes; returns whether all is found."""
        self.looks = limit
        with cython.nogil:
            self._spread()
            self._fill()
        return self.count == 0 and self.filled == self.areas.graph.nodes

    def table(self) -> memoryview:
        """Return the bits for each area and word."""
        return memoryview(self.sure)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _begin(self, start: cython.longlong) -> cython.void:
        """Let what lies where the player begins be sure there, if it is the area's only tile."""
        if self.lying and self.areas.sizes[start] == 1:
            for effect in range(self.areas.graph.first_effect[start], self.areas.graph.first_effect[start + 1]):
                if self.areas.graph.effect_kind[effect] < TOGGLE and self.areas.graph.effect_rule[effect] < 0:
                    self.sure[start, self.areas.graph.effect_word[effect]] |= self.areas.graph.effect_mask[effect]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _spread(self) -> cython.void:
        """Take from `sure` what some way to an area does not give, until nothing changes."""
        while self.count > 0 and self.looks > 0:
            self.count -= 1
            here = self.waiting[self.count]
            self.is_waiting[here] = 0
            if self.areas.graph.is_goal[here] != 0:
                continue  # the game is over there
            for arc in range(self.areas.graph.first_arc[here], self.areas.graph.first_arc[here + 1]):
                there = self.areas.graph.target[arc]
                self.looks -= 1 + self.words // 4
                if self._lower(arc, here, there) and self.is_waiting[there] == 0:
                    self.is_waiting[there] = 1
                    self.waiting[self.count] = there
                    self.count += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _fill(self) -> cython.void:
        """Let everything be sure where no walk comes."""
        while self.count == 0 and self.filled < self.areas.graph.nodes and self.looks > 0:
            area = self.filled
            self.filled += 1
            if self.come_to[area] == 0:
                self.looks -= 1 + self.words // 4
                for word in range(self.words):
                    self.sure[area, word] = self.holdings.words[word]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _lower(self, arc: cython.longlong, here: cython.longlong, there: cython.longlong) -> cython.bint:
        """Take from what is sure in an area what a move there does not give; returns whether that was something."""
        self._collect(arc, there)
        changed: cython.bint = self.come_to[there] == 0
        for word in range(self.words):
            given = self.sure[here, word] | (self.given.words[word] & self.holdings.words[word])
            self.given.words[word] = 0
            if self.come_to[there] == 0:
                self.sure[there, word] = given
            elif self.sure[there, word] & ~given != 0:
                self.sure[there, word] &= given
                changed = True
        self.come_to[there] = 1
        return changed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _collect(self, arc: cython.longlong, there: cython.longlong) -> cython.void:
        """Fill in `given`: what a move asks for, and what lies where it leads."""
        demand = self.areas.graph.demand[arc]
        if demand != 0:
            self.areas.asked.set_bits.add_to(demand, self.given)
            self.looks -= self.areas.asked.set_bits.first[demand + 1] - self.areas.asked.set_bits.first[demand]
        if self.lying and self.areas.sizes[there] == 1:
            for effect in range(self.areas.graph.first_effect[there], self.areas.graph.first_effect[there + 1]):
                self.looks -= 1
                if self.areas.graph.effect_kind[effect] < TOGGLE and self.areas.graph.effect_rule[effect] < 0:
                    self.given.words[self.areas.graph.effect_word[effect]] |= self.areas.graph.effect_mask[effect]
