"""Areas: tiles that are one place to a walking player, so that states of many tiles become states of few areas.

Two tiles belong to one area if steps lead from each to the other that ask for nothing and do nothing. A tile on which
something happens beside taking things (a goal, a plate, a block or where one can come to rest) is an area of its own.
With `apart`, so is each tile with something to take that matters: then an area says exactly what was taken.

Whether a move between areas is *calm*, changing nothing but the place, is nearly always a question of some bits being
set and others not; those are worked out in `areas_kernel`, so that no search need play the move to know.
"""

from __future__ import annotations

from solvent.dungeon.solver.areas_kernel import Areas, Joining
from solvent.dungeon.solver.graph_kernel import Graph
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.layout import bits_of
from solvent.dungeon.solver.mechanics import NOTHING_ASKED
from solvent.dungeon.solver.state_kernel import PackedState
from solvent.dungeon.solver.sure_kernel import SureThings
from solvent.engine.arrays import SHORT, row_of

__all__ = ["Areas", "contract", "sure_things"]


def contract(ground: Ground, *, apart: bool) -> Areas:
    """Divide the cells into areas."""
    cells = ground.cells
    joining = Joining(cells, apart)
    area_of = memoryview(joining.area_of)
    goals = {area_of[ground.cell(goal)] for goal in ground.dungeon.goals}
    graph = Graph(
        cells.mechanics,
        joining.count,
        (effect._replace(node=area_of[effect.node]) for effect in cells.effects),
        (rest._replace(node=area_of[rest.node]) for rest in cells.rests),
        goals,
    )
    numbers = {NOTHING_ASKED: 0}
    number_of = []  # for each demand between cells, the one between areas
    for demand in cells.demands:
        moved = demand._replace(behind=area_of[demand.behind]) if demand.push else demand
        number_of.append(numbers.setdefault(moved, len(numbers)))
    # Of arcs that ask for the same between the same areas, one is enough.
    sources, targets, moves = memoryview(cells.source), memoryview(cells.target), memoryview(cells.move)
    demands = memoryview(cells.demand)
    kept: dict[tuple[int, int, int], int] = {}
    for arc in joining.crossing():
        kept.setdefault((area_of[sources[arc]], area_of[targets[arc]], number_of[demands[arc]]), arc)
    rows = sorted(kept.items(), key=lambda row: (row[0][0], row[0][1], moves[row[1]]))
    graph.lay_arcs(
        len(rows),
        row_of((ends[0] for ends, _ in rows), SHORT),
        row_of((ends[1] for ends, _ in rows), SHORT),
        row_of((moves[arc] for _, arc in rows), SHORT),
        row_of((ends[2] for ends, _ in rows), SHORT),
    )
    graph.set_demands(list(numbers))
    areas = Areas(joining, graph, row_of((arc for _, arc in rows), SHORT), apart)
    areas.sure = sure_things(ground, areas, lying=True)
    return areas


def sure_things(ground: Ground, areas: Areas, *, lying: bool) -> memoryview:
    """Return for each area and word the bits of what a player always has there; see `sure_kernel`.

    Without `lying`, only what was asked for on the way counts, not what lies there.
    """
    layout = ground.layout
    holdings = bits_of(layout, [*layout.items.values(), *layout.pickups.values(), *layout.opening.values()])
    start = memoryview(areas.area_of)[ground.cell(ground.dungeon.start)]
    return SureThings(areas, start, PackedState(holdings), lying).table()
