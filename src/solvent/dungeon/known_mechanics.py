"""Name what a dungeon has beyond the mechanics that arguments about easier dungeons were made for.

An argument such as "having more never bars a way" holds for the mechanics it was made for. A list of those that are
fine stays right when a new one is added: what is not on it counts as unknown, and the argument is not used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields

from solvent.dungeon.model import Block, Dungeon, Floor, Gate, Pickup, Room, Rules, Switch, Way

_FIELDS: dict[type, tuple[str, ...]] = {
    Dungeon: (
        *("floors", "start", "goals", "pickups", "gates", "switches", "blocks", "ways", "rooms", "rules"),
        *("title", "played", "remarks"),
    ),
    Floor: ("name", "terrain"),
    Pickup: ("place", "kind", "name", "count"),
    Gate: ("kind", "needs", "cells", "open_at_first", "name"),
    Switch: ("place", "name"),
    Block: ("place",),
    Way: ("source", "target", "kind", "gate"),
    Room: ("name", "corner", "height", "width", "labels"),
    Rules: (
        *("keys", "bombs", "items", "bombs_per_pickup", "keys_counted"),
        *("water", "crossing", "soft", "push", "player"),
    ),
}
_GATES = frozenset(("lock", "cracked", "item", "barrier", "soft"))
_PICKUPS = frozenset(("key", "bombs", "item", "monster"))
_RULES = {"crossing": ("any", "one"), "soft": ("open", "clear", "shut"), "push": ("once", "never")}


def unknown_mechanics(dungeon: Dungeon) -> list[str]:
    """Return the names of fields, kinds and rules in use that these arguments do not speak of; mostly none."""
    return sorted(set(_unknown(dungeon)))


def _unknown(dungeon: Dungeon) -> Iterator[str]:
    for things in (
        (dungeon, dungeon.rules),
        dungeon.floors,
        dungeon.pickups,
        dungeon.gates,
        dungeon.switches,
        dungeon.blocks,
        dungeon.ways,
        dungeon.rooms,
    ):
        for thing in things:
            yield from _unusual_fields(thing)
    yield from (gate.kind for gate in dungeon.gates if gate.kind not in _GATES)
    yield from (pickup.kind for pickup in dungeon.pickups if pickup.kind not in _PICKUPS)
    for name, values in _RULES.items():
        if getattr(dungeon.rules, name) not in values:
            yield f"{name}={getattr(dungeon.rules, name)}"


_NEW_FIELDS = {kind: [each for each in fields(kind) if each.name not in known] for kind, known in _FIELDS.items()}


def _unusual_fields(thing: object) -> Iterator[str]:
    """Yield the new fields of a thing that are not as they are where nothing is said."""
    for each in _NEW_FIELDS[type(thing)]:
        usual = each.default if each.default_factory is MISSING else each.default_factory()
        if getattr(thing, each.name) != usual:
            yield each.name
