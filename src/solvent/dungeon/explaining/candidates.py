"""Which changes could matter at all.

A change far from every place a player gets to changes nothing, so only what is touched is looked at: gates that some
move meets, blocks and one-way tiles beside the way, and things that such gates ask for. For a dungeon that cannot be
finished, one more thing helps most where it can be had at once. For one that can be lost it must lie where the loser
has been or can still get to.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from solvent.dungeon.events import DIRECTION_NAMES, describe_ends, describe_place, name_gate
from solvent.dungeon.explaining.changes import Change
from solvent.dungeon.explaining.land import NO_ROOM, Land, name_room, name_tile_room
from solvent.dungeon.model import FLOOR, NOTHING, ONE_WAYS, STEPS, WALL, WATER, Have, Place
from solvent.dungeon.requirements import leaves_of
from solvent.dungeon.rooms import is_single_tile
from solvent.dungeon.rules import State, beside
from solvent.dungeon.solver.flags import Flags, chosen, only_in
from solvent.dungeon.solver.obstacles import cells_towards_goal, gates_of_arc

AT_HOME, ELSEWHERE, TWO_WAY, NO_BLOCK, NO_GATE, NEW_FLOOR = range(6)
"""How mild changes are: one more thing where the player is, and elsewhere; and so on."""
MAX_BREACHES = 12


@dataclass(frozen=True, slots=True)
class Touched:
    """Hold what moves from some cells meet."""

    gates: tuple[int, ...]
    wet: bool
    """Whether one of them crosses water."""


def find_touched(land: Land, cells: Flags) -> Touched:
    """Return the gates that bar some move from these cells, in the order of their numbers, and whether water does."""
    graph = land.ground.cells
    demand_of = memoryview(graph.demand)
    gated = {number for number, demand in enumerate(graph.demands) if max(demand.gates) >= 0}
    barred = [arc for arc in land.meter.each(graph.arcs_that_ask(cells)) if demand_of[arc] in gated]
    gates = {number for arc in land.meter.each(barred) for number in gates_of_arc(land.ground, arc)}
    return Touched(tuple(sorted(gates)), any(graph.demands[demand_of[arc]].gates[2] >= 0 for arc in barred))


def wanted_things(land: Land, touched: Touched, state: State) -> list[tuple[str, str]]:
    """Return kind and name of what the gates touched could use: keys, bombs, items not in hand."""
    dungeon, game = land.dungeon, land.ground.game
    gates = [dungeon.gates[number] for number in touched.gates]
    keys = sorted({gate.needs[0] for gate in gates if gate.kind == "lock"})
    wanted = [("key", colour) for colour in keys if dungeon.rules.keys_counted]
    if dungeon.rules.bombs is not None and any(gate.kind == "cracked" for gate in gates):
        wanted.append(("bombs", ""))
    items = {need for gate in gates if gate.kind == "item" for need in gate.needs}
    items |= {dungeon.rules.water} if touched.wet else set()
    items = {name for name in items if not game.holds(state, name)}
    rules = [rule for rule in (*(gate.rule for gate in gates), dungeon.goal_rule) if rule is not None]
    for atom, positive in (each for rule in rules for each in leaves_of(rule)):
        if positive and isinstance(atom, Have) and not game.meets(state, atom):
            items |= {atom.name} if atom.what == "item" else set()
            wanted += [(atom.what, atom.name)] if atom.what != "item" and (atom.what, atom.name) not in wanted else []
    return wanted + [("item", name) for name in sorted(items)]


def put_down(land: Land, things: Sequence[tuple[str, str]], spots: Sequence[Place], home: Flags) -> list[Change]:
    """Return the changes that put one of the things on one of the spots; the first spot at home is the mildest."""
    made = []
    for number, place in enumerate(land.meter.each(spots, every=20)):
        at_home = number == 0 and bool(home[land.ground.cell(place)])
        for kind, name in things:
            article = "an" if name[:1].lower() in tuple("aeiou") else "a"
            what = {"key": f"{article} {name} key".replace("  ", " "), "bombs": "a bomb", "item": f"the {name}"}[kind]
            tile = "" if is_single_tile(land.dungeon, place[0]) else f", at row {place[1]}, column {place[2]}"
            text = f"put {what} in {name_tile_room(land, place)}{tile}"
            made.append(Change(kind, (place,), name, None, AT_HOME if at_home else ELSEWHERE, text))
    return made


def spots_in(land: Land, areas: Iterable[int]) -> list[Place]:
    """Return one tile of each area that things could lie on."""
    spots = []
    cells_in: dict[int, list[int]] = {area: [] for area in areas}
    for cell, area in enumerate(land.meter.each(land.area_of)):
        if area in cells_in:
            cells_in[area].append(cell)
    for cells in land.meter.each(cells_in.values(), every=1):
        tiles = free_tiles(land, cells)
        if tiles:
            spots.append(_middle(tiles))
    return spots


def free_tiles(land: Land, cells: Iterable[int], *, near_blocks: bool = False) -> list[Place]:
    """Return the places of cells that are plain floor; not beside a block, where a thing might be in its way."""
    dungeon, game = land.dungeon, land.ground.game
    taken = {pickup.place for pickup in dungeon.pickups} | {switch.place for switch in dungeon.switches}
    taken |= {dungeon.start, *dungeon.goals} | {end for way in dungeon.ways for end in (way.source, way.target)}
    blocked = {block.place for block in dungeon.blocks}
    blocked |= set() if near_blocks else {beside(place, way) for place in blocked for way in STEPS}
    places = [land.ground.place(cell) for cell in land.meter.each(cells)]
    floor = [
        place
        for place in land.meter.each(places)
        if game.terrain(place) == FLOOR and place not in blocked and place not in game.gate_at
        and place not in game.goals
    ]  # fmt: skip
    # On a single tile one cannot be choosy.
    return [place for place in floor if place not in taken] or floor


def _middle(tiles: list[Place]) -> Place:
    """Return the tile nearest to the middle of some."""
    row = sum(tile[1] for tile in tiles) / len(tiles)
    column = sum(tile[2] for tile in tiles) / len(tiles)
    return min(tiles, key=lambda tile: (abs(tile[1] - row) + abs(tile[2] - column), tile))


def two_ways(land: Land, cells: Flags) -> list[Change]:
    """Return the one-way tiles beside these cells, those in a row together, and ways without one back."""
    dungeon, ground, game = land.dungeon, land.ground, land.ground.game
    made = []
    seen: set[Place] = set()
    for place in land.meter.each(map(ground.place, range(ground.cells.nodes))):
        letter = game.terrain(place)
        if letter not in ONE_WAYS or place in seen:
            continue
        group = alike_tiles(land, place, letter)
        seen.update(group)
        near = [beside(tile, step) for tile in group for step in STEPS] + group
        if any(_has(land, cells, tile) for tile in near):
            many = f"the {len(group)} one-way tiles" if len(group) > 1 else "the one-way tile"
            towards = DIRECTION_NAMES[ONE_WAYS[letter]]
            text = f"make {many} at {describe_place(dungeon, place)} (leading {towards}) two-way"
            made.append(Change("one-way", tuple(group), mildness=TWO_WAY, text=text))
    joined = {(way.source, way.target) for way in dungeon.ways}
    for number, way in enumerate(dungeon.ways):
        alone = (way.target, way.source) not in joined
        if alone and (_has(land, cells, way.source) or _has(land, cells, way.target)):
            text = f"let the {way.kind} {describe_ends(dungeon, way.source, way.target)} lead back as well"
            made.append(Change("one-way", (way.source, way.target), "", number, TWO_WAY, text))
    return made


def alike_tiles(land: Land, place: Place, letter: str) -> list[Place]:
    """Return the tiles of one terrain that lie together with the one at a place."""
    group, seen = [place], {place}
    for tile in land.meter.each(group):  # grows while it is walked through
        for step in STEPS:
            near = beside(tile, step)
            if near not in seen and land.ground.game.terrain(near) == letter:
                seen.add(near)
                group.append(near)
    return sorted(group)


def _has(land: Land, cells: Flags, place: Place) -> bool:
    if land.ground.game.terrain(place) in (WALL, NOTHING):
        return False
    cell = land.ground.cell(place)
    return cell >= 0 and bool(cells[cell])


def without_blocks(land: Land, cells: Flags, moved: Iterable[int] = ()) -> list[Change]:
    """Return the removals of blocks on or beside these cells, and of those that were moved."""
    chosen = set(moved)
    for number, block in enumerate(land.meter.each(land.dungeon.blocks)):
        near = [block.place, *(beside(block.place, step) for step in STEPS)]
        near += [beside(beside(block.place, step), step) for step in STEPS]  # where it may rest is beside those
        if any(_has(land, cells, place) for place in near):
            chosen.add(number)
    return [
        Change("block", (place,), "", number, NO_BLOCK, f"take away the block at {describe_place(land.dungeon, place)}")
        for number, place in ((number, land.dungeon.blocks[number].place) for number in sorted(chosen))
    ]


def without_gates(land: Land, numbers: Iterable[int]) -> list[Change]:
    """Return the removals of gates."""
    made = []
    barred: dict[int, list[Place]] = defaultdict(list)
    for way in land.dungeon.ways:
        if way.gate is not None:
            barred[way.gate] += (way.source, way.target)
    for number in land.meter.each(sorted(set(numbers)), every=20):
        gate, ends = land.dungeon.gates[number], barred[number]
        places = gate.cells or tuple(ends[:2])
        where = f"at {describe_place(land.dungeon, places[0])}"
        if not gate.cells:
            where = describe_ends(land.dungeon, places[0], places[1])
        name = re.sub("^a ", "the ", name_gate(gate))
        made.append(Change("gate", places, "", number, NO_GATE, f"take away {name} {where}"))
    return made


def breaches(land: Land, cells: Flags) -> list[Change]:
    """Return single tiles that part these cells from where ways lead to the goal; the first between any two rooms."""
    beyond_reach = only_in(cells_towards_goal(land.ground, meter=land.meter), cells)
    blocks = {block.place for block in land.dungeon.blocks}
    found: dict[tuple[int, int], Change] = {}
    for cell in land.meter.each(chosen(cells), every=100):
        here = land.ground.place(cell)
        for step in STEPS:
            place = beside(here, step)
            floor = land.dungeon.floors[place[0]].terrain
            outside = not (0 <= place[1] < len(floor) and 0 <= place[2] < len(floor[0]))
            if outside or place in blocks or land.ground.game.terrain(place) not in (WALL, NOTHING, WATER):
                continue
            beyond = [tile for way in STEPS for tile in (beside(place, way), beside(beside(place, way), way))]
            for tile in beyond:
                if _has(land, beyond_reach, tile):
                    pair = (land.room_of_cell[cell], land.room_of_cell[land.ground.cell(tile)])
                    text = f"lay floor at {describe_place(land.dungeon, place)}, {_between(land, pair)}"
                    found.setdefault(pair, Change("floor", (place,), "", None, NEW_FLOOR, text))
    return list(found.values())[:MAX_BREACHES]


def _between(land: Land, pair: tuple[int, int]) -> str:
    names = [name_room(land, number) for number in pair if number != NO_ROOM]
    return "between " + " and ".join(names) if len(names) == len(pair) else "towards the goal"
