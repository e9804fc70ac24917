"""The dungeon by place, and what a state of play is. Terrain is looked up where it is asked for, nothing is copied."""

from __future__ import annotations

from msgspec import Struct, field

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.model import FLOOR, NOTHING, STEPS, Dungeon, Pickup, Place, Room, Switch


class State(Struct, frozen=True):
    """Hold everything that moves can change."""

    place: Place
    taken: frozenset[int]
    """Numbers of pickups."""
    opened: frozenset[int] = frozenset()
    """Numbers of locks and cracked walls opened for good."""
    fallen: frozenset[int] = frozenset()
    """Numbers of soft-locked doors that fell shut."""
    on: frozenset[str] = frozenset()
    """Names of switches that are on, of those that have no states of their own and are not held."""
    moved: frozenset[tuple[int, str]] = frozenset()
    """Numbers of blocks that are not where they stood at first, each with the walk from there: rows before columns."""
    dials: frozenset[tuple[str, str]] = frozenset()
    """Names of switches with states of their own that are not in the first of them, each with its state."""
    stock: tuple[tuple[str, int], ...] = ()
    """How many are in hand of each resource that renews somewhere, sorted by resource."""


class Board(Struct, frozen=True):
    """Hold the dungeon by place."""

    dungeon: Dungeon
    pickups: dict[Place, list[int]]
    gates: dict[Place, int]
    plates: dict[Place, list[Switch]]
    """Plates that a step onto them turns."""
    held: dict[Place, frozenset[str]]
    """Names of the switches that are on while something is on the plate there."""
    held_plates: dict[str, list[Place]]
    """The plates of each of these switches."""
    levers: dict[Place, list[int]]
    """Numbers of the levers that can be worked from a place."""
    dials: dict[str, tuple[str, ...]]
    """The states of switches that have their own."""
    blocks: dict[Place, int]
    goals: frozenset[Place]
    closed: frozenset[Place]
    cluttered: frozenset[Place]
    """Where no block comes to rest, whatever the terrain, but for one that stood there at first."""
    rooms: dict[str, Room]
    items: dict[str, frozenset[int]]
    """The numbers of the pickups of each item."""
    monsters: dict[tuple[int, int], list[tuple[int, int]]]
    """For each floor and row, the column and the number of every monster there."""
    renewing: frozenset[str]
    """Resources of which some pickup renews."""
    guards: dict[str, frozenset[int]] = field(default_factory=dict)
    """The monsters of rooms by name, filled as asked for."""
    meter: Meter = UNLIMITED
    """What the check may cost."""


def lay_out(dungeon: Dungeon, meter: Meter = UNLIMITED) -> Board:
    """Sort the things of a dungeon by place."""
    pickups: dict[Place, list[int]] = {}
    items: dict[str, list[int]] = {}
    monsters: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, pickup in enumerate(meter.each(dungeon.pickups)):
        pickups.setdefault(pickup.place, []).append(number)
        if pickup.kind == "item":
            items.setdefault(pickup.name, []).append(number)
        if pickup.kind == "monster":
            floor, row, column = pickup.place
            monsters.setdefault((floor, row), []).append((column, number))
    plates: dict[Place, list[Switch]] = {}
    held: dict[Place, frozenset[str]] = {}
    held_plates: dict[str, list[Place]] = {}
    levers: dict[Place, list[int]] = {}
    for number, switch in enumerate(meter.each(dungeon.switches)):
        if switch.kind == "plate":
            plates.setdefault(switch.place, []).append(switch)
        elif switch.kind == "held":
            held[switch.place] = held.get(switch.place, frozenset()) | {switch.name}
            held_plates.setdefault(switch.name, []).append(switch.place)
        else:
            for place in switch.reach:
                levers.setdefault(place, []).append(number)
    gates = dict(meter.each((cell, number) for number, gate in enumerate(dungeon.gates) for cell in gate.cells))
    blocks = {block.place: number for number, block in enumerate(dungeon.blocks)}
    ends = [end for way in dungeon.ways for end in (way.source, way.target)]
    meter.checkpoint()
    return Board(
        dungeon=dungeon,
        pickups=pickups,
        gates=gates,
        plates=plates,
        held=held,
        held_plates=held_plates,
        levers=levers,
        dials={dial.switch: dial.states for dial in dungeon.dials},
        blocks=blocks,
        goals=frozenset(dungeon.goals),
        closed=frozenset(dungeon.closed),
        cluttered=frozenset((*pickups, *gates, *plates, *blocks, *dungeon.goals, *dungeon.closed, *ends)),
        rooms={room.name: room for room in dungeon.rooms},
        items={name: frozenset(numbers) for name, numbers in items.items()},
        monsters=monsters,
        renewing=frozenset(name_resource(pickup.kind, pickup.name) for pickup in dungeon.pickups if pickup.renews),
        meter=meter,
    )


