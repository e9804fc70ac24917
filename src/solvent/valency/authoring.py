"""Write rules and tasks in Python.

    from solvent.valency.authoring import RuleBook, connected, count

    rules = RuleBook("square")
    rules.module("grass", sockets={"*": "grass"}, weight=4)
    rules.module("road", sockets={"left": "road", "right": "road", "*": "grass"}, rotations=2)
    rules.module("turn", sockets={"down": "road", "right": "road", "*": "grass"}, rotations=4)
    staging = rules.on_grid(20, 10, seed=7, picks={(0, 0): "turn"}, constraints=[connected(sockets="road")])

Every word means what it means in the JSON format. Mistakes raise BadOption, which says where and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np

from solvent.core.errors import BadOption, ParseError
from solvent.formats.typed_json import shape_error
from solvent.valency.model import HEX, MAX_NODES, SKIP, SQUARE, WEIGHTED, Graph, Lattice, Rules, Staging
from solvent.valency.notation.graphs.reading import ReadGraph
from solvent.valency.notation.task_json.layers import orbital_number
from solvent.valency.notation.task_json.reading import require_valid_rules, stage
from solvent.valency.notation.task_json.rules import ReadRules, build_rules
from solvent.valency.notation.task_json.shapes import (
    ConstraintShape,
    LayerShape,
    ModuleShape,
    PicksShape,
    RegionShape,
    RulesShape,
)

__all__ = ["RuleBook", "connected", "count", "path", "region", "separation"]

Node = int | str | Sequence[int]
"""A node by its number, its name, or its cell."""
Words = str | Sequence[str]
"""Modules: keys, names, and tags with a # before them."""
Made = TypeVar("Made")


