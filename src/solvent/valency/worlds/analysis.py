"""Find out whether a rule set can be cut into chunks, and prove it either way.

A world of period 1 chunk is a chunk that wraps around. If that can be filled, its own edges are seams, and more strips
are added as long as every way to put four of them around a chunk can be filled. If it cannot, several chunks together
may wrap around. If those cannot either, there may still be worlds, but none that repeats its seams; and if a part of a
world that is as large as a chunk cannot be filled at all, there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from msgspec import Struct

from solvent.core.answer import Answer, Verdict
from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.valency.model import FILLER, HEX, Lattice, Staging
from solvent.valency.worlds.between import ChunkFiller
from solvent.valency.worlds.chunk_task import MIN_SIDE, Cells, ChunkTask
from solvent.valency.worlds.part import part_of_world, without_fillers
from solvent.valency.worlds.proving import prove
from solvent.valency.worlds.seams import FILL, SeamLibrary, cut, draw, ways

STRIPS, STRIPS_OF_MANY, MANY = 4, 2, 128
"""How many strips of each direction are wanted, and of how many modules on they are fewer: each costs more there."""
CANDIDATES = 12
"""How many strips are tried before a library stays as it is."""
PERIODS = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 3), (4, 4), (5, 5))
"""How many chunks, across and down, are tried to wrap around together."""
MAX_CELLS_TOGETHER = 40_000
"""How many cells those have at most."""
MAX_NODES, MAX_NODES_TOGETHER = 2_000_000, 1_000_000
"""How hard it is tried to let one chunk wrap around, or several; rules that can mostly do so within 50,000. Tiles
that never repeat would be searched for ever otherwise."""
OTHER_SIZES = (1, -1, 2, -2, 3, -3, 4, -4)
"""How much longer the sides of chunks are, in cells, of which it is tried whether they would help."""


class Refusal(Struct, frozen=True):
    """Hold why a rule set cannot be cut into such chunks."""

    proofs: tuple[tuple[Staging, Answer], ...]
    """Tasks that cannot be filled, with their answers, the strongest first."""
    unknown: tuple[str, ...]
    """Sizes of which it was not decided whether they can wrap around, with the reason."""
    helps: tuple[str, ...]
    """What would help, in words."""
    impossible: bool = False
    """Whether there is no world at all by these rules."""


def find_seams(task: ChunkTask, meter: Meter = UNLIMITED) -> SeamLibrary | Refusal:
    """Return a library of seams, or why there is none; the same for every seed."""
    proofs: list[tuple[Staging, Answer]] = []
    unknown: list[str] = []
    for period in PERIODS:
        across, down = period
        if period != (1, 1) and across * down * task.width * task.height * task.depth > MAX_CELLS_TOGETHER:
            continue
        meter.checkpoint()
        staging = without_fillers(task.on_torus(across, down))
        answer = prove(staging, meter, MAX_NODES if period == (1, 1) else MAX_NODES_TOGETHER)
        if answer.verdict is Verdict.YES:
            assert answer.certificate is not None
            cells = np.array(answer.certificate["modules"], dtype=np.int16)
            torus = cells.reshape(task.depth, down * task.height, across * task.width)
            if period == (1, 1):
                return _grow(task, torus, meter)
            return cut(torus, task.shape)
        if answer.verdict is Verdict.NO:
            proofs.append((staging, answer))
        else:
            reason = str(answer.reason).partition(" (")[0]
            unknown.append(f"{across * task.width}x{down * task.height} ({reason})")
    return _refuse(task, proofs, unknown, meter)


def _grow(task: ChunkTask, torus: Cells, meter: Meter) -> SeamLibrary:
    """Add strips to those of a chunk that wraps around, as long as every way to use them can be filled."""
    library = cut(torus, task.shape)
    filler = ChunkFiller(task)
    wanted = STRIPS if len(task.rules.modules) < MANY else STRIPS_OF_MANY
    for candidate in range(CANDIDATES):
        if len(library.across) == wanted and len(library.down) == wanted:
            break
        meter.checkpoint()
        word = draw(0, FILL, candidate, -1)
        more = _add_strip(library, filler, word, is_across=len(library.across) <= len(library.down), meter=meter)
        library = library if more is None else more
    return library


def _add_strip(
    library: SeamLibrary, filler: ChunkFiller, word: int, *, is_across: bool, meter: Meter
) -> SeamLibrary | None:
    """Return the library with one more strip; None if one of the ways to use it cannot be filled."""
    strip = _try(lambda part: filler.new_strip(library, word, is_across=is_across, meter=part), meter)
    if strip is None or any(np.array_equal(strip, one) for one in (library.across if is_across else library.down)):
        return None
    across = (*library.across, strip) if is_across else library.across
    down = library.down if is_across else (*library.down, strip)
    larger = SeamLibrary((1, 1), across, down, dict(library.fills))
    for four in ways((1, 1), len(across), len(down)):
        if four in library.fills:
            continue
        seed = draw(word, FILL, *four[:2]) ^ draw(word, FILL, *four[2:])
        found = _try(partial(filler.fill, larger, four, seed), meter)
        if found is None:
            return None
        larger = SeamLibrary((1, 1), across, down, {**larger.fills, four: found})
    return larger


def _try(fill: Callable[[Meter], Cells | None], meter: Meter) -> Cells | None:
    """Return what is filled; None as well where that takes too long for a strip that may be done without."""
    meter.checkpoint()
    try:
        return fill(meter.part(nodes=MAX_NODES_TOGETHER))
    except LimitReached:
        reason = meter.stop_reason()
        if reason is not None:
            raise LimitReached(reason) from None
        return None


def _refuse(task: ChunkTask, proofs: list[tuple[Staging, Answer]], unknown: list[str], meter: Meter) -> Refusal:
    """Say why there is no library, with the strongest proof there is, and what would help."""
    part = part_of_world(task)
    answer = prove(part, meter, MAX_NODES)
    if answer.verdict is Verdict.NO:
        return Refusal(((part, answer), *proofs), tuple(unknown), (), impossible=True)
    helps = []
    if any(module.placement == FILLER for module in task.rules.modules):
        helps.append("modules that are not fillers: seams are proved without those")
    if task.staging.picks or task.staging.constraints:
        free = without_fillers(replace(task.staging, picks=(), constraints=()))
        if prove(free, meter, MAX_NODES_TOGETHER).verdict is Verdict.YES:
            helps.append("fewer picks and counts: without any, these rules can be cut")
    else:
        helps += [f"chunks of {width}x{height}" for width, height in _sizes_that_work(task, meter)]
    return Refusal(tuple(proofs), tuple(unknown), tuple(helps))


def _sizes_that_work(task: ChunkTask, meter: Meter) -> list[tuple[int, int]]:
    """Return the first other size of chunks, near the one asked for, that wraps around."""
    for more in OTHER_SIZES:
        width, height = task.width + more, task.height + more
        if min(width, height) < MIN_SIDE or (task.kind == HEX and height % 2):
            continue
        cluster = Lattice(width, height, task.depth, task.kind, (True, True, False))
        other = without_fillers(replace(task.staging, cluster=cluster))
        if prove(other, meter, MAX_NODES_TOGETHER).verdict is Verdict.YES:
            return [(width, height)]
    return []
