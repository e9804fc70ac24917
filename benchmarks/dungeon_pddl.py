"""Write a dungeon as PDDL, tile by tile, for general planners: one action is one move, so that lengths compare.

Plain STRIPS: positive preconditions, no types, no conditional effects, no costs. What can be used once (a lock, a tile
with something on it, a door that falls shut) is `fresh` before and `has` after. Keys of a colour and bombs are counted,
and no higher than there are gates to spend them on: more never helps. What does not matter is left out. The rules are
restated here, so that an answer on which all agree does not rest on one reading of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations

from solvent.dungeon.model import NOTHING, ONE_WAYS, STEPS, WALL, WATER, Dungeon, Gate, Place
from solvent.dungeon.rules import Game, inside

GOAL = "goal"
"""The one place that all goals are: nobody moves on from any of them."""
BOMBS = ("bombs", "")


class NotExpressible(ValueError):
    """Say that a dungeon has something that this encoding has no words for."""


@dataclass(frozen=True, slots=True)
class Move:
    """Hold one way to make one move; what it needs and does, by the names of PDDL objects."""

    source: str
    target: str
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    """What must be fresh, and is not afterwards."""
    gives: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    """Changes of how many keys or bombs there are."""

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Return what moves have in common that one action schema is enough for."""
        return len(self.needs), len(self.uses), len(self.gives), len(self.changes)

    @property
    def objects(self) -> tuple[str, ...]:
        """Return all names in the order of the schema's parameters."""
        return (self.source, self.target, *self.needs, *self.uses, *self.gives, *self.changes)


def write_pddl(dungeon: Dungeon) -> tuple[str, str]:
    """Return the texts of the domain and the problem, from the position after the moves played."""
    encoding = Encoding(dungeon)
    moves = list(dict.fromkeys(encoding.moves()))
    shapes = sorted({move.shape for move in moves})
    facts = [*encoding.first_facts(), *(f"({_relation(move.shape)} {' '.join(move.objects)})" for move in moves)]
    facts += encoding.change_facts()
    names = dict.fromkeys(name for fact in facts for name in fact.strip("()").split()[1:])
    domain = "\n".join(["(define (domain dungeon)", "(:requirements :strips)", *_schemas(shapes), ")", ""])
    problem = "\n".join(
        [
            "(define (problem level) (:domain dungeon)",
            f"(:objects {' '.join(dict.fromkeys([GOAL, *names]))})",
            "(:init",
            *facts,
            ")",
            f"(:goal (at {GOAL})))",
            "",
        ]
    )
    return domain, problem


def place_of(name: str) -> Place | None:
    """Return the place that an object stands for; None for the goal."""
    if name == GOAL:
        return None
    floor, row, column = name.removeprefix("t").split("-")
    return int(floor), int(row), int(column)


