"""Read what is to be drawn on a cluster: from its picks, a certificate, and the highlights of an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from solvent.core.answer import Certificate
from solvent.core.errors import ParseError
from solvent.drawing.highlights import is_number, items_in, numbers_in
from solvent.drawing.phrases import counted
from solvent.valency.drawing.clash import Clash, Link, link_between, read_clash
from solvent.valency.model import NULL_SLOT, UNSET, UNSOLVABLE, Graph, Staging
from solvent.valency.orbitals import count_nodes, match_edges
from solvent.valency.rules import modules_named

Numbers = npt.NDArray[np.int32]

MAX_EDGES = 120_000
"""Edges of a graph that are drawn."""


class Overlay(Struct, frozen=True, eq=False):
    """Hold what is drawn on a cluster."""

    staging: Staging
    fill: Numbers
    """What stands on each node: a module, or UNSET, NULL_SLOT or UNSOLVABLE; fixed picks stand there from the start."""
    is_filled: bool
    """Whether it is filled; otherwise there are only picks."""
    picks: tuple[int, ...]
    """Nodes with a fixed pick that names a module."""
    over_budget: frozenset[int] = frozenset()
    """Which of the unsolvable nodes were given up on; the others are proved impossible."""
    ringed: tuple[int, ...] = ()
    """Nodes to look at, in the order of their numbers."""
    links: tuple[Link, ...] = ()
    """Edges to look at."""
    captions: tuple[str, ...] = ()
    """What stands above the drawing."""
    reasons: tuple[str, ...] = ()
    """What clashes, in words."""
    candidates: Numbers | None = None
    """How many modules are possible on each node."""
    is_clash: bool = field(default=False)
    """Whether what is ringed cannot go together; all else is then faded."""
    idle_edges: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    """For each edge of a graph whether it takes no part, in any layer; empty for a lattice, and nowhere true if there
    are too many to be drawn."""


def read_overlay(
    staging: Staging, certificate: Certificate | None, highlights: Mapping[str, Any] | None, view: str | None
) -> Overlay:
    """Return what to draw; raises ParseError for what does not fit the cluster."""
    nodes = count_nodes(staging.cluster)
    given = highlights if isinstance(highlights, Mapping) else {}
    fill, picks = _picked(staging, nodes)
    form = None if certificate is None else certificate.get("form")
    is_filled = False
    over_budget: frozenset[int] = frozenset()
    clash = Clash()
    captions: list[str] = []
    if certificate is not None and form in ("assignment", "partial"):
        fill, is_filled = read_fill(staging, certificate.get("modules"), "modules"), True
        over_budget = read_over_budget(certificate, nodes)
        captions = _captions(fill, over_budget)
    elif certificate is not None and form in ("refutation", "counting"):
        clash = read_clash(staging, certificate)
        captions = [f"Cannot be filled: {_clashing(len(clash.nodes))}"]
    if "fill" in given:
        fill, is_filled = read_fill(staging, given["fill"], "fill"), True
    ringed = clash.nodes or tuple(read_nodes(given.get("nodes"), nodes, "nodes"))
    links = clash.links or tuple(_links(staging, given.get("edges"), nodes))
    candidates = None
    if view == "candidates" or "candidates" in given:
        candidates = _candidates(staging, given.get("candidates"), nodes)
        captions = [*captions, "How many modules are possible on each node."]
    return Overlay(
        staging=staging,
        fill=fill,
        is_filled=is_filled,
        picks=tuple(picks),
        over_budget=over_budget,
        ringed=ringed,
        links=links,
        captions=tuple(captions),
        reasons=clash.reasons,
        candidates=candidates,
        is_clash=bool(clash.nodes),
        idle_edges=_idle_edges(staging),
    )


def read_fill(staging: Staging, value: object, path: str) -> Numbers:
    """Return a list with one module for each node as an array, or raise ParseError."""
    nodes = count_nodes(staging.cluster)
    if not isinstance(value, list | tuple) or len(value) != nodes:
        raise ParseError(f"a list of {counted(nodes, 'module number')}", value, path=path)
    for node, number in enumerate(value):
        if not is_number(number) or not UNSOLVABLE <= number < len(staging.rules.modules):
            raise ParseError("the number of a module", number, path=f"{path}[{node}]")
    return np.array(value, dtype=np.int32)


def read_over_budget(certificate: Certificate, nodes: int) -> frozenset[int]:
    """Return which nodes a certificate leaves out without a proof."""
    left_out = certificate.get("left_out")
    entries = [entry for entry in left_out if isinstance(entry, Mapping)] if isinstance(left_out, list | tuple) else []
    without_proof = [entry.get("node") for entry in entries if entry.get("proof") is None]
    return frozenset(read_nodes(without_proof, nodes, "left_out"))


def read_nodes(value: object, nodes: int, path: str) -> list[int]:
    """Return the nodes in a list, each once; what lies outside the cluster raises ParseError."""
    return numbers_in(value, nodes, f"a node from 0 to {nodes - 1}", path)


def _picked(staging: Staging, nodes: int) -> tuple[Numbers, list[int]]:
    """Return what fixed picks put on the nodes, the first of the modules they may mean, and which nodes these are."""
    fill = np.full(nodes, UNSET, dtype=np.int32)
    named: dict[str, list[int]] = {}
    picks = []
    for pick in staging.picks:
        if pick.name not in named:
            named[pick.name] = modules_named(staging.rules, pick.name)
        if named[pick.name]:
            fill[pick.node] = named[pick.name][0]
            picks.append(pick.node)
    return fill, picks


def _captions(fill: Numbers, over_budget: frozenset[int]) -> list[str]:
    left_out = int((fill == UNSOLVABLE).sum())
    if not left_out:
        return []
    proved = left_out - len(over_budget)
    reasons = [f"{proved:,} proved impossible"] if proved else []
    reasons += [f"{len(over_budget):,} given up on"] if over_budget else []
    filled = int((fill >= 0).sum())
    return [f"{counted(filled, 'node')} filled, {left_out:,} left out: {', '.join(reasons)}."]


def _clashing(nodes: int) -> str:
    return "nothing can stand on this node." if nodes == 1 else f"these {nodes} nodes clash."


def _candidates(staging: Staging, value: object, nodes: int) -> Numbers:
    """Return how many modules each node may hold: as given, in numbers or lists of modules, else by fitness alone."""
    if value is not None:
        if not isinstance(value, list | tuple) or len(value) != nodes:
            raise ParseError(f"a list of {counted(nodes, 'number')}", value, path="candidates")
        counts = [len(entry) if isinstance(entry, list | tuple) else entry for entry in value]
        for node, number in enumerate(counts):
            if not is_number(number) or not NULL_SLOT <= number <= len(staging.rules.modules):
                raise ParseError("a number of modules", number, path=f"candidates[{node}]")
        return np.array(counts, dtype=np.int32)
    from solvent.valency.orbitals import build_cache
    from solvent.valency.rules import place

    cache = build_cache(staging)
    placement = place(staging, cache)
    found: Numbers = placement.free.sum(axis=1).astype(np.int32)[placement.class_of] if nodes else np.empty(0, np.int32)
    for node, modules in placement.picked.items():
        found[node] = len(modules)  # a pick must be honoured, so nothing else is possible there
    found[~cache.open_nodes] = NULL_SLOT
    return found


def _idle_edges(staging: Staging) -> npt.NDArray[np.bool_]:
    """Return which edges of a graph have no orbital in any layer."""
    graph = staging.cluster
    if not isinstance(graph, Graph):
        return np.zeros(0, dtype=np.bool_)
    if len(graph.edges) > MAX_EDGES:
        return np.zeros(len(graph.edges), dtype=np.bool_)
    if graph.orbitals is not None:
        return np.asarray(np.all(graph.orbitals < 0, axis=(1, 2)))
    idle = np.ones(len(graph.edges), dtype=np.bool_)
    for layer in staging.rules.layers:
        _, unmatched, crowded_out = match_edges(graph, layer.orbital_set)
        has_none = np.zeros(len(idle), dtype=np.bool_)
        has_none[unmatched] = has_none[crowded_out] = True
        idle &= has_none
    return idle


def _links(staging: Staging, value: object, nodes: int) -> Iterable[Link]:
    pairs = []
    for number, item in enumerate(items_in(value)):
        ends = read_nodes(item, nodes, f"edges[{number}]")
        if ends:
            pairs.append((ends[0], ends[-1]))
    return link_between(staging, pairs) if pairs else ()
