"""From the conditions of a file to requirements of a dungeon: names, keys, items that stand for reaching or counting.

**Reaching.** `CanReach` becomes having an item that lies at that place. The two are the same if a player who can get
there may as well go there first: the way there takes nothing away (nothing is used up, and no rule asks for something
not to be had, so that going on with one more item bars nothing), and from there the player gets back to the start.
Otherwise the rule is refused.

**Counting.** `HasOf` becomes having so many of an item that lies, and is carried, wherever one of those items does: as
many of the one are in hand as of the others together. If only different items count, that is the same as long as there
is at most one of each; if there are more, all choices of so many items are written out. Few choices of items of which
there is at most one are written out too: no item has to be invented for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb

from solvent.core.errors import ParseError
from solvent.dungeon.model import Have, Not, Requirement
from solvent.dungeon.notation.randomizer.logic import (
    CanReach,
    Condition,
    Entrance,
    Every,
    Has,
    HasOf,
    Logic,
    Some,
    Without,
    conditions_of,
    parts_of,
)
from solvent.dungeon.notation.randomizer.names import PlainNames, plain_name
from solvent.dungeon.notation.requirements import ALWAYS, MAX_PARTS, NEVER, all_of, any_of

KEY = " key"
MAX_WRITTEN_OUT = 60
"""How many parts a choice of single items may have to be written out, so that no item has to be invented for it."""


class Items:
    """Know the items of a file: their names in the dungeon, which are keys, and how many of each there are."""

    def __init__(self, logic: Logic) -> None:
        self.total: Counter[str] = Counter(dict(logic.inventory))
        """How many of each item lie somewhere or are carried, by the file's name."""
        for held in logic.holdings():
            self.total[held.item] += held.count
        asked = [part for condition in conditions_of(logic) for part in parts_of(condition)]
        exact = [part.item for part in asked if isinstance(part, Has) and not part.spelt_freely]
        exact += [name for part in asked if isinstance(part, HasOf) for name in part.items]
        self._known = {*self.total, *exact}
        self._known |= {name for name in logic.consumed() if name.casefold() not in map(str.casefold, self._known)}
        self._spelt: dict[str, set[str]] = {}
        for name in self._known:
            self._spelt.setdefault(plain_name(name).casefold(), set()).add(name)
        self.consumed = {self.find(name, freely=True) for name in logic.consumed()}
        self.names = PlainNames("items")
        self.names.add_all(sorted(self._known - self.consumed))
        self.colours = PlainNames("keys")
        self.colours.add_all(sorted(map(_stem, self.consumed)))
        self.nowhere: dict[str, None] = {}
        """Items that rules ask for and that lie nowhere."""

    def find(self, name: str, *, freely: bool) -> str:
        """Return the file's name for a name in a rule."""
        if name in self._known or not freely:
            return name
        alike = self._spelt.get(plain_name(name).casefold(), set())
        return next(iter(alike)) if len(alike) == 1 else name

    def colour(self, name: str) -> str:
        """Return the colour of the key that an item is; empty for the plain one."""
        stem = _stem(name)
        return self.colours[stem] if stem else ""

    def note(self, name: str) -> None:
        """Remember an item that is asked for, if it lies nowhere."""
        if self.total[name] == 0:
            self.nowhere[name] = None

    def have(self, has: Has) -> Have:
        """Return the requirement for an item."""
        name = self.find(has.item, freely=has.spelt_freely)
        self.note(name)
        if name in self.consumed:
            return Have("key", self.colour(name), has.count)
        return Have("item", self.names.add(name), has.count)


