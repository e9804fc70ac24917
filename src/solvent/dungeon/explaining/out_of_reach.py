"""What can never be reached, and what is in the way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solvent.dungeon.explaining.land import (
    Flags,
    Land,
    as_json,
    listing,
    name_rooms,
    runs_of,
    say_things,
    things_leapt_over,
    things_on,
)
from solvent.dungeon.explaining.reach import Reach
from solvent.dungeon.model import WATER, Place
from solvent.dungeon.solver.ground import SOURCE, TARGET
from solvent.dungeon.solver.obstacles import Obstacle, describe_obstacle, obstacles_between, say_what_is_solid

MOST_SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Hold one part of a dungeon that nobody ever sees."""

    cells: Flags
    things: tuple[tuple[str, str, Place], ...]
    obstacles: tuple[Obstacle, ...]
    """What bars the moves into it from where players come; empty if no move leads there."""


def find_hidden(land: Land, reach: Reach) -> list[Hidden]:
    """Return the parts that can never be reached: goals first, then those that hold something, then the largest.

    Water that nobody crosses, gates, blocks and where blocks come to rest are no part of their own.
    """
    ground = land.ground
    arcs = ground.cells.arcs
    never = ~(reach.cells if reach.exact else reach.at_most)
    inner = arcs[never[arcs[:, SOURCE]] & never[arcs[:, TARGET]]]
    parts = _components(len(ground.places), inner[:, SOURCE].tolist(), inner[:, TARGET].tolist())
    counted: dict[int, list[int]] = {}
    for cell in np.nonzero(never)[0].tolist():
        counted.setdefault(parts[cell], []).append(cell)
    niches = np.diff(ground.cells.rest_starts) > 0

    def wet(cell: int) -> bool:
        return ground.game.terrain(ground.places[cell]) == WATER

    found = []
    for cells in counted.values():
        flags = land.nowhere
        flags[cells] = True
        things = tuple(things_on(land, flags))
        dry = any(land.is_plain[cell] and not niches[cell] and not wet(cell) for cell in cells)
        if dry or things:
            found.append(Hidden(flags, things, tuple(obstacles_between(ground, ~never, flags))))

    def weight(part: Hidden) -> tuple[int, ...]:
        goals = sum(kind == "goal" for kind, _, _ in part.things)
        return -goals, -len(part.things), -int(part.cells.sum())

    return sorted(found, key=weight)


def _components(nodes: int, sources: list[int], targets: list[int]) -> list[int]:
    """Return for each node the smallest one it hangs together with."""
    root = list(range(nodes))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for one, other in zip(sources, targets, strict=True):
        low, high = sorted((find(one), find(other)))
        root[high] = low
    return [find(node) for node in range(nodes)]


def describe_hidden(land: Land, reach: Reach, hidden: list[Hidden]) -> tuple[list[str], list[dict[str, object]]]:
    """Return what can never be reached as lines for people and as JSON values."""
    lines: list[str] = []
    data: list[dict[str, object]] = []
    for part in hidden:
        rooms = name_rooms(land, part.cells, reach.cells)
        what = listing([*say_things(land, part.things), *rooms]) or f"{int(part.cells.sum())} tiles"
        barred = [describe_obstacle(land.dungeon, obstacle) for obstacle in part.obstacles]
        why = listing(barred, 4) if barred else f"{say_what_is_solid(land.dungeon)} all around"
        if len(lines) < MOST_SHOWN:
            lines.append(f"{what[0].upper()}{what[1:]}: {why}.")
        data.append(
            {
                "rooms": rooms,
                "where": runs_of(land, part.cells),
                "things": as_json(part.things),
                "tiles": int(part.cells.sum()),
                "because": barred,
                "gates": [obstacle.gate for obstacle in part.obstacles if obstacle.gate is not None],
                "missing": sorted({item for obstacle in part.obstacles for item in obstacle.missing}),
            }
        )
    if leapt := things_leapt_over(land):
        what = listing(say_things(land, leapt))
        lines.append(f"{what[0].upper()}{what[1:]}: water is leapt over, and what lies on it stays there.")
        nothing: dict[str, object] = {"rooms": [], "where": [], "tiles": 0, "because": [], "gates": [], "missing": []}
        data.append({**nothing, "things": as_json(leapt)})
    if len(hidden) > MOST_SHOWN:
        lines.append(f"And {len(hidden) - MOST_SHOWN} more places.")
    if not reach.exact:
        lines.append("Not every situation was looked at: more may be out of reach.")
    elif not data:
        lines.append("Nothing: every place and thing can be reached.")
    return lines, data
