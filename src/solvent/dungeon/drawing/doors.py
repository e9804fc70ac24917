"""Sort out the ways of a dungeon for a drawing: doors between facing tiles, and links across the map.

A wide doorway is many ways side by side; it is drawn as one door. Ways of one kind between the same two rooms are drawn
as one link.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from msgspec import Struct

from solvent.dungeon.model import NOTHING, WALL, Dungeon, Place, Way
from solvent.dungeon.rooms import rooms_of

LONGEST_DOOR = 5
"""Tiles from one side of a door to the other; ways that lead further are links."""

Gates = tuple[int | None, ...]
"""The gates of the ways in one direction, None for a way without; empty if there is no way."""


class Door(NamedTuple):
    """Hold a doorway: ways side by side, straight through what stands between their ends."""

    near: tuple[Place, ...]
    """The tiles north or west of it, side by side."""
    far: tuple[Place, ...]
    """The tiles that face them."""
    there: Gates
    """From near to far."""
    back: Gates
    kind: str

    @property
    def upright(self) -> bool:
        """Tell whether one goes through it north and south."""
        return self.near[0][2] == self.far[0][2]


class Link(Struct, frozen=True):
    """Hold a way that is drawn as a line, for itself and others like it."""

    source: Place
    target: Place
    kind: str
    gate: int | None
    number: int
    """Of the way it shows."""
    back: int | None
    """The number of a way back, None if there is none."""
    count: int
    """How many ways it stands for, back and forth counted once."""
    lane: int = 0
    """Which it is of the links between the same two places, so that they are drawn side by side."""


def sort_ways(dungeon: Dungeon) -> tuple[list[Door], list[Link]]:
    """Return the doors and the links of a dungeon; each way belongs to one of them."""
    facing: dict[tuple[Place, Place], list[list[Way]]] = {}
    others: list[int] = []
    for number, way in enumerate(dungeon.ways):
        if not _is_facing(dungeon, way):
            others.append(number)
            continue
        ends = min(way.source, way.target), max(way.source, way.target)
        facing.setdefault(ends, [[], []])[way.source > way.target].append(way)
    return _join_doors(facing), _join_links(dungeon, others)


def _is_facing(dungeon: Dungeon, way: Way) -> bool:
    (floor, row, column), (other, last_row, last_column) = sorted((way.source, way.target))
    if floor != other or (row != last_row and column != last_column) or way.kind in ("stairs", "warp"):
        return False
    rows = dungeon.floors[floor].terrain
    if row == last_row:
        between = rows[row][column + 1 : last_column]
    else:
        between = "".join(line[column] for line in rows[row + 1 : last_row])
    return 0 < len(between) < LONGEST_DOOR and {*between} <= {WALL, NOTHING}


def _join_doors(facing: dict[tuple[Place, Place], list[list[Way]]]) -> list[Door]:
    doors: list[Door] = []
    open_doors: dict[tuple[Place, Place], int] = {}
    for (near, far), ways in sorted(facing.items()):
        there, back = (
            tuple(sorted({way.gate for way in some}, key=lambda gate: -1 if gate is None else gate)) for some in ways
        )
        kind = next(way.kind for some in ways for way in some)
        down, right = (0, 1) if near[2] == far[2] else (1, 0)
        before = _moved(near, -down, -right), _moved(far, -down, -right)
        number = open_doors.get(before)
        if number is not None and (doors[number].there, doors[number].back, doors[number].kind) == (there, back, kind):
            last = doors[number]
            doors[number] = Door((*last.near, near), (*last.far, far), there, back, kind)
        else:
            number = len(doors)
            doors.append(Door((near,), (far,), there, back, kind))
        open_doors[near, far] = number
    return doors


def _join_links(dungeon: Dungeon, numbers: list[int]) -> list[Link]:
    # Found areas are no help here: two stairs from one cave to another are two things to see.
    room = {p: n for n, area in enumerate(rooms_of(dungeon)) if area.given for p in area.places} if numbers else {}
    bundles: dict[tuple[object, ...], list[tuple[object, int]]] = defaultdict(list)
    for number in numbers:
        way = dungeon.ways[number]
        ends: list[object] = [room.get(way.source, way.source), room.get(way.target, way.target)]
        if ends[0] == ends[1]:
            ends = [way.source, way.target]
        bundles[frozenset(ends), way.kind, way.gate].append((ends[0], number))
    links: list[Link] = []
    for bundle in bundles.values():
        there = [number for begin, number in bundle if begin == bundle[0][0]]
        back = {
            (way.target, way.source): n for begin, n in bundle if begin != bundle[0][0] for way in [dungeon.ways[n]]
        }
        number = there[len(there) // 2]
        way = dungeon.ways[number]
        returning = back.get((way.source, way.target), min(back.values(), default=None))
        lane = sum((other.source, other.target) == (way.source, way.target) for other in links)
        count = max(len(there), len(back))
        links.append(Link(way.source, way.target, way.kind, way.gate, number, returning, count, lane))
    return links


def _moved(place: Place, down: int, right: int) -> Place:
    return place[0], place[1] + down, place[2] + right