class Resolver:
    """Turn conditions into requirements, and keep the items that had to be invented."""

    def __init__(self, logic: Logic, items: Items, *, can_return: bool) -> None:
        self.logic = logic
        self.items = items
        self.reached: dict[tuple[str, str], str] = {}
        """Items that stand for having been somewhere, by `region` or `location` and its name."""
        self.counters: dict[frozenset[str], str] = {}
        """Items that count others, by the file's names of these."""
        self._can_return = can_return
        self._entrances: dict[str, list[Entrance]] = {}
        for entrance in logic.entrances:
            self._entrances.setdefault(entrance.name, []).append(entrance)
        self._regions = logic.regions.keys()
        self._locations = {location.name for location in logic.locations}
        self._inside: list[str] = []
        self._uses_up = any(barrier.consumes for barrier in logic.barriers())
        self._forbids = any(
            isinstance(part, Without) for condition in conditions_of(logic) for part in parts_of(condition)
        )

    def resolve(self, condition: Condition | None) -> Requirement | None:
        """Return the requirement of a condition, in its one form; None if it always holds."""
        if condition is None:
            return None
        rule = self._resolve(condition)
        return None if rule == ALWAYS else rule

    def _resolve(self, condition: Condition) -> Requirement:
        match condition:
            case Has():
                return self.items.have(condition)
            case Without(part=part):
                inner = self._resolve(part)
                return NEVER if inner == ALWAYS else ALWAYS if inner == NEVER else Not(inner)
            case Every(parts=parts):
                return _all([self._resolve(part) for part in parts])
            case Some(parts=parts):
                return _any([self._resolve(part) for part in parts])
            case HasOf():
                return self._count(condition)
            case CanReach():
                return self._reach(condition)

    def _count(self, asked: HasOf) -> Requirement:
        used_up = next((name for name in asked.items if name in self.items.consumed), None)
        if used_up is not None:
            raise ParseError("items that are not used up, where several are counted", used_up, path=asked.path)
        are_single = all(self.items.total[name] <= 1 for name in asked.items)
        ways = comb(len(asked.items), asked.count)
        if asked.is_unique and not are_single and ways * asked.count > MAX_PARTS:
            raise ParseError(
                f"a choice of different items that can be written out ({ways:,} ways are too many)", path=asked.path
            )
        if (asked.is_unique and not are_single) or (are_single and ways * asked.count <= MAX_WRITTEN_OUT):
            chosen = combinations(asked.items, asked.count)
            return any_of(*(all_of(*(self.items.have(Has(name)) for name in names)) for names in chosen))
        wanted = frozenset(asked.items)
        if wanted not in self.counters:
            for name in asked.items:
                self.items.have(Has(name))  # so that it is named if it lies nowhere
            wish = asked.group or f"any of {len(wanted)} with {min(wanted)}"
            self.counters[wanted] = self.items.names.invent(wish)
        return Have("item", self.counters[wanted], asked.count)

    def _reach(self, asked: CanReach) -> Requirement:
        for reason, holds in (
            ("the player can go back to the start", self._can_return),
            ("nothing is used up", not self._uses_up),
            ("no rule asks for something not to be had", not self._forbids),
        ):
            if not holds:
                raise ParseError(
                    f"rules of reaching only where {reason}: elsewhere, an event at that place says what is meant",
                    asked.name,
                    path=asked.path,
                )
        if asked.what == "entrance":
            return self._reach_entrance(asked)
        if asked.name not in (self._regions if asked.what == "region" else self._locations):
            raise ParseError(f"an existing {asked.what}", asked.name, path=asked.path)
        key = asked.what, asked.name
        if key not in self.reached:
            self.reached[key] = self.items.names.invent(f"reached {asked.name}")
        return Have("item", self.reached[key])

    def _reach_entrance(self, asked: CanReach) -> Requirement:
        found = self._entrances.get(asked.name, []) if asked.name else []
        if not found:
            raise ParseError("an existing entrance", asked.name, path=asked.path)
        if asked.name in self._inside:
            raise ParseError("rules of entrances that do not ask for themselves", asked.name, path=asked.path)
        self._inside.append(asked.name)
        ways: list[Requirement] = []
        for entrance in found:
            source = self._reach(CanReach("region", entrance.source, asked.path))
            ways.append(_all([source, self.resolve(entrance.barrier.rule) or ALWAYS]))
        self._inside.pop()
        return _any(ways)


def _all(parts: Sequence[Requirement]) -> Requirement:
    return NEVER if NEVER in parts else all_of(*parts)


def _any(parts: Sequence[Requirement]) -> Requirement:
    return ALWAYS if ALWAYS in parts else any_of(*parts)


def _stem(name: str) -> str:
    """Return the colour of a key: the name of the item, without the word for keys."""
    if name.casefold() == KEY.strip():
        return ""
    return name[: -len(KEY)].strip() if name.casefold().endswith(KEY) else name


def colliding_keys(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two items that would be keys of one colour."""
    seen: dict[str, str] = {}
    for name in sorted(names):
        stem = _stem(name)
        if stem in seen:
            return seen[stem], name
        seen[stem] = name
    return None


def counted_by(counters: Mapping[frozenset[str], str], item: str) -> list[str]:
    """Return the items that count an item."""
    return [name for wanted, name in counters.items() if item in wanted]
