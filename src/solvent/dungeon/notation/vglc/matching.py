"""Which node of a graph is where on a tile map: data, and files that say so.

A file is JSON: each node's name with `[row, column]` of its room in the grid of rooms (from 0), `"basement"` for a room
below the map, or `"outside"` for the node the player comes from. Nodes that share a room say where in it they are,
`[row, column, tile row, tile column]`; where they do not, the part that fits their edges best is taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from hashlib import sha256
from itertools import permutations
from math import perm
from typing import Any

from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.dungeon.notation.vglc.graph import Graph
from solvent.dungeon.notation.vglc.tiles import INSIDE, RoomAt, Tile, TileMap

BASEMENT, OUTSIDE = "basement", "outside"
MAX_SHARINGS = 50_000
"""In how many ways nodes may be put into the parts of one room, for the best to be looked for."""


class Matching(Struct, frozen=True, dict=True):
    """Hold where each node is."""

    rooms: Mapping[str, RoomAt]
    """Each node's room; nodes in basements and outside have none."""
    basements: frozenset[str] = frozenset()
    parts: Mapping[str, int] = field(default_factory=dict)
    """Which region of its room a node is in, for nodes that share one."""
    remarks: tuple[str, ...] = ()
    """How it was come by, for people."""

    def nodes_in(self, at: RoomAt) -> list[str]:
        """Return the nodes in a room."""
        return self._nodes_by_room.get(at, [])

    @cached_property
    def _nodes_by_room(self) -> dict[RoomAt, list[str]]:
        found: dict[RoomAt, list[str]] = {}
        for node, room in self.rooms.items():
            found.setdefault(room, []).append(node)
        return found


def content_key(map_text: str, graph_text: str) -> str:
    """Return a short hash of a map and its graph that line ends and blanks around the lines do not change."""
    plain = ("\n".join(line.strip() for line in text.split("\n")).strip() for text in (map_text, graph_text))
    return sha256("\n\n".join(plain).encode()).hexdigest()[:16]


