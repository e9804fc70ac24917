"""The parts of a task that can clash, by name.

A clash is a set of elements that cannot all hold; the formula of each is in `formula`. As JSON an element is an object
with one key; here it is a tuple of that key and its numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solvent.valency.model import Separation
from solvent.valency.solver.network import Network, pairs_closer_than

Element = tuple[Any, ...]
"""("node", v), ("pick", v), ("edge", layer, v, orbital), ("apart", constraint, v, w), ("least", module),
("most", module) or ("constraint", number)."""


def local_elements(network: Network, inside: np.ndarray[Any, np.dtype[np.bool_]]) -> list[Element]:
    """Return all nodes, picks, edges and separations among some nodes, which are given as truths."""
    picked = network.placement.picked
    elements: list[Element] = []
    for node in np.flatnonzero(inside).tolist():
        elements.append(("pick", node) if node in picked else ("node", node))
    for layer, edges in enumerate(network.cache.edges):
        chosen = np.flatnonzero(inside[edges.source] & inside[edges.target])
        ends = zip(edges.source[chosen].tolist(), edges.source_orbital[chosen].tolist(), strict=True)
        elements.extend(("edge", layer, node, orbital) for node, orbital in ends)
    for number, constraint in enumerate(network.staging.constraints):
        if isinstance(constraint, Separation):
            first, second = separated_pairs(network, constraint.distance)
            chosen = np.flatnonzero(inside[first] & inside[second])
            pairs = zip(first[chosen].tolist(), second[chosen].tolist(), strict=True)
            elements.extend(("apart", number, node, other) for node, other in pairs)
    return elements


def global_elements(network: Network, *, only_most: bool = False) -> list[Element]:
    """Return all counts and constraints on what hangs together; with `only_most`, upper bounds alone."""
    elements: list[Element] = []
    for bound in network.count_bounds:
        for element in bound.element:
            if not only_most or element[0] == "most" or (element[0] == "constraint" and bound.most < network.nodes):
                elements.append(element)
    if not only_most:
        elements.extend(("constraint", number) for number, _ in network.joins)
    return elements


def separated_pairs(network: Network, distance: int) -> tuple[Any, Any]:
    """Return the pairs of nodes with fewer edges than that between them, each once."""
    start = np.concatenate([[0], np.cumsum(network.near_end - network.arc_start[:-1])]).astype(np.int64)
    near = np.ones(len(network.arc_target), dtype=np.bool_)
    for_all = np.repeat(network.near_end, np.diff(network.arc_start))
    near = np.arange(len(network.arc_target)) < for_all
    first, second = pairs_closer_than(start, network.arc_target[near], distance)
    once = first < second
    return first[once], second[once]


def element_nodes(network: Network, element: Element) -> tuple[int, ...]:
    """Return the nodes an element names."""
    kind = element[0]
    if kind in ("node", "pick"):
        return (element[1],)
    if kind == "edge":
        _, layer, node, orbital = element
        return node, int(network.cache.neighbours[layer][node, orbital])
    if kind == "apart":
        return element[2], element[3]
    return ()


def as_json(element: Element) -> dict[str, Any]:
    """Return an element as a certificate writes it."""
    return {element[0]: element[1] if len(element) == 2 else list(element[1:])}
