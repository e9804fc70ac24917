"""The form `surplus`: right ones are accepted, each small change is rejected, and nothing false is ever accepted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest
from torture.judges.dungeon import TooLarge, truth

from dungeon.dungeons import KNOWN, dungeon_of
from dungeon.strategies import random_dungeon, random_room_graph
from dungeon.test_checker import changes, found
from helpers.depth import up_to
from solvent.dungeon.checker.areas import place_of
from solvent.dungeon.checker.dominance import find_groups
from solvent.dungeon.checker.moves import build_maze
from solvent.dungeon.checker.play import lay_out
from solvent.dungeon.checker.zones import Zones, find_zones
from solvent.dungeon.model import Dungeon, Floor, Gate, Pickup, Place, Rules, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble

FORM = "surplus"
MAX_STATES = 4000
HUB = dungeon_of("#k#k##/#L#L##/k.@.LG")
"""Each side room gives back the key it takes."""
BOTH_WAYS = (Way((0, 0, 2), (1, 0, 0), "door", 0), Way((1, 0, 0), (0, 0, 2), "door", 0))
BY_TWO_GATES = (*BOTH_WAYS, *(replace(way, gate=1) for way in BOTH_WAYS))
ROUND = (
    *(Way((one, 0, 0), ((one + 1) % 3, 0, 0), "door") for one in range(3)),
    *(Way(source, target, "stairs", 0) for source, target in (((0, 0, 1), (2, 0, 0)), ((2, 0, 0), (0, 0, 1)))),
)
"""Each room leads to the next, and a locked stair leads from the first to the last and back."""
LOCK, TORCH = Gate("lock", ("",)), Gate("item", ("torch",))


def body(goal: Place, least: list[list[int]] | None = None, items: list[list[Any]] | None = None) -> dict[str, Any]:
    return {"goal": list(goal), "items": items or [], "least": least or []}


RIGHT: dict[str, tuple[Dungeon, dict[str, Any]]] = {
    "nothing needed": (dungeon_of("@..G"), body((0, 0, 3))),
    "a hub": (HUB, body((0, 2, 5), [[2, 1]])),
    "a key carried": (dungeon_of("k@LG/.L##", rules=Rules(keys=(("", 1),))), body((0, 0, 3), [[0, 1]])),
    "a chain": (dungeon_of("k@L.LG/###k##"), body((0, 0, 5), [[0, 1], [1, 1]])),
    "two keys in one place": (dungeon_of("K@LG/.L##"), body((0, 0, 3), [[0, 1]])),
    "two colours": (dungeon_of("rk@R.LG/#L#####/#k#####"), body((0, 0, 6), [[0, 1], [1, 1]])),
    "bombs": (dungeon_of("b@B.BG/#B####"), body((0, 0, 5), [[0, 3], [1, 2]])),
    "as many bombs as one likes": (dungeon_of("@B.BG", rules=Rules(bombs=None)), body((0, 0, 4))),
    "items": (dungeon_of("t@T.l~.G"), body((0, 0, 7), items=[["torch", 0], ["ladder", 1]])),
    "items carried": (dungeon_of("t@T.l~.G", rules=Rules(items=("ladder", "torch"))), body((0, 0, 7))),
    "a leap": (dungeon_of("l@~.G", rules=Rules(crossing="one")), body((0, 0, 4), items=[["ladder", 0]])),
    "a wide river to leap": (
        dungeon_of("l@~.G/..~..", rules=Rules(crossing="one")),
        body((0, 0, 4), items=[["ladder", 0]]),
    ),
    "one of two torches": (dungeon_of("t@T.G/#L###/#t###"), body((0, 0, 4), items=[["torch", 0]])),
    "an item behind a lock": (dungeon_of("tL@T.G/##k###"), body((0, 0, 5), [[0, 1]], [["torch", 0]])),
    "a lock of two cells": (
        dungeon_of("k@..G/.#..#", gates=(Gate("lock", ("",), ((0, 0, 2), (0, 1, 2))),)),
        body((0, 0, 4), [[0, 1]]),
    ),
    "a lock in two places": (
        dungeon_of("G..@..kk/###k####", gates=(Gate("lock", ("",), ((0, 0, 2), (0, 0, 4))),)),
        body((0, 0, 0), [[0, 1]]),
    ),
    "two cells into the same room": (
        dungeon_of("k@..G/#.#.#/#...#", gates=(Gate("lock", ("",), ((0, 0, 2), (0, 2, 2))),)),
        body((0, 0, 4), [[0, 1]]),
    ),
    "a lock on the goal": (
        dungeon_of("k@.G", gates=(Gate("lock", ("",), ((0, 0, 3),)),)),
        body((0, 0, 3), [[0, 1]]),
    ),
    "a locked way there and back": (dungeon_of("k@.", ".G", ways=BOTH_WAYS, gates=(LOCK,)), body((1, 0, 1), [[0, 1]])),
    "a key that lies on a lock": (
        dungeon_of("k@k.LG", gates=(Gate("lock", ("",), ((0, 0, 2),)),)),
        body((0, 0, 5), [[0, 1], [1, 1]]),
    ),
    "a one-way with a way round": (dungeon_of("..@LG/.>.k#"), body((0, 0, 4), [[0, 1]])),
    "a one-way back to where one came from": (dungeon_of("k@L.G/#.<.#"), body((0, 0, 4), [[0, 1]])),
    "a lock across a circle that is walked one way": (
        dungeon_of("k@", ".", ".G", ways=ROUND, gates=(LOCK,)),
        body((2, 0, 1)),
    ),
    "a gate for what was needed before": (
        dungeon_of("t@T.LG/###T##/###k##"),
        body((0, 0, 5), [[1, 1]], [["torch", 0]]),
    ),
    "with moves played": (replace(HUB, played=("W", "W", "E", "N", "N")), body((0, 2, 5), [[2, 1]])),
    "for the thorough": (replace(HUB, rules=Rules(player="thorough")), body((0, 2, 5), [[2, 1]])),
    "blocks that are walls": (dungeon_of("k@LG/.o..", rules=Rules(push="never")), body((0, 0, 3), [[0, 1]])),
    "one of two goals": (dungeon_of("G.k@LG"), body((0, 0, 0))),
    "two locks into one room": (
        dungeon_of("K@L./.##./.L../###G"),
        body((0, 3, 3), [[0, 2]]) | {"detours": [[[0, 0, 2], [0, 0, 3]]]},
    ),
    "a torch or a ladder": (
        dungeon_of("t@T./l##./.~../###G"),
        body((0, 3, 3), items=[["torch", 0]]) | {"detours": [[[0, 0, 2], [0, 0, 3]]]},
    ),
    "a lock from two sides": (
        dungeon_of(".K@L..G/###K###", gates=(Gate("lock", ("",), ((0, 0, 0), (0, 0, 5))),)),
        body((0, 0, 6), [[0, 3], [1, 1]]) | {"detours": [[[0, 0, 3], [0, 0, 5]]]},
    ),
    "one gate of two": (
        dungeon_of("tl@", "..G", ways=BY_TWO_GATES, gates=(TORCH, replace(TORCH, needs=("ladder",)))),
        body((1, 0, 2), items=[["torch", 0]]),
    ),
    "a key to fetch first": (
        dungeon_of("kr@L.LG/##R####/##k####"),
        body((0, 0, 6), [[0, 2], [1, 1], [2, 1]], [["", 2]]),
    ),
    "a gate on a goal and elsewhere": (
        dungeon_of("@.b..G", rules=Rules(bombs=2), gates=(Gate("cracked", (), ((0, 0, 1), (0, 0, 5))),)),
        body((0, 0, 5), [[0, 2]]),
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_accepted_and_true(name: str):
    dungeon, right = RIGHT[name]
    assert truth(dungeon).lost is None
    assert found(dungeon, FORM, **right) == []


@pytest.mark.parametrize("name", RIGHT)
def test_each_small_change_is_rejected(name: str):
    dungeon, right = RIGHT[name]
    tried = 0
    for changed in changes(right):
        if changed != right and not claims_less(changed, right):
            assert found(dungeon, FORM, **changed) != []
            tried += 1
    assert tried > 10


def claims_less(changed: dict[str, Any], right: dict[str, Any]) -> bool:
    """Tell whether less is said to be in hand than there is, but something; or a detour is told otherwise."""
    if "detours" in changed and {**changed, "detours": right.get("detours")} == right:
        return bool(changed["detours"])
    if "least" not in changed or {**changed, "least": right["least"]} != right:
        return False
    said, known = changed["least"], right["least"]
    return len(said) == len(known) and all(
        len(one) == 2 and one[0] == other[0] and type(one[1]) is int and 1 <= one[1] <= other[1]
        for one, other in zip(said, known, strict=True)
    )


# Words


@pytest.mark.parametrize(
    ("dungeon", "words"),
    [
        (KNOWN["a lever"].dungeon, "there are switches"),
        (dungeon_of("k@LG/.o.."), "there are blocks that can be pushed"),
        (KNOWN["monsters do not let out"].dungeon, "there are soft-locked doors that may be shut"),
        (KNOWN["a door shuts behind"].dungeon, "there are soft-locked doors that may be shut"),
        (KNOWN["a drop past the key"].dungeon, "S at row 0, column 2 cannot be undone"),
        (KNOWN["a locked way"].dungeon, "0 at row 0, column 2 of floor 0 cannot be undone"),
    ],
)
def test_where_it_does_not_apply_it_says_why(dungeon: Dungeon, words: str):
    assert found(dungeon, FORM, **body(dungeon.goals[0])) == [f"does not apply: {words}"]


@pytest.mark.parametrize(
    ("dungeon", "said", "words"),
    [
        (HUB, body((0, 2, 5), [[2, 2]]), "gate 2: least is 1, not 2"),
        (HUB, body((0, 2, 5)), "gate 2 is on the way, but not listed"),
        (
            HUB,
            body((0, 2, 5), [[0, 1], [2, 1]]),
            "gate 0 is listed, but no way leads through it, or it takes nothing",
        ),
        (HUB, body((0, 2, 5), [[2, 1], [2, 1]]), "least is not sorted, or lists a gate twice"),
        (HUB, body((0, 2, 4), [[2, 1]]), "expected a goal, found (0, 2, 4)"),
        (
            KNOWN["the wrong lock"].dungeon,
            body((0, 0, 3), [[0, 0]]),
            "gate 0: there may be nothing left to open it with",
        ),
        (KNOWN["standing on the goal"].dungeon, body((0, 0, 2)), "the game is won already, so nothing can run short"),
        (KNOWN["a wall"].dungeon, body((0, 0, 3)), "no way leads to the goal at row 0, column 3"),
        (KNOWN["a torch"].dungeon, body((0, 0, 3)), "torch: needed, but not listed"),
        (KNOWN["a torch"].dungeon, body((0, 0, 3), items=[["rope", 0]]), "pickup 0 is not the item 'rope'"),
        (
            dungeon_of("l@~~~t~TG"),
            body((0, 0, 8), items=[["torch", 1], ["ladder", 0]]),
            "the way to 'torch' needs ladder, not listed before it",
        ),
        (dungeon_of("t@.G/#T#."), body((0, 0, 3), items=[["torch", 0]]), "torch: listed, but not needed"),
        (dungeon_of("@T.G/##t#"), body((0, 0, 3), items=[["torch", 0]]), "the way to 'torch' needs torch, not"),
    ],
)
def test_what_is_wrong_is_said_in_words(dungeon: Dungeon, said: dict[str, Any], words: str):
    assert found(dungeon, FORM, **said)[0].startswith(words)


# Trees made by hand: rooms, each behind one door, numbered so that the one before comes first


@dataclass
class Room:
    """Hold a room of a tree: what it is behind, and what lies in it."""

    before: int
    kind: str
    """Of its door: lock, cracked, item or water."""
    needs: tuple[str, ...] = ()
    things: list[tuple[str, str, int]] = field(default_factory=list)
    """Kind, name and count."""


def random_tree(dice: Random) -> list[Room]:
    """Return a few rooms; the first is where the player starts."""
    rooms = [Room(-1, "none")]
    kinds = dice.choice(["l", "ll", "lc", "lli", "lciw"])
    for _ in range(dice.randrange(1, 7)):
        kind = {"l": "lock", "c": "cracked", "i": "item", "w": "water"}[dice.choice(kinds)]
        needs: tuple[str, ...] = ()
        if kind == "lock":
            needs = (dice.choice(["", "", "", "red"]),)
        elif kind == "item":
            needs = dice.choice([("torch",), ("rope",), ("rope", "torch")])
        rooms.append(Room(dice.randrange(len(rooms)), kind, needs))
    for room in list(rooms[1:]):
        where = rooms[room.before] if dice.random() < 0.5 else dice.choice(rooms)
        if dice.random() < 0.3:
            where = room
        things = {"lock": [("key", *room.needs, dice.choice([1, 1, 1, 2]))], "cracked": [("bombs", "", 0)]}
        things["item"] = [("item", name, 1) for name in room.needs]
        things["water"] = [("item", "ladder", 1)]
        where.things += things[room.kind]
    return rooms


def build(rooms: list[Room], goal_room: int, rules: Rules, dice: Random) -> tuple[Dungeon, list[int | None]]:
    """Return the dungeon, and the number of each room's gate.

    A room is a floor. Its first tile belongs to the room before, then comes the door; or the door bars ways.
    """
    floors, pickups, gates, ways = [], [], [], []
    insides: list[list[Place]] = []
    marks: list[Gate | None] = []
    for number, room in enumerate(rooms):
        size = max(1, len(room.things)) + (number == goal_room)
        barred_ways = room.kind not in ("none", "water") and dice.random() < 0.3
        front = {"none": "", "water": ".~"}.get(room.kind, "" if barred_ways else "..")
        floors.append(Floor(f"room {number}", (front + "." * size,)))
        inside = [(number, 0, len(front) + column) for column in range(size)]
        insides.append(inside[: size - (number == goal_room)])
        pickups += [Pickup(place, *thing) for place, thing in zip(inside, room.things, strict=False)]
        gate = None
        if room.kind in ("lock", "cracked", "item"):
            cells = () if barred_ways else ((number, 0, 1),)
            gate = Gate(room.kind, room.needs, cells, name=f"gate {number}")
            gates.append(gate)
        marks.append(gate)
        if room.before >= 0:
            there = dice.choice(insides[room.before])
            bar = len(gates) - 1 if barred_ways else None
            ways += [Way(there, (number, 0, 0), "door", bar), Way((number, 0, 0), there, "door", bar)]
    dungeon = assemble(
        DungeonParts(
            floors,
            starts=[insides[0][0]],
            goals=[(goal_room, 0, len(floors[goal_room].terrain[0]) - 1)],
            pickups=pickups,
            gates=gates,
            ways=ways,
            rules=rules,
        ),
        strict=False,
    )
    return dungeon, [None if gate is None else dungeon.gates.index(gate) for gate in marks]


def random_rules(dice: Random) -> Rules:
    return Rules(
        keys=dice.choice([(), (), (("", 1),), (("", 1), ("red", 1))]),
        bombs=dice.choice([0, 0, 1, None]),
        items=dice.choice([(), (), (), ("torch",), ("ladder",)]),
        bombs_per_pickup=dice.choice([1, 2]),
        keys_counted=dice.random() < 0.95,
        crossing=dice.choice(["any", "one"]),
        player=dice.choice(["any", "any", "thorough"]),
    )


def wants(rooms: list[Room], door: int, rules: Rules) -> tuple[str, tuple[str, ...]]:
    """Return what a door takes or asks for, as a kind and names; nothing if it stands open.

    What is asked for on the way there is not asked for again.
    """
    room = rooms[door]
    if room.kind == "lock" and rules.keys_counted:
        return "key", room.needs
    if room.kind == "cracked" and rules.bombs is not None:
        return "bombs", ("",)
    asked = {other: items_asked(rooms[other]) for other in doors_to(rooms, door)}
    before = {name for other, names in asked.items() if other != door for name in names}
    missing = tuple(name for name in items_asked(room) if name not in rules.items and name not in before)
    return ("item", missing) if missing else ("", ())


def items_asked(room: Room) -> tuple[str, ...]:
    return room.needs if room.kind == "item" else ("ladder",) if room.kind == "water" else ()


def doors_to(rooms: list[Room], number: int) -> list[int]:
    path = []
    while number > 0:
        path.append(number)
        number = rooms[number].before
    return path


def least_by_looking(rooms: list[Room], door: int, rules: Rules) -> int:
    """Return the least that can be in hand before a door, over every set of rooms that could have been opened."""
    resource = wants(rooms, door, rules)
    carried = dict(rules.keys).get(resource[1][0], 0) if resource[0] == "key" else rules.bombs or 0
    stocks = []
    others = [number for number in range(1, len(rooms)) if number != door]
    for size in range(len(others) + 1):
        for some in combinations(others, size):
            opened = {0, *some}
            if rooms[door].before not in opened or any(rooms[number].before not in opened for number in some):
                continue
            standing_open = [n for n in others if rooms[n].before in opened and wants(rooms, n, rules)[0] == ""]
            if not opened.issuperset(standing_open):
                continue
            stock = carried - sum(wants(rooms, number, rules) == resource for number in some)
            for number in opened:
                for kind, name, count in rooms[number].things:
                    if kind == resource[0] and name == resource[1][0]:
                        stock += count if kind == "key" else count or rules.bombs_per_pickup
            stocks.append(stock)
    return min(stocks)


def fetch(rooms: list[Room], number: int, rules: Rules, listed: dict[str, int], on_the_way: frozenset[str]) -> bool:
    """List the items that the way to a room needs, each with its room, after those its own way needs."""
    for door in doors_to(rooms, number):
        kind, names = wants(rooms, door, rules)
        for name in names if kind == "item" else ():
            if name in listed:
                continue
            if name in on_the_way:
                return False
            for where, room in enumerate(rooms):
                kept = dict(listed)
                if ("item", name, 1) in room.things and fetch(rooms, where, rules, listed, on_the_way | {name}):
                    listed[name] = where
                    break
                listed.clear()
                listed.update(kept)
            else:
                return False
    return True


def make_body(
    rooms: list[Room], goal_room: int, dungeon: Dungeon, gate_of: list[int | None]
) -> tuple[dict[str, Any], bool] | None:
    """Return a certificate and whether it is to be accepted, or None if some item cannot be had."""
    rules = dungeon.rules
    listed: dict[str, int] = {}
    if not fetch(rooms, goal_room, rules, listed, frozenset()):
        return None
    required = {door for number in (goal_room, *listed.values()) for door in doors_to(rooms, number)}
    least = {}
    for door in required:
        gate = gate_of[door]
        if gate is not None and wants(rooms, door, rules)[0] in ("key", "bombs"):
            least[gate] = least_by_looking(rooms, door, rules)
    items = []
    for name, where in listed.items():
        numbers = [n for n, pickup in enumerate(dungeon.pickups) if pickup.place[0] == where and pickup.name == name]
        items.append([name, numbers[0]])
    said = body(dungeon.goals[0], [list(pair) for pair in sorted(least.items())], items)
    return said, all(number >= 1 for number in least.values())


def test_trees_are_accepted_exactly_where_nothing_runs_short():
    accepted = refused = spared = 0
    for seed in range(250):
        dice = Random(seed)
        rooms = random_tree(dice)
        goal_room = dice.randrange(len(rooms))
        dungeon, gate_of = build(rooms, goal_room, random_rules(dice), dice)
        made = make_body(rooms, goal_room, dungeon, gate_of)
        if made is None:
            continue
        said, right = made
        assert (found(dungeon, FORM, **said) == []) == right, seed
        try:
            losable = truth(dungeon, MAX_STATES).lost is not None
        except TooLarge:
            continue
        accepted += right
        refused += not right
        spared += not right and not losable
        assert not (right and losable), seed
    assert accepted > 60
    assert refused > 40
    assert spared < accepted // 2


# Dungeons that make no sense


def scribble(seed: int) -> Dungeon:
    """Return a few tiles crammed with things, some ways there and back, and gates that bar several places."""
    dice = Random(seed)
    height, width = dice.choice([(1, 7), (1, 8), (2, 4), (2, 5), (3, 3), (3, 4)])
    glyphs = dice.choice(["kL", "kKL", "kLLRr", "kLTt", "kL~l", "kLTt~l", "bB", "bBkL", "kL>v"])
    cells = [dice.choice("..##" + glyphs) for _ in range(height * width)]
    for place, glyph in zip(dice.sample(range(len(cells)), 4), "@GkL", strict=True):
        cells[place] = glyph
    plain = [number for number, cell in enumerate(cells) if cell == "."]
    gates = []
    for _ in range(dice.choice([0, 0, 1, 2])):
        barred = dice.sample(plain, min(len(plain), dice.choice([0, 1, 2, 2])))
        plain = [number for number in plain if number not in barred]
        kind, needs = dice.choice([("lock", ("",)), ("lock", ("red",)), ("cracked", ()), ("item", ("torch",))])
        gates.append(Gate(kind, needs, tuple((0, *divmod(number, width)) for number in barred)))
    dry = [(0, *divmod(number, width)) for number, cell in enumerate(cells) if cell not in "#~"]
    ways: list[Way] = []
    for gate in [*(n for n, gate in enumerate(gates) if not gate.cells), *[None] * dice.choice([0, 0, 0, 1])]:
        one, other = dice.sample(dry, 2)
        back = gate if dice.random() < 0.7 else None
        ways += [Way(one, other, "door", gate), Way(other, one, "door", back)]
        if gates and dice.random() < 0.2:
            ways.append(Way(*dice.sample(dry, 2), "door", dice.randrange(len(gates))))
    return dungeon_of(
        "/".join("".join(cells[row * width : (row + 1) * width]) for row in range(height)),
        rules=random_rules(dice),
        ways=ways,
        gates=gates,
        strict=False,
    )


def proposals(dungeon: Dungeon) -> Iterator[dict[str, Any]]:
    """Yield what the checker would accept if all came first, for each goal, way and choice of items."""
    zones = find_zones(build_maze(lay_out(dungeon)))
    if isinstance(zones, str):
        return
    ledger = zones.maze.ledger
    things = enumerate(dungeon.pickups)
    pickups = [(thing.name, n) for n, thing in things if n in ledger.pickups or thing.name in ledger.items]
    choices = [[list(pair) for pair in some] for size in range(3) for some in combinations(pickups, size)]
    choices += [some[::-1] for some in choices if len(some) > 1]
    for items in choices[:1] + Random(len(choices)).sample(choices[1:], min(3, len(choices) - 1)):
        for turn in (False, True):
            targets = [zones.zone_at(dungeon.pickups[number].place) for _, number in items]
            for area, entries in zones.onto_goals.items():
                goal = place_of(
                    zones.maze.areas.tiles, next(t for t, a in zones.maze.areas.special.items() if a == area)
                )
                for zone, door in entries:
                    gates, detours = followed(zones, [zone, *(target for target in targets if target)], turn=turn)
                    least = [[gate, 1] for gate in sorted(gates | set(door.gates))]
                    yield body(goal, least, items) | ({"detours": detours} if detours else {})


def followed(zones: Zones, targets: list[int], *, turn: bool) -> tuple[set[int], list[list[Place]]]:
    """Return the gates on shortest ways to some zones, and the detours they take; `turn` decides between them."""
    above = find_groups(zones).above
    places: dict[int, Place] = {}
    for tile, area in zones.maze.areas.special.items():
        if area in zones.zone_of:
            places[zones.zone_of[area]] = place_of(zones.maze.areas.tiles, tile)
    for tile, area in zip(zones.maze.areas.run_starts, zones.maze.areas.run_areas, strict=True):
        if area in zones.zone_of:
            places[zones.zone_of[area]] = place_of(zones.maze.areas.tiles, tile)
    gates: set[int] = set()
    detours = []
    done = {0}
    for target in targets:
        zone = target
        while zone not in done:
            done.add(zone)
            before = {above[zone]: -1}
            waiting = [above[zone]]
            for here in waiting:
                for one, other in sorted(zones.doors, reverse=turn):
                    if one == here and other not in before:
                        before[other] = here
                        waiting.append(other)
            way = [zone]
            while before[way[-1]] != -1:
                way.append(before[way[-1]])
            way.reverse()
            if len(way) > 2:
                detours.append([places[step] for step in way[1:]])
            for pair in pairwise(way):
                gates.update(min(zones.doors[pair], key=lambda door: (len(door.gates), door)).gates)
            zone = above[zone]
    return gates, detours


@pytest.mark.parametrize("kind", ["rooms", "rooms with one-ways", "scribbles", "room graphs"])
def test_whatever_is_accepted_is_true(kind: str):
    mechanics = ("locks", "bombs", "items", "water", "ways")
    accepted = with_gates = 0
    for seed in range(up_to(100, deep=120) if kind.startswith("rooms") else up_to(120, deep=1500)):
        if kind == "scribbles":
            dungeon = scribble(seed)
        elif kind == "room graphs":
            dungeon = random_room_graph(seed)
        else:
            dungeon = random_dungeon(seed, mechanics=mechanics + ("one-ways",) * (kind != "rooms"))
        right = [said for said in proposals(dungeon) if found(dungeon, FORM, **said) == []]
        if not right:
            continue
        try:
            assert truth(dungeon, MAX_STATES).lost is None, seed
        except TooLarge:
            continue
        accepted += 1
        with_gates += any(said["least"] for said in right)
    assert accepted > 10
    assert with_gates > 2
