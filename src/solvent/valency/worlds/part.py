"""A part of a world as a task of its own: each cell has all its neighbours, whatever stands around the part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from msgspec import Struct

from solvent.core.answer import Certificate, Verdict
from solvent.proof.certificate import make_certificate
from solvent.valency.model import EXCLUDED, FILLER, HEX, Count, Lattice, Only, Staging
from solvent.valency.worlds.chunk_task import Cells, ChunkTask
from solvent.valency.worlds.rules_in_world import rules_in_world
from solvent.valency.worlds.seams import DOMAIN, QUESTION


def without_fillers(staging: Staging) -> Staging:
    """Return a task in which fillers may not be used: they stand only where nothing else fits."""
    modules = tuple(
        replace(module, placement=EXCLUDED) if module.placement == FILLER else module
        for module in staging.rules.modules
    )
    return replace(staging, rules=replace(staging.rules, modules=modules), seed=0)


def part_of_world(task: ChunkTask) -> Staging:
    """Return the task of a part of a world as large as a chunk, whatever stands around it."""
    rules = rules_in_world(task.rules, hexagonal=task.kind == HEX)
    staging = without_fillers(replace(task.staging, rules=rules))
    return replace(staging, cluster=Lattice(task.width, task.height, task.depth, task.kind), priorities=())


class RimmedChunk(Struct, frozen=True, eq=False):
    """Hold the task of a chunk with cells of its neighbours around it."""

    staging: Staging
    rows: int
    """How many rows there are above and below; on hexagons two, so that even rows stay even."""
    columns: int

    def certificate(self, cells: Cells) -> Certificate:
        """Return the certificate that a chunk and the cells around it are filled right; a claim until it is checked."""
        modules = cells.reshape(-1).tolist()
        return make_certificate(DOMAIN, QUESTION, Verdict.YES, "assignment", modules=modules)


def chunk_with_rim(task: ChunkTask) -> RimmedChunk:
    """Return the task of a chunk with the cells around it; picks and counts are those of the chunk alone."""
    columns, rows = 1, 2 if task.kind == HEX else 1
    lattice = Lattice(task.width + 2 * columns, task.height + 2 * rows, task.depth, task.kind)
    numbers = np.arange(lattice.width * lattice.height * lattice.depth)
    grid = numbers.reshape(lattice.depth, lattice.height, lattice.width)
    inside = grid[:, rows : rows + task.height, columns : columns + task.width].reshape(-1).tolist()
    constraints: list[Only | Count] = []
    for one in (*task.staging.constraints, *task.counts[task.own_counts :]):
        assert isinstance(one, Only | Count)
        own = one.nodes or range(len(inside))
        constraints.append(replace(one, nodes=tuple(inside[node] for node in own)))
    rules = rules_in_world(task.plain_rules, hexagonal=task.kind == HEX)
    staging = Staging(
        without_fillers(replace(task.staging, rules=rules)).rules,
        lattice,
        picks=tuple(replace(pick, node=inside[pick.node]) for pick in task.staging.picks),
        pick_selection=task.staging.pick_selection,
        pick_misfit=task.staging.pick_misfit,
        constraints=tuple(constraints),
    )
    return RimmedChunk(staging, rows, columns)
