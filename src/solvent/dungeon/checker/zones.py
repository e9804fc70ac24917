"""Divide a dungeon into zones and the doors between them, where they form a tree and every move can be undone.

A *door* is what a move needs, something to spend at a gate, or items, unless it is carried from the beginning or was
needed or opened already on every way to where the move begins. A *zone* is areas between which moves that lead through
no door go both ways, straight or round by others: who stands in one of them can walk to all of them.

A gate that takes something is one door, though it may lead from its zone into several others: a player who opens it can
enter all of them. One that leads nowhere new, a lock between two ends of one zone, is a leaf of the tree. Apart from
the doors of the tree, moves lead only to zones that were passed on the way; if one of those takes something, that is
such a leaf too. Where no door leads into a zone, since only the way back asks for something or leads round, the zone is
reached with the one before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec import Struct, field

from solvent.core.budget import Meter
from solvent.dungeon.checker.areas import area_at, tile_at
from solvent.dungeon.checker.moves import Maze, Move, require_room
from solvent.dungeon.checker.old_mechanics import find_other_mechanics
from solvent.dungeon.checker.situations import show_move

MAX_LOOKED_AT = 3_000_000
"""How many moves to look at for all walks back that take more than one move: the time must not grow out of hand."""


class Node(Struct):
    """Hold a zone or a door of the tree."""

    parent: int
    gate: int | None = None
    """The number of the gate, for a door that takes something."""
    needs: int = 0
    """Bits of items, for a door that asks for some."""

    @property
    def is_door(self) -> bool:
        return self.gate is not None or self.needs != 0


class Passage(Struct, frozen=True, gc=False):
    """Hold a move that a player may make one day."""

    move: Move
    asks: int
    """Bits of the items it needs and of the gates it opens, if they are shut."""
    door: int
    """Those of them that are neither carried from the beginning nor needed or opened on every way here."""


class Tree(Struct, frozen=True):
    """Hold zones and doors from the start outwards: each after the one it hangs from, the first from none."""

    maze: Maze
    passages: list[Passage]
    takers: dict[int, int]
    """Numbers of the gates that take something, by their bit."""
    nodes: list[Node]
    node_of: dict[int, int]
    """The node of each area that can be reached, goals aside."""
    door_of: dict[int, int]
    """The node of each gate that takes something and does not only lead onto goals, by its number."""
    weighed: dict[int, tuple[list[int], list[int]]] = field(default_factory=dict)
    """What `surplus` has worked out by purse: the least before each node is entered, and once it is."""


def grow_tree(maze: Maze) -> Tree | str:
    """Return the tree of zones and doors, or why there is none in this dungeon."""
    ledger, pickups = maze.ledger, maze.board.dungeon.pickups
    other = find_other_mechanics(maze.board.dungeon)
    if other:
        return other
    if ledger.on:
        return "there are switches"
    if ledger.moved:
        return "there are blocks that can be pushed"
    if ledger.fallen or any(pickups[number].kind == "monster" for number in ledger.pickups):
        return "there are soft-locked doors that may be shut"
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
        # What needs an item that lies nowhere is never passed, whatever else it asks for.
        Passage(move, asked, asked & nowhere or asked & ~passed[move.source])
        for move, asked in maze.meter.each(chain.from_iterable(asks))
        if sure[move.source] >= 0
    ]
    stuck = _find_no_way_back(maze, passages, sure)
    return f"{show_move(maze, stuck)} cannot be undone" if stuck else _join_zones(maze, passages)


def ways_onto(tree: Tree, goal: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield the node before each way onto a goal, the number of the gate that takes something (or -1), the items."""
    area = area_at(tree.maze.areas, tile_at(tree.maze.areas.tiles, goal))
    for passage in tree.maze.meter.each(tree.passages):
        if passage.move.target != area:
            continue
        node = tree.node_of[passage.move.source]
        if passage.door & tree.maze.ledger.openings == 0:
            yield node, -1, passage.door
        elif passage.door in tree.takers:
            gate = tree.takers[passage.door]
            if gate not in tree.door_of or tree.nodes[tree.door_of[gate]].parent == node:
                yield node, gate, 0


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


