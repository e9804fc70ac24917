"""Look for ways on which nothing can run short: to a goal, and to the items that way needs.

See `surplus` for why this shows that no player can lose, and `zone_graph` and `balance` for what a player may have in
hand at each door.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.solver.balance import Balance, Forest
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import BOMBS, resource_of
from solvent.dungeon.solver.zone_graph import Door, ZoneGraph, find_implications

MAX_KEPT = 2_000_000
"""How many numbers to keep of resources that were worked out before."""


class Step(Struct, frozen=True):
    """Hold a door on the way into a zone, and what lies behind it on that way."""

    near: int
    door: Door
    beyond: tuple[int, ...]
    """The zones that follow, up to the one the way leads into."""


class Shown(Struct, frozen=True):
    """Hold what shows that no player is ever stuck."""

    items: list[tuple[str, int]]
    """Each with the pickup to fetch, in an order that works."""
    least: dict[int, int]
    """For each gate on the way, so much is always in hand before it."""
    detours: list[list[int]]
    """The zones on ways that do not lead straight into a zone."""


class _Target(Struct, eq=False):
    """Hold a zone that is to be reached, for an item or the goal."""

    pending: list[int]
    """Zones on the way to it that are not shown to be reached yet, the next one last."""
    zone: int
    item: str | None = None
    pickup: int = -1


class Proof:
    """Find ways, and keep what was found for other goals."""

    def __init__(self, ground: Ground, graph: ZoneGraph, lying: dict[int, list[int]], meter: Meter) -> None:
        """Begin; `lying` has the pickups in each zone."""
        self.graph, self.meter, self.dungeon = graph, meter, ground.dungeon
        self.implications = find_implications(graph, meter)
        self.ledger = _Ledger(ground, self.implications.of_gate)
        self.forest = Forest(self.implications, meter)
        self.where: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """For each item the pickups of it, and the zones they lie in."""
        for zone, pickups in meter.each(lying.items()):
            for number in pickups:
                pickup = self.dungeon.pickups[number]
                if pickup.kind == "item" and pickup.name in ground.layout.items:
                    self.where[pickup.name].append((number, zone))
                elif pickup.kind in ("key", "bombs"):
                    gained = pickup.count or self.dungeon.rules.bombs_per_pickup
                    self.ledger.gains[resource_of(pickup.kind, pickup.name)].append((zone, gained))
        self.into: list[list[int]] = [[] for _ in meter.each(range(graph.count))]
        for here, there in meter.each(graph.doors):
            if here != there:
                self.into[there].append(here)
        self.entered: dict[int, list[Step]] = {0: []}
        """For each zone shown to be reached, the way into it from the last zone that cannot be avoided."""
        self.held: dict[str, tuple[int, int]] = {}
        """Items shown to be fetched, in order, with the pickup and the zone it lies in."""
        self._balances: dict[str, Balance] = {}

    def prove(self, zone: int, entry: Door) -> Shown | None:
        """Return what shows that a zone can always be reached, and a door onto a goal passed; or None."""
        if self._lacks(entry, zone, ()):
            return None
        goal = _Target(self._way_to(zone), zone)
        waiting = deque([goal])
        wanted_by: dict[str, list[_Target]] = defaultdict(list)
        while waiting:
            self.meter.checkpoint()
            target = waiting.pop()
            wanted = self._advance(target)
            if target is goal and not target.pending:
                wanted |= entry.items - self.held.keys()
                if not wanted:
                    return self._sum_up(zone, entry)
            elif target.item is not None and not target.pending and target.item not in self.held:
                self.held[target.item] = target.pickup, target.zone
                waiting += wanted_by.pop(target.item, ())
            for item in sorted(wanted):
                if item not in wanted_by:
                    found = self.where.get(item, ())
                    waiting += (_Target(self._way_to(place), place, item, pickup) for pickup, place in reversed(found))
                wanted_by[item].append(target)
        return None

    def _way_to(self, zone: int) -> list[int]:
        """Return the zones that every way to a zone leads through, itself first, as far as they are not shown yet."""
        way = []
        while zone not in self.entered:
            way.append(zone)
            zone = self.implications.above[zone]
        return way

    def _advance(self, target: _Target) -> set[str]:
        """Show what can be shown of a way; returns items that may help where it ends, none if nothing does."""
        while target.pending:
            zone = target.pending[-1]
            if zone not in self.entered:
                wanted = self._enter(zone)
                if zone not in self.entered:
                    return wanted
            target.pending.pop()
        return set()

    def _enter(self, zone: int) -> set[str]:
        """Look for a way into a zone from the last one that cannot be avoided, backwards from the zone.

        Then what lies behind a door on the way is known when it is looked at: it is not reached yet.
        """
        start = self.implications.above[zone]
        wanted: set[str] = set()
        after: dict[int, tuple[Step, int]] = {}
        waiting = deque([zone])
        while waiting and start not in after:
            self.meter.checkpoint()
            here = waiting.popleft()
            beyond = (here, *(step.beyond if (step := after.get(here, (None, 0))[0]) else ()))
            for source in sorted(self.into[here], key=lambda other: (other != start, other)):
                if source == zone or source in after or source in beyond:
                    continue
                door, missing = self._choose(source, here, beyond)
                wanted |= missing
                if door is not None:
                    after[source] = Step(source, door, beyond), here
                    waiting.append(source)
                    if source == start:
                        break
        if start in after:
            steps, here = [], start
            while here != zone:
                step, here = after[here]
                steps.append(step)
            self.entered[zone] = steps
        return wanted

    def _choose(self, here: int, there: int, beyond: tuple[int, ...]) -> tuple[Door | None, set[str]]:
        """Return a door that can always be passed, if there is one; or else items that may help."""
        missing: set[str] = set()
        for door in sorted(self.graph.doors[here, there], key=lambda one: one.order):
            lacking = door.items - self.held.keys()
            if not self._lacks(door, here, beyond):
                if not lacking:
                    return door, set()
                missing |= lacking
        return None, missing

    def _lacks(self, door: Door, near: int, beyond: tuple[int, ...]) -> bool:
        """Tell whether what a door takes may be missing before it, while nothing beyond it is reached."""
        if len(door.gates) > 1:
            return True
        return any(self._least(gate, near, beyond) < 1 for gate in door.gates)

    def _least(self, gate: int, near: int, beyond: Iterable[int]) -> int:
        groups = self.implications
        shut = {groups.of_zone[zone] for zone in beyond}
        if gate in groups.of_gate:
            shut.add(groups.of_gate[gate])
        resource = self.ledger.resource(gate)
        if resource not in self._balances:
            if len(self._balances) * len(groups.implied) > MAX_KEPT:
                self._balances.clear()
            weights = [0] * len(groups.implied)
            for zone, gained in self.ledger.gains[resource]:
                weights[groups.of_zone[zone]] += gained
            for other in self.ledger.takers[resource]:
                weights[groups.of_gate[other]] -= 1
            self._balances[resource] = Balance(groups, self.forest, weights, self.meter)
        found = self._balances[resource].least(groups.of_zone[near], shut)
        # Where it cannot be that it is shut, there is no need of anything.
        return 1 if found is None else self.ledger.carried(resource) + found

    def _sum_up(self, zone: int, entry: Door) -> Shown | None:
        """Leave out what was found in vain."""
        zones: set[int] = {0}
        needed = set(entry.items) | self._items_to(zone, zones)
        kept: list[tuple[str, int]] = []
        for item, (pickup, place) in self.meter.each(reversed(self.held.items())):
            if item in needed:
                kept.append((item, pickup))
                needed |= self._items_to(place, zones)
        steps = [step for place in sorted(zones) for step in self.entered[place]]
        least: dict[int, int] = {}
        for step in self.meter.each([*steps, Step(zone, entry, ())], every=20):
            for gate in step.door.gates:
                found = self._least(gate, step.near, step.beyond)
                least[gate] = min(found, least.get(gate, found))
        for step in self.meter.each(steps):
            # Of doors between the same zones a reader takes the first that is listed.
            doors = self.graph.doors[step.near, step.beyond[0]]
            listed = (door for door in doors if door.items <= needed and least.keys() >= set(door.gates))
            if min(listed, key=lambda door: door.order) != step.door:
                return None
        ways = [self.entered[place] for place in sorted(zones)]
        return Shown(kept[::-1], least, [list(way[0].beyond) for way in ways if len(way) > 1])

    def _items_to(self, zone: int, walked: set[int]) -> set[str]:
        """Return the items needed on the way to a zone, as far as it was not walked before."""
        needed: set[str] = set()
        while zone not in walked:
            walked.add(zone)
            for step in self.entered[zone]:
                needed |= step.door.items
            zone = self.implications.above[zone]
        return needed


class _Ledger:
    """Know what gates take and where it lies."""

    def __init__(self, ground: Ground, gates: Iterable[int]) -> None:
        self.dungeon = ground.dungeon
        self.gains: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """For each resource, zones and how much lies there."""
        self.takers: dict[str, list[int]] = defaultdict(list)
        """For each resource the gates that take it, those aside that only lead onto goals."""
        for gate in gates:
            self.takers[self.resource(gate)].append(gate)

    def resource(self, gate: int) -> str:
        """Return what a gate takes."""
        found = self.dungeon.gates[gate]
        return resource_of(found.kind, found.needs[0] if found.needs else "")

    def carried(self, resource: str) -> int:
        """Return how much is carried from the beginning."""
        rules = self.dungeon.rules
        if resource == BOMBS:
            return rules.bombs or 0
        return dict(rules.keys).get(resource.removeprefix("key").strip(), 0)
