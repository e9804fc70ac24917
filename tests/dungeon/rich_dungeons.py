"""Dungeons with requirements, levers, held plates, dials and the like added to them at random, for the formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from solvent.dungeon.model import (
    NOTHING,
    WALL,
    AllOf,
    AnyOf,
    Cleared,
    Dial,
    Dungeon,
    Gate,
    Have,
    Not,
    Pickup,
    Place,
    Requirement,
    Switch,
    SwitchAt,
)
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.switches import places_beside, places_in_sight, states_of

NAMES = (
    "bow",
    "red",
    "sword and shield",
    "boss key",
    "when pigs fly",
    "x2",
    "3 of a kind",
    "not",
    "say sets from needs",
)
STATES = (("high", "middle", "low"), ("on", "off"), ("a", "b"), ("sets x", "from y", "on"))


def enriched(dungeon: Dungeon, seed: int) -> Dungeon:
    """Return the dungeon with more in it, without regard for whether anybody could play it."""
    dice = Random(seed)
    tiles = [
        (number, row, column)
        for number, floor in enumerate(dungeon.floors)
        for row, line in enumerate(floor.terrain)
        for column in range(len(line))
    ]
    standing = [place for place in tiles if _terrain(dungeon, place) not in (WALL, NOTHING)]
    barred = {gate.needs[0] for gate in dungeon.gates if gate.kind == "barrier"}
    names = sorted({switch.name for switch in dungeon.switches})
    held = {name for name in names if dice.random() < 0.3}
    switches = [replace(switch, kind="held" if switch.name in held else "plate") for switch in dungeon.switches]
    levers = [name for name in (*names, *dice.sample(NAMES, 2)) if name not in held]
    shut = [cell for gate in dungeon.gates for cell in gate.cells]
    for _ in range(dice.randint(0, 4) if levers else 0):
        place = dice.choice(tiles)
        beside, sight = places_beside(dungeon.floors, place), places_in_sight(dungeon.floors, place, shut)
        some = tuple(dice.sample(standing, min(len(standing), dice.randint(1, 3))))
        switches.append(Switch(place, dice.choice(levers), "lever", reach=dice.choice((beside, sight, some)) or some))
    worked = sorted({switch.name for switch in switches} - held)
    dials = [Dial(name, dice.choice(STATES)) for name in worked if name not in barred and dice.random() < 0.5]
    states = states_of(switches, dials)
    rooms = [room.name for room in dungeon.rooms]

    def rule() -> Requirement:
        return _requirement(dice, states, rooms, 3)

    switches = [
        replace(
            switch,
            sets=dice.choice(states[switch.name]) if switch.kind != "held" and dice.random() < 0.5 else "",
            rule=rule() if switch.kind == "lever" and dice.random() < 0.4 else None,
        )
        for switch in switches
    ]
    goal_rule = rule() if dungeon.start not in dungeon.goals and dice.random() < 0.5 else None
    return assemble(
        DungeonParts(
            dungeon.floors,
            starts=[dungeon.start],
            goals=dungeon.goals,
            pickups=[_pickup(dice, pickup, rule()) for pickup in dungeon.pickups],
            gates=[_gate(dice, gate, rule()) for gate in dungeon.gates],
            switches=list(dict.fromkeys(switches)),
            dials=dials,
            blocks=dungeon.blocks,
            ways=dungeon.ways,
            rooms=dungeon.rooms,
            rules=replace(
                dungeon.rules,
                push=dice.choice(("once", "on", "never")),
                blocks=dice.choice(("stay", "reset")),
                home=dice.choice(("never", "always")),
                collect=tuple(sorted(dice.sample(NAMES, dice.randint(0, 2)))),
                accessibility=dice.choice(("full", "items", "minimal")),
            ),
            title=dungeon.title,
            goal_rule=goal_rule,
        ),
        strict=False,
    )


def _terrain(dungeon: Dungeon, place: Place) -> str:
    return dungeon.floors[place[0]].terrain[place[1]][place[2]]


def _requirement(dice: Random, states: dict[str, tuple[str, ...]], rooms: Sequence[str], depth: int) -> Requirement:
    kind = dice.randrange(8 if depth else 5)
    if kind == 3 and states:
        switch = dice.choice(sorted(states))
        return SwitchAt(switch, dice.choice(states[switch]))
    if kind == 4 and rooms:
        return Cleared(dice.choice(rooms))
    if kind == 5:
        return Not(_requirement(dice, states, rooms, depth - 1))
    if kind > 5:
        parts = tuple(_requirement(dice, states, rooms, depth - 1) for _ in range(dice.randint(0, 3)))
        return AllOf(parts) if kind == 6 else AnyOf(parts)
    what = dice.choice(("item", "item", "key", "bombs"))
    name = {"item": dice.choice(NAMES), "key": dice.choice(("", *NAMES))}.get(what, "")
    return Have(what, name, dice.choice((1, 1, 2, 3)))


def _pickup(dice: Random, pickup: Pickup, rule: Requirement) -> Pickup:
    if pickup.kind == "item":
        pickup = replace(pickup, name=dice.choice((pickup.name, *NAMES)), count=dice.choice((1, 1, 2, 9_999)))
    renews = pickup.kind in ("key", "bombs") and dice.random() < 0.3
    return replace(pickup, rule=rule if dice.random() < 0.4 else None, renews=renews)


def _gate(dice: Random, gate: Gate, rule: Requirement) -> Gate:
    return gate if dice.random() < 0.5 else Gate("rule", (), gate.cells, name=gate.name, rule=rule)
