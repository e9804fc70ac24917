"""Graphs in GraphML, as networkx, Gephi, yEd and others write them.

Attributes of nodes and edges have the names of `reading`; a position is `x`, `y`, `z`, or `position`. Nodes are
called by their attribute `name` if each has one of its own, else by their id.
"""

from __future__ import annotations

from collections.abc import Mapping

from solvent.core.errors import ParseError
from solvent.core.safe_xml import Element, read_elements
from solvent.valency.notation.graphs.reading import WrittenGraph, edge_orbitals, name_nodes, numbers_if_all, position_of

WHAT = "a graph in GraphML"


def read_graphml(text: str) -> WrittenGraph:
    """Read the first graph of a GraphML text; nested graphs and hyperedges are refused."""
    root = read_elements(text, "graphml", WHAT)
    graph = root.first("graph")
    if graph is None:
        raise ParseError(f"{WHAT}, but it holds no <graph>", **root.where)
    names, defaults = _read_keys(root)
    written = WrittenGraph(is_directed=graph.attributes.get("edgedefault") == "directed", line_numbers=True)
    numbers: dict[str, int] = {}
    places: list[str] = []
    for node in graph.all("node"):
        if node.first("graph") is not None:
            raise ParseError("nodes without graphs inside them", node.attributes.get("id"), **node.where)
        one = node.word("id")
        if numbers.setdefault(one, len(numbers)) != len(places):
            raise ParseError("an id that no other node has", one, **node.where)
        places.append(str(node.line))
        attributes = _read_data(node, names, defaults["node"])
        written.attributes.append(attributes)
        written.positions.append(position_of(written, attributes, places[-1]))
    written.node_places = places
    called = [attributes.get("name", "") for attributes in written.attributes]
    if not all(called) or len(set(called)) < len(called):
        called = list(numbers)
    written.names = name_nodes(numbers_if_all(called))
    if graph.first("hyperedge") is not None:
        raise ParseError("edges between two nodes", "<hyperedge>", **graph.where)
    places = []
    for edge in graph.all("edge"):
        ends = []
        for name in ("source", "target"):
            if edge.word(name) not in numbers:
                raise ParseError(f"{name}: the id of a node", edge.word(name), **edge.where)
            ends.append(numbers[edge.word(name)])
        places.append(str(edge.line))
        written.edges.append((ends[0], ends[1]))
        written.orbitals.append(edge_orbitals(_read_data(edge, names, defaults["edge"])))
    written.edge_places = places
    return written


def _read_keys(root: Element) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return what each key calls its attribute, and the values that nodes and edges have unless they say others."""
    names: dict[str, str] = {}
    defaults: dict[str, dict[str, str]] = {"node": {}, "edge": {}}
    for key in root.all("key"):
        names[key.word("id")] = key.attributes.get("attr.name") or key.word("id")
        default = key.first("default")
        if default is not None:
            for kind in defaults:
                if key.attributes.get("for", "all") in (kind, "all"):
                    defaults[kind][names[key.word("id")]] = "".join(default.text).strip()
    return names, defaults


def _read_data(element: Element, names: Mapping[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    attributes = dict(defaults)
    for data in element.all("data"):
        key = data.word("key")
        if key not in names:
            raise ParseError("a <key> that the file declares", key, **data.where)
        attributes[names[key]] = "".join(data.text).strip()
    return attributes
