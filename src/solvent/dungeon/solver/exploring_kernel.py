"""The kernel that explores a dungeon by situations: a region, and what was taken, opened, switched and pushed.

A situation stands for all states in its region. `exploring` says why that is enough.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, longer_row, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.mechanics import (
        CALM,
        CHANGED,
        EXACT,
        EXHAUSTED,
        FOUND,
        FULL,
        ILLEGAL,
        LOSSY,
        NEED,
        NOBODY,
        TOGGLE,
        TOOK,
        WORKING,
    )
    from solvent.dungeon.solver.regions_kernel import Regions
    from solvent.dungeon.solver.state_kernel import PackedState, StateTable


@cython.final
@cython.cclass
class Situations:
    """Hold the situations found so far, and how they lead to one another.

    The fields are described in `exploring_kernel.pxd`.
    """

    def __init__(self, regions: Regions, gentle: PackedState, openers: PackedState) -> None:
        graph = regions.areas.graph
        count = graph.mechanics.words
        room = 256 + 2 * graph.arcs
        self.regions = regions
        self.areas = regions.areas
        self.graph = graph
        self.table = StateTable(count, room)
        self.parent = new_row(room, SHORT)
        self.via = new_row(room, SHORT)
        self.first_edge = new_row(room)
        self.edge_count = new_row(room, SHORT)
        self.winning_arc = new_row(room, SHORT)
        self.edges = new_row(4 * room, SHORT)
        self.edges_used = 0
        self.stack = new_row(room, SHORT)
        self.stacked = 0
        self.expanded = 0
        self.used = 0
        self.first_win = NOBODY
        self.first_dead = NOBODY
        self.stops_at_win = False
        self.watches_loss = False
        self.gentle = gentle
        self.openers = openers
        self.members = new_row(graph.nodes, SHORT)
        self.size = 0
        self.smallest = 0
        self.together = False
        self.loose = False
        self.words = PackedState([0] * count)
        self.wanted = PackedState([0] * count)
        self.after = PackedState([0] * count)
        self.without = PackedState([0] * count)
        self.spare = PackedState([0] * count)

    def begin(self, node: int, state: PackedState, stops_at_win: bool, watches_loss: bool) -> None:
        """Put in the first situation: that of an area and a state, which is left as it is."""
        self.stops_at_win = stops_at_win
        self.watches_loss = watches_loss
        self.words.become(state)
        self.regions.find(node, self.words)
        self.add(NOBODY, NOBODY, self.regions.smallest, self.words)

    def run(self, limit: cython.longlong) -> int:
        """Expand up to `limit` situations, the youngest first; `used` is how many it were. After FULL, `grow`."""
        status: cython.longlong
        with cython.nogil:
            status = self.run_on(limit)
        return status

    def grow(self) -> None:
        """Make room for twice as many situations."""
        self.table.grow()
        room = self.table.capacity
        self.parent = longer_row(memoryview(self.parent), room)
        self.via = longer_row(memoryview(self.via), room)
        self.first_edge = longer_row(memoryview(self.first_edge), room)
        self.edge_count = longer_row(memoryview(self.edge_count), room)
        self.winning_arc = longer_row(memoryview(self.winning_arc), room)
        self.stack = longer_row(memoryview(self.stack), room)
        if 2 * self.edges_used > len(self.edges):
            self.edges = longer_row(memoryview(self.edges), 2 * len(self.edges))

    @property
    def bytes(self) -> int:
        """Return the memory it takes."""
        in_edges = memoryview(self.edges).nbytes + memoryview(self.first_edge).nbytes
        return self.table.bytes + in_edges + 5 * memoryview(self.parent).nbytes

    def parent_of(self, situation: cython.longlong) -> tuple[int, int]:
        """Return the situation that led to another first, and the arc by which it did; NOBODY for the first."""
        return self.parent[situation], self.via[situation]

    def winning_arc_of(self, situation: cython.longlong) -> int:
        """Return an arc from a situation that ends on a goal, or -1."""
        return self.winning_arc[situation]

    def run_on(self, limit: cython.longlong) -> cython.longlong:
        """Do what `run` says."""
        self.used = 0
        while self.stacked > 0:
            if self.used >= limit:
                return WORKING
            # A region has at most all arcs leading out of it, so this is room enough for one expansion.
            room = self.graph.arcs
            if self.table.size + room > self.table.capacity or self.edges_used + room > self.edges.shape[0]:
                return FULL
            self.stacked -= 1
            current = self.stack[self.stacked]
            self.used += 1
            self.expanded += 1
            if not self.expand(current):
                return LOSSY
            if self.winning_arc[current] >= 0:
                if self.first_win < 0:
                    self.first_win = current
                if self.stops_at_win:
                    return FOUND
            elif self.edge_count[current] == 0 and self.first_dead < 0:
                self.first_dead = current
        return EXHAUSTED

    def expand(self, current: cython.longlong) -> cython.bint:
        """Find what a situation leads to; returns False if a move may give up what was not taken yet."""
        self.table.load(current, self.words)
        self.regions.complete(self.table.places[current], self.words)
        self.regions.settle()
        self.look_around()
        first = self.edges_used
        self.first_edge[current] = first
        for index in range(self.size):
            here = self.members[index]
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                if not self.follow(current, arc):
                    return False
        self.edge_count[current] = self.edges_used - first
        return True

    def look_around(self) -> cython.void:
        """Remember the region that was just found, and what lies in it."""
        self.size = self.regions.size
        self.smallest = self.regions.smallest
        self.together = self.regions.reached == self.size and self.regions.mode != EXACT
        self.loose = False
        for word in range(self.wanted.count):
            self.wanted.words[word] = 0
        for index in range(self.size):
            node = self.regions.members[index]
            self.members[index] = node
            for effect in range(self.graph.first_effect[node], self.graph.first_effect[node + 1]):
                if self.graph.effect_kind[effect] != TOGGLE:
                    self.wanted.words[self.graph.effect_word[effect]] |= self.graph.effect_mask[effect]
                    self.loose = True

    def follow(self, current: cython.longlong, arc: cython.longlong) -> cython.bint:
        """Note where a move out of the region leads; returns False if it may give up what was not taken yet."""
        there = self.graph.target[arc]
        inside: cython.bint = self.regions.at_home[there] == self.regions.home
        if inside and self.areas.back[arc] == 1 and not self.areas.is_barred(arc, self.words):
            return True  # walking about in the region
        effect = self.graph.take(arc, self.words, self.after)
        if effect == ILLEGAL:
            return True
        if self.graph.is_goal[there] != 0:
            self.winning_arc[current] = arc
            return True
        swift: cython.bint = self.areas.swift[arc] == 1 and effect == CHANGED
        if self.watches_loss and self.loose and not swift and not self.is_undone(arc) and not self.is_regained(arc):
            return False
        if inside and (effect == CALM or (effect == TOOK and self.regions.mode != EXACT)):
            return True
        node: cython.longlong = -1
        if swift and self.together:
            node = self.regions.extend(there, self.after, self.smallest)
            if self.opens_ways():
                node = -1
        if node < 0:
            self.regions.complete(there, self.after)
            node = self.regions.smallest
        child = self.add(current, arc, node, self.after)
        if child != current:
            self.edges[self.edges_used] = child
            self.edges_used += 1
        return True

    def add(
        self, parent: cython.longlong, arc: cython.longlong, node: cython.longlong, state: PackedState
    ) -> cython.longlong:
        """Return the number of a situation, which is added if it is new; there must be room."""
        known = self.table.size
        situation = self.table.find_or_add(state, node)
        if situation == known:
            self.parent[situation] = parent
            self.via[situation] = arc
            self.edge_count[situation] = -1
            self.winning_arc[situation] = -1
            self.stack[self.stacked] = situation
            self.stacked += 1
        return situation

    def opens_ways(self) -> cython.bint:
        """Tell whether something was found on arrival that may open ways far from there."""
        for word in range(self.words.count):
            if self.after.words[word] & ~self.words.words[word] & self.openers.words[word] != 0:
                return True
        return False

    def is_undone(self, arc: cython.longlong) -> cython.bint:
        """Tell whether a step back undoes a move, for a player who took nothing that was not sure to be held."""
        here = self.graph.source[arc]
        there = self.graph.target[arc]
        for word in range(self.words.count):
            # After a switch, a block or a falling door, who steps back may not get about as before.
            if (self.after.words[word] ^ self.words.words[word]) & ~self.gentle.words[word] != 0:
                return False
        self.leave_behind(here)
        for place in range(3):
            gate = self.graph.demand_gates[self.graph.demand[arc], place]
            if gate >= 0 and self.graph.mechanics.gate_kind[gate] == NEED:
                for word in range(self.words.count):
                    self.without.words[word] |= self.graph.mechanics.gate_needs[gate, word]
        for reverse in range(self.graph.first_arc[there], self.graph.first_arc[there + 1]):
            if self.graph.target[reverse] == here:
                effect = self.graph.take(reverse, self.without, self.spare)
                if effect == CALM or effect == TOOK:
                    return True
        return False

    def is_regained(self, arc: cython.longlong) -> cython.bint:
        """Tell whether all that a player may have left behind can be fetched after a move."""
        self.leave_behind(self.graph.source[arc])
        self.graph.collect(self.graph.target[arc], self.without)
        self.regions.complete(self.graph.target[arc], self.without)
        for word in range(self.words.count):
            if self.wanted.words[word] & ~self.without.words[word] != 0:
                return False
        return True

    def leave_behind(self, here: cython.longlong) -> cython.void:
        """Fill in `without`: where a move led, had nothing been taken in the region that is not sure to be held."""
        for word in range(self.words.count):
            held = ~self.wanted.words[word] | self.areas.sure[here, word]
            self.without.words[word] = self.after.words[word] & held
