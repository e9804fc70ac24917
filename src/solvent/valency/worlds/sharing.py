"""Share the making of a world among processes and machines: the same bytes wherever a chunk is made.

With Dask, for example:

    plan = client.scatter(plan_of(world), broadcast=True)
    made = client.map(make_chunk, [plan] * len(places), *zip(*places))
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from msgspec import Struct

from solvent.valency.model import Staging
from solvent.valency.worlds.chunk_task import ChunkTask
from solvent.valency.worlds.seams import SeamLibrary
from solvent.valency.worlds.world import World


class Plan(Struct, frozen=True, eq=False):
    """Hold all that a chunk depends on, but for its coordinates; it can be pickled."""

    staging: Staging
    library: SeamLibrary
    seed: int

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self.key == other.key

    @property
    def key(self) -> bytes:
        """Return a digest by which a process knows that it has this world already."""
        digest = hashlib.sha256(repr((self.staging.rules.name, self.staging.cluster, self.seed)).encode())
        for module in self.staging.rules.modules:
            digest.update(repr((module.key, module.weight, module.bonds)).encode())
        digest.update(repr((self.staging.picks, self.staging.constraints)).encode())
        for strip in (*self.library.across, *self.library.down):
            digest.update(strip.tobytes())
        return digest.digest()


def plan_of(world: World) -> Plan:
    """Return what other processes need to make the same world."""
    return Plan(world.task.staging, world.library, world.seed)


def make_chunk(plan: Plan, x: int, y: int) -> bytes:
    """Return the bytes of a chunk; a process keeps the worlds that it made chunks of last."""
    return _world(plan).chunk(x, y).tobytes()


def make_chunks(plan: Plan, places: list[tuple[int, int]]) -> list[bytes]:
    """Return the bytes of several chunks: neighbours made together share what is between them."""
    world = _world(plan)
    return [chunk.tobytes() for chunk in world.visit(places)]


@lru_cache(maxsize=4)
def _world(plan: Plan) -> World:
    return World(ChunkTask(plan.staging), plan.library, plan.seed)
