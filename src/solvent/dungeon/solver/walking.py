"""Walk out what was found by areas: from a way through situations to moves, tile by tile."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.ground import SOURCE, TARGET, Ground, Ints
from solvent.dungeon.solver.searching import move_of
from solvent.dungeon.solver.stepping import CALM, ILLEGAL, TOOK, take
from solvent.engine.jit.kernel import kernel


def walk_out(exploration: Exploration, cell: int, words: Ints, path: list[tuple[int, int]]) -> list[str]:
    """Return moves that lead from a state along a path of situations and the arcs that join them.

    Where taking is saturated, everything in a region is fetched before it is left: first what can be fetched with what
    is held now, then what that opens, until nothing is new.
    """
    ground, areas = exploration.ground, exploration.areas
    here, now = cell, words.copy()
    moves: list[str] = []
    lying = _cells_with_things(ground)
    lying[here] = False

    def make(route: list[int]) -> None:
        nonlocal here, now
        for step in route:
            here, now = _make(ground, step, now)
            moves.append(move_of(ground, step))
            lying[here] = False

    def cells_of(region: list[int]) -> npt.NDArray[np.bool_]:
        inside = np.zeros(areas.graph.nodes, dtype=np.bool_)
        inside[region] = True
        cells: npt.NDArray[np.bool_] = inside[areas.area_of]
        return cells

    for situation, arc in path:
        while exploration.saturated:
            allowed = cells_of(exploration.region_of_state(here, now))
            route = _route(ground, here, now, allowed, lying & allowed, takes=True)
            if route is None:
                break
            make(route)
        allowed = cells_of(exploration.region(situation))
        last = int(areas.cell_arc[arc])
        end = np.zeros(ground.cells.nodes, dtype=np.bool_)
        end[ground.cells.arcs[last, SOURCE]] = True
        route = _route(ground, here, now, allowed, end, takes=exploration.saturated)
        assert route is not None, "a full situation is walked about in freely"
        make([*route, last])
    return moves


def _cells_with_things(ground: Ground) -> npt.NDArray[np.bool_]:
    found: npt.NDArray[np.bool_] = np.diff(ground.cells.effect_starts) > 0
    return found.copy()


def _make(ground: Ground, arc: int, words: Ints) -> tuple[int, Ints]:
    graph = ground.cells
    after = words.copy()
    done = take(
        graph.arcs, arc, ground.gates, ground.blocks, ground.stocks, graph.effects, graph.effect_starts, graph.rests,
        graph.rest_starts, words, after,
    )  # fmt: skip
    assert done != ILLEGAL, "this move was made before, in the same situation"
    return int(graph.arcs[arc, TARGET]), after


def _route(ground: Ground, start: int, words: Ints, allowed: Any, wanted: Any, *, takes: bool) -> list[int] | None:
    """Return the arcs of a shortest calm walk to a wanted cell; empty if this is one, None if there is none."""
    graph = ground.cells
    found = np.empty(graph.nodes, dtype=np.int64)
    length = _calm_route(
        graph.arcs, graph.starts, ground.gates, ground.blocks, ground.stocks, graph.effects, graph.effect_starts,
        graph.rests, graph.rest_starts, start, words, np.empty_like(words), allowed, wanted, takes, found,
    )  # fmt: skip
    return None if length < 0 else [int(arc) for arc in found[:length]]


@kernel
def _calm_route(
    arcs: Any,
    starts: Any,
    gates: Any,
    blocks: Any,
    stocks: Any,
    effects: Any,
    effect_starts: Any,
    rests: Any,
    rest_starts: Any,
    start: Any,
    words: Any,
    out: Any,
    allowed: Any,
    wanted: Any,
    takes: Any,
    found: Any,
) -> Any:
    """Write the arcs of a shortest walk to a `wanted` cell into `found`; return its length, or -1 if there is none.

    It goes over `allowed` cells and changes nothing; with `takes` it may take things, which bars no way.
    """
    nodes = len(starts) - 1
    came_by = np.full(nodes, -1, dtype=np.int64)
    queue = np.empty(nodes, dtype=np.int64)
    queue[0] = start
    came_by[start] = -2
    reached, done = 1, 0
    end = start if wanted[start] else -1
    while done < reached and end < 0:
        here = queue[done]
        done += 1
        for arc in range(starts[here], starts[here + 1]):
            there = arcs[arc, TARGET]
            if came_by[there] != -1 or not allowed[there]:
                continue
            effect = take(arcs, arc, gates, blocks, stocks, effects, effect_starts, rests, rest_starts, words, out)
            if effect == CALM or (takes and effect == TOOK):
                came_by[there] = arc
                queue[reached] = there
                reached += 1
                if wanted[there] and end < 0:
                    end = there
    if end < 0:
        return -1
    length = 0
    while came_by[end] >= 0:
        found[length] = came_by[end]
        length += 1
        end = arcs[came_by[end], SOURCE]
    for index in range(length // 2):
        other = length - 1 - index
        found[index], found[other] = found[other], found[index]
    return length
