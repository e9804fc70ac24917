"""What requirements ask for, all of them together: what has to be counted, and what is better left lying.

A thing is *delicate* if having it may make a requirement false, or if it belongs to a resource that renews: of such
things more is not always better, so taking one is a change like working a switch.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Have, Not, Requirement, SwitchAt
from solvent.dungeon.rules import renewing_resources, resource_of


class AskedFor(Struct):
    """Hold what the requirements of a dungeon ask for."""

    items: dict[str, int] = field(default_factory=dict)
    """By name, the largest number asked for."""
    resources: dict[str, int] = field(default_factory=dict)
    """Keys and bombs likewise, by `key COLOUR` or `bombs`."""
    rooms: set[str] = field(default_factory=set)
    """Rooms that are to be cleared."""
    unwanted_items: set[str] = field(default_factory=set)
    unwanted_resources: set[str] = field(default_factory=set)
    uncleared_rooms: set[str] = field(default_factory=set)
    """What some requirement asks not to have, or not to have done."""
    renewing: frozenset[str] = frozenset()
    """Resources that renew."""

    def is_delicate(self, kind: str, name: str) -> bool:
        """Tell whether having a pickup, other than a monster, may be worse than not having it."""
        if kind == "item":
            return name in self.unwanted_items
        resource = resource_of(kind, name)
        return resource in self.unwanted_resources or resource in self.renewing


def requirements_of(dungeon: Dungeon) -> Iterator[Requirement]:
    """Yield every requirement of a dungeon."""
    rules = [thing.rule for things in (dungeon.gates, dungeon.pickups, dungeon.switches) for thing in things]
    return (rule for rule in (*rules, dungeon.goal_rule) if rule is not None)


def asked_for(dungeon: Dungeon) -> AskedFor:
    """Look through all requirements."""
    asked = AskedFor(renewing=frozenset(renewing_resources(dungeon)))
    for rule in requirements_of(dungeon):
        _look_into(rule, wanted=True, asked=asked)
    return asked


def _look_into(rule: Requirement, *, wanted: bool, asked: AskedFor) -> None:
    match rule:
        case Have("item", name, count):
            asked.items[name] = max(count, asked.items.get(name, 0))
            if not wanted:
                asked.unwanted_items.add(name)
        case Have(what, name, count):
            resource = resource_of(what, name)
            asked.resources[resource] = max(count, asked.resources.get(resource, 0))
            if not wanted:
                asked.unwanted_resources.add(resource)
        case Cleared(room):
            asked.rooms.add(room)
            if not wanted:
                asked.uncleared_rooms.add(room)
        case Not(part):
            _look_into(part, wanted=not wanted, asked=asked)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                _look_into(part, wanted=wanted, asked=asked)
        case SwitchAt():
            pass
