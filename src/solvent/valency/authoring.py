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
from typing import Any, TypedDict, TypeVar, Unpack

import msgspec
import numpy as np

from solvent.core.errors import BadOption, ParseError, show_value
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

__all__ = [
    "RuleBook",
    "acyclic",
    "border",
    "connected",
    "consecutive",
    "count",
    "ground",
    "loop",
    "mirror",
    "only",
    "parity",
    "path",
    "region",
    "rotation",
    "separation",
]

Node = int | str | Sequence[int]
"""A node by its number, its name, or its cell."""
Names = str | Sequence[str]
"""Modules, by keys, names, and tags with a # before them; or orbitals, by names."""
Made = TypeVar("Made")


class ModuleDetails(TypedDict, total=False):
    """What few modules need: the rare keywords of `RuleBook.module`."""

    placement: str
    """`normal` (the default), `filler` or `excluded`."""
    properties: Mapping[str, Any]
    transforms: Iterable[Mapping[str, Sequence[float]]]
    colour: str
    glyph: str
    picture: bytes
    key: str | None


class TaskOptions(TypedDict, total=False):
    """What a task may ask for beside its rules and its cluster: keywords of `RuleBook.on_grid` and `on_graph`."""

    picks: Mapping[Any, str] | None
    """Nodes whose module is given."""
    selection: str
    """How a pick chooses among variants; WEIGHTED by default."""
    misfit: str
    """What becomes of a pick that does not fit; SKIP by default."""
    constraints: Iterable[ConstraintShape]
    regions: Iterable[RegionShape]
    seeds: Mapping[Any, int] | None
    """Nodes whose choices come from a seed of their own."""
    weights: Mapping[Any, Mapping[str, float]] | None
    """Nodes on which the weights of some modules are multiplied."""
    priorities: Sequence[float]
    seed: int


class RuleBook:
    """Collect modules and who may stand beside whom, then put them on a grid or a graph."""

    def __init__(
        self,
        orbitals: str | Sequence[Any] | Mapping[str, Any] = "square",
        *,
        missing: str = "any",
        threshold_degrees: float = 22.5,
        one_sided: str = "refuse",
        pairs: Iterable[Sequence[str]] | Mapping[str, Iterable[str]] = (),
        opposites: Iterable[Sequence[str]] = (),
        property_defaults: Mapping[str, Any] | None = None,
        name: str = "",
    ) -> None:
        """Begin rules for one layer, or for several: `RuleBook({"roads": "square", "pipes": "square"})`.

        Orbitals are `square`, `square8`, `hex`, `cubic`, or a list of names or of (name, direction). `pairs` are
        labels of sockets that fit each other, or a table of labels and those that each fits; `opposites` are pairs of
        orbitals at the two ends of an edge.
        """
        layers = orbitals if isinstance(orbitals, Mapping) else {"tiles": orbitals}
        self._settings: dict[str, Any] = {
            "layers": [
                {"name": layer, "orbitals": _plain_orbitals(names), "threshold": threshold_degrees}
                for layer, names in layers.items()
            ],
            "missing": missing,
            "one_sided": one_sided,
            "pairs": [] if isinstance(pairs, Mapping) else [list(pair) for pair in pairs],
            "fits": {label: list(fitting) for label, fitting in pairs.items()} if isinstance(pairs, Mapping) else {},
            "opposites": [list(pair) for pair in opposites],
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
        **details: Unpack[ModuleDetails],
    ) -> RuleBook:
        """Add a module; returns the book, so that calls can be chained. `ModuleDetails` lists the other keywords."""
        _require_known("module", details, ModuleDetails)
        look = {name: details[name] for name in ("colour", "glyph", "picture") if name in details}
        given = {
            "name": name,
            "sockets": _plain(sockets or {}),
            "bonds": _plain(bonds or {}),
            "rotations": _plain(rotations),
            "weight": weight,
            "least": least,
            "most": most,
            "tags": [tags] if isinstance(tags, str) else list(tags),
            "placement": details.get("placement", "normal"),
            "properties": dict(details.get("properties") or {}),
            "transforms": [_plain(transform) for transform in details.get("transforms", ())],
            "look": look,
            "key": details.get("key"),
        }
        self._modules.append(_convert(given, ModuleShape, f"module {name!r}"))
        return self

    def allow(self, first: Names, orbital: Names, second: Names, *, layer: str | None = None) -> RuleBook:
        """Let the second stand on an orbital of the first, and the first on the opposite orbital of the second."""
        given = [_plain(first), _plain(orbital), _plain(second)]
        self._allowed.append(given if layer is None else [*given, layer])
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
        **task: Unpack[TaskOptions],
    ) -> Staging:
        """Return the task of filling a grid. `periodic` is True or names the axes that wrap around, as in "xy"."""
        rules = self._read()
        if kind is None:
            kind = HEX if all(layer["orbitals"] == HEX for layer in self._settings["layers"]) else SQUARE
        axes = "xyz" if periodic is True else periodic or ""
        if not isinstance(axes, str) or set(axes) - set("xyz"):
            raise BadOption(f"periodic: expected True, False or some of x, y and z, found {periodic!r}")
        wraps = ("x" in axes, "y" in axes, "z" in axes and (depth > 1 or periodic is not True))
        given = {"width": width, "height": height, "depth": depth, "kind": kind, "periodic": wraps}
        return self._stage("on_grid", rules, _convert(_plain(given), Lattice, "grid"), task)

    def on_graph(
        self,
        positions: Any,
        edges: Sequence[Sequence[Any]],
        *,
        names: Sequence[str] = (),
        **task: Unpack[TaskOptions],
    ) -> Staging:
        """Return the task of filling a graph.

        Positions are points of two or three numbers, a number of nodes that stand nowhere, or a mapping from names to
        points. An edge is two nodes, perhaps with the orbitals at both: `("a", "b", "right", "left")`; with several
        layers instead `("a", "b", {"roads": ("right", "left")})`.
        """
        rules = self._read()
        return self._stage("on_graph", rules, ReadGraph(_make_graph(rules.rules, positions, edges, names)), task)

    def _read(self) -> ReadRules:
        shape = _convert({**self._settings, "allow": self._allowed}, RulesShape, "rules")
        shape = msgspec.structs.replace(shape, modules=list(self._modules))
        return self._try(lambda: require_valid_rules(build_rules(shape, "$.rules")))

    def _stage(self, call: str, rules: ReadRules, found: ReadGraph | Lattice, task: TaskOptions) -> Staging:
        _require_known(call, task, TaskOptions)
        fixed = {
            "selection": task.get("selection", WEIGHTED),
            "misfit": task.get("misfit", SKIP),
            "at": [{"node": _plain(node), "module": module} for node, module in (task.get("picks") or {}).items()],
        }
        numbers = _convert(_plain(task.get("priorities", ())), list[float], "priorities")
        seed = _convert(_plain(task.get("seed", 0)), int, "seed")
        shape = _convert(fixed, PicksShape, "picks")
        return self._try(
            lambda: stage(
                rules,
                found,
                picks=shape,
                constraints=list(task.get("constraints", ())),
                regions=[*task.get("regions", ()), *_regions_of_nodes(task.get("seeds"), task.get("weights"))],
                priorities=numbers,
                seed=seed,
            )
        )

    def _try(self, make: Callable[[], Made]) -> Made:
        """Turn an error at a JSON path into one that a reader of Python understands."""
        try:
            return make()
        except ParseError as error:
            message = str(error)
            for number, module in reversed(list(enumerate(self._modules))):
                message = message.replace(f"$.rules.modules[{number}]", f"module {module.name!r}")
            raise BadOption(message.replace("$.rules.", "").replace("$.", "")) from None


