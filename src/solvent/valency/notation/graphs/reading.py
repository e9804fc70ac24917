"""Graphs from files of any kind: nodes and edges as they are written, made into the model's arrays.

Nodes may have attributes beside their position: `pick`, the module that is fixed there; `priority`; `region`; `seed`,
where its choices come from; and `weight:grass`, by how much the weight of a module is multiplied there. Edges may say
their orbitals: `source_orbital` and `target_orbital`, or just `orbital` at the source, where the opposite one is at the
target. With several layers the layer's name and a colon stand before: `roads:orbital`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct, field

from solvent.core.errors import ParseError
from solvent.valency.model import MAX_NODES, Graph, Layer, Pick, Region, Rules, numbers_in
from solvent.valency.notation.selectors import ModuleNames
from solvent.valency.notation.task_json.layers import back_of

ORBITAL, SOURCE_ORBITAL, TARGET_ORBITAL = "orbital", "source_orbital", "target_orbital"


class Attributes(Struct, frozen=True):
    """Say which attributes of nodes hold what a task needs."""

    pick: str = "pick"
    priority: str = "priority"
    region: str = "region"
    seed: str = "seed"
    weight: str = "weight"
    """Before a colon and the name of a module; in JSON also an object called `weights`."""


class WrittenGraph(Struct):
    """Hold a graph as it is written, whatever the format."""

    names: list[str] = field(default_factory=list)
    """One for each node; all empty where nodes have only numbers."""
    positions: list[tuple[float, float, float]] = field(default_factory=list)
    attributes: list[Mapping[str, Any]] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    orbitals: list[Mapping[str, tuple[Any, Any]]] = field(default_factory=list)
    """For each edge, by layer, the orbital at its ends; the key "" stands for the only layer, None for the opposite."""
    node_places: Sequence[str] = ()
    """Where each node is written, for errors."""
    node_source: str | None = None
    """The file that nodes are in, if they have one of their own."""
    edge_places: Sequence[str] = ()
    is_directed: bool = False
    by_orbitals: bool | None = None
    """Whether edges say their orbitals; None to tell from the edges."""
    line_numbers: bool = False
    """Whether places are line numbers rather than JSON paths."""

    def error(self, expected: str, value: Any, place: str) -> ParseError:
        """Make the error for something in the graph."""
        if self.line_numbers:
            return ParseError(expected, value, line=int(place))
        return ParseError(expected, value, path=place)


class ReadGraph(Struct, frozen=True):
    """Hold a graph and what its attributes say."""

    graph: Graph
    picks: tuple[Pick, ...] = ()
    priorities: tuple[float, ...] = ()
    """One for each node; empty where no node has one."""
    regions: tuple[Region, ...] = ()
    remarks: tuple[str, ...] = ()


def parse_graph(text: str, path: Path | None, rules: Rules, attributes: Attributes | None = None) -> ReadGraph:
    """Read a graph in JSON, GraphML or CSV. A CSV file may have its nodes in `NAME.nodes.csv` beside `path`."""
    start = text[:100].lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        from solvent.valency.notation.graphs.graphml import read_graphml

        written = read_graphml(text)
    elif start.startswith("{"):
        from solvent.valency.notation.graphs.json import read_graph_json

        written = read_graph_json(text)
    else:
        from solvent.valency.notation.graphs.csv import read_graph_csv

        written = read_graph_csv(text, path)
    return build_graph(written, rules, attributes or Attributes())


def build_graph(written: WrittenGraph, rules: Rules, attributes: Attributes) -> ReadGraph:
    """Make the model's graph of a written one, or raise ParseError."""
    layers = rules.layers
    if not 1 <= len(written.names) <= MAX_NODES:
        raise ParseError(f"a graph of 1 to {MAX_NODES} nodes", len(written.names))
    orbitals = _orbitals(written, layers)
    edges, kept = written.edges, list(range(len(written.edges)))
    remarks = []
    if written.is_directed:
        kept = _each_way_once(edges, orbitals)
        if len(kept) < len(edges):
            gone = len(edges) - len(kept)
            edges_left_out = "1 edge that leads" if gone == 1 else f"{gone:,} edges that lead"
            remarks.append(f"{edges_left_out} back along another {'is' if gone == 1 else 'are'} left out.")
    from solvent.valency.notation.graphs.unread import unread_attributes

    remarks += unread_attributes(written, attributes)
    names = tuple(written.names) if any(written.names) else ()
    graph = Graph(
        positions=np.array(written.positions, dtype=np.float64) + 0.0,
        edges=np.array([edges[edge] for edge in kept], dtype=np.int32).reshape(-1, 2),
        orbitals=None
        if orbitals is None
        else np.array([orbitals[edge] for edge in kept], dtype=np.int16).reshape(len(kept), len(layers), 2),
        names=names,
    )
    try:
        return ReadGraph(
            graph,
            picks=tuple(_picks(written, attributes.pick)),
            priorities=_priorities(written, attributes.priority),
            regions=(*_regions(written, attributes.region), *_nodes_apart(written, attributes, rules)),
            remarks=tuple(remarks),
        )
    except ParseError as error:
        raise error if written.node_source is None else error.in_source(written.node_source) from None


