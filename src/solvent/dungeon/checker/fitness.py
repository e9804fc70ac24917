"""Say where a dungeon is not one the rules of play speak of, so that the rest of the checker need not ask.

Dungeons that were read from a file never fail here; one that was put together by hand may.
"""

from __future__ import annotations

from collections.abc import Iterator

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.checker.requirements import MAX_NESTING, all_rules
from solvent.dungeon.model import (
    FLOOR,
    NOTHING,
    ONE_WAYS,
    WALL,
    WATER,
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Have,
    Not,
    Place,
    Requirement,
    SwitchAt,
)

_TERRAIN = frozenset((WALL, NOTHING, FLOOR, WATER, *ONE_WAYS))
_NEEDS_ONE = ("lock", "barrier", "soft")


def unfit_parts(dungeon: Dungeon, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the dungeon itself, or an empty list."""
    bad_floors = list(_bad_floors(dungeon, meter))
    if bad_floors:
        return [f"the dungeon is not one: {fault}" for fault in bad_floors]
    faults = (
        *_bad_things(dungeon, meter),
        *_bad_pickups(dungeon, meter),
        *_bad_gates(dungeon, meter),
        *_bad_switches(dungeon, meter),
        *_bad_rules(dungeon, meter),
    )
    return [f"the dungeon is not one: {fault}" for fault in faults]


def _bad_floors(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    for number, floor in enumerate(meter.each(dungeon.floors)):
        rows = floor.terrain
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            yield f"the rows of floor {number} are not equally long"
        elif not _TERRAIN.issuperset("".join(rows)):
            yield f"floor {number} has unknown terrain"


def _bad_things(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    for what, places in (
        ("the start", [dungeon.start]),
        ("a goal", dungeon.goals),
        ("a closed tile", dungeon.closed),
        ("a pickup", [pickup.place for pickup in dungeon.pickups]),
        ("a plate", [switch.place for switch in dungeon.switches if switch.kind != "lever"]),
        ("what a lever is worked from", (place for switch in dungeon.switches for place in switch.reach)),
        ("a block", [block.place for block in dungeon.blocks]),
        ("a gate", (cell for gate in dungeon.gates for cell in gate.cells)),
        ("a way", [end for way in dungeon.ways for end in (way.source, way.target)]),
    ):
        for place in meter.each(places):
            if not _can_be_stood_on(dungeon, place):
                yield f"{what} is at {place}, where a player cannot stand"
    blocks = [block.place for block in dungeon.blocks]
    if dungeon.start in blocks:
        yield "a block stands on the start"
    if len(set(blocks)) < len(blocks):
        yield "two blocks stand on one tile"
    for block_place in blocks:
        if _letter(dungeon, block_place) != FLOOR:
            yield f"the block at {block_place} does not stand on floor"
    for word, known in (
        (dungeon.rules.push, ("never", "once", "on")),
        (dungeon.rules.blocks, ("stay", "reset")),
        (dungeon.rules.home, ("never", "always")),
    ):
        if word not in known:
            yield f"one of its rules is {word!r}, and not one of {', '.join(known)}"


def _bad_pickups(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    # Whatever is taken must never take anything away: all proofs about many states at once rest on that.
    counts = [pickup.count for pickup in dungeon.pickups]
    if min(counts, default=0) < 0 or dungeon.rules.bombs_per_pickup < 0:
        yield "a pickup takes something away"
    for number, pickup in enumerate(meter.each(dungeon.pickups)):
        if pickup.kind not in ("key", "bombs", "item", "monster"):
            yield f"pickup {number} is of no known kind"
        elif pickup.kind == "item" and pickup.count < 1:
            yield f"pickup {number} is no item at all"
        elif pickup.renews and pickup.kind not in ("key", "bombs"):
            yield f"pickup {number} renews, and is neither keys nor bombs"


def _bad_gates(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    cells = set(meter.each(cell for gate in dungeon.gates for cell in gate.cells))
    if len(cells) < sum(len(gate.cells) for gate in dungeon.gates):
        yield "two gates stand on one tile"
    rooms = {room.name for room in dungeon.rooms}
    for number, gate in enumerate(dungeon.gates):
        if gate.kind in _NEEDS_ONE and len(gate.needs) != 1:
            yield f"gate {number}, a {gate.kind}, needs exactly one thing"
        elif gate.kind == "soft" and gate.needs[0] not in rooms:
            yield f"gate {number} belongs to no room"
        elif gate.kind == "rule" and gate.rule is None:
            yield f"gate {number} has no rule"
        elif gate.kind not in ("item", "cracked", "rule", *_NEEDS_ONE):
            yield f"gate {number} is of no known kind"
    for number, way in enumerate(dungeon.ways):
        if way.gate is not None and not 0 <= way.gate < len(dungeon.gates):
            yield f"way {number} has no such gate"


def _bad_switches(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    held = {switch.name for switch in dungeon.switches if switch.kind == "held"}
    states = {dial.switch: dial.states for dial in dungeon.dials}
    plates = [(switch.place, switch.name) for switch in dungeon.switches if switch.kind != "lever"]
    if len(set(plates)) < len(plates):
        yield "two plates of one switch lie on one tile"
    if len(states) < len(dungeon.dials):
        yield "the states of a switch are named twice"
    for name, named in states.items():
        if not named or len(set(named)) < len(named):
            yield f"the switch {name!r} has no states, or two of one name"
        if name in held:
            yield f"the switch {name!r} is held, and has states of its own"
    for number, switch in enumerate(meter.each(dungeon.switches)):
        if switch.kind not in ("plate", "held", "lever"):
            yield f"switch {number} is of no known kind"
        elif switch.kind != "held" and switch.name in held:
            yield f"the switch {switch.name!r} is held by one plate and turned by another, or by a lever"
        elif switch.sets and switch.sets not in states.get(switch.name, ("off", "on")):
            yield f"switch {number} sets {switch.name!r} to a state it does not have"


def _bad_rules(dungeon: Dungeon, meter: Meter) -> Iterator[str]:
    rooms = {room.name for room in dungeon.rooms}
    for rule in meter.each(all_rules(dungeon), every=50):
        waiting: list[tuple[Requirement, int]] = [(rule, 1)]
        while waiting:
            part, depth = waiting.pop()
            if depth > MAX_NESTING:
                yield f"a requirement is nested more than {MAX_NESTING} deep"
                break
            match part:
                case Not(inner):
                    waiting.append((inner, depth + 1))
                case AllOf(parts) | AnyOf(parts):
                    waiting.extend((inner, depth + 1) for inner in parts)
                case Cleared(room):
                    if room not in rooms:
                        yield f"a requirement is about {room!r}, which is no room"
                case Have(what):
                    if what not in ("item", "key", "bombs"):
                        yield f"a requirement asks for {what!r}, which is nothing to have"
                case SwitchAt():
                    pass
                case _:
                    yield "something is no requirement"


def _can_be_stood_on(dungeon: Dungeon, place: Place) -> bool:
    return _letter(dungeon, place) not in (WALL, NOTHING)


def _letter(dungeon: Dungeon, place: Place) -> str:
    floor, row, column = place
    if not 0 <= floor < len(dungeon.floors):
        return NOTHING
    rows = dungeon.floors[floor].terrain
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING
