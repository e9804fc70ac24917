"""Draw colours without details: runs of one colour, and large clusters in fewer and larger cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from solvent.drawing.markup import Markup
from solvent.drawing.palette import Paint
from solvent.drawing.shapes import group, path
from solvent.drawing.tiles import Run, cover

Numbers = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint8]
"""Shape (nodes, 3)."""
Points = npt.NDArray[np.float64]

MAX_CELLS = 90_000
"""How many cells a coarse drawing has."""


def draw_runs(columns: Numbers, rows: Numbers, looks: Numbers, paints: list[Paint], side: float) -> Iterator[Markup]:
    """Yield one path for each colour that covers its cells; a look below 0 is left out."""
    covered: dict[Paint, list[Run]] = defaultdict(list)
    for look, runs in find_runs(columns, rows, looks).items():
        if look >= 0:
            covered[paints[look]] += runs
    cells = (path(cover(sorted(covered[paint])), fill=paint) for paint in sorted(covered))
    yield group(cells, transform=f"scale({side:g})", shape_rendering="crispEdges")


def find_runs(columns: Numbers, rows: Numbers, looks: Numbers) -> dict[int, list[Run]]:
    """Return the runs of cells of each look, row by row."""
    order = np.lexsort((columns, rows))
    columns, rows, looks = columns[order], rows[order], looks[order]
    begins = np.ones(len(looks), dtype=np.bool_)
    begins[1:] = (looks[1:] != looks[:-1]) | (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1] + 1)
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=len(looks))
    found: dict[int, list[Run]] = defaultdict(list)
    for look, row, first, length in zip(
        looks[starts].tolist(), rows[starts].tolist(), columns[starts].tolist(), lengths.tolist(), strict=True
    ):
        found[look].append((row, first, first + length))
    return found


def draw_blocks(
    x: Points, y: Points, colours: Colours, urgent: npt.NDArray[np.bool_], shape: tuple[int, int]
) -> Iterator[Markup]:
    """Yield the average colours of points from 0 to 1 on so many columns and rows of blocks; urgent ones win theirs.

    Averages are rounded to 16 steps, so that neighbours are often equal and the picture stays small.
    """
    across, down = shape
    column = np.minimum((x * across).astype(np.int64), across - 1)
    block = np.minimum((y * down).astype(np.int64), down - 1) * across + column
    weight = np.where(urgent, 1e9, 1.0)
    total = np.bincount(block, weight, across * down)
    there = np.flatnonzero(total)
    sums = [np.bincount(block, weight * colours[:, part], across * down)[there] for part in range(3)]
    red, green, blue = (np.rint(part / total[there] / 17).astype(np.int64) for part in sums)
    numbers, looks = np.unique(red * 256 + green * 16 + blue, return_inverse=True)
    paints: list[Paint] = [(17 * (n >> 8), 17 * (n >> 4 & 15), 17 * (n & 15)) for n in numbers.tolist()]
    yield from draw_runs(there % across, there // across, looks.reshape(-1), paints, 1)
