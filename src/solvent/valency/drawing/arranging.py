"""Find places on paper for the nodes of a graph."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from solvent.valency.model import Graph

Points = npt.NDArray[np.float64]

MAX_SPRUNG = 300
"""Nodes that springs arrange; more stand in rings around the first."""
_ROUNDS = 200
_GRAVITY = 0.1
"""How strongly the middle pulls, so that parts without an edge between them stay on one page."""
_SLANT = 0.4
"""How far one step in depth moves a node on paper."""


def flatten(graph: Graph) -> Points:
    """Return where nodes stand on paper; y grows downwards, and depth leads up and to the right."""
    x, y, z = graph.positions.T
    return np.stack([x + _SLANT * z, y - _SLANT * z], axis=1)


def place_nodes(graph: Graph) -> Points:
    """Return where nodes stand on paper, as somebody said or as is found for them."""
    said = len(graph.positions) > 0 and bool(np.ptp(graph.positions, axis=0).any())
    return flatten(graph) if said else arrange(graph)


def arrange(graph: Graph) -> Points:
    """Find places for nodes of which nobody said where they stand: edges pull, and all nodes push."""
    nodes = len(graph.positions)
    points = _rings(graph)
    if nodes > MAX_SPRUNG or nodes < 3:
        return points
    first, second = graph.edges[:, 0], graph.edges[:, 1]
    for number in range(_ROUNDS):
        apart = points[:, None, :] - points[None, :, :]
        square = np.maximum((apart**2).sum(axis=2), 1e-4)
        force = (apart / square[:, :, None]).sum(axis=1)
        pull = (points[second] - points[first]) * np.hypot(*(points[second] - points[first]).T)[:, None]
        force -= _GRAVITY * (points - points.mean(axis=0))
        np.add.at(force, first, pull)
        np.add.at(force, second, -pull)
        strength = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        reach = np.minimum(strength, 0.5 * (1 - number / _ROUNDS)) / strength
        points = points + force * reach[:, None]
    return points


def _rings(graph: Graph) -> Points:
    """Place each part of the graph beside the last: its first node in the middle, the others around it by distance."""
    nodes = len(graph.positions)
    neighbours: list[list[int]] = [[] for _ in range(nodes)]
    for a, b in graph.edges.tolist():
        neighbours[a].append(b)
        neighbours[b].append(a)
    points = np.zeros((nodes, 2))
    seen = [False] * nodes
    right = 0.0
    for start in range(nodes):
        if seen[start]:
            continue
        seen[start] = True
        rings, ring = [], [start]
        while ring:
            rings.append(ring)
            ring = []
            for node in rings[-1]:
                for other in neighbours[node]:
                    if not seen[other]:
                        seen[other] = True
                        ring.append(other)
        radii = [0.0]
        for ring in rings[1:]:
            radii.append(max(radii[-1] + 1, len(ring) / (2 * math.pi)))
        for ring, radius in zip(rings, radii, strict=True):
            for index, node in enumerate(ring):
                angle = 2 * math.pi * (index + 0.5 * (len(ring) % 2)) / len(ring)
                points[node] = right + radii[-1] + radius * math.cos(angle), radius * math.sin(angle)
        right += 2 * radii[-1] + 1.5
    return points
