"""Cut the part out of a large graph that is to be looked at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import Graph

Points = npt.NDArray[np.float64]

FEW = 150
"""Nodes that can be seen all at once."""


def crop(overlay: Overlay, graph: Graph, points: Points) -> tuple[Overlay, Graph, Points]:
    """Return what stands around the ringed nodes of a large graph; a small one, or one without rings, as it is.

    Nodes have new numbers then; the task that the overlay is about is still the whole.
    """
    if not overlay.ringed or len(points) <= FEW:
        return overlay, graph, points
    ringed = points[list(overlay.ringed)]
    low, high = ringed.min(axis=0), ringed.max(axis=0)
    middle = (low + high) / 2
    touching = np.isin(graph.edges, overlay.ringed).any(axis=1)
    lengths = np.abs(points[graph.edges[touching, 0]] - points[graph.edges[touching, 1]]).max(axis=1, initial=0.0)
    around = 2.5 * float(np.median(lengths)) if len(lengths) else 0.0
    reach = max(float((high - low).max()) / 2 + around, 1e-12)
    kept = np.flatnonzero((np.abs(points - middle) <= reach).all(axis=1))
    if 2 * len(kept) > len(points):
        return overlay, graph, points
    number = np.full(len(points), -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    inside = (number[graph.edges] >= 0).all(axis=1)
    names = tuple(graph.names[node] for node in kept.tolist()) if graph.names else ()
    part = Graph(graph.positions[kept], number[graph.edges[inside]].astype(np.int32), None, names)
    there = number.tolist()
    return (
        replace(
            overlay,
            fill=overlay.fill[kept],
            picks=tuple(there[node] for node in overlay.picks if there[node] >= 0),
            over_budget=frozenset(there[node] for node in overlay.over_budget if there[node] >= 0),
            ringed=tuple(there[node] for node in overlay.ringed),
            links=tuple(
                replace(link, start=there[link.start], end=there[link.end])
                for link in overlay.links
                if there[link.start] >= 0 and there[link.end] >= 0
            ),
            candidates=None if overlay.candidates is None else overlay.candidates[kept],
            idle_edges=overlay.idle_edges[inside],
            captions=(*overlay.captions, f"{len(kept):,} of {len(points):,} nodes are shown."),
        ),
        part,
        points[kept],
    )
