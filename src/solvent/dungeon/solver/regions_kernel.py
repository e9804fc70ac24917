"""Find regions: areas one can walk about in without changing anything.

The region of an area and a state is everything one can walk to and back from by calm moves. Where taking is
*saturated*, everything in the region counts as taken, which may open more of it; see `exploring` for why that is right
and when.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.areas_kernel import Areas
    from solvent.dungeon.solver.mechanics import (
        ALWAYS,
        CALM,
        EXACT,
        IF_BITS,
        ILLEGAL,
        NEVER_CALM,
        SATURATE,
        TOOK,
        TRY,
    )
    from solvent.dungeon.solver.state_kernel import PackedState, StateTable


@cython.final
@cython.cclass
class Regions:
    """Find regions, one at a time. The fields are described in `regions_kernel.pxd`."""

    def __init__(self, areas: Areas, mode: int) -> None:
        nodes = areas.graph.nodes
        self.areas = areas
        self.graph = areas.graph
        self.mode = mode
        self.stamp = 0
        self.size = 0
        self.smallest = 0
        self.reached = 0
        self.forwards = new_row(nodes)
        self.backwards = new_row(nodes)
        self.found = new_row(nodes, SHORT)
        self.members = new_row(nodes, SHORT)
        self.home = 0
        self.at_home = new_row(nodes)
        self.after = PackedState([0] * areas.graph.mechanics.words)

    def find(self, node: cython.longlong, state: PackedState) -> list[int]:
        """Return the areas of a region; if taking is saturated, all in it is taken, which changes the state."""
        with cython.nogil:
            self.complete(node, state)
        return memoryview(self.members)[: self.size].tolist()

    def mark_reached(self, table: StateTable, first: int, last: int, flags: bytearray) -> None:
        """Set the flags of areas that situations from `first` up to `last` can get to, and of goals next to them."""
        state = PackedState([0] * table.count)
        reached: cython.uchar[::1] = flags
        begin: cython.longlong = first
        end: cython.longlong = last
        with cython.nogil:
            for entry in range(begin, end):
                self.mark(table, state, entry, reached)

    def complete(self, node: cython.longlong, state: PackedState) -> cython.void:
        """Find the region of a node; if taking is saturated, take all in it, again and again, changing the state.

        Fills in `size`, `smallest`, `reached` and `members`; `backwards` of those is `stamp`.
        """
        while True:
            self.stamp += 1
            self.walk_forwards(node, state, False)
            self.walk_back(node, state, False)
            if self.mode != SATURATE or not self.collect(state):
                return

    def is_calm(self, arc: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a move changes nothing but the place; taking something does not count unless it must."""
        calm = self.areas.calm[arc]
        if calm == ALWAYS:
            return True
        if calm == IF_BITS:
            return not self.areas.is_barred(arc, state)
        if calm == NEVER_CALM:
            return False
        effect = self.graph.take(arc, state, self.after)
        return effect == CALM or (effect == TOOK and self.mode != EXACT)

    def walk_forwards(self, node: cython.longlong, state: PackedState, outside: cython.bint) -> cython.bint:
        """Find the areas that calm moves lead to.

        With `outside`, only those outside the settled region; returns False if a move had to be tried to know.
        """
        self.forwards[node] = self.stamp
        self.found[0] = node
        self.reached = 1
        done: cython.longlong = 0
        while done < self.reached:
            here = self.found[done]
            done += 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                if self.forwards[there] == self.stamp or self.graph.is_goal[there] != 0:
                    continue
                if outside:
                    if self.at_home[there] == self.home:
                        continue
                    if self.areas.calm[arc] == TRY:
                        return False
                if self.is_calm(arc, state):
                    self.forwards[there] = self.stamp
                    self.found[self.reached] = there
                    self.reached += 1
        return True

    def walk_back(self, node: cython.longlong, state: PackedState, outside: cython.bint) -> cython.bint:
        """Find those of the areas reached from which calm moves lead back; what it returns, see `walk_forwards`."""
        self.backwards[node] = self.stamp
        self.members[0] = node
        self.size = 1
        self.smallest = node
        done: cython.longlong = 0
        while done < self.size:
            there = self.members[done]
            done += 1
            for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
                arc = self.graph.incoming[place]
                here = self.graph.source[arc]
                if self.forwards[here] != self.stamp or self.backwards[here] == self.stamp:
                    continue
                if outside and self.areas.calm[arc] == TRY:
                    return False
                if self.is_calm(arc, state):
                    self.backwards[here] = self.stamp
                    self.members[self.size] = here
                    self.size += 1
                    self.smallest = min(self.smallest, here)
        return True

    def collect(self, state: PackedState) -> cython.bint:
        """Take everything in the region; returns whether something was among it that may open a way."""
        opens: cython.bint = False
        for index in range(self.size):
            if self.graph.has_effects(self.members[index]) and self.graph.collect(self.members[index], state):
                opens = True
        return opens

    def settle(self) -> cython.void:
        """Remember the region found last, for `extend`."""
        self.home = self.stamp
        for index in range(self.size):
            self.at_home[self.members[index]] = self.home

    def extend(self, node: cython.longlong, state: PackedState, smallest: cython.longlong) -> cython.longlong:
        """Do what `complete` does after a swift move out of the settled region, if nothing calm leads out of that.

        The region stays together, so only what joins it is looked at: what can be reached from `node` and leads back to
        it. `smallest` is the smallest area of the settled region. Returns the smallest of the new one, or -1 if
        `complete` must do it after all, because the answer is not a matter of bits. The caller looks whether something
        was taken that opens ways elsewhere; then `complete` must do it too.
        """
        self.stamp += 1
        if not self.walk_forwards(node, state, True) or not self.walk_back(node, state, True):
            return -1
        # Whatever leads from what was reached into the old region would make more of it part of the new one.
        if self.size < self.reached:
            return -1
        self.collect(state)
        return min(smallest, self.smallest)

    def mark(
        self, table: StateTable, state: PackedState, entry: cython.longlong, flags: cython.uchar[::1]
    ) -> cython.void:
        """Set the flags of the areas in a situation's region, and of goals that a move from there ends on."""
        table.load(entry, state)
        self.complete(table.places[entry], state)
        for index in range(self.size):
            here = self.members[index]
            flags[here] = 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                if self.graph.is_goal[there] == 0 or flags[there] != 0:
                    continue
                if self.graph.take(arc, state, self.after) != ILLEGAL:
                    flags[there] = 1
