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

MAX_STEPS = 64
"""For how many steps from one cell room is asked for beforehand; more are rare, and get it all the same."""

_NO_EVENT = cython.declare(cython.longlong, -1)
_UNNUMBERED = cython.declare(cython.longlong, 0)


@cython.final
@cython.cclass
class Points:
    """Hold the points of interest and the macros from each, as far as they were asked for.

    The fields are described in `points_kernel.pxd`.
    """

    def __init__(
        self,
        graph: Graph,
        start: cython.longlong,
        macros: cython.bint,
        area_of: memoryview | None,
        stops: bytearray | None = None,
    ) -> None:
        """Begin to find the points; without `macros` every tile is a point, and every step a macro of one.

        `number` does the rest. With the area of each cell, a step from one into another counts as an event too:
        nothing happens, but there may be no way back. `stops` has a 1 for each cell that macros stop at all the same.
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
        self.numbered = not macros
        self.alike = HashTable(64)
        self.met = new_row(1, SHORT)
        self.has_stops = stops is not None
        self.stops = stops if stops is not None else bytearray(1)
        self.chosen = False
        self.has_table = bytearray(1)
        self.penalises = False
        self.penalty = new_row(1, SHORT)
        self.macro_penalty = new_row(1, SHORT)
        self.walk_penalty = new_row(1, SHORT)
        self.level = new_row(1, SHORT)
        self.macro_of = new_row(1, SHORT)
        self.below = new_row(1, SHORT)
        if not macros:
            self._make_room(graph.nodes, graph.arcs)
            with cython.nogil:
                self.take_every_step()
            return
        with cython.nogil:
            self.mark_events(areas, by_areas)
        self.point_at[start] = 1
        self.count = 0

    def choose(self, left_out: bytearray) -> None:
        """Give the points in cells marked 1 no macros; call this before `number`.

        Then every cell is a point. From those with macros the search goes on with them, from all others step by step.
        """
        if self.numbered:
            return  # without macros there is nothing to leave out
        without: cython.uchar[::1] = left_out
        self.has_table = bytearray(self.graph.nodes)
        self.chosen = True
        with cython.nogil:
            for cell in range(self.graph.nodes):
                self.has_table[cell] = self.point_at[cell] != 0 and without[cell] == 0
                self.point_at[cell] = 1

    def penalise(self, penalty: memoryview) -> None:
        """Take over a penalty for each arc: of walks with as few moves, macros take the one with the least in all.

        Call this before `number`.
        """
        self.penalises = True
        self.penalty = penalty
        self.walk_penalty = new_row(self.graph.nodes, SHORT)
        self.level = new_row(self.graph.nodes, SHORT)
        if self.numbered:
            self.macro_penalty = penalty

    def number(self, limit: cython.longlong) -> bool:
        """Look at up to about `limit` more moves to number events and points; returns whether all are numbered."""
        if self.numbered:
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
        if self.penalises:
            self.macro_of = new_row(self.events, SHORT)
        self._make_room(self.count, 4 * self.events + 64)
        with cython.nogil:
            self.list_points()
        self.numbered = True
        return True

    def _make_room(self, points: int, macros: int) -> None:
        self.cells = new_row(points, SHORT)
        self.first_macro = new_row(points, SHORT)
        self.macro_count = new_row(points, SHORT)
        self.macro_arc = new_row(macros, SHORT)
        self.macro_moves = new_row(macros, SHORT)
        if self.penalises:
            self.macro_penalty = new_row(macros, SHORT)

    @property
    def bytes_to_build(self) -> int:
        """Return the memory that the table of one more point takes, if there is no room for it yet."""
        room, more = len(self.macro_arc), max(self.events, MAX_STEPS) if self.chosen else self.events
        return 0 if self.macros + more <= room else (12 if self.penalises else 8) * (room + max(room, more))

    def build(self, point: cython.longlong) -> None:
        """Build the table of a point; `looked` is how many moves that took a look at."""
        stepwise: cython.bint = self.chosen and self.has_table[point] == 0
        steps = self.graph.first_arc[self.cells[point] + 1] - self.graph.first_arc[self.cells[point]]
        room, more = len(self.macro_arc), max(self.events, steps)
        if self.macros + more > room:
            room += max(room, more)
            self.macro_arc = longer_row(memoryview(self.macro_arc), room)
            self.macro_moves = longer_row(memoryview(self.macro_moves), room)
            if self.penalises:
                self.macro_penalty = longer_row(memoryview(self.macro_penalty), room)
        with cython.nogil:
            if stepwise:
                self.fill_steps(point)
            else:
                self.fill_table(point)

    def spread(self, point: cython.longlong, times: cython.longlong, walked: memoryview) -> None:
        """Add to each cell how often the macros of a point walk over it if each is tried so many times.

        Neither the cell they begin on counts nor the one they lead to.
        """
        over: cython.longlong[::1] = walked
        if len(self.below) < self.graph.nodes:
            self.below = new_row(self.graph.nodes, SHORT)
        with cython.nogil:
            self.add_walks(point, times, over)

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
        if self.has_stops and self.stops[there] != 0:
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

    def fill_steps(self, point: cython.longlong) -> cython.void:
        """Make each step from a point a macro of one; there must be room for all of them."""
        cell = self.cells[point]
        self.looked = self.graph.first_arc[cell + 1] - self.graph.first_arc[cell]
        self.first_macro[point] = self.macros
        for arc in range(self.graph.first_arc[cell], self.graph.first_arc[cell + 1]):
            self.macro_arc[self.macros] = arc
            self.macro_moves[self.macros] = 1
            if self.penalises:
                self.macro_penalty[self.macros] = self.penalty[arc]
            self.macros += 1
        self.macro_count[point] = self.macros - self.first_macro[point]

    def fill_table(self, point: cython.longlong) -> cython.void:
        """Walk from a point over arcs that are no events, and note those met; there must be room for all of them."""
        self.looked = 0
        self.first_macro[point] = self.macros
        self.begin_walk(self.cells[point])
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
                        if self.penalises:
                            self.level[there] = walked + 1
                            self.walk_penalty[there] = self.walk_penalty[here] + self.penalty[arc]
                    elif self.penalises:
                        self.walk_better(arc, here, there)
                elif self.met[event] != self.stamp:
                    self.met[event] = self.stamp
                    self.macro_arc[self.macros] = arc
                    self.macro_moves[self.macros] = walked + 1
                    if self.penalises:
                        self.macro_penalty[self.macros] = self.walk_penalty[here] + self.penalty[arc]
                        self.macro_of[event] = self.macros
                    self.macros += 1
                elif self.penalises:
                    self.end_better(arc, here, walked + 1)
            self.looked += self.graph.first_arc[here + 1] - self.graph.first_arc[here]
        self.macro_count[point] = self.macros - self.first_macro[point]

    def begin_walk(self, start: cython.longlong) -> cython.void:
        """Begin to walk from a cell."""
        self.stamp += 1
        self.queue[0] = start
        self.distance[0] = 0
        self.seen[start] = self.stamp
        self.came_by[start] = -1
        if self.penalises:
            self.level[start] = 0
            self.walk_penalty[start] = 0

    def walk_better(self, arc: cython.longlong, here: cython.longlong, there: cython.longlong) -> cython.void:
        """Come to a cell by another arc if that takes no more moves and has a smaller penalty."""
        sum_so_far = self.walk_penalty[here] + self.penalty[arc]
        if self.level[there] == self.level[here] + 1 and sum_so_far < self.walk_penalty[there]:
            self.walk_penalty[there] = sum_so_far
            self.came_by[there] = arc

    def end_better(self, arc: cython.longlong, here: cython.longlong, moves: cython.longlong) -> cython.void:
        """End a macro with another arc of the same event if that takes no more moves and has a smaller penalty."""
        macro = self.macro_of[self.event_of[arc]]
        sum_so_far = self.walk_penalty[here] + self.penalty[arc]
        if self.macro_moves[macro] == moves and sum_so_far < self.macro_penalty[macro]:
            self.macro_arc[macro] = arc
            self.macro_penalty[macro] = sum_so_far

    def find_walk(self, start: cython.longlong, end: cython.longlong) -> cython.longlong:
        """Find a shortest walk without events, and return its length, or -1 if there is none.

        Its arcs are left in `queue`, the last one first.
        """
        self.looked = 0
        self.begin_walk(start)
        reached: cython.longlong = 1
        done: cython.longlong = 0
        while done < reached and not self.is_walked(end, self.queue[done]):
            here = self.queue[done]
            done += 1
            self.looked += self.graph.first_arc[here + 1] - self.graph.first_arc[here]
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                there = self.graph.target[arc]
                if self.event_of[arc] >= 0:
                    continue
                if self.seen[there] != self.stamp:
                    self.seen[there] = self.stamp
                    self.came_by[there] = arc
                    self.queue[reached] = there
                    reached += 1
                    if self.penalises:
                        self.level[there] = self.level[here] + 1
                        self.walk_penalty[there] = self.walk_penalty[here] + self.penalty[arc]
                elif self.penalises:
                    self.walk_better(arc, here, there)
        if self.seen[end] != self.stamp:
            return -1
        length: cython.longlong = 0
        while self.came_by[end] >= 0:
            self.queue[length] = self.came_by[end]
            length += 1
            end = self.graph.source[self.came_by[end]]
        return length

    def is_walked(self, end: cython.longlong, following: cython.longlong) -> cython.bint:
        """Tell whether the walk to a cell is found; with penalties, no cell as far as those before it may be left."""
        if self.seen[end] != self.stamp:
            return False
        return not self.penalises or self.level[following] >= self.level[end]

    def add_walks(self, point: cython.longlong, times: cython.longlong, walked: cython.longlong[::1]) -> cython.void:
        """Do what `spread` says."""
        self.looked = 0
        start = self.cells[point]
        self.begin_walk(start)
        self.below[start] = 0
        reached: cython.longlong = 1
        done: cython.longlong = 0
        while done < reached:
            here = self.queue[done]
            done += 1
            self.looked += self.graph.first_arc[here + 1] - self.graph.first_arc[here]
            for arc in range(self.graph.first_arc[here], self.graph.first_arc[here + 1]):
                event = self.event_of[arc]
                there = self.graph.target[arc]
                if event < 0 and self.seen[there] != self.stamp:
                    self.seen[there] = self.stamp
                    self.came_by[there] = arc
                    self.below[there] = 0
                    self.queue[reached] = there
                    reached += 1
                elif event >= 0 and self.met[event] != self.stamp:
                    self.met[event] = self.stamp
                    self.below[here] += 1
        while reached > 1:  # the farthest first: a walk to a cell is part of the walks beyond it
            reached -= 1
            here = self.queue[reached]
            walked[here] += times * self.below[here]
            self.below[self.graph.source[self.came_by[here]]] += self.below[here]
