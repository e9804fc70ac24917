"""Walk out what was found by areas: from a way through situations to moves, tile by tile."""

from __future__ import annotations

from solvent.core.budget import UNLIMITED, Meter
from solvent.core.errors import LimitReached
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.mechanics import ILLEGAL, LOOKS_A_NODE
from solvent.dungeon.solver.routes_kernel import Routes
from solvent.dungeon.solver.state_kernel import PackedState

ANY = -1
"""Stands for the number of a situation that has none."""


def walk_out(
    exploration: Exploration, cell: int, state: PackedState, path: list[tuple[int, int]], meter: Meter = UNLIMITED
) -> list[str]:
    """Return moves that lead from a state along a path of situations and the arcs that join them.

    Where taking is saturated, a situation may be ANY: the one that the player is in by then.

    Where taking is saturated, everything in a region is fetched before it is left: first what can be fetched with what
    is held now, then what that opens, until nothing is new. Looking for long walks counts as nodes of its own: it may
    take as many as the search itself.
    """
    ground, areas = exploration.ground, exploration.areas
    cells = ground.cells
    routes = Routes(cells, memoryview(areas.area_of), areas.graph.nodes)
    here, now, after = cell, state.copy(), state.copy()
    moves: list[str] = []
    routes.fetch(here)
    own = meter.fork(meter.budget.nodes)

    def make(route: list[int]) -> None:
        nonlocal here, now, after
        own.spend(routes.looked // LOOKS_A_NODE - own.nodes)
        reason = own.stop_reason() if own.nodes else None
        if reason is not None:
            raise LimitReached(reason)
        for arc in meter.each(route):
            done = cells.take(arc, now, after)
            assert done != ILLEGAL, "this move was made before, in the same situation"
            here, now, after = cells.target[arc], after, now
            moves.append(ground.move_of(arc))
            routes.fetch(here)

    for situation, arc in path:
        while exploration.saturated:
            routes.allow(exploration.region_of_state(here, now))
            meter.checkpoint()
            route = routes.to_things(here, now)
            if route is None:
                break
            make(route)
        routes.allow(exploration.region_of_state(here, now) if situation == ANY else exploration.region(situation))
        meter.checkpoint()
        last = areas.cell_arc[arc]
        route = routes.to_cell(here, now, cells.source[last], exploration.saturated)
        assert route is not None, "a full situation is walked about in freely"
        make([*route, last])
    return moves
