"""What a user wants of the search beyond an answer: which points have macros, what plans should avoid, and weights.

None of it changes a verdict. A choice of points and a limit of tries change the effort only. What to avoid decides
between plans that are equally short. Weights may make a plan longer, and then it is not called the shortest.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from solvent.core.budget import Meter
from solvent.dungeon.interest import (
    EVENT_KINDS,
    GATE_KINDS,
    is_one_way,
    kinds_at,
    parse_kinds,
    parse_penalties,
)
from solvent.dungeon.rooms import room_of
from solvent.dungeon.solver.distances_kernel import FAR
from solvent.dungeon.solver.ground import FIRST_WAY, Ground
from solvent.dungeon.solver.guide_kernel import UNIT
from solvent.dungeon.solver.points import Points, can_be_met
from solvent.engine.arrays import SHORT


class Preferences(Struct, frozen=True):
    """Hold what a user prefers."""

    points: frozenset[str] = frozenset(EVENT_KINDS)
    """The kinds of points that have macros."""
    macro_tries: int = 0
    """How many macros from a point may fail before it is left step by step; 0 for no limit."""
    avoid: Mapping[str, int] = {}
    """The penalty of each kind to avoid, which decides between plans that are equally short."""
    alpha: float = 1.0
    """The weight of the distance from the next point to the goal."""
    beta: float = 1.0
    """The weight of the distance to the next point."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Preferences:
        """Read the solve options; raises BadOption for names that there are not."""
        weight = options["weight"]
        alpha, beta = weight * options["alpha"], weight * options["beta"]
        chosen = parse_kinds(options["points"])
        return cls(chosen, options["macro_tries"], parse_penalties(options["avoid"] or ""), alpha, beta)

    @property
    def finds_shortest(self) -> bool:
        """Tell whether the first plan found is a shortest one: no part of the estimate counts more than it is."""
        return max(self.alpha, self.beta) <= 1.0

    @property
    def left_out(self) -> frozenset[str]:
        """Return the kinds of events that have no macros."""
        return frozenset(EVENT_KINDS) - self.points

    @property
    def penalises(self) -> bool:
        """Tell whether plans are compared by penalties; that takes plans which are known to be shortest."""
        return bool(self.avoid) and self.finds_shortest


def stops_of(ground: Ground, preferences: Preferences, meter: Meter) -> bytearray | None:
    """Return the cells that macros stop at though nothing happens there; None if there are none."""
    joins = preferences.points - frozenset(EVENT_KINDS)
    if not joins:
        return None
    stops = bytearray(ground.cells.nodes)
    if "stairs" in joins:
        for way in meter.each(ground.dungeon.ways):
            for cell in (ground.cell(way.source), ground.cell(way.target)):
                if cell >= 0:
                    stops[cell] = 1
    if "entrance" in joins:
        room = room_of(ground.dungeon, meter=meter)
        rooms = [room.get(ground.place(cell), -1) for cell in meter.each(range(ground.cells.nodes))]
        source, target = memoryview(ground.cells.source), memoryview(ground.cells.target)
        for arc in meter.each(range(ground.cells.arcs)):
            if rooms[source[arc]] != rooms[target[arc]]:
                stops[target[arc]] = 1
    return stops


def choose_points(points: Points, ground: Ground, start: int, preferences: Preferences, meter: Meter) -> None:
    """Leave out the points whose kinds are not chosen, if there are any, or if macros have a limit."""
    left_out = preferences.left_out
    if not left_out and not preferences.macro_tries:
        return
    without = bytearray(ground.cells.nodes)
    for place, kinds in meter.each(kinds_at(ground.game, ground.place(start), meter).items()):
        cell = _cell_at(ground, place)
        if cell >= 0 and kinds & frozenset(EVENT_KINDS) <= left_out:
            without[cell] = 1
    points.choose(without)


def _cell_at(ground: Ground, place: tuple[int, int, int]) -> int:
    floor, row, column = place
    rows = ground.dungeon.floors[floor].terrain
    return ground.cell(place) if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else -1


