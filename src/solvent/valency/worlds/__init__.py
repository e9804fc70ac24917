"""Worlds without end: chunks that depend on rules, seed and coordinates alone, and always fit their neighbours.

    >>> from solvent.valency.worlds import open_world
    >>> world = open_world("rooms", chunk="16x16", seed=7)
    >>> [(chunk.x, chunk.y) for chunk in world.chunks((10, -3), (2, 1))]
    [(10, -3), (11, -3)]
    >>> world.check(10, -3)

`open_world` finds out once whether the rules can be cut into such chunks and proves it, or raises CannotBeCut with a
proof. From then on every chunk can be made, in any order, on any machine: `solvent.valency.worlds.sharing` has what
a cluster needs.
"""

from __future__ import annotations

from solvent.valency.worlds.chunk_task import ChunkTask
from solvent.valency.worlds.opening import CannotBeCut, open_world
from solvent.valency.worlds.world import Chunk, World

__all__ = ["CannotBeCut", "Chunk", "ChunkTask", "World", "open_world"]
