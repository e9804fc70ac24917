"""Where the cells of a map stand on the screen, as in Tiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.valency.art import HEXAGONAL, ISOMETRIC, ORTHOGONAL, STAGGERED, Art
from solvent.valency.model import HEX, Graph, Lattice, Staging
from solvent.valency.notation.staggered import staggered_cells
from solvent.valency.orbitals import count_nodes

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

MAX_NODES = 60_000
"""Of a map that is drawn tile by tile; of a larger one, cells are drawn as for any other rules."""


class Projection(Struct, frozen=True, eq=False):
    """Hold where the cells of a map stand, in pixels of its tiles."""

    corners: Points
    """The upper left corner of the box around each cell, shape (nodes, 2)."""
    order: Numbers
    """The nodes from the furthest to the nearest, which is drawn last."""
    cell: tuple[int, int]
    size: tuple[float, float]
    """Width and height of all cells together."""
    outline: tuple[tuple[float, float], ...]
    """The corners of a cell, from the upper left corner of its box."""


def project(staging: Staging) -> Projection | None:
    """Return where the cells stand; None where they are squares in rows, or the cluster is none that the art is for."""
    art, cluster = staging.rules.art, staging.cluster
    if art is None or count_nodes(cluster) > MAX_NODES:
        return None
    found = _cells(art, cluster)
    if found is None:
        return None
    x, y = found
    corners = _corners(art, x, y)
    corners -= corners.min(axis=0)
    order = np.lexsort((corners[:, 0], corners[:, 1]))
    width, height = art.cell_size
    extent = corners.max(axis=0) + np.array([width, height])
    return Projection(corners, order, art.cell_size, (float(extent[0]), float(extent[1])), _outline(art))


def _cells(art: Art, cluster: Lattice | Graph) -> tuple[Numbers, Numbers] | None:
    """Return column and row of each node in the map."""
    if isinstance(cluster, Graph):
        found = staggered_cells(cluster, by_columns=art.stagger_axis == "x") if art.orientation == STAGGERED else None
        return None if found is None else found[:2]
    is_hex = cluster.kind == HEX
    if cluster.depth != 1 or is_hex != (art.orientation == HEXAGONAL) or art.orientation == STAGGERED:
        return None
    if art.orientation == ORTHOGONAL and not _overhangs(art):
        return None
    nodes = np.arange(count_nodes(cluster))
    x, y = nodes % cluster.width, nodes // cluster.width
    return (y, x) if is_hex and art.stagger_axis == "x" else (x, y)


def _overhangs(art: Art) -> bool:
    """Tell whether a map of squares has cells or tiles that are none: wider than high, larger than a cell, or moved."""
    width, height = art.cell_size
    sizes = {sheet.tile_size for sheet in art.sheets if not sheet.pictures}
    return (
        width != height or bool(sizes - {art.cell_size, (0, 0)}) or any(sheet.offset != (0, 0) for sheet in art.sheets)
    )


def _corners(art: Art, x: Numbers, y: Numbers) -> Points:
    width, height = art.cell_size
    if art.orientation == ORTHOGONAL:
        return np.stack([x * float(width), y * float(height)], axis=1)
    if art.orientation == ISOMETRIC:
        return np.stack([(x - y) * width / 2, (x + y) * height / 2], axis=1)
    by_columns = art.stagger_axis == "x"
    # A staggered map is a hexagonal one whose hexagons have no straight side.
    side = art.hex_side if art.orientation == HEXAGONAL else 0
    if by_columns:
        return np.stack([x * (width + side) / 2, y * height + x % 2 * height / 2], axis=1)
    return np.stack([x * width + y % 2 * width / 2, y * (height + side) / 2], axis=1)


def _outline(art: Art) -> tuple[tuple[float, float], ...]:
    width, height = art.cell_size
    if art.orientation == ORTHOGONAL:
        return ((0, 0), (width, 0), (width, height), (0, height))
    side = art.hex_side if art.orientation == HEXAGONAL else 0
    if art.orientation == HEXAGONAL and art.stagger_axis == "x":
        low, high = (width - side) / 2, (width + side) / 2
        return ((0, height / 2), (low, 0), (high, 0), (width, height / 2), (high, height), (low, height))
    low, high = (height - side) / 2, (height + side) / 2
    right = ((width, low), (width, high)) if side else ((width, height / 2),)
    left = ((0.0, high), (0.0, low)) if side else ((0.0, height / 2),)
    return ((width / 2, 0.0), *right, (width / 2, float(height)), *left)


def picture_offset(art: Art, tiles: tuple[int, ...]) -> tuple[int, int]:
    """Return by how many pixels the picture of a module is drawn to the right and further down than its cell."""
    from solvent.valency.art import FLIPS

    for gid in tiles:
        for sheet in reversed(art.sheets):
            if gid and sheet.first <= gid & ~FLIPS:
                return sheet.offset
    return 0, 0
