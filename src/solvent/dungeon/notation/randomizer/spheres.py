"""What can be had when: sphere 1 is what can be had at once, sphere n + 1 what can be had with the spheres up to n.

A fixpoint over the dungeon: places within reach only become more, since what is had only becomes more. That is exact
for a player who can go back to the start, as long as nothing is used up. Otherwise there are two bounds.

- *At the earliest*: keys are never used up, and one can always go back. No player can have anything sooner.
- *At the latest*: a lock counts as open once there are keys for all locks of its colour that were met. A player who
  opens just these can have everything by then. That does not follow where rules ask for keys in hand, where keys are
  there again and again, or where one cannot go back; `is_bound` says so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

from msgspec import Struct, field

from solvent.dungeon.model import AllOf, AnyOf, Dungeon, Gate, Have, Not, Place, Requirement
from solvent.dungeon.notation.requirements import atoms_of

Name = tuple[str, str]
"""`item` or `key`, and the name or colour."""
Waiting = tuple[str, int]
"""`way` or `pickup`, and its number."""


class Spheres(Struct):
    """Hold the sphere of each place that is looked at, and of the goal, by numbers from 1."""

    of: dict[Place, int] = field(default_factory=dict)
    goal: int | None = None
    is_bound: bool = True
    """For spheres at the latest: whether a player can have everything by then."""


def can_be_compared(dungeon: Dungeon) -> bool:
    """Tell whether what is had only ever helps: no rule asks for something not to hold, and all is about items."""
    rules = [gate.rule for gate in dungeon.gates] + [pickup.rule for pickup in dungeon.pickups] + [dungeon.goal_rule]
    known = all(gate.kind in ("item", "lock", "rule") and not gate.cells for gate in dungeon.gates)
    positive = all(_is_positive(rule) for rule in rules if rule is not None)
    return known and positive and not dungeon.switches and not dungeon.blocks and not dungeon.played


class Taking(Struct, frozen=True):
    """Say what is taken when. What lies where nothing else is said is taken at once."""

    staged: frozenset[Place] = frozenset()
    """Places whose spheres are wanted: what lies there counts from the next sphere on."""
    barred: frozenset[Place] = frozenset()
    """Places where nothing is taken."""
    at_once: frozenset[str] = frozenset()
    """Items that are taken at once anywhere, since they only stand for having been there."""


def find_spheres(dungeon: Dungeon, taking: Taking, *, earliest: bool = False) -> Spheres:
    """Return the spheres of the staged places, at the latest or at the earliest; see above."""
    return _Fixpoint(dungeon, taking, earliest=earliest).run()


class _Fixpoint:
    """Reach one place after the other, and look again at what was barred when something it asks for is found."""

    def __init__(self, dungeon: Dungeon, taking: Taking, *, earliest: bool) -> None:
        self.dungeon = dungeon
        self.taking = taking
        self.earliest = earliest
        self.ways_from: dict[Place, list[int]] = defaultdict(list)
        for number, way in enumerate(dungeon.ways):
            self.ways_from[way.source].append(number)
        self.pickups_at: dict[Place, list[int]] = defaultdict(list)
        for number, pickup in enumerate(dungeon.pickups):
            self.pickups_at[pickup.place].append(number)
        self.taken: set[int] = set()
        self.goals = frozenset(dungeon.goals)
        self.held: Counter[Name] = Counter({("item", name): 1 for name in dungeon.rules.items})
        self.held.update({("key", colour): count for colour, count in dungeon.rules.keys})
        self.opened: Counter[str] = Counter()
        """How many locks of each colour are open."""
        self.open_locks: set[int] = set()
        self.met: dict[str, dict[int, list[int]]] = defaultdict(dict)
        """Locks of each colour that were met and are shut, with the ways that they bar."""
        self.waiting: dict[Name, dict[Waiting, None]] = defaultdict(dict)
        """What to look at again once there is more of something."""
        self.reached: set[Place] = set()
        self.fresh: list[Place] = []
        self.found = Spheres()
        rules = [gate.rule for gate in dungeon.gates] + [pickup.rule for pickup in dungeon.pickups]
        asks_keys = any(isinstance(atom, Have) and atom.what == "key" for rule in rules for atom in atoms_of(rule))
        renewed = any(pickup.renews for pickup in dungeon.pickups)
        self.found.is_bound = not (asks_keys or renewed) and dungeon.rules.home == "always"

    def run(self) -> Spheres:
        self._reach(self.dungeon.start)
        sphere = 1
        while True:
            self._open_locks()
            found, self.fresh = self.fresh, []
            if self.found.goal is None and self.goals & self.reached:
                self.found.goal = sphere
            if not found:
                break
            for place in found:
                self.found.of[place] = sphere
            sphere += 1
            for place in found:
                self._take_from(place)
        return self.found

    def _reach(self, first: Place) -> None:
        places = [first]
        while places:
            place = places.pop()
            if place in self.reached:
                continue
            self.reached.add(place)
            there = self.pickups_at.get(place, [])
            if place in self.taking.staged:
                self.fresh.append(place)
            if place in self.taking.staged or place in self.taking.barred:
                there = [number for number in there if self.dungeon.pickups[number].name in self.taking.at_once]
            places += self._taken(there)
            if place not in self.goals:
                places += self._passed(self.ways_from.get(place, ()))

    def _take_from(self, place: Place) -> None:
        for target in self._taken(self.pickups_at.get(place, ())):
            self._reach(target)

    def _passed(self, ways: Collection[int]) -> Iterator[Place]:
        """Yield where ways lead that are open; the others wait."""
        for number in ways:
            way = self.dungeon.ways[number]
            if way.target in self.reached:
                continue
            rules = [self.dungeon.goal_rule] if way.target in self.goals else []
            gate = None if way.gate is None else self.dungeon.gates[way.gate]
            if gate is not None and gate.kind == "lock" and not self._is_open(way.gate, gate):
                self.met[gate.needs[0]].setdefault(way.gate or 0, []).append(number)
                continue
            rules.append(None if gate is None else requirement_of(gate))
            if self._holds_or_waits([rule for rule in rules if rule is not None], ("way", number)):
                yield way.target

    def _taken(self, pickups: Collection[int]) -> list[Place]:
        """Take what is there, and return where that leads."""
        places: list[Place] = []
        there = list(pickups)
        while there:
            number = there.pop()
            pickup = self.dungeon.pickups[number]
            rules = [] if pickup.rule is None else [pickup.rule]
            if number in self.taken or not self._holds_or_waits(rules, ("pickup", number)):
                continue
            self.taken.add(number)
            name = pickup.kind, pickup.name
            self.held[name] += pickup.count
            woken = self.waiting.pop(name, {})
            places += self._passed([number for what, number in woken if what == "way"])
            there += [number for what, number in woken if what == "pickup"]
        return places

    def _holds_or_waits(self, rules: list[Requirement], waiting: Waiting) -> bool:
        if all(self._meets(rule) for rule in rules):
            return True
        for name in {(atom.what, atom.name) for rule in rules for atom in atoms_of(rule) if isinstance(atom, Have)}:
            self.waiting[name][waiting] = None
        return False

    def _meets(self, rule: Requirement) -> bool:
        match rule:
            case Have("key", colour, count):
                return not self.dungeon.rules.keys_counted or self.held["key", colour] - self.opened[colour] >= count
            case Have(what, name, count):
                return self.held[what, name] >= count
            case AllOf(parts):
                return all(self._meets(part) for part in parts)
            case AnyOf(parts):
                return any(self._meets(part) for part in parts)
        raise AssertionError(f"{rule!r} was looked at before")

    # locks

    def _is_open(self, number: int | None, gate: Gate) -> bool:
        return number in self.open_locks or gate.kind != "lock" or not self.dungeon.rules.keys_counted

    def _open_locks(self) -> None:
        """Open the locks for which there are keys, whatever the order; that may lead to more keys and more locks."""
        again = True
        while again:
            again = False
            for colour, locks in list(self.met.items()):
                wanted = 1 if self.earliest else self.opened[colour] + len(locks)
                if locks and self.held["key", colour] >= wanted:
                    ways = [number for barred in locks.values() for number in barred]
                    self.open_locks.update(locks)
                    self.opened[colour] += 0 if self.earliest else len(locks)
                    self.met[colour] = {}
                    again = True
                    for target in self._passed(ways):
                        self._reach(target)


def requirement_of(gate: Gate) -> Requirement | None:
    """Return what a gate of the kind `item` or `rule` asks for."""
    if gate.kind == "item":
        return AllOf(tuple(Have("item", name) for name in gate.needs))
    return gate.rule


def _is_positive(rule: Requirement) -> bool:
    if isinstance(rule, AllOf | AnyOf):
        return all(map(_is_positive, rule.parts))
    return not isinstance(rule, Not) and isinstance(rule, Have) and rule.what in ("item", "key")
