"""Look for ways on which nothing can run short: to a goal, and to the items that way needs.

See `surplus` for why this shows that no player can lose, and `zone_graph` and `balance` for what a player may have in
hand at each door.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.rules import BOMBS, resource_of
from solvent.dungeon.solver.attainable import Supplies
from solvent.dungeon.solver.balance import Balance, Forest, Inside, all_that_imply
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.zone_graph import Door, Implications, ZoneGraph

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

    fetched: list[int]
    """Pickups to fetch, in an order that works."""
    least: dict[int, int]
    """For each gate on the way, so much is always in hand before it."""
    detours: list[list[int]]
    """The zones on ways that do not lead straight into a zone."""


class Want(Struct, frozen=True, order=True):
    """Hold what may help where a way ends: an item, or more of a resource."""

    kind: str
    """`item` or `resource`."""
    name: str


class _Target(Struct, eq=False):
    """Hold a zone that is to be reached, for what lies there or for the goal."""

    pending: list[int]
    """Zones on the way to it that are not shown to be reached yet, the next one last."""
    zone: int
    want: Want | None = None
    pickup: int = -1
    gained: list[_Target] = []
    """What else of resources is there for sure once it is fetched."""


class Proof:
    """Find ways, and keep what was found for other goals."""

    def __init__(
        self, ground: Ground, graph: ZoneGraph, implications: Implications, lying: Lying, meter: Meter
    ) -> None:
        """Begin; `lying` has the pickups in each zone."""
        self.graph, self.meter, self.dungeon = graph, meter, ground.dungeon
        self.implications, self.lying = implications, lying
        self.forest = Forest(implications, meter)
        self.won = all_that_imply({implications.of_zone[zone] for zone in lying.last}, implications)
        """Groups with zones from which a goal can be entered at once: there nobody wants for anything."""
        self.into: list[list[int]] = [[] for _ in meter.each(range(graph.count))]
        for here, there in meter.each(graph.doors):
            if here != there:
                self.into[there].append(here)
        self.entered: dict[int, list[Step]] = {0: []}
        """For each zone shown to be reached, the way into it from the last zone that cannot be avoided."""
        self.held: set[str] = set()
        """Items shown to be fetched."""
        self.fetched: dict[int, _Target] = {}
        """All that is shown to be fetched, in order, by the pickup."""
        self.inside = Inside(self.implications)
        """What is reached once that is fetched."""
        self._balances: dict[str, Balance] = {}
        self._in_group: dict[int, list[_Target]] = defaultdict(list)
        """What lies in each group of resources."""
        for want, places in lying.where.items():
            for pickup, zone in places if want.kind == "resource" else ():
                self._in_group[implications.of_zone[zone]].append(_Target([], zone, want, pickup))

    def prove(self, zone: int, entry: Door) -> Shown | None:
        """Return what shows that a zone can always be reached, and a door onto a goal passed; or None."""
        goal = _Target(self._way_to(zone), zone)
        waiting = [goal]
        wanted_by: dict[Want, list[_Target]] = defaultdict(list)
        while waiting:
            self.meter.checkpoint()
            target = waiting.pop()
            if target.pickup in self.fetched:
                continue
            wanted = self._advance(target)
            if not target.pending and target is goal:
                wanted |= self._missing(entry, zone, ())
                if not wanted:
                    return self._sum_up(zone, entry)
            elif not target.pending and target.want is not None:
                for want in self._fetch(target):
                    waiting += wanted_by.get(want, ())
                    if want in wanted_by:
                        wanted_by[want] = []
            for want in sorted(wanted):
                if want not in wanted_by:
                    found = [pair for pair in self.lying.where.get(want, ()) if pair[0] not in self.fetched]
                    waiting += (_Target(self._way_to(place), place, want, pickup) for pickup, place in reversed(found))
                wanted_by[want].append(target)
        return None

    def _fetch(self, target: _Target) -> list[Want]:
        """Note that something is fetched; returns what there may be more of then."""
        assert target.want is not None
        groups = self.inside.add(self.implications.of_zone[target.zone])
        target.gained = [thing for group in sorted(groups) for thing in self._in_group.get(group, ())]
        gained = {thing.want for thing in target.gained if thing.want is not None}
        if target.want.kind == "item" and target.want.name not in self.held:
            self.held.add(target.want.name)
            gained.add(target.want)
        elif target.want.kind == "item":
            target.want = None  # another one is in hand already
        if groups or gained:
            self.fetched[target.pickup] = target
        return sorted(gained)

    def _way_to(self, zone: int) -> list[int]:
        """Return the zones that every way to a zone leads through, itself first, as far as they are not shown yet."""
        way = []
        while zone not in self.entered:
            way.append(zone)
            zone = self.implications.above[zone]
        return way

    def _advance(self, target: _Target) -> set[Want]:
        """Show what can be shown of a way; returns what may help where it ends, nothing if nothing does."""
        while target.pending:
            zone = target.pending[-1]
            if zone not in self.entered:
                wanted = self._enter(zone)
                if zone not in self.entered:
                    return wanted
            target.pending.pop()
        return set()

    def _enter(self, zone: int) -> set[Want]:
        """Look for a way into a zone from the last one that cannot be avoided, backwards from the zone.

        Then what lies behind a door on the way is known when it is looked at: it is not reached yet.
        """
        start = self.implications.above[zone]
        wanted: set[Want] = set()
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

    def _choose(self, here: int, there: int, beyond: tuple[int, ...]) -> tuple[Door | None, set[Want]]:
        """Return a door that can always be passed, if there is one; or else what may help."""
        wanted: set[Want] = set()
        for door in sorted(self.graph.doors[here, there], key=lambda one: one.order):
            missing = self._missing(door, here, beyond)
            if not missing and len(door.gates) < 2:
                return door, set()
            wanted |= missing
        return None, wanted

    def _missing(self, door: Door, near: int, beyond: tuple[int, ...]) -> set[Want]:
        """Return what a player may lack before a door, while nothing beyond it is reached."""
        missing = {Want("item", name) for name in door.items if name not in self.held}
        if len(door.gates) == 1 and self._least(self.inside, door.gates[0], near, beyond) < 1:
            missing.add(Want("resource", self.lying.supplies.resource[door.gates[0]]))
        return missing

    def _least(self, inside: Inside, gate: int, near: int, beyond: Collection[int]) -> int:
        groups = self.implications
        shut = {groups.of_zone[zone] for zone in beyond}
        if gate in groups.of_gate:
            shut.add(groups.of_gate[gate])
        resource = self.lying.supplies.resource[gate]
        if resource not in self._balances:
            if len(self._balances) * len(groups.implied) > MAX_KEPT:
                self._balances.clear()
            weights = [0] * len(groups.implied)
            for zone, stock in self.lying.supplies.stocks.items():
                weights[groups.of_zone[zone]] += stock.get(resource, 0)
            for other in self.lying.takers[resource]:
                if other in groups.of_gate:
                    weights[groups.of_gate[other]] -= 1
            self._balances[resource] = Balance(groups, self.forest, weights, self.won, self.meter)
        found = self._balances[resource].least(inside, groups.of_zone[near], shut)
        # Where it cannot be that it is shut, there is no need of anything.
        return 1 if found is None else self.lying.supplies.carried[resource] + found

    def _sum_up(self, zone: int, entry: Door) -> Shown | None:
        """Return what is needed of all that was found, or all of it if that is safer."""
        needed = self._replay(self._needed(zone, entry, all_resources=False), zone, entry)
        return needed or self._replay(self._needed(zone, entry, all_resources=True), zone, entry)

    def _needed(self, zone: int, entry: Door, *, all_resources: bool) -> list[_Target]:
        """Return what must be fetched: items that are asked for, and what gates take that may be short otherwise."""
        nothing = Inside(self.implications)
        walked: set[int] = {0}
        wanted: set[Want] = set()
        if all_resources:
            wanted |= {want for want in self.lying.where if want.kind == "resource"}

        def look_at(steps: Iterable[Step]) -> None:
            for step in self.meter.each(steps, every=20):
                wanted.update(Want("item", name) for name in step.door.items)
                for gate in step.door.gates:
                    want = Want("resource", self.lying.supplies.resource[gate])
                    if want not in wanted and self._least(nothing, gate, step.near, step.beyond) < 1:
                        wanted.add(want)

        look_at([*self._steps_to(zone, walked), Step(zone, entry, ())])
        kept: list[_Target] = []
        for target in self.meter.each(reversed(self.fetched.values()), every=20):
            chosen = [target] if target.want in wanted else [one for one in target.gained if one.want in wanted]
            kept += chosen
            for one in chosen:
                look_at(self._steps_to(one.zone, walked))
        return kept[::-1]

    def _replay(self, targets: list[_Target], zone: int, entry: Door) -> Shown | None:
        """Go the ways once more, as a reader does; returns None if that does not show it."""
        inside = Inside(self.implications)
        walked: set[int] = {0}
        least: dict[int, int] = {}
        held: set[str] = set()
        taken: list[Step] = []
        for target in self.meter.each([*targets, None], every=20):
            place = zone if target is None else target.zone
            steps = list(self._steps_to(place, walked))
            taken += steps
            for step in steps if target else [*steps, Step(zone, entry, ())]:
                if not held.issuperset(step.door.items):
                    return None
                for gate in step.door.gates:
                    found = self._least(inside, gate, step.near, step.beyond)
                    least[gate] = min(found, least.get(gate, found))
                    if found < 1:
                        return None
            if target is not None and target.want is not None:
                inside.add(self.implications.of_zone[place])
                held |= {target.want.name} if target.want.kind == "item" else set()
        for step in self.meter.each(taken):
            # Of doors between the same zones a reader takes the first that is listed.
            doors = self.graph.doors[step.near, step.beyond[0]]
            listed = (door for door in doors if door.items <= held and least.keys() >= set(door.gates))
            if min(listed, key=lambda door: (len(door.gates) > 1, door.order)) != step.door:
                return None
        ways = [self.entered[place] for place in sorted(walked)]
        detours = [list(way[0].beyond) for way in ways if len(way) > 1]
        return Shown([target.pickup for target in targets], least, detours)

    def _steps_to(self, zone: int, walked: set[int]) -> Iterator[Step]:
        """Yield the steps on the way to a zone, as far as it was not walked before."""
        while zone not in walked:
            walked.add(zone)
            yield from self.entered[zone]
            zone = self.implications.above[zone]


class Lying:
    """Know where things lie and what gates take."""

    def __init__(self, ground: Ground, pickups: dict[int, list[int]], last: set[int], meter: Meter) -> None:
        """Begin; `pickups` has the numbers of those in each zone, `last` zones from which a goal is entered freely."""
        self.last = last
        dungeon, layout = ground.dungeon, ground.layout
        self.takers = layout.spenders
        """For each resource the gates that take it."""
        self.where: dict[Want, list[tuple[int, int]]] = defaultdict(list)
        """For each thing the pickups of it, and the zones they lie in."""
        self.supplies = Supplies()
        for resource, gates in self.takers.items():
            self.supplies.resource.update(dict.fromkeys(gates, resource))
            self.supplies.carried[resource] = _carried(ground, resource)
        for zone, numbers in meter.each(pickups.items()):
            for number in numbers:
                pickup = dungeon.pickups[number]
                if pickup.kind == "item" and pickup.name in layout.items:
                    self.where[Want("item", pickup.name)].append((number, zone))
                    self.supplies.items[zone].add(pickup.name)
                elif number in layout.pickups:
                    resource = resource_of(pickup.kind, pickup.name)
                    self.where[Want("resource", resource)].append((number, zone))
                    self.supplies.stocks[zone][resource] += pickup.count or dungeon.rules.bombs_per_pickup


def _carried(ground: Ground, resource: str) -> int:
    rules = ground.dungeon.rules
    if resource == BOMBS:
        return rules.bombs or 0
    return dict(rules.keys).get(resource.removeprefix("key").strip(), 0)
