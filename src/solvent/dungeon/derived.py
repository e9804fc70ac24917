"""Derive dungeons from a dungeon, so that what is asked of a part of it becomes a question about a goal.

A *mark* is an item of a name that nothing else has, put right before a pickup: on the same tile, with the same rule. It
is taken exactly when the pickup is taken for the first time: the two rules are looked at in the same state, and nothing
but the question asks for marks. So a requirement can ask whether that very pickup was taken, also where others give the
same, and where it renews. Numbers of ways and switches stay as they are, so moves played before can be played again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from solvent.dungeon.model import (
    FLOOR,
    WATER,
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Floor,
    Gate,
    Have,
    Pickup,
    Place,
    Requirement,
    Way,
)
from solvent.dungeon.requirements import Leaf, leaves_of, requirements_of

LOCATIONS = ("key", "bombs", "item")
"""The kinds of pickups that are locations; monsters are not."""
GOAL = -1
"""Stands for the goal among the numbers of pickups."""


def with_marks(dungeon: Dungeon, numbers: Collection[int]) -> tuple[Dungeon, dict[int, Have]]:
    """Mark some pickups; return the dungeon, and for each of them what asks whether it was taken."""
    prefix = _unused_prefix(dungeon)
    pickups: list[Pickup] = []
    asks: dict[int, Have] = {}
    for number, pickup in enumerate(dungeon.pickups):
        if number in numbers:
            asks[number] = Have("item", f"{prefix}{number}")
            pickups.append(Pickup(pickup.place, "item", asks[number].name, rule=pickup.rule))
        pickups.append(pickup)
    return replace(dungeon, pickups=tuple(pickups)), asks


def _unused_prefix(dungeon: Dungeon) -> str:
    names = {pickup.name for pickup in dungeon.pickups} | {dungeon.rules.water, *dungeon.rules.items}
    names.update(name for gate in dungeon.gates for name in gate.needs)
    names.update(have.name for have in _haves(dungeon))
    prefix = "*"
    while any(name.startswith(prefix) for name in names):
        prefix += "*"
    return prefix


def _haves(dungeon: Dungeon) -> Iterator[Have]:
    """Yield everything that a requirement asks to have, or not to have."""
    leaves = (leaf for rule in requirements_of(dungeon) for leaf, _ in leaves_of(rule))
    return (leaf for leaf in leaves if isinstance(leaf, Have))


# everything in one play


def collected(dungeon: Dungeon) -> list[int]:
    """Return the numbers of the pickups that `collectable` is about."""
    wanted = dungeon.rules.collect
    return [
        number
        for number, pickup in enumerate(dungeon.pickups)
        if pickup.kind == "item" and (not wanted or pickup.name in wanted)
    ]


def goal_groups(dungeon: Dungeon, numbers: Iterable[int]) -> list[tuple[Place, ...]]:
    """Return the goals in groups: all with nothing of these on them together, each of the others alone."""
    places = {dungeon.pickups[number].place for number in numbers}
    bare = tuple(goal for goal in dungeon.goals if goal not in places)
    return [*([bare] if bare else []), *((goal,) for goal in dungeon.goals if goal in places)]


def after_all(dungeon: Dungeon, numbers: Sequence[int], goals: tuple[Place, ...]) -> Dungeon:
    """Return the dungeon in which the goal comes last: after all pickups of these names, but for those on the goal.

    The other goals are closed. A goal asks before it is stepped on, so what lies on it is not counted: what is always
    there is taken by the last move, and for what has a rule, the goal asks for it, as far as the move cannot change it.
    """
    names = sorted({dungeon.pickups[number].name for number in numbers})
    asked = []
    for name in names:
        counts = [p.count for p in dungeon.pickups if p.kind == "item" and p.name == name and p.place not in goals]
        total = sum(counts) + (name in dungeon.rules.items)
        if counts:
            asked.append(Have("item", name, total))
    return _to_goals(dungeon, goals, [*asked, *_rules_on_arrival(dungeon, numbers, goals)])


def after_each(dungeon: Dungeon, numbers: Collection[int], goals: tuple[Place, ...]) -> Dungeon:
    """Return the dungeon in which the goal comes last: after each of some pickups, but for those on the goal."""
    apart = [number for number in numbers if dungeon.pickups[number].place not in goals]
    marked, asks = with_marks(dungeon, apart)
    asked = [asks[number] for number in sorted(asks)]
    return _to_goals(marked, goals, [*asked, *_rules_on_arrival(dungeon, numbers, goals)])


def _to_goals(dungeon: Dungeon, goals: tuple[Place, ...], asked: Sequence[Requirement]) -> Dungeon:
    rule = () if dungeon.goal_rule is None else (dungeon.goal_rule,)
    closed = tuple(sorted({*dungeon.closed, *(goal for goal in dungeon.goals if goal not in goals)}))
    return replace(
        dungeon, goals=goals, closed=closed, goal_rule=AllOf((*rule, *asked)) if asked else dungeon.goal_rule
    )


# one thing alone


def locations(dungeon: Dungeon) -> list[int]:
    """Return the numbers of the pickups that `accessible` is about, by the rule `accessibility`."""
    wanted = dungeon.rules.accessibility
    if wanted == "minimal":
        return []
    if wanted == "full":
        return [number for number, pickup in enumerate(dungeon.pickups) if pickup.kind in LOCATIONS]
    asked = {name for gate in dungeon.gates if gate.kind == "item" for name in gate.needs}
    asked.update(have.name for have in _haves(dungeon) if have.what == "item")
    if any(WATER in row for floor in dungeon.floors for row in floor.terrain):
        asked.add(dungeon.rules.water)
    return [number for number, p in enumerate(dungeon.pickups) if p.kind == "item" and p.name in asked]


def to_any(dungeon: Dungeon, numbers: Collection[int]) -> Dungeon:
    """Return the dungeon in which the goal is a place of its own, reached from where any of some pickups was taken.

    The goals there were are closed: a play cannot go on past one. Pickups that lie on goals are not for this, but for
    `to_goal_tiles`. Those with a rule are marked, for it need not hold whenever the player stands there.
    """
    marked, asks = with_marks(dungeon, {n for n in numbers if dungeon.pickups[n].rule is not None})
    end = (len(dungeon.floors), 0, 0)
    gates, ways = list(dungeon.gates), list(dungeon.ways)
    open_places = {dungeon.pickups[number].place for number in numbers if number not in asks}
    ways += (Way(place, end, "passage") for place in sorted(open_places))
    for number in sorted(asks):
        place = dungeon.pickups[number].place
        if place not in open_places:
            ways.append(Way(place, end, "passage", len(gates)))
            gates.append(Gate("rule", rule=asks[number]))
    return replace(
        marked,
        floors=(*dungeon.floors, Floor("", (FLOOR,))),
        goals=(end,),
        goal_rule=None,
        closed=tuple(sorted({*dungeon.closed, *dungeon.goals})),
        gates=tuple(gates),
        ways=tuple(ways),
    )


def to_goal_tiles(dungeon: Dungeon, numbers: Collection[int]) -> Dungeon:
    """Return the dungeon with only those goals open that some pickups lie on: a play that takes one of them ends there.

    What lies on one goal alone is asked for by its rule, if all have one that the last move cannot change.
    """
    places = tuple(sorted({dungeon.pickups[number].place for number in numbers}))
    rules = [rule_on_arrival(dungeon, number) for number in sorted(numbers)]
    known = [rule for rule in rules if rule is not None]
    return _to_goals(dungeon, places, [AnyOf(tuple(known))] if len(places) == 1 and len(known) == len(rules) else ())


def rule_on_arrival(dungeon: Dungeon, number: int) -> Requirement | None:
    """Return the rule of a pickup if the move onto its tile cannot change whether it holds; None otherwise.

    Nothing on the tile may be what the rule asks about, nor may keys, bombs and plates that something has to stand on.
    """
    rule, place = dungeon.pickups[number].rule, dungeon.pickups[number].place
    here = [pickup for pickup in dungeon.pickups if pickup.place == place]

    def is_still(leaf: Leaf) -> bool:
        if isinstance(leaf, Have):
            return leaf.what == "item" and not any(p.kind == "item" and p.name == leaf.name for p in here)
        if isinstance(leaf, Cleared):
            return not any(pickup.kind == "monster" for pickup in here)
        switches = [switch for switch in dungeon.switches if switch.name == leaf.switch]
        return not any(s.kind == "held" or (s.kind == "plate" and s.place == place) for s in switches)

    return rule if all(is_still(leaf) for leaf, _ in leaves_of(rule)) else None


def _rules_on_arrival(dungeon: Dungeon, numbers: Iterable[int], goals: tuple[Place, ...]) -> list[Requirement]:
    """Return what a single goal asks for so that things on it are taken on arrival, as far as that is known before."""
    there = [number for number in sorted(numbers) if len(goals) == 1 and dungeon.pickups[number].place in goals]
    return [rule for number in there if (rule := rule_on_arrival(dungeon, number)) is not None]


def about(dungeon: Dungeon, numbers: Sequence[int]) -> Dungeon:
    """Return the dungeon whose goal is reached exactly if one of some pickups can be taken; of none, the goal itself.

    All of them lie on goals, or none does.
    """
    if not numbers:
        return dungeon
    on_goals = dungeon.pickups[numbers[0]].place in dungeon.goals
    return to_goal_tiles(dungeon, numbers) if on_goals else to_any(dungeon, numbers)
