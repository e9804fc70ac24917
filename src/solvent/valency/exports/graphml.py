"""Write module data as GraphML, with the modules as attributes of the nodes."""

from __future__ import annotations

from collections.abc import Iterator

from solvent.drawing.markup import escape
from solvent.valency.exports.module_data import ModuleData, all_properties, flag_names
from solvent.valency.model import Graph, PropertyValue
from solvent.valency.orbitals import node_positions

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
}
_OF_EDGES = {"layer": "string", "source_orbital": "string", "target_orbital": "string"}


def write_graphml(data: ModuleData) -> bytes:
    """Write the nodes and, layer by layer, the edges that bind; nodes are called n0, n1 and so on."""
    return ("\n".join(_lines(data)) + "\n").encode("utf-8", "backslashreplace")


def _lines(data: ModuleData) -> Iterator[str]:
    rules, cluster = data.staging.rules, data.staging.cluster
    properties = all_properties(data.staging)
    kinds = _kinds(properties)
    yield _HEAD
    for name, kind in _OF_NODES.items():
        yield f' <key id="{name}" for="node" attr.name="{name}" attr.type="{kind}"/>'
    for number, (name, kind) in enumerate(kinds.items()):
        yield f' <key id="p{number}" for="node" attr.name="property:{escape(name)}" attr.type="{kind}"/>'
    for name, kind in _OF_EDGES.items():
        yield f' <key id="{name}" for="edge" attr.name="{name}" attr.type="{kind}"/>'
    yield ' <graph edgedefault="undirected">'
    names = cluster.names if isinstance(cluster, Graph) else ()
    for node, (x, y, z) in enumerate(node_positions(cluster).tolist()):
        module, number = data.module(node), int(data.modules[node])
        values: dict[str, object] = {"label": names[node]} if names else {}
        values |= {"x": repr(x), "y": repr(y), "z": repr(z), "module": number}
        if module is not None:
            values |= {"key": module.key, "module_name": module.name}
        values |= {"data": int(data.packed[node]), "flags": "|".join(flag_names(int(data.flags[node])))}
        if data.variants[node] >= 0:
            values["variant"] = int(data.variants[node])
        if module is not None:
            values |= {
                f"p{index}": _show(properties[number][name])
                for index, name in enumerate(kinds)
                if name in properties[number]
            }
        yield f'  <node id="n{node}">{_data(values)}</node>'
    for layer, edges in zip(rules.layers, data.cache.edges, strict=True):
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
