"""Show that no player can lose without looking at every situation: what is spent never runs short where it is needed.

Where every move can be undone, a player loses only by spending keys or bombs on the wrong doors. If the doors form a
tree, what can then be reached is a part of the tree that hangs together and holds its root, and what is in hand is what
lies in that part, less what its doors took. So for each door the least that can be in hand when a player stands before
it is a minimum over parts of a tree, which takes one pass over it. If that is at least one for every door on the way to
the goal, and for every door on the way to the items that way needs, no player is ever stuck.

This decides dungeons of hundreds of rooms with too many situations to count. Where doors form circles, or moves
cannot be undone, or something might run short, it says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from msgspec import Struct, field

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.solver.areas import sure_things
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import Layout
from solvent.dungeon.solver.mechanics import NEVER, SPEND, TOGGLE
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.zones_kernel import Zones


class Door(Struct, frozen=True):
    """Hold what a move from one zone into the next asks for."""

    spends: int | None
    """The gate of the dungeon that takes a key or a bomb."""
    items: frozenset[str]
    never: bool
    """No player can ever have what it asks for."""
    mixed: bool = False
    """It asks for two things at once, and takes one of them."""

    @property
    def is_free(self) -> bool:
        """Tell whether it asks for nothing."""
        return self.spends is None and not self.items and not self.never


class Tree(Struct):
    """Hold zones, each with the door that leads into it from its parent."""

    root: int
    parent: dict[int, int] = field(default_factory=dict)
    door: dict[int, Door] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    """Zones, each after its parent."""
    wasted: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each zone the gates in it that lead nowhere new, and can be spent on all the same."""
    merged: dict[int, int] = field(default_factory=dict)
    """For each zone the one it is entered with: before a door that asks nothing is as good as behind it."""


def find_surplus(ground: Ground, areas: Areas, meter: Meter = UNLIMITED) -> dict[str, Any] | None:
    """Return the body of a certificate that no player can lose, or None if this argument does not show it."""
    from solvent.dungeon.solver.surplus_proof import Proof

    if not _is_plain(ground, areas):
        return None
    zones = Zones(areas)
    in_pieces(zones.check_undone, meter)
    if not zones.undone or _is_spent_on_both(ground, areas, zones):
        return None  # a gate that bars a goal and something else would count as two
    zones.learn_passed(*sure_things(ground, areas, lying=False, meter=meter))
    in_pieces(zones.join, meter)
    meter.checkpoint()
    zone_of = zones.list_zones()
    doors = _Doors(ground, areas, zones)
    tree = _grow_tree(ground, areas, zones, doors, zone_of, meter)
    if tree is None:
        return None
    proof = Proof(ground, tree, memoryview(areas.area_of), zone_of, meter)
    graph = areas.graph
    for arc in meter.each(_arcs_onto_goals(areas), every=20):
        zone = tree.merged.get(zone_of[graph.source[arc]])
        if zone is None:
            continue
        body = proof.prove(zone, doors.door(arc))
        if body is not None:
            return {"goal": list(ground.place(areas.first_cell[graph.target[arc]])), **body}
    return None


def _is_plain(ground: Ground, areas: Areas) -> bool:
    """Tell whether there is nothing in a dungeon but what is held, spent and asked for."""
    layout, dungeon = ground.layout, ground.dungeon
    return not (
        layout.blocks
        or any(effect.kind == TOGGLE for effect in areas.graph.effects)
        or layout.falling
        or any(dungeon.pickups[number].kind == "monster" for number in layout.pickups)
    )


def _is_spent_on_both(ground: Ground, areas: Areas, zones: Zones) -> bool:
    """Tell whether a gate takes something of moves onto goals, and of others as well."""

    def spent_on(flags: bytearray) -> set[int]:
        chosen = (demand for demand, flag in zip(areas.graph.demands, flags, strict=True) if flag)
        return {gate for demand in chosen for gate in demand.gates if gate >= 0 and ground.gates[gate].kind == SPEND}

    inner, winning = zones.demands_of_moves()
    return bool(spent_on(inner) & spent_on(winning))


