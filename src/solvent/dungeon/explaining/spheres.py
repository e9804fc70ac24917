"""Spheres of progress: what can be reached at once, what with everything found there, and so on.

Sphere 0 is what can be reached without opening anything. Sphere n + 1 is what can be reached with all that lies in the
spheres up to n. Keys and bombs are used up, so a lock counts as open only when there is a key for *every* lock of its
colour within reach: then no order of opening them is wrong. Where there are fewer keys than locks, and nothing else
leads on, it is the player's choice which to open first. If whatever is chosen the others can still be opened later, as
the situations show, no harm is done. Otherwise it depends on the choice which parts of the spheres from there on are
within reach: of each part it is certain that some play gets there, if all situations were looked at, but not that one
play gets to all of them. The questions `accessible` and `collectable` are about just that.

Spheres add up what was found, as if one could always go back, and as if no rule asked for something not to be had, nor
for a switch to be in one state here and in another there. Whether one can lose the way is the question `losable`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from solvent.drawing.phrases import numbers_sorted
from solvent.dungeon.events import name_gate
from solvent.dungeon.explaining.land import (
    Land,
    as_json,
    describe_things,
    listing,
    name_rooms,
    runs_of,
    things_on,
)
from solvent.dungeon.explaining.passages import Holdings, Passages
from solvent.dungeon.model import Place, Requirement
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
    """Items and switches that were found just before."""
    certain: bool
    """False from the first choice on."""
    short: tuple[tuple[str, int, int], ...] = ()
    """Where a choice had to be made: the resource, how many there are so far, and for how many gates."""


def find_spheres(
    passages: Passages, within: Flags | None = None, never_missed: frozenset[int] = frozenset()
) -> list[Sphere]:
    """Return the spheres; with `within`, only of areas that can truly be reached.

    `never_missed` are gates that a player who takes everything within reach can open sooner or later, in any order.
    """
    land = passages.land
    game, state = land.ground.game, land.state
    carried = set(game.dungeon.rules.items)
    carried |= {p.name for number, p in enumerate(game.dungeon.pickups) if number in state.taken and p.kind == "item"}
    held = Holdings(items=carried, opened=set(state.opened))
    reached, met = passages.flood(held, within)
    spheres = [Sphere(frozenset(reached), (), (), True)]
    certain = True
    while True:
        land.meter.checkpoint()
        used = _pick_up(passages, reached, held)
        stock = _stock(land, held)
        wanting: dict[str, set[int]] = defaultdict(set)
        for number in met - held.opened:
            wanting[_resource(land, number)].add(number)
        spent: dict[str, int] = defaultdict(int)
        for number in held.opened - state.opened:
            spent[_resource(land, number)] += 1
        enough = {name for name, gates in wanting.items() if stock[name] >= spent[name] + len(gates)}
        short: list[tuple[str, int, int]] = []
        opened = {number for name in enough for number in wanting[name]}
        held.opened |= opened
        now, met = passages.flood(held, within)
        if now == reached:
            # Nothing is certain any more: a player who goes on has to choose.
            possible = {name for name, gates in wanting.items() if name not in enough and stock[name] > 0}
            short = [(name, stock[name], spent[name] + len(wanting[name])) for name in sorted(possible)]
            opened |= {number for name in possible for number in wanting[name]}
            held.opened |= opened
            now, met = passages.flood(held, within)
            if now == reached:
                return spheres
            certain = certain and opened <= never_missed
        spheres.append(Sphere(frozenset(now - reached), tuple(sorted(opened)), used, certain, tuple(short)))
        reached = now


def _pick_up(passages: Passages, reached: set[int], held: Holdings) -> tuple[str, ...]:
    """Add what is within reach and there: pickups, and switches that can be worked. Return the names that are new."""
    land, new = passages.land, set[str]()
    beaten = set(land.state.taken) | held.taken
    beaten |= {number for area in reached for number in passages.monsters_in.get(area, ())}

    def is_there(place: Place, rule: Requirement | None) -> bool:
        return _is_in(land, place, reached) and (rule is None or passages.may_hold(rule, held, beaten))

    while True:
        before = len(held.taken), len(held.switches)
        for number, pickup in enumerate(land.dungeon.pickups):
            if pickup.kind == "monster" or number in held.taken or not is_there(pickup.place, pickup.rule):
                continue
            held.taken.add(number)
            if pickup.kind == "item" and number not in land.state.taken:
                new.add(pickup.name)
                held.items.add(pickup.name)
        for switch in land.dungeon.switches:
            places = switch.reach if switch.kind == "lever" else (switch.place,)
            if switch.name not in held.switches and any(is_there(place, switch.rule) for place in places):
                held.switches.add(switch.name)
                new.add(switch.name)
        if before == (len(held.taken), len(held.switches)):
            return tuple(sorted(new))


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
    lines, data = [], []
    before = land.nowhere
    for number, sphere in enumerate(land.meter.each(spheres, every=1)):
        cells = cells_of(land, sphere.areas)
        rooms, things = name_rooms(land, cells, before), things_on(land, cells)
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
        lines.append("Spheres take it that nothing shuts again; some rules ask for something not to be had.")
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
    return f"{keys} so far: {have}, {locks} in reach: {gates}".capitalize()
