"""Samples: a map in text, one letter a cell, or a picture, one pixel a cell; and rules learned from which touch which.

Symmetry, from 1 to 8, says how much is learned from one sample: as it is (1), mirrored left to right as well (2), then
turned by 90 degrees, that mirrored, turned by 180 degrees, and so on (8: all).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError
from solvent.valency.art import Art
from solvent.valency.model import Look, Module, Rules
from solvent.valency.notation.adjacency import make_square_rules, require_module_count
from solvent.valency.notation.pictures import Pixels

MAX_CELLS = 4_000_000
MAX_PATTERN_CELLS = 64_000_000
"""Cells of all patterns, with those that are equal, before they are sorted."""

CELLS_A_BAND = 2_000_000
"""Cells of the patterns that are sorted at once."""

NO_CELL = -1
SQUARES, HEXAGONS, DIAMONDS, CUBES = "squares", "hexagons", "diamonds", "cubes"
"""The grids of samples. Odd rows of hexagons and of diamonds, as in a staggered map, stand half a cell to the right."""
EMPTY = "empty"
"""The tag of a symbol that stands for nothing: what is filled with it is left empty in other programs."""

Cells = npt.NDArray[np.int32]
Wraps = bool | tuple[bool, bool]
"""Whether a sample wraps around; along x and along y where they differ."""


class Symbol(Struct, frozen=True):
    """Hold one of the things a sample is made of."""

    name: str
    look: Look
    key: str = ""
    """What tells it from others of its name; empty if the name does."""
    tags: tuple[str, ...] = ()


class Sample(Struct, frozen=True, eq=False):
    """Hold a sample: which symbol stands in each cell."""

    symbols: tuple[Symbol, ...]
    cells: Cells
    """Shape (height, width), or (depth, height, width): numbers of symbols; NO_CELL where there is no cell."""
    grid: str = SQUARES
    art: Art | None = None
    """The tilesets that its symbols are tiles of."""


def parse_sample(text: str) -> Sample:
    """Read a map in text: rows of the same length, each letter a symbol. Empty lines at the end do not count."""
    rows = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n").split("\n")
    width = len(rows[0])
    if not width:
        raise ParseError("a sample: rows of letters, one for each cell", line=1)
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise ParseError(f"{width} letters, as in the first row", row, line=number)
        if not row.isprintable():
            column = next(at for at, letter in enumerate(row, 1) if not letter.isprintable())
            raise ParseError("letters that can be seen, and spaces", row[column - 1], line=number, column=column)
    _require_size(len(rows), width)
    try:
        codes = np.frombuffer("".join(rows).encode("utf-32-le"), dtype="<u4").reshape(len(rows), width)
    except UnicodeEncodeError:
        raise ParseError("a sample in UTF-8") from None
    letters, cells = _number_by_first_appearance(codes)
    symbols = [Symbol("space" if letter == 32 else chr(letter), Look(glyph=chr(letter))) for letter in letters.tolist()]
    return Sample(tuple(symbols), cells)


def sample_of_picture(pixels: Pixels) -> Sample:
    """Return a picture as a sample: each colour is a symbol."""
    height, width = pixels.shape[:2]
    _require_size(height, width)
    whole = np.ascontiguousarray(pixels).view(np.dtype(">u4")).reshape(height, width).astype(np.uint32)
    colours, cells = _number_by_first_appearance(whole)
    symbols = []
    for colour in colours.tolist():
        shown = f"#{colour >> 8:06x}"
        symbols.append(Symbol(shown if colour & 255 == 255 else f"#{colour:08x}", Look(colour=shown)))
    return Sample(tuple(symbols), cells)


def learn_tiled(sample: Sample, *, periodic: bool = False, symmetry: int = 1, name: str = "") -> Rules:
    """Learn which symbols may touch: those that do in the sample. Each is a module, weighed by how often it occurs.

    In a periodic sample the last column stands beside the first, and the last row above the first.
    """
    often = np.bincount(sample.cells.reshape(-1), minlength=len(sample.symbols))
    return learn_pairs(sample, [(cells, periodic) for cells in turned(sample.cells, symmetry)], often, name=name)


def learn_pairs(
    sample: Sample, variants: Sequence[tuple[Cells, Wraps]], often: npt.NDArray[np.integer[Any]], *, name: str = ""
) -> Rules:
    """Learn which symbols may touch from several versions of a sample; `often` are the weights."""
    count = len(sample.symbols)
    require_module_count(count, "different symbols in a tiled sample", "; a photograph is no sample")
    right, down = np.zeros((count, count), dtype=np.bool_), np.zeros((count, count), dtype=np.bool_)
    for cells, periodic in variants:
        wraps = periodic if isinstance(periodic, tuple) else (periodic, periodic)
        for table, axis, wrap in ((right, 1, wraps[0]), (down, 0, wraps[1])):
            before, after = cells, np.roll(cells, -1, axis=axis)
            if not wrap:
                last = cells.shape[axis] - 1
                before, after = np.take(before, range(last), axis=axis), np.take(after, range(last), axis=axis)
            table[before, after] = True
    return replace(make_square_rules(name, make_modules(sample, often), right, down), art=sample.art)


def make_modules(sample: Sample, often: npt.NDArray[np.integer[Any]]) -> list[Module]:
    """Return a module for each symbol of a sample, weighed by how often it occurs."""
    return [
        Module(symbol.key or symbol.name, symbol.name, (), float(weight), tags=symbol.tags, look=symbol.look)
        for symbol, weight in zip(sample.symbols, often.tolist(), strict=True)
    ]


def turned(cells: Cells, symmetry: int) -> list[Cells]:
    """Return the first so many of the eight ways to turn and mirror cells; the last two axes are rows and columns."""
    found = []
    for number in range(symmetry):
        one = np.rot90(cells, number // 2, axes=(-2, -1))
        found.append(one[..., ::-1] if number % 2 else one)
    return found


def _require_size(height: int, width: int) -> None:
    if height * width > MAX_CELLS:
        raise ParseError(f"a sample of at most {MAX_CELLS} cells", f"{width}x{height}")


def _number_by_first_appearance(codes: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], Cells]:
    """Return what occurs, in the order in which it first does, and for each cell its number in that order."""
    found, first, numbers = np.unique(codes.reshape(-1), return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return found[order], place[numbers].reshape(codes.shape).astype(np.int32)


def learn_overlapping(
    sample: Sample,
    *,
    pattern: int = 3,
    symmetry: int = 8,
    periodic: bool = True,
    name: str = "",
    meter: Meter = UNLIMITED,
) -> Rules:
    """Learn patterns of `pattern` × `pattern` cells, which agree where they overlap; each is a module.

    A module is weighed by how often its pattern occurs. Its look is that of the symbol at the top left, so a fill shows
    one symbol a node; its name is that symbol's too, so a fixed pick of a symbol means any pattern that begins with it.

    In a periodic sample, patterns reach across its borders. Where no pattern goes on to a side, as may happen at the
    border of one that is not, a pattern can only stand at that border of the grid.
    """
    patterns, counts = find_patterns(sample.cells, pattern, symmetry, periodic, meter)
    meter.checkpoint()
    return make_pattern_rules(sample, patterns, counts, name=name)


def make_pattern_rules(
    sample: Sample, patterns: Cells, counts: npt.NDArray[np.integer[Any]], *, name: str = ""
) -> Rules:
    """Return rules in which each pattern is a module, and patterns agree where they overlap."""
    right = overlap(patterns[:, :, 1:], patterns[:, :, :-1])
    down = overlap(patterns[:, 1:, :], patterns[:, :-1, :])
    return replace(make_square_rules(name, name_patterns(sample, patterns, counts), right, down), art=sample.art)


def name_patterns(sample: Sample, patterns: Cells, counts: npt.NDArray[np.integer[Any]]) -> list[Module]:
    """Return a module for each pattern, which looks and is called like the symbol at its top left."""
    modules = []
    for number, (first, count) in enumerate(zip(patterns[:, 0, 0].tolist(), counts.tolist(), strict=True)):
        symbol = sample.symbols[first]
        key = f"pattern {number}"
        modules.append(Module(key, symbol.name, (), float(count), tags=symbol.tags, look=symbol.look))
    return modules


def require_few_patterns(count: int, size: int) -> None:
    advice = " (with smaller patterns or less symmetry there are fewer)"
    require_module_count(count, f"different patterns of {size}x{size} cells", advice)


def find_patterns(
    cells: Cells, size: int, symmetry: int, periodic: Wraps, meter: Meter = UNLIMITED
) -> tuple[Cells, npt.NDArray[np.int64]]:
    """Return the different patterns, shape (patterns, size, size), as they appear, and how often each occurs.

    Raises ParseError as soon as there are more than rules may have.
    """
    height, width = cells.shape
    wraps = periodic if isinstance(periodic, tuple) else (periodic, periodic)
    if (not wraps[0] and width < size) or (not wraps[1] and height < size):
        raise BadOption(f"expected patterns no larger than the sample, {width}x{height}, found {size}x{size}")
    if height * width * size * size * symmetry > MAX_PATTERN_CELLS:
        most = MAX_PATTERN_CELLS // (size * size * symmetry)
        raise ParseError(f"a sample of at most {most} cells for such patterns", f"{width}x{height}")
    # A pattern may be larger than a sample that wraps around, and then holds cells of it several times.
    if wraps[0]:
        cells = cells[:, np.arange(width + size - 1) % width]
    if wraps[1]:
        cells = cells[np.arange(height + size - 1) % height]
    windows = np.lib.stride_tricks.sliding_window_view(cells, (size, size))
    # In bands of rows, so that a limit is seen in time, and a sample with far too many patterns early.
    band = max(1, CELLS_A_BAND // (windows.shape[1] * size * size * symmetry))
    found = np.empty((0, size * size), dtype=np.int32)
    counts = np.empty(0, dtype=np.int64)
    for top in meter.each(range(0, windows.shape[0], band), every=1):
        part = windows[top : top + band].reshape(-1, size, size)
        every = np.stack(turned(part, symmetry), axis=1).reshape(-1, size * size)
        rows = np.concatenate((found, every.astype(np.int32)))
        weights = np.concatenate((counts, np.ones(len(every), dtype=np.int64)))
        _, first, numbers = np.unique(_as_one(rows), return_index=True, return_inverse=True)
        order = np.argsort(first)  # those of earlier bands come first, as they did before
        found = rows[first[order]]
        counts = np.bincount(numbers, weights).astype(np.int64)[order]
        require_few_patterns(len(found), size)
    return found.reshape(-1, size, size), counts


def overlap(here: Cells, there: Cells) -> npt.NDArray[np.bool_]:
    """Tell for each pair of patterns whether this part of the first equals that part of the second."""
    both = np.ascontiguousarray(np.concatenate((here, there)).reshape(2 * len(here), -1))
    _, numbers = np.unique(_as_one(both), return_inverse=True)
    one, other = numbers.reshape(2, -1)
    same: npt.NDArray[np.bool_] = one[:, None] == other[None, :]
    return same


def _as_one(rows: Cells) -> npt.NDArray[np.void]:
    """View each row as one value, which is faster to sort than a row."""
    return rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
