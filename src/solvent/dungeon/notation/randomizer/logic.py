"""What a logic file says, with its names as they stand there, before it becomes a dungeon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field


class Has(Struct, frozen=True):
    """Ask for an item in hand."""

    item: str
    count: int = 1
    spelt_freely: bool = False
    """Whether the name stood in a text, where capitals and signs such as brackets do not matter."""


class CanReach(Struct, frozen=True):
    """Ask whether a region, a location or an entrance can be reached."""

    what: str
    """`region`, `location` or `entrance`."""
    name: str
    path: str
    """Where the rule stands in the file."""


class HasOf(Struct, frozen=True):
    """Ask for so many of several items, together."""

    items: tuple[str, ...]
    count: int
    path: str
    is_unique: bool = False
    """Whether only different items count."""
    group: str = ""
    """What the file calls them; may be empty."""


class Without(Struct, frozen=True):
    """Ask for something not to hold."""

    part: Condition


class Every(Struct, frozen=True):
    """Ask for all of several things; of none, it always holds."""

    parts: tuple[Condition, ...] = ()


class Some(Struct, frozen=True):
    """Ask for any of several things; of none, it never holds."""

    parts: tuple[Condition, ...] = ()


Condition: TypeAlias = "Has | CanReach | HasOf | Without | Every | Some"
"""A rule as a file states it, with the file's names."""


def parts_of(condition: Condition | None) -> Iterator[Condition]:
    """Yield a condition and everything inside it, in the order of the file."""
    waiting = [] if condition is None else [condition]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Without):
            waiting.append(part.part)
        elif isinstance(part, Every | Some):
            waiting += reversed(part.parts)


class Holding(Struct, frozen=True):
    """Hold an item that lies somewhere."""

    item: str
    path: str
    count: int = 1
    rule: Condition | None = None
    renews: bool = False


class Barrier(Struct, frozen=True):
    """Hold what bars a way in: a rule, or an item that is used up."""

    rule: Condition | None = None
    consumes: str = ""
    """The item that is used up, once and for good."""
    as_rule: bool = False
    """Whether it is a gate of the kind `rule` even where one of the kind `item` would do."""


class Entrance(Struct, frozen=True):
    """Hold a way from one region to another."""

    source: str
    target: str
    path: str
    barrier: Barrier = Barrier()
    name: str = ""
    two_way: bool = False
    kind: str = "door"


class Location(Struct, frozen=True):
    """Hold a place in a region where something lies."""

    name: str
    region: str
    path: str
    holdings: Sequence[Holding] = ()
    barrier: Barrier = Barrier()
    event: bool = False
    """Whether it stands for something that happens, as beating a boss, and not for a find."""


class Goal(Struct, frozen=True):
    """Hold what winning takes."""

    rule: Condition | None = None
    region: str = ""
    """Where it can be done; empty for anywhere."""
    location: str = ""
    """The location where it can be done, instead of a region."""
    name: str = "Goal"


class Logic(Struct, frozen=True):
    """Hold all that a file says."""

    regions: Mapping[str, Sequence[Holding]]
    """What lies in each region itself, for a player who just comes there."""
    entrances: Sequence[Entrance]
    locations: Sequence[Location]
    start: str
    inventory: Mapping[str, int]
    goal: Goal | None
    goal_regions: Sequence[str] = ()
    """Regions that win as soon as they are entered, instead of a goal."""
    goal_rule: Condition | None = None
    keys: Sequence[str] = ()
    """Items that are keys, besides those that are used up somewhere."""
    settings: Mapping[str, str | int | bool] = field(default_factory=dict)
    """Rules of dungeons, as text."""
    title: str = ""
    played: Sequence[str] = ()
    remarks: Sequence[str] = ()
    region_paths: Mapping[str, str] = field(default_factory=dict)
    """Where each region stands in the file."""

    def holdings(self) -> Iterator[Holding]:
        """Yield everything that lies somewhere."""
        for held in self.regions.values():
            yield from held
        for location in self.locations:
            yield from location.holdings

    def barriers(self) -> Iterator[Barrier]:
        """Yield everything that bars a way."""
        yield from (entrance.barrier for entrance in self.entrances)
        yield from (location.barrier for location in self.locations)

    def consumed(self) -> set[str]:
        """Return the items that are used up, as rules call them."""
        return {barrier.consumes for barrier in self.barriers() if barrier.consumes} | set(self.keys)


def conditions_of(logic: Logic) -> Iterator[Condition]:
    """Yield every condition of a file."""
    goal = None if logic.goal is None else logic.goal.rule
    stated = [barrier.rule for barrier in logic.barriers()]
    stated += [held.rule for held in logic.holdings()]
    yield from (rule for rule in (*stated, goal, logic.goal_rule) if rule is not None)
