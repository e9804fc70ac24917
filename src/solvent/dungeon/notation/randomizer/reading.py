"""From the JSON of a logic file to what it says: regions, entrances, locations and the goal, each with its rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from solvent.core.errors import BadOption, ParseError
from solvent.dungeon.model import Dungeon
from solvent.dungeon.notation.assembling import MAX_THINGS, WAY_KINDS
from solvent.dungeon.notation.randomizer.building import build_dungeon
from solvent.dungeon.notation.randomizer.fields import FieldAccount
from solvent.dungeon.notation.randomizer.logic import Barrier, Condition, Entrance, Goal, Has, Holding, Location, Logic
from solvent.dungeon.notation.randomizer.playthrough import compare_playthrough, read_playthrough
from solvent.dungeon.notation.randomizer.rules import RuleReader, is_rule_tree, require_count
from solvent.dungeon.notation.randomizer.shapes import (
    ENTRANCE_ALIASES,
    FILE_ALIASES,
    FORMAT,
    GOAL_ALIASES,
    ITEM_ALIASES,
    LOCATION_ALIASES,
    REGION_ALIASES,
    VERSION,
    EntranceShape,
    FileShape,
    GoalShape,
    ItemShape,
    LocationShape,
    RegionShape,
)
from solvent.dungeon.notation.ruling import hint_at, parse_rules
from solvent.formats.typed_json import read_json

USUAL_STARTS = ("Menu", "Root")
"""Where a player starts if a file does not say: what tools call the region that all begins in."""


def parse_logic(text: str) -> Dungeon:
    """Read a logic file, or raise ParseError; a playthrough in it is compared, and remarks say how it differs."""
    logic, spheres = read_logic(text)
    built = build_dungeon(logic)
    return built.with_remarks(compare_playthrough(built, spheres) if spheres is not None else [])


def read_logic(text: str) -> tuple[Logic, Sequence[Mapping[str, str]] | None]:
    """Return what a file says, and the spheres of its playthrough if it has one."""
    data = read_json(text, dict[str, Any], "a logic file")
    _require_single_keys(text)
    reader = _Reader(data)
    logic = reader.logic()
    if reader.file.playthrough is None:
        return logic, None
    return logic, read_playthrough(reader.file.playthrough, "$.playthrough")


def _require_single_keys(text: str) -> None:
    """Require that no object has a key twice: readers of JSON would drop the first without a word."""

    def check(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) > 1:
            twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
            if twice:
                raise ParseError("each key of an object once", twice[0])

    try:
        json.loads(text.removeprefix("\ufeff"), object_pairs_hook=check)
    except RecursionError:
        raise ParseError("a logic file as JSON, but it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise ParseError(f"a logic file as JSON ({error.msg})", line=error.lineno, column=error.colno) from None


class _Reader:
    """Read the parts of one file."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.account = FieldAccount()
        self.file = self.account.read(data, FileShape, "$", "a logic file", FILE_ALIASES)
        self.has_goal = self.file.goal is not UNSET
        if self.file.format != FORMAT:
            raise ParseError(f"the format {FORMAT!r}", self.file.format, path="$.format")
        if self.file.version != VERSION:
            raise ParseError(f"version {VERSION} of the format", self.file.version, path="$.version")
        many = self.file.players
        if many is not None and (many if isinstance(many, int) else len(many)) != 1:
            raise ParseError("one player alone: seeds of several are not understood", many, path="$.players")
        self.rules = RuleReader(self.file.item_groups)
        self.regions: dict[str, list[Holding]] = {}
        self.region_paths: dict[str, str] = {}
        self.entrances: list[Entrance] = []
        self.locations: dict[str, Location] = {}
        self.title = self.file.title or str(data.get("game") or "")

    def logic(self) -> Logic:
        for name, value, path in self._named(self.file.regions, "$.regions", "a region"):
            self._region(name, value, path)
        for number, value in enumerate(self.file.entrances):
            self._entrance(None, value, f"$.entrances[{number}]")
        for name, value, path in self._named(self.file.locations, "$.locations", "a location"):
            self._top_location(name, value, path)
        self._place_items()
        self._require_ends()
        return Logic(
            regions=self.regions,
            entrances=self.entrances,
            locations=list(self.locations.values()),
            start=self._start(),
            inventory=self._inventory(),
            goal=self._goal(),
            goal_regions=self._goal_regions(),
            goal_rule=self.rules.read(self.file.goal_rule, "$.goal_rule"),
            keys=[_require_item(name, "$.keys") for name in self.file.keys],
            settings=self._settings(),
            title=self.title,
            played=self.file.moves,
            remarks=self.account.remarks(),
            region_paths=self.region_paths,
        )

    # lists and maps of things

    def _named(self, value: dict[str, Any] | list[Any], path: str, what: str) -> Iterator[tuple[str | None, Any, str]]:
        """Yield the things of a map or a list: the name in a map, the thing, and where it stands."""
        if len(value) > MAX_THINGS:
            raise ParseError(f"at most {MAX_THINGS:,} of {what.removeprefix('a ')}s", len(value), path=path)
        if isinstance(value, dict):
            for name, one in value.items():
                if not name:
                    raise ParseError(f"the name of {what}", name, path=path)
                yield name, one, f"{path}.{name}"
        else:
            for number, one in enumerate(value):
                yield None, one, f"{path}[{number}]"

    def _region(self, name: str | None, value: Any, path: str) -> None:
        shape = self.account.read({} if value is None else value, RegionShape, path, "a region", REGION_ALIASES)
        name = _the_name(name, shape.name, path, "a region")
        if name in self.regions:
            raise ParseError("one region of a name, but there is another", name, path=path)
        self.regions[name] = self._items(shape.items, f"{path}.items")
        self.region_paths[name] = path
        for target, one, where in self._named(shape.exits, f"{path}.exits", "an exit"):
            self._entrance(name, one, where, target)
        for called, one, where in self._named(shape.locations, f"{path}.locations", "a location"):
            self._location(name, called, one, where)
        for called, one, where in self._named(shape.events, f"{path}.events", "an event"):
            self._location(name, called, one, where, is_event=True)

    # entrances

    def _entrance(self, source: str | None, value: Any, path: str, key: str | None = None) -> None:
        """Read an entrance. In a map, the key is the region it leads to, or its name if the value says where to."""
        if key is None and isinstance(value, str) and source is not None:
            key, value = value, None
        if key is not None and (not isinstance(value, dict) or is_rule_tree(value)):
            shape = EntranceShape(to=key, rule=value)
        else:
            shape = self.account.read(value, EntranceShape, path, "an entrance", ENTRANCE_ALIASES)
            if key is not None and shape.to is UNSET:
                shape.to = key
            elif key is not None and not shape.name:
                shape.name = key
        if shape.source is UNSET and source is not None:
            shape.source = source
        if shape.source is UNSET or shape.to is UNSET:
            missing = "from" if shape.source is UNSET else "to"
            raise ParseError(f"the key '{missing}', but it is missing", path=path)
        if source is not None and shape.source != source:
            raise ParseError(f"an exit of {source!r}, where it stands", shape.source, path=path)
        if shape.kind not in WAY_KINDS:
            raise ParseError(f"a way: {', '.join(WAY_KINDS)}", shape.kind, path=f"{path}.kind")
        barrier = self._barrier(shape, path)
        self.entrances.append(Entrance(shape.source, shape.to, path, barrier, shape.name, shape.two_way, shape.kind))

    def _barrier(self, shape: EntranceShape | LocationShape, path: str) -> Barrier:
        if shape.gate not in ("", "rule"):
            raise ParseError("the gate 'rule', or none named", shape.gate, path=f"{path}.gate")
        rule = self.rules.read(shape.rule, f"{path}.rule")
        if not shape.consumes:
            return Barrier(rule, as_rule=shape.gate == "rule")
        named = shape.consumes if isinstance(shape.consumes, str) else ""
        if rule is None and named:
            return Barrier(consumes=named)
        if not isinstance(rule, Has) or rule.count != 1 or named not in ("", rule.item):
            raise ParseError(
                "a rule that asks for one item and nothing else, since it is used up (for more, put a region between)",
                path=f"{path}.rule",
            )
        return Barrier(consumes=rule.item)

    # locations and what lies there

    def _location(self, region: str, key: str | None, value: Any, path: str, *, is_event: bool = False) -> None:
        if key is None and isinstance(value, str):
            key, value = value, None
        if key is not None and (not isinstance(value, dict) or is_rule_tree(value)):
            shape = LocationShape(rule=value)
        else:
            shape = self.account.read(value, LocationShape, path, "a location", LOCATION_ALIASES)
        name = _the_name(key, shape.name, path, "a location")
        if shape.region is not UNSET and shape.region != region:
            raise ParseError(f"a location of {region!r}, where it stands", shape.region, path=path)
        if name in self.locations:
            raise ParseError("one location of a name, but there is another", name, path=path)
        holdings = self._items(shape.items, f"{path}.items")
        if shape.item is not None:
            held = self._item(shape.item, f"{path}.item")
            count = require_count(shape.count, f"{path}.count", 1)
            holdings.append(held if count == 1 else Holding(held.item, held.path, held.count * count, held.rule))
        elif shape.count != 1:
            raise ParseError("an item for the count", shape.count, path=f"{path}.count")
        if is_event and not holdings:
            holdings.append(Holding(name, path))
        is_event = is_event or shape.event
        self.locations[name] = Location(name, region, path, holdings, self._barrier(shape, path), is_event)

    def _top_location(self, key: str | None, value: Any, path: str) -> None:
        if not isinstance(value, dict):
            advice = "; what lies at locations of regions stands under 'placements'" if isinstance(value, str) else ""
            raise ParseError(f"an object (a location with its region{advice})", value, path=path)
        region = next((value[word] for word in ("region", "parent_region") if word in value), None)
        if not isinstance(region, str):
            raise ParseError("the key 'region', with the name of a region", path=path)
        self._location(region, key, value, path)

    def _items(self, value: dict[str, int] | list[Any], path: str) -> list[Holding]:
        if isinstance(value, dict):
            counts = ((name, require_count(count, f"{path}.{name}", 1)) for name, count in value.items())
            return [Holding(_require_item(name, path), path, count) for name, count in counts]
        return [self._item(one, f"{path}[{number}]") for number, one in enumerate(value)]

    def _item(self, value: Any, path: str) -> Holding:
        if isinstance(value, str):
            return Holding(_require_item(value, path), path)
        shape = self.account.read(value, ItemShape, path, "an item", ITEM_ALIASES)
        count = require_count(shape.count, f"{path}.count", 1)
        rule = self.rules.read(shape.rule, f"{path}.rule")
        return Holding(_require_item(shape.item, path), path, count, rule, shape.renews)

    def _place_items(self) -> None:
        """Put the items of `placements` to their locations."""
        for name, value in self.file.placements.items():
            path = f"$.placements.{name}"
            location = self.locations.get(name)
            if location is None:
                raise self._no_location(name, "$.placements")
            if value is None:
                continue
            held = self._item(value, path)
            there = [one.item for one in location.holdings]
            if there and there != [held.item]:
                raise ParseError(f"{there[0]!r}, which lies at {name!r} already", held.item, path=path)
            if not there:
                self.locations[name] = Location(
                    name, location.region, location.path, [held], location.barrier, location.event
                )

    def _require_ends(self) -> None:
        for entrance in self.entrances:
            for end in (entrance.source, entrance.target):
                if end not in self.regions:
                    raise self._no_region(end, entrance.path)
        for location in self.locations.values():
            if location.region not in self.regions:
                raise self._no_region(location.region, location.path)

    def _no_region(self, name: str, path: str) -> ParseError:
        return ParseError(f"an existing region{hint_at(name, self.regions)}", name, path=path)

    def _no_location(self, name: str, path: str) -> ParseError:
        return ParseError(f"an existing location{hint_at(name, self.locations)}", name, path=path)

    # the rest

    def _start(self) -> str:
        named = self.file.start
        if named is None:
            named = next((name for name in USUAL_STARTS if name in self.regions), None)
        if named is None:
            raise ParseError("the key 'start', with the region that the player starts in", path="$")
        if named not in self.regions:
            raise self._no_region(named, "$.start")
        return named

    def _inventory(self) -> dict[str, int]:
        carried = self.file.start_inventory
        path = "$.start_inventory"
        if isinstance(carried, list):
            return dict(Counter(_require_item(name, path) for name in carried))
        return {
            _require_item(name, path): count
            for name, count in carried.items()
            if require_count(count, f"{path}.{name}")
        }

    def _goal(self) -> Goal | None:
        value = self.file.goal
        if not self.has_goal:
            if not self.file.goals:
                raise ParseError("the key 'goal', with the rule of winning, but it is missing", path="$")
            return None
        if self.file.goals:
            raise ParseError("either 'goal' or 'goals'", path="$")
        if not isinstance(value, dict) or is_rule_tree(value):
            return Goal(self._goal_condition(value, "$.goal"))
        shape = self.account.read(value, GoalShape, "$.goal", "a goal", GOAL_ALIASES)
        if shape.region is not None and shape.location is not None:
            raise ParseError("either a region or a location of the goal", path="$.goal")
        if shape.region is not None and shape.region not in self.regions:
            raise self._no_region(shape.region, "$.goal.region")
        if shape.location is not None and shape.location not in self.locations:
            raise self._no_location(shape.location, "$.goal.location")
        rule = self.rules.read(shape.rule, "$.goal.rule")
        return Goal(rule, shape.region or "", shape.location or "", shape.name)

    def _goal_condition(self, value: Any, path: str) -> Condition | None:
        if value is None:
            raise ParseError("the rule of winning", value, path=path)
        return self.rules.read(value, path)

    def _goal_regions(self) -> list[str]:
        for number, name in enumerate(self.file.goals):
            if name not in self.regions:
                raise self._no_region(name, f"$.goals[{number}]")
        return self.file.goals

    def _settings(self) -> Mapping[str, Any]:
        for name in ("items", "keys"):
            if name in self.file.rules:
                raise ParseError("what is carried at the start under 'start_inventory'", name, path="$.rules")
        try:
            parse_rules(self.file.rules)
        except BadOption as error:
            raise ParseError(f"rules of dungeons ({error})", path="$.rules") from None
        return self.file.rules


def _the_name(key: str | None, named: Any, path: str, what: str) -> str:
    """Return the name of a thing: its key in a map, or else what it says itself; both may be the same."""
    if named is UNSET or (key is not None and named == ""):
        named = key
    if not named:
        raise ParseError(f"the name of {what}, but it is missing", path=path)
    if key is not None and named != key:
        raise ParseError(f"the name {key!r}, under which {what} stands", named, path=f"{path}.name")
    return str(named)


def _require_item(name: str, path: str) -> str:
    if not name:
        raise ParseError("the name of an item", name, path=path)
    return name
