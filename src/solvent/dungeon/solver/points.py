"""Points of interest and the macros between them.

A point is a tile on which something may happen (a pickup, a plate, a goal), or to which a move leads that asks for
something (through a gate, over water, against a block), or where the search begins. A *macro* walks from a point over
tiles where nothing happens to the beginning of such a move, the *event*, and makes it: it stops at every tile that
changes the state, so nothing is ever skipped, and whatever does not fit a macro is a macro of one step.

The table of a point holds every event that can be walked to, with the exact distance. It is built by breadth-first
search when the search first comes to that point, since many are never come to.
"""

from __future__ import annotations

from collections.abc import Iterable

from solvent.core.budget import UNLIMITED, Meter
from solvent.dungeon.solver.areas_kernel import Areas
from solvent.dungeon.solver.distances_kernel import FAR, Distances
from solvent.dungeon.solver.ground import Ground
from solvent.dungeon.solver.mechanics import NEVER
from solvent.dungeon.solver.pacing import in_pieces
from solvent.dungeon.solver.points_kernel import Points

__all__ = ["FAR", "Points", "begin_points", "can_be_met", "distances_to", "number_points"]


def begin_points(
    ground: Ground,
    start: int,
    *,
    macros: bool,
    areas: Areas | None = None,
    stops: bytearray | None = None,
    meter: Meter = UNLIMITED,
) -> Points:
    """Begin to find the points; without macros every tile is a point, and every step a macro of one.

    With areas, a step from one into another counts as an event too: nothing happens, but there may be no way back.
    Macros stop at the cells in `stops` as well. Before `number_points`, some may be left out, and penalties be set.
    """
    cells = ground.cells
    meter.require_memory((40 * cells.nodes + 12 * cells.arcs) / 1e6, "the search for points of interest")
    return Points(cells, start, macros, memoryview(areas.area_of) if areas is not None else None, stops)


def number_points(points: Points, meter: Meter = UNLIMITED) -> None:
    """Number the points, so that macros from them can be found."""
    in_pieces(points.number, meter)


def distances_to(ground: Ground, targets: Iterable[int], onwards: int = 0, meter: Meter = UNLIMITED) -> memoryview:
    """Return how far each cell is from the nearest target if every gate that can ever open were open.

    From the targets it is `onwards` still to go; FAR is never exceeded.
    """
    meter.require_memory(13 * ground.cells.nodes / 1e6, "distances to the goal")
    distances = Distances(ground.cells, can_be_met(ground), None, targets, onwards)
    in_pieces(distances.run, meter)
    return distances.row()


def can_be_met(ground: Ground) -> bytearray:
    """Return for each demand, 1 if a player may be able to meet it: no gate that never opens, no block that stays."""
    demands = ground.cells.demands
    moving = {demand.block for demand in demands if demand.behind >= 0}
    return bytearray(
        all(gate < 0 or ground.gates[gate].kind != NEVER for gate in demand.gates)
        and (demand.block < 0 or demand.block in moving)
        for demand in demands
    )
