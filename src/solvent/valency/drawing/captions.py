"""Say what a drawing shows: its title, and a description for those who cannot see it."""

from __future__ import annotations

from collections import Counter

from solvent.valency.drawing.overlay import Overlay
from solvent.valency.drawing.phrases import count
from solvent.valency.model import HEX, Cluster, Lattice

MAX_DESCRIBED = 40
"""Modules that a description counts."""


def title_of(overlay: Overlay) -> str:
    """Return what stands above a drawing: the name of the rules, and how large the cluster is."""
    rules = overlay.staging.rules.name
    return f"{rules}, {size_of(overlay.staging.cluster)}" if rules else size_of(overlay.staging.cluster)


def size_of(cluster: Cluster) -> str:
    """Say how large a cluster is."""
    if isinstance(cluster, Lattice):
        sides = [cluster.width, cluster.height, *([cluster.depth] if cluster.depth > 1 else [])]
        kind = " hexagons" if cluster.kind == HEX else ""
        wraps = "".join(axis for axis, wraps in zip("xyz", cluster.periodic, strict=True) if wraps)
        return " × ".join(map(str, sides)) + kind + (f", periodic in {wraps}" if wraps else "")
    return f"{count(len(cluster.positions), 'node')}, {count(len(cluster.edges), 'edge')}"


def describe(overlay: Overlay) -> str:
    """Say in words what a drawing shows."""
    modules = overlay.staging.rules.modules
    said = [f"{size_of(overlay.staging.cluster)}, {count(len(modules), 'module')}."]
    if overlay.picks:
        said.append(f"{count(len(overlay.picks), 'fixed pick')}.")
    said += overlay.captions
    if overlay.is_filled:
        totals = Counter(modules[number].name for number in overlay.fill[overlay.fill >= 0].tolist())
        listed = ", ".join(f"{name} ({total})" for name, total in totals.most_common(MAX_DESCRIBED))
        said.append(f"Modules: {listed}{', …' if len(totals) > MAX_DESCRIBED else ''}.")
    return " ".join([*said, *overlay.reasons])
