"""Which areas and tiles a player can ever stand on, read off the situations of an exploration."""

from __future__ import annotations

from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.flags import Flags

SITUATIONS_A_CALL = 20_000


def mark_reached(exploration: Exploration, areas: Flags, first: int) -> int:
    """Mark the areas that situations from number `first` on can get to, goals included; return how many there are.

    Pass what was returned as `first` to go on once more were found.
    """
    situations = exploration.situations
    while first < exploration.count:
        last = min(exploration.count, first + SITUATIONS_A_CALL)
        situations.regions.mark_reached(situations.table, first, last, areas)
        first = last
    return first


def reached_cells(exploration: Exploration) -> Flags:
    """Return which cells a player can ever stand on, as far as the exploration went."""
    areas = bytearray(exploration.areas.graph.nodes)
    mark_reached(exploration, areas, 0)
    return exploration.areas.cells_of(areas)
