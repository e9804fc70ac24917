"""The overlapping model: the square patterns of a sample are modules, which agree where they overlap.

A module's look is that of the symbol at the top left of its pattern, so a fill shows one symbol a node; its name is
that symbol's too, so a fixed pick of a symbol means any pattern that begins with it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption, ParseError
from solvent.valency.model import Module, Rules
from solvent.valency.notation.adjacency import make_square_rules, require_module_count
from solvent.valency.notation.samples import Cells, Sample, turned

MAX_PATTERN_CELLS = 64_000_000
"""Cells of all patterns, with those that are equal, before they are sorted."""


def learn_overlapping(
    sample: Sample, *, pattern: int = 3, symmetry: int = 8, periodic: bool = True, name: str = ""
) -> Rules:
    """Learn patterns of `pattern` × `pattern` cells. Each is a module, weighed by how often it occurs.

    In a periodic sample, patterns reach across its borders. Where no pattern goes on to a side, as may happen at the
    border of one that is not, a pattern can only stand at that border of the grid.
    """
    patterns, counts = find_patterns(sample.cells, pattern, symmetry, periodic)
    advice = " (with smaller patterns or less symmetry there are fewer)"
    require_module_count(len(patterns), f"different patterns of {pattern}x{pattern} cells", advice)
    modules = []
    for number, (first, count) in enumerate(zip(patterns[:, 0, 0].tolist(), counts.tolist(), strict=True)):
        symbol = sample.symbols[first]
        modules.append(Module(f"pattern {number}", symbol.name, (), float(count), look=symbol.look))
    right = _overlap(patterns[:, :, 1:], patterns[:, :, :-1])
    down = _overlap(patterns[:, 1:, :], patterns[:, :-1, :])
    return make_square_rules(name, modules, right, down)


def find_patterns(cells: Cells, size: int, symmetry: int, periodic: bool) -> tuple[Cells, npt.NDArray[np.int64]]:
    """Return the different patterns, shape (patterns, size, size), as they appear, and how often each occurs."""
    height, width = cells.shape
    if not periodic and min(height, width) < size:
        raise BadOption(f"expected patterns no larger than the sample, {width}x{height}, found {size}x{size}")
    if height * width * size * size * symmetry > MAX_PATTERN_CELLS:
        most = MAX_PATTERN_CELLS // (size * size * symmetry)
        raise ParseError(f"a sample of at most {most} cells for such patterns", f"{width}x{height}")
    if periodic:
        # A pattern may be larger than the sample, and then holds cells of it several times.
        cells = cells[np.arange(height + size - 1) % height][:, np.arange(width + size - 1) % width]
    windows = np.lib.stride_tricks.sliding_window_view(cells, (size, size)).reshape(-1, size, size)
    every = np.stack(turned(windows, symmetry), axis=1).reshape(-1, size * size)
    rows = np.ascontiguousarray(every.astype(np.int32))
    _, first, counts = np.unique(_as_one(rows), return_index=True, return_counts=True)
    order = np.argsort(first)
    return rows[first[order]].reshape(-1, size, size), counts[order]


def _overlap(here: Cells, there: Cells) -> npt.NDArray[np.bool_]:
    """Tell for each pair of patterns whether this part of the first equals that part of the second."""
    both = np.ascontiguousarray(np.concatenate((here, there)).reshape(2 * len(here), -1))
    _, numbers = np.unique(_as_one(both), return_inverse=True)
    one, other = numbers.reshape(2, -1)
    same: npt.NDArray[np.bool_] = one[:, None] == other[None, :]
    return same


def _as_one(rows: Cells) -> npt.NDArray[np.void]:
    """View each row as one value, which is faster to sort than a row."""
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
