"""Learn rules from a sample on any grid: which symbols touch, or which patterns of cells there are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, ParseError
from solvent.valency.model import (
    CUBIC_ORBITALS,
    HEX,
    HEX_ORBITALS,
    SQUARE_ORBITALS,
    Cluster,
    Lattice,
    Layer,
    Rules,
    Staging,
)
from solvent.valency.notation.adjacency import make_rules, require_module_count
from solvent.valency.notation.samples import (
    CUBES,
    DIAMONDS,
    HEXAGONS,
    NO_CELL,
    SQUARES,
    Cells,
    Sample,
    learn_overlapping,
    learn_tiled,
    make_modules,
    name_patterns,
    overlap,
    require_few_patterns,
    turned,
)
from solvent.valency.notation.staggered import make_staggered
from solvent.valency.orbitals import build_cache

MAX_SYMMETRY = 8
"""Of squares and cubes: four turns and their mirror images."""
HEX_SYMMETRIES = (1, 2, 3, 4, 6, 12)
_LAYERS = {
    SQUARES: Layer("tiles", SQUARE_ORBITALS),
    DIAMONDS: Layer("tiles", SQUARE_ORBITALS),
    HEXAGONS: Layer("tiles", HEX_ORBITALS),
    CUBES: Layer("tiles", CUBIC_ORBITALS),
}


def learn_adjacent(sample: Sample, *, periodic: bool = False, symmetry: int = 1, name: str = "") -> Rules:
    """Learn which symbols touch, on the grid of the sample; see `learn_tiled`."""
    if sample.grid == SQUARES:
        _require_symmetry(symmetry, MAX_SYMMETRY)
        return learn_tiled(sample, periodic=periodic, symmetry=symmetry, name=name)
    if sample.grid != CUBES and symmetry != 1:
        raise BadOption(f"symmetry: expected 1, since {sample.grid} that touch are not turned, found {symmetry}")
    _require_symmetry(symmetry, MAX_SYMMETRY)
    count = len(sample.symbols)
    require_module_count(count, "different symbols in a sample")
    layer = _LAYERS[sample.grid]
    tables = [np.zeros((count, count), dtype=np.bool_) for _ in layer.orbital_set.orbitals]
    for cells in turned(sample.cells, symmetry):
        [edges] = build_cache(Staging(Rules((layer,), ()), _cluster(sample, cells, periodic))).edges
        flat = cells.reshape(-1)
        here, there = flat[edges.source], flat[edges.target]
        known = (here != NO_CELL) & (there != NO_CELL)
        for orbital in range(len(tables)):
            out, back = known & (edges.source_orbital == orbital), known & (edges.target_orbital == orbital)
            tables[orbital][here[out], there[out]] = True
            tables[orbital][there[back], here[back]] = True
    flat = sample.cells.reshape(-1)
    often = np.bincount(flat[flat != NO_CELL], minlength=count)
    return replace(make_rules(name, make_modules(sample, often), layer, tables), art=sample.art)


def learn_patterns(
    sample: Sample,
    *,
    pattern: int = 3,
    symmetry: int = 1,
    periodic: bool = False,
    name: str = "",
    meter: Meter = UNLIMITED,
) -> Rules:
    """Learn patterns of cells on the grid of the sample; see `learn_overlapping`."""
    if sample.grid == SQUARES:
        _require_symmetry(symmetry, MAX_SYMMETRY)
        return learn_overlapping(sample, pattern=pattern, symmetry=symmetry, periodic=periodic, name=name, meter=meter)
    if sample.grid != HEXAGONS:
        raise BadOption(f"sample: patterns are learned from squares and hexagons; of {sample.grid}, learn what touches")
    if periodic:
        raise BadOption("sample_periodic: a sample of hexagons does not wrap around when patterns are learned from it")
    if symmetry not in HEX_SYMMETRIES:
        raise BadOption(f"symmetry: expected {', '.join(map(str, HEX_SYMMETRIES))} for hexagons, found {symmetry}")
    patterns, counts = _hex_patterns(sample.cells, pattern, symmetry, meter)
    tables = [
        overlap(patterns[:, :, 1:], patterns[:, :, :-1]),
        overlap(patterns[:, 1:, :], patterns[:, :-1, :]),
        overlap(patterns[:, 1:, :-1], patterns[:, :-1, 1:]),
    ]
    both = [*tables, *(table.T for table in tables)]
    return replace(make_rules(name, name_patterns(sample, patterns, counts), _LAYERS[HEXAGONS], both), art=sample.art)


def _require_symmetry(symmetry: int, most: int) -> None:
    if not 1 <= symmetry <= most:
        raise BadOption(f"symmetry: expected from 1 to {most} here, found {symmetry}")


def _cluster(sample: Sample, cells: Cells, periodic: bool) -> Cluster:
    grid = sample.grid
    depth, (height, width) = (cells.shape[0] if cells.ndim == 3 else 1), cells.shape[-2:]
    if grid == DIAMONDS:
        if periodic:
            raise BadOption("sample_periodic: a staggered map does not wrap around")
        return make_staggered(width, height, by_columns=sample.art is not None and sample.art.stagger_axis == "x")
    if grid == HEXAGONS and periodic and height % 2:
        raise ParseError("an even number of rows in a sample of hexagons that wraps around", height)
    kind = HEX if grid == HEXAGONS else "square"
    return Lattice(width, height, depth, kind, (periodic, periodic, False))


def _hex_patterns(cells: Cells, size: int, symmetry: int, meter: Meter) -> tuple[Cells, npt.NDArray[np.int64]]:
    """Return the different rhombs of `size` × `size` hexagons, in all turned and mirrored samples, and how often each.

    A hexagon is known by q and r: r is its row, and a step down and to the right leaves q as it is.
    """
    rows, columns = np.nonzero(cells != NO_CELL)
    symbols = cells[rows, columns]
    q, r = columns - rows // 2, rows
    rotations = symmetry if symmetry % 2 else symmetry // 2
    found = []
    for quarter in range(rotations):
        for mirrored in (False, True)[: 2 - symmetry % 2]:
            meter.checkpoint()
            turned_q, turned_r = _turn_hexagons(q, r, quarter * 6 // rotations, mirrored)
            found.append(_rhombs(turned_q, turned_r, symbols, size))
    every = np.concatenate(found)
    if not len(every):
        raise ParseError(f"a sample with a rhomb of {size}x{size} hexagons in it")
    unique, first, numbers = np.unique(every, axis=0, return_index=True, return_inverse=True)
    require_few_patterns(len(unique), size)
    order = np.argsort(first)
    counts = np.bincount(numbers.reshape(-1))[order]
    return unique[order].reshape(-1, size, size), counts


def _turn_hexagons(
    q: npt.NDArray[np.int64], r: npt.NDArray[np.int64], sixths: int, mirrored: bool
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    if mirrored:
        q, r = q + r, -r
    for _ in range(sixths):
        q, r = -r, q + r
    return q, r


def _rhombs(q: npt.NDArray[np.int64], r: npt.NDArray[np.int64], symbols: Cells, size: int) -> Cells:
    """Return the rhombs of a sample as rows of numbers."""
    q, r = q - q.min(), r - r.min()
    plane = np.full((int(r.max()) + 1, int(q.max()) + 1), NO_CELL, dtype=np.int32)
    plane[r, q] = symbols
    if min(plane.shape) < size:
        return np.empty((0, size * size), dtype=np.int32)
    windows = np.lib.stride_tricks.sliding_window_view(plane, (size, size)).reshape(-1, size * size)
    whole: Cells = windows[(windows != NO_CELL).all(axis=1)].astype(np.int32)
    return whole
