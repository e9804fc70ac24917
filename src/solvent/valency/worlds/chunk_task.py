"""What every chunk of a world has to keep to: the rules, picks and counts of one chunk, and what cannot be one.

A world goes on for ever to all four sides, so each of its cells has all its neighbours. The task of a chunk is a grid
that wraps around: there, too, each cell has all its neighbours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from solvent.core.errors import BadOption
from solvent.valency.model import (
    FILLER,
    HEX,
    Acyclic,
    Connected,
    Consecutive,
    Constraint,
    Count,
    Lattice,
    Loop,
    Only,
    Parity,
    Path,
    Rules,
    Separation,
    Staging,
    Symmetry,
)

Cells = npt.NDArray[np.int16]
"""Modules of a part of a world, shape (floors, rows, columns)."""
Words = npt.NDArray[np.uint64]

MIN_SIDE = 4
"""Of a chunk: seams need something between them."""
MAX_CELLS = 40_000
"""Of a chunk: a world is made of small parts."""

_REFUSED: tuple[tuple[type[Constraint], str], ...] = (
    (Loop, "a loop through a world without end is never closed"),
    (Connected, "whether something hangs together in a world without end is never decided"),
    (Path, "a path names two nodes of a grid, and each chunk of a world stands somewhere else"),
    (Acyclic, "a circle may go through any number of chunks"),
    (Separation, "a separation reaches from one chunk into the next, further than a seam is wide"),
    (Consecutive, "a row goes on from one chunk into the next, further than a seam is wide"),
    (Symmetry, "a world that goes on for ever has no middle"),
    (Parity, "seams are drawn again across chunks, and only counts are kept then"),
)


class ChunkTask:
    """Hold the task that each chunk is, on a grid that wraps around."""

    def __init__(self, staging: Staging) -> None:
        """Take a task on a grid of a chunk's size that wraps around in x and y, or raise BadOption saying why not."""
        lattice = _require_lattice(staging)
        for number, constraint in enumerate(staging.constraints):
            for kind, why in _REFUSED:
                if isinstance(constraint, kind):
                    raise BadOption(
                        f"constraint {number} ({kind.__name__.lower()}) cannot hold in a world: {why}; "
                        "picks, `only` and counts can, in each chunk"
                    )
        if staging.regions:
            raise BadOption("regions of nodes are for one grid; a world has the same weights everywhere")
        self.staging = staging
        self.rules: Rules = staging.rules
        self.width, self.height, self.depth = lattice.width, lattice.height, lattice.depth
        self.kind = lattice.kind

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return floors, rows and columns of a chunk."""
        return self.depth, self.height, self.width

    @cached_property
    def plain_rules(self) -> Rules:
        """Return the rules without how often modules are wanted: that is counted chunk by chunk."""
        return replace(self.rules, modules=tuple(replace(one, least=0, most=None) for one in self.rules.modules))

    @cached_property
    def allowed(self) -> Words:
        """Return which modules may stand on each cell of a chunk, shape (floors, rows, columns, words).

        Fillers stand only where nothing else fits; what is proved here is proved without them.
        """
        from solvent.valency.solver.network import boot, pack

        plain = replace(self.staging, rules=self.plain_rules, constraints=self._placed)
        domains = boot(plain).domains.reshape(*self.shape, -1).copy()
        fillers = np.array([[module.placement == FILLER for module in self.rules.modules]], dtype=np.bool_)
        domains &= ~pack(fillers)[0]
        return domains

    @property
    def _placed(self) -> tuple[Constraint, ...]:
        return tuple(one for one in self.staging.constraints if isinstance(one, Only))

    @property
    def own_counts(self) -> int:
        """Return how many of the counts stand in the task by themselves; the others are those of modules."""
        return sum(isinstance(one, Count) for one in self.staging.constraints)

    @cached_property
    def counts(self) -> tuple[Count, ...]:
        """Return what is counted in each chunk: the counts of the task, and how often modules are wanted."""
        named = [one for one in self.staging.constraints if isinstance(one, Count)]
        for number, module in enumerate(self.rules.modules):
            if module.least > 0 or module.most is not None:
                named.append(Count(1 << number, module.least, module.most))
        return tuple(named)

    @cached_property
    def counted(self) -> Words:
        """Return the modules that some count is about, as words."""
        from solvent.valency.solver.network import pack, truths_of

        truths = np.zeros(len(self.rules.modules), dtype=np.bool_)
        for count in self.counts:
            truths |= truths_of([m for m in range(len(truths)) if count.modules >> m & 1], len(truths))
        counted: Words = pack(truths[None, :])[0]
        return counted

    def on_torus(self, across: int, down: int) -> Staging:
        """Return the task of so many chunks that wrap around together, each with its picks and counts."""
        if (across, down) == (1, 1):
            return self.staging
        lattice = Lattice(self.width * across, self.height * down, self.depth, self.kind, (True, True, False))
        picks, constraints = [], []
        for j in range(down):
            for i in range(across):
                nodes = self._nodes_in(lattice, i, j)
                picks += [replace(pick, node=nodes[pick.node]) for pick in self.staging.picks]
                for one in self.staging.constraints:
                    assert isinstance(one, Only | Count)
                    own = tuple(nodes[node] for node in one.nodes) if one.nodes else tuple(sorted(nodes))
                    constraints.append(replace(one, nodes=own))
                for count in self.counts[self.own_counts :]:
                    constraints.append(replace(count, nodes=tuple(sorted(nodes))))
        picks.sort(key=lambda pick: pick.node)
        return replace(
            self.staging,
            rules=self.plain_rules,
            cluster=lattice,
            picks=tuple(picks),
            constraints=tuple(constraints),
            priorities=(),
        )

    def _nodes_in(self, lattice: Lattice, i: int, j: int) -> list[int]:
        """Return the node of a larger grid for each node of the chunk in column i and row j of it."""
        return [
            i * self.width + x + lattice.width * (j * self.height + y + lattice.height * z)
            for z in range(self.depth)
            for y in range(self.height)
            for x in range(self.width)
        ]


def _require_lattice(staging: Staging) -> Lattice:
    lattice = staging.cluster
    if not isinstance(lattice, Lattice) or lattice.periodic != (True, True, False):
        raise BadOption("a world is made of chunks of a grid of squares or hexagons; this is a graph")
    if min(lattice.width, lattice.height) < MIN_SIDE:
        raise BadOption(f"chunk: expected at least {MIN_SIDE}x{MIN_SIDE} cells, found {lattice.width}x{lattice.height}")
    if lattice.width * lattice.height * lattice.depth > MAX_CELLS:
        raise BadOption(
            f"chunk: expected at most {MAX_CELLS:,} cells, found {lattice.width}x{lattice.height}x{lattice.depth}; "
            "ask for more chunks instead"
        )
    if lattice.kind == HEX and lattice.height % 2:
        raise BadOption(f"chunk: expected an even height on a grid of hexagons, found {lattice.height}")
    for layer in staging.rules.layers if lattice.kind != HEX else ():
        for orbital in layer.orbital_set.orbitals:
            steps = orbital.direction or (0.0, 0.0, 0.0)
            if max(abs(steps[0]), abs(steps[1])) > 1:
                raise BadOption(
                    f"the orbital {orbital.name!r} of layer {layer.name!r} leads {steps[0]:g} to the side and "
                    f"{steps[1]:g} down; seams of a world keep apart only what lies one cell away"
                )
    for floor in range(lattice.depth):
        if not _has_neighbours(staging, lattice, floor):
            raise BadOption(f"no orbital leads from floor {floor} of a chunk to another cell, so it would stay empty")
    return lattice


def _has_neighbours(staging: Staging, lattice: Lattice, floor: int) -> bool:
    """Tell whether the cells of a floor, which are all alike, have neighbours in any layer."""
    steps = (orbital.direction for layer in staging.rules.layers for orbital in layer.orbital_set.orbitals)
    return lattice.kind == HEX or any(step and 0 <= floor + step[2] < lattice.depth for step in steps)
