"""A graph without its map: a dungeon in which each room is a single tile. To DOT and back."""

from __future__ import annotations

import re

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import FLOOR, Dungeon, Floor, Gate, Pickup, Place, Room, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.vglc.graph import parse_dot
from solvent.dungeon.notation.vglc.meaning import (
    BOSS,
    CORPUS_RULES,
    ITEM,
    ROOM_LABELS,
    GateBook,
    graph_remarks,
    pickups_of,
    room_labels,
)

_BARE = re.compile(r"[A-Za-z0-9_]+")
_RESERVED = ("node", "edge", "graph", "digraph", "subgraph", "strict")


def parse_graph(text: str) -> Dungeon:
    """Read a graph as a dungeon of one tile a room, or raise ParseError."""
    graph = parse_dot(text)
    places: dict[str, Place] = {node: (number, 0, 0) for number, node in enumerate(graph.nodes)}
    book = GateBook(graph.edges, lambda node: node)
    guarded = {gate.needs[0] for gate in book.gates if gate.kind == "soft"}
    rooms = [
        Room(node, places[node], 1, 1, room_labels(labels))
        for node, labels in graph.nodes.items()
        if room_labels(labels) or node in guarded
    ]
    return assemble(
        DungeonParts(
            [Floor(node, (FLOOR,)) for node in graph.nodes],
            starts=[places[graph.outside]],
            goals=[places[node] for node in graph.goals],
            pickups=[pickup for node, labels in graph.nodes.items() for pickup in pickups_of(labels, places[node])],
            gates=book.gates,
            ways=[
                Way(places[one], places[other], "door", gate)
                for (one, other), gates in book.numbers.items()
                for gate in gates
            ],
            rooms=rooms,
            rules=CORPUS_RULES,
            title=graph.title,
            remarks=graph_remarks(graph),
        ),
        strict=False,
    )


def format_graph(dungeon: Dungeon) -> str:
    """Write a dungeon of one tile a room as a graph; raises BadOption for what a graph cannot say."""
    _require_what_graphs_say(dungeon)
    title = f"{_quoted(dungeon.title)} " if dungeon.title else ""
    lines = [f"digraph {title}{{"]
    names = [_named(floor.name) for floor in dungeon.floors]
    for number, name in enumerate(names):
        lines.append(f'{name} [label="{",".join(_node_labels(dungeon, (number, 0, 0)))}"]')
    # Gates are numbered as their edges appear, so the edges with gates come in the order of these.
    for way in sorted(dungeon.ways, key=lambda way: len(dungeon.gates) if way.gate is None else way.gate):
        gate = None if way.gate is None else dungeon.gates[way.gate]
        source = dungeon.floors[way.source[0]].name
        lines.append(f'{names[way.source[0]]} -> {names[way.target[0]]} [label="{_edge_label(gate, source)}"]')
    text = "\n".join([*lines, "}"]) + "\n"
    try:
        same = parse_graph(text) == dungeon
    except ParseError as error:
        raise BadOption(f"a graph cannot hold this dungeon: {error}") from None
    if not same:
        raise BadOption(
            "a graph cannot hold this dungeon: some gate, room or label in it is none that a graph would give"
        )
    return text


def _require_what_graphs_say(dungeon: Dungeon) -> None:
    wrong = {
        "maps of more than one tile of floor": any(floor.terrain != (FLOOR,) for floor in dungeon.floors),
        "switches": bool(dungeon.switches),
        "blocks": bool(dungeon.blocks),
        "moves that were played": bool(dungeon.played),
        "rules other than the corpus's": dungeon.rules != CORPUS_RULES,
        "gates on tiles, with names or worked by switches": any(
            gate.cells or gate.name or gate.kind == "barrier" for gate in dungeon.gates
        ),
        "ways that are not doors": any(way.kind != "door" for way in dungeon.ways),
        "labels of rooms other than " + ", ".join(ROOM_LABELS.values()): any(
            label not in ROOM_LABELS.values() for room in dungeon.rooms for label in room.labels
        ),
    }
    for what, found in wrong.items():
        if found:
            raise BadOption(f"a graph cannot hold {what}")


def _node_labels(dungeon: Dungeon, place: Place) -> list[str]:
    meanings = {label for room in dungeon.rooms if room.corner == place for label in room.labels}
    labels = ["s"] * (place == dungeon.start) + ["t"] * (place in dungeon.goals)
    labels += [letter for letter, meaning in ROOM_LABELS.items() if meaning in meanings]
    for pickup in dungeon.pickups:
        if pickup.place == place:
            labels += _pickup_labels(pickup)
    return labels


def _pickup_labels(pickup: Pickup) -> list[str]:
    if pickup.kind == "key" and pickup.name in ("", BOSS):
        return ["K" if pickup.name else "k"] * pickup.count
    if pickup.kind == "item":
        return ["I" if pickup.name == ITEM else _switch_label(pickup.name)]
    if pickup.kind == "bombs":
        return ["i"]
    if pickup.kind == "monster":
        return []  # said by the labels of its room
    raise BadOption(f"a graph cannot hold a {pickup.name} key")


def _edge_label(gate: Gate | None, source: str) -> str:
    if gate is None:
        return ""
    if gate.kind == "lock":
        if gate.needs[0] not in ("", BOSS):
            raise BadOption(f"a graph cannot hold a {gate.needs[0]} lock")
        return "K" if gate.needs[0] else "k"
    if gate.kind == "cracked":
        return "b"
    if gate.kind == "soft":
        return "l" if gate.needs[0] == source else ""
    return ",".join("I" if need == ITEM else _switch_label(need) for need in gate.needs)


def _switch_label(name: str) -> str:
    if re.fullmatch(r"S[0-9]*", name) is None:
        raise BadOption(f"a graph cannot hold the item {name!r}, only {ITEM!r} and switches such as 'S1'")
    return name


def _named(name: str) -> str:
    return name if _BARE.fullmatch(name) and name not in _RESERVED else _quoted(name)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
