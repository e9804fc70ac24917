"""Find regions: areas one can walk about in without changing anything.

The region of an area and a state is everything one can walk to and back from by calm moves. Where taking is
*saturated*, everything in the region counts as taken, which may open more of it; see `exploring` for why that is right
and when.

A walk about a large map takes long, and a saturated one may be many walks. So it is done in pieces: `start` begins, and
`go_on` does as much as there are looks left for.
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
        DONE,
        EXACT,
        IF_BITS,
        ILLEGAL,
        NEVER_CALM,
        PAUSED,
        SATURATE,
        TOOK,
        TRY,
        UNDECIDED,
    )
    from solvent.dungeon.solver.state_kernel import PackedState, StateTable

NO_END = 1 << 60
"""More looks than any walk takes."""

_NO_END = cython.declare(cython.longlong, NO_END)
_FORWARDS = cython.declare(cython.longlong, 0)
_BACK = cython.declare(cython.longlong, 1)


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
        self.looks = 0
        self.toll = 1 + areas.graph.mechanics.words // 8
        self.node = 0
        self.outside = False
        self.phase = _FORWARDS
        self.done = 0

    def find(self, node: cython.longlong, state: PackedState) -> memoryview:
        """Return the areas of a region, until the next is found; if taking is saturated, the state changes with it."""
        with cython.nogil:
            self.looks = _NO_END
            self.start(node, False)
            self.go_on(state)
        return memoryview(self.members)[: self.size]

    def mark_reached(self, table: StateTable, first: int, last: int, flags: bytearray, limit: int) -> int:
        """Set the flags of areas that situations from `first` up to `last` can get to, and of goals next to them.

        It ends early after about `limit` looks; returns the situation to go on with.
        """
        state = PackedState([0] * table.count)
        reached: cython.uchar[::1] = flags
        entry: cython.longlong = first
        end: cython.longlong = last
        left: cython.longlong = limit
        with cython.nogil:
            while entry < end and left > 0:
                self.looks = _NO_END
                self.mark(table, state, entry, reached)
                left -= _NO_END - self.looks
                entry += 1
        return entry

    def start(self, node: cython.longlong, outside: cython.bint) -> cython.void:
        """Begin to find the region of a node; with `outside`, what joins the settled region there.

        If taking is saturated, all in it is taken, again and again, which changes the state that `go_on` is given.
        Once `go_on` has returned DONE, `size`, `smallest`, `reached` and `members` are filled in, and `backwards` of
        the members is `stamp`. What `outside` is for is said at `go_on`.
        """
        self.node = node
        self.outside = outside
        self.phase = _FORWARDS
        self.stamp += 1
        self.forwards[node] = self.stamp
        self.found[0] = node
        self.reached = 1
        self.done = 0

    def go_on(self, state: PackedState) -> cython.longlong:
        """Go on with what `start` began, with the same state: DONE, or PAUSED once no looks are left.

        With `outside`, only what can be reached from the node outside the settled region, and leads back to it, is
        looked at. That is enough after a swift move out of it, if nothing calm leads out of that region: the region
        stays together. It is UNDECIDED if the answer is not a matter of bits, or something leads on into the settled
        region; then the region must be found without `outside`. The caller looks whether something was taken that opens
        ways elsewhere; then too.
        """
        while True:
            if self.phase == _FORWARDS:
                ended = self.walk_forwards(state)
                if ended != DONE:
                    return ended
                self.phase = _BACK
                self.backwards[self.node] = self.stamp
                self.members[0] = self.node
                self.size = 1
                self.smallest = self.node
                self.done = 0
            ended = self.walk_back(state)
            if ended != DONE:
                return ended
            self.looks -= self.size
            if self.outside:
                # Whatever leads from what was reached into the old region would make more of it part of the new one.
                if self.size < self.reached:
                    return UNDECIDED
                self.collect(state)
                return DONE
            if self.mode != SATURATE or not self.collect(state):
                return DONE
            self.start(self.node, False)

    def is_calm(self, arc: cython.longlong, state: PackedState) -> cython.bint:
        """Tell whether a move changes nothing but the place; taking something does not count unless it must."""
        calm = self.areas.calm[arc]
        if calm == ALWAYS:
            return True
        if calm == IF_BITS:
            return not self.areas.is_barred(arc, state)
        if calm == NEVER_CALM:
            return False
        self.looks -= self.toll
        effect = self.graph.take(arc, state, self.after)
        return effect == CALM or (effect == TOOK and self.mode != EXACT)

    def walk_forwards(self, state: PackedState) -> cython.longlong:
        """Find the areas that calm moves lead to."""
        while self.done < self.reached:
            if self.looks <= 0:
                return PAUSED
            here = self.found[self.done]
            self.done += 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                self.looks -= 1
                there = self.graph.target[arc]
                if self.forwards[there] == self.stamp or self.graph.is_goal[there] != 0:
                    continue
                if self.outside:
                    if self.at_home[there] == self.home:
                        continue
                    if self.areas.calm[arc] == TRY:
                        return UNDECIDED
                if self.is_calm(arc, state):
                    self.forwards[there] = self.stamp
                    self.found[self.reached] = there
                    self.reached += 1
        return DONE

    def walk_back(self, state: PackedState) -> cython.longlong:
        """Find those of the areas reached from which calm moves lead back."""
        while self.done < self.size:
            if self.looks <= 0:
                return PAUSED
            there = self.members[self.done]
            self.done += 1
            for place in range(self.graph.first_incoming[there], self.graph.first_incoming[there + 1]):
                self.looks -= 1
                arc = self.graph.incoming[place]
                here = self.graph.source[arc]
                if self.forwards[here] != self.stamp or self.backwards[here] == self.stamp:
                    continue
                if self.outside and self.areas.calm[arc] == TRY:
                    return UNDECIDED
                if self.is_calm(arc, state):
                    self.backwards[here] = self.stamp
                    self.members[self.size] = here
                    self.size += 1
                    self.smallest = min(self.smallest, here)
        return DONE

    def collect(self, state: PackedState) -> cython.bint:
        """Take everything in the region; returns whether something was among it that may open a way."""
        opens: cython.bint = False
        for index in range(self.size):
            node = self.members[index]
            self.looks -= self.graph.first_effect[node + 1] - self.graph.first_effect[node]
            if self.graph.has_effects(node) and self.graph.collect(node, state):
                opens = True
        return opens

    def settle(self) -> cython.void:
        """Remember the region found last, for `start` with `outside`."""
        self.home = self.stamp
        for index in range(self.size):
            self.at_home[self.members[index]] = self.home

    def mark(
        self, table: StateTable, state: PackedState, entry: cython.longlong, flags: cython.uchar[::1]
    ) -> cython.void:
        """Set the flags of the areas in a situation's region, and of goals that a move from there ends on."""
        table.load(entry, state)
        self.start(table.places[entry], False)
        self.go_on(state)
        for index in range(self.size):
            here = self.members[index]
            flags[here] = 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                if self.graph.is_goal[there] == 0 or flags[there] != 0:
                    continue
                self.looks -= self.toll
                if self.graph.take(arc, state, self.after) != ILLEGAL:
                    flags[there] = 1
