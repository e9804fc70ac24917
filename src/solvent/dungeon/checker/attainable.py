"""Find what must be open before a gate can be opened, since there would be too little to open it with.

Suppose a gate stays shut, and grant that everything found opens every door it could. A door is passed if the items it
needs lie in what is reached, and so many keys or bombs do as gates of that kind are open whenever this one is. More
than that no player can have. So what is not found here implies that the gate is open.

That a gate implies others makes it dearer: they took something as well. So each round may find more than the last.
"""

from __future__ import annotations

from heapq import heappop, heappush

from msgspec import Struct

from solvent.dungeon.checker.dominance import Groups, Nodes, group
from solvent.dungeon.checker.zones import Door, Zones

MAX_ROUNDS = 6
MAX_DOORS_TRIED = 3_000_000
"""How many doors to try for all gates: to know of less is no mistake, and the time must not grow out of hand."""


class Outlook(Struct):
    """Hold the doors of each zone and what lies there."""

    zones: Zones
    leads: list[list[tuple[int, Door]]]
    """For each zone the zones that doors lead to, and the doors."""
    stocks: list[list[tuple[int, int]]]
    """For each zone the first gates of purses, and how much for them lies there."""
    items: list[int]
    """For each zone the bits of items that lie there."""
    left: int = MAX_DOORS_TRIED


def imply_more(zones: Zones, groups: Groups) -> Groups:
    """Return groups that also imply what must be open before."""
    outlook = _survey(zones)
    for _ in range(MAX_ROUNDS):
        nodes = groups.nodes
        implied = _find_implied_gates(zones, groups)
        prices = _find_prices(zones, groups, implied)
        more: list[tuple[int, int]] = []
        for gate, node in nodes.of_gate.items():
            reached, opened = _spread(outlook, prices, gate)
            if outlook.left < 0:
                break
            there = {*reached, *(nodes.of_gate[other] for other in opened)}
            for other in zones.maze.meter.each(range(len(nodes.dominators))):
                # What is behind a node that implies it does so too.
                if other in there or nodes.dominators[other] not in there:
                    continue
                if not implied[groups.of_node[other]] >> (node - zones.count) & 1:
                    more.append((other, node))
        if not more:
            break
        groups = group(zones, Nodes(nodes.of_gate, nodes.dominators, nodes.arcs + more))
    return groups


def _survey(zones: Zones) -> Outlook:
    """Note what lies where."""
    maze = zones.maze
    meter, ledger = maze.meter, maze.ledger
    leads: list[list[tuple[int, Door]]] = [[] for _ in meter.each(range(zones.count))]
    for (zone, other), doors in meter.each(zones.doors.items()):
        leads[zone] += ((other, door) for door in doors)
    stocks: list[list[tuple[int, int]]] = [[] for _ in meter.each(range(zones.count))]
    items = [0] * zones.count
    for purse in {id(purse): purse for purse in ledger.purses.values()}.values():
        for number, each in meter.each(purse.pickups.items()):
            home = zones.zone_at(maze.board.dungeon.pickups[number].place)
            if home is not None:
                stocks[home].append((purse.gates[0], each))
    all_items = sum(ledger.items.values())
    for area, home in meter.each(zones.zone_of.items()):
        items[home] |= maze.lies[area] & all_items
    return Outlook(zones, leads, stocks, items)


def _find_implied_gates(zones: Zones, groups: Groups) -> list[int]:
    """Return for each group the gates it has and implies, as bits."""
    gates = [0] * len(groups.implied)
    for node in groups.nodes.of_gate.values():
        gates[groups.of_node[node]] |= 1 << (node - zones.count)
    missing = [len(others) for others in groups.implied]
    ready = [number for number, count in enumerate(missing) if not count]
    for number in zones.maze.meter.each(ready):
        for other in groups.implied[number]:
            gates[number] |= gates[other]
        for other in groups.implied_by[number]:
            missing[other] -= 1
            if not missing[other]:
                ready.append(other)
    return gates


def _find_prices(zones: Zones, groups: Groups, implied: list[int]) -> dict[int, int]:
    """Return for each gate how many of its purse are open whenever it is, itself counted."""
    alike: dict[int, int] = {}
    for gate, node in groups.nodes.of_gate.items():
        kind = zones.maze.ledger.purses[gate].gates[0]
        alike[kind] = alike.get(kind, 0) | 1 << (node - zones.count)
    return {
        gate: (implied[groups.of_gate[gate]] & alike[zones.maze.ledger.purses[gate].gates[0]]).bit_count()
        for gate in groups.nodes.of_gate
    }


def _spread(outlook: Outlook, prices: dict[int, int], shut: int) -> tuple[set[int], set[int]]:
    """Return the zones and gates that may be reached and opened one after another while a gate is shut."""
    purses, meter = outlook.zones.maze.ledger.purses, outlook.zones.maze.meter
    reached, waiting = {0}, [0]
    opened: set[int] = set()
    held = tried = 0
    found: dict[int, int] = {}
    lacking_items: list[tuple[int, Door]] = []
    lacking_more: dict[int, list[tuple[int, int, int, Door]]] = {}
    while waiting:
        meter.checkpoint()
        zone = waiting.pop()
        trying = list(outlook.leads[zone])
        for kind, each in outlook.stocks[zone]:
            found[kind] = found.get(kind, 0) + each
            doors = lacking_more.get(kind, [])
            while doors and doors[0][0] <= found[kind]:
                trying.append(heappop(doors)[2:])
        if outlook.items[zone] & ~held:
            held |= outlook.items[zone]
            trying += lacking_items
            lacking_items = []
        for other, door in trying:
            tried += 1
            if door.needs & ~held:
                lacking_items.append((other, door))
                continue
            for gate in door.gates:
                kind, missing = purses[gate].gates[0], prices[gate] - purses[gate].carried
                if gate == shut:
                    break
                if found.get(kind, 0) < missing:
                    heappush(lacking_more.setdefault(kind, []), (missing, tried, other, door))
                    break
            else:
                opened.update(door.gates)
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
    outlook.left -= tried
    return reached, opened
