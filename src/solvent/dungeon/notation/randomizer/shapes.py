"""What the JSON of a logic file may hold, and the other names that its fields go by in exports of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field

FORMAT, VERSION = "solvent-logic", 1


class FileShape(Struct):
    """Describe the file."""

    regions: dict[str, Any] | list[Any]
    format: str = FORMAT
    version: int = VERSION
    title: str = ""
    player: int | str | None = None
    players: int | list[Any] | dict[str, Any] | None = None
    start: str | None = None
    start_inventory: dict[str, int] | list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    entrances: list[Any] = field(default_factory=list)
    locations: dict[str, Any] | list[Any] = field(default_factory=list)
    placements: dict[str, Any] = field(default_factory=dict)
    item_groups: dict[str, list[str]] = field(default_factory=dict)
    goal: Any = UNSET
    goals: list[str] = field(default_factory=list)
    goal_rule: Any = None
    rules: dict[str, str | int | bool] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    playthrough: dict[str, Any] | list[Any] | None = None


class RegionShape(Struct):
    """Describe a region."""

    name: str | UnsetType = UNSET
    exits: dict[str, Any] | list[Any] = field(default_factory=list)
    locations: dict[str, Any] | list[Any] = field(default_factory=list)
    events: dict[str, Any] | list[Any] = field(default_factory=list)
    items: dict[str, int] | list[Any] = field(default_factory=list)


class EntranceShape(Struct):
    """Describe an entrance, or an exit."""

    name: str = ""
    source: str | UnsetType = field(default=UNSET, name="from")
    to: str | UnsetType = UNSET
    rule: Any = None
    consumes: bool | str = False
    two_way: bool = False
    kind: str = "door"
    gate: str = ""
    player: int | str | None = None


class LocationShape(Struct):
    """Describe a location."""

    name: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    item: Any = None
    items: dict[str, int] | list[Any] = field(default_factory=list)
    count: int = 1
    rule: Any = None
    consumes: bool | str = False
    event: bool = False
    gate: str = ""
    player: int | str | None = None


class ItemShape(Struct):
    """Describe what lies somewhere."""

    item: str
    count: int = 1
    rule: Any = None
    renews: bool = False
    player: int | str | None = None


class GoalShape(Struct):
    """Describe what winning takes."""

    region: str | None = None
    location: str | None = None
    rule: Any = None
    name: str = "Goal"


_RULE = {"access_rule": "rule", "requires": "rule", "requirement": "rule", "logic": "rule"}
FILE_ALIASES: Mapping[str, str] = {
    "origin": "start",
    "origin_region": "start",
    "start_region": "start",
    "starting_items": "start_inventory",
    "precollected_items": "start_inventory",
    "groups": "item_groups",
    "completion": "goal",
    "completion_condition": "goal",
    ":playthrough": "playthrough",
    "spheres": "playthrough",
}
REGION_ALIASES: Mapping[str, str] = {"region_name": "name"}
ENTRANCE_ALIASES: Mapping[str, str] = {
    **_RULE,
    "parent_region": "from",
    "source": "from",
    "connected_region": "to",
    "target": "to",
    "bidirectional": "two_way",
}
LOCATION_ALIASES: Mapping[str, str] = {**_RULE, "parent_region": "region", "is_event": "event"}
ITEM_ALIASES: Mapping[str, str] = {**_RULE, "name": "item"}
GOAL_ALIASES: Mapping[str, str] = _RULE