class Encoding:
    """Turn a dungeon into moves and facts."""

    def __init__(self, dungeon: Dungeon) -> None:
        if any(gate.kind == "barrier" for gate in dungeon.gates):
            raise NotExpressible("barriers and their switches")
        if dungeon.blocks and dungeon.rules.push == "once":
            raise NotExpressible("blocks that can be pushed")
        self.dungeon, self.rules = dungeon, dungeon.rules
        self.goals = frozenset(dungeon.goals)
        self.blocked = frozenset(block.place for block in dungeon.blocks)
        self.gate_at = {cell: number for number, gate in enumerate(dungeon.gates) for cell in gate.cells}
        self.room_named = {room.name: room for room in dungeon.rooms}
        prices = [price for gate in dungeon.gates if (price := self._price(gate)) is not None]
        self.most = {price: prices.count(price) for price in dict.fromkeys(prices)}
        """For each thing that is spent, how many gates there are to spend it on."""
        self.guards = {name: self._monsters_in(name) for name in self._guarded_rooms()}
        self.wanted = {item for gate in dungeon.gates if gate.kind == "item" for item in gate.needs}
        self.wanted.add(self.rules.water)
        self.number = {price: f"r{index}" for index, price in enumerate(self.most)}
        self.item = {name: f"i{index}" for index, name in enumerate(sorted(self.wanted))}
        self.loot: dict[Place, list[int]] = {}
        for index, pickup in enumerate(dungeon.pickups):
            if self._matters(index) and pickup.place not in self.goals:
                self.loot.setdefault(pickup.place, []).append(index)
        self.changes: dict[tuple[tuple[str, str], int, int], str] = {}
        """What is spent and had of one kind in one move, and the name of that change."""

    # what there is

    def _price(self, gate: Gate) -> tuple[str, str] | None:
        """Return what opening a gate costs, if anything."""
        if gate.kind == "lock" and self.rules.keys_counted:
            return "key", gate.needs[0]
        return BOMBS if gate.kind == "cracked" and self.rules.bombs is not None else None

    def _guarded_rooms(self) -> set[str]:
        soft = {gate.needs[0] for gate in self.dungeon.gates if gate.kind == "soft"}
        return soft if self.rules.soft == "clear" else set()

    def _monsters_in(self, room: str) -> list[int]:
        area = self.room_named[room]
        pickups = enumerate(self.dungeon.pickups)
        return [index for index, pickup in pickups if pickup.kind == "monster" and inside(pickup.place, area)]

    def _matters(self, index: int) -> bool:
        pickup = self.dungeon.pickups[index]
        if pickup.kind == "key":
            return ("key", pickup.name) in self.most
        if pickup.kind == "bombs":
            return BOMBS in self.most
        if pickup.kind == "item":
            return pickup.name in self.wanted
        return any(index in monsters for monsters in self.guards.values())

    def _terrain(self, place: Place) -> str:
        floor, row, column = place
        rows = self.dungeon.floors[floor].terrain
        return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[row]) else NOTHING

    def _name(self, place: Place) -> str:
        return GOAL if place in self.goals else f"t{place[0]}-{place[1]}-{place[2]}"

    # what can be done

    def moves(self) -> Iterator[Move]:
        """Yield every move from every tile, once for each thing that can be so or otherwise."""
        for number, floor in enumerate(self.dungeon.floors):
            for row, line in enumerate(floor.terrain):
                for column in range(len(line)):
                    place = (number, row, column)
                    for direction in STEPS if self._can_stand(place) else ():
                        yield from self._walk(place, direction)
        for way in self.dungeon.ways:
            if self._can_stand(way.source) and way.target not in self.blocked:
                yield from self._variants(way.source, way.target, {way.gate, self.gate_at.get(way.target)}, set())

    def _can_stand(self, place: Place) -> bool:
        return self._terrain(place) not in (WALL, NOTHING) and place not in self.goals and place not in self.blocked

    def _walk(self, place: Place, direction: str) -> Iterator[Move]:
        here = self._terrain(place)
        if ONE_WAYS.get(here, direction) != direction:
            return
        down, right = STEPS[direction]
        target = (place[0], place[1] + down, place[2] + right)
        items: set[str] = set()
        if self._terrain(target) == WATER:
            items.add(self.rules.water)
            if self.rules.crossing == "one":
                target = (target[0], target[1] + down, target[2] + right)
                if self._terrain(target) == WATER:
                    return
        there = self._terrain(target)
        if there in (WALL, NOTHING) or ONE_WAYS.get(there, direction) != direction or target in self.blocked:
            return
        yield from self._variants(place, target, {self.gate_at.get(target)}, items)

    def _variants(self, source: Place, target: Place, gates: Iterable[int | None], items: set[str]) -> Iterator[Move]:
        """Yield the move with each of its gates open already or opened now, and with the target's loot there or not."""
        needs = {self.item[name] for name in items}
        uses: set[str] = set()
        costly = []
        for number in sorted(number for number in gates if number is not None):
            gate = self.dungeon.gates[number]
            if self._price(gate) is not None:
                costly.append(number)
            elif gate.kind == "item":
                needs |= {self.item[name] for name in gate.needs}
            elif gate.kind == "soft" and self.rules.soft == "shut":
                uses.add(f"g{number}")
            elif gate.kind == "soft" and self.rules.soft == "clear" and inside(source, self.room_named[gate.needs[0]]):
                needs |= {f"m{index}" for index in self.guards[gate.needs[0]]}
        loot = self.loot.get(target, [])
        for opened in _subsets(costly):
            shut = {f"g{number}" for number in opened}
            ready = {f"g{number}" for number in costly} - shut
            spent = [price for number in opened if (price := self._price(self.dungeon.gates[number])) is not None]
            if not loot:
                yield self._move(source, target, needs | ready, uses | shut, [], spent)
                continue
            tile = self._name(target)
            yield self._move(source, target, needs | ready | {tile}, uses | shut, [], spent)
            yield self._move(source, target, needs | ready, uses | shut | {tile}, loot, spent)

    def _move(
        self,
        source: Place,
        target: Place,
        needs: set[str],
        uses: set[str],
        loot: list[int],
        spent: list[tuple[str, str]],
    ) -> Move:
        gained: dict[tuple[str, str], int] = {}
        gives = set()
        for index in loot:
            pickup = self.dungeon.pickups[index]
            if pickup.kind == "item":
                gives.add(self.item[pickup.name])
            elif pickup.kind == "monster":
                gives.add(f"m{index}")
            else:
                kind = ("key", pickup.name) if pickup.kind == "key" else BOMBS
                count = pickup.count if pickup.kind == "key" else pickup.count or self.rules.bombs_per_pickup
                gained[kind] = gained.get(kind, 0) + count
        changes = [
            self.changes.setdefault((kind, spent.count(kind), gained.get(kind, 0)), f"c{len(self.changes)}")
            for kind in sorted({*spent, *gained})
        ]
        return Move(
            self._name(source),
            self._name(target),
            tuple(sorted(needs)),
            tuple(sorted(uses)),
            tuple(sorted(gives)),
            tuple(changes),
        )

    # what is so

    def first_facts(self) -> list[str]:
        """Return what is so after the moves played."""
        game = Game(self.dungeon)
        state = game.present_state()
        facts = [f"(at {self._name(state.place)})"]
        for number, gate in enumerate(self.dungeon.gates):
            if self._price(gate) is not None or (gate.kind == "soft" and self.rules.soft == "shut"):
                used = number in state.opened or number in state.fallen
                facts.append(f"({'has' if used else 'fresh'} g{number})")
        for place, loot in self.loot.items():
            facts.append(f"({'has' if state.taken.issuperset(loot) else 'fresh'} {self._name(place)})")
            facts += [f"(has m{index})" for index in loot if self._is_beaten(index, state.taken)]
        facts += [f"(has {self.item[name]})" for name in sorted(self.wanted) if game.holds(state, name)]
        for kind, most in self.most.items():
            held = game.bombs(state) if kind == BOMBS else game.keys(state, kind[1])
            assert held is not None  # bombs have no price where they are unlimited
            facts.append(f"(stock {self.number[kind]} n{min(held, most)})")
        return facts

    def _is_beaten(self, index: int, taken: frozenset[int]) -> bool:
        return index in taken and self.dungeon.pickups[index].kind == "monster"

    def change_facts(self) -> list[str]:
        """Return which number turns into which by each change that a move makes."""
        return [
            f"(turns {name} {self.number[kind]} n{before} n{min(self.most[kind], before - spent + gained)})"
            for (kind, spent, gained), name in self.changes.items()
            for before in range(spent, self.most[kind] + 1)
        ]


