"""The kernel behind points of interest: which moves are events, and how far each is from each point.

What points, events and macros are is said in `points`.
"""

# mypy: ignore-errors

from __future__ import annotations

import cython

from solvent.engine.arrays import SHORT, longer_row, new_row

if not cython.compiled:  # in C, the .pxd imports them
    from solvent.dungeon.solver.graph_kernel import Graph
    from solvent.engine.hash_table_kernel import HashTable

_NO_EVENT = cython.declare(cython.longlong, -1)
_UNNUMBERED = cython.declare(cython.longlong, 0)


@cython.final
@cython.cclass
class Points:
    """Hold the points of interest and the macros from each, as far as they were asked for.

    The fields are described in `points_kernel.pxd`.
    """

    def __init__(self, graph: Graph, start: cython.longlong, macros: cython.bint, area_of: memoryview | None) -> None:
        """Begin to find the points; without `macros` every tile is a point, and every step a macro of one.

        `number` does the rest. With the area of each cell, a step from one into another counts as an event too:
        nothing happens, but there may be no way back.
        """
        by_areas: cython.bint = area_of is not None
        areas: cython.int[::1] = area_of if area_of is not None else new_row(1, SHORT)
        self.graph = graph
        self.count = graph.nodes
        self.events = 0
        self.point_at = new_row(graph.nodes, SHORT)
        self.event_of = new_row(graph.arcs, SHORT)
        self.macros = 0
        self.stamp = 0
        self.seen = new_row(graph.nodes, SHORT)
        self.queue = new_row(graph.nodes, SHORT)
        self.distance = new_row(graph.nodes, SHORT)
        self.came_by = new_row(graph.nodes, SHORT)
        self.looked = 0
        self.next_arc = 0
        self.alike = HashTable(64)
        self.met = new_row(1, SHORT)
        if not macros:
            self.next_arc = graph.arcs
            self._make_room(graph.nodes, graph.arcs)
            with cython.nogil:
                self.take_every_step()
            return
        with cython.nogil:
            self.mark_events(areas, by_areas)
        self.point_at[start] = 1
        self.count = 0

    def number(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more moves to number events and points; returns whether all are numbered."""
        if self.next_arc == self.graph.arcs:
            return True
        with cython.nogil:
            self.number_events(limit)
        if self.next_arc < self.graph.arcs:
            if self.alike.size == self.alike.capacity:
                self.alike.grow()
            return False
        self.events = self.alike.size
        self.alike = HashTable(1)
        with cython.nogil:
            self.number_points()
        self.met = new_row(self.events, SHORT)
        self._make_room(self.count, 4 * self.events + 64)
        with cython.nogil:
            self.list_points()
        return True

    def _make_room(self, points: int, macros: int) -> None:
        self.cells = new_row(points, SHORT)
        self.first_macro = new_row(points, SHORT)
        self.macro_count = new_row(points, SHORT)
        self.macro_arc = new_row(macros, SHORT)
        self.macro_moves = new_row(macros, SHORT)

    @property
    def bytes_to_build(self) -> int:
        """Return the memory that the table of one more point takes, if there is no room for it yet."""
        room = len(self.macro_arc)
        return 0 if self.macros + self.events <= room else 8 * (room + max(room, self.events))

    def build(self, point: cython.longlong) -> None:
        """Build the table of a point; `looked` is how many moves that took a look at."""
        room = len(self.macro_arc)
        if self.macros + self.events > room:
            self.macro_arc = longer_row(memoryview(self.macro_arc), room + max(room, self.events))
            self.macro_moves = longer_row(memoryview(self.macro_moves), room + max(room, self.events))
        with cython.nogil:
            self.fill_table(point)

    def walk_between(self, start: cython.longlong, end: cython.longlong) -> list[int]:
        """Return the arcs of a shortest walk without events; there must be one."""
        with cython.nogil:
            length = self.find_walk(start, end)
        assert length >= 0, "a macro was built over this walk"
        return [self.queue[place] for place in range(length - 1, -1, -1)]

    def is_event(self, arc: cython.longlong, area_of: cython.int[::1], by_areas: cython.bint) -> cython.bint:
        """Tell whether a move asks for something, or may do something, or leads into another area."""
        there = self.graph.target[arc]
        if self.graph.demand[arc] != 0 or self.graph.is_goal[there] != 0:
            return True
        if self.graph.has_effects(there) or self.graph.has_rests(there):
            return True
        return by_areas and area_of[self.graph.source[arc]] != area_of[there]

    def mark_events(self, area_of: cython.int[::1], by_areas: cython.bint) -> cython.void:
        """Tell events from other moves, and mark where they lead."""
        for arc in range(self.graph.arcs):
            if self.is_event(arc, area_of, by_areas):
                self.event_of[arc] = _UNNUMBERED
                self.point_at[self.graph.target[arc]] = 1
            else:
                self.event_of[arc] = _NO_EVENT

    def number_events(self, limit: cython.longlong) -> cython.void:
        """Go on to number the events. Moves that ask for the same and end on the same tile are one event.

        Only the nearest of them is of use. It ends early where `alike` has no more room.
        """
        while self.next_arc < self.graph.arcs and limit > 0:
            arc = self.next_arc
            limit -= 1
            if self.event_of[arc] != _NO_EVENT:
                limit -= 4
                number = self.alike.find_or_insert(self.graph.target[arc], self.graph.demand[arc])
                if number < 0:
                    return
                self.event_of[arc] = number
            self.next_arc += 1

    def number_points(self) -> cython.void:
        """Number the points in the order of their cells."""
        for cell in range(self.graph.nodes):
            if self.point_at[cell] != 0:
                self.point_at[cell] = self.count
                self.count += 1
            else:
                self.point_at[cell] = -1

    def list_points(self) -> cython.void:
        """Note the cell of each point; none of them has a table yet."""
        for cell in range(self.graph.nodes):
            if self.point_at[cell] >= 0:
                self.cells[self.point_at[cell]] = cell
                self.macro_count[self.point_at[cell]] = -1

    def take_every_step(self) -> cython.void:
        """Make every cell a point and every arc an event and a macro."""
        for arc in range(self.graph.arcs):
            self.event_of[arc] = arc
            self.macro_arc[arc] = arc
            self.macro_moves[arc] = 1
        for cell in range(self.graph.nodes):
            self.cells[cell] = cell
            self.point_at[cell] = cell
            self.first_macro[cell] = self.graph.first_arc[cell]
            self.macro_count[cell] = self.graph.first_arc[cell + 1] - self.graph.first_arc[cell]
            self.events = max(self.events, self.macro_count[cell])
        self.macros = self.graph.arcs

    def fill_table(self, point: cython.longlong) -> cython.void:
        """Walk from a point over arcs that are no events, and note those met; there must be room for all of them."""
        self.stamp += 1
        self.looked = 0
        self.first_macro[point] = self.macros
        self.queue[0] = self.cells[point]
        self.distance[0] = 0
        self.seen[self.cells[point]] = self.stamp
        reached: cython.longlong = 1
        done: cython.longlong = 0
        while done < reached:
            here = self.queue[done]
            walked = self.distance[done]
            done += 1
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                event = self.event_of[arc]
                if event < 0:
                    there = self.graph.target[arc]
                    if self.seen[there] != self.stamp:
                        self.seen[there] = self.stamp
                        self.queue[reached] = there
                        self.distance[reached] = walked + 1
                        reached += 1
                elif self.met[event] != self.stamp:
                    self.met[event] = self.stamp
                    self.macro_arc[self.macros] = arc
                    self.macro_moves[self.macros] = walked + 1
                    self.macros += 1
            self.looked += self.graph.first_arc[here + 1] - self.graph.first_arc[here]
        self.macro_count[point] = self.macros - self.first_macro[point]

    def find_walk(self, start: cython.longlong, end: cython.longlong) -> cython.longlong:
        """Find a shortest walk without events, and return its length, or -1 if there is none.

        Its arcs are left in `queue`, the last one first.
        """
        self.stamp += 1
        self.looked = 0
        self.queue[0] = start
        self.seen[start] = self.stamp
        self.came_by[start] = -1
        reached: cython.longlong = 1
        done: cython.longlong = 0
        while done < reached and self.seen[end] != self.stamp:
            here = self.queue[done]
            done += 1
            self.looked += self.graph.first_arc[here + 1] - self.graph.first_arc[here]
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                if self.event_of[arc] < 0 and self.seen[there] != self.stamp:
                    self.seen[there] = self.stamp
                    self.came_by[there] = arc
                    self.queue[reached] = there
                    reached += 1
        if self.seen[end] != self.stamp:
            return -1
        length: cython.longlong = 0
        while self.came_by[end] >= 0:
            self.queue[length] = self.came_by[end]
            length += 1
            end = self.graph.source[self.came_by[end]]
        return length
