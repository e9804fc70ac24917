"""A map, its graph and a matching become one dungeon.

The graph says what is connected and what bars the way, the map says where it is. Rooms do not touch on the map, so
every edge becomes ways: between doorways that face each other, through a wall, by stairs, or past what divides a room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.formats import ROOM_HEIGHT, ROOM_WIDTH
from solvent.dungeon.model import FLOOR, NOTHING, STEPS, WALL, WATER, Dungeon, Floor, Pickup, Place, Room, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.labels import NODE_LABELS
from solvent.dungeon.notation.vglc.matching import MIDDLE, Matching, nearest_tile
from solvent.dungeon.notation.vglc.meaning import (
    CORPUS_RULES,
    GateBook,
    graph_remarks,
    pickups_of,
    require_what_is_needed,
    with_room_names,
)
from solvent.dungeon.notation.vglc.tiles import (
    DOORWAYS,
    OPPOSITE,
    THRESHOLDS,
    RoomAt,
    Tile,
    TileMap,
    TileRoom,
)

_TERRAIN = {"F": FLOOR, "O": FLOOR, "S": FLOOR, "D": FLOOR, "P": WATER, "W": WALL, "B": WALL, "M": WALL, "I": WALL}


def build_dungeon(tiles: TileMap, graph: Graph, matching: Matching, *, title: str = "") -> Dungeon:
    """Return the dungeon with all that had to be assumed in its remarks, or raise ParseError."""
    builder = _Builder(tiles, graph, matching)
    for one, other in graph.pairs():
        if graph.outside not in (one, other):
            builder.join(one, other)
    start = builder.start()
    builder.join_pieces()
    used = sorted({way.gate for way in builder.ways if way.gate is not None})
    number_of = {old: new for new, old in enumerate(used)}  # what water bars has no gate of its own
    dungeon = assemble(
        DungeonParts(
            [
                Floor("map", tuple(_terrain(tiles))),
                *(Floor(f"basement {node}", (FLOOR,)) for node in builder.basements),
            ],
            starts=[start],
            goals=[builder.spot(node) for node in graph.goals],
            pickups=list(builder.pickups()),
            gates=[builder.book.gates[old] for old in used],
            ways=[
                way if way.gate is None else replace(way, gate=number_of[way.gate])
                for way in dict.fromkeys(builder.ways)
            ],
            rooms=builder.rooms(),
            rules=CORPUS_RULES,
            title=title,
            goal_rule=None if graph.goal_rule is None else with_room_names(graph.goal_rule, builder.room_name),
            remarks=[*matching.remarks, *graph_remarks(graph), *builder.remarks()],
        ),
        locate=lambda thing: _locate(tiles, thing),
        strict=False,
    )
    require_what_is_needed(dungeon)
    return dungeon


def _locate(tiles: TileMap, thing: object) -> Mapping[str, Any]:
    """Say where something stands in the text of the map; what the graph alone has stands in no line of it."""
    place = thing if isinstance(thing, tuple) else getattr(thing, "place", None)
    if place is None or place[0] != 0:
        return {}
    return {"line": tiles.first_line + place[1], "column": place[2] + 1}


def _terrain(tiles: TileMap) -> Iterable[str]:
    for row, letters in enumerate(tiles.rows):
        line = ""
        for column, letter in enumerate(letters):
            room = tiles.rooms.get((row // ROOM_HEIGHT, column // ROOM_WIDTH))
            if room is None:
                line += NOTHING
            elif letter == "-" or (letter == "P" and room.is_sand):
                line += FLOOR if _is_inside(row % ROOM_HEIGHT, column % ROOM_WIDTH) else WALL
            else:
                line += _TERRAIN[letter]
        yield line


def _is_inside(row: int, column: int) -> bool:
    return 2 <= row < ROOM_HEIGHT - 2 and 2 <= column < ROOM_WIDTH - 2


class _Notes(Struct):
    """Gather what is worth a remark, each as names of nodes."""

    unmarked: dict[str, None] = field(default_factory=dict)
    """Nodes whose stairs are not drawn."""
    half_doors: list[str] = field(default_factory=list)
    walls: list[str] = field(default_factory=list)
    detours: list[str] = field(default_factory=list)
    """Edges whose node does not reach the wall they go through."""
    divided: list[str] = field(default_factory=list)
    """Edges between parts of a room that nothing on the map connects."""
    pieces: dict[str, None] = field(default_factory=dict)
    """Nodes whose room is in pieces."""
    no_entrance: bool = False


class _Builder:
    def __init__(self, tiles: TileMap, graph: Graph, matching: Matching) -> None:
        self.tiles, self.graph, self.matching = tiles, graph, matching
        self.basements = [node for node in graph.nodes if node in matching.basements]
        empty = [at for at in matching.rooms.values() if not tiles.rooms[at].regions]
        if empty:
            raise ParseError("floor in every room with a node, but there is none in the room", list(empty[0]))
        inner = {pair: ways for pair, ways in graph.edges.items() if graph.outside not in pair}
        self.book = GateBook(inner, self.room_name)
        self.ways: list[Way] = []
        self.notes = _Notes()
        self.used_doors: set[frozenset[RoomAt]] = set()
        self.needed: dict[str, set[int]] = {}
        """For each node alone in its room: the regions that its ways begin in."""

    def room_of(self, node: str) -> TileRoom:
        return self.tiles.rooms[self.matching.rooms[node]]

    def room_name(self, node: str) -> str:
        """Return what the room of a node is called: by its nodes."""
        if node in self.matching.basements:
            return f"basement {node}"
        if node not in self.matching.rooms:
            return node
        return " ".join(sorted(self.matching.nodes_in(self.matching.rooms[node]), key=_natural))

    def part_of(self, node: str) -> int | None:
        return self.matching.parts.get(node)

    def ground(self, node: str) -> frozenset[Tile]:
        """Return the tiles a node stands for."""
        regions = self.room_of(node).regions
        part = self.part_of(node)
        return frozenset().union(*regions) if part is None else regions[part]

    def spot_tile(self, node: str) -> Tile:
        """Return where in its room everything that belongs to a node is put."""
        part = self.part_of(node)
        region = self.room_of(node).regions[part or 0]
        if part is None:
            return nearest_tile(region, *MIDDLE)
        rows, columns = zip(*region, strict=True)
        return nearest_tile(region, sum(rows) / len(rows), sum(columns) / len(columns))

    def spot(self, node: str) -> Place:
        if node in self.matching.basements:
            return (1 + self.basements.index(node), 0, 0)
        return self.place(node, self.spot_tile(node))

    def place(self, node: str, tile: Tile) -> Place:
        """Return a tile of a node's room as a place of the dungeon, and note that it must be reached."""
        at = self.matching.rooms[node]
        if self.part_of(node) is None:
            self.needed.setdefault(node, set()).update(_regions_near(self.room_of(node), tile))
        return (0, at[0] * ROOM_HEIGHT + tile[0], at[1] * ROOM_WIDTH + tile[1])

    def join(self, one: str, other: str) -> None:
        """Make the ways of the edges between two nodes."""
        below = [node for node in (one, other) if node in self.matching.basements]
        if below:
            self.add(one, other, [(self.stairs(one), self.stairs(other))], "stairs")
            return
        here, there = self.matching.rooms[one], self.matching.rooms[other]
        side = self.tiles.side_towards(here, there)
        if here == there:
            self.join_parts(one, other)
        elif side is None or self.climbs(one, other, side):
            self.add(one, other, [(self.stairs(one), self.stairs(other))], "stairs")
        else:
            self.join_neighbours(one, other, side)

    def add(self, one: str, other: str, ends: list[tuple[Place, Place]], kind: str) -> None:
        for source, target in ends:
            self.ways += [Way(source, target, kind, gate) for gate in self.book.numbers.get((one, other), ())]
            self.ways += [Way(target, source, kind, gate) for gate in self.book.numbers.get((other, one), ())]

    def stairs(self, node: str) -> Place:
        """Return where a node's stairs are: where they are drawn, or if they are hidden, in the middle."""
        if node in self.matching.basements:
            return self.spot(node)
        drawn = sorted(tile for tile in self.ground(node) if self.room_of(node).letter(tile) == "S")
        if not drawn:
            self.notes.unmarked[node] = None
        return self.place(node, drawn[0]) if drawn else self.spot(node)

    def climbs(self, one: str, other: str, side: str) -> bool:
        """Tell whether neighbours are joined by stairs: no door between them, but stairs drawn in both."""
        rooms = self.room_of(one), self.room_of(other)
        doors = side in rooms[0].doors or OPPOSITE[side] in rooms[1].doors
        barred = any(label in "bkK" for labels in self.graph.labels_between(one, other) for label in labels)
        return not doors and not barred and all(room.has_stairs for room in rooms)

    def join_neighbours(self, one: str, other: str, side: str) -> None:
        drawn = (side in self.room_of(one).doors, OPPOSITE[side] in self.room_of(other).doors)
        if any(drawn):
            self.used_doors.add(frozenset((self.matching.rooms[one], self.matching.rooms[other])))
        bombable = all("b" in labels for labels in self.graph.labels_between(one, other))
        if any(drawn) and not all(drawn):
            self.notes.half_doors.append(f"{one} and {other}")
        elif not any(drawn) and not bombable:
            self.notes.walls.append(f"{one} and {other}")
        ranks = zip(self.doorway(one, side), self.doorway(other, OPPOSITE[side]), strict=True)
        facing = [(here, there) for here, there in ranks if here is not None and there is not None]
        if not facing:
            self.notes.detours.append(f"{one} and {other}")
            facing = [(self.nearest_exit(one, side), self.nearest_exit(other, OPPOSITE[side]))]
        ends = [(self.place(one, here), self.place(other, there)) for here, there in facing]
        self.add(one, other, ends, "door" if any(drawn) else "passage")

    def doorway(self, node: str, side: str) -> list[Tile | None]:
        """Return where one stands to go through a wall, by rank: in the door that is drawn, or before the wall."""
        ground, room = self.ground(node), self.room_of(node)
        reached = any(tile in ground for tile in THRESHOLDS[side])
        tiles: list[Tile | None] = []
        for door, threshold in zip(DOORWAYS[side], THRESHOLDS[side], strict=True):
            if reached and room.letter(door) == "D":
                tiles.append(door)
            else:
                tiles.append(threshold if threshold in ground else None)
        return tiles

    def nearest_exit(self, node: str, side: str) -> Tile:
        found = [tile for tile in self.doorway(node, side) if tile is not None]
        rows, columns = zip(*THRESHOLDS[side], strict=True)
        return (
            found[0] if found else nearest_tile(self.ground(node), sum(rows) / len(rows), sum(columns) / len(columns))
        )

    def join_parts(self, one: str, other: str) -> None:
        """Join two parts of a room: with the item over a single tile of water, as the rules have it, or by a way."""
        labels = self.graph.labels_between(one, other)
        if all(each == ("I",) for each in labels) and _leaps(self.room_of(one), self.ground(one), self.ground(other)):
            return
        here, there = _closest(self.ground(one), self.ground(other))
        self.add(one, other, [(self.place(one, here), self.place(other, there))], "passage")
        if any("s" not in each for each in labels):
            self.notes.divided.append(f"{one} and {other}")

    def join_pieces(self) -> None:
        """Join the pieces of each room that is one for the graph, as far as they are needed."""
        for node in list(self.needed):
            regions = self.room_of(node).regions
            middle = 0  # where everything that belongs to the node is put
            for number in sorted(self.needed[node] - {middle}):
                here, there = _closest(regions[middle], regions[number])
                ends = self.place(node, here), self.place(node, there)
                self.ways += [Way(*ends, "passage"), Way(*ends[::-1], "passage")]
                self.notes.pieces[node] = None

    def start(self) -> Place:
        """Return where the player enters: in the door to the outside of the first room."""
        pairs = [pair for pair in self.graph.pairs() if self.graph.outside in pair]
        if len(pairs) != 1:
            raise ParseError(f"one room beside the node {self.graph.outside}, labelled s", f"{len(pairs)} of them")
        first = next(node for node in pairs[0] if node != self.graph.outside)
        if first in self.matching.basements:
            return self.spot(first)
        for at, side in self.tiles.outside_doors():
            if at == self.matching.rooms[first]:
                return self.place(first, self.nearest_exit(first, side))
        self.notes.no_entrance = True
        return self.spot(first)

    def pickups(self) -> Iterable[Pickup]:
        for node, labels in self.graph.nodes.items():
            if node != self.graph.outside:
                for pickup in pickups_of(labels, self.spot(node), self.graph.things.get(node, ())):
                    rule = None if pickup.rule is None else with_room_names(pickup.rule, self.room_name)
                    yield replace(pickup, rule=rule)

    def rooms(self) -> list[Room]:
        found: dict[str, Room] = {}
        for node in self.graph.nodes:
            if node == self.graph.outside:
                continue
            name = self.room_name(node)
            if node in self.matching.basements:
                corner, height, width, nodes = self.spot(node), 1, 1, [node]
            else:
                at = self.matching.rooms[node]
                corner, height, width = (0, at[0] * ROOM_HEIGHT, at[1] * ROOM_WIDTH), ROOM_HEIGHT, ROOM_WIDTH
                nodes = self.matching.nodes_in(at)
            letters = {label for each in nodes for label in self.graph.nodes[each]}
            labels = tuple(meaning for letter, meaning in NODE_LABELS.items() if letter in letters)
            found[name] = Room(name, corner, height, width, labels)
        return list(found.values())

    def remarks(self) -> Iterable[str]:
        notes = self.notes
        yield "keys, items and enemies stand in the middle of their rooms: the map does not show where"
        if notes.no_entrance:
            yield "no door to the outside is drawn in the first room: the player starts in its middle"
        if notes.unmarked:
            yield f"stairs that are not drawn are put in the middle of the rooms {', '.join(notes.unmarked)}"
        if notes.walls:
            yield f"edges through plain walls, where one walks through: {'; '.join(notes.walls)}"
        if notes.half_doors:
            yield f"doors drawn on one side only: {'; '.join(notes.half_doors)}"
        if notes.detours:
            yield f"edges whose node does not touch the wall between: {'; '.join(notes.detours)}"
        if notes.divided:
            yield f"edges between parts of a room, as ways past what divides it: {'; '.join(notes.divided)}"
        if notes.pieces:
            yield f"rooms in pieces that the graph has as one, joined by ways: {', '.join(notes.pieces)}"
        unused = [
            f"{self.name_at(at)} and {self.name_at(beyond)}"
            for at, room in self.tiles.rooms.items()
            for side in ("E", "S")
            if (beyond := self.tiles.neighbour(at, side)) is not None
            and (side in room.doors or OPPOSITE[side] in self.tiles.rooms[beyond].doors)
            and frozenset((at, beyond)) not in self.used_doors
        ]
        empty = [at for at in self.tiles.rooms if not self.matching.nodes_in(at)]
        if empty:
            yield f"rooms that are drawn but have no node: {', '.join(self.name_at(at) for at in empty)}"
        if unused:
            yield f"doors that are drawn but have no edge are left shut: {'; '.join(unused)}"

    def name_at(self, at: RoomAt) -> str:
        return " ".join(self.matching.nodes_in(at)) or f"the room in row {at[0]}, column {at[1]}"


