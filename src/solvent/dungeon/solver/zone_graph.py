"""The graph of zones and doors, and what is reached or open for sure with each of them.

A zone is areas between which a player can always walk about. What a player has reached and opened hangs together from
the start on, so it holds all dominators of its members, in the graph with a node for each zone and each gate that takes
something. It also holds what a member leads to without a door, and both ends of the move that opened a gate.
"""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct, field

from solvent.core.budget import Meter


class Door(Struct, frozen=True):
    """Hold what a move from one zone into another asks for."""

    gates: tuple[int, ...]
    """The gates of the dungeon that take a key or a bomb."""
    items: frozenset[str]

    @property
    def is_free(self) -> bool:
        """Tell whether it asks for nothing."""
        return not self.gates and not self.items

    @property
    def order(self) -> tuple[int, int, tuple[str, ...]]:
        """Return how to sort doors of which one is enough."""
        return len(self.gates), len(self.items), (*map(str, self.gates), *sorted(self.items))


class ZoneGraph(Struct):
    """Hold zones by number, the first where the player starts, and all doors between them."""

    count: int = 1
    doors: dict[tuple[int, int], set[Door]] = field(default_factory=lambda: defaultdict(set))
    """From zone to zone; from a zone to itself, gates that lead nowhere new."""


class Implications(Struct):
    """Hold zones and gates in groups that go together, and which groups others imply."""

    of_zone: list[int]
    """By zone, and by node."""
    of_gate: dict[int, int]
    implied: list[list[int]]
    implied_by: list[list[int]]
    above: list[int]
    """The last zone that every way to a zone leads through; -1 for the first."""
    dominators: list[int]
    """The immediate dominator of each node; -1 for the first. Nodes are zones, then gates."""
    nodes: dict[int, int]
    """The node of each gate."""
    implies: list[set[int]]
    """What each node implies at first hand."""


def find_implications(graph: ZoneGraph, meter: Meter) -> Implications:
    """Work out what goes with what."""
    zones = graph.count
    ends: dict[int, set[tuple[int, int]]] = defaultdict(set)
    alone: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    leads: list[set[int]] = [set() for _ in meter.each(range(zones))]
    implies: list[set[int]] = [set() for _ in meter.each(range(zones))]
    for (here, there), doors in meter.each(graph.doors.items()):
        for door in doors:
            for gate in door.gates:
                ends[gate].add((here, there))
            if len(door.gates) == 1 and not door.items:
                alone[door.gates[0]][here].add(there)
            if not door.gates and here != there:
                leads[here].add(there)
                if not door.items:
                    implies[here].add(there)
    nodes = {gate: zones + number for number, gate in enumerate(ends)}
    for gate, moves in meter.each(ends.items()):
        for here, _ in moves:
            leads[here].add(nodes[gate])
        leads.append({there for _, there in moves})
        implies.append(_shared_ends(moves, alone[gate], implies))
    dominators = _dominators(leads, meter)
    for node, dominator in enumerate(dominators):
        if dominator >= 0:
            implies[node].add(dominator)
    return join_implications(zones, nodes, dominators, implies, meter)


def join_implications(
    zones: int, nodes: dict[int, int], dominators: list[int], implies: list[set[int]], meter: Meter
) -> Implications:
    """Join what implies each other."""
    group_of, count = join_circles(implies, meter)
    implied: list[set[int]] = [set() for _ in range(count)]
    implied_by: list[set[int]] = [set() for _ in range(count)]
    for node, others in enumerate(meter.each(implies)):
        for other in others:
            if group_of[node] != group_of[other]:
                implied[group_of[node]].add(group_of[other])
                implied_by[group_of[other]].add(group_of[node])
    above = []
    for zone in range(zones):
        node = dominators[zone]
        while node >= zones:
            node = dominators[node]
        above.append(node)
    return Implications(
        of_zone=group_of,
        of_gate={gate: group_of[node] for gate, node in nodes.items()},
        implied=[sorted(some) for some in implied],
        implied_by=[sorted(some) for some in implied_by],
        above=above,
        dominators=dominators,
        nodes=nodes,
        implies=implies,
    )


def _shared_ends(moves: set[tuple[int, int]], alone: dict[int, set[int]], free: list[set[int]]) -> set[int]:
    """Return which zones beside a gate are reached once it is open, whichever of the moves through it opened it."""
    shared = {zone for move in moves for zone in move}
    for move in moves:
        reached = set(move)
        for _ in range(2):  # through the gate again, and a step further where nothing is asked
            for zone in list(reached):
                reached |= alone.get(zone, set())
            for zone in list(reached):
                reached |= free[zone]
        shared &= reached
    return shared


def _dominators(leads: list[set[int]], meter: Meter) -> list[int]:
    """Return the immediate dominator of each node from the first one; -1 for that, and where no way leads."""
    number_of = {0: 0}
    order: list[int] = []
    stack = [(0, sorted(leads[0]))]
    while stack:
        node, rest = stack[-1]
        while rest and rest[-1] in number_of:
            rest.pop()
        if rest:
            number_of[rest[-1]] = 0
            stack.append((rest[-1], sorted(leads[rest[-1]])))
        else:
            order.append(node)
            stack.pop()
            if len(order) % 1000 == 0:
                meter.checkpoint()
    number_of = {node: number for number, node in enumerate(order)}  # the first comes last
    sources: list[list[int]] = [[] for _ in order]
    for node in meter.each(order):
        for other in leads[node]:
            sources[number_of[other]].append(number_of[node])
    first = len(order) - 1
    found = [-1] * first + [first]
    changed = True
    while changed:
        changed = False
        for number in meter.each(range(first - 1, -1, -1), every=200):
            shared = -1
            for source in sources[number]:
                if found[source] < 0:
                    continue
                while shared >= 0 and shared != source:
                    if shared < source:
                        shared = found[shared]
                    else:
                        source = found[source]
                shared = source
            if shared != found[number]:
                found[number] = shared
                changed = True
    dominators = [-1] * len(leads)
    for number in range(first):
        dominators[order[number]] = order[found[number]]
    return dominators


def join_circles(leads: list[set[int]], meter: Meter) -> tuple[list[int], int]:
    """Return a group for each node, shared by those that lead to each other, and how many there are (Tarjan)."""
    group_of, low = [-1] * len(leads), [-1] * len(leads)
    count = seen = 0
    open_nodes: list[int] = []
    for first in meter.each(range(len(leads)), every=1000):
        if low[first] >= 0:
            continue
        stack = [(first, seen, iter(leads[first]))]
        low[first] = seen
        seen += 1
        open_nodes.append(first)
        while stack:
            node, number, rest = stack[-1]
            for other in rest:
                if low[other] < 0:
                    stack.append((other, seen, iter(leads[other])))
                    low[other] = seen
                    seen += 1
                    open_nodes.append(other)
                    break
                if group_of[other] < 0:
                    low[node] = min(low[node], low[other])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
                if low[node] == number:
                    while group_of[node] < 0:
                        group_of[open_nodes.pop()] = count
                    count += 1
    return group_of, count
