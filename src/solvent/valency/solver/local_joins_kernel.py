"""Tell how a change to a few nodes changes what hangs together, without going over everything."""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.valency.solver.network_kernel import Arcs

TOGETHER, TREES, LOOP = 0, 1, 2
"""What is asked of nodes that take part: to hang together, to form no circles, or to be one loop."""
_TREES = cython.declare(cython.longlong, TREES)
_LOOP = cython.declare(cython.longlong, LOOP)


@cython.final
@cython.cclass
class LocalJoins:
    """Hold constraints on what hangs together. The fields are described in `local_joins_kernel.pxd`.

    A window is gathered; `note` remembers how its surroundings hang together through it. After a change to the window,
    `is_as_noted` says whether they still do, which costs no more than the window; most changes keep that. Otherwise
    `broken_near` counts, before and after: pieces are flooded from all sides at once, and that ends when all but one
    are complete, so it costs about as much as the second largest.
    """

    def __init__(
        self,
        arcs: Arcs,
        held: memoryview,
        chosen: memoryview,
        out: memoryview,
        back: memoryview,
        ends: memoryview,
        form: memoryview,
    ) -> None:
        """Take tables for the constraints; with none of them, tables of one row that are not looked at."""
        nodes = arcs.nodes
        self.arcs = arcs
        self.held = held
        self.count = len(ends)
        self.chosen = chosen
        self.out = out
        self.back = back
        self.ends = ends
        self.form = form
        self.near = new_row(nodes, SHORT)
        self.near_count = 0
        self.inside_count = 0
        self.place = new_row(nodes, SHORT)
        self.near_mark = new_row(nodes)
        self.near_turn = 0
        self.bottom = new_row(nodes, SHORT)
        self.lowest = new_row(nodes, SHORT)
        self.label = new_row(nodes, SHORT)
        self.enclosed = 0
        self.mark = new_row(nodes)
        self.turn = 0
        self.owner = new_row(nodes, SHORT)
        self.after = new_row(nodes, SHORT)
        self.came = new_row(nodes, SHORT)
        self.head = new_row(nodes, SHORT)
        self.tail = new_row(nodes, SHORT)
        self.parent = new_row(nodes, SHORT)
        self.effort = 0

    def gather(self, window: cython.const[cython.int][::1], count: cython.longlong) -> cython.void:
        """Make the first `count` nodes of a row the window, and gather the nodes beside it."""
        self.near_turn += 1
        self.near_count = 0
        index: cython.longlong
        arc: cython.longlong
        for index in range(count):
            node: cython.longlong = window[index]
            self.near_mark[node] = self.near_turn
            self.place[node] = self.near_count
            self.near[self.near_count] = node
            self.near_count += 1
        self.inside_count = self.near_count
        for index in range(count):
            node = window[index]
            for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
                other: cython.longlong = self.arcs.target[arc]
                if self.near_mark[other] != self.near_turn and self.held[other] >= 0:
                    self.near_mark[other] = self.near_turn
                    self.place[other] = self.near_count
                    self.near[self.near_count] = other
                    self.near_count += 1

    def joins(
        self, join: cython.longlong, arc: cython.longlong, node: cython.longlong, other: cython.longlong
    ) -> cython.bint:
        """Tell whether the two ends of an arc hang together."""
        kind: cython.longlong = self.arcs.kind[arc]
        if self.held[other] < 0 or self.held[node] < 0:
            return False
        return self.out[join, kind, self.held[node]] != 0 and self.back[join, kind, self.held[other]] != 0

    def degree(self, join: cython.longlong, node: cython.longlong) -> cython.longlong:
        """Return along how many edges a node hangs together with others."""
        found: cython.longlong = 0
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
            if self.joins(join, arc, node, self.arcs.target[arc]):
                found += 1
        return found

    def strain(self, join: cython.longlong) -> cython.longlong:
        """Count what the gathered nodes have of edges beside pieces that breaks a constraint.

        Circles are edges less nodes, and pieces on top; so of trees this is edges less nodes, those of the window only.
        Of a loop, it is how many joins nodes have too many or too few.
        """
        form: cython.longlong = self.form[join]
        found: cython.longlong = 0
        place: cython.longlong
        arc: cython.longlong
        if form == _LOOP:
            for place in range(self.near_count):
                if self.takes_part(join, self.near[place]):
                    joins: cython.longlong = self.degree(join, self.near[place])
                    found += joins - 2 if joins > 2 else 2 - joins
        elif form == _TREES:
            halves: cython.longlong = 0
            for place in range(self.inside_count):
                node: cython.longlong = self.near[place]
                if not self.takes_part(join, node):
                    continue
                found -= 1
                for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
                    other: cython.longlong = self.arcs.target[arc]
                    if self.joins(join, arc, node, other):  # an edge within the window is met from both ends
                        halves += 1 if self.place[other] < self.inside_count else 2
            found += halves // 2
        return found

    def note(self, join: cython.longlong) -> cython.void:
        """Remember how what is beside the window hangs together through it."""
        self.join_near(join)
        place: cython.longlong
        for place in range(self.near_count):
            self.label[place] = self.lowest[self.bottom_of(place)] if self.matters(join, place) else -1
        self.enclosed = self.count_enclosed(join)

    def is_as_noted(self, join: cython.longlong) -> cython.bint:
        """Tell whether that is still so, and as many pieces are in the window alone."""
        self.join_near(join)
        place: cython.longlong
        for place in range(self.near_count):
            expected: cython.longlong = self.label[place]
            found: cython.longlong = self.lowest[self.bottom_of(place)] if self.matters(join, place) else -1
            if found != expected:
                return False
        return self.count_enclosed(join) == self.enclosed

    def join_near(self, join: cython.longlong) -> cython.void:
        """Find what hangs together through the window, edges outside it left aside."""
        place: cython.longlong
        arc: cython.longlong
        for place in range(self.near_count):
            self.bottom[place] = place
            self.lowest[place] = -1
        for place in range(self.inside_count):
            node: cython.longlong = self.near[place]
            for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
                other: cython.longlong = self.arcs.target[arc]
                if self.joins(join, arc, node, other):
                    one = self.bottom_of(place)
                    two = self.bottom_of(self.place[other])
                    if one < two:
                        self.bottom[one] = two
                    elif two < one:
                        self.bottom[two] = one
        for place in range(self.near_count):
            if self.matters(join, place):
                own = self.bottom_of(place)
                if self.lowest[own] < 0:
                    self.lowest[own] = place

    def bottom_of(self, place: cython.longlong) -> cython.longlong:
        """Return the place that stands for a piece: the highest, so one beside the window if there is one."""
        while self.bottom[place] != place:
            self.bottom[place] = self.bottom[self.bottom[place]]
            place = self.bottom[place]
        return place

    def takes_part(self, join: cython.longlong, node: cython.longlong) -> cython.bint:
        """Tell whether a node holds a module that a constraint is about."""
        return self.held[node] >= 0 and self.chosen[join, self.held[node]] != 0

    def matters(self, join: cython.longlong, place: cython.longlong) -> cython.bint:
        """Tell whether a place is one whose connections must stay: beside the window, or the end of a path."""
        node: cython.longlong = self.near[place]
        if not self.takes_part(join, node):
            return False
        return place >= self.inside_count or node == self.ends[join, 0] or node == self.ends[join, 1]

    def count_enclosed(self, join: cython.longlong) -> cython.longlong:
        """Return how many pieces the window has that nothing beside it belongs to."""
        found: cython.longlong = 0
        place: cython.longlong
        for place in range(self.inside_count):
            node: cython.longlong = self.near[place]
            if self.bottom_of(place) == place and self.takes_part(join, node):
                found += 1
        return found

    def broken_near(self, join: cython.longlong) -> cython.longlong:
        """Count what tells how broken a constraint is: pieces that touch the window or what is beside it; or how far
        it is from what hangs on one end of a path to the other.
        """
        return self.pieces_near(join) if self.ends[join, 0] < 0 else self.gap(join)

    def pieces_near(self, join: cython.longlong) -> cython.longlong:
        """Return to how many pieces of the whole the gathered nodes belong."""
        self.turn += 1
        groups: cython.longlong = 0
        place: cython.longlong
        group: cython.longlong
        for place in range(self.near_count):
            node: cython.longlong = self.near[place]
            if self.takes_part(join, node):
                self.begin_group(groups, node)
                groups += 1
        pieces: cython.longlong = groups
        live: cython.longlong = groups
        while live > 1:
            for group in range(groups):
                if self.parent[group] != group or self.head[group] < 0:
                    continue
                merged = self.expand(join, group)
                pieces -= merged
                live -= merged
                if self.head[group] < 0:
                    live -= 1
                if live <= 1:
                    break
        return pieces

    def begin_group(self, group: cython.longlong, node: cython.longlong) -> cython.void:
        """Begin to flood from a node."""
        self.mark[node] = self.turn
        self.owner[node] = group
        self.head[group] = node
        self.tail[group] = node
        self.after[node] = -1
        self.parent[group] = group

    def expand(self, join: cython.longlong, group: cython.longlong) -> cython.longlong:
        """Flood on from the next node in the line of a group; returns how many other groups it met."""
        node: cython.longlong = self.head[group]
        self.head[group] = self.after[node]
        self.effort += 1
        met: cython.longlong = 0
        arc: cython.longlong
        for arc in range(self.arcs.start[node], self.arcs.near_end[node]):
            other: cython.longlong = self.arcs.target[arc]
            if not self.joins(join, arc, node, other):
                continue
            if self.mark[other] != self.turn:
                self.mark[other] = self.turn
                self.owner[other] = group
                self.came[other] = node
                self.after[other] = -1
                if self.head[group] < 0:
                    self.head[group] = other
                self.after[self.tail[group]] = other
                self.tail[group] = other
                continue
            beside = self.group_of(other)
            if beside == group:
                continue
            met += 1
            self.parent[beside] = group
            if self.head[beside] >= 0:
                if self.head[group] < 0:
                    self.head[group] = self.head[beside]
                self.after[self.tail[group]] = self.head[beside]
                self.tail[group] = self.tail[beside]
        return met

    def group_of(self, node: cython.longlong) -> cython.longlong:
        """Return the group that a node belongs to, joined ones taken together."""
        group: cython.longlong = self.owner[node]
        while self.parent[group] != group:
            self.parent[group] = self.parent[self.parent[group]]
            group = self.parent[group]
        return group

    def gap(self, join: cython.longlong) -> cython.longlong:
        """Return how many edges that do not join are on the way between the ends of a path, at least, and 1 for each
        end that takes no part itself; 0 if one gets through. `came` then says where the way comes from.
        """
        start: cython.longlong = self.ends[join, 0]
        end: cython.longlong = self.ends[join, 1]
        found: cython.longlong = 0
        if not self.takes_part(join, start):
            found += 1
        if end != start and not self.takes_part(join, end):
            found += 1
        self.turn += 1
        self.begin_group(0, start)
        self.came[start] = start
        first: cython.longlong = start
        arc: cython.longlong
        while first >= 0:
            while self.head[0] >= 0:  # all that is reached without another such edge
                self.expand(join, 0)
            if self.mark[end] == self.turn:
                return found
            last: cython.longlong = self.tail[0]
            beside: cython.longlong = first
            first = -1
            found += 1
            while beside >= 0:
                for arc in range(self.arcs.start[beside], self.arcs.near_end[beside]):
                    other: cython.longlong = self.arcs.target[arc]
                    if self.mark[other] == self.turn or self.held[other] < 0:
                        continue
                    self.mark[other] = self.turn
                    self.owner[other] = 0
                    self.came[other] = beside
                    self.after[other] = -1
                    self.after[self.tail[0]] = other
                    self.tail[0] = other
                    if first < 0:
                        first = other
                        self.head[0] = other
                beside = -1 if beside == last else self.after[beside]
        return self.arcs.nodes

    def flood(self, join: cython.longlong, node: cython.longlong) -> cython.longlong:
        """Mark everything that hangs together with a node; returns how much that is. It stands in a line from the
        head of group 0, each node followed by the one `after` it.
        """
        self.begin_group(0, node)
        first: cython.longlong = node
        size: cython.longlong = 0
        while self.head[0] >= 0:
            self.expand(join, 0)
            size += 1
        self.head[0] = first
        return size
