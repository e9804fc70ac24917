"""The least that can be in hand, over all sets of groups that hold what they imply: see `zone_graph`.

Each group adds what lies there and takes one for each of its gates. Where groups form a tree, that is a sum over it.
Elsewhere it is the weight of a closure of least weight, found as a matching: what is taken is covered by what lies in
groups that are implied, and so is there as well; what cannot be covered makes the number smaller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from solvent.core.budget import Meter
from solvent.dungeon.solver.zone_graph import Implications


class Forest:
    """Hold groups as a tree, if each implies one that implies all others it does."""

    def __init__(self, implications: Implications, meter: Meter) -> None:
        implied = implications.implied
        root = implications.of_zone[0]
        self.parent = [-1] * len(implied)
        self.depth = [0] * len(implied)
        self.order = [root]
        """Groups, each after its parent."""
        self.is_tree = not implied[root]
        waiting_for = list(map(len, implied))
        for group in meter.each(self.order, every=200):
            if group != root:
                nearest = max(implied[group], key=self.depth.__getitem__)
                self.parent[group], self.depth[group] = nearest, self.depth[nearest] + 1
                self.is_tree = self.is_tree and all(self.hangs_from(nearest, other) for other in implied[group])
                if not self.is_tree:
                    return
            for other in implications.implied_by[group]:
                waiting_for[other] -= 1
                if not waiting_for[other]:
                    self.order.append(other)
        self.is_tree = self.is_tree and len(self.order) == len(implied)

    def hangs_from(self, group: int, other: int) -> bool:
        """Tell whether a group is another one or implies it."""
        while self.depth[group] > self.depth[other]:
            group = self.parent[group]
        return group == other


class Inside:
    """Hold the groups that are known to be in every set: the first, and what has been fetched."""

    def __init__(self, implications: Implications) -> None:
        self.implied = implications.implied
        self.groups: list[int] = []
        self.members: set[int] = set()
        self.anchors: dict[int, int] = {}
        """On a tree: the nearest group inside for groups that are not."""
        self.add(implications.of_zone[0])

    def add(self, group: int) -> set[int]:
        """Add a group and all it implies; returns those that are new."""
        if group in self.members:
            return set()
        found = _reach({group}, self.implied) - self.members
        self.members |= found
        self.groups += found
        self.anchors.clear()
        return found

    def anchor(self, group: int, parent: list[int]) -> int:
        """Return the nearest group inside on the way to the root of a tree."""
        way = []
        while group not in self.members and group not in self.anchors:
            way.append(group)
            group = parent[group]
        group = self.anchors.get(group, group)
        self.anchors.update(dict.fromkeys(way, group))
        return group


def all_that_imply(groups: set[int], implications: Implications) -> set[int]:
    """Return some groups, and all that imply them."""
    return _reach(groups, implications.implied_by)


class Balance:
    """Work out minima for one resource."""

    def __init__(
        self, implications: Implications, forest: Forest, weights: list[int], won: set[int], meter: Meter
    ) -> None:
        """Begin; sets with groups that are `won` do not count, nor do those that imply them."""
        self.implications, self.forest, self.weights, self.meter = implications, forest, weights, meter
        self.won = won
        self.root = implications.of_zone[0]
        self._sums: tuple[list[int], list[int]] | None = None
        if forest.is_tree:
            below = weights.copy()
            for group in reversed(forest.order[1:]):
                if group in won:
                    below[group] = 0
                elif below[group] < 0:
                    below[forest.parent[group]] += below[group]
            within = below.copy()
            for group in forest.order[1:]:
                within[group] = within[forest.parent[group]] + max(0, below[group])
            self._sums = below, within
        self._cover: tuple[dict[int, list[int]], list[int]] | None = None
        self._inside: Inside | None = None
        self._counted = self._gained = 0
        """How many groups of `_inside` were looked at, and what they add to the least."""

    def least(self, inside: Inside, here: int, shut: Collection[int]) -> int | None:
        """Return the least with a group and all that is inside, without some others; None if that cannot be."""
        if here in self.won or self.won & inside.members:
            return None
        if self._sums is not None and len(shut) <= 4:
            below, within = self._sums
            hangs_from, parent = self.forest.hangs_from, self.forest.parent
            if any(group in inside.members or hangs_from(here, group) for group in shut):
                return None
            outer = [group for group in shut if not any(group != one and hangs_from(group, one) for one in shut)]
            if all(parent[group] in inside.members or hangs_from(here, parent[group]) for group in outer):
                known = within[self.root] + self._gain(inside, below)
                more = within[here] - within[inside.anchor(here, parent)]
                return known + more - sum(min(0, below[group]) for group in outer)
        return self._least_closure({here, *inside.members}, shut)

    def _gain(self, inside: Inside, below: list[int]) -> int:
        if self._inside is not inside:
            self._inside, self._counted, self._gained = inside, 0, 0
        for group in inside.groups[self._counted :]:
            self._gained += max(0, below[group]) if group != self.root else 0
        self._counted = len(inside.groups)
        return self._gained

    def _least_closure(self, some: set[int], shut: Collection[int]) -> int | None:
        fixed = _reach(some, self.implications.implied)
        gone = _reach(set(shut), self.implications.implied_by) | self.won
        if fixed & gone:
            return None
        if self._cover is None:
            base = _reach({self.root}, self.implications.implied)
            owed = [group for group, weight in enumerate(self.weights) if group not in base for _ in range(-weight)]
            covers: dict[int, list[int]] = defaultdict(list)
            self._cover = covers, self._cover_more(covers, owed, base)
        covers = defaultdict(list)
        owed = []
        for group, covered in self._cover[0].items():
            kept = [other for other in covered if other not in gone and other not in fixed]
            if group in fixed:
                owed += kept
            elif kept:
                covers[group] = kept
        owed += (group for group in self._cover[1] if group not in gone and group not in fixed)
        return sum(self.weights[group] for group in fixed) - len(self._cover_more(covers, owed, fixed))

    def _cover_more(self, covers: dict[int, list[int]], owed: list[int], fixed: set[int]) -> list[int]:
        """Cover as much of what is owed as possible; returns the rest."""
        implied, weights = self.implications.implied, self.weights
        hopeless = set(fixed)
        left = []
        for first in self.meter.each(owed, every=20):
            if first in hopeless:
                left.append(first)
                continue
            # For each group the one before it, and whether it was covered by that one so far.
            before: dict[int, tuple[int, bool]] = {first: (-1, True)}
            waiting = [first]
            while waiting:
                group = waiting.pop()
                if weights[group] > len(covers[group]):
                    self._exchange(covers, before, group)
                    break
                for other in implied[group]:
                    if other not in before and other not in hopeless:
                        before[other] = group, False
                        waiting.append(other)
                for other in covers[group]:
                    if other not in before and other not in hopeless:
                        before[other] = group, True
                        waiting.append(other)
            else:
                hopeless.update(before)
                left.append(first)
        return left

    @staticmethod
    def _exchange(covers: dict[int, list[int]], before: dict[int, tuple[int, bool]], group: int) -> None:
        owner = group
        while group >= 0:
            source, was_covered = before[group]
            if was_covered:
                covers[owner].append(group)
                if source >= 0:
                    covers[source].remove(group)
                owner = source
            group = source


def _reach(found: set[int], leads: list[list[int]]) -> set[int]:
    waiting = list(found)
    while waiting:
        for other in leads[waiting.pop()]:
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found
