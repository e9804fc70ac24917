"""What can bar the way in a dungeon, and the dungeon without it.

A *lift* takes one such thing out of play: keys of a colour are no issue any more, a one-way passage leads both ways, a
gate or block is gone. A lift never takes a move away (leaving out the one of water, see `Lift.kind`): whatever was
possible before still is. So where lifting many things at once does not help, lifting fewer of them does not either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from solvent.core.budget import Meter
from solvent.dungeon.explaining.candidates import alike_tiles
from solvent.dungeon.explaining.changes import with_floor
from solvent.dungeon.explaining.land import Land
from solvent.dungeon.model import ONE_WAYS, WATER, Dungeon, Gate, Pickup, Place, Rules, Way
from solvent.dungeon.notation.assembling import way_order
from solvent.dungeon.requirements import leaves_of, requirements_of
from solvent.dungeon.rules import Game

NEVER_HELD = "nothing\n"
"""An item that lies nowhere, so a gate that asks for it never opens. No file has a name with a line break."""
NO_LOCK = "no lock\n"
"""The colour of keys that open nothing."""


@dataclass(frozen=True, slots=True)
class Lift:
    """Name one thing that can bar the way."""

    kind: str
    """`keys` of a colour, `bombs`, an `item`: to have more of them. `one-way`: it leads both ways. `gate`, `block`: it
    is gone. `goal`: what the goal needs is waived. `water`: with the item that crosses water, all of it can be walked
    on, however wide."""
    name: str = ""
    """The colour, or the item."""
    number: int = -1
    """The gate, the block, or the way that leads one way only; -1 for one-way tiles."""
    places: tuple[Place, ...] = ()
    """The one-way tiles."""
    count: int | None = None
    """How many more keys or bombs; None for as many as can be used."""


def list_lifts(land: Land) -> list[Lift]:
    """Return all that could be lifted, what tells a designer most first."""
    dungeon, rules = land.dungeon, land.dungeon.rules
    lifts: list[Lift] = []
    if rules.keys_counted:
        colours = sorted({gate.needs[0] for gate in dungeon.gates if gate.kind == "lock"})
        lifts += (Lift("keys", colour) for colour in colours)
    if rules.bombs is not None and any(gate.kind == "cracked" for gate in dungeon.gates):
        lifts.append(Lift("bombs"))
    game = land.ground.game
    lifts += (Lift("item", item) for item in sorted(_items_needed(dungeon)) if not game.holds(land.state, item))
    lifts += _one_ways(land)
    for number, gate in enumerate(dungeon.gates):
        if gate.kind in ("item", "barrier", "rule") or (gate.kind == "soft" and rules.soft != "open"):
            lifts.append(Lift("gate", gate.kind, number))
    if dungeon.goal_rule is not None:
        lifts.append(Lift("goal"))
    lifts += (Lift("block", "", number) for number in range(len(dungeon.blocks)))
    if rules.crossing == "one" and any(WATER in row for floor in dungeon.floors for row in floor.terrain):
        lifts.append(Lift("water"))
    return lifts


def _items_needed(dungeon: Dungeon) -> set[str]:
    """Return the items that gates or water ask for by themselves; what a rule asks for is lifted with its gate."""
    names = {need for gate in dungeon.gates if gate.kind == "item" for need in gate.needs}
    wet = any(WATER in row for floor in dungeon.floors for row in floor.terrain)
    return names | {dungeon.rules.water} if wet else names


def missing_argument(dungeon: Dungeon) -> str:
    """Say why what follows from lifting things does not hold in a dungeon; nothing if it does.

    A lift must never take a move away. It does where having something, or a block less, can shut a gate; and what lies
    about is counted as if it were always there, once.
    """
    atoms = [each for rule in requirements_of(dungeon) for each in leaves_of(rule)]
    if any(not positive for _, positive in atoms):
        return "a gate here closes when you take something"
    if any(pickup.rule is not None or pickup.renews for pickup in dungeon.pickups):
        return "things here appear or come back"
    if dungeon.blocks and any(switch.kind == "held" for switch in dungeon.switches):
        return "blocks here can hold plates down"
    return ""


def _one_ways(land: Land) -> Iterator[Lift]:
    """Yield the ways without one back, and the one-way tiles, those in a row together."""
    joined = {(way.source, way.target) for way in land.dungeon.ways}
    for number, way in enumerate(land.dungeon.ways):
        if (way.target, way.source) not in joined:
            yield Lift("one-way", way.kind, number)
    seen: set[Place] = set()
    for place in _one_way_tiles(land):
        letter = land.ground.game.terrain(place)
        if place not in seen:
            group = alike_tiles(land, place, letter)
            seen.update(group)
            yield Lift("one-way", letter, -1, tuple(group))


def _one_way_tiles(land: Land) -> Iterator[Place]:
    for storey, floor in enumerate(land.dungeon.floors):
        for row, line in enumerate(land.meter.each(floor.terrain, every=20)):
            if not ONE_WAYS.keys().isdisjoint(line):
                yield from ((storey, row, column) for column, letter in enumerate(line) if letter in ONE_WAYS)


def lift(dungeon: Dungeon, lifts: Collection[Lift], meter: Meter) -> Dungeon | None:
    """Return the dungeon without what is lifted, or None if the moves played would lead elsewhere in it."""
    if not lifts:
        return dungeon
    stocks = [each for each in lifts if each.kind in ("keys", "bombs")]
    more = [(each, len(dungeon.gates) if each.count is None else each.count) for each in stocks]
    items = {*dungeon.rules.items, *(each.name for each in lifts if each.kind == "item")}
    crossing = "any" if any(each.kind == "water" for each in lifts) else dungeon.rules.crossing
    rules = replace(carry_more(dungeon.rules, more), items=tuple(sorted(items)), crossing=crossing)
    tiles = [place for each in lifts for place in each.places]
    floors = [with_floor(floor, number, tiles) if tiles else floor for number, floor in enumerate(dungeon.floors)]
    gone = {each.number for each in lifts if each.kind == "gate"}
    kept = [number for number in range(len(dungeon.gates)) if number not in gone]
    new_number = {old: new for new, old in enumerate(kept)}
    ways = [replace(way, gate=None if way.gate is None else new_number.get(way.gate)) for way in dungeon.ways]
    reversed_ways = [ways[each.number] for each in lifts if each.kind == "one-way" and each.number >= 0]
    ways += (Way(way.target, way.source, way.kind, way.gate) for way in reversed_ways)
    order = sorted(range(len(ways)), key=lambda number: way_order(ways[number]))
    moved_to = {str(old): str(new) for new, old in enumerate(order)}
    pushed = {each.number for each in lifts if each.kind == "block"}
    lifted = replace(
        dungeon,
        floors=tuple(floors),
        rules=rules,
        gates=tuple(dungeon.gates[number] for number in kept),
        ways=tuple(ways[number] for number in order),
        blocks=tuple(block for number, block in enumerate(dungeon.blocks) if number not in pushed),
        goal_rule=None if any(each.kind == "goal" for each in lifts) else dungeon.goal_rule,
        played=tuple(moved_to.get(move, move) for move in dungeon.played),
    )
    return lifted if leads_to_same_place(dungeon, lifted, meter) else None


def carry_more(rules: Rules, more: Iterable[tuple[Lift, int]]) -> Rules:
    """Return the rules with more keys and bombs carried at the start."""
    keys, bombs = dict(rules.keys), rules.bombs
    for each, number in more:
        if each.kind == "keys" and number:
            keys[each.name] = keys.get(each.name, 0) + number
        elif each.kind == "bombs" and bombs is not None:
            bombs += number
    return replace(rules, keys=tuple(sorted(keys.items())), bombs=bombs)


def supply(dungeon: Dungeon, each: Lift, number: int) -> Dungeon:
    """Return the dungeon with so many more keys or bombs carried at the start."""
    return replace(dungeon, rules=carry_more(dungeon.rules, [(each, number)]))


def supply_only(dungeon: Dungeon, each: Lift, number: int, spent: int) -> Dungeon:
    """Return the dungeon in which exactly so many of these keys or bombs can be used from now on.

    `spent` are those that the moves played took. What lies about is left there, but opens nothing.
    """
    rules, kind = dungeon.rules, "key" if each.kind == "keys" else "bombs"
    if each.kind == "keys":
        keys = {**dict(rules.keys), each.name: number + spent}
        rules = replace(rules, keys=tuple(sorted((colour, count) for colour, count in keys.items() if count)))
    else:
        rules = replace(rules, bombs=number + spent)

    def useless(pickup: Pickup) -> Pickup:
        is_meant = pickup.kind == kind and (kind == "bombs" or pickup.name == each.name)
        return replace(pickup, kind="key", name=NO_LOCK) if is_meant else pickup

    return replace(dungeon, rules=rules, pickups=tuple(useless(pickup) for pickup in dungeon.pickups))


def seal(dungeon: Dungeon, number: int, meter: Meter) -> Dungeon | None:
    """Return the dungeon with a gate that never opens, or None if the moves played went through it."""
    gate = dungeon.gates[number]
    sealed = Gate("item", (NEVER_HELD,), gate.cells, False, gate.name)
    changed = replace(dungeon, gates=(*dungeon.gates[:number], sealed, *dungeon.gates[number + 1 :]))
    return changed if leads_to_same_place(dungeon, changed, meter) else None


def leads_to_same_place(dungeon: Dungeon, changed: Dungeon, meter: Meter) -> bool:
    """Tell whether the moves played can be made in a changed dungeon as well, and end in the same place."""
    if not dungeon.played:
        return True
    one, other = Game(dungeon, meter), Game(changed, meter)
    end = one.start_state().place
    for state in meter.each(one.walk(one.start_state(), dungeon.played), every=20):
        end = state.place
    made, last = 0, other.start_state().place
    for state in meter.each(other.walk(other.start_state(), changed.played), every=20):
        made, last = made + 1, state.place
    return made == len(changed.played) and last == end
