"""What is written around a drawing: its title, captions and legend, and a description of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solvent.drawing.phrases import counted
from solvent.valency.drawing.overlay import Overlay
from solvent.valency.model import HEX, Cluster, Lattice

if TYPE_CHECKING:  # text needs no picture
    from solvent.drawing.legend import Entry
    from solvent.drawing.paper import Lettering

MAX_DESCRIBED = 40
"""Modules that a description counts."""


def lettering_for(overlay: Overlay, legend: Sequence[Entry], *, captions: Sequence[str]) -> Lettering:
    """Return all that is written around a drawing."""
    from solvent.drawing.paper import Lettering

    return Lettering(
        name="Valency",
        title=title_of(overlay),
        captions=captions,
        sentences=overlay.reasons,
        description=describe(overlay),
        legend=legend,
    )


def title_of(overlay: Overlay) -> str:
    """Return what stands above a drawing: the name of the rules, and how large the cluster is."""
    rules = overlay.staging.rules.name
    return f"{rules}, {size_of(overlay.staging.cluster)}" if rules else size_of(overlay.staging.cluster)


def size_of(cluster: Cluster) -> str:
    """Return how large a cluster is."""
    if isinstance(cluster, Lattice):
        sides = [cluster.width, cluster.height, *([cluster.depth] if cluster.depth > 1 else [])]
        kind = " hexagons" if cluster.kind == HEX else ""
        wraps = "".join(axis for axis, wraps in zip("xyz", cluster.periodic, strict=True) if wraps)
        return " × ".join(map(str, sides)) + kind + (f", periodic in {wraps}" if wraps else "")
    return f"{counted(len(cluster.positions), 'node')}, {counted(len(cluster.edges), 'edge')}"


def describe(overlay: Overlay) -> str:
    """Describe what a drawing shows."""
    modules = overlay.staging.rules.modules
    sentences = [f"{size_of(overlay.staging.cluster)}, {counted(len(modules), 'module')}."]
    if overlay.picks:
        sentences.append(f"{counted(len(overlay.picks), 'fixed pick')}.")
    sentences += overlay.captions
    if overlay.is_filled:
        totals = Counter(modules[number].name for number in overlay.fill[overlay.fill >= 0].tolist())
        names = ", ".join(f"{name} ({total})" for name, total in totals.most_common(MAX_DESCRIBED))
        sentences.append(f"Modules: {names}{', …' if len(totals) > MAX_DESCRIBED else ''}.")
    return " ".join([*sentences, *overlay.reasons])
