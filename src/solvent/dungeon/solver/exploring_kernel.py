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
        DONE,
        EXACT,
        EXHAUSTED,
        FOUND,
        FULL,
        GATES_A_MOVE,
        ILLEGAL,
        LOOKS_A_CALL,
        LOOKS_A_NODE,
        LOSSY,
        NEED,
        NOBODY,
        PAUSED,
        TOGGLE,
        TOOK,
        UNDECIDED,
        WORKING,
    )
    from solvent.dungeon.solver.regions_kernel import Regions
    from solvent.dungeon.solver.state_kernel import PackedState, StateTable

ROOM_AT_FIRST = 256
"""How many situations there is room for at first."""

_ARRIVING = cython.declare(cython.longlong, 0)
_LEAVING = cython.declare(cython.longlong, 1)
_REGAINING = cython.declare(cython.longlong, 2)
_EXTENDING = cython.declare(cython.longlong, 3)
_COMPLETING = cython.declare(cython.longlong, 4)
_ADDING = cython.declare(cython.longlong, 5)
# What is being done: finding the region of the situation that is expanded; then for each move out of it, looking at the
# move; whether what it may give up can be fetched again; the region it leads to, the short way or as a whole; adding
# that to the table.


@cython.final
@cython.cclass
class Situations:
    """Hold the situations found so far, and how they lead to one another.

    The fields are described in `exploring_kernel.pxd`.
    """

    def __init__(self, regions: Regions, gentle: PackedState, openers: PackedState) -> None:
        graph = regions.areas.graph
        count = graph.mechanics.words
        room = ROOM_AT_FIRST
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
        self.current = NOBODY
        self.stage = _ARRIVING
        self.index = 0
        self.arc = 0
        self.effect = ILLEGAL
        self.swift = False
        self.node = 0
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
        """Begin with the situation of an area and a state, which is left as it is; `place_first` finds it."""
        self.stops_at_win = stops_at_win
        self.watches_loss = watches_loss
        self.words.become(state)
        self.regions.start(node, False)

    def place_first(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` moves to find the first situation; returns whether it was put in."""
        self.regions.looks = limit
        with cython.nogil:
            ended = self.regions.go_on(self.words)
        if ended == PAUSED:
            return False
        self.add(NOBODY, NOBODY, self.regions.smallest, self.words)
        return True

    def run(self, limit: cython.longlong) -> int:
        """Expand situations for up to `limit` nodes, the youngest first; `used` is how many it were.

        A situation is one node, and one more for each LOOKS_A_NODE moves looked at. After FULL, `grow`.
        """
        status: cython.longlong
        with cython.nogil:
            status = self.run_on(limit)
        return status

    def grow(self, limit: cython.longlong) -> bool:
        """Make room for twice as many situations, or ways from one to another: whichever are too many.

        It ends early after about `limit` looks; returns whether it is done.
        """
        if self.edges_used >= len(self.edges):
            self.edges = longer_row(memoryview(self.edges), 2 * len(self.edges))
        if self.table.size < self.table.capacity:
            return True
        if not self.table.grow(limit):
            return False
        room = self.table.capacity
        self.parent = longer_row(memoryview(self.parent), room)
        self.via = longer_row(memoryview(self.via), room)
        self.first_edge = longer_row(memoryview(self.first_edge), room)
        self.edge_count = longer_row(memoryview(self.edge_count), room)
        self.winning_arc = longer_row(memoryview(self.winning_arc), room)
        self.stack = longer_row(memoryview(self.stack), room)
        return True

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
        left: cython.longlong = LOOKS_A_CALL
        while True:
            if self.current < 0 and self.stacked == 0:
                return EXHAUSTED
            if self.current < 0 or self.regions.looks <= 0:
                if self.used >= limit or left <= 0:
                    return WORKING
                self.used += 1
                if self.current < 0:
                    self.take_up()
                else:
                    self.regions.looks += LOOKS_A_NODE
            before = self.regions.looks
            ended = self.expand()
            left -= before - self.regions.looks
            if ended == DONE:
                current = self.current
                self.current = NOBODY
                if self.winning_arc[current] >= 0:
                    if self.first_win < 0:
                        self.first_win = current
                    if self.stops_at_win:
                        return FOUND
                elif self.edge_count[current] == 0 and self.first_dead < 0:
                    self.first_dead = current
            elif ended != PAUSED:
                return ended

    def take_up(self) -> cython.void:
        """Begin to expand the youngest situation."""
        self.stacked -= 1
        self.current = self.stack[self.stacked]
        self.expanded += 1
        self.table.load(self.current, self.words)
        self.regions.looks = LOOKS_A_NODE
        self.regions.start(self.table.places[self.current], False)
        self.stage = _ARRIVING

    def expand(self) -> cython.longlong:
        """Go on to find what a situation leads to: DONE, or PAUSED once no looks are left.

        LOSSY if a move may give up what was not taken yet; FULL if there is no room for what it leads to.
        """
        if self.stage == _ARRIVING:
            if self.regions.go_on(self.words) == PAUSED:
                return PAUSED
            self.regions.settle()
            self.look_around()
            self.first_edge[self.current] = self.edges_used
            self.index = 0
            self.arc = self.graph.first_arc[self.members[0]]
            self.stage = _LEAVING
        while self.index < self.size:
            here = self.members[self.index]
            while self.arc < self.graph.first_arc[here + 1]:
                if self.regions.looks <= 0:
                    return PAUSED
                ended = self.follow()
                if ended != DONE:
                    return ended
                self.arc += 1
                self.stage = _LEAVING
            self.index += 1
            if self.index < self.size:
                self.arc = self.graph.first_arc[self.members[self.index]]
        self.edge_count[self.current] = self.edges_used - self.first_edge[self.current]
        return DONE

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
                if self.graph.effect_kind[effect] < TOGGLE:
                    self.wanted.words[self.graph.effect_word[effect]] |= self.graph.effect_mask[effect]
                    self.loose = True

    def follow(self) -> cython.longlong:
        """Go on to note where a move out of the region leads; what it returns, see `expand`."""
        there = self.graph.target[self.arc]
        if self.stage == _LEAVING:
            self.leave()
        if self.stage == _REGAINING:
            if self.regions.go_on(self.without) == PAUSED:
                return PAUSED
            if self.lacks_wanted():
                return LOSSY
            self.stage = _LEAVING
            self.arrive()
        if self.stage == _EXTENDING:
            ended = self.regions.go_on(self.after)
            if ended == PAUSED:
                return PAUSED
            if ended == UNDECIDED or self.opens_ways():
                self.regions.start(there, False)
                self.stage = _COMPLETING
            else:
                self.node = min(self.smallest, self.regions.smallest)
                self.stage = _ADDING
        if self.stage == _COMPLETING:
            if self.regions.go_on(self.after) == PAUSED:
                return PAUSED
            self.node = self.regions.smallest
            self.stage = _ADDING
        if self.stage == _ADDING:
            if self.table.size >= self.table.capacity or self.edges_used >= self.edges.shape[0]:
                return FULL
            self.regions.looks -= self.regions.toll
            child = self.add(self.current, self.arc, self.node, self.after)
            if child != self.current:
                self.edges[self.edges_used] = child
                self.edges_used += 1
        return DONE

    def leave(self) -> cython.void:
        """Look at a move; the stage stays as it is if nothing comes of it."""
        there = self.graph.target[self.arc]
        self.regions.looks -= 1
        if self.is_inside(there) and self.areas.back[self.arc] == 1 and not self.areas.is_barred(self.arc, self.words):
            return  # walking about in the region
        self.regions.looks -= self.regions.toll
        self.effect = self.graph.take(self.arc, self.words, self.after)
        if self.effect == ILLEGAL:
            return
        if self.graph.is_goal[there] != 0:
            self.winning_arc[self.current] = self.arc
            return
        self.swift = self.areas.swift[self.arc] == 1 and self.effect == CHANGED
        if self.watches_loss and self.loose and not self.swift and not self.is_undone(self.arc):
            self.leave_behind(self.graph.source[self.arc])
            self.graph.collect(there, self.without)
            self.regions.start(there, False)
            self.stage = _REGAINING
        else:
            self.arrive()

    def arrive(self) -> cython.void:
        """Begin to find the region that a move leads to, if that is another."""
        there = self.graph.target[self.arc]
        if self.is_inside(there) and (self.effect == CALM or (self.effect == TOOK and self.regions.mode != EXACT)):
            return
        outside: cython.bint = self.swift and self.together
        self.regions.start(there, outside)
        self.stage = _EXTENDING if outside else _COMPLETING

    def is_inside(self, node: cython.longlong) -> cython.bint:
        """Tell whether an area is in the region being expanded."""
        return self.regions.at_home[node] == self.regions.home

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
        self.regions.looks -= self.regions.toll
        for word in range(self.words.count):
            # After a switch, a block or a falling door, who steps back may not get about as before.
            if (self.after.words[word] ^ self.words.words[word]) & ~self.gentle.words[word] != 0:
                return False
        self.leave_behind(here)
        for place in range(GATES_A_MOVE):
            gate = self.graph.demand_gates[self.graph.demand[arc], place]
            if gate >= 0 and self.graph.mechanics.gate_kind[gate] == NEED:
                self.graph.mechanics.gate_needs.add_to(gate, self.without)
        reverse = self.graph.first_to(there, here)
        while reverse < self.graph.first_arc[there + 1] and self.graph.target[reverse] == here:
            self.regions.looks -= self.regions.toll
            effect = self.graph.take(reverse, self.without, self.spare)
            if effect == CALM or effect == TOOK:
                return True
            reverse += 1
        return False

    def lacks_wanted(self) -> cython.bint:
        """Tell whether something that a player may have left behind cannot be fetched after a move."""
        for word in range(self.words.count):
            if self.wanted.words[word] & ~self.without.words[word] != 0:
                return True
        return False

    def leave_behind(self, here: cython.longlong) -> cython.void:
        """Fill in `without`: where a move led, had nothing been taken in the region that is not sure to be held."""
        for word in range(self.words.count):
            held: cython.ulonglong = ~self.wanted.words[word]
            if word < self.areas.sure_words:
                held |= self.areas.sure[here, word]
            self.without.words[word] = self.after.words[word] & held
