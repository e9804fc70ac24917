"""The dungeons that questions about a part of a dungeon are really about, made once more for checking.

*Marks.* To ask whether one pickup was taken, an item of a new name is put right before it in the list, on its tile and
with its rule. When a player stands there, things are looked at in the order of the list, so the mark is looked at in the
very state in which the pickup is, and nothing else asks for its name. So the mark is in hand exactly if the pickup was
taken at least once. Its name is `*` and the pickup's number, with more stars if any name of the dungeon begins so.

*One of several pickups, none of them on a goal.* All goals are closed. A new floor of one tile is the goal, and a way
leads there from the tile of each of the pickups: for one that is always there, simply so, for standing there takes it;
for one with a rule, while its mark is in hand. So the goal can be reached exactly if a play takes one of them without
first reaching a goal that there was, where it would be over. Ways for those that are always there come first, by place,
then those for marks by number, except where one that is always there has the same tile.

*Pickups on goals.* Only their tiles stay goals, the others are closed. A play that takes one of them ends there; one
that ends there takes those that are always there. So if no play ends there, no play takes them.

*All of some items, and then a goal.* A goal asks for all of them before it is stepped on, save those that lie on it: a
play that has all of them at its end has all the others before its last move. For each name the goal asks for as many as
there are elsewhere, with one more if it is carried from the start: that many are only had with every one taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from solvent.dungeon.model import (
    FLOOR,
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Floor,
    Gate,
    Have,
    Not,
    Pickup,
    Place,
    Requirement,
    Way,
)


def rules_of(dungeon: Dungeon) -> list[Requirement]:
    """Return every requirement there is in a dungeon."""
    found = [gate.rule for gate in dungeon.gates]
    found += [pickup.rule for pickup in dungeon.pickups]
    found += [switch.rule for switch in dungeon.switches]
    found.append(dungeon.goal_rule)
    return [rule for rule in found if rule is not None]


def leaves(rule: Requirement, *, asked_for: bool = True) -> Iterator[tuple[Have | Cleared, bool]]:
    """Yield what a requirement looks at, and whether it asks for it: False under an odd number of `Not`."""
    if isinstance(rule, Have | Cleared):
        yield rule, asked_for
    elif isinstance(rule, Not):
        yield from leaves(rule.part, asked_for=not asked_for)
    elif isinstance(rule, AllOf | AnyOf):
        for part in rule.parts:
            yield from leaves(part, asked_for=asked_for)


def with_marks(dungeon: Dungeon, numbers: Collection[int]) -> tuple[Dungeon, dict[int, str]]:
    """Put a mark before some pickups; return the name of each one's mark."""
    names = [dungeon.rules.water, *dungeon.rules.items, *(pickup.name for pickup in dungeon.pickups)]
    names += [name for gate in dungeon.gates for name in gate.needs]
    names += [leaf.name for rule in rules_of(dungeon) for leaf, _ in leaves(rule) if isinstance(leaf, Have)]
    stars = "*"
    while [name for name in names if name.startswith(stars)]:
        stars += "*"
    marks = {number: f"{stars}{number}" for number in sorted(numbers)}
    pickups: list[Pickup] = []
    for number, pickup in enumerate(dungeon.pickups):
        if number in marks:
            pickups.append(Pickup(place=pickup.place, kind="item", name=marks[number], rule=pickup.rule))
        pickups.append(pickup)
    return replace(dungeon, pickups=tuple(pickups)), marks


def number_with_marks(number: int, marked: Collection[int]) -> int:
    """Return the number of a pickup, or of its mark if it has one, in the dungeon with marks."""
    return number + sum(1 for other in marked if other < number)


def one_of(dungeon: Dungeon, numbers: Sequence[int]) -> Dungeon:
    """Return the dungeon whose goal is reached exactly if one of some pickups, none on a goal, can be taken."""
    pickups = dungeon.pickups
    conditional = [number for number in sorted(numbers) if pickups[number].rule is not None]
    changed, marks = with_marks(dungeon, conditional)
    goal: Place = (len(dungeon.floors), 0, 0)
    always = sorted({pickups[number].place for number in numbers if pickups[number].rule is None})
    ways, gates = list(dungeon.ways), list(dungeon.gates)
    for place in always:
        ways.append(Way(place, goal, kind="passage"))
    for number in conditional:
        if pickups[number].place not in always:
            ways.append(Way(pickups[number].place, goal, kind="passage", gate=len(gates)))
            gates.append(Gate("rule", rule=Have("item", marks[number])))
    return replace(
        changed,
        floors=(*dungeon.floors, Floor("", (FLOOR,))),
        ways=tuple(ways),
        gates=tuple(gates),
        goals=(goal,),
        goal_rule=None,
        closed=_together(dungeon.closed, dungeon.goals),
    )


def only_goals(dungeon: Dungeon, goals: Collection[Place]) -> Dungeon:
    """Return the dungeon with some of its goals, the others closed."""
    others = [goal for goal in dungeon.goals if goal not in goals]
    return replace(dungeon, goals=tuple(sorted(goals)), closed=_together(dungeon.closed, others))


def with_all_first(dungeon: Dungeon, names: Collection[str], goals: Collection[Place]) -> Dungeon:
    """Return the dungeon in which some goals ask for all items of these names that do not lie on them."""
    asked: list[Requirement] = []
    for name in sorted(set(names)):
        lying = [p for p in dungeon.pickups if p.kind == "item" and p.name == name and p.place not in goals]
        if lying:
            carried = 1 if name in dungeon.rules.items else 0
            asked.append(Have("item", name, carried + sum(pickup.count for pickup in lying)))
    changed = only_goals(dungeon, goals)
    if not asked:
        return changed
    before = [] if dungeon.goal_rule is None else [dungeon.goal_rule]
    return replace(changed, goal_rule=AllOf((*before, *asked)))


def _together(closed: Collection[Place], more: Collection[Place]) -> tuple[Place, ...]:
    return tuple(sorted({*closed, *more}))
