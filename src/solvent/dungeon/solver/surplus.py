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
from collections.abc import Iterable
from typing import Any

from msgspec import Struct, field

from solvent.dungeon.solver.areas import sure_things
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.flags import join_pairs
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import Field, resource_of
from solvent.dungeon.solver.mechanics import NEVER, SPEND, TOGGLE

NEVER_OPENS = -1
"""Stands for the bits that a move asks for if no player can ever have what it asks for."""


class Door(Struct, frozen=True):
    """Hold what a move from one zone into the next asks for."""

    spends: int | None
    """The gate of the dungeon that takes a key or a bomb."""
    items: frozenset[str]
    never: bool
    """No player can ever have what it asks for."""

    @property
    def is_free(self) -> bool:
        """Tell whether it asks for nothing."""
        return self.spends is None and not self.items and not self.never


class _Tree(Struct):
    """Hold zones, each with the door that leads into it from its parent."""

    parent: dict[int, int] = field(default_factory=dict)
    door: dict[int, Door] = field(default_factory=dict)
    children: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    order: list[int] = field(default_factory=list)
    """Zones, each after its parent."""
    wasted: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    """For each zone the gates in it that lead nowhere new, and can be spent on all the same."""


class _Moves:
    """Hold the moves between areas for Python to go through: lists with an entry for each.

    What a move asks for is a set of bits, those of all words of a state in one number; see `_bits`.
    """

    def __init__(self, ground: Ground, areas: Areas) -> None:
        graph = areas.graph
        is_goal = bytes(graph.is_goal)
        self.areas = areas
        self.source = memoryview(graph.source)[: graph.arcs].tolist()
        self.target = memoryview(graph.target)[: graph.arcs].tolist()
        self.gates = [graph.demands[number].gates for number in memoryview(graph.demand)[: graph.arcs]]
        self.needs = _wide_rows(memoryview(areas.must_set), graph.arcs)
        self.never = [any(gate >= 0 and ground.gates[gate].kind == NEVER for gate in gates) for gates in self.gates]
        """Whether it asks for what no player can ever have."""
        ends = list(zip(self.source, self.target, strict=True))
        self.inner = [arc for arc, (here, there) in enumerate(ends) if not is_goal[here] and not is_goal[there]]
        """Those that neither leave nor end on a goal."""
        self.winning = [arc for arc, (_, there) in enumerate(ends) if is_goal[there]]
        self.last = [arc for arc in self.winning if not is_goal[self.source[arc]]]
        """Those that end on a goal, and of these the ones that begin elsewhere."""


def _wide_rows(table: memoryview, rows: int) -> list[int]:
    """Return the first rows of a table of words, each as one number, the first word lowest."""
    assert table.shape is not None
    words = range(table.shape[1])
    return [sum(table[row, word] << 64 * word for word in words) for row in range(rows)]


def _bits(at: Field) -> int:
    """Return the bits of a field in a row as one number."""
    return at.mask << 64 * at.word


def find_surplus(ground: Ground, areas: Areas) -> dict[str, Any] | None:
    """Return the body of a certificate that no player can lose, or None if this argument does not show it."""
    if not _is_plain(ground, areas):
        return None
    moves = _Moves(ground, areas)
    if not _undoes(moves):
        return None
    if _spent_on(ground, moves, moves.inner) & _spent_on(ground, moves, moves.winning):
        return None  # a gate that bars a goal and something else would count as two
    doors = _Doors(ground, moves)
    area_of = memoryview(areas.area_of)
    zone_of = _zones(moves, doors)
    root = zone_of[area_of[ground.cell(ground.dungeon.start)]]
    tree = _grow_tree(moves, doors, zone_of, root)
    if tree is None:
        return None
    found = _merge_free(tree, root)
    things = _things(ground, area_of, zone_of, found)
    # Moves that ask for nothing come first.
    for goal_arc in sorted(moves.last, key=lambda arc: (sum(gate >= 0 for gate in moves.gates[arc]), arc)):
        zone = found.get(zone_of[moves.source[goal_arc]])
        if zone is None:
            continue
        proof = _prove(ground, tree, found, root, things, zone, doors.door(goal_arc))
        if proof is not None:
            place = ground.place(areas.first_cell[moves.target[goal_arc]])
            return {"goal": list(place), **proof}
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


