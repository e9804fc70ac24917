"""What requirements ask for, all of them together: what has to be counted, and what is better left lying.

A thing is *delicate* if having it may make a requirement false, if it belongs to a resource that renews, or if it makes
something delicate appear, which is then taken without being asked: of such things more is not always better, so taking
one is a change like working a switch.
"""

from __future__ import annotations

from msgspec import Struct, field

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Have, Requirement, SwitchAt
from solvent.dungeon.requirements import goes_beyond_locks, leaves_of, requirements_of
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
    """What is delicate: items by name, resources that a requirement asks not to have, and monsters by their rooms."""
    renewing: frozenset[str] = frozenset()
    """Resources that renew."""
    pickups_vanish: bool = False
    """Whether something that lies about may be gone again before it is taken."""

    @property
    def only_grows(self) -> bool:
        """Tell whether what lies about waits to be taken, and what is in hand matters only where it is spent."""
        return not (self.pickups_vanish or self.resources or self.renewing)

    def is_delicate(self, kind: str, name: str) -> bool:
        """Tell whether having a pickup may be worse than not having it; of monsters, their rooms tell."""
        if kind == "item":
            return name in self.unwanted_items
        if kind == "monster":
            return False
        resource = resource_of(kind, name)
        return resource in self.unwanted_resources or resource in self.renewing

    def mark_delicate(self, rule: Requirement) -> None:
        """Count all as delicate that a requirement asks about: something delicate is there only while it holds."""
        _look_into(rule, wanted=True, asked=self)
        _look_into(rule, wanted=False, asked=self)


def asked_for(dungeon: Dungeon) -> AskedFor:
    """Look through all requirements."""
    asked = AskedFor(renewing=frozenset(renewing_resources(dungeon)))
    for rule in requirements_of(dungeon):
        _look_into(rule, wanted=True, asked=asked)
    asked.pickups_vanish = not all(pickup.rule is None or _grows(pickup.rule) for pickup in dungeon.pickups)
    return asked


def is_plain(dungeon: Dungeon) -> bool:
    """Tell whether a dungeon has none of what makes gates more than locks, and switches more than plates."""
    return not goes_beyond_locks(dungeon) and not dungeon.closed


def only_grows_at_home(dungeon: Dungeon) -> bool:
    """Tell whether nothing is ever used up, shut or worked, and a player can always go back to the start."""
    rules = dungeon.rules
    open_kinds = {"item", "rule"}
    open_kinds |= {"soft"} if rules.soft in ("open", "clear") else set()
    open_kinds |= {"lock"} if not rules.keys_counted else set()
    open_kinds |= {"cracked"} if rules.bombs is None else set()
    return (
        rules.home == "always"
        and dungeon.start not in dungeon.goals
        and dungeon.start not in dungeon.closed
        and not dungeon.switches
        and not (dungeon.blocks and rules.push != "never")
        and not any(pickup.renews for pickup in dungeon.pickups)
        and all(gate.kind in open_kinds and dungeon.start not in gate.cells for gate in dungeon.gates)
        and all(_grows(rule) for rule in requirements_of(dungeon))
    )


def _grows(rule: Requirement) -> bool:
    """Tell whether a requirement, once it holds, holds for good."""
    match rule:
        case Have("item", _, _) | Cleared():
            return True
        case AllOf(parts) | AnyOf(parts):
            return all(_grows(part) for part in parts)
    return False


def _look_into(rule: Requirement, *, wanted: bool, asked: AskedFor) -> None:
    """Note what a requirement asks for, and what it asks not to have."""
    for leaf, helps in leaves_of(rule, wanted=wanted):
        match leaf:
            case Have("item", name, count):
                asked.items[name] = max(count, asked.items.get(name, 0))
                if not helps:
                    asked.unwanted_items.add(name)
            case Have(what, name, count):
                resource = resource_of(what, name)
                asked.resources[resource] = max(count, asked.resources.get(resource, 0))
                if not helps:
                    asked.unwanted_resources.add(resource)
            case Cleared(room):
                asked.rooms.add(room)
                if not helps:
                    asked.uncleared_rooms.add(room)
            case SwitchAt():
                pass
