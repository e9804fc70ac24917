"""Check the seams of a world: strips for the edges of chunks, with a fill for each way to put four around a chunk.

Two cells that stand side by side are one column and one row apart at most, so they lie together in a chunk or in the
strips around it. If every way in which strips may stand around a chunk has a fill in which all neighbours agree, and
all strips have the same cell where seams cross, then chunks can be put side by side for ever, each with strips of its
own choice. The first strips on all sides make a fill of the task itself, a grid that wraps around.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.valency.checker.fill import MAX_OF_A_RULE
from solvent.valency.checker.neighbours import Numbers
from solvent.valency.checker.placing import Placing
from solvent.valency.checker.world_parts import broken_in_chunk, disagreeing, not_a_chunk
from solvent.valency.model import Lattice, Staging

MAX_STRIPS = 16
"""Of each direction; what is proved of them grows with the fourth power."""
FILLS_AT_ONCE = 32

Four = tuple[int, int, int, int]


class Way(Struct, forbid_unknown_fields=True):
    """Hold a fill for one way: strips above, below, left and right, and the chunk with those above and on the left."""

    strips: Four
    modules: list[int]


class Body(Struct):
    """Hold what a certificate of seams has beside its envelope."""

    across: list[list[list[int]]]
    """For each strip its floors, each with a module for each column."""
    down: list[list[list[int]]]
    fills: list[Way]


def check(staging: Staging, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the seams, or an empty list."""
    found = not_a_chunk(staging)
    if found:
        return found
    wanted: Mapping[str, Any] = {name: certificate.get(name) for name in ("across", "down", "fills")}
    body = msgspec.convert(wanted, Body)
    lattice = staging.cluster
    assert isinstance(lattice, Lattice)
    shape = (lattice.depth, lattice.height, lattice.width)
    across = _strips(body.across, (shape[0], shape[2]))
    down = _strips(body.down, (shape[0], shape[1]))
    if across is None or down is None:
        return [
            f"expected 1 to {MAX_STRIPS} strips of each direction, of {shape[0]} floors with {shape[2]} modules across "
            f"and {shape[1]} down"
        ]
    corners = np.concatenate([across[:, :, 0], down[:, :, 0]])
    if (corners != corners[0]).any():
        return ["strips differ where they cross"]
    missing = _not_every_way(body.fills, len(across), len(down))
    if missing:
        return missing
    placing = Placing(staging, meter)
    return list(islice(_wrong_fills(placing, body.fills, across, down, shape), MAX_OF_A_RULE))


def _strips(given: list[list[list[int]]], shape: tuple[int, int]) -> Numbers | None:
    """Return strips as numbers; None if they do not have the right shape."""
    if not 1 <= len(given) <= MAX_STRIPS:
        return None
    if any(len(strip) != shape[0] or any(len(floor) != shape[1] for floor in strip) for strip in given):
        return None
    if any(not 0 <= module < 1 << 31 for strip in given for floor in strip for module in floor):
        return None
    return np.array(given, dtype=np.int64)


def _not_every_way(fills: list[Way], across: int, down: int) -> list[str]:
    """Return which ways to put strips around a chunk have no fill, or several."""
    given = [way.strips for way in fills]
    every = set(product(range(across), range(across), range(down), range(down)))
    found = [f"the strips {list(four)} are no way to stand around a chunk" for four in given if four not in every]
    if len(set(given)) != len(given):
        found.append("a way to put strips around a chunk has two fills")
    for four in sorted(every - set(given)):
        found.append(f"no fill has the strips {four[0]} above, {four[1]} below, {four[2]} left and {four[3]} right")
    return found


def _wrong_fills(
    placing: Placing, fills: list[Way], across: Numbers, down: Numbers, shape: tuple[int, int, int]
) -> Iterator[str]:
    """Tell what is wrong with the fills: their strips, their cells, or who stands beside whom."""
    depth, height, width = shape
    for begin in range(0, len(fills), FILLS_AT_ONCE):
        placing.meter.checkpoint()
        some = fills[begin : begin + FILLS_AT_ONCE]
        parts = np.empty((len(some), depth, height + 1, width + 1), dtype=np.int64)
        for part, way in zip(parts, some, strict=True):
            name = f"the fill between the strips {list(way.strips)}"
            if len(way.modules) != depth * height * width:
                yield f"{name}: expected {depth * height * width} modules, found {len(way.modules)}"
                return
            if any(not 0 <= module < placing.modules for module in way.modules):
                yield f"{name} has a number that is no module"
                return
            above, below, left, right = way.strips
            chunk = np.array(way.modules, dtype=np.int64).reshape(shape)
            part[:, :height, :width] = chunk
            part[:, height, :width], part[:, :height, width] = across[below], down[right]
            part[:, height, width] = across[0][:, 0]
            if (chunk[:, 0, :] != across[above]).any() or (chunk[:, :, 0] != down[left]).any():
                yield f"{name} does not begin with its strips"
            for violation in broken_in_chunk(placing, chunk):
                yield f"{name}: {violation}"
        if (parts >= placing.modules).any():
            yield "a strip has a number that is no module"
            return
        for violation in disagreeing(placing, parts):
            yield f"fills from {begin}: {violation}"