def _subsets(numbers: list[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(numbers, size) for size in range(len(numbers) + 1))


def _relation(shape: tuple[int, int, int, int]) -> str:
    return "step" + "-".join(map(str, shape)) if any(shape) else "step"


def _schemas(shapes: list[tuple[int, int, int, int]]) -> Iterator[str]:
    """Yield the predicates and one action for each shape of move."""
    relations = [f"({_relation(shape)} ?a ?b {' '.join(f'?x{i}' for i in range(sum(shape)))})" for shape in shapes]
    yield "(:predicates (at ?a) (has ?x) (fresh ?x) (stock ?r ?n) (turns ?c ?r ?n ?m)"
    yield from relations
    yield ")"
    for shape, relation in zip(shapes, relations, strict=True):
        needs, uses, gives, changes = _split([f"?x{i}" for i in range(sum(shape))], shape)
        counts = [f"?r{i} ?n{i} ?m{i}" for i in range(len(changes))]
        before = ["(at ?a)", relation, *(f"(has {it})" for it in needs), *(f"(fresh {it})" for it in uses)]
        after = ["(not (at ?a))", "(at ?b)", *(f"(has {it})" for it in [*uses, *gives])]
        after += [f"(not (fresh {it}))" for it in uses]
        for index, change in enumerate(changes):
            before += [f"(stock ?r{index} ?n{index})", f"(turns {change} ?r{index} ?n{index} ?m{index})"]
            after += [f"(not (stock ?r{index} ?n{index}))", f"(stock ?r{index} ?m{index})"]
        parameters = " ".join(["?a ?b", *needs, *uses, *gives, *changes, *counts])
        yield f"(:action move-{_relation(shape)} :parameters ({parameters})"
        yield f" :precondition (and {' '.join(before)})"
        yield f" :effect (and {' '.join(after)}))"


def _split(names: list[str], sizes: Iterable[int]) -> list[list[str]]:
    parts, begin = [], 0
    for size in sizes:
        parts.append(names[begin : begin + size])
        begin += size
    return parts
