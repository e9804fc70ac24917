"""Points of interest and the macros between them.

A point is a tile on which something may happen (a pickup, a plate, a goal), or to which a move leads that asks for
something (through a gate, over water, against a block), or where the search begins. A *macro* walks from a point over
tiles where nothing happens to the beginning of such a move, and makes it: it stops at every tile that changes the
state, so nothing is ever skipped, and whatever does not fit a macro is a macro of one step.

The table of a point holds every event that can be walked to, with the exact distance. It is built by breadth-first
search over free arcs when the search first comes to that point, since many are never come to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solvent.dungeon.solver.ground import (
    BEHIND,
    BLOCK,
    FREE,
    GATE_1,
    GATE_2,
    GATE_3,
    KIND,
    NEVER,
    PUSH,
    SOURCE,
    TARGET,
    Ground,
    Ints,
    count_starts,
)
from solvent.engine.jit.kernel import kernel

FAR = np.int64(1) << 40
"""A distance that no walk has: it cannot be done."""


@dataclass(slots=True, eq=False)
class Points:
    """Hold the points of interest of a dungeon and the macros from each, as far as they were asked for."""

    ground: Ground
    cells: Ints
    """The cell of each point."""
    point_at: Ints
    """The point at each cell, -1 where there is none."""
    macros: Ints
    """Shape (capacity, 2): the arc that a macro ends with, and how many moves it takes."""
    tables: Ints
    """Shape (points, 2): where the macros of each point begin, and how many there are, -1 until they are built."""
    event_of: Ints
    """For each arc between cells the number of the event it is, -1 if macros walk over it."""
    events: int
    """How many events there are; no table is longer."""
    filled: int
    _marks: tuple[Ints, ...]

    def build(self, point: int) -> None:
        """Build the table of a point."""
        if self.filled + self.events > len(self.macros):
            room = np.empty((max(len(self.macros), self.events), 2), dtype=np.int64)
            self.macros = np.concatenate([self.macros, room])
        graph = self.ground.cells
        count = _fill_table(
            graph.arcs, graph.starts, self.event_of, int(self.cells[point]), point + 1, self.macros, self.filled,
            *self._marks,
        )  # fmt: skip
        self.tables[point] = self.filled, count
        self.filled += int(count)


def find_points(ground: Ground, start: int, *, macros: bool, area_of: Ints | None = None) -> Points:
    """Find the points; without macros every tile is a point, and every step a macro of one.

    With areas, a step from one into another counts as an event too: nothing happens, but there may be no way back.
    """
    graph = ground.cells
    arcs = graph.arcs
    if not macros:
        everywhere = np.arange(graph.nodes)
        steps = np.ascontiguousarray(np.stack([np.arange(len(arcs)), np.ones(len(arcs), dtype=np.int64)], axis=1))
        tables = np.ascontiguousarray(np.stack([graph.starts[:-1], np.diff(graph.starts)], axis=1))
        most = int(tables[:, 1].max(initial=0))
        return Points(ground, everywhere, everywhere.copy(), steps, tables, np.arange(len(arcs)), most, len(steps), ())
    is_event = arcs[:, FREE] == 0
    if area_of is not None:
        is_event |= area_of[arcs[:, SOURCE]] != area_of[arcs[:, TARGET]]
    cells = np.unique(np.append(arcs[is_event, TARGET], start))
    point_at = np.full(graph.nodes, -1, dtype=np.int64)
    point_at[cells] = np.arange(len(cells))
    # Moves that ask for the same and end on the same tile are one event: only the nearest of them is of use.
    telling = arcs[is_event][:, (TARGET, GATE_1, GATE_2, GATE_3, BLOCK, PUSH, BEHIND)].tolist()
    alike: dict[tuple[int, ...], int] = {}
    for row in telling:
        alike.setdefault(tuple(row), len(alike))
    event_of = np.full(len(arcs), -1, dtype=np.int64)
    event_of[is_event] = [alike[tuple(row)] for row in telling]
    count = len(alike)
    marks = (
        np.zeros(graph.nodes, dtype=np.int64),
        np.zeros(count + 1, dtype=np.int64),
        np.empty(graph.nodes, dtype=np.int64),
        np.empty(graph.nodes, dtype=np.int64),
    )
    tables = np.full((len(cells), 2), -1, dtype=np.int64)
    return Points(
        ground, cells, point_at, np.empty((4 * count + 64, 2), dtype=np.int64), tables, event_of, count, 0, marks
    )


@kernel
def _fill_table(
    arcs: Any,
    starts: Any,
    event_of: Any,
    cell: Any,
    stamp: Any,
    macros: Any,
    first: Any,
    seen: Any,
    met: Any,
    queue: Any,
    distance: Any,
) -> Any:
    """Walk from a cell over arcs that are no events and write those met into `macros` from `first` on; return how many.

    `seen` (cells) and `met` (events) hold the stamp of the last call that came there; `queue` and `distance` are room.
    """
    filled = first
    queue[0], distance[0] = cell, 0
    seen[cell] = stamp
    reached, done = 1, 0
    while done < reached:
        here, walked = queue[done], distance[done]
        done += 1
        for arc in range(starts[here], starts[here + 1]):
            there = arcs[arc, TARGET]
            if event_of[arc] < 0:
                if seen[there] != stamp:
                    seen[there] = stamp
                    queue[reached], distance[reached] = there, walked + 1
                    reached += 1
            elif met[event_of[arc]] != stamp:
                met[event_of[arc]] = stamp
                macros[filled, 0], macros[filled, 1] = arc, walked + 1
                filled += 1
    return filled - first


def distances_to(ground: Ground, targets: Ints) -> Ints:
    """Return how far each cell is from the nearest target if every gate that can ever open were open."""
    arcs = ground.cells.arcs
    can_open = np.ones(len(arcs), dtype=np.bool_)
    for column in (GATE_1, GATE_2, GATE_3):
        gated = arcs[:, column] >= 0
        can_open[gated] &= ground.gates[arcs[gated, column], KIND] != NEVER
    if len(ground.blocks):
        can_open &= (arcs[:, BLOCK] < 0) | np.isin(arcs[:, BLOCK], arcs[arcs[:, PUSH] > 0, BLOCK])
    kept = arcs[can_open]
    order = np.argsort(kept[:, TARGET], kind="stable")
    sources = np.ascontiguousarray(kept[order, SOURCE])
    starts = count_starts(kept[order, TARGET], ground.cells.nodes)
    away = np.full(ground.cells.nodes, FAR, dtype=np.int64)
    _spread(sources, starts, np.ascontiguousarray(targets), away)
    return away


@kernel
def _spread(sources: Any, starts: Any, targets: Any, away: Any) -> None:
    """Fill in distances to the targets, walking arcs backwards; `away` holds FAR everywhere."""
    queue = np.empty(len(away), dtype=np.int64)
    reached, done = 0, 0
    for target in targets:
        if away[target] != 0:
            away[target] = 0
            queue[reached] = target
            reached += 1
    while done < reached:
        there = queue[done]
        done += 1
        for place in range(starts[there], starts[there + 1]):
            here = sources[place]
            if away[here] > away[there] + 1:
                away[here] = away[there] + 1
                queue[reached] = here
                reached += 1


def walk_between(ground: Ground, points: Points, start: int, end: int) -> list[int]:
    """Return the arcs of a shortest walk without events; there must be one."""
    graph = ground.cells
    found = np.empty(graph.nodes, dtype=np.int64)
    length = _walk(graph.arcs, graph.starts, points.event_of, start, end, found)
    assert length >= 0, "a macro was built over this walk"
    return [int(arc) for arc in found[:length]]


@kernel
def _walk(arcs: Any, starts: Any, event_of: Any, start: Any, end: Any, found: Any) -> Any:
    """Write the arcs of a shortest walk without events into `found`; return its length, or -1 if there is none."""
    nodes = len(starts) - 1
    came_by = np.full(nodes, -1, dtype=np.int64)
    queue = np.empty(nodes, dtype=np.int64)
    queue[0] = start
    came_by[start] = -2
    reached, done = 1, 0
    while done < reached and came_by[end] == -1:
        here = queue[done]
        done += 1
        for arc in range(starts[here], starts[here + 1]):
            there = arcs[arc, TARGET]
            if event_of[arc] < 0 and came_by[there] == -1:
                came_by[there] = arc
                queue[reached] = there
                reached += 1
    if came_by[end] == -1:
        return -1
    length = 0
    here = end
    while came_by[here] >= 0:
        found[length] = came_by[here]
        length += 1
        here = arcs[came_by[here], SOURCE]
    for index in range(length // 2):
        other = length - 1 - index
        found[index], found[other] = found[other], found[index]
    return length