def _natural(name: str) -> tuple[int, str]:
    return len(name), name


def _regions_near(room: TileRoom, tile: Tile) -> set[int]:
    """Return the region a tile is in; for a doorway, one of those it opens to."""
    inside = {number for number, region in enumerate(room.regions) if tile in region}
    for side, doorway in DOORWAYS.items():
        if tile in doorway:
            return set(sorted(room.regions_at(side))[:1])
    return inside


def _closest(one: frozenset[Tile], other: frozenset[Tile]) -> tuple[Tile, Tile]:
    """Return the two tiles of two regions that are nearest to each other."""
    return min(
        ((here, there) for here in one for there in other),
        key=lambda ends: (abs(ends[0][0] - ends[1][0]) + abs(ends[0][1] - ends[1][1]), ends),
    )


def _leaps(room: TileRoom, one: frozenset[Tile], other: frozenset[Tile]) -> bool:
    """Tell whether one region is reached from another on foot and over single tiles of water, within the room."""
    floor = frozenset().union(*room.regions)
    seen, waiting = set(one), list(one)
    while waiting:
        row, column = waiting.pop()
        for down, right in STEPS.values():
            step, leap = (row + down, column + right), (row + 2 * down, column + 2 * right)
            over_water = step not in floor and _is_inside(*step) and room.letter(step) == "P"
            landing = step if step in floor else leap if over_water and leap in floor else None
            if landing is not None and landing not in seen:
                seen.add(landing)
                waiting.append(landing)
    return not seen.isdisjoint(other)
