"""Name nodes and modules in sentences for people."""

from __future__ import annotations

from solvent.core.errors import show_value
from solvent.valency.model import Graph, Staging


def name_node(staging: Staging, node: int) -> str:
    """Return what people call a node: its number, with its place or name."""
    cluster = staging.cluster
    if isinstance(cluster, Graph):
        return f"node {node} ({show_value(cluster.names[node])})" if node < len(cluster.names) else f"node {node}"
    place = f"x {node % cluster.width}, y {node // cluster.width % cluster.height}"
    if cluster.depth > 1:
        place += f", z {node // (cluster.width * cluster.height)}"
    return f"node {node} ({place})"


def name_module(staging: Staging, module: int) -> str:
    """Return what people call a module."""
    return show_value(staging.rules.modules[module].key)


def name_orbital(staging: Staging, layer: int, orbital: int) -> str:
    """Return what people call an orbital; with its layer, where there are several."""
    layers = staging.rules.layers
    named = show_value(layers[layer].orbital_set.orbitals[orbital].name)
    return f"{named} of layer {show_value(layers[layer].name)}" if len(layers) > 1 else named
