"""Say where a dungeon is not one the rules of play speak of, so that the rest of the checker need not ask.

Dungeons that were read from a file never fail here; one that was put together by hand may.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, WALL, WATER, Dungeon, Place

_TERRAIN = frozenset((WALL, NOTHING, FLOOR, WATER, *ONE_WAYS))
_NEEDS_ONE = ("lock", "barrier", "soft")


def unfit_parts(dungeon: Dungeon, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the dungeon itself, or an empty list."""
    return list(_bad_floors(dungeon, meter)) or [*_bad_things(dungeon, meter), *_bad_gates(dungeon, meter)]


def _bad_floors(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    for number, floor in enumerate(meter.each(dungeon.floors)):
        rows = floor.terrain
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            yield f"the dungeon is not one: the rows of floor {number} are not equally long"
        elif not _TERRAIN.issuperset("".join(rows)):
            yield f"the dungeon is not one: floor {number} has unknown terrain"


def _bad_things(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    for what, places in (
        ("the start", [dungeon.start]),
        ("a goal", dungeon.goals),
        ("a pickup", [pickup.place for pickup in dungeon.pickups]),
        ("a plate", [switch.place for switch in dungeon.switches]),
        ("a block", [block.place for block in dungeon.blocks]),
        ("a gate", (cell for gate in dungeon.gates for cell in gate.cells)),
        ("a way", [end for way in dungeon.ways for end in (way.source, way.target)]),
    ):
        for place in meter.each(places):
            if not _can_be_stood_on(dungeon, place):
                yield f"the dungeon is not one: {what} is at {place}, where a player cannot stand"
    blocks = [block.place for block in dungeon.blocks]
    if dungeon.start in blocks:
        yield "the dungeon is not one: a block stands on the start"
    if len(set(blocks)) < len(blocks):
        yield "the dungeon is not one: two blocks stand on one tile"
    plates = [(switch.place, switch.name) for switch in dungeon.switches]
    if len(set(plates)) < len(plates):
        yield "the dungeon is not one: two plates of one switch lie on one tile"
    for block_place in blocks:
        if _letter(dungeon, block_place) != FLOOR:
            yield f"the dungeon is not one: the block at {block_place} does not stand on floor"
    # Whatever is taken must never take anything away: all proofs about many states at once rest on that.
    counts = [pickup.count for pickup in dungeon.pickups]
    if min(counts, default=0) < 0 or dungeon.rules.bombs_per_pickup < 0:
        yield "the dungeon is not one: a pickup takes something away"


def _bad_gates(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    cells = set(meter.each(cell for gate in dungeon.gates for cell in gate.cells))
    if len(cells) < sum(len(gate.cells) for gate in dungeon.gates):
        yield "the dungeon is not one: two gates stand on one tile"
    rooms = {room.name for room in dungeon.rooms}
    for number, gate in enumerate(dungeon.gates):
        if gate.kind in _NEEDS_ONE and len(gate.needs) != 1:
            yield f"the dungeon is not one: gate {number}, a {gate.kind}, needs exactly one thing"
        elif gate.kind == "soft" and gate.needs[0] not in rooms:
            yield f"the dungeon is not one: gate {number} belongs to no room"
        elif gate.kind not in ("item", "cracked", *_NEEDS_ONE):
            yield f"the dungeon is not one: gate {number} is of no known kind"
    for number, way in enumerate(dungeon.ways):
        if way.gate is not None and not 0 <= way.gate < len(dungeon.gates):
            yield f"the dungeon is not one: way {number} has no such gate"


def _can_be_stood_on(dungeon: Dungeon, place: Place) -> bool:
    return _letter(dungeon, place) not in (WALL, NOTHING)


def _letter(dungeon: Dungeon, place: Place) -> str:
    floor, row, column = place
    if not 0 <= floor < len(dungeon.floors):
        return NOTHING
    rows = dungeon.floors[floor].terrain
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING
