"""Open a world: read its rules, have its seams proved or refused, and the proof checked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import BadOption, GenerationFailed
from solvent.valency.model import Count, Graph, Lattice, Staging
from solvent.valency.worlds.chunk_task import ChunkTask
from solvent.valency.worlds.proving import require_accepted
from solvent.valency.worlds.seams import SeamLibrary, cut, library_of
from solvent.valency.worlds.world import World

if TYPE_CHECKING:
    from solvent.core.answer import Answer
    from solvent.valency.generator import RuleOptions
    from solvent.valency.worlds.analysis import Refusal

USUAL_CHUNK = "32x32"


class CannotBeCut(GenerationFailed):
    """Say that rules cannot be cut into such chunks, with what proves it."""

    def __init__(self, message: str, proofs: tuple[tuple[Staging, Answer], ...]) -> None:
        super().__init__(message)
        self.proofs = proofs
        """Tasks that cannot be filled, each with an answer that was checked; the strongest first."""


def open_world(
    rules: str = "pipes",
    *,
    chunk: str | None = None,
    seed: int = 0,
    seams: Certificate | None = None,
    meter: Meter = UNLIMITED,
    **reading: Unpack[RuleOptions],
) -> World:
    """Open a world by the rules in a file, or by those of a bundled task.

    A task in JSON has picks and counts for each chunk if its grid has the size of a chunk, which is what `chunk` is
    by default then. `seams` are those of an earlier call; they are checked, and nothing has to be found out again.
    Raises CannotBeCut where chunks of this size do not fit together in every way that is needed.
    """
    task = ChunkTask(read_chunk_task(rules, chunk, meter, **reading))
    return world_of(task, seed, seams, meter)


def world_of(task: ChunkTask, seed: int, seams: Certificate | None = None, meter: Meter = UNLIMITED) -> World:
    """Return a world of chunks like this one, its seams found and proved, or raise CannotBeCut."""
    if seams is None:
        from solvent.valency.worlds.analysis import Refusal, find_seams

        found = find_seams(task, meter)
        if isinstance(found, Refusal):
            raise CannotBeCut(_explain(task, found), found.proofs)
        seams = found.certificate()
        period = found.period
    else:
        period = _period_of(task, seams)
    require_accepted(task.on_torus(*period), seams, meter)
    return World(task, _library(task, seams, period), seed)


def _period_of(task: ChunkTask, seams: Certificate) -> tuple[int, int]:
    """Return of how many chunks a certificate is; of one, unless it is of several that wrap around together."""
    if seams.get("form") != "assignment":
        return 1, 1
    from solvent.valency.worlds.analysis import PERIODS

    modules = seams.get("modules")
    cells = task.width * task.height * task.depth
    for period in PERIODS:
        if isinstance(modules, list) and len(modules) == cells * period[0] * period[1]:
            return period
    return 1, 1


def _library(task: ChunkTask, seams: Certificate, period: tuple[int, int]) -> SeamLibrary:
    if seams["form"] == "seams":
        return library_of(seams, task.shape)
    import numpy as np

    torus = np.array(seams["modules"], dtype=np.int16)
    return cut(torus.reshape(task.depth, period[1] * task.height, period[0] * task.width), task.shape)


def read_chunk_task(rules: str, chunk: str | None, meter: Meter = UNLIMITED, **reading: Unpack[RuleOptions]) -> Staging:
    """Read the task of a chunk: its rules, with picks and counts if it has any, on a grid that wraps around."""
    from solvent.valency.generator import generate, read_own_task

    whole = read_own_task(rules)
    if whole is not None:
        return chunk_of_task(whole, chunk)
    made = generate(seed=0, rules=rules, grid=chunk or USUAL_CHUNK, periodic="xy", meter=meter, **reading)
    if isinstance(made.cluster, Lattice):
        made = replace(made, cluster=replace(made.cluster, periodic=(True, True, False)))
    return made


def chunk_of_task(whole: Staging, chunk: str | None) -> Staging:
    """Return a task as that of each chunk of a world; what it says of single cells needs a grid of a chunk's size."""
    from solvent.valency.notation.grids import make_lattice

    if isinstance(whole.cluster, Graph):
        raise BadOption("a world is made of chunks of a grid of squares or hexagons; this task is on a graph")
    own = whole.cluster
    lattice = own if chunk is None else make_lattice(whole.rules, chunk, "xy")
    sized = replace(lattice, periodic=(True, True, False))
    if (own.width, own.height, own.depth) != (sized.width, sized.height, sized.depth):
        about_cells = [one for one in whole.constraints if not isinstance(one, Count) or one.nodes]
        if whole.picks or about_cells:
            raise BadOption(
                f"the picks and constraints of this task are for a grid of {own.width}x{own.height}; ask for chunks of "
                f"that size, found chunk {sized.width}x{sized.height}"
            )
    return replace(whole, cluster=sized, priorities=(), seed=0)


def _explain(task: ChunkTask, refusal: Refusal) -> str:
    """Say why rules cannot be cut, and what would help."""
    size = f"{task.width}x{task.height}"
    if refusal.impossible:
        why = (
            f"there is no world by these rules: not even one part of {size} cells can be filled, whatever is around it"
        )
    else:
        found = []
        if refusal.proofs:
            tori = " and ".join(_size(staging) for staging, _ in refusal.proofs[:6])
            found.append(f"none of {tori} can wrap around, as is proved")
        if refusal.unknown:
            found.append(f"not decided for {', '.join(refusal.unknown)}")
        why = f"no seams were found for chunks of {size}: {'; '.join(found)}"
    parts = [why]
    if refusal.helps:
        parts.append(f"what would help: {', or '.join(refusal.helps)}")
    return "; ".join(parts)


def _size(staging: Staging) -> str:
    assert isinstance(staging.cluster, Lattice)
    return f"{staging.cluster.width}x{staging.cluster.height}"