def _undoes(moves: _Moves) -> bool:
    """Tell whether every move can be undone, whatever was done before."""
    sure = _wide_rows(memoryview(moves.areas.sure), moves.areas.graph.nodes)
    leading: dict[tuple[int, int], list[int]] = defaultdict(list)
    for arc in moves.inner:
        leading[moves.source[arc], moves.target[arc]].append(arc)
    for arc in moves.inner:
        here, there = moves.source[arc], moves.target[arc]
        known = moves.needs[arc] | sure[here]
        if not any(
            not moves.needs[back] & ~known and (not moves.never[back] or moves.never[arc])
            for back in leading.get((there, here), ())
        ):
            return False
    return True


def _spent_on(ground: Ground, moves: _Moves, chosen: Iterable[int]) -> set[int]:
    """Return the gates that take something on any of the chosen moves."""
    found = {gate for arc in chosen for gate in moves.gates[arc] if gate >= 0}
    return {gate for gate in found if ground.gates[gate].kind == SPEND}


class _Doors:
    """Know what each move asks for that a player who stands before it may lack."""

    def __init__(self, ground: Ground, moves: _Moves) -> None:
        self.layout = ground.layout
        asked = _wide_rows(sure_things(ground, moves.areas, lying=False), moves.areas.graph.nodes)
        self.bits = [
            NEVER_OPENS if never else needs & ~asked[here]
            for needs, here, never in zip(moves.needs, moves.source, moves.never, strict=True)
        ]
        self._known: dict[int, Door] = {}

    def door(self, arc: int) -> Door:
        """Say what a move asks for."""
        bits = self.bits[arc]
        if bits not in self._known:
            self._known[bits] = self._read(bits)
        return self._known[bits]

    def _read(self, bits: int) -> Door:
        if bits == NEVER_OPENS:
            return Door(None, frozenset(), True)
        items = frozenset(name for name, at in self.layout.items.items() if bits & _bits(at))
        gates = [number for number, at in self.layout.gates.items() if bits & _bits(at)]
        return Door(gates[0] if gates else None, items, len(gates) > 1 or bool(gates and items))


def _zones(moves: _Moves, doors: _Doors) -> list[int]:
    """Join areas that one can walk between both ways without asking."""
    pairs = {(moves.source[arc], moves.target[arc]) for arc in moves.inner if not doors.bits[arc]}
    both_ways = sorted(pair for pair in pairs if pair[::-1] in pairs)
    return join_pairs(moves.areas.graph.nodes, both_ways)


def _grow_tree(moves: _Moves, doors: _Doors, zone_of: list[int], root: int) -> _Tree | None:
    """Return the tree of zones around the root, or None if doors form a circle or ask for more than one thing."""
    joins: dict[tuple[int, int], set[Door]] = defaultdict(set)
    tree = _Tree()
    for arc in moves.inner:
        here, there = zone_of[moves.source[arc]], zone_of[moves.target[arc]]
        door = doors.door(arc)
        if door.never and doors.bits[arc] != NEVER_OPENS:
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
    """Return for each zone the one it is entered with: before a door that asks nothing is as good as behind it."""
    merged = {root: root}
    for zone in tree.order[1:]:
        merged[zone] = merged[tree.parent[zone]] if tree.door[zone].is_free else zone
    return merged


def _things(
    ground: Ground, area_of: memoryview, zone_of: list[int], merged: dict[int, int]
) -> tuple[dict[int, list[int]], dict[str, list[tuple[int, int]]]]:
    """Return the pickups in each zone, and where each item lies: pickup and zone."""
    lying: dict[int, list[int]] = defaultdict(list)
    items: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, pickup in enumerate(ground.dungeon.pickups):
        cell = ground.cell(pickup.place)
        if cell < 0:
            continue
        zone = merged.get(zone_of[area_of[cell]])
        if zone is None:
            continue
        lying[zone].append(number)
        if pickup.kind == "item" and pickup.name in ground.layout.items:
            items[pickup.name].append((number, zone))
    return lying, items


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
        """Return the least that can be in hand of what a gate takes, for a player who stands before it."""
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
