"""From what a logic file says to a dungeon of places, ways, gates and pickups. The package says what becomes what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import Struct

from solvent.core.errors import ParseError
from solvent.dungeon.model import FLOOR, AllOf, Dungeon, Floor, Gate, Have, Pickup, Place, Requirement, Rules, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.notation.randomizer.logic import Barrier, Holding, Location, Logic
from solvent.dungeon.notation.randomizer.names import MAX_SHOWN, PlainNames, plain_name
from solvent.dungeon.notation.randomizer.resolving import Items, Resolver, colliding_keys, counted_by
from solvent.dungeon.notation.ruling import hint_at, parse_rules

MAX_ITEMS_OF_GATE = 50
"""How many items a gate of the kind `item` may need."""
RETURNING = Rules(home="always")
"""The rules of logic files, where they say nothing else."""


ASK_FOR_NOTHING = "rules ask for what lies nowhere"


class BuiltLogic(Struct, frozen=True):
    """Hold a dungeon, and where in it the things of the file are."""

    dungeon: Dungeon
    locations: Mapping[str, Location]
    places: Mapping[str, Place]
    """Where each location is."""
    reaching: frozenset[str]
    """Items that stand for having been somewhere."""

    def with_remarks(self, first: Sequence[str]) -> Dungeon:
        """Return the dungeon with more remarks: before the others, but after what lies nowhere and may explain them."""
        remarks = list(self.dungeon.remarks)
        is_after = any(remark.startswith(ASK_FOR_NOTHING) for remark in remarks[:1])
        remarks[1 if is_after else 0 : 0] = first
        return replace(self.dungeon, remarks=tuple(remarks))


def build_dungeon(logic: Logic) -> BuiltLogic:
    """Return the dungeon of a logic file, or raise ParseError."""
    rules = parse_rules(logic.settings, RETURNING)
    builder = _Builder(logic, Items(logic), can_return=rules.home == "always")
    return builder.build(rules)


class _Builder:
    """Gather the parts of one dungeon."""

    def __init__(self, logic: Logic, items: Items, *, can_return: bool) -> None:
        alike = colliding_keys(items.consumed)
        if alike is not None:
            raise ParseError(f"keys that can be told apart, but {alike[0]!r} and {alike[1]!r} are the same colour")
        self.logic = logic
        self.items = items
        self.can_return = can_return
        self.resolver = Resolver(logic, items, can_return=can_return)
        self.names = PlainNames("regions")
        self.names.add_all(logic.regions)
        self.location_names = PlainNames("locations", beside=self.names)
        self.location_names.add_all(location.name for location in logic.locations)
        self.locations_of: dict[str, list[Location]] = {name: [] for name in logic.regions}
        for location in logic.locations:
            self.locations_of[location.region].append(location)
        self.floors: list[Floor] = []
        self.region_at: dict[str, Place] = {}
        self.location_at: dict[str, Place] = {}
        self.pickups: list[Pickup] = []
        self.gates: list[Gate] = []
        self.ways: list[Way] = []
        self.paths: dict[int, str] = {}
        """Where things stand in the file, by their identity."""
        self.loops = 0

    def build(self, rules: Rules) -> BuiltLogic:
        logic = self.logic
        self._lay_out()
        for entrance in logic.entrances:
            source, target = self.region_at[entrance.source], self.region_at[entrance.target]
            if source == target:
                self.loops += 1
                continue
            gate = self._gate(entrance.barrier, entrance.path, entrance.name)
            self._way(source, target, gate, entrance.kind, entrance.path)
            if entrance.two_way:
                self._way(target, source, gate, entrance.kind, entrance.path)
        for location in logic.locations:
            region, place = self.region_at[location.region], self.location_at[location.name]
            self._way(region, place, self._gate(location.barrier, location.path), "door", location.path)
            self._way(place, region, None, "door", location.path)
        goals = self._goals()
        goal_rule = self.resolver.resolve(logic.goal_rule)
        rules = self._hold_everything(rules)
        parts = DungeonParts(
            floors=self.floors,
            starts=[self.region_at[logic.start]],
            goals=goals,
            pickups=self.pickups,
            gates=self.gates,
            ways=self.ways,
            rules=rules,
            title=logic.title,
            goal_rule=goal_rule,
            played=logic.played,
            remarks=self._remarks(),
        )
        dungeon = assemble(parts, locate=self._locate, strict=False)
        by_name = {location.name: location for location in logic.locations}
        return BuiltLogic(dungeon, by_name, self.location_at, frozenset(self.resolver.reached.values()))

    def _locate(self, thing: object) -> Mapping[str, Any]:
        if thing == "played":
            return {"path": "$.moves"}
        if isinstance(thing, tuple):
            thing = self.floors[thing[0]]
        return {"path": self.paths.get(id(thing), "$")}

    # places, ways and gates

    def _lay_out(self) -> None:
        """Make a place of each region and of its locations, which follow it."""
        for region, locations in self.locations_of.items():
            path = self.logic.region_paths.get(region, "$")
            self.region_at[region] = self._place(self.names[region], path)
            for location in locations:
                name = self.location_names[location.name]
                self.location_at[location.name] = self._place(name, location.path)

    def _place(self, name: str, path: str) -> Place:
        self.floors.append(Floor(name, (FLOOR,)))
        self.paths[id(self.floors[-1])] = path
        return len(self.floors) - 1, 0, 0

    def _way(self, source: Place, target: Place, gate: int | None, kind: str, path: str) -> None:
        self.ways.append(Way(source, target, kind, gate))
        self.paths[id(self.ways[-1])] = path

    def _gate(self, barrier: Barrier, path: str, name: str = "") -> int | None:
        """Make the gate that bars a way, if any does, and return its number."""
        plain = plain_name(name) if name else ""
        rule = self.resolver.resolve(barrier.rule)
        if barrier.consumes:
            item = self.items.find(barrier.consumes, freely=True)
            self.items.note(item)
            gate = Gate("lock", (self.items.colour(item),), name=plain)
        elif rule is None:
            return None
        else:
            needs = () if barrier.as_rule else plain_needs(rule)
            gate = Gate("item", needs, name=plain) if needs else Gate("rule", name=plain, rule=rule)
        self.gates.append(gate)
        self.paths[id(gate)] = path
        return len(self.gates) - 1

    def _goals(self) -> list[Place]:
        goal = self.logic.goal
        if goal is None:
            return [self.region_at[name] for name in self.logic.goal_regions]
        place = self._place(self.names.invent(goal.name), "$.goal")
        gate = self._gate(Barrier(goal.rule), "$.goal")
        if goal.region or goal.location:
            sources = [self.region_at[goal.region] if goal.region else self.location_at[goal.location]]
        elif self.can_return:
            sources = [self.region_at[self.logic.start]]  # the player can always go back there
        else:
            sources = list(self.region_at.values())
        for source in sources:
            self._way(source, place, gate, "door", "$.goal")
        return [place]

    # what lies where

    def _hold_everything(self, rules: Rules) -> Rules:
        """Put everything where it lies; once all rules are resolved, since they invent items."""
        for region, holdings in self.logic.regions.items():
            self._hold(self.region_at[region], holdings)
        for location in self.logic.locations:
            self._hold(self.location_at[location.name], location.holdings)
        for (what, name), item in self.resolver.reached.items():
            self.pickups.append(Pickup((self.region_at if what == "region" else self.location_at)[name], "item", item))
        keys: dict[str, int] = {}
        carried: dict[str, int] = {}
        for name, count in self.logic.inventory.items():
            if name in self.items.consumed:
                keys[self.items.colour(name)] = count
                continue
            for item in (self.items.names[name], *counted_by(self.resolver.counters, name)):
                carried[item] = carried.get(item, 0) + count
        start = self.region_at[self.logic.start]
        # A rule of dungeons names what is carried once; the others lie where the player starts.
        self.pickups += [Pickup(start, "item", item, count - 1) for item, count in carried.items() if count > 1]
        return replace(rules, items=tuple(sorted(carried)), keys=tuple(sorted(keys.items())))

    def _hold(self, place: Place, holdings: Sequence[Holding]) -> None:
        for held in holdings:
            rule = self.resolver.resolve(held.rule)
            is_key = held.item in self.items.consumed
            if held.renews and not is_key:
                raise ParseError("only what is used up to be there again and again", held.item, path=held.path)
            name = self.items.colour(held.item) if is_key else self.items.names[held.item]
            kind = "key" if is_key else "item"
            self.pickups.append(Pickup(place, kind, name, held.count, rule, held.renews))
            self.paths[id(self.pickups[-1])] = held.path
            for item in counted_by(self.resolver.counters, held.item):
                self.pickups.append(Pickup(place, "item", item, held.count, rule))

    # what is said about it

    def _remarks(self) -> list[str]:
        remarks = []
        if self.items.nowhere:
            known = [name for name, count in self.items.total.items() if count]
            named = _listed([name + hint_at(name, known) for name in self.items.nowhere])
            remarks.append(f"{ASK_FOR_NOTHING}: {named}")
        if "home" not in self.logic.settings:
            remarks.append("the player can go back to the start at any time, as randomizers assume (home=always)")
        empty = sum(not location.holdings for location in self.logic.locations)
        if empty:
            remarks.append(f"locations where nothing lies: {empty:,}")
        if self.resolver.reached:
            named = _listed([name for _, name in self.resolver.reached])
            remarks.append(f"rules ask what can be reached; an item that lies there stands for it: {named}")
        for wanted, item in self.resolver.counters.items():
            remarks.append(f"the item {item!r} counts: {_listed(sorted(wanted))}")
        if self.loops:
            remarks.append(f"exits that lead back to their own region, left out: {self.loops:,}")
        remarks += self.logic.remarks
        spelt = self.names, self.location_names, self.items.names
        remarks += filter(None, (names.remark() for names in spelt))
        return remarks


def plain_needs(rule: Requirement) -> tuple[str, ...]:
    """Return the items of a rule that asks for single items and all of them; empty for other rules."""
    parts = rule.parts if isinstance(rule, AllOf) else (rule,)
    names = [part.name for part in parts if isinstance(part, Have) and part.what == "item" and part.count == 1]
    is_plain = len(names) == len(parts) and len(names) <= MAX_ITEMS_OF_GATE
    return tuple(sorted(set(names))) if is_plain else ()


def _listed(names: Sequence[str]) -> str:
    more = f", and {len(names) - MAX_SHOWN:,} more" if len(names) > MAX_SHOWN else ""
    return ", ".join(name[:90] for name in names[:MAX_SHOWN]) + more
