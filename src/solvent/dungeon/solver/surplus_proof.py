"""Work out what can be in hand at least before each door of a tree, and whether that is always enough.

See `surplus` for what a tree is, and why this shows that no player can lose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator
from typing import Any

from solvent.core.budget import Meter
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import BOMBS, resource_of
from solvent.dungeon.solver.surplus import Door, Tree

Attempt = Generator["Attempt", bool, bool]
"""Something to be shown: yields what must be shown before, is sent whether that could be, and returns whether it is."""

MAX_KEPT = 2_000_000
"""How many numbers to keep of resources that were worked out before."""


class Proof:
    """Look for what the way to a goal needs, and for the least there can be in hand before each of its doors."""

    def __init__(self, ground: Ground, tree: Tree, area_of: memoryview, zone_of: memoryview, meter: Meter) -> None:
        self.tree, self.meter = tree, meter
        self.where: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """For each item the pickups of it, and the zones they lie in."""
        lying: dict[int, list[int]] = defaultdict(list)
        for number, pickup in enumerate(meter.each(ground.dungeon.pickups)):
            cell = ground.cell(pickup.place)
            zone = tree.merged.get(zone_of[area_of[cell]]) if cell >= 0 else None
            if zone is None:
                continue
            lying[zone].append(number)
            if pickup.kind == "item" and pickup.name in ground.layout.items:
                self.where[pickup.name].append((number, zone))
        self.ledger = _Ledger(ground, tree, lying, meter)
        self._begin()

    def _begin(self) -> None:
        self.chosen: dict[str, int] = {}
        """The pickup of each item that is fetched, in an order that works."""
        self.doors: dict[int, int] = {}
        """The least there is before each gate on the way that takes something."""
        self.reached: dict[int, None] = {self.tree.root: None}
        """Zones to which the way was shown."""
        self.underway: set[str] = set()

    def prove(self, zone: int, entry: Door) -> dict[str, Any] | None:
        """Return items in order of need and the least in hand before each door that is needed, or None if it may be 0.

        The way leads to a zone, and from there through a door onto a goal.
        """
        self._begin()
        if not _run(self._reach(zone, entry)):
            return None
        return {
            "items": [[name, pickup] for name, pickup in self.chosen.items()],
            "least": sorted([gate, least] for gate, least in self.doors.items()),
        }

    def _reach(self, target: int, last: Door | None) -> Attempt:
        """Show that a zone can always be reached, and then a door be passed."""
        way = []
        zone = target
        while zone not in self.reached:
            way.append(zone)
            zone = self.tree.merged[self.tree.parent[zone]]
        for step in self.meter.each(reversed(way), every=100):
            before = self.tree.merged[self.tree.parent[step]]
            if not (yield self._pass(self.tree.door[step], before, step)):
                return False
            self.reached[step] = None
        return last is None or (yield self._pass(last, target, None))

    def _pass(self, door: Door, before: int, behind: int | None) -> Attempt:
        """Show that a door can always be passed by who stands in the zone before it."""
        if door.never:
            return False
        for item in sorted(door.items):
            if item not in self.chosen and not (yield self._fetch(item)):
                return False
        if door.spends is not None and door.spends not in self.doors:
            least = self.ledger.least(door.spends, before, behind)
            if least < 1:
                return False
            self.doors[door.spends] = least
        return True

    def _fetch(self, item: str) -> Attempt:
        """Show that an item can always be fetched."""
        if item in self.underway:
            return False
        self.underway.add(item)
        for pickup, zone in self.where.get(item, ()):
            self.meter.checkpoint()
            kept = len(self.chosen), len(self.doors), len(self.reached)
            if (yield self._reach(zone, None)):
                self.chosen[item] = pickup
                self.underway.discard(item)
                return True
            _cut(self.chosen, kept[0])
            _cut(self.doors, kept[1])
            _cut(self.reached, kept[2])
        self.underway.discard(item)
        return False


def _cut(found: dict[Any, Any], count: int) -> None:
    """Forget all but the first entries."""
    while len(found) > count:
        found.popitem()


def _run(attempt: Attempt) -> bool:
    """Return what an attempt comes to. What it rests on is kept in a list: it may go deeper than calls can."""
    waiting, shown = [attempt], None
    while waiting:
        try:
            waiting.append(waiting[-1].send(shown))  # type: ignore[arg-type]  # None to begin with
            shown = None
        except StopIteration as ended:
            waiting.pop()
            shown = ended.value
    return bool(shown)


class _Ledger:
    """Work out what can be in hand at least, resource by resource."""

    def __init__(self, ground: Ground, tree: Tree, lying: dict[int, list[int]], meter: Meter) -> None:
        self.ground, self.meter = ground, meter
        self.places = {zone: number for number, zone in enumerate(z for z in tree.order if tree.merged[z] == z)}
        """Zones that are entered through a door, and the root, numbered so that each comes after its parent."""
        self.parents = [0 if zone == tree.root else self.places[tree.merged[tree.parent[zone]]] for zone in self.places]
        self.weights: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        """For each resource and zone what is gained by being there: what lies there, less what its door took, and less
        what gates can waste that lead nowhere new."""
        dungeon = ground.dungeon
        for zone, numbers in lying.items():
            for pickup in (dungeon.pickups[number] for number in numbers):
                if pickup.kind in ("key", "bombs"):
                    gained = pickup.count or dungeon.rules.bombs_per_pickup
                    self.weights[resource_of(pickup.kind, pickup.name)][self.places[zone]] += gained
        for zone, place in self.places.items():
            taken_by = tree.door[zone].spends if zone != tree.root else None
            if taken_by is not None:
                self.weights[self._resource(taken_by)][place] -= 1
        for zone, gates in tree.wasted.items():
            for gate in gates if zone in tree.merged else ():
                self.weights[self._resource(gate)][self.places[tree.merged[zone]]] -= 1
        self._known: dict[str, tuple[list[int], list[int]]] = {}

    def least(self, gate: int, before: int, behind: int | None) -> int:
        """Return the least that can be in hand of what a gate takes, for a player who stands before it.

        `behind` is the zone it leads into; None for a gate that leads onto a goal.
        """
        below, within = self._weigh(self._resource(gate))
        return within[self.places[before]] - (0 if behind is None else min(0, below[self.places[behind]]))

    def _weigh(self, resource: str) -> tuple[list[int], list[int]]:
        """Return what entering each zone, and all that is worth it behind it, adds at least; and what is then in hand.

        Each branch off the way to a zone counts if it makes that smaller.
        """
        if resource not in self._known:
            if len(self._known) * len(self.parents) > MAX_KEPT:
                self._known.clear()
            self.meter.checkpoint()
            weights = self.weights[resource]
            below = [weights.get(place, 0) for place in range(len(self.parents))]
            for place in range(len(below) - 1, 0, -1):
                if below[place] < 0:
                    below[self.parents[place]] += below[place]
            within = [self._carried(resource) + below[0]]
            for place in range(1, len(below)):
                within.append(within[self.parents[place]] + max(0, below[place]))
            self._known[resource] = below, within
        return self._known[resource]

    def _resource(self, gate: int) -> str:
        found = self.ground.dungeon.gates[gate]
        return resource_of(found.kind, found.needs[0] if found.needs else "")

    def _carried(self, resource: str) -> int:
        rules = self.ground.dungeon.rules
        if resource == BOMBS:
            return rules.bombs or 0
        return dict(rules.keys).get(resource.removeprefix("key").strip(), 0)
