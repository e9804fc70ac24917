"""Show that nobody can lose without looking at every situation: what is spent never runs short where it is needed.

Where every move can be undone, a player loses only by spending keys or bombs on the wrong doors. If the doors form a
tree, what can then be reached is a part of the tree that hangs together and holds its root, and what is in hand is what
lies in that part, less what its doors took. So for each door the least that can be in hand when somebody stands before
it is a minimum over parts of a tree, which takes one pass over it. If that is at least one for every door on the way to
the goal, and for every door on the way to the items that way needs, nobody is ever stuck.

This decides dungeons of hundreds of rooms whose situations nobody could count. Where doors form circles, or moves
cannot be undone, or something might run short, it says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solvent.dungeon.solver.areas import MUST_SET, Areas, sure_things
from solvent.dungeon.solver.ground import (
    GATE_1,
    GATE_3,
    KIND,
    NEVER,
    SOURCE,
    SPEND,
    TARGET,
    TOGGLE,
    WHAT,
    Ground,
)
from solvent.dungeon.solver.layout import resource_of


@dataclass(frozen=True, slots=True)
class Door:
    """Hold what a move from one zone into the next asks for."""

    spends: int | None
    """The gate of the dungeon that takes a key or a bomb."""
    items: frozenset[str]
    never: bool
    """Nobody can ever have what it asks for."""

    @property
    def is_free(self) -> bool:
        """Tell whether it asks for nothing."""
        return self.spends is None and not self.items and not self.never


@dataclass(slots=True)
class _Tree:
    """Hold zones, each with the door that leads into it from its parent."""

    parent: dict[int, int] = field(default_factory=dict)
    door: dict[int, Door] = field(default_factory=dict)
    children: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    order: list[int] = field(default_factory=list)
    """Zones, each after its parent."""
    wasted: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each zone the gates in it that lead nowhere new, and can be spent on all the same."""


def find_surplus(ground: Ground, areas: Areas) -> dict[str, Any] | None:
    """Return the body of a certificate that nobody can lose, or None if this argument does not show it."""
    if not _undoes(ground, areas):
        return None
    arcs, graph = areas.graph.arcs, areas.graph
    inner = ~graph.is_goal[arcs[:, SOURCE]] & ~graph.is_goal[arcs[:, TARGET]]
    if _spent_on(ground, areas, inner) & _spent_on(ground, areas, graph.is_goal[arcs[:, TARGET]]):
        return None  # a gate that bars a goal and something else would count as two
    bits = _open_bits(ground, areas)
    zone_of = _zones(areas, inner, bits)
    root = int(zone_of[areas.area_of[ground.cell(ground.dungeon.start)]])
    tree = _grow_tree(ground, areas, zone_of, root, np.nonzero(inner)[0].tolist(), bits)
    if tree is None:
        return None
    found = _merge_free(tree, root)
    things = _things(ground, areas, zone_of, found)
    for goal_arc in _goal_arcs(areas):
        zone = found.get(int(zone_of[arcs[goal_arc, SOURCE]]))
        if zone is None:
            continue
        entry = _door(ground, goal_arc, bits)
        proof = _prove(ground, tree, found, root, things, zone, entry)
        if proof is not None:
            place = ground.places[int(areas.first_cell[arcs[goal_arc, TARGET]])]
            return {"goal": list(place), **proof}
    return None


def _undoes(ground: Ground, areas: Areas) -> bool:
    """Tell whether every move can be undone, whatever was done before."""
    graph = areas.graph
    arcs = graph.arcs
    layout, dungeon = ground.layout, ground.dungeon
    if layout.blocks or (graph.effects[:, WHAT] == TOGGLE).any():
        return False
    if any(dungeon.gates[number].kind == "soft" for number in layout.gates):
        return False
    if any(dungeon.pickups[number].kind == "monster" for number in layout.pickups):
        return False
    width = layout.words
    inner = np.nonzero(~graph.is_goal[arcs[:, SOURCE]] & ~graph.is_goal[arcs[:, TARGET]])[0]
    back = defaultdict(list)
    for arc in inner.tolist():
        back[int(arcs[arc, SOURCE]), int(arcs[arc, TARGET])].append(arc)
    never = _never(ground, areas)
    for arc in inner.tolist():
        here, there = int(arcs[arc, SOURCE]), int(arcs[arc, TARGET])
        known = arcs[arc, MUST_SET : MUST_SET + width] | areas.sure[here]
        if not any(
            not (arcs[each, MUST_SET : MUST_SET + width] & ~known).any() and (not never[each] or never[arc])
            for each in back[there, here]
        ):
            return False
    return True


def _spent_on(ground: Ground, areas: Areas, chosen: Any) -> set[int]:
    """Return the gates that take something on any of the chosen arcs."""
    found = {int(gate) for gate in areas.graph.arcs[chosen, GATE_1 : GATE_3 + 1].ravel() if gate >= 0}
    return {gate for gate in found if ground.gates[gate, KIND] == SPEND}