def reference_matching(map_text: str, graph_text: str) -> Mapping[str, Any] | None:
    """Return the matching that is shipped for this map and graph, as a file would say it; None for most."""
    import json
    from importlib.resources import files

    text = files("solvent.dungeon.notation.vglc").joinpath("reference.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] | None = json.loads(text).get(content_key(map_text, graph_text))
    return found


def read_matching(values: Any, tiles: TileMap, graph: Graph, *, path: str = "") -> Matching:
    """Check a matching against its map and graph, or raise ParseError; `path` says where in the JSON it stands."""
    if not isinstance(values, Mapping):
        raise ParseError("an object with a place for each node", values, path=path or "the top")
    rooms: dict[str, RoomAt] = {}
    spots: dict[str, Tile] = {}
    basements: set[str] = set()
    for node, value in values.items():
        where = f"{path}.{node}" if path else str(node)
        if node not in graph.nodes:
            raise ParseError("nodes of the graph", node, path=where)
        if value == OUTSIDE or node == graph.outside:
            if value != OUTSIDE or node != graph.outside:
                raise ParseError(
                    f'"outside" for the node {graph.outside}, labelled s, and for no other', value, path=where
                )
        elif value == BASEMENT:
            basements.add(node)
        else:
            rooms[node], spot = _read_place(value, tiles, where)
            if spot is not None:
                spots[node] = spot
    missing = [node for node in graph.nodes if node not in rooms and node not in basements and node != graph.outside]
    if missing:
        raise ParseError(f"a place for every node, but there is none for {', '.join(missing)}", path=path or None)
    _require_neighbours(graph, basements, path)
    return Matching(rooms, frozenset(basements), _find_parts(rooms, spots, tiles, graph, path))


def _read_place(value: Any, tiles: TileMap, where: str) -> tuple[RoomAt, Tile | None]:
    numbers = value if isinstance(value, list) else []
    if len(numbers) not in (2, 4) or not all(type(number) is int for number in numbers):
        raise ParseError('[row, column] of a room, or with a tile in it, or "basement"', value, path=where)
    at = (numbers[0], numbers[1])
    if at not in tiles.rooms:
        raise ParseError("a room that is drawn on the map", list(at), path=where)
    if len(numbers) == 2:
        return at, None
    spot = (numbers[2], numbers[3])
    if not any(spot in region for region in tiles.rooms[at].regions):
        raise ParseError("a tile inside the room one can stand on", list(spot), path=where)
    return at, spot


def _require_neighbours(graph: Graph, basements: set[str], path: str) -> None:
    for node in basements:
        if not graph.pairs_of(node):
            raise ParseError("an edge to every basement", node, path=path or None)


def _find_parts(
    rooms: Mapping[str, RoomAt], spots: Mapping[str, Tile], tiles: TileMap, graph: Graph, path: str
) -> dict[str, int]:
    """Choose a region for each node that shares its room."""
    sharing: defaultdict[RoomAt, list[str]] = defaultdict(list)
    for node, at in rooms.items():
        sharing[at].append(node)
    parts: dict[str, int] = {}
    for at, nodes in sharing.items():
        if len(nodes) == 1:
            continue
        regions = tiles.rooms[at].regions
        if len(nodes) > len(regions):
            raise ParseError(
                f"at most {len(regions)} nodes in the room {list(at)}, one for each part of it that hangs together",
                ", ".join(nodes),
                path=path or None,
            )
        fixed = {node: _region_of(regions, spots[node]) for node in nodes if node in spots}
        if len(set(fixed.values())) < len(fixed):
            raise ParseError(f"nodes that share the room {list(at)} in parts of their own", ", ".join(nodes), path=path)
        loose = [node for node in nodes if node not in fixed]
        free = [part for part in range(len(regions)) if part not in fixed.values()]
        if perm(len(free), len(loose)) > MAX_SHARINGS:
            raise ParseError(
                f"the tile of every node in the room {list(at)}, which has {len(regions)} parts",
                ", ".join(loose),
                path=path or None,
            )
        misfits = {node: _misfits(node, at, rooms, tiles, graph) for node in loose}
        best = min(permutations(free, len(loose)), key=lambda chosen: _badness(misfits, chosen))
        parts.update(fixed)
        parts.update(zip(loose, best, strict=True))
    return parts


def _badness(misfits: Mapping[str, list[int]], chosen: tuple[int, ...]) -> tuple[int, int]:
    """Count the edges that do not fit where nodes are put; then prefer large regions."""
    return sum(counts[part] for counts, part in zip(misfits.values(), chosen, strict=True)), sum(chosen)


def _region_of(regions: tuple[frozenset[Tile], ...], spot: Tile) -> int:
    return next(number for number, region in enumerate(regions) if spot in region)


def _misfits(node: str, at: RoomAt, rooms: Mapping[str, RoomAt], tiles: TileMap, graph: Graph) -> list[int]:
    """Count for each region of a room the edges of a node out of that room whose side the region does not touch."""
    counts = [0] * len(tiles.rooms[at].regions)
    for one, other in graph.pairs_of(node):
        if any("I" in labels for labels in graph.labels_between(one, other)):
            continue  # with the item, the room is crossed to any side
        beyond = other if one == node else one
        side = tiles.side_towards(at, rooms[beyond]) if beyond in rooms else None
        touching = tiles.rooms[at].regions_at(side) if side is not None else frozenset()
        if touching:
            counts = [count + (part not in touching) for part, count in enumerate(counts)]
    return counts


def nearest_tile(tiles: frozenset[Tile] | tuple[Tile, ...], row: float, column: float) -> Tile:
    """Return the tile nearest to a point of a room; of several, the first."""
    return min(sorted(tiles), key=lambda tile: abs(tile[0] - row) + abs(tile[1] - column))


MIDDLE = (sum(row for row, _ in INSIDE) / len(INSIDE), sum(column for _, column in INSIDE) / len(INSIDE))
"""The middle of a room."""
