"""The search for a matching as a formula with costs: who stands where, and which edge is which door.

A place is a whole room, or one of the regions of a room that water or blocks divide. Every node but the one outside
and the basements has a place; every room has a node. Each pair of nodes with an edge takes one mode: a drawn door, a
door drawn on one side only, a wall between neighbouring rooms, stairs, or none because both nodes share a room.

Costs are in twentieths: 20 of them are what the cost model counts as 1. Cues that only break ties cost one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from solvent.dungeon.model import STEPS
from solvent.dungeon.notation.vglc.embedding.clauses import Formula
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.tiles import OPPOSITE, RoomAt, TileMap

WALL_COST = 60
"""A way through a plain wall, unless it is a bombable one."""
STAIRS_COST = 40
UNUSED_DOOR_COST = 160
"""A drawn door that no edge goes through."""
BOMBED_DOOR_COST = 40
"""A drawn door that is bombable in one direction."""
HALF_DOOR_COST = 120
"""A door drawn on one side only, unless its edge is one-way and leads into that side."""
GOAL_COST = 100
"""A goal in a room without four statues."""
UNUSED_STAIRS_COST = 40
"""Drawn stairs in a room whose node has neither stairs nor a basement."""
CUE_COST = 1

Place = tuple[RoomAt, int | None]
"""A room, and the number of one of its regions, or None for the whole."""
Pair = tuple[RoomAt, RoomAt]
"""Two neighbouring rooms."""


class MatchingFormula(Formula):
    """Hold the formula for one map and graph; `in_room` says what its solutions mean."""

    def __init__(self, tiles: TileMap, graph: Graph, *, walls: bool, strict: bool, max_clauses: int) -> None:
        """Write the formula. `walls`: plain walls may be walked through. `strict`: at most one drawn door is unused."""
        super().__init__(max_clauses)
        self.tiles, self.graph, self.walls, self.strict = tiles, graph, walls, strict
        outside = graph.outside
        pairs = [pair for pair in graph.pairs() if outside not in pair]
        self.basements = find_basements(graph)
        self.nodes = [node for node in graph.nodes if node != outside and node not in self.basements]
        self.above = {
            other if one in self.basements else one
            for one, other in pairs
            if (one in self.basements) != (other in self.basements)
        }
        """Nodes with a basement below them."""
        self.pairs = [pair for pair in pairs if not self.basements.intersection(pair)]
        self._inner_pairs = set(self.pairs)
        self.rooms = list(tiles.rooms)
        self.parts = {
            at: (None, *(range(len(room.regions)) if len(room.regions) > 1 else ())) for at, room in tiles.rooms.items()
        }
        self.divided = [at for at in self.rooms if len(self.parts[at]) > 1]
        self.doors: list[Pair] = []
        self.half_doors: dict[Pair, RoomAt] = {}
        """For each pair with a door on one side: the room on that side."""
        self.plain_walls: list[Pair] = []
        self._sort_walls()
        self.at: dict[tuple[str, RoomAt, int | None], int] = {}
        """True if a node is in this place."""
        self.in_room: dict[tuple[str, RoomAt], int] = {}
        """True if a node is in this room."""
        self.stairs_of: defaultdict[str, list[int]] = defaultdict(list)
        self.through_of: defaultdict[str, list[int]] = defaultdict(list)
        """For each node, its edges (but bombable ones) that go by stairs or through a plain wall."""
        self.inside_of: defaultdict[str, list[int]] = defaultdict(list)
        """For each node, its edges within a room."""
        self.drawn_by: defaultdict[Pair, list[int]] = defaultdict(list)
        self.plain_by: defaultdict[Pair, list[int]] = defaultdict(list)
        self.unused: dict[Pair, int] = {}
        self._place_nodes()
        walled = [self._link(one, other) for one, other in self.pairs]
        self._use_doors()
        self._count_edges([wall for wall in walled if wall is not None])
        for node in self.nodes:
            self._count_at(node)
        self._follow_cues()

    def _sort_walls(self) -> None:
        for at in self.rooms:
            for side in STEPS:
                beyond = self.tiles.neighbour(at, side)
                if beyond is None:
                    continue
                here = side in self.tiles.rooms[at].doors
                there = OPPOSITE[side] in self.tiles.rooms[beyond].doors
                if here and there:
                    self.doors.append((at, beyond))
                elif here or there:
                    self.half_doors[at, beyond] = at if here else beyond
                else:
                    self.plain_walls.append((at, beyond))

    def _place_nodes(self) -> None:
        for node in self.nodes:
            for at in self.rooms:
                places = [self.new() for _ in self.parts[at]]
                for part, place in zip(self.parts[at], places, strict=True):
                    self.at[node, at, part] = place
                self.in_room[node, at] = self.any_of(places)
                self.at_most_one(places)
            self.exactly_one([self.in_room[node, at] for at in self.rooms])
        for at in self.rooms:
            self.add(*(self.in_room[node, at] for node in self.nodes))
            whole = [self.at[node, at, None] for node in self.nodes]
            if len(self.parts[at]) == 1:
                self.at_most_one(whole)
            for part in self.parts[at][1:]:
                self.at_most_one(whole + [self.at[node, at, part] for node in self.nodes])
        entrances = sorted({at for at, _ in self.tiles.outside_doors()})
        if entrances:
            for one, other in self.graph.pairs():
                first = other if one == self.graph.outside else one if other == self.graph.outside else None
                if first in self.nodes:
                    self.add(*(self.in_room[first, at] for at in entrances))

    def _link(self, one: str, other: str) -> int | None:
        """Give a pair of nodes exactly one mode; returns the variable of "through a plain wall", if it has one."""
        labels = self.graph.labels_between(one, other)
        bombs = ["b" in each for each in labels]
        locked = any("k" in each or "K" in each for each in labels)
        if all(bombs):
            self.exactly_one([self._mode(one, other, self.plain_walls, self.plain_by)])
            return None
        modes = [self._mode(one, other, self.doors, self.drawn_by)]
        if any(bombs):
            self.pay(modes[0], BOMBED_DOOR_COST)
        fitting = [pair for pair, side in self.half_doors.items() if self._leads_into(one, other, pair, side)]
        for pairs, cost in ((fitting, 0), ([pair for pair in self.half_doors if pair not in fitting], HALF_DOOR_COST)):
            if pairs:
                modes.append(self._mode(one, other, pairs, self.drawn_by))
                self.pay(modes[-1], cost)
        wall = None
        if not any(bombs):
            if self.divided:
                modes.append(self._share(one, other))
            if not locked:
                stairs = self.new()
                through = [stairs]
                if self.walls:
                    wall = self._mode(one, other, self.plain_walls, self.plain_by)
                    through.append(wall)
                modes += through
                either = self.any_of(through)
                for node in (one, other):
                    self.stairs_of[node].append(stairs)
                    self.through_of[node].append(either)
        self.exactly_one(modes)
        return wall

    def _leads_into(self, one: str, other: str, pair: Pair, side: RoomAt) -> bool:
        """Tell whether an edge is one-way and would lead into the side of a half door that is drawn."""
        forth, back = (one, other) in self.graph.edges, (other, one) in self.graph.edges
        return (forth and not back and side == pair[1]) or (back and not forth and side == pair[0])

    def _mode(self, one: str, other: str, pairs: Sequence[Pair], used_by: defaultdict[Pair, list[int]]) -> int:
        """Return a variable that is true if the edge goes between two of these rooms, which it then uses up."""
        crosses = any("I" in labels for labels in self.graph.labels_between(one, other))
        chosen = []
        from_room: defaultdict[tuple[str, RoomAt], list[int]] = defaultdict(list)
        for here, there in pairs:
            choice = self.new()
            for node, at, beyond in ((one, here, there), (other, there, here)):
                places = [
                    self.at[node, at, part] for part in self.parts[at] if crosses or self._exits(at, part, beyond)
                ]
                if len(places) == len(self.parts[at]):
                    self.add(-choice, self.in_room[node, at])
                else:
                    self.add(-choice, *places)
                from_room[node, at].append(choice)
            chosen.append(choice)
            used_by[min((here, there), (there, here))].append(choice)
        mode = self.new()
        self.add(-mode, *chosen)
        for choice in chosen:
            self.add(-choice, mode)
        self.at_most_one(chosen)
        for node in (one, other):
            for at in self.rooms:
                self.add(-mode, -self.in_room[node, at], *from_room[node, at])
        return mode

    def _exits(self, at: RoomAt, part: int | None, beyond: RoomAt) -> bool:
        """Tell whether one gets from a part of a room to the wall towards a neighbour."""
        side = self.tiles.side_towards(at, beyond)
        touching = self.tiles.rooms[at].regions_at(side) if side else frozenset()
        return part is None or not touching or part in touching

    def _share(self, one: str, other: str) -> int:
        """Return a variable that is true if both nodes are parts of one room."""
        chosen = []
        for at in self.divided:
            choice = self.new()
            self.add(-choice, self.in_room[one, at])
            self.add(-choice, self.in_room[other, at])
            chosen.append(choice)
        share = self.any_of(chosen)
        for node in (one, other):
            self.inside_of[node].append(share)
        return share

    def _use_doors(self) -> None:
        for pair in sorted({min(pair, pair[::-1]) for pair in (*self.doors, *self.half_doors)}):
            self.unused[pair] = self.new()
            self.exactly_one([*self.drawn_by[pair], self.unused[pair]])
            if not self.strict:
                self.pay(self.unused[pair], UNUSED_DOOR_COST)
        if self.strict and self.unused:
            self.at_most_one(self.unused.values())
            self.pay(self.any_of(list(self.unused.values())), UNUSED_DOOR_COST)
        for choices in self.plain_by.values():
            self.at_most_one(choices)

    def _count_edges(self, walls: list[int]) -> None:
        """Pay for stairs and walls by their number.

        How many edges there are beyond the drawn doors is known, so the bound of the cost is as well: told in this
        way, it need not be found out edge by edge.
        """
        through = list(dict.fromkeys(each for node in self.nodes for each in self.through_of[node]))
        inside = list(dict.fromkeys(each for node in self.nodes for each in self.inside_of[node]))
        edges = sum(not all("b" in each for each in self.graph.labels_between(*pair)) for pair in self.pairs)
        beyond = edges - len(self.unused)
        if self.strict and self.unused:
            counted = self.count(through + inside)
            some_unused = self.any_of(list(self.unused.values()))
            self.at_least(counted, beyond)
            self.at_most(counted, beyond, some_unused)
            self.at_least(counted, beyond + 1, -some_unused)
            self.at_most(counted, beyond + 1)
        for one_more in self.count(through):
            self.pay(one_more, STAIRS_COST)
        for one_more in self.count(walls):
            self.pay(one_more, WALL_COST - STAIRS_COST)

    def _count_at(self, node: str) -> None:
        """Compare the number of a node's edges with the doors of the room it is in. All of this follows from the rest.

        A node alone in its room has all of its doors: what edges it has more go by stairs or through walls.
        """
        neighbours = [pair for pair in self.graph.pairs_of(node) if pair in self._inner_pairs]
        labels = [self.graph.labels_between(*pair) for pair in neighbours]
        bombs = sum(all("b" in each for each in both) for both in labels)
        others = len(labels) - bombs
        locked = sum(any("k" in each or "K" in each for each in both) for both in labels)
        through = self.count(self.through_of[node])
        beyond = self.count(self.through_of[node] + self.inside_of[node])
        for at in self.rooms:
            drawn = [unused for pair, unused in self.unused.items() if at in pair]
            doors, plain = len(drawn), sum(here == at for here, _ in self.plain_walls)
            if bombs > plain:
                self.add(-self.in_room[node, at])
                continue
            self.at_least(beyond, others - doors, -self.in_room[node, at])
            whole = self.at[node, at, None]
            excess = others - doors
            if locked > doors or excess > 1 + (plain - bombs if self.walls else 0):
                self.add(-whole)
            elif self.strict:
                self.at_least(through, excess, -whole)
                self.at_most(through, excess, -whole, *drawn)
                self.at_most(through, excess + 1, -whole)
                for unused in drawn:
                    self.at_least(through, excess + 1, -whole, -unused)
        self.at_most_one(self.stairs_of[node])
        if node in self.above:
            for stairs in self.stairs_of[node]:
                self.add(-stairs)

    def _follow_cues(self) -> None:
        rooms = self.tiles.rooms
        statues = [at for at in self.rooms if rooms[at].inside_count("M") == 4]
        with_stairs = [at for at in self.rooms if rooms[at].has_stairs]
        entrances = {at for at, _ in self.tiles.outside_doors()}
        for node in self.graph.goals:
            if node in self.nodes:
                elsewhere = self.new()
                self.add(elsewhere, *(self.in_room[node, at] for at in statues))
                self.pay(elsewhere, GOAL_COST)
        for at in with_stairs:
            idle = self.new()
            self.pay(idle, UNUSED_STAIRS_COST)
            for node in self.nodes:
                if node not in self.above:
                    self.add(-self.at[node, at, None], idle, *self.stairs_of[node])
        for node in self.nodes:
            shown = [self.in_room[node, at] for at in with_stairs]
            for stairs in self.stairs_of[node]:
                hidden = self.new()
                self.add(-stairs, hidden, *shown)
                self.pay(hidden, CUE_COST)
            odd: defaultdict[int, list[int]] = defaultdict(list)
            for at in self.rooms:
                odd[self._oddities(node, at, entrances)].append(self.in_room[node, at])
            for least in range(1, max(odd) + 1):
                reached = self.new()
                self.pay(reached, CUE_COST)
                for oddities, placed in odd.items():
                    if oddities >= least:
                        for literal in placed:
                            self.add(-literal, reached)

    def _oddities(self, node: str, at: RoomAt, entrances: set[RoomAt]) -> int:
        """Count what would be unusual about a node in a room."""
        labels, room = self.graph.nodes[node], self.tiles.rooms[at]
        return sum(
            (
                node in self.above and not room.has_stairs,
                not labels and not room.is_dark and at not in entrances,
                room.is_dark and ("k" in labels or "I" in labels),
                "p" in labels and not room.inside_count("BPI"),
            )
        )


def find_basements(graph: Graph) -> frozenset[str]:
    """Return the nodes that are rooms below the map: a single key item, and a single neighbour."""
    neighbours: defaultdict[str, int] = defaultdict(int)
    for pair in graph.pairs():
        for node in pair:
            neighbours[node] += 1
    return frozenset(node for node, labels in graph.nodes.items() if labels == ("I",) and neighbours[node] == 1)
