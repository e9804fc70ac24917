"""Write module data as GraphML, with the modules as attributes of the nodes."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.markup import escape
from solvent.valency.exports.module_data import ModuleData, all_properties
from solvent.valency.model import PropertyValue

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
 xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">"""
_OF_NODES = {
    "label": "string",
    "x": "double",
    "y": "double",
    "z": "double",
    "module": "int",
    "key": "string",
    "module_name": "string",
    "data": "long",
    "flags": "string",
    "variant": "int",
    "module_data": "long",
}
_OF_EDGES = {"layer": "string", "source_orbital": "string", "target_orbital": "string"}


def write_graphml(data: ModuleData) -> bytes:
    """Write the nodes and, layer by layer, the edges that bind; nodes are called n0, n1 and so on."""
    return ("\n".join(_lines(data)) + "\n").encode("utf-8", "backslashreplace")


def _lines(data: ModuleData) -> Iterator[str]:
    kinds = _kinds(all_properties(data.staging))
    yield _HEAD
    for name, kind in _OF_NODES.items():
        yield f' <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
    for number, (name, kind) in enumerate(kinds.items()):
        yield f' <key id="p{number}" for="node" attr.name="property:{escape(name)}" attr.type="{kind}"/>'
    for name, kind in _OF_EDGES.items():
        yield f' <key id="{name}" for="edge" attr.name="{name}" attr.type="{kind}"/>'
    yield ' <graph edgedefault="undirected">'
    for node in data.nodes():
        x, y, z = node.position
        values: dict[str, object] = {} if node.name is None else {"label": node.name}
        values |= {"x": repr(x), "y": repr(y), "z": repr(z), "module": node.module_number}
        if node.module is not None:
            values |= {"key": node.module.key, "module_name": node.module.name}
        values |= {"data": node.packed, "flags": "|".join(node.flags)}
        if node.variant is not None:
            values["variant"] = node.variant
        values["module_data"] = node.module_data
        values |= {
            f"p{index}": _show(node.properties[name]) for index, name in enumerate(kinds) if name in node.properties
        }
        yield f'  <node id="n{node.number}">{_data(values)}</node>'
    for layer, edges in zip(data.staging.rules.layers, data.cache.edges, strict=True):
        orbitals = [orbital.name for orbital in layer.orbital_set.orbitals]
        for source, out, target, back in zip(
            edges.source.tolist(),
            edges.source_orbital.tolist(),
            edges.target.tolist(),
            edges.target_orbital.tolist(),
            strict=True,
        ):
            values = {"layer": layer.name, "source_orbital": orbitals[out], "target_orbital": orbitals[back]}
            yield f'  <edge source="n{source}" target="n{target}">{_data(values)}</edge>'
    yield " </graph>"
    yield "</graphml>"


def _data(values: dict[str, object]) -> str:
    return "".join(f'<data key="{key}">{escape(str(value))}</data>' for key, value in values.items())


def _kinds(properties: list[dict[str, PropertyValue]]) -> dict[str, str]:
    """Return the type of each property that fits all its values."""
    found: dict[str, set[type]] = {}
    for each in properties:
        for name, value in each.items():
            found.setdefault(name, set()).add(type(value))
    kinds = {}
    for name in sorted(found):
        types = found[name]
        if types == {bool}:
            kinds[name] = "boolean"
        elif types == {int}:
            kinds[name] = "long"
        elif types <= {int, float}:
            kinds[name] = "double"
        else:
            kinds[name] = "string"
    return kinds


def _show(value: PropertyValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
