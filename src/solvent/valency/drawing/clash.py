"""Read what clashes in a refutation: its nodes, its edges, and every reason in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from solvent.core.answer import Certificate
from solvent.core.errors import ParseError
from solvent.drawing.highlights import expect_list, is_number
from solvent.drawing.phrases import capitalised, counted, listed, shorten
from solvent.drawing.terminal import TIE
from solvent.valency.limit_phrases import describe_limit
from solvent.valency.model import (
    HEX,
    Connected,
    Constraint,
    Count,
    Lattice,
    Loop,
    Only,
    Parity,
    Path,
    Rules,
    Separation,
    Staging,
    Vector,
    numbers_in,
)
from solvent.valency.orbitals import OrbitalCache, build_cache, count_nodes, node_name

MAX_LISTED = 12
"""How many nodes, edges or modules a sentence lists."""
MAX_REASONS = 14
"""How many sentences there are; the others are counted."""


class Link(Struct, frozen=True):
    """Hold an edge to be drawn."""

    start: int
    end: int
    direction: Vector | None = None
    """Where it leads from the start, in cells, if that is not straight to the end: around the rim of a lattice."""
    is_edge: bool = True
    """False for two nodes that are only too near each other."""


class Clash(Struct, frozen=True):
    """Hold what clashes."""

    nodes: tuple[int, ...] = ()
    links: tuple[Link, ...] = ()
    reasons: tuple[str, ...] = ()


def read_clash(staging: Staging, certificate: Certificate) -> Clash:
    """Return what a refutation rests on; raises ParseError for what does not fit the cluster."""
    total = count_nodes(staging.cluster)
    nodes = tuple(_number(item, total, "nodes") for item in expect_list(certificate.get("nodes"), "a list", "nodes"))
    numbers = {node: number for number, node in enumerate(nodes, start=1)}
    elements = expect_list(certificate.get("elements"), "a list", "elements")
    cache = build_cache(staging) if any("edge" in item for item in elements if isinstance(item, Mapping)) else None
    must, picks, joined, more = [], [], [], []
    links: list[Link] = []
    for index, element in enumerate(elements):
        path = f"elements[{index}]"
        if not isinstance(element, Mapping) or len(element) != 1:
            raise ParseError("an object with one key", element, path=path)
        kind, value = next(iter(element.items()))
        if kind == "node":
            must.append(_named(numbers, _number(value, total, path)))
        elif kind == "pick":
            picks.append(_number(value, total, path))
        elif kind == "edge" and cache is not None:
            link = _edge(staging, cache, value, path)
            links.append(link)
            joined.append(f"{_named(numbers, link.start)}–{_named(numbers, link.end)}")
        elif kind == "apart":
            constraint, start, end = _triple(value, path)
            links.append(Link(_number(start, total, path), _number(end, total, path), is_edge=False))
            more.append(_apart(staging, constraint, _named(numbers, start), _named(numbers, end), path))
        elif kind in ("least", "most"):
            module = staging.rules.modules[_number(value, len(staging.rules.modules), path)]
            bound = module.least if kind == "least" else module.most
            more.append(f"At {kind} {bound} × {module.key}.")
        elif kind == "constraint":
            number = _number(value, len(staging.constraints), path)
            more.append(_describe_constraint(staging, staging.constraints[number], numbers))
        else:
            raise ParseError("a kind of element", kind, path=path)
    reasons = []
    if must:
        reasons.append(f"{_listing(must)} must be filled.")
    names = {pick.node: pick.name for pick in staging.picks}
    reasons += [f"{_named(numbers, node)} is fixed to {names.get(node, '?')}." for node in picks]
    if joined:
        reasons.append(f"Neighbours must agree: {_listing(joined)}.")
    reasons += more
    if len(reasons) > MAX_REASONS:
        reasons[MAX_REASONS - 1 :] = [f"… and {len(reasons) - MAX_REASONS + 1} more reasons."]
    where = [f"{number}: {node_name(staging.cluster, node)}".replace(" ", TIE) for node, number in numbers.items()]
    return Clash(nodes, tuple(links), (*reasons, f"Nodes: {_listing(where)}."))


def link_between(staging: Staging, pairs: Iterable[tuple[int, int]]) -> list[Link]:
    """Return the edges between pairs of nodes, the straight one where there are several."""
    cache = build_cache(staging)
    found = []
    for start, end in pairs:
        links = [
            link_along(staging, layer, start, orbital, end)
            for layer, table in enumerate(cache.neighbours)
            for orbital, reached in enumerate(table[start].tolist())
            if reached == end
        ]
        found.append(min(links, key=lambda link: link.direction is not None, default=Link(start, end)))
    return found


def name_modules(rules: Rules, mask: int) -> str:
    """List the modules of a mask by the names they share."""
    return _listing(list(dict.fromkeys(rules.modules[number].name for number in numbers_in(mask))))


def _edge(staging: Staging, cache: OrbitalCache, value: object, path: str) -> Link:
    layer, node, orbital = _triple(value, path)
    layer = _number(layer, len(cache.neighbours), path)
    node = _number(node, cache.nodes, path)
    orbital = _number(orbital, cache.neighbours[layer].shape[1], path)
    end = int(cache.neighbours[layer][node, orbital])
    if end < 0:
        raise ParseError("an edge as [layer, node, orbital]", value, path=path)
    return link_along(staging, layer, node, orbital, end)


def link_along(staging: Staging, layer: int, start: int, orbital: int, end: int) -> Link:
    """Return the edge that leads from one node along an orbital to another."""
    direction = staging.rules.layers[layer].orbital_set.orbitals[orbital].direction
    if direction is None or not isinstance(staging.cluster, Lattice):
        return Link(start, end)
    ends = position_of(staging.cluster, start), position_of(staging.cluster, end)
    straight = all(abs(there - here - step) < 0.01 for here, there, step in zip(*ends, direction, strict=True))
    return Link(start, end, None if straight else direction)


def position_of(lattice: Lattice, node: int) -> Vector:
    """Return where a cell stands, one cell being 1 wide."""
    rest, x = divmod(node, lattice.width)
    z, y = divmod(rest, lattice.height)
    return (x + 0.5 * (y % 2), y * math.sqrt(0.75), 0.0) if lattice.kind == HEX else (x, y, z)


def _apart(staging: Staging, constraint: object, start: str, end: str, path: str) -> str:
    separation = staging.constraints[_number(constraint, len(staging.constraints), path)]
    if not isinstance(separation, Separation):
        raise ParseError("the number of a separation", constraint, path=path)
    names = name_modules(staging.rules, separation.modules)
    what = f"not both {names}"
    if separation.others:
        what = f"not {names} and {name_modules(staging.rules, separation.others)}"
    return f"{start} and {end} are fewer than {separation.distance} edges apart: {what}."


def _describe_constraint(staging: Staging, constraint: Constraint, numbers: Mapping[int, int]) -> str:
    names = name_modules(staging.rules, constraint.modules)
    if isinstance(constraint, Count):
        bounds = [f"at least {constraint.least}"] if constraint.least else []
        bounds += [] if constraint.most is None else [f"at most {constraint.most}"]
        where = f" among {counted(len(constraint.nodes), 'node')}" if constraint.nodes else ""
        return capitalised(f"{listed(bounds)} of {names}{where}.")
    if isinstance(constraint, Loop):
        return f"All of {names} must form one loop."
    if isinstance(constraint, Connected):
        return f"All of {names} must hang together."
    if isinstance(constraint, Path):
        ends = f"{_named(numbers, constraint.start)} to {_named(numbers, constraint.end)}"
        return f"{names} must lead from {ends}."
    others = constraint.others if isinstance(constraint, Separation) else 0
    scope = constraint.nodes if isinstance(constraint, Only | Parity) else ()
    said = describe_limit(
        constraint,
        names,
        name_modules(staging.rules, others) if others else "",
        counted(len(scope), "node") if scope else "",
    )
    return capitalised(f"{said}.")


def _named(numbers: Mapping[int, int], node: int) -> str:
    """Return the number of a node in the drawing."""
    return str(numbers[node]) if node in numbers else f"node {node}"


def _listing(items: Sequence[str]) -> str:
    return listed([shorten(item, 40) for item in items], MAX_LISTED)


def _triple(value: object, path: str) -> tuple[Any, Any, Any]:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise ParseError("a list of three numbers", value, path=path)
    return value[0], value[1], value[2]


def _number(value: object, end: int, path: str) -> int:
    if not isinstance(value, int) or not is_number(value) or not 0 <= value < end:
        raise ParseError(f"a number from 0 to {end - 1}", value, path=path)
    return value
