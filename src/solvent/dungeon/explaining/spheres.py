"""Spheres of progress: what can be reached at once, what with everything found there, and so on.

Sphere 0 is what can be reached without opening anything. Sphere n + 1 is what can be reached with all that was found in
the spheres up to n. What appears only with something else is found in the sphere after that. Keys and bombs are used
up, so a lock counts as open only when there is a key for *every* lock of its colour within reach: then no order of
opening them is wrong. Where there are fewer keys than locks, and nothing else leads on, it is the player's choice which
to open first. If whatever is chosen the others can still be opened later, as the situations show, no harm is done.
Otherwise it depends on the choice which parts of the spheres from there on are within reach: of each part it is certain
that some play gets there, if all situations were looked at, but not that one play gets to all of them. The questions
`accessible` and `collectable` are about just that.

Spheres add up what was found, as if one could always go back, and as if no rule asked for something not to be had, nor
for a switch to be in one state here and in another there. Whether one can lose the way is the question `losable`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from solvent.drawing.phrases import capitalised, numbers_sorted
from solvent.dungeon.events import name_gate, name_key
from solvent.dungeon.explaining.land import (
    Land,
    as_json,
    describe_things,
    listing,
    name_rooms,
    runs_of,
    things_found,
)
from solvent.dungeon.explaining.passages import Holdings, Passages
from solvent.dungeon.model import Have, Place, Requirement, Switch
from solvent.dungeon.requirements import leaves_of, requirements_of
from solvent.dungeon.rules import BOMBS, resource_of
from solvent.dungeon.solver.flags import Flags, either, flags_of
from solvent.dungeon.solver.monotone import delicate_pickups

WITHOUT_END = 1_000_000
"""How many there are of what comes back."""


@dataclass(frozen=True, slots=True, eq=False)
class Sphere:
    """Hold what becomes reachable at once."""

    areas: frozenset[int]
    """Those that no sphere before has."""
    opened: tuple[int, ...]
    """Locks and cracked walls that lead here, by number."""
    used: tuple[str, ...]
    """What was found just before: items, switches, and keys and bombs that a rule asks for."""
    certain: bool
    """False from the first choice on."""
    short: tuple[tuple[str, int, int], ...] = ()
    """Where a choice had to be made: the resource, how many there are so far, and for how many gates."""
    found: frozenset[int] = frozenset()
    """Pickups that become available: those in its areas, and those that appear elsewhere."""


def find_spheres(
    passages: Passages,
    within: Flags | None = None,
    never_missed: frozenset[int] = frozenset(),
    never_had: frozenset[int] = frozenset(),
) -> list[Sphere]:
    """Return the spheres; with `within`, only of areas that can truly be reached.

    `never_missed` are gates that a player who takes everything within reach can open sooner or later, in any order.
    `never_had` are pickups that no play takes, as was proved.
    """
    land = passages.land
    game, state = land.ground.game, land.state
    carried = set(game.dungeon.rules.items)
    carried |= {p.name for number, p in enumerate(game.dungeon.pickups) if number in state.taken and p.kind == "item"}
    held = Holdings(items=carried, opened=set(state.opened))
    reached, met = passages.flood(held, within)
    found = _find(passages, reached, held, never_had)
    spheres = [Sphere(frozenset(reached), (), (), True, found=found.pickups - state.taken)]
    certain = True
    used, opened = set[str](), set[int]()
    while True:
        land.meter.checkpoint()
        used |= _take(land, found, held)
        stock = _stock(land, held)
        wanting: dict[str, set[int]] = defaultdict(set)
        for number in met - held.opened:
            wanting[_resource(land, number)].add(number)
        spent: dict[str, int] = defaultdict(int)
        for number in held.opened - state.opened:
            spent[_resource(land, number)] += 1
        enough = {name for name, gates in wanting.items() if stock[name] >= spent[name] + len(gates)}
        short: list[tuple[str, int, int]] = []
        opened |= {number for name in enough for number in wanting[name]}
        held.opened |= opened
        now, met = passages.flood(held, within)
        found = _find(passages, now, held, never_had)
        if now == reached and not found and (plates := _plates_for_blocks(land, held)):
            # Where no player gets to a plate, a block may.
            found = _Found(states=plates)
        elif now == reached and not found:
            # Nothing is certain any more: a player who goes on has to choose.
            possible = {name for name, gates in wanting.items() if name not in enough and stock[name] > 0}
            short = [(name, stock[name], spent[name] + len(wanting[name])) for name in sorted(possible)]
            opened |= {number for name in possible for number in wanting[name]}
            held.opened |= opened
            now, met = passages.flood(held, within)
            found = _find(passages, now, held, never_had)
            if now == reached and not found:
                return spheres
            certain = certain and opened <= never_missed
        new = found.pickups - state.taken
        if now != reached or new:
            means = tuple(sorted(opened)), tuple(sorted(used))
            spheres.append(Sphere(frozenset(now - reached), *means, certain, tuple(short), new))
            used, opened = set(), set()
        reached = now


@dataclass(frozen=True, slots=True)
class _Found:
    """Hold what is new within reach: pickups by number, and states that switches can be brought into."""

    pickups: frozenset[int] = frozenset()
    states: frozenset[tuple[str, str]] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.pickups or self.states)


def _find(passages: Passages, reached: set[int], held: Holdings, never_had: frozenset[int]) -> _Found:
    """Find what is within reach and there, for a player who has no more than this: pickups, and what switches do."""
    land = passages.land
    beaten = set(land.state.taken) | held.taken
    beaten |= {number for area in reached for number in passages.monsters_in.get(area, ())}

    def is_there(place: Place, rule: Requirement | None) -> bool:
        return _is_in(land, place, reached) and (rule is None or passages.may_hold(rule, held, beaten))

    pickups = {
        number
        for number, pickup in enumerate(land.meter.each(land.dungeon.pickups))
        if pickup.kind != "monster" and number not in held.taken | never_had and is_there(pickup.place, pickup.rule)
    }
    states: set[tuple[str, str]] = set()
    for switch in land.meter.each(land.dungeon.switches):
        places = switch.reach if switch.kind == "lever" else (switch.place,)
        if any(is_there(place, switch.rule) for place in places):
            states.update((switch.name, state) for state in _states_brought_about(land, switch))
    game = land.ground.game
    new = {(name, state) for name, state in states - held.states if game.switch_state(land.state, name) != state}
    return _Found(frozenset(pickups), frozenset(new))


def _states_brought_about(land: Land, switch: Switch) -> tuple[str, ...]:
    """Return the states that a plate or lever brings its switch into, sooner or later."""
    if switch.sets:
        return (switch.sets,)
    number = land.ground.game.dial_number.get(switch.name)
    return ("off", "on") if number is None else land.dungeon.dials[number].states


def _plates_for_blocks(land: Land, held: Holdings) -> frozenset[tuple[str, str]]:
    """Return the held plates not within reach so far, if there are blocks that might be pushed onto them."""
    plates = land.ground.game.held_plates if land.dungeon.blocks else ()
    return frozenset((name, "on") for name in plates) - held.states


def _take(land: Land, found: _Found, held: Holdings) -> set[str]:
    """Add what was found, and return what to call it, as far as anything but a lock or cracked wall may ask for it."""
    dungeon, new = land.dungeon, set[str]()
    asked = {
        (leaf.what, leaf.name)
        for rule in requirements_of(dungeon)
        for leaf, _ in leaves_of(rule)
        if isinstance(leaf, Have) and leaf.what != "item"
    }
    for number in found.pickups - land.state.taken:
        pickup = dungeon.pickups[number]
        if pickup.kind == "item":
            new.add(pickup.name)
            held.items.add(pickup.name)
        elif pickup.kind == "bombs" and ("bombs", "") in asked:
            new.add("bombs")
        elif ("key", pickup.name) in asked and pickup.kind == "key":
            new.add(name_key(dungeon, pickup.name))
    held.taken |= found.pickups
    held.states |= found.states
    plates = land.ground.game.held_plates
    new.update(f"{name} held down" if name in plates else name for name, _ in found.states)
    return new


def _stock(land: Land, held: Holdings) -> dict[str, int]:
    """Return how many keys of each colour and bombs were found so far, those in hand now included."""
    game, state = land.ground.game, land.state
    stock: dict[str, int] = defaultdict(int)
    for number, gate in enumerate(land.meter.each(land.dungeon.gates)):
        name = _resource(land, number)
        if gate.kind in ("lock", "cracked") and name not in stock:
            stock[name] = (game.bombs(state) or 0) if name == BOMBS else game.keys(state, gate.needs[0])
    for number, pickup in enumerate(land.dungeon.pickups):
        if pickup.kind in ("key", "bombs") and number in held.taken and number not in state.taken:
            name = resource_of(pickup.kind, pickup.name)
            lying = pickup.count or land.dungeon.rules.bombs_per_pickup if name == BOMBS else pickup.count
            stock[name] += WITHOUT_END if pickup.renews else lying
    return stock


def _resource(land: Land, number: int) -> str:
    gate = land.dungeon.gates[number]
    return resource_of(gate.kind, gate.needs[0] if gate.needs else "")


def _is_in(land: Land, place: tuple[int, int, int], reached: set[int]) -> bool:
    cell = land.ground.cell(place)
    return cell >= 0 and land.area_of[cell] in reached


def cells_of(land: Land, areas: frozenset[int] | set[int]) -> Flags:
    """Return which cells belong to some areas."""
    found = land.analysis.areas()
    return found.cells_of(flags_of(areas, found.graph.nodes))


def describe_spheres(
    land: Land, spheres: list[Sphere], *, exact: bool = False
) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the spheres as lines for people and as JSON values.

    With `exact`, all that the spheres have is within reach of some play: then only the choice decides, not chance.
    """
    lines: list[str] = []
    data: list[dict[str, Any]] = []
    before = land.nowhere
    for number, sphere in enumerate(land.meter.each(spheres, every=1)):
        cells = cells_of(land, sphere.areas)
        rooms, things = name_rooms(land, cells, before), things_found(land, sphere.found, cells, before)
        before = either(before, cells)
        gates = [name_gate(land.dungeon.gates[gate]) for gate in sphere.opened]
        for name, have, gates_met in sphere.short:
            choice = "which to open first, and no choice loses" if sphere.certain else "which to open"
            lines.append(f"{_shortage(name, have, gates_met)}: you choose {choice}.")
        means = [f"with {listing(sphere.used)}"] if sphere.used else []
        means += [f"opening {listing(_counted(gates))}"] if gates else []
        head = ", ".join(means) or "at once"
        found = f"; finds {listing(describe_things(land, things))}" if things else ""
        doubt = "" if sphere.certain else ", as you choose" if exact else ", not certain"
        named = listing(numbers_sorted(rooms))
        lines.append(f"Sphere {number} ({head}{doubt}): {named or 'no new room'}{found}.")
        data.append(
            {
                "sphere": number,
                "means": head,
                "rooms": rooms,
                "where": runs_of(land, cells),
                "things": as_json(things),
                "opened": list(sphere.opened),
                "used": list(sphere.used),
                "certain": sphere.certain,
                "short": [{"of": name, "so_far": have, "gates": met} for name, have, met in sphere.short],
            }
        )
    if exact and not all(sphere.certain for sphere in spheres):
        lines.append("As you choose: some play gets to each part of these spheres, but one play may not get to all.")
    if delicate_pickups(land.dungeon):
        lines.append("Spheres assume nothing closes again, but some gates here do.")
    return lines, data


def _counted(names: list[str]) -> list[str]:
    """Put together what is called alike."""
    counts: dict[str, int] = defaultdict(int)
    for name in names:
        counts[name] += 1
    return [name if count == 1 else f"{name} ({count} of them)" for name, count in counts.items()]


def _shortage(name: str, have: int, gates: int) -> str:
    if name == BOMBS:
        return f"Bombs so far: {have}, cracked walls in reach: {gates}"
    colour = name.removeprefix("key").strip()
    keys, locks = f"{colour} keys".strip(), f"{colour} locks".strip()
    return capitalised(f"{keys} so far: {have}, {locks} in reach: {gates}")