class RuleBook:
    """Collect modules and who may stand beside whom, then put them on a grid or a graph."""

    def __init__(
        self,
        orbitals: str | Sequence[Any] | Mapping[str, Any] = "square",
        *,
        missing: str = "any",
        threshold_degrees: float = 22.5,
        one_sided: str = "refuse",
        pairs: Iterable[Sequence[str]] = (),
        property_defaults: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        """Begin rules for one layer, or for several: `RuleBook({"roads": "square", "pipes": "square"})`.

        Orbitals are `square`, `square8`, `hex`, `cubic`, or a list of names or of (name, direction).
        """
        layers = orbitals if isinstance(orbitals, Mapping) else {"tiles": orbitals}
        self._settings: dict[str, Any] = {
            "layers": [
                {"name": layer, "orbitals": _plain_orbitals(said), "threshold": threshold_degrees}
                for layer, said in layers.items()
            ],
            "missing": missing,
            "one_sided": one_sided,
            "pairs": [list(pair) for pair in pairs],
            "property_defaults": dict(property_defaults or {}),
            "name": name,
        }
        self._modules: list[ModuleShape] = []
        self._allowed: list[list[Any]] = []
        _convert(self._settings["layers"], list[LayerShape], "orbitals")

    def module(
        self,
        name: str,
        *,
        sockets: Mapping[str, Any] | None = None,
        bonds: Mapping[str, Any] | None = None,
        rotations: int | Sequence[int] | None = None,
        weight: float = 1.0,
        least: int = 0,
        most: int | None = None,
        tags: Iterable[str] = (),
        placement: str = "normal",
        properties: Mapping[str, Any] | None = None,
        transforms: Iterable[Mapping[str, Sequence[float]]] = (),
        colour: str = "",
        glyph: str = "",
        picture: bytes = b"",
        key: str | None = None,
    ) -> RuleBook:
        """Add a module; returns the book, so that calls can be chained."""
        said = {
            "name": name,
            "sockets": _plain(sockets or {}),
            "bonds": _plain(bonds or {}),
            "rotations": _plain(rotations),
            "weight": weight,
            "least": least,
            "most": most,
            "tags": [tags] if isinstance(tags, str) else list(tags),
            "placement": placement,
            "properties": dict(properties or {}),
            "transforms": [_plain(transform) for transform in transforms],
            "look": {"colour": colour, "glyph": glyph, "picture": picture},
            "key": key,
        }
        self._modules.append(_convert(said, ModuleShape, f"module {name!r}"))
        return self

    def allow(self, first: Words, orbital: Words, second: Words, *, layer: str | None = None) -> RuleBook:
        """Let the second stand on an orbital of the first, and the first on the opposite orbital of the second."""
        said = [_plain(first), _plain(orbital), _plain(second)]
        self._allowed.append(said if layer is None else [*said, layer])
        return self

    def build(self) -> Rules:
        """Return the rules so far."""
        return self._read().rules

    def on_grid(
        self,
        width: int,
        height: int,
        depth: int = 1,
        *,
        kind: str | None = None,
        periodic: bool | str = False,
        picks: Mapping[Any, str] | None = None,
        selection: str = WEIGHTED,
        misfit: str = SKIP,
        constraints: Iterable[ConstraintShape] = (),
        regions: Iterable[RegionShape] = (),
        priorities: Sequence[float] = (),
        seed: int = 0,
    ) -> Staging:
        """Return the task of filling a grid. `periodic` is True or names the axes that wrap around, as in "xy"."""
        rules = self._read()
        if kind is None:
            kind = HEX if all(layer["orbitals"] == HEX for layer in self._settings["layers"]) else SQUARE
        axes = "xyz" if periodic is True else periodic or ""
        if not isinstance(axes, str) or set(axes) - set("xyz"):
            raise BadOption(f"periodic: expected True, False or some of x, y and z, found {periodic!r}")
        wraps = ("x" in axes, "y" in axes, "z" in axes and (depth > 1 or periodic is not True))
        said = {"width": width, "height": height, "depth": depth, "kind": kind, "periodic": wraps}
        lattice = _convert(_plain(said), Lattice, "grid")
        return self._stage(rules, lattice, picks, selection, misfit, constraints, regions, priorities, seed)

    def on_graph(
        self,
        positions: Any,
        edges: Sequence[Sequence[Any]],
        *,
        names: Sequence[str] = (),
        picks: Mapping[Any, str] | None = None,
        selection: str = WEIGHTED,
        misfit: str = SKIP,
        constraints: Iterable[ConstraintShape] = (),
        regions: Iterable[RegionShape] = (),
        priorities: Sequence[float] = (),
        seed: int = 0,
    ) -> Staging:
        """Return the task of filling a graph.

        Positions are points of two or three numbers, a number of nodes that stand nowhere, or a mapping from names to
        points. An edge is two nodes, perhaps with the orbitals at both: `("a", "b", "right", "left")`; with several
        layers instead `("a", "b", {"roads": ("right", "left")})`.
        """
        rules = self._read()
        graph = _make_graph(rules.rules, positions, edges, names)
        return self._stage(rules, ReadGraph(graph), picks, selection, misfit, constraints, regions, priorities, seed)

    def _read(self) -> ReadRules:
        shape = _convert({**self._settings, "allow": self._allowed}, RulesShape, "rules")
        shape = msgspec.structs.replace(shape, modules=list(self._modules))
        return self._try(lambda: require_valid_rules(build_rules(shape, "$.rules")))

    def _stage(
        self,
        rules: ReadRules,
        found: ReadGraph | Lattice,
        picks: Mapping[Any, str] | None,
        selection: str,
        misfit: str,
        constraints: Iterable[ConstraintShape],
        regions: Iterable[RegionShape],
        priorities: Sequence[float],
        seed: int,
    ) -> Staging:
        fixed = {
            "selection": selection,
            "misfit": misfit,
            "at": [{"node": _plain(node), "module": module} for node, module in (picks or {}).items()],
        }
        numbers = _convert(_plain(priorities), list[float], "priorities")
        plain_seed = _convert(_plain(seed), int, "seed")
        shape = _convert(fixed, PicksShape, "picks")
        return self._try(
            lambda: stage(
                rules,
                found,
                picks=shape,
                constraints=list(constraints),
                regions=list(regions),
                priorities=numbers,
                seed=plain_seed,
            )
        )

    def _try(self, make: Callable[[], Made]) -> Made:
        """Turn an error at a JSON path into one that a reader of Python understands."""
        try:
            return make()
        except ParseError as error:
            said = str(error)
            for number, module in reversed(list(enumerate(self._modules))):
                said = said.replace(f"$.rules.modules[{number}]", f"module {module.name!r}")
            raise BadOption(said.replace("$.rules.", "").replace("$.", "")) from None


def count(
    modules: Words, *, least: int = 0, most: int | None = None, nodes: Iterable[Node] | None = None
) -> ConstraintShape:
    """Ask for at least and at most so many of certain modules, among all nodes or some."""
    said: dict[str, Any] = {"modules": _plain(modules), "least": least, "most": most}
    return _constraint("count", said if nodes is None else {**said, "nodes": _plain(nodes)})


def connected(
    modules: Words | None = None, *, sockets: Words | None = None, exits: Mapping[str, Any] | None = None
) -> ConstraintShape:
    """Ask that all nodes with certain modules hang together, through their sockets of a label or through exits."""
    said = {"modules": _plain(modules), "sockets": _plain(sockets), "exits": _plain(exits)}
    return _constraint("connected", said)


def path(
    start: Node,
    end: Node,
    modules: Words | None = None,
    *,
    sockets: Words | None = None,
    exits: Mapping[str, Any] | None = None,
) -> ConstraintShape:
    """Ask that two nodes hang together, as in `connected`."""
    said = {"modules": _plain(modules), "sockets": _plain(sockets), "exits": _plain(exits)}
    return _constraint("path", {"from": _plain(start), "to": _plain(end), **said})


def separation(modules: Words, distance: int) -> ConstraintShape:
    """Ask that any two nodes with certain modules be at least so many edges apart."""
    return _constraint("separation", {"modules": _plain(modules), "distance": distance})


def region(
    nodes: Iterable[Node], *, seed: int | None = None, weights: Mapping[str, float] | None = None, name: str = ""
) -> RegionShape:
    """Give some nodes a seed or weights of their own."""
    said = {"nodes": _plain(nodes), "seed": seed, "weights": dict(weights or {}), "name": name}
    return _convert(said, RegionShape, "region")


def _constraint(kind: str, said: Mapping[str, Any]) -> ConstraintShape:
    return _convert({kind: dict(said)}, ConstraintShape, "constraint")


def _convert(said: Any, kind: type[Made], what: str) -> Made:
    """Return plain data as a typed object, or raise BadOption."""
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError as error:
        raise BadOption(str(shape_error(error, what, said, what)).removeprefix("at ")) from None


def _plain(said: Any) -> Any:
    """Return data with lists for all sequences and Python's own numbers."""
    if isinstance(said, str | bytes | None):
        return said
    if isinstance(said, np.ndarray | np.generic):
        return said.tolist()
    if isinstance(said, Mapping):
        return {key: _plain(value) for key, value in said.items()}
    if isinstance(said, Iterable):
        return [_plain(value) for value in said]
    return said


def _plain_orbitals(said: Any) -> Any:
    if isinstance(said, str):
        return said
    return [
        orbital if isinstance(orbital, str) else {"name": orbital[0], "direction": _plain(orbital[1])}
        for orbital in said
    ]


def _make_graph(rules: Rules, positions: Any, edges: Sequence[Sequence[Any]], names: Sequence[str]) -> Graph:
    if isinstance(positions, Mapping):
        names, positions = [str(name) for name in positions], list(positions.values())
    try:
        if isinstance(positions, int):
            points = np.zeros((min(positions, MAX_NODES + 1), 3))  # one too many is refused later, as any other
        else:
            points = np.array(positions, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise ValueError
    except (ValueError, TypeError):
        raise BadOption("positions: expected points of two or three numbers, a mapping, or a number of nodes") from None
    points = np.hstack([points, np.zeros((len(points), 3 - points.shape[1]))]) + 0.0
    by_name = {name: number for number, name in enumerate(names)}
    ends, orbitals = [], []
    for number, edge in enumerate(edges):
        here = f"edges[{number}]"
        if len(edge) not in (2, 3, 4):
            raise BadOption(f"{here}: expected two nodes, perhaps with their orbitals, found {edge!r}")
        ends.append([_node_number(node, by_name, len(points), here) for node in edge[:2]])
        if len(edge) > 2:
            orbitals.append(_edge_orbitals(rules, edge[2:], here))
    if orbitals and len(orbitals) < len(ends):
        raise BadOption("edges: expected orbitals on every edge, or on none")
    return Graph(
        positions=points,
        edges=np.array(ends, dtype=np.int32).reshape(-1, 2),
        orbitals=np.array(orbitals, dtype=np.int16) if orbitals else None,
        names=tuple(names),
    )


def _node_number(said: Any, by_name: Mapping[str, int], nodes: int, here: str) -> int:
    if isinstance(said, str) and said in by_name:
        return by_name[said]
    if isinstance(said, int | np.integer) and 0 <= said < nodes:
        return int(said)
    raise BadOption(f"{here}: expected the name of a node, or a number from 0 to {nodes - 1}, found {said!r}")


def _edge_orbitals(rules: Rules, said: Sequence[Any], here: str) -> list[list[int]]:
    layers = rules.layers
    by_layer = said[0] if len(said) == 1 else {layers[0].name: said}
    if not isinstance(by_layer, Mapping) or (len(said) == 2 and len(layers) > 1):
        raise BadOption(f"{here}: expected a mapping from layers to two orbitals, found {said!r}")
    unknown = set(by_layer) - {layer.name for layer in layers}
    if unknown:
        raise BadOption(f"{here}: expected layers of the rules, found {', '.join(map(repr, sorted(unknown)))}")
    row = []
    for layer in layers:
        pair = by_layer.get(layer.name)
        try:
            row.append([-1, -1] if pair is None else [orbital_number(layer, name, here) for name in pair])
        except ParseError as error:
            raise BadOption(str(error).removeprefix("at ")) from None
        if len(row[-1]) != 2:
            raise BadOption(f"{here}: expected two orbitals, found {pair!r}")
    return row
