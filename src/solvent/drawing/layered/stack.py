"""A graph cut into layers: each edge becomes a chain of items, one in each layer that it passes.

Where edges have labels, every second layer holds nothing but them and the lines that pass, so that a label never
stands on a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from solvent.drawing.layered.ranks import Edge


class Stack(Struct):
    """Hold items in layers. The first items are the nodes of the graph; those after them are bends of edges."""

    layers: list[list[int]]
    """Items in the order in which they stand beside each other."""
    layer_of: list[int]
    """By item."""
    above: list[list[int]]
    """By item: those of the layer before that it is joined to."""
    below: list[list[int]]
    """By item: those of the layer after."""
    chains: list[list[int]]
    """By edge: its items from source to target; empty for an edge from a node to itself."""
    label_items: list[int | None]
    """By edge: the item on which its label stands."""
    nodes: int
    """How many items are nodes."""


def build_stack(count: int, edges: Sequence[Edge], ranks: Sequence[int], *, labelled: Sequence[bool]) -> Stack:
    """Cut the edges at the layers they pass."""
    step = 2 if any(labelled) else 1
    layer_of = [rank * step for rank in ranks]
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    chains: list[list[int]] = []
    label_items: list[int | None] = []
    for number, (source, target) in enumerate(edges):
        if source == target:
            chains.append([])
            label_items.append(None)
            continue
        high, low = (source, target) if layer_of[source] < layer_of[target] else (target, source)
        chain = [high]
        for layer in range(layer_of[high] + 1, layer_of[low]):
            chain.append(len(layer_of))
            layer_of.append(layer)
            above.append([])
            below.append([])
        chain.append(low)
        for one, other in pairwise(chain):
            below[one].append(other)
            above[other].append(one)
        # The middle one that lies between layers of nodes.
        middle = len(chain) // 2
        label_items.append(chain[middle if middle % 2 else middle - 1] if labelled[number] else None)
        chains.append(chain if high == source else chain[::-1])
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for item, layer in enumerate(layer_of):
        layers[layer].append(item)
    return Stack(layers, layer_of, above, below, chains, label_items, count)
