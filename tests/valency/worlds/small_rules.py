"""Small rule sets for worlds: every one of two modules, some that go on for ever and some that do not."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from solvent.valency.model import SQUARE_ORBITALS, Bonds, Lattice, Layer, Module, Rules, Staging, mask_of

RIGHT, DOWN, LEFT, UP = range(4)
Pairs = frozenset[tuple[int, int]]


def make_rules(count: int, across: Pairs, down: Pairs, *, name: str = "small") -> Rules:
    """Return rules by which pairs may stand side by side and one above the other; every other pair may not."""
    modules = []
    for module in range(count):
        lists = {
            RIGHT: [other for one, other in across if one == module],
            LEFT: [one for one, other in across if other == module],
            DOWN: [other for one, other in down if one == module],
            UP: [one for one, other in down if other == module],
        }
        boundary = mask_of(orbital for orbital, others in lists.items() if not others)
        neighbours = tuple(mask_of(lists[orbital]) if lists[orbital] else None for orbital in range(4))
        bonds = Bonds(0, boundary, 0, neighbours)
        modules.append(Module(f"m{module}", f"m{module}", (bonds,)))
    return Rules((Layer("grid", SQUARE_ORBITALS),), tuple(modules), name)


def chunk_task(rules: Rules, width: int, height: int) -> Staging:
    """Return the task of a chunk: a grid that wraps around."""
    return Staging(rules, Lattice(width, height, periodic=(True, True, False)))


def every_rule_set() -> Iterator[tuple[Pairs, Pairs]]:
    """Yield all rules for two modules: which pairs may stand side by side, and which one above the other."""
    pairs = list(product(range(2), repeat=2))
    for across in range(16):
        for down in range(16):
            yield (
                frozenset(pair for number, pair in enumerate(pairs) if across >> number & 1),
                frozenset(pair for number, pair in enumerate(pairs) if down >> number & 1),
            )


def wraps_around(across: Pairs, down: Pairs, width: int, height: int, count: int = 2) -> bool:
    """Tell by brute force whether a grid that wraps around can be filled: row by row, from each first row."""
    rows = [
        row
        for row in product(range(count), repeat=width)
        if all((row[x], row[(x + 1) % width]) in across for x in range(width))
    ]
    follows = np.array([[all(pair in down for pair in zip(one, other, strict=True)) for other in rows] for one in rows])
    if not rows:
        return False
    reach = np.eye(len(rows), dtype=bool)
    for _ in range(height):
        reach = (reach.astype(int) @ follows.astype(int)) > 0
    return bool(np.diagonal(reach).any())


def has_part(across: Pairs, down: Pairs, width: int, height: int, count: int = 2) -> bool:
    """Tell by brute force whether a part of a world can be filled; each cell has neighbours on all sides."""
    usable = [
        module
        for module in range(count)
        if any(one == module for one, _ in across)
        and any(other == module for _, other in across)
        and any(one == module for one, _ in down)
        and any(other == module for _, other in down)
    ]
    rows = {
        row for row in product(usable, repeat=width) if all((row[x], row[x + 1]) in across for x in range(width - 1))
    }
    standing = set(rows)
    for _ in range(height - 1):
        standing = {row for row in rows if any(all(p in down for p in zip(one, row, strict=True)) for one in standing)}
    return bool(standing)