def name_nodes(ids: Sequence[Any]) -> list[str]:
    """Return names for nodes; all empty if the ids are just the numbers from 0, in order."""
    if all(isinstance(one, int) and one == number for number, one in enumerate(ids)):
        return [""] * len(ids)
    return [str(one) for one in ids]


def numbers_if_all(ids: Sequence[str]) -> list[Any]:
    """Return ids as whole numbers if each of them is one, written as usual; else as they are."""
    if all(one.isascii() and one.isdigit() and len(one) < 10 and str(int(one)) == one for one in ids):
        return [int(one) for one in ids]
    return list(ids)


def edge_orbitals(attributes: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return which orbitals the attributes of an edge say, by layer."""
    found: dict[str, tuple[Any, Any]] = {}
    for name, value in attributes.items():
        layer, _, word = name.rpartition(":")
        if word not in (ORBITAL, SOURCE_ORBITAL, TARGET_ORBITAL) or value in ("", None):
            continue
        first, second = found.get(layer, (None, None))
        found[layer] = (first, value) if word == TARGET_ORBITAL else (value, second)
    return found


def _orbitals(written: WrittenGraph, layers: Sequence[Layer]) -> list[list[tuple[int, int]]] | None:
    is_given = written.by_orbitals
    if is_given is None:
        is_given = any(written.orbitals)
        if is_given and not all(written.orbitals):
            edge = next(number for number, orbitals in enumerate(written.orbitals) if not orbitals)
            expected = "orbitals on every edge, or on none"
            raise written.error(expected, list(written.edges[edge]), written.edge_places[edge])
    if not is_given:
        return None
    numbers = [{orbital.name: at for at, orbital in enumerate(layer.orbital_set.orbitals)} for layer in layers]
    known = {layer.name: number for number, layer in enumerate(layers)}
    found = []
    for orbitals, place in zip(written.orbitals, written.edge_places, strict=True):
        row = [(-1, -1)] * len(layers)
        for name, ends in orbitals.items():
            if name == "" and len(layers) == 1:
                layer = 0
            elif name in known:
                layer = known[name]
            else:
                expected = (
                    f"a layer: {', '.join(known)}" if name else "orbitals with the name of their layer before them"
                )
                raise written.error(expected, name or list(ends), place)
            row[layer] = _ends(written, layers[layer], numbers[layer], ends, place)
        found.append(row)
    return found


def _ends(
    written: WrittenGraph, layer: Layer, numbers: Mapping[str, int], ends: tuple[Any, Any], place: str
) -> tuple[int, int]:
    found: list[int | None] = []
    for end in ends:
        at: int | None = None
        if isinstance(end, str) and end in numbers:
            at = numbers[end]
        elif isinstance(end, str) and end.isascii() and end.isdigit() and int(end[:6]) < len(numbers):
            at = int(end[:6])
        elif isinstance(end, int) and not isinstance(end, bool) and 0 <= end < len(numbers):
            at = end
        elif end is not None:
            raise written.error(f"an orbital of layer {layer.name}: {', '.join(list(numbers)[:8])}", end, place)
        found.append(at)
    first, second = found
    if first is None and second is None:
        return -1, -1
    try:
        if first is None and second is not None:
            return back_of(layer, second, place), second
        assert first is not None
        return first, back_of(layer, first, place) if second is None else second
    except ParseError as error:
        raise written.error(error.expected, list(ends), place) from None


def _each_way_once(edges: Sequence[tuple[int, int]], orbitals: Sequence[Sequence[tuple[int, int]]] | None) -> list[int]:
    """Return the edges without those that lead back along an earlier one."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for number, (first, second) in enumerate(edges):
        along: tuple[object, ...] = (first, second)
        back: tuple[object, ...] = (second, first)
        if orbitals is not None:
            along += tuple(orbitals[number])
            back += tuple((there, here) for here, there in orbitals[number])
        if back not in seen:
            seen.add(along)
            kept.append(number)
    return kept


def _picks(written: WrittenGraph, attribute: str) -> Iterable[Pick]:
    for node, attributes in enumerate(written.attributes):
        value = attributes.get(attribute)
        if value in (None, ""):
            continue
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise written.error(f"{attribute}: the name of a module", value, written.node_places[node])
        yield Pick(node, str(value))


def _priorities(written: WrittenGraph, attribute: str) -> tuple[float, ...]:
    if not any(attributes.get(attribute) not in (None, "") for attributes in written.attributes):
        return ()
    return tuple(
        number_of(written, attributes.get(attribute), attribute, place, otherwise=0.0)
        for attributes, place in zip(written.attributes, written.node_places, strict=True)
    )


def _regions(written: WrittenGraph, attribute: str) -> tuple[Region, ...]:
    nodes: dict[str, list[int]] = {}
    for node, attributes in enumerate(written.attributes):
        value = attributes.get(attribute)
        if value in (None, ""):
            continue
        if not isinstance(value, str | int):
            raise written.error(f"{attribute}: the name of a region", value, written.node_places[node])
        nodes.setdefault(str(value), []).append(node)
    return tuple(Region(tuple(inside), name=name) for name, inside in nodes.items())


def _nodes_apart(written: WrittenGraph, attributes: Attributes, rules: Rules) -> Iterable[Region]:
    """Yield regions for nodes with a seed or weights of their own; those that have the same are in one."""
    names = ModuleNames()
    for number, module in enumerate(rules.modules):
        names.add(number, module.key, module.name, module.tags)
    together: dict[tuple[int | None, tuple[tuple[int, float], ...]], list[int]] = {}
    for node, given in enumerate(written.attributes):
        if not given:
            continue
        place = written.node_places[node]
        seed = _seed(written, given.get(attributes.seed), attributes.seed, place)
        weights = _weights(written, given, attributes.weight, names, place)
        if seed is None and not weights:
            continue
        if given.get(attributes.region) not in (None, ""):
            expected = f"a {attributes.region}, or a seed and weights of its own, not both"
            raise written.error(expected, given[attributes.region], place)
        together.setdefault((seed, weights), []).append(node)
    for (seed, weights), nodes in together.items():
        yield Region(tuple(nodes), seed, weights)


def _seed(written: WrittenGraph, value: Any, attribute: str, place: str) -> int | None:
    if value in (None, ""):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 63:
        raise written.error(f"{attribute}: a whole number from 0", value, place)
    return value


def _weights(
    written: WrittenGraph, given: Mapping[str, Any], attribute: str, names: ModuleNames, place: str
) -> tuple[tuple[int, float], ...]:
    """Return the factors that a node gives to modules, sorted by module."""
    listed = {
        name.removeprefix(f"{attribute}:"): value
        for name, value in given.items()
        if name.startswith(f"{attribute}:") and value not in (None, "")
    }
    whole = given.get(f"{attribute}s")
    if isinstance(whole, Mapping):
        listed |= whole
    elif whole not in (None, ""):
        expected = f"{attribute}s: an object with a number for each module; in tables {attribute}:MODULE"
        raise written.error(expected, whole, place)
    found: dict[int, float] = {}
    for word, value in listed.items():
        try:
            mask = names.find(word, place)
        except ParseError as error:
            raise written.error(error.expected, word, place) from None
        factor = number_of(written, value, f"{attribute}:{word}", place)
        if factor < 0:
            raise written.error(f"{attribute}:{word}: a number of 0 or more", value, place)
        for module in numbers_in(mask):
            if module in found:
                raise written.error("each module once", word, place)
            found[module] = factor
    return tuple(sorted(found.items()))


def number_of(written: WrittenGraph, value: Any, what: str, place: str, *, otherwise: float | None = None) -> float:
    """Return an attribute as a number, or raise ParseError; `otherwise` stands for one that is not there."""
    if value in (None, "") and otherwise is not None:
        return otherwise
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = float("nan")
        if abs(number) <= 1e15:
            return number + 0.0
    raise written.error(f"{what}: a number within ±1e15", value, place)


def position_of(written: WrittenGraph, attributes: Mapping[str, Any], place: str) -> tuple[float, float, float]:
    """Return where a node stands: by `position` or `pos`, a list or a text with commas, or by x, y and z."""
    for name in ("position", "pos"):
        whole = attributes.get(name)
        if whole is None or whole == "":
            continue
        parts = whole.replace(",", " ").split() if isinstance(whole, str) else whole
        if not isinstance(parts, list) or len(parts) not in (2, 3):
            raise written.error(f"{name}: two or three numbers", whole, place)
        numbers = [number_of(written, part, name, place) for part in parts]
        return numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0.0
    x, y, z = (number_of(written, attributes.get(axis), axis, place, otherwise=0.0) for axis in "xyz")
    return x, y, z
