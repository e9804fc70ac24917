"""Find gates that must be open before others: while they are shut, too little can be found to open those.

If everything found opens every door it could, a gate can be opened once as many keys or bombs lie in reach as gates are
open of its kind whenever it is. What then stays out of reach while one gate is shut implies that gate. More that is
implied means more to pay for, so this is done again until nothing changes.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import heappop, heappush

from msgspec import Struct, field

from solvent.core.budget import Meter
from solvent.dungeon.solver.zone_graph import Door, Implications, ZoneGraph, join_implications

MAX_ROUNDS = 6
MAX_DOORS_TRIED = 2_500_000
"""How many doors to try in all."""


class Supplies(Struct):
    """Hold what lies in each zone, and what gates take."""

    carried: dict[str, int] = field(default_factory=dict)
    """By resource."""
    resource: dict[int, str] = field(default_factory=dict)
    """What each gate takes."""
    stocks: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(int)))
    """By zone and resource."""
    items: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By zone."""


def imply_more(graph: ZoneGraph, implications: Implications, supplies: Supplies, meter: Meter) -> Implications:
    """Return implications with gates that must be open before."""
    spreading = _Spreading(graph, supplies, meter)
    for _ in range(MAX_ROUNDS):
        closures = _gates_implied(graph.count, implications, meter)
        alike: dict[str, int] = defaultdict(int)
        for gate, node in implications.nodes.items():
            alike[supplies.resource[gate]] |= 1 << (node - graph.count)
        prices = {
            gate: (closures[implications.of_gate[gate]] & alike[supplies.resource[gate]]).bit_count()
            for gate in implications.nodes
        }
        implies = implications.implies.copy()
        changed = False
        for gate, node in implications.nodes.items():
            zones, gates = spreading.run(prices, gate)
            if spreading.tried > MAX_DOORS_TRIED:
                break
            there = bytearray(len(implies) + 1)  # the last stands for the dominator of the first
            for zone in zones:
                there[zone] = 1
            for other in gates:
                there[implications.nodes[other]] = 1
            for other, dominator in enumerate(meter.each(implications.dominators)):
                if there[other] or not there[dominator]:
                    continue
                if not closures[implications.of_zone[other]] >> (node - graph.count) & 1:
                    implies[other] = implies[other] | {node}
                    changed = True
        if not changed:
            break
        implications = join_implications(graph.count, implications.nodes, implications.dominators, implies, meter)
    return implications


def _gates_implied(zones: int, implications: Implications, meter: Meter) -> list[int]:
    """Return for each group the gates in it and in all it implies, as bits."""
    closures = [0] * len(implications.implied)
    for node in implications.nodes.values():
        closures[implications.of_zone[node]] |= 1 << (node - zones)
    # Groups are numbered so that what is implied comes first.
    for group, others in enumerate(meter.each(implications.implied)):
        for other in others:
            closures[group] |= closures[other]
    return closures


class _Spreading:
    """Find what can be reached while a gate is shut."""

    def __init__(self, graph: ZoneGraph, supplies: Supplies, meter: Meter) -> None:
        self.supplies, self.meter = supplies, meter
        self.tried = 0
        self.exits: list[list[tuple[int, Door]]] = [[] for _ in meter.each(range(graph.count))]
        for (here, there), doors in meter.each(graph.doors.items()):
            self.exits[here] += ((there, door) for door in doors)

    def run(self, prices: dict[int, int], shut: int) -> tuple[set[int], set[int]]:
        """Return the zones and gates that can be reached and opened."""
        supplies = self.supplies
        resource = supplies.resource
        reached, waiting = {0}, [0]
        gates: set[int] = set()
        held: set[str] = set()
        stock = supplies.carried.copy()
        without_items: list[tuple[int, Door]] = []
        too_dear: dict[str, list[tuple[int, int, int, Door]]] = defaultdict(list)
        while waiting:
            self.meter.checkpoint()
            here = waiting.pop()
            trying = self.exits[here].copy()
            for name, gained in supplies.stocks[here].items() if here in supplies.stocks else ():
                stock[name] += gained
                while too_dear[name] and too_dear[name][0][0] <= stock[name]:
                    trying.append(heappop(too_dear[name])[2:])
            if here in supplies.items and not supplies.items[here] <= held:
                held |= supplies.items[here]
                trying += without_items
                without_items = []
            for there, door in trying:
                self.tried += 1
                if not door.items <= held:
                    without_items.append((there, door))
                    continue
                if shut in door.gates:
                    continue
                dear = next((gate for gate in door.gates if prices[gate] > stock[resource[gate]]), None)
                if dear is not None:
                    heappush(too_dear[resource[dear]], (prices[dear], self.tried, there, door))
                    continue
                gates.update(door.gates)
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
        return reached, gates
