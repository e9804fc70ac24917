"""Tasks to JSON: everything said in full, one line for each module, node list or constraint; the same every time."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from solvent.valency.model import (
    ORBITAL_SETS,
    SKIP,
    SQUARE,
    WEIGHTED,
    Acyclic,
    Bonds,
    Connected,
    Constraint,
    Count,
    Graph,
    Lattice,
    Layer,
    Look,
    Module,
    Path,
    Region,
    Rules,
    Staging,
    Transform,
    numbers_in,
)
from solvent.valency.notation.task_json.art import write_art
from solvent.valency.notation.task_json.constraints import JOINS
from solvent.valency.notation.task_json.limits import write_limit
from solvent.valency.notation.task_json.reading import VERSION
from solvent.valency.notation.task_json.rules import ACCEPT, BOUNDARY, MAY, MUST, WILDCARD
from solvent.valency.orbitals import back_orbital
from solvent.valency.rules import mask_matrix

LONGEST_LINE = 120
"""Letters in a line, unless what is in it is a part of its own: a module, an edge, a constraint."""

DEEPEST_LAID_OUT = 3
"""How deep objects are spread over lines."""

Written = dict[str, Any]


def format_json(staging: Staging) -> str:
    """Write a task so that reading it gives an equal one."""
    cluster = staging.cluster
    whole: Written = {"valency": VERSION, "rules": _rules(staging.rules)}
    whole["cluster"] = (
        {"lattice": _lattice(cluster)}
        if isinstance(cluster, Lattice)
        else {"graph": _graph(cluster, staging.rules.layers)}
    )
    picks: Written = {}
    _set(picks, "selection", staging.pick_selection, WEIGHTED)
    _set(picks, "misfit", staging.pick_misfit, SKIP)
    _set(picks, "at", [{"node": _node(cluster, pick.node), "module": pick.name} for pick in staging.picks], [])
    _set(whole, "picks", picks, {})
    _set(whole, "constraints", [_constraint(one, staging) for one in staging.constraints], [])
    _set(whole, "regions", [_region(region, staging.rules) for region in staging.regions], [])
    _set(whole, "priorities", [_number(priority) for priority in staging.priorities], [])
    _set(whole, "seed", staging.seed, 0)
    return _lay_out(whole) + "\n"


def format_rules(rules: Rules) -> str:
    """Write rules alone, as a file that tasks can name."""
    return _lay_out({"valency": VERSION, "rules": _rules(rules)}) + "\n"


# Rules


def _rules(rules: Rules) -> Written:
    written: Written = {}
    _set(written, "name", rules.name, "")
    written["layers"] = [_layer(layer) for layer in rules.layers]
    if _is_one_sided(rules):
        written["one_sided"] = ACCEPT
    _set(written, "property_defaults", dict(rules.property_defaults), {})
    if rules.art is not None:
        written["art"] = write_art(rules.art)
    written["modules"] = [_module(module, rules) for module in rules.modules]
    return written


def _layer(layer: Layer) -> Written:
    written: Written = {"name": layer.name}
    orbitals = layer.orbital_set.orbitals
    known = [name for name, orbital_set in ORBITAL_SETS.items() if orbital_set.orbitals == orbitals]
    written["orbitals"] = (
        known[0]
        if known
        else [
            orbital.name
            if orbital.direction is None
            else {"name": orbital.name, "direction": _numbers(orbital.direction)}
            for orbital in orbitals
        ]
    )
    _set(written, "threshold", _number(layer.orbital_set.threshold_degrees), 22.5)
    return written


def _module(module: Module, rules: Rules) -> Written:
    written: Written = {"name": module.name}
    _set(written, "key", module.key, module.name)
    _set(written, "weight", _number(module.weight), 1)
    _set(written, "least", module.least, 0)
    _set(written, "most", module.most, None)
    _set(written, "tags", list(module.tags), [])
    _set(written, "properties", dict(module.properties), {})
    _set(written, "transforms", [_transform(transform) for transform in module.transforms], [])
    _set(written, "placement", module.placement, "normal")
    _set(written, "look", _look(module.look), {})
    bonds = {layer.name: _bonds(bonds, layer, rules) for layer, bonds in zip(rules.layers, module.bonds, strict=True)}
    if len(rules.layers) == 1:
        _set(written, "bonds", next(iter(bonds.values())), {})
    else:
        _set(written, "bonds", {layer: written_bonds for layer, written_bonds in bonds.items() if written_bonds}, {})
    lengths = [len(bonds.neighbours) for bonds in module.bonds]
    _set(written, "lists", lengths, [len(layer.orbital_set.orbitals) for layer in rules.layers])
    return written


def _bonds(bonds: Bonds, layer: Layer, rules: Rules) -> Written:
    written: Written = {}
    for number, orbital in enumerate(layer.orbital_set.orbitals):
        bit = 1 << number
        state = (
            BOUNDARY
            if bonds.boundary_mask & bit
            else WILDCARD
            if bonds.wildcard_mask & bit
            else MUST
            if bonds.orbital_mask & bit
            else MAY
        )
        mask = bonds.neighbours[number] if number < len(bonds.neighbours) else None
        if mask is None:
            if state != MAY:
                written[orbital.name] = {MUST: []} if state == MUST else state
        else:
            listed = _keys(mask, rules)
            written[orbital.name] = listed if state == MAY else {state: listed}
    return written


def _keys(mask: int, rules: Rules) -> list[str]:
    return [rules.modules[number].key for number in numbers_in(mask)]


def _transform(transform: Transform) -> Written:
    written: Written = {}
    _set(written, "offset", _numbers(transform.offset), [0, 0, 0])
    _set(written, "rotation", _numbers(transform.rotation_degrees), [0, 0, 0])
    _set(written, "scale", [_number(part) for part in transform.scale], [1, 1, 1])
    return written


def _look(look: Look) -> Written:
    written: Written = {}
    _set(written, "colour", look.colour, "")
    _set(written, "glyph", look.glyph, "")
    _set(written, "picture", b64encode(look.picture).decode("ascii"), "")
    _set(written, "sprite", look.sprite, "")
    _set(written, "turns", look.quarter_turns, 0)
    _set(written, "mirrored", look.mirrored, False)
    _set(written, "tiles", list(look.tiles), [])
    return written


def _is_one_sided(rules: Rules) -> bool:
    """Tell whether a module lists another that does not accept it, where orbitals have an opposite."""
    size = len(rules.modules)
    for number, layer in enumerate(rules.layers):
        for orbital in range(len(layer.orbital_set.orbitals)):
            back = back_orbital(layer.orbital_set, orbital)
            if back < 0:
                continue
            bonds = [module.bonds[number] for module in rules.modules]
            listed = mask_matrix([_listed(one, orbital) or 0 for one in bonds], size)
            if (listed & ~mask_matrix([_allowed(one, back) for one in bonds], size).T).any():
                return True
    return False


def _listed(bonds: Bonds, orbital: int) -> int | None:
    if orbital >= len(bonds.neighbours) or bonds.boundary_mask >> orbital & 1:
        return None
    return bonds.neighbours[orbital]


def _allowed(bonds: Bonds, orbital: int) -> int | None:
    if bonds.boundary_mask >> orbital & 1:
        return 0
    return bonds.neighbours[orbital] if orbital < len(bonds.neighbours) else None


# The cluster


def _lattice(lattice: Lattice) -> Written:
    size = [lattice.width, lattice.height, lattice.depth]
    periodic = list(lattice.periodic)
    flat = lattice.depth == 1 and not lattice.periodic[2]
    written: Written = {"size": size[:2] if flat else size}
    _set(written, "kind", lattice.kind, SQUARE)
    if any(periodic):
        written["periodic"] = periodic[:2] if flat else periodic
    return written


def _graph(graph: Graph, layers: Sequence[Layer]) -> Written:
    positions = [_numbers(position) for position in graph.positions.tolist()]
    written: Written = {}
    if not graph.positions.any():
        written["nodes"] = list(graph.names) if graph.names else len(positions)
    else:
        short = [position[:2] if position[2] == 0 else position for position in positions]
        written["nodes"] = (
            [{"id": name, "position": position} for name, position in zip(graph.names, short, strict=True)]
            if graph.names
            else short
        )
    ends = graph.edges.tolist()
    named = [[graph.names[node] for node in pair] for pair in ends] if graph.names else ends
    if graph.orbitals is None:
        written["edges"] = named
        return written
    written["by"] = "orbitals"
    orbitals = graph.orbitals.tolist()
    written["edges"] = [_edge(pair, ends, layers) for pair, ends in zip(named, orbitals, strict=True)]
    return written


def _edge(pair: Sequence[Any], orbitals: Sequence[Sequence[int]], layers: Sequence[Layer]) -> Any:
    by_layer = {
        layer.name: [layer.orbital_set.orbitals[end].name for end in ends]
        for layer, ends in zip(layers, orbitals, strict=True)
        if min(ends) >= 0
    }
    if len(layers) == 1 and by_layer:
        return [*pair, *by_layer[layers[0].name]]
    return {"from": pair[0], "to": pair[1], "orbitals": by_layer}


def _node(cluster: Lattice | Graph, node: int) -> Any:
    """Write a node as a person would: by its name or its cell."""
    if isinstance(cluster, Graph):
        return cluster.names[node] if cluster.names else node
    x, rest = node % cluster.width, node // cluster.width
    cell = [x, rest % cluster.height, rest // cluster.height]
    return cell[:2] if cluster.depth == 1 else cell


# What is asked of the cluster


def _constraint(constraint: Constraint, staging: Staging) -> Written:
    limit = write_limit(constraint, staging)
    if limit is not None:
        return limit
    assert isinstance(constraint, Count | Connected | Path | Acyclic)
    written: Written = {"modules": _keys(constraint.modules, staging.rules)}
    if isinstance(constraint, Count):
        _set(written, "least", constraint.least, 0)
        _set(written, "most", constraint.most, None)
        _set(written, "nodes", list(constraint.nodes), [])
        return {"count": written}
    if constraint.exits:
        written["exits"] = _exits(constraint.exits, staging.rules)
    if not isinstance(constraint, Path):
        return {next(name for name, kind in JOINS.items() if kind is type(constraint)): written}
    ends = {"from": _node(staging.cluster, constraint.start), "to": _node(staging.cluster, constraint.end)}
    return {"path": {**ends, **written}}


def _exits(exits: Sequence[Sequence[int]], rules: Rules) -> Written:
    by_layer = {
        layer.name: {
            module.key: [layer.orbital_set.orbitals[orbital].name for orbital in numbers_in(mask)]
            for module, mask in zip(rules.modules, masks, strict=True)
            if mask
        }
        for layer, masks in zip(rules.layers, exits, strict=True)
    }
    return next(iter(by_layer.values())) if len(by_layer) == 1 else by_layer


def _region(region: Region, rules: Rules) -> Written:
    written: Written = {}
    _set(written, "name", region.name, "")
    written["nodes"] = list(region.nodes)
    _set(written, "seed", region.seed, None)
    _set(written, "weights", {rules.modules[module].key: _number(factor) for module, factor in region.weights}, {})
    return written


# Laying it out


def _set(written: Written, key: str, value: Any, unless: Any) -> None:
    """Write a value, unless it is what goes without saying."""
    if value != unless:
        written[key] = value


def _number(value: float) -> int | float:
    """Return a number without a fraction as a whole one, which reads better and is equal."""
    return int(value) if float(value).is_integer() and abs(value) < 1e15 else float(value)


def _numbers(values: Iterable[float]) -> list[int | float]:
    return [_number(value) for value in values]


def _lay_out(value: Any, indent: str = "", depth: int = 0) -> str:
    """Write JSON: what fits on a line on one line, and what is deep inside on one line in any case."""
    is_flat = isinstance(value, list) and value and isinstance(value[0], int | float | str)
    if depth > DEEPEST_LAID_OUT or not value or not isinstance(value, dict | list) or is_flat:
        return _ENCODER.encode(value)
    if depth and _fits(value, LONGEST_LINE - len(indent)):
        return _ENCODER.encode(value)
    inner = indent + " "
    if isinstance(value, Mapping):
        parts = [f"{_ENCODER.encode(key)}: {_lay_out(part, inner, depth + 1)}" for key, part in value.items()]
        return "{\n" + ",\n".join(inner + part for part in parts) + f"\n{indent}}}"
    return "[\n" + ",\n".join(_rows(value, inner)) + f"\n{indent}]"


def _fits(value: Any, room: int) -> bool:
    """Tell whether a value can be written with so many letters, without writing a large one to the end."""
    for part in _ENCODER.iterencode(value):
        room -= len(part)
        if room < 0:
            return False
    return True


def _rows(parts: Sequence[Any], indent: str) -> Iterable[str]:
    """Put each object on a line of its own, and as many short lists on a line as fit."""
    line = ""
    for part in parts:
        short = _ENCODER.encode(part)
        if line and (isinstance(part, dict) or len(line) + 2 + len(short) > LONGEST_LINE):
            yield line
            line = ""
        line = f"{line}, {short}" if line else indent + short
    if line:
        yield line


def _plain(value: Any) -> Any:
    """Turn numpy's numbers into Python's, should a task hold any."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"expected something JSON can hold, found {value!r}")


_ENCODER = json.JSONEncoder(ensure_ascii=False, default=_plain)