def _arcs_onto_goals(areas: Areas) -> list[int]:
    """Return the arcs that end on a goal and begin elsewhere; those that ask for nothing come first."""
    graph = areas.graph
    is_goal, sources, demand_of = bytes(graph.is_goal), memoryview(graph.source), memoryview(graph.demand)
    first, incoming = memoryview(graph.first_incoming), memoryview(graph.incoming)
    found: list[int] = []
    goal = is_goal.find(1)
    while goal >= 0:
        arcs = incoming[first[goal] : first[goal + 1]]
        found += (arc for arc in arcs if not is_goal[sources[arc]])
        goal = is_goal.find(1, goal + 1)
    return sorted(found, key=lambda arc: (sum(gate >= 0 for gate in graph.demands[demand_of[arc]].gates), arc))


class _Doors:
    """Know what each move asks for that a player who stands before it may lack."""

    def __init__(self, ground: Ground, areas: Areas, zones: Zones) -> None:
        self.zones, self.graph = zones, areas.graph
        self.never = {
            number
            for number, demand in enumerate(areas.graph.demands)
            if any(gate >= 0 and ground.gates[gate].kind == NEVER for gate in demand.gates)
        }
        self._items, self._gates = _meanings(ground.layout)
        self._known: dict[tuple[tuple[int, int], ...], Door] = {}

    def door(self, arc: int) -> Door:
        """Say what a move asks for."""
        if self.graph.demand[arc] in self.never:
            return Door(None, frozenset(), True)
        bits = self.zones.lacking(arc)
        if bits not in self._known:
            self._known[bits] = self._read(bits)
        return self._known[bits]

    def _read(self, pairs: tuple[tuple[int, int], ...]) -> Door:
        items, gates = set(), []
        for word, mask in pairs:
            while mask:
                lowest = mask & -mask
                mask ^= lowest
                if (word, lowest) in self._items:
                    items.add(self._items[word, lowest])
                elif (word, lowest) in self._gates:
                    gates.append(self._gates[word, lowest])
        mixed = len(gates) > 1 or bool(gates and items)
        return Door(gates[0] if gates else None, frozenset(items), mixed, mixed)


def _meanings(layout: Layout) -> tuple[dict[tuple[int, int], str], dict[tuple[int, int], int]]:
    """Return which item each bit stands for, by word and mask, and which gate."""
    return (
        {(at.word, at.mask): name for name, at in layout.items.items()},
        {(at.word, at.mask): number for number, at in layout.gates.items()},
    )


def _grow_tree(
    ground: Ground, areas: Areas, zones: Zones, doors: _Doors, zone_of: memoryview, meter: Meter
) -> Tree | None:
    """Return the tree of zones around the start, or None if doors form a circle or ask for more than one thing."""
    root = zone_of[areas.area_of[ground.cell(ground.dungeon.start)]]
    joins: dict[tuple[int, int], set[Door]] = defaultdict(set)
    wasted: dict[int, dict[int, None]] = defaultdict(dict)
    sources, targets = memoryview(areas.graph.source), memoryview(areas.graph.target)
    for arc in meter.each(zones.doors(), every=200):
        here, there = zone_of[sources[arc]], zone_of[targets[arc]]
        door = doors.door(arc)
        if door.mixed:
            return None
        if here != there:
            joins[here, there].add(door)
        elif door.spends is not None:
            wasted[here][door.spends] = None
    tree = Tree(root, wasted={zone: list(gates) for zone, gates in wasted.items()})
    beside: dict[int, set[int]] = defaultdict(set)
    for here, there in meter.each(joins):
        beside[here].add(there)
        beside[there].add(here)
    tree.order.append(root)
    used: set[int] = set()
    for zone in meter.each(tree.order, every=200):
        for there in sorted(beside[zone]):
            if there == tree.parent.get(zone):
                continue
            if there in tree.parent or there == root:
                return None  # a circle
            ways, back = joins.get((zone, there), set()), joins.get((there, zone), set())
            if len(ways) != 1:
                return None
            door = next(iter(ways))
            for other in back:
                if other.spends is not None and other.spends != door.spends:
                    return None
            if door.spends is not None:
                if door.spends in used:
                    return None
                used.add(door.spends)
            tree.parent[there], tree.door[there] = zone, door
            tree.order.append(there)
    spent = [gate for gates in tree.wasted.values() for gate in gates]
    if len(spent) != len(set(spent)) or used & set(spent):
        return None
    tree.merged[root] = root
    for zone in tree.order[1:]:
        tree.merged[zone] = tree.merged[tree.parent[zone]] if tree.door[zone].is_free else zone
    return tree
