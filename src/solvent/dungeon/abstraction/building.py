"""Find the points of interest of a dungeon and the graph between them."""

from __future__ import annotations

import heapq
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.abstraction.open_ground import OpenGround
from solvent.dungeon.abstraction.parts import Edge, Leg, Point, RoomTable
from solvent.dungeon.events import name_gate, name_pickup, name_switch
from solvent.dungeon.interest import ALL_KINDS, JOIN_KINDS, kinds_at
from solvent.dungeon.model import RETURN, Dungeon, Place
from solvent.dungeon.rooms import pieces, rooms_of
from solvent.dungeon.rules import Game

MAX_TILES = 200_000
MAX_POINTS = 4_000
MAX_LOOKS = 6_000_000
"""How many tiles all walks together may look at: some seconds."""
ALWAYS = frozenset({"start", "goal", *JOIN_KINDS})
"""Kinds that no choice leaves out: without them the graph would not hold together."""


class TooLarge(Exception):
    """Say that a dungeon is too large for its abstract graph, and by what."""


class Abstraction:
    """Hold the points of interest of a dungeon, the tables of its rooms, the abstract graph and the abstract plan.

    It begins where the player is after the moves played. `kinds` says which kinds of points count; the start, goals
    and where rooms meet always do. Raises TooLarge where there are too many tiles or points.
    """

    def __init__(self, dungeon: Dungeon, *, kinds: Iterable[str] = ALL_KINDS, meter: Meter = UNLIMITED) -> None:
        self.dungeon = dungeon
        self.kinds = frozenset(kinds) | ALWAYS
        self._meter = meter
        size = sum(len(floor.terrain) * len(floor.terrain[0]) for floor in dungeon.floors)
        if size > MAX_TILES:
            raise TooLarge(f"{size:,} tiles, and at most {MAX_TILES:,} are looked at")
        self._game = Game(dungeon, meter)
        self._state = self._game.present_state(meter)
        self._ground = OpenGround(dungeon, self._game, self._state.place, meter)
        self._zone_of, self._zone_names, self._zone_cells = self._find_zones()
        kinds_of = self._find_points()
        self._cells = sorted(kinds_of)
        """The cell of each point."""
        self._number = {cell: number for number, cell in enumerate(self._cells)}
        if len(self._cells) > MAX_POINTS:
            raise TooLarge(f"{len(self._cells):,} points of interest, and at most {MAX_POINTS:,} are looked at")
        self._members = self._find_members()
        looks = sum(len(members) * self._zone_cells[zone] for zone, members in self._members.items())
        if looks > MAX_LOOKS:
            raise TooLarge(f"walks between its points cross {looks:,} tiles, and at most {MAX_LOOKS:,} are looked at")
        self.rooms, self.edges = self._find_tables()
        """The table of each room with points, and the edges of the graph."""
        left, self._next = self._distances_to_goal()
        self.points = tuple(
            self._point(number, kinds_of[cell], left.get(number)) for number, cell in enumerate(self._cells)
        )
        """All points of interest, in the order of their places."""
        self.start = self._number[self._ground.number[self._state.place]]
        """The number of the point where the player is."""

    # What there is to know

    @property
    def plan(self) -> tuple[Leg, ...] | None:
        """Return the abstract plan: macros along a shortest way to a goal with every gate open; None without a way."""
        if self.points[self.start].distance_to_goal is None:
            return None
        legs, here = [], self.start
        while here in self._next:
            edge = self._next[here]
            legs.append(Leg(edge.source, edge.target, self.path(edge.source, edge.target) or "", edge.cost))
            here = edge.target
        return tuple(legs)

    @property
    def next_edges(self) -> tuple[Edge, ...]:
        """Return for each point with a way to a goal the edge that a shortest one begins with; goals have none."""
        return tuple(self._next[number] for number in sorted(self._next))

    def path(self, source: int, target: int) -> str | None:
        """Return the moves of a shortest walk between two points of a room, or of the way from one to the other."""
        for there, move in self._ground.ways[self._cells[source]]:
            if there == self._cells[target]:
                return move
        if any(edge.returns and (edge.source, edge.target) == (source, target) for edge in self.edges):
            return RETURN
        best: str | None = None
        for zone, members in self._members.items():
            if source in members and target in members:
                found = self.paths(source, zone).get(target)
                if found is not None and (best is None or len(found) < len(best)):
                    best = found
        return best

    def paths(self, source: int, zone: int) -> dict[int, str]:
        """Return the moves from a point to each other one of a room, by number of the room in `rooms`' own order."""
        reached = self._walk(source, zone)
        found: dict[int, str] = {}
        for target in self._members[zone]:
            if target != source and self._cells[target] in reached:
                cell, moves = self._cells[target], []
                while cell != self._cells[source]:
                    cell, move = reached[cell][1:3]
                    moves.append(move)
                found[target] = "".join(reversed(moves))
        return found

    @property
    def zones(self) -> list[int]:
        """Return what `paths` calls the rooms, in the order of `rooms`."""
        return list(self._members)

    # How it is found

    def _find_zones(self) -> tuple[list[int], list[str], list[int]]:
        """Return the zone of each cell, and the name and size of each zone: rooms, and pieces of what is left."""
        ground, meter = self._ground, self._meter
        zone_of = [-1] * len(ground.places)
        names: list[str] = []
        for room in rooms_of(self.dungeon, meter):
            for place in meter.each(room.places):
                if place in ground.number:
                    zone_of[ground.number[place]] = len(names)
            names.append(room.name)
        rest = [ground.places[cell] for cell in meter.each(range(len(ground.places))) if zone_of[cell] < 0]
        for piece in pieces(rest, meter):
            for place in piece:
                zone_of[ground.number[place]] = len(names)
            names.append("")
        sizes = [0] * len(names)
        for zone in zone_of:
            sizes[zone] += 1
        return zone_of, names, sizes

    def _find_points(self) -> dict[int, set[str]]:
        """Return the kinds of each point by its cell."""
        ground, meter = self._ground, self._meter
        found: dict[int, set[str]] = {}
        for place, kinds in meter.each(kinds_at(self._game, self._state.place, meter).items()):
            chosen = (kinds - self._gone(place)) & self.kinds
            if chosen and place in ground.number:
                found[ground.number[place]] = chosen
        if self.dungeon.rules.home == "always" and self.dungeon.start in ground.number:
            found.setdefault(ground.number[self.dungeon.start], set()).add("start")
        # A lake is a room of its own: only its shores are points, or each of its tiles would be.
        for cell in [cell for cell, kinds in found.items() if kinds == {"water"}]:
            del found[cell]
        for here, steps in enumerate(meter.each(self._ground.walks)):
            for there, _ in steps:
                if self._zone_of[here] != self._zone_of[there] and here not in found and there not in found:
                    found[there] = {"entrance"}
                    if self._game.terrain(ground.places[there]) == "~":
                        found[there].add("water")
        return found

    @property
    def _home(self) -> int | None:
        """Return the number of the point that a player can return to from anywhere, if there is one."""
        if self.dungeon.rules.home != "always":
            return None
        return self._number.get(self._ground.number.get(self.dungeon.start, -1))

    def _gone(self, place: Place) -> set[str]:
        """Return the kinds of things that were there and are taken by now."""
        game, dungeon = self._game, self.dungeon
        here = game.pickups_at.get(place, [])
        left = {dungeon.pickups[number].kind for number in here if number not in self._state.taken}
        return {dungeon.pickups[number].kind for number in here} - left

    def _find_members(self) -> dict[int, list[int]]:
        """Return the points of each zone: those in it, and those that a step leads to or from."""
        members: dict[int, set[int]] = defaultdict(set)
        for here, steps in enumerate(self._meter.each(self._ground.walks)):
            if here in self._number:
                members[self._zone_of[here]].add(self._number[here])
            for there, _ in steps:
                if here in self._number:
                    members[self._zone_of[there]].add(self._number[here])
                if there in self._number:
                    members[self._zone_of[here]].add(self._number[there])
        return {zone: sorted(members[zone]) for zone in sorted(members)}

    def _find_tables(self) -> tuple[tuple[RoomTable, ...], tuple[Edge, ...]]:
        tables: list[RoomTable] = []
        edges: dict[tuple[int, int], Edge] = {}
        for zone, members in self._members.items():
            rows = []
            for source in members:
                self._meter.checkpoint()
                reached = self._walk(source, zone)
                row = []
                for target in members:
                    found = reached.get(self._cells[target])
                    row.append(None if found is None else found[0])
                    if found is None or target == source or found[3]:
                        continue
                    known = edges.get((source, target))
                    if known is None or known.cost > found[0]:
                        edges[source, target] = Edge(source, target, found[0], self._zone_names[zone])
                rows.append(tuple(row))
            tables.append(RoomTable(self._zone_names[zone], tuple(members), tuple(rows)))
        for source, cell in enumerate(self._cells):
            for there, move in self._ground.ways[cell]:
                target = self._number[there]
                if (source, target) not in edges or edges[source, target].cost > 1:
                    edges[source, target] = Edge(source, target, 1, "", int(move))
            home = self._home
            if home is None or source == home or self._ground.places[cell] in self._game.goals:
                continue
            if (source, home) not in edges or edges[source, home].cost > 1:
                edges[source, home] = Edge(source, home, 1, "", returns=True)
        return tuple(tables), tuple(edges[pair] for pair in sorted(edges))

    def _walk(self, source: int, zone: int) -> dict[int, tuple[int, int, str, bool]]:
        """Walk from a point over the tiles of a zone, up to the points on its border.

        Returns for each cell how far it is, the cell and the move before, and whether another point lies between.
        """
        start = self._cells[source]
        reached: dict[int, tuple[int, int, str, bool]] = {start: (0, -1, "", False)}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            if here != start and self._zone_of[here] != zone:
                continue  # on the border: the walk ends there
            far, _, _, crosses = reached[here]
            crosses = crosses or (here != start and here in self._number)
            for there, move in self._ground.walks[here]:
                if self._zone_of[there] != zone and (self._zone_of[here] != zone or there not in self._number):
                    continue
                if there not in reached:
                    reached[there] = (far + 1, here, move, crosses)
                    waiting.append(there)
                elif reached[there][0] == far + 1 and reached[there][3] and not crosses:
                    reached[there] = (far + 1, here, move, False)
        return reached

    def _distances_to_goal(self) -> tuple[dict[int, int], dict[int, Edge]]:
        """Return D_abs of each point from which there is a way, and the edge to go on with, by Dijkstra's algorithm."""
        incoming: dict[int, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            incoming[edge.target].append(edge)
        goals = sorted(
            {self._number[self._ground.number[goal]] for goal in self.dungeon.goals if goal in self._ground.number}
        )
        left = dict.fromkeys(goals, 0)
        following: dict[int, Edge] = {}
        waiting = [(0, goal) for goal in goals]
        while waiting:
            self._meter.checkpoint()
            far, target = heapq.heappop(waiting)
            if far > left[target]:
                continue
            for edge in incoming[target]:
                if edge.source not in left or far + edge.cost < left[edge.source]:
                    left[edge.source] = far + edge.cost
                    following[edge.source] = edge
                    heapq.heappush(waiting, (far + edge.cost, edge.source))
        return left, following

    def _point(self, number: int, kinds: set[str], left: int | None) -> Point:
        place = self._ground.places[self._cells[number]]
        names = tuple(dict.fromkeys(self._names(place, kinds)))
        room = self._zone_names[self._zone_of[self._cells[number]]]
        return Point(number, place, tuple(kind for kind in ALL_KINDS if kind in kinds), names, room, left)

    def _names(self, place: Place, kinds: set[str]) -> Iterator[str]:
        game, dungeon = self._game, self.dungeon
        if "start" in kinds:
            yield "the player" if dungeon.played and place == self._state.place else "start"
        if "goal" in kinds:
            yield "goal"
        for number in game.pickups_at.get(place, ()):
            if number not in self._state.taken and dungeon.pickups[number].kind in kinds:
                yield name_pickup(dungeon.pickups[number], dungeon.rules.bombs_per_pickup)
        for plate in game.plates_at.get(place, ()):
            yield name_switch(plate.name)
        for number in game.levers_from.get(place, ()):
            yield f"lever of {name_switch(dungeon.switches[number].name)}"
        for name, plates in game.held_plates.items():
            if place in plates:
                yield f"held plate of {name_switch(name)}"
        if place in game.gate_at:
            yield name_gate(dungeon.gates[game.gate_at[place]])
        if place in game.block_at:
            yield "block"
        for number in game.ways_from.get(place, ()):
            yield f"{dungeon.ways[number].kind}, way {number}"