def _never(ground: Ground, areas: Areas) -> Any:
    """Return which arcs ask for what nobody can ever have."""
    arcs = areas.graph.arcs
    never = np.zeros(len(arcs), dtype=np.bool_)
    for column in range(GATE_1, GATE_3 + 1):
        gated = np.nonzero(arcs[:, column] >= 0)[0]
        never[gated] |= ground.gates[arcs[gated, column], KIND] == NEVER
    return never


def _open_bits(ground: Ground, areas: Areas) -> Any:
    """Return for each arc the bits it asks for that whoever stands before it may lack; -1 in all if it never opens."""
    arcs = areas.graph.arcs
    width = ground.layout.words
    asked = sure_things(ground, areas.graph, areas.area_of, lying=False)
    bits = arcs[:, MUST_SET : MUST_SET + width] & ~asked[arcs[:, SOURCE]]
    bits[_never(ground, areas)] = -1
    return bits


def _zones(areas: Areas, inner: Any, bits: Any) -> Any:
    """Join areas that one can walk between both ways without asking."""
    arcs = areas.graph.arcs
    free = np.nonzero(inner & (bits == 0).all(axis=1))[0]
    pairs = {(int(arcs[arc, SOURCE]), int(arcs[arc, TARGET])) for arc in free}
    zone_of = list(range(areas.graph.nodes))

    def head(node: int) -> int:
        while zone_of[node] != node:
            zone_of[node] = zone_of[zone_of[node]]
            node = zone_of[node]
        return node

    for here, there in sorted(pairs):
        if (there, here) in pairs:
            one, other = sorted((head(here), head(there)))
            zone_of[other] = one
    return np.array([head(node) for node in range(len(zone_of))])


def _door(ground: Ground, arc: int, bits: Any) -> Door:
    """Say what an arc asks for."""
    layout = ground.layout
    if (bits[arc] == -1).all():
        return Door(None, frozenset(), True)
    wanted = [int(word) for word in bits[arc]]
    items = frozenset(name for name, at in layout.items.items() if wanted[at.word] & at.mask)
    gates = [number for number, at in layout.gates.items() if wanted[at.word] & at.mask]
    return Door(gates[0] if gates else None, items, len(gates) > 1 or bool(gates and items))


def _grow_tree(ground: Ground, areas: Areas, zone_of: Any, root: int, inner: list[int], bits: Any) -> _Tree | None:
    """Return the tree of zones around the root, or None if doors form a circle or ask for more than one thing."""
    arcs = areas.graph.arcs
    joins: dict[tuple[int, int], set[Door]] = defaultdict(set)
    tree = _Tree()
    for arc in inner:
        here, there = int(zone_of[arcs[arc, SOURCE]]), int(zone_of[arcs[arc, TARGET]])
        door = _door(ground, arc, bits)
        if door.never and not (bits[arc] == -1).all():
            return None  # two things at once
        if here != there:
            joins[here, there].add(door)
        elif door.spends is not None and door.spends not in tree.wasted[here]:
            tree.wasted[here].append(door.spends)
    beside: dict[int, set[int]] = defaultdict(set)
    for here, there in joins:
        beside[here].add(there)
        beside[there].add(here)
    tree.order.append(root)
    used: set[int] = set()
    for zone in tree.order:
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
            tree.children[zone].append(there)
            tree.order.append(there)
    spent = [gate for gates in tree.wasted.values() for gate in gates]
    return None if len(spent) != len(set(spent)) or used & set(spent) else tree


def _merge_free(tree: _Tree, root: int) -> dict[int, int]:
    """Return for each zone the one it is entered with: whoever is before a door that asks nothing is behind it too."""
    merged = {root: root}
    for zone in tree.order[1:]:
        merged[zone] = merged[tree.parent[zone]] if tree.door[zone].is_free else zone
    return merged


def _things(
    ground: Ground, areas: Areas, zone_of: Any, merged: dict[int, int]
) -> tuple[dict[int, list[int]], dict[str, list[tuple[int, int]]]]:
    """Return the pickups in each zone, and where each item lies: pickup and zone."""
    lying: dict[int, list[int]] = defaultdict(list)
    items: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, pickup in enumerate(ground.dungeon.pickups):
        cell = ground.cell(pickup.place)
        if cell < 0:
            continue
        zone = merged.get(int(zone_of[areas.area_of[cell]]))
        if zone is None:
            continue
        lying[zone].append(number)
        if pickup.kind == "item" and pickup.name in ground.layout.items:
            items[pickup.name].append((number, zone))
    return lying, items


def _goal_arcs(areas: Areas) -> list[int]:
    """Return the arcs that end on a goal; those that ask for nothing first."""
    arcs, graph = areas.graph.arcs, areas.graph
    ending = np.nonzero(graph.is_goal[arcs[:, TARGET]] & ~graph.is_goal[arcs[:, SOURCE]])[0]
    return sorted(ending.tolist(), key=lambda arc: (int((arcs[arc, GATE_1 : GATE_3 + 1] >= 0).sum()), arc))


