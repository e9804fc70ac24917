"""Search states one by one for a shortest plan, or for a shortest walk into a state that is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.core.answer import Reason
from solvent.core.budget import Meter
from solvent.core.events import Listener
from solvent.core.pruning import InvalidityTestCoordinator, TestCount
from solvent.dungeon.invalidity.reverse_reachability import RelaxedReverseReachability
from solvent.dungeon.rules import State
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.ground import EFFECT_MASK, EFFECT_WORD, MOVE, SOURCE, TAKE, WHAT, Ground, Ints
from solvent.dungeon.solver.layout import DIRECTIONS, bits_of
from solvent.dungeon.solver.points import FAR, Points, distances_to, find_points, walk_between
from solvent.dungeon.solver.search_kernel import (
    ATTEMPTS,
    COLUMNS,
    CONTROL,
    COUNT,
    DOMINATED,
    EXPANDED,
    FAILURES,
    FOUND,
    FOUND_STATE,
    FULL,
    HOPELESS,
    ITEM_MASK,
    ITEM_SHIFT,
    ITEM_WORD,
    LARGEST_QUEUE,
    MACRO,
    MOST_MACROS,
    NEEDS_TABLE,
    OUT_OF_SIGHT,
    PARENT,
    POINT,
    SEEK_LOSS,
    SUCCESSES,
    THOROUGH,
    UNIT,
    USE_DOMINANCE,
    USE_GUIDE,
    USE_HOPE,
    WANTED,
    WEIGHT,
    search,
)
from solvent.dungeon.solver.state_table import refill_slots, slots_for
from solvent.engine.driver import WORKING, drive
from solvent.engine.jit.heap import grow_heap, heap_push, new_heap

MOST_LANDMARKS = 8
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Parts:
    """Say which parts of the search to use; with any of them off it finds plans of the same length."""

    macros: bool = True
    plan_heuristic: bool = True
    dominance: bool = True
    reverse: bool = True
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Walk:
    """Hold what a search found."""

    moves: list[str] | None
    """None if there is nothing to find, or the budget ended it."""
    reason: Reason | None
    """Why it stopped early; None if it did not."""
    stats: dict[str, Any]
    heat: dict[int, int]
    """How often each cell was expanded, where it was."""


def search_walk(
    ground: Ground,
    cell: int,
    words: Ints,
    parts: Parts,
    meter: Meter,
    listen: Listener,
    *,
    lost_in: Exploration | None = None,
    ranks: Ints | None = None,
    thorough: bool = False,
) -> Walk:
    """Search for a shortest walk to a goal; with an exploration and its ranks, into a situation that is lost there."""
    area_of = lost_in.areas.area_of if lost_in is not None else None
    points = find_points(ground, cell, macros=parts.macros, area_of=area_of)
    graph = ground.cells
    width = ground.layout.words
    seeking = lost_in is not None
    control = np.zeros(CONTROL, dtype=np.int64)
    control[USE_GUIDE], control[USE_DOMINANCE] = parts.plan_heuristic and not seeking, parts.dominance
    control[WEIGHT] = round(parts.weight * UNIT)
    control[SEEK_LOSS], control[THOROUGH] = seeking, thorough
    control[FOUND_STATE] = NOBODY
    hopeful = np.ones((1, 1), dtype=np.bool_)
    coordinator: InvalidityTestCoordinator[State] | None = None
    if parts.reverse and not seeking:
        reverse = RelaxedReverseReachability(ground)
        coordinator = InvalidityTestCoordinator([reverse])
        hopeful = np.ascontiguousarray(reverse.hopeful[:, points.cells])
        control[USE_HOPE] = 1
        control[ITEM_WORD], control[ITEM_SHIFT] = reverse.item_word, reverse.item_shift
        control[ITEM_MASK] = len(reverse.hopeful) - 1
    guides, guide_bits = _guides(ground, points, cell) if control[USE_GUIDE] else _no_guides(points)
    control[MOST_MACROS] = points.events
    room = 1024 + 2 * points.events
    store = np.zeros((room, width + COLUMNS), dtype=np.int64)
    store[0, :width] = words
    store[0, width + POINT] = points.point_at[cell]
    store[0, width + PARENT] = NOBODY
    slots = np.zeros(slots_for(room), dtype=np.int64)
    refill_slots(store, slots, 1, width)
    control[COUNT] = 1
    heap = new_heap(2 * room)
    heap_push(heap, 0, 0)
    heat = np.zeros(len(points.cells), dtype=np.int64)
    tops = np.full(len(points.cells), NOBODY, dtype=np.int64)
    areas = _areas_of(lost_in, ranks, points) if lost_in is not None else _no_areas()
    orders = _orders(ground)
    scratch = np.zeros((4, width), dtype=np.int64)
    largest = store.nbytes
    maze = (
        graph.arcs, ground.gates, ground.blocks, ground.stocks, graph.effects, graph.effect_starts, graph.rests,
        graph.rest_starts,
    )  # fmt: skip
    about = (points.point_at, graph.is_goal[points.cells], guides, guide_bits, hopeful, orders)

    def step(limit: int) -> tuple[int, int]:
        nonlocal store, slots, heap, largest
        own = (store, slots, heap, tops, heat, scratch, control)
        status, used = search(*(*maze, points.macros, points.tables, *about, *own, *areas, limit))
        if status == NEEDS_TABLE:
            points.build(int(control[WANTED]))
            return WORKING, int(used)
        if status != FULL:
            return int(status), int(used)
        store = np.concatenate([store, np.zeros_like(store)])
        heap = grow_heap(heap)
        if slots_for(len(store)) > len(slots):
            slots = np.zeros(slots_for(len(store)), dtype=np.int64)
            refill_slots(store, slots, int(control[COUNT]), width)
        largest = store.nbytes + slots.nbytes + heap.nbytes
        return WORKING, int(used)

    # Nothing leads from here to the goal: the queue never needs to be looked at.
    hopeless = control[USE_HOPE] == 1 and not hopeful[_held(control, words), points.point_at[cell]]
    message = "looking for a walk that loses" if seeking else "looking for a shortest plan"
    status, reason = (0, None) if hopeless else drive(step, meter, first_chunk=2048, listen=listen, message=message)
    stats: dict[str, Any] = {
        "expanded": int(control[EXPANDED]),
        "points": len(points.cells),
        "macro_attempts": int(control[ATTEMPTS]),
        "macro_successes": int(control[SUCCESSES]),
        "macro_failures": int(control[FAILURES]),
        "reverse_pruned": int(control[HOPELESS]) + int(hopeless),
        "heuristic_pruned": int(control[OUT_OF_SIGHT]),
        "dominance_pruned": int(control[DOMINATED]),
        "max_open": int(control[LARGEST_QUEUE]),
        "peak_megabytes": round(largest / 1e6, 3),
    }
    if coordinator is not None:
        coordinator.record(coordinator.tests[0].name, TestCount(int(control[SUCCESSES]), int(control[HOPELESS])))
        stats["invalidity_tests"] = coordinator.as_json()
    moves = _moves_to(ground, points, store, int(control[FOUND_STATE]), cell) if status == FOUND else None
    counts = {int(points.cells[point]): int(heat[point]) for point in np.nonzero(heat)[0]}
    return Walk(moves, reason, stats, counts)


def _held(control: Ints, words: Ints) -> int:
    return int((words[control[ITEM_WORD]] >> control[ITEM_SHIFT]) & control[ITEM_MASK])


def _moves_to(ground: Ground, points: Points, store: Ints, state: int, cell: int) -> list[str]:
    """Return the moves that led to a state, every macro walked out tile by tile."""
    width = ground.layout.words
    legs: list[list[int]] = []
    while store[state, width + PARENT] != NOBODY:
        arc = int(points.macros[store[state, width + MACRO], 0])
        state = int(store[state, width + PARENT])
        start = int(points.cells[store[state, width + POINT]])
        legs.append([*walk_between(ground, points, start, int(ground.cells.arcs[arc, SOURCE])), arc])
    assert points.cells[store[0, width + POINT]] == cell
    return [move_of(ground, arc) for leg in reversed(legs) for arc in leg]


def move_of(ground: Ground, arc: int) -> str:
    """Return the move that an arc between cells stands for, as plans write it."""
    move = int(ground.cells.arcs[arc, MOVE])
    return DIRECTIONS[move] if move < 4 else str(move - 4)


def _guides(ground: Ground, points: Points, cell: int) -> tuple[Ints, Ints]:
    """Return how far each point is from the goal with every gate open, and by way of each item nobody can do without.

    The second kind is sound: whoever lacks such an item must still go to where one lies, and from there to the goal.
    """
    graph = ground.cells
    goals = np.nonzero(graph.is_goal)[0]
    to_goal = distances_to(ground, goals)
    rows, bits = [to_goal[points.cells]], []
    if ground.layout.items:
        reverse = RelaxedReverseReachability(ground)
        owners = np.repeat(np.arange(graph.nodes), np.diff(graph.effect_starts))
        for at in list(ground.layout.items.values())[:MOST_LANDMARKS]:
            gives = (
                (graph.effects[:, WHAT] == TAKE)
                & (graph.effects[:, EFFECT_WORD] == at.word)
                & (graph.effects[:, EFFECT_MASK] == at.mask)
            )
            sources = owners[gives]
            if len(sources) == 0 or not reverse.is_needed(at, cell):
                continue
            onwards = int(to_goal[sources].min())
            rows.append(np.minimum(distances_to(ground, sources) + onwards, FAR)[points.cells])
            bits.append((at.word, at.mask))
    return np.array(rows, dtype=np.int64), np.array(bits, dtype=np.int64).reshape(-1, 2)


def _no_guides(points: Points) -> tuple[Ints, Ints]:
    return np.zeros((1, len(points.cells)), dtype=np.int64), np.zeros((0, 2), dtype=np.int64)


def _orders(ground: Ground) -> Ints:
    """Return the bits of which more is better, and the bits that must be equal for two states to be compared."""
    layout, dungeon = ground.layout, ground.dungeon
    shutting = [at for number, at in layout.gates.items() if dungeon.gates[number].kind == "soft"]
    opening = [at for number, at in layout.gates.items() if dungeon.gates[number].kind != "soft"]
    better = bits_of(layout, [*layout.items.values(), *layout.pickups.values(), *opening])
    return np.stack([better, bits_of(layout, [*shutting, *layout.switches.values(), *layout.blocks])])


def _areas_of(exploration: Exploration, ranks: Ints | None, points: Points) -> Sequence[npt.NDArray[Any]]:
    assert ranks is not None
    graph, areas = exploration.areas.graph, exploration.areas
    return (
        np.ascontiguousarray(areas.area_of[points.cells]), graph.arcs, graph.starts, areas.incoming,
        areas.incoming_starts, graph.effects, graph.effect_starts, graph.rests, graph.rest_starts, graph.is_goal,
        exploration.memory, exploration.slots, ranks, exploration.marks, exploration.lists, exploration.control,
    )  # fmt: skip


def _no_areas() -> Sequence[npt.NDArray[Any]]:
    """Return empty arrays of the right kinds, so that the kernel is compiled once for both uses."""
    one, two = np.zeros(1, dtype=np.int64), np.zeros((1, 1), dtype=np.int64)
    return (
        one, two, one, one, one, two, one, two, one, np.zeros(1, dtype=np.bool_), two, one, one, two, two, one,
    )  # fmt: skip
