"""Write module data as JSON: a summary, the modules, and one line for each node."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from solvent.valency.exports.module_data import ModuleData, summarise
from solvent.valency.formats import FILL_FORMAT
from solvent.valency.model import Graph, Lattice


def write_json(data: ModuleData) -> bytes:
    """Write everything known about each node as one JSON object, nodes one a line.

    Positions on a lattice are in cells; hexagons stand closer in y, and half a cell to the right in odd rows.
    """
    rules, cluster = data.staging.rules, data.staging.cluster
    head: dict[str, Any] = {
        "format": FILL_FORMAT,
        "rules": rules.name,
        "seed": data.seed,
        "cluster": _cluster(cluster),
        "summary": summarise(data),
    }
    modules = [
        {"module": number, "key": module.key, "name": module.name, "tags": list(module.tags), "weight": module.weight}
        for number, module in enumerate(rules.modules)
    ]
    text = json.dumps(head, ensure_ascii=False, indent=2).removesuffix("\n}")
    text += f',\n  "modules": {_lines(modules)},\n  "nodes": {_lines(_nodes(data))}\n}}\n'
    return text.encode("utf-8", "backslashreplace")


def _nodes(data: ModuleData) -> Iterator[dict[str, Any]]:
    for node in data.nodes():
        module, transform = node.module, node.transform
        entry: dict[str, Any] = {"node": node.number}
        if node.name is not None:
            entry["name"] = node.name
        entry |= {
            "position": [_tidy(part) for part in node.position],
            "module": node.module_number,
            "key": None if module is None else module.key,
            "module_name": None if module is None else module.name,
            "data": node.packed,
            "module_data": node.module_data,
            "flags": node.flags,
            "properties": node.properties,
            "variant": node.variant,
        }
        if transform is not None:
            entry["transform"] = {
                "offset": list(transform.offset),
                "rotation_degrees": list(transform.rotation_degrees),
                "scale": list(transform.scale),
            }
            entry["placed"] = [_tidy(part) for part in node.placed]
        yield entry


def _lines(entries: Iterable[dict[str, Any]]) -> str:
    """Write a list with one entry a line."""
    return "[\n" + ",\n".join("    " + json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n  ]"


def _cluster(cluster: Lattice | Graph) -> dict[str, Any]:
    if isinstance(cluster, Graph):
        return {"kind": "graph", "nodes": len(cluster.positions), "edges": len(cluster.edges)}
    return {
        "kind": cluster.kind,
        "width": cluster.width,
        "height": cluster.height,
        "depth": cluster.depth,
        "periodic": list(cluster.periodic),
    }


def _tidy(value: float) -> float | int:
    """Return a whole number as one, so that cells read as cells."""
    return int(value) if value == int(value) else value