def count(
    modules: Names, *, least: int = 0, most: int | None = None, nodes: Iterable[Node] | None = None
) -> ConstraintShape:
    """Ask for at least and at most so many of certain modules, among all nodes or some."""
    given: dict[str, Any] = {"modules": modules, "least": least, "most": most}
    return _constraint("count", given if nodes is None else {**given, "nodes": nodes})


def connected(
    modules: Names | None = None, *, sockets: Names | None = None, exits: Mapping[str, Any] | None = None
) -> ConstraintShape:
    """Ask that all nodes with certain modules are connected, through their sockets of a label or through exits."""
    return _constraint("connected", {"modules": modules, "sockets": sockets, "exits": exits})


def path(
    start: Node,
    end: Node,
    modules: Names | None = None,
    *,
    sockets: Names | None = None,
    exits: Mapping[str, Any] | None = None,
) -> ConstraintShape:
    """Ask that two nodes are connected, as in `connected`."""
    return _constraint("path", {"from": start, "to": end, "modules": modules, "sockets": sockets, "exits": exits})


def loop(
    modules: Names | None = None, *, sockets: Names | None = None, exits: Mapping[str, Any] | None = None
) -> ConstraintShape:
    """Ask that all nodes with certain modules form one closed loop, joined as in `connected`."""
    return _constraint("loop", {"modules": modules, "sockets": sockets, "exits": exits})


def acyclic(
    modules: Names | None = None, *, sockets: Names | None = None, exits: Mapping[str, Any] | None = None
) -> ConstraintShape:
    """Ask that nodes with certain modules, joined as in `connected`, go around no circle."""
    return _constraint("acyclic", {"modules": modules, "sockets": sockets, "exits": exits})


def separation(modules: Names, distance: int, *, others: Names | None = None) -> ConstraintShape:
    """Ask that any two nodes with certain modules be at least so many edges apart, or those and others."""
    return _constraint("separation", {"modules": modules, "distance": distance, "others": others})


def only(modules: Names, nodes: Iterable[Node]) -> ConstraintShape:
    """Ask that some nodes hold none but certain modules."""
    return _constraint("only", {"modules": modules, "nodes": nodes})


