"""Divide a dungeon in which every move can be undone into zones and the doors between them.

A *door* is what a move needs, something to spend at a gate, or items, unless it is carried from the beginning or was
needed or opened already on every way to where the move begins. A *zone* is areas between which moves that lead through
no door go both ways, straight or round by others: who stands in one of them can walk to all of them.

Zones and doors may form any graph: several doors may lead into a zone, and a gate may be met from several sides. A move
may also lead from one zone into another without a door, if only the way back asks for something or leads round.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.moves import Maze, Move, require_room
from solvent.dungeon.checker.old_mechanics import find_other_mechanics
from solvent.dungeon.checker.situations import show_move
from solvent.dungeon.model import Place

MAX_LOOKED_AT = 3_000_000
"""How many moves to look at for all walks back that take more than one move: the time must not grow out of hand."""
KNOWN_GATES = ("lock", "cracked", "item", "soft")
KNOWN_PICKUPS = ("key", "bombs", "item", "monster")


class Passage(Struct, frozen=True, gc=False):
    """Hold a move that a player may make one day."""

    move: Move
    asks: int
    """Bits of the items it needs and of the gates it opens, if they are shut."""
    door: int
    """Those of them that are neither carried from the beginning nor needed or opened on every way here."""


class Door(Struct, frozen=True, order=True, gc=False):
    """Hold what a move asks for: gates that take something, and bits of items."""

    gates: tuple[int, ...]
    needs: int

    @property
    def is_free(self) -> bool:
        return not self.gates and not self.needs


class Zones(Struct, frozen=True):
    """Hold the zones that may be reached one day, the one where the player starts first."""

    maze: Maze
    zone_of: dict[int, int]
    """The zone of each area that may be reached, goals aside."""
    count: int
    doors: dict[tuple[int, int], set[Door]]
    """What moves from a zone into another ask for; a zone and itself stand for gates that lead nowhere new."""
    onto_goals: dict[int, set[tuple[int, Door]]]
    """For the area of each goal the zones from which moves lead onto it, and what they ask for."""

    def zone_at(self, place: Place) -> int | None:
        """Return the zone of a place, or None if there is none."""
        floor, row, column = place
        rows = self.maze.board.dungeon.floors[floor].terrain if 0 <= floor < len(self.maze.board.dungeon.floors) else ()
        if not (0 <= row < len(rows) and 0 <= column < len(rows[0])):
            return None
        area = area_at(self.maze.areas, tile_at(self.maze.areas.tiles, place))
        return None if area is None else self.zone_of.get(area)


def find_zones(maze: Maze) -> Zones | str:
    """Return the zones and doors, or why this dungeon cannot be divided into them."""
    ledger, dungeon = maze.ledger, maze.board.dungeon
    other = find_other_mechanics(dungeon)
    if other:
        return other
    if ledger.on:
        return "there are switches"
    if ledger.moved:
        return "there are blocks that can be pushed"
    if ledger.fallen or any(dungeon.pickups[number].kind == "monster" for number in ledger.pickups):
        return "there are soft-locked doors that may be shut"
    if any(gate.kind not in KNOWN_GATES for gate in maze.meter.each(dungeon.gates)) or any(
        pickup.kind not in KNOWN_PICKUPS for pickup in maze.meter.each(dungeon.pickups)
    ):
        return "there are gates or things of a kind that it does not know"
    for move in maze.meter.each(chain.from_iterable(maze.moves)):
        if move.care != move.needs or move.want != move.needs or move.block or move.sets or move.toggles:
            return f"{show_move(maze, move)} does or asks more than it knows"
    asks = [
        [(move, move.needs | sum(ledger.opened[gate] for gate in move.takes)) for move in moves]
        for moves in maze.meter.each(maze.moves)
    ]
    sure = _find_sure_things(maze, asks, maze.lies)
    passed = _find_sure_things(maze, asks, [0] * len(maze.lies))
    nowhere = sum(ledger.items.values()) & ~ledger.carried
    for lying in maze.meter.each(maze.lies):
        nowhere &= ~lying
    passages = [
        Passage(move, asked, asked & ~passed[move.source])
        for move, asked in maze.meter.each(chain.from_iterable(asks))
        if sure[move.source] >= 0 and not asked & nowhere  # what lies nowhere lets no player pass
    ]
    stuck = _find_no_way_back(maze, passages, sure)
    return f"{show_move(maze, stuck)} cannot be undone" if stuck else _join_zones(maze, passages)


def _find_sure_things(maze: Maze, asks: list[list[tuple[Move, int]]], lies: Sequence[int]) -> list[int]:
    """Return what is held or opened by a player who stands in an area, whichever way they came; -1 where no way leads.

    It is what the last move needed or opened, and what was sure where it came from, or lies here.
    """
    start = _first_area(maze)
    meter = maze.meter
    sure = [-1] * len(asks)
    sure[start] = maze.ledger.carried | lies[start]
    waiting = deque([start])
    looked = taken = 0
    while waiting:
        source = waiting.popleft()
        looked += 1 + len(asks[source])
        if looked > 200:
            looked = 0
            require_room(meter, taken, "what is sure in each area")
        for move, asked in asks[source]:
            target = move.target
            there = sure[target] & (sure[source] | asked | lies[target])
            if there != sure[target]:
                taken += there.bit_length() // 8 if sure[target] < 0 else 0
                sure[target] = there
                waiting.append(target)
    return sure


def _find_no_way_back(maze: Maze, passages: list[Passage], sure: list[int]) -> Move | None:
    """Return a move after which one may not get back to where it began without taking anything, or seems not to."""
    leads: dict[int, list[tuple[int, int]]] = {}
    backs: dict[tuple[int, int], list[int]] = {}
    for passage in maze.meter.each(passages):
        leads.setdefault(passage.move.source, []).append((passage.move.target, passage.asks))
        backs.setdefault((passage.move.source, passage.move.target), []).append(passage.asks)
    looked_at = 0
    for passage in maze.meter.each(passages, every=200):
        source, target = passage.move.source, passage.move.target
        if passage.move.goal or source == target:
            continue
        had = sure[source] | passage.asks | maze.lies[target]
        if any(asked & ~had == 0 for asked in backs.get((target, source), ())):
            continue
        reached, waiting = {target}, [target]
        while waiting and source not in reached and looked_at < MAX_LOOKED_AT:
            maze.meter.checkpoint()
            for other, asked in leads.get(waiting.pop(), ()):
                looked_at += 1
                if other not in reached and asked & ~had == 0:
                    reached.add(other)
                    waiting.append(other)
        if source not in reached:
            return passage.move
    return None


def _join_zones(maze: Maze, passages: list[Passage]) -> Zones:
    """Join areas into zones, and list the doors between those that may be reached."""
    gate_of = {bit: number for number, bit in maze.ledger.opened.items()}
    meter = maze.meter
    inner = [passage for passage in meter.each(passages) if not passage.move.goal]
    free = {(passage.move.source, passage.move.target) for passage in meter.each(inner) if not passage.door}
    head_of = join_circles(maze.areas.count, free, meter)
    leads: dict[int, set[int]] = {}
    for passage in meter.each(inner):
        leads.setdefault(head_of[passage.move.source], set()).add(head_of[passage.move.target])
    root = head_of[_first_area(maze)]
    numbers, waiting = {root: 0}, [root]
    for head in meter.each(waiting):
        for other in leads.get(head, ()):
            if other not in numbers:
                numbers[other] = len(numbers)
                waiting.append(other)
    zone_of = {area: numbers[head_of[area]] for area in meter.each(range(maze.areas.count)) if head_of[area] in numbers}

    known: dict[int, Door] = {}

    def door_of(passage: Passage) -> Door:
        if passage.door not in known:
            gates = tuple(gate_of[bit] for bit in _bits(passage.door & maze.ledger.openings))
            known[passage.door] = Door(gates, passage.door & ~maze.ledger.openings)
        return known[passage.door]

    doors: dict[tuple[int, int], set[Door]] = {}
    onto_goals: dict[int, set[tuple[int, Door]]] = {}
    for passage in meter.each(passages):
        zone = zone_of.get(passage.move.source)
        if zone is None:
            continue
        if passage.move.goal:
            onto_goals.setdefault(passage.move.target, set()).add((zone, door_of(passage)))
            continue
        other = zone_of[passage.move.target]
        if zone != other or passage.door & maze.ledger.openings:
            doors.setdefault((zone, other), set()).add(door_of(passage))
    return Zones(maze, zone_of, len(numbers), doors, onto_goals)


def _bits(number: int) -> Iterator[int]:
    while number:
        yield number & -number
        number &= number - 1


def join_circles(count: int, moves: Iterable[tuple[int, int]], meter: Meter) -> list[int]:
    """Return for each of so many things one that stands for all that moves lead to from it and back from again.

    Two walks: the first puts things in the order in which it has seen all that lies ahead of them. The second goes
    against the moves, from the last of them on: where it gets from one that stands for itself, leads there and back.
    """
    ahead: list[list[int]] = [[] for _ in range(count)]
    behind: list[list[int]] = [[] for _ in range(count)]
    for source, target in meter.each(moves):
        ahead[source].append(target)
        behind[target].append(source)
    seen = bytearray(count)
    done: list[int] = []
    looked = 0
    for first in meter.each(range(count)):
        if seen[first]:
            continue
        seen[first] = 1
        walk = [(first, iter(ahead[first]))]
        while walk:
            looked += 1
            if looked % 1000 == 0:
                meter.checkpoint()
            here, rest = walk[-1]
            there = next((area for area in rest if not seen[area]), None)
            if there is None:
                done.append(here)
                walk.pop()
            else:
                seen[there] = 1
                walk.append((there, iter(ahead[there])))
    stands_for = [-1] * count
    for first in meter.each(reversed(done)):
        if stands_for[first] >= 0:
            continue
        stands_for[first] = first
        waiting = [first]
        while waiting:
            looked += 1
            if looked % 1000 == 0:
                meter.checkpoint()
            for area in behind[waiting.pop()]:
                if stands_for[area] < 0:
                    stands_for[area] = first
                    waiting.append(area)
    return stands_for


def _first_area(maze: Maze) -> int:
    first = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.start))
    assert first is not None
    return first
