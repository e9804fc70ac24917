"""Find the least that can be in hand of what a gate takes, over all that a player may have reached and opened.

What is in hand is what was carried, and what lies in the zones that are reached, less one for each gate of the kind
that is open. That is a sum over groups (see `dominance`): each has a *surplus* of what lies there, or a *lack* for its
gates. The minimum is over all sets of groups that hold what their members imply, hold some groups and not some others.
Sets with a zone from which a goal can be entered at once are left out: a player who got there wants for nothing.

Where each group implies only one other, and that what it implies, they form trees, and one pass finds it: a branch
counts if that makes the number smaller.

Elsewhere a lack is *paid* from the surplus of a group it implies, one by one: that surplus is there whenever the lack
is, so a paid lack makes the number no smaller, whichever set it is. What cannot be paid counts in full, though perhaps
no set has all of it. So any way to pay gives a bound, and that is all a proof needs. The way found here is the best
one: a search for what could be paid otherwise moves payments about, as in matching, until none can be added. Then the
groups that the search came to are themselves a set with that number, so the bound is the minimum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf

from msgspec import Struct, field

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.dominance import Groups
from solvent.dungeon.checker.ledger import Purse
from solvent.dungeon.checker.zones import Zones

MAX_KEPT = 2_000_000
"""How many numbers to keep of what was worked out for other keys."""


class Shortages(Struct):
    """Work out minima, and keep what several of them need."""

    zones: Zones
    groups: Groups
    tree: Tree | None
    """The trees that groups form, if they do."""
    won: set[int]
    """Groups that are left out of all sets: once they are there, a goal can be entered at once."""
    sums: dict[int, _Sums] = field(default_factory=dict)
    """By the first gate of a purse; `payments` likewise."""
    payments: dict[int, _Payments] = field(default_factory=dict)


class Tree(Struct, frozen=True):
    """Hold groups as trees."""

    order: list[int]
    """Each group after the one it implies."""
    parent: list[int]
    """The group each implies, which implies all else it does; -1 for the first."""
    spans: list[tuple[int, int]]
    """Where each begins and ends when all that imply a group follow it."""


class Inside(Struct):
    """Hold the groups that are known to be there: the first, and what was fetched with all it implies."""

    groups: list[int]
    """In the order they were added; on a tree each after the one it implies."""
    members: set[int]
    anchors: dict[int, int] = field(default_factory=dict)
    """For groups of a tree that are not inside, the first on the way to its root that is."""


class _Sums(Struct):
    """Hold sums over a tree."""

    below: list[int]
    """What each group with all that makes it smaller adds."""
    within: list[int]
    """The minimum with each group."""
    inside: Inside | None = None
    counted: int = 0
    gained: int = 0
    """How much larger the minimum is with so many groups of `inside` than with the first."""


class _Payments(Struct, frozen=True):
    """Hold who pays for what while only the first group is known to be there."""

    weights: list[int]
    paid_by: dict[int, list[int]]
    """For each group with a surplus the groups with a lack it pays for, each as often as it does."""
    unpaid: list[int]
    """Groups with a lack that cannot be paid, each as often."""


def look_for_shortages(zones: Zones, groups: Groups) -> Shortages:
    """Begin to look."""
    last = {zone for entries in zones.onto_goals.values() for zone, door in entries if door.is_free}
    won = _closure({groups.of_node[zone] for zone in last}, groups.implied_by)
    return Shortages(zones, groups, _grow_tree(groups, groups.of_node[0], zones.maze.meter), won)


def begin_inside(groups: Groups) -> Inside:
    """Return what is there from the beginning."""
    inside = Inside([], set())
    add_inside(groups, inside, 0)
    return inside


def add_inside(groups: Groups, inside: Inside, zone: int) -> None:
    """Let a zone be reached from now on."""
    added = [groups.of_node[zone]] if groups.of_node[zone] not in inside.members else []
    inside.members.update(added)
    for group in added:
        for other in groups.implied[group]:
            if other not in inside.members:
                inside.members.add(other)
                added.append(other)
    inside.groups += reversed(added)
    if added:
        inside.anchors.clear()


def find_least(shortages: Shortages, inside: Inside, gate: int, near: int, beyond: Collection[int]) -> float:
    """Return the least there can be in hand before a gate: it is shut, a zone is reached, and none of some others.

    What is inside is reached as well. It is infinite if that cannot happen.
    """
    groups = shortages.groups
    meter = shortages.zones.maze.meter
    meter.checkpoint()
    purse = shortages.zones.maze.ledger.purses[gate]
    here = groups.of_node[near]
    if here in shortages.won or not shortages.won.isdisjoint(inside.members):
        return inf
    shut = {groups.of_node[zone] for zone in beyond}
    if gate in groups.of_gate:
        shut.add(groups.of_gate[gate])
    if shortages.tree:
        least = _least_of_sums(shortages.tree, _sums(shortages, purse), inside, here, shut)
        if least is not None:
            return purse.carried + least
    there = {here, *inside.members}
    return purse.carried + _least_of_payments(groups, _payments(shortages, purse), there, shut | shortages.won, meter)


def _sums(shortages: Shortages, purse: Purse) -> _Sums:
    if purse.gates[0] not in shortages.sums:
        assert shortages.tree is not None
        if len(shortages.sums) * len(shortages.groups.implied) > MAX_KEPT:
            shortages.sums.clear()
        shortages.sums[purse.gates[0]] = _sum_up(shortages.tree, _weigh(shortages, purse), shortages.won)
    return shortages.sums[purse.gates[0]]


def _payments(shortages: Shortages, purse: Purse) -> _Payments:
    if purse.gates[0] not in shortages.payments:
        if len(shortages.payments) * len(shortages.groups.implied) > MAX_KEPT:
            shortages.payments.clear()
        weights = _weigh(shortages, purse)
        shortages.payments[purse.gates[0]] = _pay(shortages.groups, weights, shortages.zones.maze.meter)
    return shortages.payments[purse.gates[0]]


def _weigh(shortages: Shortages, purse: Purse) -> list[int]:
    """Return the surplus of each group, below 0 for a lack."""
    maze, groups = shortages.zones.maze, shortages.groups
    weights = [0] * len(groups.implied)
    for pickup, each in maze.meter.each(purse.pickups.items()):
        area = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.pickups[pickup].place))
        if area in shortages.zones.zone_of:
            weights[groups.of_node[shortages.zones.zone_of[area]]] += each
    for gate in maze.meter.each(purse.gates):
        if gate in groups.of_gate:
            weights[groups.of_gate[gate]] -= 1
    return weights


# Trees


def _grow_tree(groups: Groups, root: int, meter: Meter) -> Tree | None:
    """Return the groups as a tree, or None if they are none."""
    missing = [len(others) for others in groups.implied]
    parent, depth, order = [-1] * len(missing), [0] * len(missing), [root]
    if groups.implied[root]:
        return None
    for group in meter.each(order, every=200):
        if group != root:
            above = max(groups.implied[group], key=depth.__getitem__)
            parent[group], depth[group] = above, depth[above] + 1
            for other in groups.implied[group]:
                while depth[above] > depth[other]:
                    above = parent[above]
                if above != other:
                    return None
                above = parent[group]
        for other in groups.implied_by[group]:
            missing[other] -= 1
            if missing[other] == 0:
                order.append(other)
    if len(order) < len(parent):
        return None
    return Tree(order, parent, _find_spans(order, parent))


def _find_spans(order: list[int], parent: list[int]) -> list[tuple[int, int]]:
    """Number the groups so that all that hang from one follow it; return where each begins and ends."""
    sizes = [1] * len(parent)
    for group in reversed(order[1:]):
        sizes[parent[group]] += sizes[group]
    spans, free = [(0, len(parent))] * len(parent), [1] * len(parent)
    for group in order[1:]:
        begin = free[parent[group]]
        free[parent[group]] += sizes[group]
        free[group] = begin + 1
        spans[group] = begin, begin + sizes[group]
    return spans


def _sum_up(tree: Tree, weights: list[int], won: set[int]) -> _Sums:
    below = list(weights)
    for group in reversed(tree.order[1:]):
        if group in won:
            below[group] = 0
        below[tree.parent[group]] += min(0, below[group])
    within = list(below)
    for group in tree.order[1:]:
        within[group] = within[tree.parent[group]] + max(0, below[group])
    return _Sums(below, within)


def _least_of_sums(tree: Tree, sums: _Sums, inside: Inside, here: int, shut: set[int]) -> float | None:
    """Return the minimum with a group and what is inside, and without others; None if it takes more than sums."""
    if sums.inside is not inside:
        sums.inside, sums.counted, sums.gained = inside, 0, 0
    for group in inside.groups[sums.counted :]:
        sums.counted += 1
        if tree.parent[group] >= 0:
            sums.gained += max(0, sums.below[group])
    anchor = _anchor(tree, inside, here)

    def is_there(group: int) -> bool:
        return group in inside.members or tree.spans[here][0] in range(*tree.spans[group])

    if any(is_there(group) for group in shut):
        return inf
    first = [group for group in shut if is_there(tree.parent[group])]
    if any(not any(tree.spans[group][0] in range(*tree.spans[other]) for other in first) for group in shut):
        return None
    least = sums.within[tree.order[0]] + sums.gained + sums.within[here] - sums.within[anchor]
    return least - sum(min(0, sums.below[group]) for group in first)


def _anchor(tree: Tree, inside: Inside, group: int) -> int:
    way = []
    while group not in inside.members and group not in inside.anchors:
        way.append(group)
        group = tree.parent[group]
    anchor = inside.anchors.get(group, group)
    for passed in way:
        inside.anchors[passed] = anchor
    return anchor


# Payments


def _pay(groups: Groups, weights: list[int], meter: Meter) -> _Payments:
    """Pay for as much as possible."""
    first = _closure([groups.of_node[0]], groups.implied)
    paid_by: dict[int, list[int]] = {}
    lacks = [group for group, weight in enumerate(weights) if group not in first for _ in range(-weight)]
    unpaid = _pay_more(_Search(groups.implied, weights, paid_by, first, meter), lacks)
    return _Payments(weights, paid_by, unpaid)


def _least_of_payments(groups: Groups, payments: _Payments, some: set[int], shut: set[int], meter: Meter) -> float:
    """Return the minimum with some groups and without others, by what cannot be paid then."""
    there = _closure(some, groups.implied)
    gone = _closure(shut, groups.implied_by)
    if not there.isdisjoint(gone):
        return inf
    weights = payments.weights
    paid_by: dict[int, list[int]] = {}
    lacks = list(payments.unpaid)
    for payer, paid in payments.paid_by.items():
        if payer in there:
            lacks += paid  # what is there already was counted
        elif payer not in gone:
            paid_by[payer] = [group for group in paid if group not in gone and group not in there]
    lacks = [group for group in lacks if group not in gone and group not in there]
    unpaid = _pay_more(_Search(groups.implied, weights, paid_by, there, meter), lacks)
    return sum(weights[group] for group in there) - len(unpaid)


def _closure(some: Iterable[int], leads: list[list[int]]) -> set[int]:
    found = set(some)
    waiting = list(found)
    while waiting:
        for other in leads[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


class _Search(Struct, frozen=True):
    """Hold what a search for somebody to pay looks at."""

    implied: list[list[int]]
    weights: list[int]
    paid_by: dict[int, list[int]]
    """Changes as more is paid."""
    there: set[int]
    """Groups that are known to be there: they pay for nothing."""
    meter: Meter
    given_up: set[int] = field(default_factory=set)
    """Groups from which no search gets to a surplus that is left."""


def _pay_more(search: _Search, lacks: list[int]) -> list[int]:
    """Pay for as many lacks as possible, and return the rest."""
    return [group for group in lacks if not _pay_for(search, group)]


def _pay_for(search: _Search, lack: int) -> bool:
    """Find a surplus that is left among what a lack implies, or what others imply that could be paid from elsewhere."""
    if lack in search.given_up:
        return False
    # For each group how the search got there: from another it implies, or from the payer of a lack.
    came_from: dict[int, tuple[int, bool]] = {lack: (-1, False)}
    waiting = [lack]
    while waiting:
        group = waiting.pop()
        paid = search.paid_by.get(group, [])
        if search.weights[group] > len(paid):
            _move_payments(search, came_from, group)
            return True
        for others, is_lack in ((search.implied[group], False), (paid, True)):
            for other in others:
                if other not in came_from and other not in search.there and other not in search.given_up:
                    came_from[other] = (group, is_lack)
                    waiting.append(other)
    search.meter.checkpoint()
    search.given_up.update(came_from)
    return False


def _move_payments(search: _Search, came_from: dict[int, tuple[int, bool]], payer: int) -> None:
    """Let a group pay for the last lack on the way to it, who paid for that pay for the lack before, and so on."""
    group = payer
    while True:
        before, is_lack = came_from[group]
        if before >= 0 and not is_lack:
            group = before
            continue
        search.paid_by.setdefault(payer, []).append(group)
        if before < 0:
            return
        search.paid_by[before].remove(group)
        payer = group = before
