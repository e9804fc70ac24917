"""Look through requirements: all that a dungeon has, and what each of them asks about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from solvent.dungeon.model import AllOf, AnyOf, Cleared, Dungeon, Have, Not, Requirement, SwitchAt

Leaf: TypeAlias = "Have | SwitchAt | Cleared"
"""A requirement without parts."""


def requirements_of(dungeon: Dungeon) -> Iterator[Requirement]:
    """Yield every requirement of a dungeon: of gates, pickups, levers and the goal."""
    rules = [thing.rule for things in (dungeon.gates, dungeon.pickups, dungeon.switches) for thing in things]
    yield from (rule for rule in (*rules, dungeon.goal_rule) if rule is not None)


def leaves_of(rule: Requirement | None, *, wanted: bool = True) -> Iterator[tuple[Leaf, bool]]:
    """Yield all that a requirement asks about, and whether it asks for that, or for the opposite."""
    match rule:
        case Have() | SwitchAt() | Cleared():
            yield rule, wanted
        case Not(part):
            yield from leaves_of(part, wanted=not wanted)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from leaves_of(part, wanted=wanted)


def goes_beyond_locks(dungeon: Dungeon) -> bool:
    """Tell whether more is in play than locks, plates, doors and blocks that are pushed once.

    That is requirements, levers, dials, held plates, things that come back, blocks that move on or go back, and
    returning to the start.
    """
    rules = dungeon.rules
    return (
        next(requirements_of(dungeon), None) is not None
        or any(switch.kind != "plate" or switch.sets for switch in dungeon.switches)
        or bool(dungeon.dials)
        or any(pickup.renews for pickup in dungeon.pickups)
        or (bool(dungeon.blocks) and (rules.push == "on" or rules.blocks == "reset"))
        or rules.home == "always"
    )
