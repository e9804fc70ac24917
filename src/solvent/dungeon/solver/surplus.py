"""Show that no player can lose without looking at every situation: what is spent never runs short where it is needed.

Where every move can be undone, a player loses only by spending keys or bombs on the wrong doors. What can then be
reached and opened hangs together from the start, and what is in hand is what lies there, less one for each gate that
took something. So the least that can be in hand when a player stands before a door is a minimum over sets that hold
what their members imply (see `zone_graph`), which takes no more than a matching of what is taken with what lies there.
If that is at least one for every door on some way to the goal, and for every door on the way to the items that way
needs, no player is ever stuck.

This decides dungeons of hundreds of rooms with too many situations to count, whether doors form a tree or circles.
Where moves cannot be undone, or something might run short, it says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.solver.areas import sure_things
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.attainable import imply_more
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.mechanics import GAIN, NEED, NEVER, SPEND, TAKE
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.surplus_proof import Lying, Proof
from solvent.dungeon.solver.zone_graph import Door, ZoneGraph, find_implications, join_circles
from solvent.dungeon.solver.zones_kernel import Zones

KNOWN_GATES = ("lock", "cracked", "item", "soft")
KNOWN_PICKUPS = ("key", "bombs", "item", "monster")


def find_surplus(ground: Ground, areas: Areas, meter: Meter = UNLIMITED) -> dict[str, Any] | None:
    """Return the body of a certificate that no player can lose, or None if this argument does not show it."""
    if not _is_plain(ground, areas, meter):
        return None
    zones = Zones(areas)
    in_pieces(zones.check_undone, meter)
    if not zones.undone:
        return None
    zones.learn_passed(*sure_things(ground, areas, lying=False, meter=meter))
    in_pieces(zones.join, meter)
    meter.checkpoint()
    found = _Reading(ground, areas, zones, meter)
    lying = Lying(ground, found.lying(), found.last_zones(), meter)
    implications = find_implications(found.graph, meter)
    shown = _prove(found, Proof(ground, found.graph, implications, lying, meter))
    if shown is None:  # there is more to know, but it takes longer to find out
        more = imply_more(found.graph, implications, lying.supplies, meter)
        shown = None if more is implications else _prove(found, Proof(ground, found.graph, more, lying, meter))
    return shown


def _prove(found: _Reading, proof: Proof) -> dict[str, Any] | None:
    """Return the body of a certificate for the first goal for which there is one."""
    areas, ground = found.areas, found.ground
    for arc in found.meter.each(found.arcs_onto_goals(), every=20):
        zone = found.zone_of_area(areas.graph.source[arc])
        door = found.door(arc)
        shown = None if zone is None or door is None else proof.prove(zone, door)
        if shown is not None:
            body: dict[str, Any] = {
                "goal": list(ground.place(areas.first_cell[areas.graph.target[arc]])),
                "items": [[ground.dungeon.pickups[number].name, number] for number in shown.fetched],
                "least": [list(pair) for pair in sorted(shown.least.items())],
            }
            if shown.detours:
                body["detours"] = [[found.place_in(zone) for zone in detour] for detour in shown.detours]
            return body
    return None


def _is_plain(ground: Ground, areas: Areas, meter: Meter) -> bool:
    """Tell whether there is nothing in a dungeon but what is held, spent and asked for."""
    layout, dungeon = ground.layout, ground.dungeon
    return (
        not layout.blocks
        and not layout.falling
        and all(effect.kind in (TAKE, GAIN) for effect in meter.each(areas.graph.effects))
        and all(row.kind in (SPEND, NEED, NEVER) for row in meter.each(ground.gates))
        and all(
            demand.block < 0 and not demand.actions and not demand.stays for demand in meter.each(areas.graph.demands)
        )
        and all(gate.kind in KNOWN_GATES for gate in meter.each(dungeon.gates))
        and all(pickup.kind in KNOWN_PICKUPS for pickup in meter.each(dungeon.pickups))
        and not any(dungeon.pickups[number].kind == "monster" for number in layout.pickups)
    )


class _Reading:
    """Read the graph of zones from areas and the moves between them."""

    def __init__(self, ground: Ground, areas: Areas, zones: Zones, meter: Meter) -> None:
        self.ground, self.areas, self.zones, self.meter = ground, areas, zones, meter
        self.never = {
            number
            for number, demand in enumerate(areas.graph.demands)
            if any(gate >= 0 and ground.gates[gate].kind == NEVER for gate in demand.gates)
        }
        layout = ground.layout
        self._items = {(at.word, at.mask): name for name, at in layout.items.items()}
        self._gates = {(at.word, at.mask): number for number, at in layout.gates.items()}
        self._doors: dict[tuple[tuple[int, int], ...], Door] = {}
        self._head_of = zones.list_zones()
        self._number_of: dict[int, int] = {}
        """The zone of each area that stands for others."""
        self._heads: list[int] = []
        """For each zone one of its areas."""
        self.graph = self._read_graph()

    def zone_of_area(self, area: int) -> int | None:
        """Return the zone of an area, if it may be reached one day."""
        return self._number_of.get(self._head_of[area])

    def place_in(self, zone: int) -> list[int]:
        """Return a place in a zone."""
        return list(self.ground.place(self.areas.first_cell[self._heads[zone]]))

    def lying(self) -> dict[int, list[int]]:
        """Return the pickups in each zone."""
        found: dict[int, list[int]] = defaultdict(list)
        area_of = memoryview(self.areas.area_of)
        for number, pickup in enumerate(self.meter.each(self.ground.dungeon.pickups)):
            cell = self.ground.cell(pickup.place)
            zone = self.zone_of_area(area_of[cell]) if cell >= 0 else None
            if zone is not None:
                found[zone].append(number)
        return found

    def arcs_onto_goals(self) -> list[int]:
        """Return the arcs that end on a goal and begin elsewhere; those that ask for nothing come first."""
        graph = self.areas.graph
        is_goal, sources, demand_of = bytes(graph.is_goal), memoryview(graph.source), memoryview(graph.demand)
        first, incoming = memoryview(graph.first_incoming), memoryview(graph.incoming)
        found: list[int] = []
        goal = is_goal.find(1)
        while goal >= 0:
            arcs = incoming[first[goal] : first[goal + 1]]
            found += (arc for arc in arcs if not is_goal[sources[arc]])
            goal = is_goal.find(1, goal + 1)
        return sorted(found, key=lambda arc: (sum(gate >= 0 for gate in graph.demands[demand_of[arc]].gates), arc))

    def last_zones(self) -> set[int]:
        """Return the zones from which a goal can be entered at once."""
        last = set()
        for arc in self.meter.each(self.arcs_onto_goals()):
            zone, door = self.zone_of_area(self.areas.graph.source[arc]), self.door(arc)
            if zone is not None and door is not None and door.is_free:
                last.add(zone)
        return last

    def door(self, arc: int) -> Door | None:
        """Say what a move asks for that a player who stands before it may lack; None if nobody ever has it."""
        if self.areas.graph.demand[arc] in self.never:
            return None
        bits = self.zones.lacking(arc)
        if bits not in self._doors:
            items, gates = set(), []
            for word, mask in bits:
                while mask:
                    lowest = mask & -mask
                    mask ^= lowest
                    if (word, lowest) in self._items:
                        items.add(self._items[word, lowest])
                    else:
                        gates.append(self._gates[word, lowest])
            self._doors[bits] = Door(tuple(sorted(gates)), frozenset(items))
        return self._doors[bits]

    def _read_graph(self) -> ZoneGraph:
        areas = self.areas
        sources, targets = memoryview(areas.graph.source), memoryview(areas.graph.target)
        found: list[tuple[int, int, Door]] = []
        for arc in self.meter.each(self.zones.doors(), every=200):
            door = self.door(arc)
            if door is not None:
                found.append((self._head_of[sources[arc]], self._head_of[targets[arc]], door))
        # Zones that lead to each other without a door are one, though no single move leads back.
        root = self._head_of[areas.area_of[self.ground.cell(self.ground.dungeon.start)]]
        small = {root: 0}
        for here, there, _ in found:
            small.setdefault(here, len(small))
            small.setdefault(there, len(small))
        free: list[set[int]] = [set() for _ in small]
        beside: list[set[int]] = [set() for _ in small]
        for here, there, door in self.meter.each(found):
            beside[small[here]].add(small[there])
            if door.is_free:
                free[small[here]].add(small[there])
        group_of, _ = join_circles(free, self.meter)
        leads: dict[int, set[int]] = defaultdict(set)
        for node, others in enumerate(self.meter.each(beside)):
            leads[group_of[node]].update(group_of[other] for other in others)
        numbers, order = {group_of[0]: 0}, [group_of[0]]
        for group in self.meter.each(order):
            for other in sorted(leads[group]):
                if other not in numbers:
                    numbers[other] = len(numbers)
                    order.append(other)
        heads = [-1] * len(numbers)
        for head, node in small.items():
            if group_of[node] in numbers:
                self._number_of[head] = numbers[group_of[node]]
                heads[numbers[group_of[node]]] = head
        self._heads = heads
        graph = ZoneGraph(len(numbers))
        for here, there, door in self.meter.each(found):
            if here in self._number_of:
                pair = self._number_of[here], self._number_of[there]
                if pair[0] != pair[1] or door.gates:
                    graph.doors[pair].add(door)
        return graph
