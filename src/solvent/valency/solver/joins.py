"""What hangs together in a fill, and the cuts that say where it must."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.valency.model import Connected, Path, numbers_in
from solvent.valency.solver.formula import Cut
from solvent.valency.solver.joins_kernel import join
from solvent.valency.solver.network import Network, truths_of

Modules = npt.NDArray[np.int64]

MAX_STARTS = 12
"""For how many nodes of a piece that hangs loose a cut is made at once."""


def open_edges(
    network: Network, constraint: Connected | Path, modules: Modules
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return which nodes take part, and the two ends of each edge that joins two of them."""
    # The last three are for nodes without a module.
    chosen = truths_of(numbers_in(constraint.modules), network.modules + 3)
    part = chosen[modules]
    sources, targets = [], []
    for layer, edges in enumerate(network.cache.edges):
        joins = part[edges.source] & part[edges.target]
        if constraint.exits:
            exits = np.array(constraint.exits[layer], dtype=np.uint64)
            for node, orbital in ((edges.source, edges.source_orbital), (edges.target, edges.target_orbital)):
                masks = exits[np.maximum(modules[node], 0)]
                joins &= (masks >> orbital.astype(np.uint64)) & np.uint64(1) != 0
        sources.append(edges.source[joins])
        targets.append(edges.target[joins])
    return part, np.concatenate(sources), np.concatenate(targets)


def pieces(network: Network, constraint: Connected | Path, modules: Modules) -> npt.NDArray[np.int64]:
    """Return for each node that takes part the lowest node it hangs together with; -1 for the others."""
    part, source, target = open_edges(network, constraint, modules)
    lowest = np.where(part, np.arange(len(modules)), -1)
    join(lowest.data, source.data, target.data)
    return lowest


def broken_joins(network: Network, modules: Modules) -> list[Cut]:
    """Return cuts that a fill breaks; none if everything that must hang together does.

    Without a module of its own at an end, a path breaks without a cut, which the formula rules out by itself.
    """
    cuts: list[Cut] = []
    for number, constraint in network.joins:
        piece = pieces(network, constraint, modules)
        if isinstance(constraint, Path):
            start = piece[constraint.start]
            if start < 0 or start != piece[constraint.end]:
                reached = np.flatnonzero(piece == start).tolist() if start >= 0 else [constraint.start]
                cuts.append(Cut(number, tuple(reached)))
            continue
        names, sizes = np.unique(piece[piece >= 0], return_counts=True)
        if len(names) < 2:
            continue
        main = int(names[np.argmax(sizes)])
        for name in names.tolist():
            if name != main:
                inside = np.flatnonzero(piece == name).tolist()
                cuts.extend(Cut(number, tuple(inside), node, main) for node in inside[:MAX_STARTS])
    return cuts
