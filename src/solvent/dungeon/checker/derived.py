"""The dungeons that questions about a part of a dungeon are really about, made once more for checking.

*Marks.* To ask whether one pickup was taken, an item of a new name is put right before it in the list, on its tile and
with its rule. When a player stands there, things are looked at in the order of the list, so the mark is looked at in
the very state in which the pickup is, and nothing else asks for its name. So the mark is in hand exactly if the pickup
was taken at least once. Its name is `*` and the pickup's number, with more stars if any name of the dungeon begins so.

*One of several pickups, none of them on a goal.* All goals are closed. A new floor of one tile is the goal, and a way
leads there from the tile of each of the pickups: for one that is always there, simply so, for standing there takes it;
for one with a rule, while its mark is in hand. So the goal can be reached exactly if a play takes one of them without
first reaching a goal that there was, where it would be over. Ways for those that are always there come first, by place,
then those for marks by number, except where one that is always there has the same tile.

*Pickups on goals.* Only their tiles stay goals, the others are closed. A play that takes one of them ends there. So if
no play ends there, no play takes them. If they lie on one goal and all have rules that are *still*, it also asks for
any of these rules. A rule is still if no move onto the tile can change whether it holds: it asks for items of which
none lies on the tile, for rooms to be cleared with no monster on the tile, and for switches that no plate on the tile
turns and that nothing has to stand on. Then it holds before the last move exactly if it does after it.

*All of some items, and then a goal.* A goal asks for all of them before it is stepped on, save those that lie on it: a
play that has all of them at its end has all the others before its last move. For each name the goal asks for as many as
there are elsewhere, with one more if it is carried from the start: that many are only had with every one taken. Of
those that lie on the goal, if it is asked for alone, it asks for the rules that are still.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

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
    SwitchAt,
    Way,
)

Leaf: TypeAlias = "Have | SwitchAt | Cleared"


def rules_of(dungeon: Dungeon) -> list[Requirement]:
    """Return every requirement there is in a dungeon."""
    found = [gate.rule for gate in dungeon.gates]
    found += [pickup.rule for pickup in dungeon.pickups]
    found += [switch.rule for switch in dungeon.switches]
    found.append(dungeon.goal_rule)
    return [rule for rule in found if rule is not None]


def leaves(rule: Requirement | None, *, asked_for: bool = True) -> Iterator[tuple[Leaf, bool]]:
    """Yield what a requirement looks at, and whether it asks for it: False under an odd number of `Not`."""
    if isinstance(rule, Have | SwitchAt | Cleared):
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


def one_on_goals(dungeon: Dungeon, numbers: Sequence[int]) -> Dungeon:
    """Return the dungeon with the goals that some pickups lie on, no goal of which is reached if none can be taken."""
    pickups = [dungeon.pickups[number] for number in sorted(set(numbers))]
    changed = only_goals(dungeon, {pickup.place for pickup in pickups})
    if len(changed.goals) > 1 or not all(pickup.rule is not None and is_still(dungeon, pickup) for pickup in pickups):
        return changed
    any_rule = AnyOf(tuple(pickup.rule for pickup in pickups if pickup.rule is not None))
    before = [] if dungeon.goal_rule is None else [dungeon.goal_rule]
    return replace(changed, goal_rule=AllOf((*before, any_rule)))


def is_still(dungeon: Dungeon, pickup: Pickup) -> bool:
    """Tell whether no move onto the tile of a pickup can change whether its rule holds."""
    others = [other for other in dungeon.pickups if other.place == pickup.place]
    for leaf, _ in leaves(pickup.rule):
        if isinstance(leaf, Have):
            if leaf.what != "item" or leaf.name in [other.name for other in others if other.kind == "item"]:
                return False
        elif isinstance(leaf, Cleared):
            if [other for other in others if other.kind == "monster"]:
                return False
        else:
            for switch in dungeon.switches:
                turned = switch.kind == "plate" and switch.place == pickup.place
                if switch.name == leaf.switch and (switch.kind == "held" or turned):
                    return False
    return True


def with_all_first(dungeon: Dungeon, names: Collection[str], goals: Collection[Place]) -> Dungeon:
    """Return the dungeon in which some goals ask for all items of these names that do not lie on them."""
    asked: list[Requirement] = []
    for name in sorted(set(names)):
        lying = [p for p in dungeon.pickups if p.kind == "item" and p.name == name and p.place not in goals]
        if lying:
            carried = 1 if name in dungeon.rules.items else 0
            asked.append(Have("item", name, carried + sum(pickup.count for pickup in lying)))
    for pickup in dungeon.pickups if len(set(goals)) == 1 else ():
        if pickup.kind == "item" and pickup.name in names and pickup.place in goals and is_still(dungeon, pickup):
            asked.append(pickup.rule or AllOf(()))
    changed = only_goals(dungeon, goals)
    if not asked:
        return changed
    before = [] if dungeon.goal_rule is None else [dungeon.goal_rule]
    return replace(changed, goal_rule=AllOf((*before, *asked)))


def _together(closed: Collection[Place], more: Collection[Place]) -> tuple[Place, ...]:
    return tuple(sorted({*closed, *more}))