def border(modules: Names, *, sides: Iterable[str] | None = None, ban: bool = False) -> ConstraintShape:
    """Ask that the cells on all four sides of a lattice, or on some, hold only certain modules; or none of them."""
    return _constraint("border", {"modules": modules, "sides": sides, "ban": ban})


def ground(modules: Names) -> ConstraintShape:
    """Ask that the lowest row of a lattice holds only certain modules, and no other row any of them."""
    return _constraint("ground", {"modules": modules})


def consecutive(modules: Names, most: int, *, along: Iterable[str] | None = None) -> ConstraintShape:
    """Ask that no more than so many nodes in a row hold certain modules, along all orbitals or some."""
    return _constraint("consecutive", {"modules": modules, "most": most, "along": along})


def mirror(axis: str, *, images: Mapping[str, str | None] | None = None) -> ConstraintShape:
    """Ask that a lattice is its own mirror image: by `x` left is right, by `y` top is bottom."""
    return _constraint("mirror", {"axis": axis, "images": images or {}})


def rotation(quarter_turns: int = 2, *, images: Mapping[str, str | None] | None = None) -> ConstraintShape:
    """Ask that a lattice looks the same when it is turned by 180 degrees, or with 1 by 90."""
    return _constraint("rotation", {"quarter_turns": quarter_turns, "images": images or {}})


def parity(modules: Names, *, odd: bool, nodes: Iterable[Node] | None = None) -> ConstraintShape:
    """Ask for an odd or an even number of certain modules, among all nodes or some."""
    given: dict[str, Any] = {"modules": modules, "odd": odd}
    return _constraint("parity", given if nodes is None else {**given, "nodes": nodes})


def region(
    nodes: Iterable[Node], *, seed: int | None = None, weights: Mapping[str, float] | None = None, name: str = ""
) -> RegionShape:
    """Give some nodes a seed or weights of their own."""
    given = {"nodes": _plain(nodes), "seed": seed, "weights": dict(weights or {}), "name": name}
    return _convert(given, RegionShape, "region")


def _regions_of_nodes(
    seeds: Mapping[Any, int] | None, weights: Mapping[Any, Mapping[str, float]] | None
) -> list[RegionShape]:
    """Return a region for all nodes that have the same seed and weights of their own."""
    seeds, weights = seeds or {}, weights or {}
    found: dict[tuple[Any, ...], list[Any]] = {}
    for node in dict.fromkeys([*seeds, *weights]):
        own = weights.get(node, {})
        if not isinstance(own, Mapping):
            raise BadOption(f"weights: expected modules and numbers for each node, found {show_value(own)}")
        found.setdefault((seeds.get(node), *sorted(own.items())), []).append(node)
    return [region(nodes, seed=seed, weights=dict(own)) for (seed, *own), nodes in found.items()]


def _constraint(kind: str, given: Mapping[str, Any]) -> ConstraintShape:
    return _convert({kind: {name: _plain(value) for name, value in given.items()}}, ConstraintShape, "constraint")


def _require_known(call: str, given: Mapping[str, object], keywords: type) -> None:
    """Raise what Python raises for a keyword that a function does not have."""
    for name in given.keys() - keywords.__annotations__.keys():
        raise TypeError(f"{call}() got an unexpected keyword argument {name!r}")


def _convert(given: Any, kind: type[Made], what: str) -> Made:
    """Return plain data as a typed object, or raise BadOption."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise BadOption(str(shape_error(error, what, given, what)).removeprefix("at ")) from None


def _plain(given: Any) -> Any:
    """Return data with lists for all sequences and Python's own numbers."""
    if isinstance(given, str | bytes | None):
        return given
    if isinstance(given, np.ndarray | np.generic):
        return given.tolist()
    if isinstance(given, Mapping):
        return {key: _plain(value) for key, value in given.items()}
    if isinstance(given, Iterable):
        return [_plain(value) for value in given]
    return given


def _plain_orbitals(given: Any) -> Any:
    if isinstance(given, str):
        return given
    return [
        orbital if isinstance(orbital, str) else {"name": orbital[0], "direction": _plain(orbital[1])}
        for orbital in given
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


def _node_number(given: Any, by_name: Mapping[str, int], nodes: int, here: str) -> int:
    if isinstance(given, str) and given in by_name:
        return by_name[given]
    if isinstance(given, int | np.integer) and 0 <= given < nodes:
        return int(given)
    raise BadOption(f"{here}: expected the name of a node, or a number from 0 to {nodes - 1}, found {given!r}")


def _edge_orbitals(rules: Rules, given: Sequence[Any], here: str) -> list[list[int]]:
    layers = rules.layers
    by_layer = given[0] if len(given) == 1 else {layers[0].name: given}
    if not isinstance(by_layer, Mapping) or (len(given) == 2 and len(layers) > 1):
        raise BadOption(f"{here}: expected a mapping from layers to two orbitals, found {given!r}")
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