def _prove(
    ground: Ground,
    tree: _Tree,
    merged: dict[int, int],
    root: int,
    things: tuple[dict[int, list[int]], dict[str, list[tuple[int, int]]]],
    zone: int,
    entry: Door,
) -> dict[str, Any] | None:
    """Return items in order of need and the least in hand before each door that is needed, or None if it may be 0."""
    lying, where = things
    ledger = _Ledger(ground, tree, merged, root, lying)
    chosen: dict[str, int] = {}
    underway: set[str] = set()
    doors: dict[int, int] = {}

    def reach(target: int, last: Door | None) -> bool:
        way = ledger.path(target)
        steps = [(tree.door[step], merged[tree.parent[step]]) for step in way]
        if last is not None:
            steps.append((last, target))
        for door, before in steps:
            if door.never:
                return False
            for item in sorted(door.items):
                if not fetch(item):
                    return False
            if door.spends is not None and door.spends not in doors:
                least = ledger.least(door.spends, before, behind=next((s for s in way if tree.door[s] is door), None))
                if least < 1:
                    return False
                doors[door.spends] = least
        return True

    def fetch(item: str) -> bool:
        if item in chosen:
            return True
        if item in underway:
            return False
        underway.add(item)
        try:
            for pickup, place in where.get(item, ()):
                kept = dict(doors)
                if reach(place, None):
                    chosen[item] = pickup
                    return True
                doors.clear()
                doors.update(kept)
        finally:
            underway.discard(item)
        return False

    if not reach(zone, entry):
        return None
    return {
        "items": [[name, pickup] for name, pickup in chosen.items()],
        "least": sorted([gate, least] for gate, least in doors.items()),
    }


class _Ledger:
    """Work out what can be in hand at least, resource by resource."""

    def __init__(
        self, ground: Ground, tree: _Tree, merged: dict[int, int], root: int, lying: dict[int, list[int]]
    ) -> None:
        self.ground, self.tree, self.merged, self.root, self.lying = ground, tree, merged, root, lying
        self.best: dict[str, dict[int, int]] = {}
        self.children: dict[int, list[int]] = defaultdict(list)
        for zone in tree.order[1:]:
            if merged[zone] == zone:
                self.children[merged[tree.parent[zone]]].append(zone)
        self.wasted: dict[int, list[int]] = defaultdict(list)
        for zone, gates in tree.wasted.items():
            if zone in merged:
                self.wasted[merged[zone]].extend(gates)

    def path(self, zone: int) -> list[int]:
        """Return the zones on the way from the root, without it."""
        way = []
        while zone != self.root:
            way.append(zone)
            zone = self.merged[self.tree.parent[zone]]
        return way[::-1]

    def least(self, gate: int, before: int, *, behind: int | None) -> int:
        """Return the least that can be in hand of what a gate takes, for whoever stands before it."""
        resource = self._resource(gate)
        best = self._best(resource)
        way = [self.root, *self.path(before)]
        total = self._carried(resource)
        for index, zone in enumerate(way):
            total += self._weight(resource, zone)
            onwards = way[index + 1] if index + 1 < len(way) else behind
            total += self._waste(resource, zone, besides=gate)
            total += sum(min(0, best[child]) for child in self.children[zone] if child != onwards)
        return total

    def _best(self, resource: str) -> dict[int, int]:
        if resource not in self.best:
            best: dict[int, int] = {}
            for zone in reversed(self.tree.order):
                if self.merged[zone] == zone:
                    below = sum(min(0, best[child]) for child in self.children[zone])
                    best[zone] = self._weight(resource, zone) + self._waste(resource, zone) + below
            self.best[resource] = best
        return self.best[resource]

    def _weight(self, resource: str, zone: int) -> int:
        """Return what is gained by being in a zone: what lies there, less what its door takes."""
        dungeon = self.ground.dungeon
        gained = 0
        for number in self.lying.get(zone, ()):
            pickup = dungeon.pickups[number]
            if pickup.kind in ("key", "bombs") and resource_of(pickup.kind, pickup.name) == resource:
                gained += pickup.count or dungeon.rules.bombs_per_pickup
        if zone != self.root:
            taken_by = self.tree.door[zone].spends
            gained -= taken_by is not None and self._resource(taken_by) == resource
        return gained

    def _waste(self, resource: str, zone: int, besides: int | None = None) -> int:
        gates: Iterable[int] = self.wasted.get(zone, ())
        return -sum(gate != besides and self._resource(gate) == resource for gate in gates)

    def _resource(self, gate: int) -> str:
        found = self.ground.dungeon.gates[gate]
        return resource_of(found.kind, found.needs[0] if found.needs else "")

    def _carried(self, resource: str) -> int:
        rules = self.ground.dungeon.rules
        if resource == "bombs":
            return rules.bombs or 0
        return dict(rules.keys).get(resource.removeprefix("key").strip(), 0)
