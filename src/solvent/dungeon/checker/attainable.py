"""Find what a player may reach and open at most while some doors stay shut.

It is granted that everything found opens every door it could: a door is passed if the items it needs lie in what may be
reached, and so many keys or bombs do as gates of that kind must be opened on any way through it. More than that no
player can have, so what is not found here is not reached, and not open, as long as those doors are shut.

If some gates are known to be open, they took something too. With them, and with all that every way to another gate
leads through, no more can have been taken than was carried and lies in what may be reached: or else that gate is shut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from heapq import heappop, heappush

from msgspec import Struct, field

from solvent.dungeon.checker.ledger import Purse
from solvent.dungeon.checker.zones import Door, Zones


class Outlook(Struct):
    """Hold the doors of each zone and what lies there."""

    zones: Zones
    leads: list[list[tuple[int, Door]]]
    """For each zone the zones that doors lead to, and the doors."""
    stocks: list[list[tuple[int, int]]]
    """For each zone the first gates of purses, and how much for them lies there."""
    behind: dict[int, set[int]]
    """For each gate the zones that moves through it lead to."""
    items: list[int]
    """For each zone the bits of items that lie there."""
    spent: dict[int, dict[int, int]] = field(default_factory=dict)
    """By the first gate of a purse: for its gates, how many must be opened on any way through them."""


def survey(zones: Zones) -> Outlook:
    """Note what lies where."""
    maze = zones.maze
    meter, ledger = maze.meter, maze.ledger
    leads: list[list[tuple[int, Door]]] = [[] for _ in meter.each(range(zones.count))]
    behind: dict[int, set[int]] = {}
    for (zone, other), doors in meter.each(zones.doors.items()):
        for door in doors:
            leads[zone].append((other, door))
            for gate in door.gates:
                behind.setdefault(gate, set()).add(other)
    stocks: list[list[tuple[int, int]]] = [[] for _ in meter.each(range(zones.count))]
    items = [0] * zones.count
    for purse in {id(purse): purse for purse in ledger.purses.values()}.values():
        for number, each in meter.each(purse.pickups.items()):
            zone = zones.zone_at(maze.board.dungeon.pickups[number].place)
            if zone is not None:
                stocks[zone].append((purse.gates[0], each))
    all_items = sum(ledger.items.values())
    for area, zone in meter.each(zones.zone_of.items()):
        items[zone] |= maze.lies[area] & all_items
    return Outlook(zones, leads, stocks, behind, items)


def find_attainable(
    outlook: Outlook, shut_zones: Collection[int], shut_gate: int, open_gates: set[int], gate_above: dict[int, int]
) -> tuple[set[int], set[int]]:
    """Return the zones and gates that may be reached and open, while some zones are not and some gates are for sure."""
    purses = outlook.zones.maze.ledger.purses
    taken: dict[int, int] = {}
    for gate in open_gates:
        taken[purses[gate].gates[0]] = taken.get(purses[gate].gates[0], 0) + 1
    shut = {shut_gate}
    while True:
        zones, gates, found = _spread(outlook, shut_zones, shut)
        more = dict.fromkeys(open_gates, 0)
        too_many = set()
        for gate in gates:
            way = [gate]
            while way[-1] not in more and gate_above[way[-1]] >= 0:
                way.append(gate_above[way[-1]])
            for passed in reversed(way):
                if passed not in more:
                    more[passed] = more.get(gate_above[passed], 0) + 1
            kind = purses[gate].gates[0]
            if purses[gate].carried + found.get(kind, 0) < taken.get(kind, 0) + more[gate]:
                too_many.add(gate)
        if not too_many:
            return zones, gates
        shut |= too_many


def _spread(
    outlook: Outlook, shut_zones: Collection[int], shut_gates: set[int]
) -> tuple[set[int], set[int], dict[int, int]]:
    """Return the zones and gates that may be reached and opened one after another, and how much lies there."""
    ledger, meter = outlook.zones.maze.ledger, outlook.zones.maze.meter
    reached, opened, waiting = {0}, set(), [0]
    held = 0
    found: dict[int, int] = {}
    lacking_items: list[tuple[int, Door]] = []
    lacking_more: dict[int, list[tuple[int, int, int, Door]]] = {}
    tried = 0

    def attempt(other: int, door: Door) -> None:
        nonlocal tried
        if door.needs & ~held:
            lacking_items.append((other, door))
            return
        for gate in door.gates:
            purse = ledger.purses[gate]
            kind, spent = purse.gates[0], _spent(outlook, purse)[gate]
            if purse.carried + found.get(kind, 0) < spent:
                tried += 1
                heappush(lacking_more.setdefault(kind, []), (spent - purse.carried, tried, other, door))
                return
        opened.update(door.gates)
        if other not in reached:
            reached.add(other)
            waiting.append(other)

    while waiting:
        meter.checkpoint()
        zone = waiting.pop()
        for kind, each in outlook.stocks[zone]:
            found[kind] = found.get(kind, 0) + each
        if outlook.items[zone] & ~held:
            held |= outlook.items[zone]
            again, lacking_items = lacking_items, []
            for other, door in again:
                attempt(other, door)
        for kind, _ in outlook.stocks[zone]:
            doors = lacking_more.get(kind, [])
            while doors and doors[0][0] <= found[kind]:
                attempt(*heappop(doors)[2:])
        for other, door in outlook.leads[zone]:
            if other not in shut_zones and shut_gates.isdisjoint(door.gates):
                attempt(other, door)
    return reached, opened, found


def _spent(outlook: Outlook, purse: Purse) -> dict[int, int]:
    """Return for each gate how many of a purse must be open on any way through it, itself counted.

    A way may leave a gate for any zone it leads to: a gate that is passed twice was opened once.
    """
    known = outlook.spent.get(purse.gates[0])
    if known is not None:
        return known
    alike = set(purse.gates)
    spent: dict[int, int] = {}
    fewest = {0: 0}
    waiting = deque([(0, 0)])
    while waiting:
        outlook.zones.maze.meter.checkpoint()
        count, zone = waiting.popleft()
        if count > fewest[zone]:
            continue
        for other, door in outlook.leads[zone]:
            for gate in door.gates or (-1,):
                there = count + (gate in alike)
                if gate >= 0 and there < spent.get(gate, there + 1):
                    spent[gate] = there
                for after in (other,) if gate < 0 else outlook.behind[gate]:
                    if there < fewest.get(after, there + 1):
                        fewest[after] = there
                        (waiting.append if there > count else waiting.appendleft)((there, after))
    outlook.spent[purse.gates[0]] = spent
    return spent
