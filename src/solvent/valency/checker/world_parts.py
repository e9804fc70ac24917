"""State what has to hold in a part of a world: cells that stand side by side agree, and a chunk keeps to its task.

The task of a chunk is a grid that wraps around in x and y. In a world a chunk has other chunks around it, so only what
is stated of single cells and of counts is taken from that grid; who stands beside whom is read off the part itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from solvent.valency.checker.fill import MAX_OF_A_RULE, broken_constraints, miscounted_modules, misplaced
from solvent.valency.checker.messages import name_module, name_orbital
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.model import FILLER, HEX, Count, Lattice, Only, Staging

MIN_SIDE = 4
HEX_STEPS = ((1, 1, 0), (0, 1, 1), (-1, 0, 1), (-1, -1, 0), (-1, 0, -1), (0, 1, -1))
"""For each orbital of hexagons the step in x from an even row, in x from an odd row, and in y."""


def not_a_chunk(staging: Staging) -> list[str]:
    """Return why a task cannot be that of a chunk; an empty list if it can."""
    lattice = staging.cluster
    if not isinstance(lattice, Lattice) or tuple(lattice.periodic) != (True, True, False):
        return ["seams are for a grid that wraps around in x and y"]
    found = []
    if min(lattice.width, lattice.height) < MIN_SIDE:
        found.append(f"a chunk has at least {MIN_SIDE} rows and columns, found {lattice.width}x{lattice.height}")
    if lattice.kind == HEX and lattice.height % 2:
        found.append("a chunk of hexagons has an even number of rows")
    for constraint in staging.constraints:
        if not isinstance(constraint, Count | Only):
            found.append(f"seams prove nothing about the constraint {type(constraint).__name__.lower()}")
    if lattice.kind != HEX:
        for layer in staging.rules.layers:
            for orbital in layer.orbital_set.orbitals:
                if max(abs(step) for step in (orbital.direction or (0, 0, 0))[:2]) > 1:
                    found.append(f"the orbital {orbital.name} leads further than a seam is wide")
    return found


def broken_in_chunk(placing: Placing, chunk: Numbers) -> list[str]:
    """Return what is wrong with the cells of a chunk, shape (floors, rows, columns), whatever stands around it."""
    if not placing.surroundings.open.all():
        return ["a cell has no neighbour and stays empty, and seams prove nothing about empty cells"]
    modules = chunk.reshape(-1)
    fillers = np.array([module.placement == FILLER for module in placing.staging.rules.modules], dtype=np.bool_)
    if fillers[modules].any():
        return ["a filler stands in a world, where nothing shows that nothing else fits"]
    found = (
        misplaced(placing, modules),
        miscounted_modules(placing, modules, complete=True),
        broken_constraints(placing, modules, complete=True),
    )
    return [violation for rule in found for violation in islice(rule, MAX_OF_A_RULE)]


def disagreeing(placing: Placing, parts: Numbers, first_row: int = 0) -> Iterator[str]:
    """Tell where cells side by side do not accept each other, in parts of shape (parts, floors, rows, columns).

    On hexagons, `first_row` says whether the first row is an even or an odd one.
    """
    staging = placing.staging
    for layer, parity, orbital, back, step in _steps(staging, first_row):
        here, there = _beside(parts, step, parity)
        for one, other, way in ((here, there, orbital), (there, here, back)):
            for at in np.argwhere(~placing.accepts(layer, way, one, other)).tolist():
                held, beside = int(one[tuple(at)]), int(other[tuple(at)])
                yield (
                    f"part {at[0]}, near row {at[2]}, column {at[3]}: {name_module(staging, held)} does not accept "
                    f"{name_module(staging, beside)}, its orbital {name_orbital(staging, layer, way)}"
                )


def _steps(staging: Staging, first_row: int) -> Iterator[tuple[int, int | None, int, int, tuple[int, int, int]]]:
    """Yield layer, parity of rows or None for all, orbital, the one back, and the step of each kind of edge once."""
    assert isinstance(staging.cluster, Lattice)
    for layer, one in enumerate(staging.rules.layers):
        if staging.cluster.kind == HEX:
            for orbital in range(3):
                even, odd, down = HEX_STEPS[orbital]
                for parity, across in ((first_row % 2, even), (1 - first_row % 2, odd)):
                    yield layer, parity, orbital, orbital + 3, (across, down, 0)
            continue
        directions = [orbital.direction or (0.0, 0.0, 0.0) for orbital in one.orbital_set.orbitals]
        for orbital, (x, y, z) in enumerate(directions):
            back = directions.index((-x, -y, -z))
            if orbital < back:
                yield layer, None, orbital, back, (int(x), int(y), int(z))


def _beside(parts: Numbers, step: tuple[int, int, int], parity: int | None) -> tuple[Numbers, Numbers]:
    """Return all cells that have another at this step, and those others; only from rows of a parity if it is given."""
    x, y, z = step
    _, floors, rows, columns = parts.shape
    spans = []
    for length, move in ((floors, z), (rows, y), (columns, x)):
        low, high = max(0, -move), min(length, length - move)
        spans.append((low, max(low, high), move))
    pick = [np.arange(low, high) for low, high, _ in spans]
    if parity is not None:
        pick[1] = pick[1][pick[1] % 2 == parity]
    here = parts[:, pick[0][:, None, None], pick[1][:, None], pick[2]]
    moved = [some + move for some, (_, _, move) in zip(pick, spans, strict=True)]
    return here, parts[:, moved[0][:, None, None], moved[1][:, None], moved[2]]
