"""Draw colours without details: runs of one colour, and large clusters in fewer and larger cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from solvent.core.paint import Paint
from solvent.valency.drawing.colours import as_hex

Numbers = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint8]
"""Shape (nodes, 3)."""
Points = npt.NDArray[np.float64]

MAX_CELLS = 90_000
"""How many cells a coarse drawing has."""


def draw_runs(columns: Numbers, rows: Numbers, looks: Numbers, paints: list[Paint], side: float) -> Iterator[str]:
    """Yield one path for each colour that covers its cells, row by row; a look below 0 is left out."""
    order = np.lexsort((columns, rows))
    columns, rows, looks = columns[order], rows[order], looks[order]
    if not len(looks):
        return
    begins = np.ones(len(looks), dtype=np.bool_)
    begins[1:] = (looks[1:] != looks[:-1]) | (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1] + 1)
    starts = np.flatnonzero(begins)
    lengths = np.diff(starts, append=len(looks))
    paths: dict[str, list[str]] = defaultdict(list)
    for look, column, row, length in zip(
        looks[starts].tolist(), columns[starts].tolist(), rows[starts].tolist(), lengths.tolist(), strict=True
    ):
        if look >= 0:
            paths[as_hex(paints[look])].append(f"M{column} {row}h{length}v1h-{length}z")
    yield f'<g transform="scale({side:g})" shape-rendering="crispEdges">'
    for paint in sorted(paths):
        yield f'<path fill="{paint}" d="{"".join(paths[paint])}"/>'
    yield "</g>"


def draw_blocks(
    x: Points, y: Points, colours: Colours, urgent: npt.NDArray[np.bool_], shape: tuple[int, int]
) -> Iterator[str]:
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
