"""Graphs in JSON: our own, and node-link files as networkx writes them.

`nodes` is a number of nodes, or a list of positions, names, or objects with `id`, a position and attributes. `edges` or
`links` is a list of two nodes each, `["a", "b"]`, perhaps with their orbitals, `["a", "b", "right", "left"]`, or of
objects with `source` and `target`, or `from` and `to`, and attributes. A text names a node by its id. A number does so
too if ids are numbers; otherwise it counts the nodes from 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from solvent.core.errors import ParseError
from solvent.formats.typed_json import read_json
from solvent.valency.model import MAX_NODES
from solvent.valency.notation.graphs.reading import WrittenGraph, edge_orbitals, name_nodes, position_of

_IDS = ("id", "name")
_ENDS = (("from", "to"), ("source", "target"))
BY = {"orbitals": True, "directions": False}
"""How edges come by their orbitals: they say them, or they are matched by where they point."""


def read_graph_json(text: str) -> WrittenGraph:
    """Read a graph that is a file of its own."""
    return written_graph(read_json(text, dict[str, Any], "a graph"), "$")


def written_graph(values: Mapping[str, Any], path: str) -> WrittenGraph:
    """Read a graph from JSON values."""
    if "nodes" not in values:
        raise ParseError("the key 'nodes', but it is missing", path=path)
    written = WrittenGraph(is_directed=values.get("directed") is True)
    by = values.get("by")
    if by is not None:
        if not isinstance(by, str) or by not in BY:
            raise ParseError(f"one of {', '.join(BY)}", by, path=f"{path}.by")
        written.by_orbitals = BY[by]
    ids = _read_nodes(values["nodes"], written, f"{path}.nodes")
    key = "links" if "links" in values and "edges" not in values else "edges"
    edges = values.get(key, [])
    if not isinstance(edges, list):
        raise ParseError("a list of edges", edges, path=f"{path}.{key}")
    counted = not any(isinstance(one, int) for one in ids)
    written.edge_places = [f"{path}.{key}[{number}]" for number in range(len(edges))]
    for edge, place in zip(edges, written.edge_places, strict=True):
        _read_edge(edge, ids, counted, written, place)
    return written


def _read_nodes(nodes: Any, written: WrittenGraph, path: str) -> dict[Any, int]:
    """Read the nodes; returns their ids, or nothing if they are only counted."""
    if isinstance(nodes, int) and not isinstance(nodes, bool):
        if not 1 <= nodes <= MAX_NODES:
            raise ParseError(f"from 1 to {MAX_NODES} nodes", nodes, path=path)
        written.names = [""] * nodes
        written.positions = [(0.0, 0.0, 0.0)] * nodes
        written.attributes = [{}] * nodes
        written.node_places = [path] * nodes
        return {}
    if not isinstance(nodes, list):
        raise ParseError("a list of nodes, or how many there are", nodes, path=path)
    if len(nodes) > MAX_NODES:
        raise ParseError(f"from 1 to {MAX_NODES} nodes", len(nodes), path=path)
    written.node_places = [f"{path}[{number}]" for number in range(len(nodes))]
    ids: list[Any] = []
    for node, place in zip(nodes, written.node_places, strict=True):
        attributes: Mapping[str, Any]
        if isinstance(node, str):
            attributes = {"id": node}
        elif isinstance(node, list):
            attributes = {"position": node}
        elif isinstance(node, Mapping):
            attributes = node
        else:
            raise ParseError("a node: its name, its position, or an object", node, path=place)
        written.attributes.append(attributes)
        written.positions.append(position_of(written, attributes, place))
        key = next((name for name in _IDS if name in attributes), None)
        one = None if key is None else attributes[key]
        if key is not None and (isinstance(one, bool) or not isinstance(one, str | int) or one == ""):
            raise ParseError("a name or a number", one, path=f"{place}.{key}")
        ids.append(one)
    named = [one is not None for one in ids]
    if any(named) and not all(named):
        raise ParseError("an id for every node, or for none", path=written.node_places[named.index(False)])
    if not all(named) or not ids:
        written.names = [""] * len(ids)
        return {}
    found: dict[Any, int] = {}
    texts: dict[str, int] = {}
    for number, one in enumerate(ids):
        if texts.setdefault(str(one), number) != number:
            raise ParseError("an id that no other node has", one, path=written.node_places[number])
        found[one] = number
    written.names = name_nodes(ids)
    return found


def _read_edge(edge: Any, ids: Mapping[Any, int], counted: bool, written: WrittenGraph, place: str) -> None:
    orbitals: dict[str, tuple[Any, Any]] = {}
    if isinstance(edge, list) and len(edge) in (2, 4):
        first, second = edge[:2]
        if len(edge) == 4:
            orbitals = {"": (edge[2], edge[3])}
    elif isinstance(edge, Mapping) and any(start in edge and end in edge for start, end in _ENDS):
        first, second = next((edge[start], edge[end]) for start, end in _ENDS if start in edge and end in edge)
        if "orbitals" in edge:
            orbitals = _read_orbitals(edge["orbitals"], f"{place}.orbitals")
        else:
            orbitals = edge_orbitals(edge)
        if "orbitals" in edge and not orbitals and written.by_orbitals is None:
            written.by_orbitals = True  # an edge that says it has none shows that the others say theirs
    else:
        raise ParseError(
            'an edge: ["a", "b"], ["a", "b", "right", "left"] or {"from": "a", "to": "b"}', edge, path=place
        )
    written.edges.append((_node(first, ids, counted, written, place), _node(second, ids, counted, written, place)))
    written.orbitals.append(orbitals)


def _read_orbitals(orbitals: Any, path: str) -> dict[str, tuple[Any, Any]]:
    by_layer = {"": orbitals} if isinstance(orbitals, list) else orbitals
    if not isinstance(by_layer, Mapping) or not all(
        isinstance(ends, list) and len(ends) == 2 for ends in by_layer.values()
    ):
        raise ParseError(
            'orbitals at both ends: ["right", "left"], or {"layer": ["right", "left"]}', orbitals, path=path
        )
    return {layer: (ends[0], ends[1]) for layer, ends in by_layer.items()}


def _node(reference: Any, ids: Mapping[Any, int], counted: bool, written: WrittenGraph, place: str) -> int:
    if isinstance(reference, int | str) and not isinstance(reference, bool):
        if isinstance(reference, str) or not counted:
            if reference in ids:
                return ids[reference]
        elif 0 <= reference < len(written.names):
            return reference
    if counted and isinstance(reference, int):
        raise ParseError(f"a node from 0 to {len(written.names) - 1}", reference, path=place)
    raise ParseError("the id of a node", reference, path=place)
