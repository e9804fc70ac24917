"""Random dungeons that stretch the files of level editors: odd floors, gates in pieces, gates on ways alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from solvent.dungeon.model import FLOOR, Block, Dungeon, Floor, Gate, Pickup, Place, Room, Rules, Switch, Way
from solvent.dungeon.notation.assembling import DungeonParts, assemble
from solvent.dungeon.rules import Game

NAMES = ("red", "blå", "Orm's", "boss key", "a-b", "鍵 1", "lock", "0", "7", "true", "none", "floor")
TITLES = ("", "Plain", 'A "quoted" <one> & more', "tab\tand\nline", "  blanks  ", "名前\u3000𝔘", "=,+;")


def wild_dungeon(seed: int) -> Dungeon:
    """Make a dungeon without regard for whether anybody could play it."""
    dice = Random(seed)
    floors = [_floor(dice, number) for number in range(dice.choice((1, 1, 2, 3, 9)))]
    if len(floors) == 1 and dice.random() < 0.5:
        floors = [replace(floors[0], name="")]
    tiles = [
        (number, row, column)
        for number, floor in enumerate(floors)
        for row, line in enumerate(floor.terrain)
        for column, letter in enumerate(line)
        if letter not in "# ~"
    ]
    dry = {place for place in tiles if floors[place[0]].terrain[place[1]][place[2]] == FLOOR}

    def somewhere(most: int) -> list[Place]:
        return [dice.choice(tiles) for _ in range(dice.randint(0, most))]

    start, goals = dice.choice(tiles), somewhere(3) or [tiles[0]]
    pickups = [_pickup(dice, place) for place in somewhere(8)]
    switches = [Switch(place, name) for place in set(somewhere(3)) for name in dice.sample(NAMES, 2)]
    rooms = [_room(dice, floors, name) for name in dice.sample(NAMES, dice.randint(0, 4))]
    cells = dice.sample(tiles, len(tiles))
    gates = [_gate(dice, cells, switches, rooms) for _ in range(dice.randint(0, 7) if len(tiles) > 1 else 0)]
    used = {
        start,
        *goals,
        *(thing.place for thing in (*pickups, *switches)),
        *(c for gate in gates for c in gate.cells),
    }
    bare = sorted(dry - used)
    return assemble(
        DungeonParts(
            floors,
            starts=[start],
            goals=goals,
            pickups=pickups,
            gates=gates,
            switches=switches,
            blocks=[Block(place) for place in dice.sample(bare, min(len(bare), dice.randint(0, 2)))],
            ways=_ways(dice, tiles, gates),
            rooms=rooms,
            rules=_rules(dice),
            title=dice.choice(TITLES),
        ),
        strict=False,
    )


def with_moves(dungeon: Dungeon, seed: int) -> Dungeon:
    """Return the dungeon after a few random moves."""
    dice, game, moves = Random(seed), Game(dungeon), list[str]()
    tries = ["N", "E", "S", "W", *map(str, range(len(dungeon.ways)))]
    tries += [f"u{number}" for number, switch in enumerate(dungeon.switches) if switch.kind == "lever"]
    tries += ["r"] * (dungeon.rules.home == "always")
    for _ in range(40):
        move = dice.choice(tries)
        if sum(1 for _ in game.walk(game.start_state(), [*moves, move])) == len(moves) + 1:
            moves.append(move)
    return replace(dungeon, played=tuple(moves))


def _floor(dice: Random, number: int) -> Floor:
    name = f"{dice.choice(NAMES)} {number}"
    if dice.random() < 0.4:
        return Floor(name, (FLOOR,))
    height, width = dice.randint(1, 6), dice.randint(2, 9)
    rows = ["".join(dice.choice("......##~ ^v<>") for _ in range(width)) for _ in range(height)]
    return Floor(name, ("." + rows[0][1:], *rows[1:]))


def _pickup(dice: Random, place: Place) -> Pickup:
    kind = dice.choice(("key", "bombs", "item", "monster"))
    if kind == "key":
        return Pickup(place, kind, dice.choice(("", *NAMES)), dice.choice((1, 1, 3)))
    if kind == "bombs":
        return Pickup(place, kind, count=dice.choice((0, 1, 9999)))
    return Pickup(place, kind, dice.choice(NAMES) if kind == "item" else "")


def _room(dice: Random, floors: list[Floor], name: str) -> Room:
    number = dice.randrange(len(floors))
    rows = floors[number].terrain
    row, column = dice.randrange(len(rows)), dice.randrange(len(rows[0]))
    height, width = dice.randint(1, len(rows) - row), dice.randint(1, len(rows[0]) - column)
    return Room(name, (number, row, column), height, width, tuple(dice.sample(NAMES, dice.randint(0, 2))))


def _gate(dice: Random, cells: list[Place], switches: list[Switch], rooms: list[Room]) -> Gate:
    some = tuple(cells.pop() for _ in range(min(len(cells), dice.choice((0, 1, 1, 2, 5)))))
    name = dice.choice(("", "", *NAMES))
    kind = dice.choice(("lock", "cracked", "item", "barrier", "soft"))
    if kind == "barrier" and switches:
        return Gate(kind, (dice.choice(switches).name,), some, dice.random() < 0.5, name)
    if kind == "soft" and rooms:
        return Gate(kind, (dice.choice(rooms).name,), some, name=name)
    if kind == "item":
        return Gate(kind, tuple(sorted(dice.sample(NAMES, dice.randint(1, 3)))), some, name=name)
    if kind == "lock":
        return Gate(kind, (dice.choice(("", *NAMES)),), some, name=name)
    return Gate("cracked", (), some, name=name)


def _ways(dice: Random, tiles: list[Place], gates: list[Gate]) -> list[Way]:
    ways = [Way(*dice.sample(tiles, 2), "door", number) for number, gate in enumerate(gates) if not gate.cells]
    for _ in range(dice.randint(0, 6)):
        source, target = dice.choice(tiles), dice.choice(tiles)
        if source == target:
            continue
        gate = dice.randrange(len(gates)) if gates and dice.random() < 0.6 else None
        way = Way(source, target, dice.choice(("stairs", "warp", "door", "passage")), gate)
        ways += [way] * dice.choice((1, 1, 2))
        if dice.random() < 0.4:
            ways.append(replace(way, source=target, target=source, gate=None if dice.random() < 0.5 else gate))
    return ways


def _rules(dice: Random) -> Rules:
    if dice.random() < 0.3:
        return Rules()
    return Rules(
        keys=tuple(
            sorted((colour, dice.randint(1, 9)) for colour in dice.sample(("", *NAMES[:4]), dice.randint(0, 2)))
        ),
        bombs=dice.choice((None, 0, 3)),
        items=tuple(sorted(dice.sample(NAMES[:6], dice.randint(0, 2)))),
        bombs_per_pickup=dice.randint(0, 9),
        keys_counted=dice.random() < 0.5,
        water=dice.choice(NAMES),
        crossing=dice.choice(("any", "one")),
        soft=dice.choice(("open", "clear", "shut")),
        push=dice.choice(("once", "never")),
        player=dice.choice(("any", "thorough")),
    )
