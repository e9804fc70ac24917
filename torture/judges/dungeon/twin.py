"""The thorough player: what can be had without giving anything up, and the moves of a player who takes that first.

Taking something gives something up if it is delicate. A pickup is delicate if having it can make some requirement
false, or if it holds keys or bombs that renew elsewhere, so that how many are in hand is part of what happened. It is
delicate, too, if it makes something delicate appear: a player who walks there takes that, wanted or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solvent.dungeon.model import (
    WATER,
    AllOf,
    AnyOf,
    Cleared,
    Dungeon,
    Have,
    Not,
    Pickup,
    Place,
    Requirement,
    SwitchAt,
)
from torture.judges.dungeon.rulebook import Rulebook, State, lies_in, resource, resource_named


def all_rules(dungeon: Dungeon) -> list[Requirement]:
    """Return every requirement there is."""
    rules = [gate.rule for gate in dungeon.gates] + [pickup.rule for pickup in dungeon.pickups]
    rules += [switch.rule for switch in dungeon.switches] + [dungeon.goal_rule]
    return [rule for rule in rules if rule is not None]


def asked(rule: Requirement | None, denied: bool = False) -> Iterator[tuple[Have | SwitchAt | Cleared, bool]]:
    """Yield all that a requirement is made of, and whether it must not hold."""
    if isinstance(rule, Not):
        yield from asked(rule.part, not denied)
    elif isinstance(rule, AllOf | AnyOf):
        for part in rule.parts:
            yield from asked(part, denied)
    elif rule is not None:
        yield rule, denied


def is_about(dungeon: Dungeon, atom: Have | SwitchAt | Cleared, pickup: Pickup) -> bool:
    """Tell whether taking a pickup can make this part of a requirement hold."""
    if isinstance(atom, Have):
        return (atom.what, atom.name if atom.what != "bombs" else "") == (pickup.kind, pickup.name)
    if isinstance(atom, Cleared):
        [room] = [room for room in dungeon.rooms if room.name == atom.room]
        return pickup.kind == "monster" and lies_in(pickup.place, room)
    return False


def matters(dungeon: Dungeon, pickup: Pickup) -> bool:
    """Tell whether anything asks for what a pickup holds, or is paid with it."""
    gates, rules = dungeon.gates, dungeon.rules
    if (pickup.kind == "key" and not rules.keys_counted) or (pickup.kind == "bombs" and rules.bombs is None):
        return False
    if any(is_about(dungeon, atom, pickup) for rule in all_rules(dungeon) for atom, _ in asked(rule)):
        return True
    if pickup.kind == "key":
        return any(gate.kind == "lock" and gate.needs[0] == pickup.name for gate in gates)
    if pickup.kind == "bombs":
        return any(gate.kind == "cracked" for gate in gates)
    if pickup.kind == "item":
        wet = any(WATER in row for floor in dungeon.floors for row in floor.terrain)
        needed = any(gate.kind == "item" and pickup.name in gate.needs for gate in gates)
        return needed or (wet and pickup.name == rules.water)
    rooms = [room for gate in gates if gate.kind == "soft" for room in dungeon.rooms if room.name == gate.needs[0]]
    return rules.soft == "clear" and any(lies_in(pickup.place, room) for room in rooms)


def delicate(dungeon: Dungeon) -> frozenset[int]:
    """Return the numbers of the pickups that a player may be worse off with."""
    renewing = {resource(pickup) for pickup in dungeon.pickups if pickup.renews}
    found = {
        number
        for number, pickup in enumerate(dungeon.pickups)
        if pickup.kind in ("key", "bombs") and resource(pickup) in renewing
    }
    feared = [atom for rule in all_rules(dungeon) for atom, denied in asked(rule) if denied]
    while True:
        known = len(found)
        atoms = [*feared, *(atom for number in found for atom, _ in asked(dungeon.pickups[number].rule))]
        found |= {
            number
            for number, pickup in enumerate(dungeon.pickups)
            if any(is_about(dungeon, atom, pickup) for atom in atoms)
        }
        found = {number for number in found if matters(dungeon, dungeon.pickups[number])}
        if len(found) == known:
            return frozenset(found)


class Twin(Rulebook):
    """Play one dungeon by the rule book, and know the moves of a thorough player."""

    def __init__(self, dungeon: Dungeon) -> None:
        super().__init__(dungeon)
        self.delicate = delicate(dungeon)
        self.matters = [matters(dungeon, pickup) for pickup in dungeon.pickups]
        self.haves = [atom for rule in all_rules(dungeon) for atom, _ in asked(rule) if isinstance(atom, Have)]
        self.counted = {atom.name for atom in self.haves if atom.what == "item" and atom.count > 1}
        self.regions: dict[State, frozenset[Place]] = {}

    def surroundings(self, state: State) -> tuple[Any, ...]:
        """Return all that moves can change for the worse; where the player is does not belong to it."""
        marks: set[int | str] = set()
        for number in state.taken & self.delicate:
            pickup = self.dungeon.pickups[number]
            if pickup.kind != "item" or pickup.name in self.counted:
                marks.add(number)
            elif pickup.name not in self.dungeon.rules.items:
                marks.add(pickup.name)  # a second one makes no difference
        stock = tuple((name, min(had, self.most_useful(state, name))) for name, had in state.stock)
        return state.opened, state.fallen, state.on, state.moved, state.dials, stock, frozenset(marks)

    def most_useful(self, state: State, name: str) -> int:
        """Return how many keys or bombs are as good as any number of them."""
        rules = self.dungeon.rules
        if rules.bombs is None if name == "bombs" else not rules.keys_counted:
            return 0
        gates = [
            "bombs" if gate.kind == "cracked" else resource_named("key", gate.needs[0])
            for number, gate in enumerate(self.dungeon.gates)
            if gate.kind in ("lock", "cracked") and number not in state.opened
        ]
        asked_for = [
            atom.count for atom in self.haves if atom.what != "item" and name == resource_named(atom.what, atom.name)
        ]
        return gates.count(name) + max(asked_for, default=0)

    def calm_target(self, state: State, move: str) -> Place | None:
        """Return where a calm move leads: one that changes only the place, whatever ordinary things lie there.

        A held plate may be stepped on and off: nothing is given up by that.
        """
        after = self.step(state, move)
        if after is None or self.is_won(after) or self.surroundings(after) != self.surroundings(state):
            return None
        return after.place

    def region(self, state: State) -> frozenset[Place]:
        """Return the places that calm moves lead to and back from, with what is held now."""
        if state not in self.regions:
            calm = {
                place: {target for move in self.moves if (target := self.calm_target(here, move)) is not None}
                for place in self._calmly_reached(state)
                for here in [state._replace(place=place)]
            }
            back = {state.place}
            while more := {place for place, targets in calm.items() if place not in back and targets & back}:
                back |= more
            for place in back:
                self.regions[state._replace(place=place)] = frozenset(back)
        return self.regions[state]

    def _calmly_reached(self, state: State) -> set[Place]:
        reached, waiting = {state.place}, [state.place]
        while waiting:
            here = state._replace(place=waiting.pop())
            for move in self.moves:
                target = self.calm_target(here, move)
                if target is not None and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return reached

    def is_full(self, state: State) -> bool:
        """Tell whether nothing ordinary that matters, and is not held yet, is there for the taking in the region."""
        for place in self.region(state):
            for number in self.pickups_at.get(place, ()):
                pickup = self.dungeon.pickups[number]
                alike = pickup.kind == "item" and pickup.name not in self.counted
                had = self.has_item(state, pickup.name) if alike else number in state.taken
                if had or not self.matters[number] or number in self.delicate:
                    continue
                if self.holds(state._replace(place=place), pickup.rule):
                    return False
        return True

    def is_thorough(self, state: State, move: str) -> bool:
        """Tell whether a thorough player makes this move: it stays in the region, or nothing is left there."""
        target = self.calm_target(state, move)
        return (target is not None and target in self.region(state)) or self.is_full(state)
