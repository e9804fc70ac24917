"""What hangs together in a fill, and the cuts that say where it must."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.model import Connected, Path, numbers_in
from solvent.valency.slices import gathered, run_through, slices, stable_order, where_true
from solvent.valency.solver.formula import Consequence, Cut
from solvent.valency.solver.joins_kernel import Pieces
from solvent.valency.solver.network import Network, truths_of

Modules = npt.NDArray[np.int64]

MAX_STARTS = 12
"""For how many nodes of a piece that hangs loose a cut is made at once."""


def pieces(
    network: Network, constraint: Connected | Path, modules: Modules, meter: Meter = UNLIMITED
) -> npt.NDArray[np.int64]:
    """Return for each node that takes part the lowest node it hangs together with; -1 for the others."""
    # The last three are for nodes without a module.
    chosen = truths_of(numbers_in(constraint.modules), network.modules + 3)
    lowest = np.empty(len(modules), dtype=np.int64)
    for part in slices(len(modules), meter):
        lowest[part] = np.where(chosen[modules[part]], np.arange(part.start, part.stop), -1)
    joined = Pieces(lowest.data)
    for layer, edges in enumerate(network.cache.edges):
        exits = np.array(constraint.exits[layer], dtype=np.uint64) if constraint.exits else None
        for part in slices(len(edges), meter):
            first, second = modules[edges.source[part]], modules[edges.target[part]]
            joins = chosen[first] & chosen[second]
            if exits is not None:
                for held, orbital in ((first, edges.source_orbital[part]), (second, edges.target_orbital[part])):
                    joins &= (exits[np.maximum(held, 0)] >> orbital.astype(np.uint64)) & np.uint64(1) != 0
            joined.join_ends(edges.source[part][joins].data, edges.target[part][joins].data)
    run_through(joined.settle, meter)
    return lowest


def sizes_of_pieces(
    piece: npt.NDArray[np.int64], meter: Meter = UNLIMITED
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the lowest node of each piece, rising, and how many nodes the piece has."""
    sizes = np.zeros(len(piece), dtype=np.int64)
    for part in slices(len(piece), meter):
        np.add.at(sizes, piece[part][piece[part] >= 0], 1)
    names = where_true(sizes > 0, meter)
    return names, sizes[names]


def nodes_of_piece(piece: npt.NDArray[np.int64], name: int, meter: Meter = UNLIMITED) -> npt.NDArray[np.int64]:
    """Return the nodes of a piece."""
    found = [part.start + np.flatnonzero(piece[part] == name) for part in slices(len(piece), meter)]
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])


def are_joined(network: Network, modules: Modules, meter: Meter = UNLIMITED) -> bool:
    """Tell whether everything hangs together that must."""
    for _, constraint in network.joins:
        piece = pieces(network, constraint, modules, meter)
        if isinstance(constraint, Path):
            if piece[constraint.start] < 0 or piece[constraint.start] != piece[constraint.end]:
                return False
        elif len(sizes_of_pieces(piece, meter)[0]) > 1:
            return False
    return True


def broken_joins(network: Network, modules: Modules, meter: Meter = UNLIMITED) -> list[Cut]:
    """Return cuts that a fill breaks; none if everything that must hang together does.

    Without a module of its own at an end, a path breaks without a cut, which the formula rules out by itself.
    """
    cuts: list[Cut] = []
    for number, constraint in network.joins:
        piece = pieces(network, constraint, modules, meter)
        if isinstance(constraint, Path):
            start = piece[constraint.start]
            if start < 0 or start != piece[constraint.end]:
                reached = nodes_of_piece(piece, start, meter).tolist() if start >= 0 else [constraint.start]
                cuts.append(Cut(number, tuple(reached)))
            continue
        names, sizes = sizes_of_pieces(piece, meter)
        if len(names) < 2:
            continue
        main = int(names[np.argmax(sizes)])
        for inside in _all_pieces(piece, names, meter):
            if inside[0] != main:
                members = tuple(inside.tolist())
                cuts.extend(Cut(number, members, node, main) for node in members[:MAX_STARTS])
    return cuts


def broken_consequences(network: Network, modules: Modules, meter: Meter = UNLIMITED) -> list[Consequence]:
    """Return cuts and circles that a fill breaks; none if it breaks none."""
    circles = [cycle for limit in network.limits for cycle in limit.consequences(modules, meter)]
    return [*broken_joins(network, modules, meter), *circles]


def _all_pieces(
    piece: npt.NDArray[np.int64], names: npt.NDArray[np.int64], meter: Meter
) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the nodes of each piece, the lowest first, by rising lowest nodes."""
    nodes = where_true(piece >= 0, meter)
    order = gathered(nodes, stable_order(gathered(piece, nodes, meter), meter), meter)
    starts = np.searchsorted(gathered(piece, order, meter), names)
    for begin, end in meter.each(zip(starts.tolist(), [*starts[1:].tolist(), len(order)], strict=True)):
        yield order[begin:end]
