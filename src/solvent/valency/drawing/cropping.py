"""Cut the part out of a large graph that is to be looked at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from solvent.valency.drawing.overlay import Scene
from solvent.valency.model import Graph

Points = npt.NDArray[np.float64]

FEW = 150
"""Nodes that can be seen all at once."""


def crop(scene: Scene, graph: Graph, points: Points) -> tuple[Scene, Graph, Points]:
    """Return what stands around the ringed nodes of a large graph; a small one, or one without rings, as it is.

    Nodes have new numbers then; the task that the scene is about is still the whole.
    """
    if not scene.ringed or len(points) <= FEW:
        return scene, graph, points
    ringed = points[list(scene.ringed)]
    low, high = ringed.min(axis=0), ringed.max(axis=0)
    middle = (low + high) / 2
    touching = np.isin(graph.edges, scene.ringed).any(axis=1)
    lengths = np.abs(points[graph.edges[touching, 0]] - points[graph.edges[touching, 1]]).max(axis=1, initial=0.0)
    around = 2.5 * float(np.median(lengths)) if len(lengths) else 0.0
    reach = max(float((high - low).max()) / 2 + around, 1e-12)
    kept = np.flatnonzero((np.abs(points - middle) <= reach).all(axis=1))
    if 2 * len(kept) > len(points):
        return scene, graph, points
    number = np.full(len(points), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    inside = (number[graph.edges] >= 0).all(axis=1)
    names = tuple(graph.names[node] for node in kept.tolist()) if graph.names else ()
    part = Graph(graph.positions[kept], number[graph.edges[inside]].astype(np.int32), None, names)
    there = number.tolist()
    return (
        replace(
            scene,
            fill=scene.fill[kept],
            picks=tuple(there[node] for node in scene.picks if there[node] >= 0),
            over_budget=frozenset(there[node] for node in scene.over_budget if there[node] >= 0),
            ringed=tuple(there[node] for node in scene.ringed),
            links=tuple(
                replace(link, start=there[link.start], end=there[link.end])
                for link in scene.links
                if there[link.start] >= 0 and there[link.end] >= 0
            ),
            candidates=None if scene.candidates is None else scene.candidates[kept],
            idle_edges=scene.idle_edges[inside],
            captions=(*scene.captions, f"{len(kept):,} of {len(points):,} nodes are shown."),
        ),
        part,
        points[kept],
    )
