"""Say what is reached or open for sure, given that a zone is reached or a gate is open.

Take the zones a player has got into and the gates they have opened, and add all that no shut door divides them from.
Such a set hangs together: from the start each member is reached through members. So it holds all its *dominators*: the
zones and gates that every way from the start to a member leads through. Here a way may also leave a gate for any side
of it, whichever side it was opened from: with more ways there are fewer dominators, so none is named wrongly.

More is sure. Where a zone is reached, so is each zone a move leads into that asks for nothing. Where a gate is open, a
move opened it, and the zones on both ends of that move are reached; a gate that several moves can open is sure only of
what each of them gives. A move that asks for this gate alone leads on from any of its zones.

What each implies of others is a graph; *groups* are those of its nodes that imply each other.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.zones import Zones, join_circles

MAX_SIDES = 60
"""How many zones to look at for what opening a gate gives; to know of fewer is no mistake."""


class Groups(Struct, frozen=True):
    """Hold zones and gates that are reached and open together, and what else is then."""

    of_node: list[int]
    """The group of each zone, and of each gate by its node."""
    of_gate: dict[int, int]
    """The group of each gate that takes something and does not only lead onto goals, by its number."""
    implied: list[list[int]]
    """The groups that a group implies at first hand, itself aside."""
    implied_by: list[list[int]]
    above: list[int]
    """For each zone the last one that every way to it leads through, itself aside; -1 for the first."""
    nodes: Nodes


class Nodes(Struct, frozen=True):
    """Hold zones and gates as numbers: zones first, then gates."""

    of_gate: dict[int, int]
    dominators: list[int]
    """For each node the last one that every way to it leads through; -1 for the first."""
    arcs: list[tuple[int, int]]
    """What each node implies."""


def find_groups(zones: Zones) -> Groups:
    """Find what implies what."""
    meter, count = zones.maze.meter, zones.count
    sides: dict[int, list[tuple[int, int, bool]]] = {}
    ahead: list[set[int]] = [set() for _ in meter.each(range(count))]
    free: list[list[int]] = [[] for _ in meter.each(range(count))]
    for (zone, other), doors in meter.each(zones.doors.items()):
        for door in doors:
            for gate in door.gates:
                sides.setdefault(gate, []).append((zone, other, door.gates == (gate,) and not door.needs))
            if not door.gates and zone != other:
                ahead[zone].add(other)
                if not door.needs:
                    free[zone].append(other)
    node_of_gate = {gate: count + number for number, gate in enumerate(sides)}
    ahead += ({other for _, other, _ in moves} for moves in sides.values())
    for gate, moves in meter.each(sides.items()):
        for zone, _, _ in moves:
            ahead[zone].add(node_of_gate[gate])
    dominators = find_dominators(ahead, meter)
    arcs = [(node, dominator) for node, dominator in enumerate(dominators) if dominator >= 0]
    arcs += ((zone, other) for zone in meter.each(range(count)) for other in free[zone])
    for gate, moves in meter.each(sides.items(), every=100):
        arcs += ((node_of_gate[gate], zone) for zone in _given_by(moves, free))
    return group(zones, Nodes(node_of_gate, dominators, arcs))


def _given_by(moves: list[tuple[int, int, bool]], free: list[list[int]]) -> Iterable[int]:
    """Return which of its zones are reached once a gate is open, whichever of these moves opened it."""
    ends = {zone for source, target, _ in moves for zone in (source, target)}
    leads: dict[int, list[int]] = {}
    for source, target, is_alone in moves:
        if is_alone:
            leads.setdefault(source, []).append(target)
    for opening in {(source, target) for source, target, _ in moves}:
        reached, waiting = set(opening), list(opening)
        while waiting and len(reached) < MAX_SIDES:
            zone = waiting.pop()
            for other in (*leads.get(zone, ()), *free[zone]):
                if other not in reached:
                    reached.add(other)
                    waiting.append(other)
        ends &= reached
    return ends


def find_dominators(ahead: list[set[int]], meter: Meter) -> list[int]:
    """Return for each node the last one that every way to it from the first leads through; -1 for the first itself.

    In the order of a walk through the graph, each node takes the last dominator its predecessors share, until nothing
    changes. -1 also stands for nodes that no way leads to.
    """
    order, seen = [], {0}
    walk = [(0, iter(ahead[0]))]
    looked = 0
    while walk:
        looked += 1
        if looked % 1000 == 0:
            meter.checkpoint()
        node, rest = walk[-1]
        after = next((other for other in rest if other not in seen), None)
        if after is None:
            order.append(node)
            walk.pop()
        else:
            seen.add(after)
            walk.append((after, iter(ahead[after])))
    order.reverse()
    rank = {node: number for number, node in enumerate(order)}
    behind: list[list[int]] = [[] for _ in order]
    for node in meter.each(order):
        for other in ahead[node]:
            behind[rank[other]].append(rank[node])
    best = [0] + [-1] * (len(order) - 1)
    changed = True
    while changed:
        changed = False
        for node in meter.each(range(1, len(order)), every=200):
            found = -1
            for other in behind[node]:
                if best[other] < 0:
                    continue
                while found >= 0 and found != other:
                    if found > other:
                        found = best[found]
                    else:
                        other = best[other]
                found = other
            if found != best[node]:
                best[node] = found
                changed = True
    dominators = [-1] * len(ahead)
    for number, node in enumerate(order):
        if number:
            dominators[node] = order[best[number]]
    return dominators


def group(zones: Zones, nodes: Nodes) -> Groups:
    """Join nodes that imply each other."""
    meter = zones.maze.meter
    heads = join_circles(len(nodes.dominators), nodes.arcs, meter)
    numbers: dict[int, int] = {}
    group_of = [numbers.setdefault(head, len(numbers)) for head in meter.each(heads)]
    implied: list[dict[int, None]] = [{} for _ in numbers]
    for node, other in meter.each(nodes.arcs):
        if group_of[node] != group_of[other]:
            implied[group_of[node]][group_of[other]] = None
    implied_by: list[list[int]] = [[] for _ in numbers]
    for number, others in enumerate(meter.each(implied)):
        for other in others:
            implied_by[other].append(number)
    above = []
    for zone in meter.each(range(zones.count)):
        dominator = nodes.dominators[zone]
        while dominator >= zones.count:
            dominator = nodes.dominators[dominator]
        above.append(dominator)
    return Groups(
        of_node=group_of,
        of_gate={gate: group_of[node] for gate, node in nodes.of_gate.items()},
        implied=[list(others) for others in implied],
        implied_by=implied_by,
        above=above,
        nodes=nodes,
    )
