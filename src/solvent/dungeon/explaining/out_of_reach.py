"""What can never be reached, and what is in the way."""

from __future__ import annotations

from dataclasses import dataclass

from solvent.dungeon.explaining.land import (
    Land,
    as_json,
    describe_things,
    listing,
    name_rooms,
    runs_of,
    things_leapt_over,
    things_on,
)
from solvent.dungeon.explaining.reach import Reach
from solvent.dungeon.model import WATER, Place
from solvent.dungeon.solver.flags import Flags, chosen, flags_of, join_pairs, opposite
from solvent.dungeon.solver.obstacles import Obstacle, describe_obstacle, describe_solid, obstacles_between

MAX_SHOWN = 8


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """Hold one part of a dungeon that no player ever sees."""

    cells: Flags
    things: tuple[tuple[str, str, Place], ...]
    obstacles: tuple[Obstacle, ...]
    """What bars the moves into it from where players come; empty if no move leads there."""


def find_hidden(land: Land, reach: Reach) -> list[Hidden]:
    """Return the parts that can never be reached: goals first, then those that hold something, then the largest.

    Water that no player crosses, gates, blocks and where blocks come to rest are no part of their own.
    """
    ground = land.ground
    seen = reach.cells if reach.exact else reach.at_most
    never = opposite(seen)
    inner = ground.cells.arcs_between(never, never)
    sources, targets = memoryview(ground.cells.source), memoryview(ground.cells.target)
    parts = join_pairs(ground.cells.nodes, ((sources[arc], targets[arc]) for arc in inner))
    counted: dict[int, list[int]] = {}
    for cell in chosen(never):
        counted.setdefault(parts[cell], []).append(cell)
    niches = {rest.node for rest in ground.cells.rests}

    def wet(cell: int) -> bool:
        return ground.game.terrain(ground.place(cell)) == WATER

    found = []
    for cells in counted.values():
        flags = flags_of(cells, len(never))
        things = tuple(things_on(land, flags))
        dry = any(land.is_plain[cell] and cell not in niches and not wet(cell) for cell in cells)
        if dry or things:
            found.append(Hidden(flags, things, tuple(obstacles_between(ground, seen, flags))))

    def weight(part: Hidden) -> tuple[int, ...]:
        goals = sum(kind == "goal" for kind, _, _ in part.things)
        return -goals, -len(part.things), -part.cells.count(1)

    return sorted(found, key=weight)


def describe_hidden(land: Land, reach: Reach, hidden: list[Hidden]) -> tuple[list[str], list[dict[str, object]]]:
    """Return what can never be reached as lines for people and as JSON values."""
    lines: list[str] = []
    data: list[dict[str, object]] = []
    for part in hidden:
        rooms = name_rooms(land, part.cells, reach.cells)
        what = listing([*describe_things(land, part.things), *rooms]) or f"{part.cells.count(1)} tiles"
        barred = [describe_obstacle(land.dungeon, obstacle) for obstacle in part.obstacles]
        why = listing(barred, 4) if barred else f"{describe_solid(land.dungeon)} all around"
        if len(lines) < MAX_SHOWN:
            lines.append(f"{what[0].upper()}{what[1:]}: {why}.")
        data.append(
            {
                "rooms": rooms,
                "where": runs_of(land, part.cells),
                "things": as_json(part.things),
                "tiles": part.cells.count(1),
                "because": barred,
                "gates": [obstacle.gate for obstacle in part.obstacles if obstacle.gate is not None],
                "missing": sorted({item for obstacle in part.obstacles for item in obstacle.missing}),
            }
        )
    if leapt := things_leapt_over(land):
        what = listing(describe_things(land, leapt))
        lines.append(f"{what[0].upper()}{what[1:]}: you leap over the water, so what lies on it stays there.")
        nothing: dict[str, object] = {"rooms": [], "where": [], "tiles": 0, "because": [], "gates": [], "missing": []}
        data.append({**nothing, "things": as_json(leapt)})
    if len(hidden) > MAX_SHOWN:
        lines.append(f"And {len(hidden) - MAX_SHOWN} more places.")
    if not reach.exact:
        lines.append("Not every situation was looked at: more may be out of reach.")
    elif not data:
        lines.append("Nothing: every place and thing can be reached.")
    return lines, data