def penalties_of(ground: Ground, start: int, avoid: Mapping[str, int], meter: Meter) -> memoryview:
    """Return the penalty of each arc: what lies on the tile it leads to, what it crosses, and the way it takes.

    It depends on the arc alone, never on what was taken or opened before, so that of two states one of which is as good
    as the other, the same moves have the same penalty.
    """
    dungeon, cells = ground.dungeon, ground.cells
    by_cell = array(SHORT, [0]) * cells.nodes
    kinds_to_avoid = frozenset(avoid) - {"water", "stairs", "oneway"}
    for place, kinds in meter.each(kinds_at(ground.game, ground.place(start), meter).items()):
        cell = _cell_at(ground, place)
        if cell >= 0:
            # A gate on a way counts for the way, below, and where blocks come to rest is only floor.
            here = kinds & kinds_to_avoid & _kinds_on(ground, place)
            by_cell[cell] = sum(avoid[kind] for kind in here)
    if "oneway" in avoid:
        for cell in meter.each(range(cells.nodes)):
            by_cell[cell] += avoid["oneway"] * is_one_way(dungeon, ground.place(cell))
    way_gates = [None if way.gate is None else GATE_KINDS[dungeon.gates[way.gate].kind] for way in dungeon.ways]
    for_stairs, for_water = avoid.get("stairs", 0), avoid.get("water", 0)
    penalty = array(SHORT, [0]) * max(1, cells.arcs)
    target, move, source = memoryview(cells.target), memoryview(cells.move), memoryview(cells.source)
    for arc in meter.each(range(cells.arcs)):
        total = by_cell[target[arc]]
        way = ground.way_of(move[arc])
        if way is not None:
            gate = way_gates[way]
            total += for_stairs
            if gate is not None and ground.game.gate_at.get(ground.place(target[arc])) != dungeon.ways[way].gate:
                total += avoid.get(gate, 0)
        elif for_water and move[arc] < FIRST_WAY:
            found = ground.game.landing(ground.place(source[arc]), "NESW"[move[arc]])
            total += for_water if found is not None and found[1] else 0
        penalty[arc] = total
    return memoryview(penalty)


def _kinds_on(ground: Ground, place: tuple[int, int, int]) -> set[str]:
    """Return the kinds of what lies or stands on a tile itself."""
    game, dungeon = ground.game, ground.dungeon
    kinds = {dungeon.pickups[number].kind for number in game.pickups_at.get(place, ())}
    if place in game.plates_at:
        kinds.add("switch")
    if place in game.block_at:
        kinds.add("block")
    if place in game.gate_at:
        kinds.add(GATE_KINDS[dungeon.gates[game.gate_at[place]].kind])
    return kinds


def weigh_apart(
    ground: Ground, away: list[memoryview], start: int, preferences: Preferences, meter: Meter
) -> list[memoryview]:
    """Return what each distance counts in 64ths of a move if its two parts have weights of their own.

    A distance is a walk to the next point of interest, weighted with beta, and the rest from there, weighted with
    alpha. It counts what the distance itself would where both are 1, and never more than the larger of the two times
    that.
    """
    cells = ground.cells
    passable = can_be_met(ground)
    is_point = stops_of(ground, preferences, meter) or bytearray(cells.nodes)
    for place, kinds in meter.each(kinds_at(ground.game, ground.place(start), meter).items()):
        cell = _cell_at(ground, place)
        if cell >= 0 and kinds & preferences.points:
            is_point[cell] = 1
    alpha, beta = round(preferences.alpha * UNIT), round(preferences.beta * UNIT)
    first, target, demand = memoryview(cells.first_arc), memoryview(cells.target), memoryview(cells.demand)
    weighted = []
    for row in away:
        to_next = array("q", [0]) * max(1, cells.nodes)
        counts = array("q", [FAR]) * max(1, cells.nodes)
        near = sorted((cell for cell in meter.each(range(cells.nodes)) if row[cell] < FAR), key=row.__getitem__)
        for cell in meter.each(near):
            if not is_point[cell]:
                onwards = [
                    to_next[target[arc]]
                    for arc in range(first[cell], first[cell + 1])
                    if passable[demand[arc]] and row[target[arc]] == row[cell] - 1
                ]
                to_next[cell] = 1 + min(onwards) if onwards else 0
            counts[cell] = alpha * (row[cell] - to_next[cell]) + beta * to_next[cell]
        weighted.append(memoryview(counts)[: cells.nodes])
    return weighted


__all__ = ["Preferences", "choose_points", "penalties_of", "stops_of", "weigh_apart"]
