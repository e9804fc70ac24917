"""Find what joins the rooms of a dungeon, for a picture of them as a graph.

Between rooms stand gates, water, one-way tiles and bits of corridor. They become what a join asks for, unless something
lies on them or a corridor forks: then they are nodes of the graph as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from msgspec import Struct

from solvent.dungeon.model import NOTHING, STEPS, WALL, Dungeon, Place
from solvent.dungeon.rooms import Area, is_single_tile, room_of, rooms_of
from solvent.dungeon.rules import Game


class Join(Struct, frozen=True):
    """Hold a way from one node to another, and what it asks for."""

    source: int
    target: int
    kind: str
    """`step` for walking across, else the kind of the way."""
    gates: tuple[int, ...]
    """All that stand on it, by number."""
    wet: bool
    """Whether it leads over water."""
    both: bool = False
    """Whether it leads back just so."""


class RoomGraph(Struct, frozen=True):
    """Hold the rooms of a dungeon and the joins between them."""

    nodes: tuple[Area, ...]
    """The rooms that `rooms_of` finds come first, if they are nodes at all; bits of corridor have no name."""
    joins: tuple[Join, ...]
    node_of: dict[Place, int]
    """Which node a tile belongs to; tiles between nodes are left out."""


Label = tuple[str, frozenset[int], bool]
"""Kind of a join, its gates, and whether it is wet."""


def find_room_graph(dungeon: Dungeon) -> RoomGraph:
    """Return the rooms of a dungeon as a graph."""
    parts = _Parts(dungeon)
    arcs = parts.arcs()
    between = parts.find_between(arcs)
    kept = [number for number in range(len(parts.areas)) if number not in between]
    new_number = {old: new for new, old in enumerate(kept)}
    found: dict[tuple[int, int, Label], None] = {}
    for source in kept:
        waiting: list[tuple[int, Label]] = [(source, ("step", frozenset(), False))]
        seen = {source}
        for here, (kind, gates, wet) in waiting:  # grows while it is walked through
            for target, (arc_kind, arc_gates, arc_wet) in arcs[here]:
                label = (kind if kind != "step" else arc_kind, gates | arc_gates, wet or arc_wet)
                if target not in between:
                    if target != source:
                        found[new_number[source], new_number[target], label] = None
                elif target not in seen:
                    seen.add(target)
                    waiting.append((target, label))
    joins = []
    for source, target, label in found:
        kind, gates, wet = label
        back = (target, source, label) in found
        if not back or source < target:
            joins.append(Join(source, target, kind, tuple(sorted(gates)), wet, back))
    nodes = tuple(parts.areas[number] for number in kept)
    node_of = {place: number for number, node in enumerate(nodes) for place in node.places}
    return RoomGraph(nodes, tuple(joins), node_of)


class _Parts:
    """Cut a dungeon into rooms and the pieces between them; together they are all tiles one can stand on."""

    def __init__(self, dungeon: Dungeon) -> None:
        self.dungeon = dungeon
        self.game = Game(dungeon)
        rooms = rooms_of(dungeon)
        self.rooms = len(rooms)
        single = {number for number in range(len(dungeon.floors)) if is_single_tile(dungeon, number)}
        gated = {cell for cell in self.game.gate_at if cell[0] not in single}
        self.part_of = {place: n for place, n in room_of(dungeon, rooms).items() if place not in gated}
        places: list[list[Place]] = [[] for _ in rooms]
        for place, number in self.part_of.items():
            places[number].append(place)
        self.areas = [
            Area(room.name, tuple(sorted(some)), room.labels, room.given)
            for room, some in zip(rooms, places, strict=True)
        ]
        for piece in self._pieces():
            self.part_of.update(dict.fromkeys(piece, len(self.areas)))
            self.areas.append(Area("", tuple(sorted(piece)), given=False))

    def _pieces(self) -> Iterator[list[Place]]:
        """Yield the tiles that belong to no room, as connected pieces of one gate, of water, or of one direction."""
        gate_at = self.game.gate_at
        left: dict[Place, object] = {}
        for floor, storey in enumerate(self.dungeon.floors):
            for row, line in enumerate(storey.terrain):
                for column, letter in enumerate(line):
                    place = (floor, row, column)
                    if letter not in (WALL, NOTHING) and place not in self.part_of:
                        left[place] = gate_at.get(place, letter)
        while left:
            first = next(iter(left))
            look = left.pop(first)
            piece = [first]
            for floor, row, column in piece:  # grows while it is walked through
                for down, right in STEPS.values():
                    near = (floor, row + down, column + right)
                    if left.get(near) == look:
                        del left[near]
                        piece.append(near)
            yield piece

    def arcs(self) -> list[list[tuple[int, Label]]]:
        """Return for each part where a single move leads from it, and what that asks for."""
        found: list[dict[tuple[int, Label], None]] = [{} for _ in self.areas]
        nothing: frozenset[int] = frozenset()
        for place, part in self.part_of.items():
            for direction in STEPS:
                landing = self.game.landing(place, direction)
                if landing is None or self.part_of[landing[0]] == part:
                    continue
                target, wet = landing
                found[part][self.part_of[target], ("step", self._gates(target), wet)] = None
        for way in self.dungeon.ways:
            source, target_part = self.part_of[way.source], self.part_of[way.target]
            gates = self._gates(way.target) | (nothing if way.gate is None else {way.gate})
            found[source][target_part, (way.kind, gates, False)] = None
        return [list(arcs) for arcs in found]

    def find_between(self, arcs: list[list[tuple[int, Label]]]) -> set[int]:
        """Return the parts that only lie between others: nothing is on them, and corridors do not fork or end."""
        things = {pickup.place for pickup in self.dungeon.pickups} | {plate.place for plate in self.dungeon.switches}
        things |= {self.dungeon.start, *self.dungeon.goals} | {block.place for block in self.dungeon.blocks}
        busy = {self.part_of[place] for place in things if place in self.part_of}  # a lever may be in a wall
        near: dict[int, set[int]] = defaultdict(set)
        for source, some in enumerate(arcs):
            for target, _ in some:
                near[source].add(target)
                near[target].add(source)
        between = set()
        for number, area in enumerate(self.areas):
            if number in busy or area.given:
                continue
            # Where no room has a name, the areas found between gates are the rooms.
            corridor = number < self.rooms and bool(self.dungeon.rooms) and len(near[number]) == 2
            if number >= self.rooms or corridor:
                between.add(number)
        return between

    def _gates(self, place: Place) -> frozenset[int]:
        gate = self.game.gate_at.get(place)
        return frozenset() if gate is None else frozenset((gate,))
