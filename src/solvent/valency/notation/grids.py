"""Grids as people write them, such as 60x40, for the rules that are to fill them."""

from __future__ import annotations

import re

from solvent.core.errors import BadOption
from solvent.valency.art import STAGGERED
from solvent.valency.model import HEX, HEX_ORBITALS, MAX_NODES, SQUARE, Cluster, Lattice, Rules
from solvent.valency.notation.staggered import make_staggered

_GRID = re.compile(r"\s*(\d{1,9})\s*[x×*]\s*(\d{1,9})(?:\s*[x×*]\s*(\d{1,9}))?\s*", re.IGNORECASE)


def read_size(grid: str) -> tuple[int, ...]:
    """Return width, height and perhaps depth, or raise BadOption."""
    sizes = _GRID.fullmatch(grid)
    if sizes is None:
        raise BadOption(f"grid: expected width x height, such as 60x40 or 10x10x4, found {grid!r}")
    return tuple(int(part) for part in sizes.groups() if part)


def make_cluster(rules: Rules, grid: str, periodic: str) -> Cluster:
    """Return the grid that a text means, for rules whose art is staggered as a graph; see `make_lattice`."""
    if rules.art is None or rules.art.orientation != STAGGERED:
        return make_lattice(rules, grid, periodic)
    sizes = _GRID.fullmatch(grid)
    if sizes is None or sizes[3]:
        raise BadOption(f"grid: expected width x height of a staggered map, such as 60x40, found {grid!r}")
    if periodic != "none":
        raise BadOption(f"a staggered map does not wrap around: expected periodic 'none', found {periodic!r}")
    return make_staggered(int(sizes[1]), int(sizes[2]), by_columns=rules.art.stagger_axis == "x")


def make_lattice(rules: Rules, grid: str, periodic: str) -> Lattice:
    """Return the lattice that a text such as 60x40 or 10x10x4 means; it is hexagonal for rules of six directions."""
    width, height, depth = (*read_size(grid), 1)[:3]
    if not 1 <= width * height * depth <= MAX_NODES:
        raise BadOption(f"grid: expected from 1 to {MAX_NODES} cells, found {grid!r}")
    wraps = ("x" in periodic, "y" in periodic, "z" in periodic)
    kind = HEX if _has_six_directions(rules) else SQUARE
    if kind == HEX and depth > 1:
        raise BadOption(f"grid: expected a hexagonal grid of depth 1, found {grid!r}")
    if kind == HEX and wraps[1] and height % 2:
        raise BadOption(f"grid: expected an even height where a hexagonal grid wraps around in y, found {grid!r}")
    return Lattice(width, height, depth, kind, wraps)


def _has_six_directions(rules: Rules) -> bool:
    names = [orbital.name for orbital in HEX_ORBITALS.orbitals]
    return all([orbital.name for orbital in layer.orbital_set.orbitals] == names for layer in rules.layers)
