"""Staggered maps: diamonds in rows, every second row half a cell to the right, as a graph of four directions.

The directions are those of an isometric map: `right` leads down and to the right on the screen, `down` down and to the
left. A map that shifts columns instead is this one with rows and columns exchanged.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.valency.model import MAX_NODES, Graph

RIGHT, DOWN, LEFT, UP = range(4)
"""The orbitals of SQUARE_ORBITALS by number."""
HALF = 0.5


def make_staggered(width: int, height: int, *, by_columns: bool = False) -> Graph:
    """Return the cells of a staggered map and which of them touch; cell (x, y) is node x + width * y.

    Positions are in cells; a row is half a cell high, as diamonds reach into the rows above and below. `by_columns`
    shifts columns instead of rows.
    """
    if not 1 <= width * height <= MAX_NODES:
        raise BadOption(f"grid: expected from 1 to {MAX_NODES} cells, found {width}x{height}")
    y, x = (part.ravel() for part in np.mgrid[0:height, 0:width])
    if by_columns:
        along, across = x, y
        steps = ((RIGHT, LEFT, 1, 0), (DOWN, UP, -1, 0))
        positions = np.stack([x * HALF, y + HALF * (x % 2), np.zeros(len(x))], axis=1)
    else:
        along, across = y, x
        steps = ((RIGHT, LEFT, 1, 0), (DOWN, UP, 1, -1))
        positions = np.stack([x + HALF * (y % 2), y * HALF, np.zeros(len(x))], axis=1)
    edges, orbitals = [], []
    for orbital, back, forward, sideways in steps:
        next_along, next_across = along + forward, across + sideways + along % 2
        next_x, next_y = (next_along, next_across) if by_columns else (next_across, next_along)
        inside = (next_x >= 0) & (next_x < width) & (next_y >= 0) & (next_y < height)
        source = (x + width * y)[inside]
        edges.append(np.stack([source, (next_x + width * next_y)[inside]], axis=1))
        orbitals.append(np.tile([[[orbital, back]]], (len(source), 1, 1)))
    names = tuple(f"{column},{row}" for row in range(height) for column in range(width))
    return Graph(positions, np.concatenate(edges), np.concatenate(orbitals), names)


def staggered_cells(
    graph: Graph, *, by_columns: bool = False
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], tuple[int, int]] | None:
    """Return column and row of each node of a staggered map, and its width and height; None if it is no such map."""
    x, y = graph.positions[:, 0], graph.positions[:, 1]
    if by_columns:
        columns = np.rint(x / HALF)
        rows = np.rint(y - HALF * (columns % 2))
        exact = np.stack([columns * HALF, rows + HALF * (columns % 2)], axis=1)
    else:
        rows = np.rint(y / HALF)
        columns = np.rint(x - HALF * (rows % 2))
        exact = np.stack([columns + HALF * (rows % 2), rows * HALF], axis=1)
    if not len(x) or not np.array_equal(exact, graph.positions[:, :2]) or min(columns.min(), rows.min()) < 0:
        return None
    width, height = int(columns.max()) + 1, int(rows.max()) + 1
    if width * height > MAX_NODES:
        return None
    return columns.astype(np.int64), rows.astype(np.int64), (width, height)
