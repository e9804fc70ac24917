"""Who may stand beside whom on a square lattice, as tables, made into bonds and rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from solvent.core.errors import ParseError
from solvent.valency.model import MAX_MODULES, SQUARE_ORBITALS, Bonds, Layer, Module, Rules

Truths = npt.NDArray[np.bool_]

RIGHT, DOWN, LEFT, UP = range(4)
"""The orbitals of SQUARE_ORBITALS by number."""
TILES = (Layer("tiles", SQUARE_ORBITALS),)
"""The layers of a rule set of tiles: one, with four directions."""


def make_square_rules(name: str, modules: Sequence[Module], right: Truths, down: Truths) -> Rules:
    """Return rules in which module q may stand to the right of p if right[p, q], and below it if down[p, q].

    The modules' own bonds are not looked at. A side on which no module may stand becomes a boundary.
    """
    return make_rules(name, modules, TILES[0], (right, down, right.T, down.T))


def make_rules(name: str, modules: Sequence[Module], layer: Layer, tables: Sequence[Truths]) -> Rules:
    """Return rules in which module q may stand on orbital o of p if tables[o][p, q]; see `make_square_rules`."""
    bonds = make_bonds(tables)
    return Rules((layer,), tuple(replace(one, bonds=(bond,)) for one, bond in zip(modules, bonds, strict=True)), name)


def make_bonds(tables: Sequence[Truths]) -> list[Bonds]:
    """Return the bonds of each module; see `make_rules`."""
    sides = [_masks(table) for table in tables]
    return [
        Bonds(
            boundary_mask=sum(1 << orbital for orbital, mask in enumerate(masks) if not mask),
            neighbours=tuple(mask or None for mask in masks),
        )
        for masks in zip(*sides, strict=True)
    ]


def require_module_count(count: int, what: str, advice: str = "") -> None:
    """Raise ParseError if there are no modules, or more than rules may have."""
    if not 1 <= count <= MAX_MODULES:
        raise ParseError(f"1 to {MAX_MODULES} {what}{advice}, found {count}")


def _masks(table: Truths) -> list[int]:
    packed = np.packbits(table, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]
