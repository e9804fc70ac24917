"""Describe a task as JSON values, for a page to draw node by node."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Certificate
from solvent.drawing.palette import as_hex
from solvent.valency.drawing.clash import Link, position_of, read_clash
from solvent.valency.drawing.faces import TILE, Face, make_faces
from solvent.valency.drawing.overlay import read_overlay
from solvent.valency.drawing.projection import project
from solvent.valency.drawing.sheet import place_nodes
from solvent.valency.model import Cluster, Graph, Lattice, Staging
from solvent.valency.orbitals import OrbitalCache, build_cache, count_nodes
from solvent.valency.page.tile_sheet import draw_sheet
from solvent.valency.rules import Placement, modules_named, place

MAX_NODES, MAX_NODES_OF_A_GRAPH = 40_000, 5_000
"""What a page draws node by node; of more it shows a picture."""
MAX_EDGES = 40_000
MAX_SETS = 4_000
"""Different sets of candidates that are listed; of more, only how many each node has."""
MAX_LISTED = 400_000
"""Modules in all lists together."""
MAX_MODULES_AS_TEXT = 120
"""Of a rule set whose text is sent with every position."""
LARGEST_TABLE = 20_000_000
"""Nodes times modules up to which all consequences are drawn beforehand."""


def page_data(staging: Staging) -> dict[str, Any]:
    """Return what stands where: the cluster, the look of each module, picks, and what may stand on each node."""
    cluster = staging.cluster
    nodes = count_nodes(cluster)
    data: dict[str, Any] = {
        "title": staging.rules.name,
        "nodes": nodes,
        "seed": staging.seed,
        "most_nodes": MAX_NODES if isinstance(cluster, Lattice) else MAX_NODES_OF_A_GRAPH,
        "is_too_large": not is_shown(cluster),
        **_frame(cluster),
        **_names(),
    }
    if data["is_too_large"]:
        return data
    cache = build_cache(staging)
    placement = place(staging, cache)
    detailed = make_faces(staging.rules, detailed=True)
    data |= {
        "modules": _modules(staging, detailed),
        "sheet": draw_sheet(detailed, cluster),
        **_rules(staging),
        "picks": _picks(staging, placement),
        "picture": _picture(staging),
        "empty": np.flatnonzero(~cache.open_nodes).tolist(),
        **_fitting(placement, cache),
        **_candidates(staging),
        **(_graph(staging, cluster) if isinstance(cluster, Graph) else {}),
    }
    return data


def _rules(staging: Staging) -> dict[str, Any]:
    """Return what an editor of the rules shows: them as a table and as text, and the pictures there are to choose."""
    from solvent.valency.drawing.sprites import SPRITES
    from solvent.valency.notation.task_json.writing import format_rules
    from solvent.valency.page.rule_editing import table

    is_long = len(staging.rules.modules) > MAX_MODULES_AS_TEXT
    return {
        "tables": table(staging.rules),
        "rules_text": None if is_long else format_rules(staging.rules),
        "sprites": list(SPRITES),
    }


def marks(staging: Staging, certificate: Certificate) -> dict[str, Any]:
    """Return what clashes in a NO: nodes, and edges with the way they lead on paper if that is not straight."""
    if certificate.get("form") not in ("refutation", "counting") or not is_shown(staging.cluster):
        return {}
    clash = read_clash(staging, certificate)
    return {"clash": {"nodes": clash.nodes, "links": [show_link(staging.cluster, link) for link in clash.links]}}


def show_link(cluster: Cluster, link: Link) -> dict[str, Any]:
    """Return an edge as JSON values, with the way it leads on paper if that is not straight."""
    return {"start": link.start, "end": link.end, "is_edge": link.is_edge, "away": _away(cluster, link)}


def _away(cluster: Cluster, link: Link) -> tuple[float, float] | None:
    """Return the direction in which an edge leaves the floor, around the rim or to another floor."""
    if not isinstance(cluster, Lattice) or not link.is_edge:
        return None
    start, end = position_of(cluster, link.start), position_of(cluster, link.end)
    x, y, z = link.direction or (end[0] - start[0], end[1] - start[1], end[2] - start[2])
    if link.direction is None and not z:
        return None
    return x, y if x or y else -z


def is_shown(cluster: Cluster) -> bool:
    """Tell whether a page draws a cluster of this size node by node."""
    if isinstance(cluster, Graph):
        return len(cluster.positions) <= MAX_NODES_OF_A_GRAPH and len(cluster.edges) <= MAX_EDGES
    return count_nodes(cluster) <= MAX_NODES


def _frame(cluster: Cluster) -> dict[str, Any]:
    if isinstance(cluster, Graph):
        return {"kind": "graph", "size": None, "periodic": None, "edges_in_all": len(cluster.edges)}
    return {
        "kind": cluster.kind,
        "size": [cluster.width, cluster.height, cluster.depth],
        "periodic": list(cluster.periodic),
    }


def _names() -> dict[str, Any]:
    from solvent.valency.examples import load_examples
    from solvent.valency.solver.orders import solver_names

    return {
        "solvers": solver_names(),
        "rule_sets": [{"name": example.name, "title": example.title} for example in load_examples()],
    }


def _modules(staging: Staging, faces: list[Face]) -> list[dict[str, Any]]:
    return [
        {
            "key": module.key,
            "name": module.name,
            "weight": module.weight,
            "paint": as_hex(face.paint),
            "is_flat": face.is_flat,
        }
        for module, face in zip(staging.rules.modules, faces, strict=True)
    ]


def _picture(staging: Staging) -> str | None:
    """Return which picture shows more than the board does: the map as its editor draws it, or all floors at once."""
    if project(staging) is not None:
        return "map"
    return "depth" if isinstance(staging.cluster, Lattice) and staging.cluster.depth > 1 else None


def _picks(staging: Staging, placement: Placement) -> list[dict[str, Any]]:
    """Return the fixed picks: what they mean, and why if they are ignored."""
    ignored = {pick.node: "no module has that name" for pick in placement.unknown}
    ignored |= {pick.node: "no module of that name fits here" for pick in placement.skipped}
    ignored |= {pick.node: "a node without neighbours stays empty" for pick in placement.on_null_slots}
    return [
        {
            "node": pick.node,
            "name": pick.name,
            "modules": list(placement.picked.get(pick.node) or modules_named(staging.rules, pick.name)),
            "ignored": ignored.get(pick.node),
        }
        for pick in staging.picks
    ]


def _fitting(placement: Placement, cache: OrbitalCache) -> dict[str, Any]:
    """Return which modules fit which kind of node; nothing if that would be too much to send."""
    if not cache.nodes or placement.fits.size > MAX_LISTED:
        return {"fits": None, "class_of": None}
    return {"fits": _lists(placement.fits), "class_of": placement.class_of.tolist()}


def _candidates(staging: Staging) -> dict[str, Any]:
    """Return what is possible on each node once all consequences are drawn, before anything is chosen."""
    nothing = {"candidate_sets": None, "candidates": None, "counts": None}
    nodes, modules = count_nodes(staging.cluster), len(staging.rules.modules)
    if nodes * modules > LARGEST_TABLE:
        return nothing
    from solvent.valency.solver.filling import find_candidates
    from solvent.valency.solver.network import unpack

    truths = unpack(find_candidates(staging), modules)
    counts = truths.sum(axis=1).tolist()
    packed = np.packbits(truths, axis=1)
    _, first, numbers = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    sets = truths[first]
    if len(sets) > MAX_SETS or int(sets.sum()) > MAX_LISTED:
        return {**nothing, "counts": counts}
    return {"candidate_sets": _lists(sets), "candidates": numbers.reshape(-1).tolist(), "counts": counts}


def _lists(truths: npt.NDArray[np.bool_]) -> list[list[int]]:
    return [np.flatnonzero(row).tolist() for row in truths]


def _graph(staging: Staging, graph: Graph) -> dict[str, Any]:
    """Return where nodes stand, in units in which a node is as large as a cell, and what joins them."""
    points = place_nodes(graph)
    points = points - points.min(axis=0)
    lengths = np.hypot(*(points[graph.edges[:, 0]] - points[graph.edges[:, 1]]).T)
    lengths = lengths[lengths > 0]
    typical = float(np.quantile(lengths, 0.1)) if len(lengths) else 1.0
    points = points * (1.7 * TILE / typical)
    longest = float(points.max(initial=1.0))
    points *= min(1.0, 200 * TILE / longest)
    idle = read_overlay(staging, None, None, None).idle_edges
    return {
        "points": np.round(points + TILE, 2).tolist(),
        "edges": graph.edges.tolist(),
        "idle_edges": np.flatnonzero(idle).tolist(),
        "names": list(graph.names) or None,
    }
