"""Chunks of a world for a page that scrolls for ever: the rules of the open task, cut into chunks."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from solvent.core.budget import Meter
from solvent.core.errors import BadOption
from solvent.valency.model import Count, Lattice, Staging

if TYPE_CHECKING:
    from solvent.valency.worlds import World

USUAL_CHUNK = "24x24"
MAX_PLACES = 64
"""How many chunks are asked for at once, at most."""
MAX_CELLS = 100_000
"""How many cells those have, at most."""
MAX_DISTANCE = 1 << 40
MAX_WORLDS = 3
"""How many worlds a process keeps."""

_worlds: OrderedDict[bytes, World] = OrderedDict()


class Wish(Struct, forbid_unknown_fields=True):
    """Say which chunks a page wants."""

    places: list[tuple[int, int]]
    """Columns and rows of chunks."""
    seed: int = 0
    chunk: str | None = None
    """The size of a chunk; by default what suits the task."""
    rules_only: bool = False
    """Whether picks and constraints of the task are left out."""


def part(staging: Staging, action: Mapping[str, Any], meter: Meter) -> dict[str, Any]:
    """Return chunks of the world that a task goes on to; each was checked with its seams."""
    try:
        wish = msgspec.convert(dict(action), Wish)
    except msgspec.ValidationError as error:
        raise BadOption(f"a part of a world: {error}") from None
    if not 1 <= len(wish.places) <= MAX_PLACES:
        raise BadOption(f"places: expected from 1 to {MAX_PLACES} chunks, found {len(wish.places)}")
    if any(abs(number) > MAX_DISTANCE for place in wish.places for number in place):
        raise BadOption(f"places: expected chunks within {MAX_DISTANCE:,} of the first")
    if wish.seed < 0:
        raise BadOption(f"seed: expected 0 or more, found {wish.seed}")
    world = _world_of(staging, wish, meter)
    task = world.task
    if len(wish.places) * task.width * task.height * task.depth > MAX_CELLS:
        raise BadOption(f"places: expected at most {MAX_CELLS:,} cells, found {len(wish.places)} chunks")
    chunks = []
    for x, y in wish.places:
        meter.checkpoint()
        world.check(x, y)
        chunks.append({"x": x, "y": y, "modules": world.chunk(x, y).modules[0].reshape(-1).tolist()})
    library = world.library
    return {
        "size": [task.width, task.height, task.depth],
        "strips": [len(library.across), len(library.down)],
        "ways": len(library.fills),
        "chunks": chunks,
    }


def _world_of(staging: Staging, wish: Wish, meter: Meter) -> World:
    """Return the world of a task, made now unless it was a while ago."""
    from solvent.valency.notation.task_json.writing import format_json
    from solvent.valency.worlds import ChunkTask
    from solvent.valency.worlds.opening import chunk_of_task, world_of

    whole = replace(staging, seed=0)
    if wish.rules_only:
        whole = replace(whole, picks=(), constraints=(), regions=())
    key = hashlib.sha256(repr((format_json(whole), wish.chunk, wish.seed)).encode()).digest()
    if key not in _worlds:
        task = ChunkTask(chunk_of_task(whole, wish.chunk or _usual_chunk(whole)))
        _worlds[key] = world_of(task, wish.seed, meter=meter)
    _worlds.move_to_end(key)
    while len(_worlds) > MAX_WORLDS:
        _worlds.popitem(last=False)
    return _worlds[key]


def _usual_chunk(staging: Staging) -> str | None:
    """Return the size of chunks that suits a task: its own grid if something is said about cells of that."""
    lattice = staging.cluster
    about_cells = [one for one in staging.constraints if not isinstance(one, Count) or one.nodes]
    if staging.picks or about_cells or not isinstance(lattice, Lattice):
        return None
    return USUAL_CHUNK if lattice.depth == 1 else f"{USUAL_CHUNK}x{lattice.depth}"