def _join_zones(maze: Maze, passages: list[Passage]) -> Tree | str:
    """Join areas into zones, and zones into a tree."""
    takers = {bit: number for number, bit in maze.ledger.opened.items()}
    meter = maze.meter
    inner = [passage for passage in meter.each(passages) if not passage.move.goal]
    free = {(passage.move.source, passage.move.target) for passage in meter.each(inner) if not passage.door}
    zone_of = _join_circles(maze.areas.count, free, meter)
    leads: dict[int, dict[int, dict[int, Move]]] = {}
    homes: dict[int, int] = {}
    for passage in meter.each(inner):
        zone, other = zone_of[passage.move.source], zone_of[passage.move.target]
        if passage.door & maze.ledger.openings:
            if passage.door not in takers:
                return f"{show_move(maze, passage.move)} asks for more than one thing at once, and takes one"
            if homes.setdefault(takers[passage.door], zone) != zone:
                gate, shown = takers[passage.door], show_move(maze, passage.move)
                return f"gate {gate} can be opened from several sides, one being {shown}"
        if zone != other:
            leads.setdefault(zone, {}).setdefault(other, {}).setdefault(passage.door, passage.move)
    takers_of: dict[int, list[int]] = {}
    for gate, zone in homes.items():
        takers_of.setdefault(zone, []).append(gate)

    root = zone_of[_first_area(maze)]
    nodes, node_of_zone, waiting = [Node(-1)], {root: 0}, [root]
    door_of: dict[int, int] = {}
    others: list[tuple[int, int, Move]] = []
    for zone in meter.each(waiting, every=200):
        here = node_of_zone[zone]
        for gate in takers_of.get(zone, ()):
            door_of[gate] = len(nodes)
            nodes.append(Node(here, gate=gate))
        for other, entries in leads.get(zone, {}).items():
            door, move = next(iter(entries.items()))
            if other in node_of_zone:
                others.append((here, node_of_zone[other], move))
                continue
            before = here
            if 0 not in entries:
                if len(entries) > 1:
                    return f"{show_move(maze, move)} leads where another door leads too"
                if door in takers:
                    before = door_of[takers[door]]
                else:
                    before = len(nodes)
                    nodes.append(Node(here, needs=door))
            node_of_zone[other] = len(nodes)
            nodes.append(Node(before))
            waiting.append(other)
    spans = _find_spans(nodes)
    for here, there, move in meter.each(others):
        if spans[here][0] not in range(*spans[there]):
            return f"{show_move(maze, move)} leads where another way leads too, through other doors"
    areas = meter.each(range(maze.areas.count))
    node_of = {area: node_of_zone[zone_of[area]] for area in areas if zone_of[area] in node_of_zone}
    return Tree(maze, passages, takers, nodes, node_of, door_of)


def _join_circles(count: int, moves: Iterable[tuple[int, int]], meter: Meter) -> list[int]:
    """Return for each of so many areas one that stands for all that moves lead to from it and back from again.

    Two walks: the first puts areas in the order in which it has seen all that lies ahead of them. The second goes
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


def _find_spans(nodes: list[Node]) -> list[tuple[int, int]]:
    """Number the nodes so that all that hang from a node follow it; return where each begins and ends."""
    sizes = [1] * len(nodes)
    for number in range(len(nodes) - 1, 0, -1):
        sizes[nodes[number].parent] += sizes[number]
    spans, free = [(0, len(nodes))], [1] * len(nodes)
    for number in range(1, len(nodes)):
        parent = nodes[number].parent
        begin = free[parent]
        free[parent] += sizes[number]
        free[number] = begin + 1
        spans.append((begin, begin + sizes[number]))
    return spans


def _first_area(maze: Maze) -> int:
    first = area_at(maze.areas, tile_at(maze.areas.tiles, maze.board.dungeon.start))
    assert first is not None
    return first
