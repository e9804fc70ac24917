"""A graph without its map: a dungeon in which each room is a single tile. To DOT and back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import FLOOR, Cleared, Dungeon, Floor, Gate, Pickup, Place, Room, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.requirements import atoms_of, format_requirement
from solvent.dungeon.notation.text.things import Thing, format_thing
from solvent.dungeon.notation.vglc.graph import Graph, parse_dot
from solvent.dungeon.notation.vglc.labels import NEEDS, is_switch
from solvent.dungeon.notation.vglc.meaning import (
    BOSS,
    BOSS_LOCK,
    CORPUS_RULES,
    ITEM,
    ROOM_LABELS,
    GateBook,
    graph_remarks,
    pickups_of,
    require_what_is_needed,
    room_labels,
)

_BARE = re.compile(r"[A-Za-z0-9_]+")
_MAX_LETTERS = 20
"""More keys than this in a room are written as a number."""
_RESERVED = ("node", "edge", "graph", "digraph", "subgraph", "strict")


def parse_graph(text: str) -> Dungeon:
    """Read a graph as a dungeon of one tile a room, or raise ParseError."""
    graph = parse_dot(text)
    places: dict[str, Place] = {node: (number, 0, 0) for number, node in enumerate(graph.nodes)}
    book = GateBook(graph.edges, lambda node: node)
    guarded = {gate.needs[0] for gate in book.gates if gate.kind == "soft"} | _cleared(graph, book)
    rooms = [
        Room(node, places[node], 1, 1, room_labels(labels))
        for node, labels in graph.nodes.items()
        if room_labels(labels) or node in guarded
    ]
    dungeon = assemble(
        DungeonParts(
            [Floor(node, (FLOOR,)) for node in graph.nodes],
            starts=[places[graph.outside]],
            goals=[places[node] for node in graph.goals],
            pickups=[
                pickup
                for node, labels in graph.nodes.items()
                for pickup in pickups_of(labels, places[node], graph.things.get(node, ()))
            ],
            gates=book.gates,
            ways=[
                Way(places[one], places[other], "door", gate)
                for (one, other), gates in book.numbers.items()
                for gate in gates
            ],
            rooms=rooms,
            rules=CORPUS_RULES,
            title=graph.title,
            goal_rule=graph.goal_rule,
            remarks=graph_remarks(graph),
        ),
        locate=lambda thing: _locate(graph, thing),
        strict=False,
    )
    require_what_is_needed(dungeon)
    return dungeon


def _locate(graph: Graph, thing: object) -> Mapping[str, Any]:
    """Say in which line a room or a way stands; nowhere for a way that is drawn several times."""
    names = list(graph.nodes)
    if isinstance(thing, Way):
        lines = graph.edge_lines.get((names[thing.source[0]], names[thing.target[0]]), ())
        return {"line": lines[0]} if len(lines) == 1 else {}
    place = thing if isinstance(thing, tuple) else getattr(thing, "place", None)
    return {} if place is None else {"line": graph.node_lines[names[place[0]]]}


def _cleared(graph: Graph, book: GateBook) -> set[str]:
    """Return the nodes that something asks to be cleared."""
    rules = [gate.rule for gate in book.gates] + [graph.goal_rule]
    rules += [thing.rule for things in graph.things.values() for thing in things]
    return {atom.room for rule in rules for atom in atoms_of(rule) if isinstance(atom, Cleared)}


def format_graph(dungeon: Dungeon) -> str:
    """Write a dungeon of one tile a room as a graph; raises BadOption for what a graph cannot say."""
    _require_what_graphs_say(dungeon)
    title = f"{_quoted(dungeon.title)} " if dungeon.title else ""
    lines = [f"digraph {title}{{"]
    names = [_named(floor.name) for floor in dungeon.floors]
    for number, name in enumerate(names):
        labels, others = _node_labels(dungeon, (number, 0, 0))
        attributes = [f'label="{",".join(labels)}"']
        if others:
            attributes.append(f"has={_quoted(' + '.join(others))}")
        if dungeon.goal_rule is not None and (number, 0, 0) in dungeon.goals:
            attributes.append(f"needs={_quoted(format_requirement(dungeon.goal_rule))}")
        lines.append(f"{name} [{' '.join(attributes)}]")
    # Gates are numbered as their edges appear, so the edges with gates come in the order of these.
    for way in sorted(dungeon.ways, key=lambda way: len(dungeon.gates) if way.gate is None else way.gate):
        gate = None if way.gate is None else dungeon.gates[way.gate]
        source = dungeon.floors[way.source[0]].name
        label = _quoted(_edge_label(gate, source))
        lines.append(f"{names[way.source[0]]} -> {names[way.target[0]]} [label={label}]")
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


def _node_labels(dungeon: Dungeon, place: Place) -> tuple[list[str], list[str]]:
    """Return the labels of a room, and what it has that no label says."""
    meanings = {label for room in dungeon.rooms if room.corner == place for label in room.labels}
    labels = ["s"] * (place == dungeon.start) + ["t"] * (place in dungeon.goals)
    labels += [letter for letter, meaning in ROOM_LABELS.items() if meaning in meanings]
    others: list[str] = []
    for pickup in dungeon.pickups:
        if pickup.place == place:
            letters = _pickup_labels(pickup)
            if letters is None:
                names = (pickup.name,) if pickup.name else ()
                thing = Thing(pickup.kind, names, pickup.count, rule=pickup.rule, renews=pickup.renews)
                others.append(format_thing(thing))
            else:
                labels += letters
    return labels, others


def _pickup_labels(pickup: Pickup) -> list[str] | None:
    """Return the labels of a pickup; None if no letter says it."""
    if pickup.rule is not None or pickup.renews:
        return None
    if pickup.kind == "monster":
        return []  # said by the labels of its room
    if pickup.kind == "key" and pickup.name in ("", BOSS) and pickup.count <= _MAX_LETTERS:
        return ["K" if pickup.name else "k"] * pickup.count
    if pickup.kind == "item" and pickup.count == 1 and (pickup.name == ITEM or is_switch(pickup.name)):
        return ["I" if pickup.name == ITEM else pickup.name]
    if pickup.kind == "bombs" and not pickup.count:
        return ["i"]
    return None


def _edge_label(gate: Gate | None, source: str) -> str:
    if gate is None:
        return ""
    if gate.kind == "lock":
        if gate.needs[0]:
            raise BadOption(f"a graph cannot hold a {gate.needs[0]} lock, which uses up its key")
        return "k"
    if gate.rule is not None:
        return "K" if gate.rule == BOSS_LOCK.rule else f"{NEEDS}{format_requirement(gate.rule)}"
    if gate.kind == "cracked":
        return "b"
    if gate.kind == "soft":
        return "l" if gate.needs[0] == source else ""
    return ",".join("I" if need == ITEM else _switch_label(need) for need in gate.needs)


def _switch_label(name: str) -> str:
    if re.fullmatch(r"S[0-9]*", name) is None:
        raise BadOption(
            f"a graph cannot hold a gate for the item {name!r}, only for {ITEM!r} and switches such as 'S1'; "
            f"it can hold one with a requirement (needs {name})"
        )
    return name


def _named(name: str) -> str:
    return name if _BARE.fullmatch(name) and name not in _RESERVED else _quoted(name)


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