def name_resource(kind: str, name: str) -> str:
    """Return what keys, bombs, locks and cracked walls are about: `bombs`, `key`, or `key` and a colour."""
    return "bombs" if kind in ("bombs", "cracked") else f"key {name}" if name else "key"


def count_of(dungeon: Dungeon, pickup: Pickup) -> int:
    """Return how many there are in a pickup."""
    return dungeon.rules.bombs_per_pickup if pickup.kind == "bombs" and pickup.count == 0 else pickup.count


def terrain_at(board: Board, place: Place) -> str:
    """Return the terrain, which is NOTHING outside the grid."""
    floor, row, column = place
    rows = board.dungeon.floors[floor].terrain
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else NOTHING


def neighbour(place: Place, direction: str) -> Place:
    """Return the next place in a direction, which may lie outside the grid."""
    floor, row, column = place
    south, east = STEPS[direction]
    return floor, row + south, column + east


def follow_walk(place: Place, walk: str) -> Place:
    """Return where a walk ends."""
    floor, row, column = place
    return floor, row + walk.count("S") - walk.count("N"), column + walk.count("E") - walk.count("W")


def find_walk(place: Place, other: Place) -> str:
    """Return the walk from a place to another of the same floor: rows before columns."""
    south, east = other[1] - place[1], other[2] - place[2]
    return ("S" * south if south > 0 else "N" * -south) + ("E" * east if east > 0 else "W" * -east)


def inside(place: Place, room: Room) -> bool:
    """Tell whether a place lies in the rectangle of a room."""
    floor, row, column = place
    top_floor, top, left = room.corner
    return floor == top_floor and top <= row < top + room.height and left <= column < left + room.width


def takes_block(board: Board, block: int, place: Place) -> bool:
    """Tell whether a block may be pushed here, if no other block rests here."""
    if place == board.dungeon.blocks[block].place:
        return board.dungeon.rules.push == "on"
    return terrain_at(board, place) == FLOOR and place not in board.cluttered


def monsters_in(board: Board, room: Room) -> frozenset[int]:
    """Return the numbers of the monsters that are in a room at the beginning."""
    found = board.guards.get(room.name)
    if found is None:
        floor, top, left = room.corner
        if room.height <= len(board.monsters):
            rows = [(floor, row) for row in range(top, top + room.height)]
        else:
            rows = [where for where in board.monsters if where[0] == floor and top <= where[1] < top + room.height]
        found = board.guards[room.name] = frozenset(
            number
            for where in rows
            for column, number in board.monsters.get(where, ())
            if left <= column < left + room.width
        )
    return found


def show_place(dungeon: Dungeon, place: Place) -> str:
    """Return a place in words, counted from 0 as everywhere."""
    floor, row, column = place
    name = dungeon.floors[floor].name
    if len(dungeon.floors[floor].terrain) == 1 and len(dungeon.floors[floor].terrain[0]) == 1 and name:
        return name
    return f"row {row}, column {column}{f' of {name}' if name else ''}"
