"""Constraints in JSON, made into those of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solvent.core.errors import ParseError
from solvent.valency.model import Acyclic, Connected, Constraint, Count, Loop, Path, numbers_in
from solvent.valency.notation.selectors import NodeNames
from solvent.valency.notation.task_json.layers import orbital_number
from solvent.valency.notation.task_json.limits import LIMITS
from solvent.valency.notation.task_json.rules import ReadRules
from solvent.valency.notation.task_json.shapes import ConnectedShape, ConstraintShape

Exits = tuple[tuple[int, ...], ...]
JOINS: dict[str, type[Connected | Acyclic]] = {"connected": Connected, "loop": Loop, "acyclic": Acyclic}
"""Constraints that say which modules hang together, and through which orbitals."""


def read_constraint(shape: ConstraintShape, rules: ReadRules, nodes: NodeNames, path: str) -> tuple[Constraint, ...]:
    """Make what one constraint comes to, or raise ParseError."""
    kinds = {name: getattr(shape, name) for name in ConstraintShape.__struct_fields__}
    given = [name for name, value in kinds.items() if value is not None]
    if len(given) != 1:
        raise ParseError(f"one of {', '.join(kinds)}", given, path=path)
    path = f"{path}.{given[0]}"
    if given[0] in LIMITS:
        return LIMITS[given[0]](kinds[given[0]], rules, nodes, path)
    if shape.count is not None:
        count = shape.count
        modules = rules.names.find_all(count.modules, f"{path}.modules")
        among = () if count.nodes is None else nodes.find_all(count.nodes, f"{path}.nodes")
        return (Count(modules, count.least, count.most, among),)
    if given[0] in JOINS:
        return (JOINS[given[0]](*_who_and_where(kinds[given[0]], rules, path)),)
    assert shape.path is not None
    start, end = nodes.find(shape.path.from_, f"{path}.from"), nodes.find(shape.path.to, f"{path}.to")
    return (Path(start, end, *_who_and_where(shape.path, rules, path)),)


def _who_and_where(shape: ConnectedShape, rules: ReadRules, path: str) -> tuple[int, Exits]:
    """Return which modules hang together, and through which orbitals."""
    if shape.sockets is not None:
        if shape.exits is not None:
            raise ParseError("exits or sockets, not both", shape.sockets, path=f"{path}.sockets")
        labels = [shape.sockets] if isinstance(shape.sockets, str) else shape.sockets
        exits = _exits_with(labels, rules, f"{path}.sockets")
        having = sum(1 << module for module, masks in enumerate(zip(*exits, strict=True)) if any(masks))
        return (having if shape.modules is None else rules.names.find_all(shape.modules, f"{path}.modules")), exits
    if shape.modules is None:
        raise ParseError("modules, or sockets", path=path)
    mask = rules.names.find_all(shape.modules, f"{path}.modules")
    return mask, () if shape.exits is None else _read_exits(shape.exits, rules, f"{path}.exits")


def _exits_with(labels: Sequence[str], rules: ReadRules, path: str) -> Exits:
    """Return as exits the orbitals that have one of these socket labels."""
    exits = [[0] * len(rules.rules.modules) for _ in rules.rules.layers]
    found = set()
    for masks, modules in zip(exits, rules.sockets, strict=True):
        for module, sockets in enumerate(modules):
            for orbital, label in sockets.items():
                if label in labels:
                    found.add(label)
                    masks[module] |= 1 << orbital
    for label in labels:
        if label not in found:
            raise ParseError("labels of sockets that some module has", label, path=path)
    return tuple(tuple(masks) for masks in exits)


def _read_exits(values: Mapping[str, Any], rules: ReadRules, path: str) -> Exits:
    layers = rules.rules.layers
    exits = [[0] * len(rules.rules.modules) for _ in layers]
    names = [layer.name for layer in layers]
    # With one layer its name may be left out: modules are said at once, and have lists.
    flat = len(layers) == 1 and not all(isinstance(value, Mapping) for value in values.values())
    for name, inner in ({names[0]: values} if flat else values).items():
        at = path if flat else f"{path}.{name}"
        if name not in names:
            raise ParseError(f"a layer: {', '.join(names)}", name, path=path)
        if not isinstance(inner, Mapping):
            raise ParseError("an object with modules as its keys", inner, path=at)
        layer = names.index(name)
        for word, orbitals in inner.items():
            modules = rules.names.find(word, at)
            if not isinstance(orbitals, list):
                raise ParseError("a list of orbitals", orbitals, path=f"{at}.{word}")
            mask = 0
            for number, orbital in enumerate(orbitals):
                mask |= 1 << orbital_number(layers[layer], orbital, f"{at}.{word}[{number}]")
            for module in numbers_in(modules):
                exits[layer][module] |= mask
    return tuple(tuple(masks) for masks in exits)
