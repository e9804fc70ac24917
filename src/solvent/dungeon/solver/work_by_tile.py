"""Where a search did its work, tile by tile: what the option `profile` adds to an answer's stats.

Three things are counted, each for itself:

- `heat`: how often a state on the tile was expanded. With macros, that happens on points of interest only.
- `walked`: how many macros that were tried walk over the tile on their way, neither first nor last tile included. So
  the tiles between points show what was done there.
- `explored`: how many situations were explored that are named after the area of the tile. Exploring by areas is all
  that is done where the answer is NO, or where a question needs no shortest walk.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from solvent.dungeon.model import Place
from solvent.dungeon.rooms import as_runs
from solvent.dungeon.solver.exploring import Exploration
from solvent.dungeon.solver.searching import Walk
from solvent.dungeon.solver.situations import Analysis


def profile_stats(
    analysis: Analysis,
    options: Mapping[str, Any],
    explorations: Sequence[Exploration] = (),
    walk: Walk | None = None,
) -> dict[str, Any]:
    """Return the counts of a profile if one is wanted, else nothing."""
    if not options["profile"]:
        return {}
    return {
        "heat": [] if walk is None else _by_place(analysis, walk.heat),
        "walked": [] if walk is None else _by_place(analysis, walk.walked),
        "explored": [each for exploration in explorations for each in _by_area(analysis, exploration)],
    }


def _by_place(analysis: Analysis, counts: Mapping[int, int]) -> list[list[int]]:
    """Return floor, row, column and the count of each tile that has one."""
    return [[*analysis.ground.place(cell), count] for cell, count in sorted(counts.items())]


def _by_area(analysis: Analysis, exploration: Exploration) -> list[list[Any]]:
    """Return for each area the number of situations named after it, and its tiles as runs along rows."""
    meter = analysis.meter
    counts: Counter[int] = Counter(exploration.node(number) for number in meter.each(range(exploration.count)))
    cells: dict[int, list[Place]] = defaultdict(list)
    area_of = memoryview(exploration.areas.area_of)
    for cell in meter.each(range(analysis.ground.cells.nodes)):
        if area_of[cell] in counts:
            cells[area_of[cell]].append(analysis.ground.place(cell))
    return [[counts[area], as_runs(cells[area], meter)] for area in sorted(counts)]
