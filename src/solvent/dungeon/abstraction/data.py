"""An abstract graph as JSON values."""

from __future__ import annotations

from typing import Any

from solvent.dungeon.abstraction.building import Abstraction

MAX_PATH_MOVES = 300_000
"""How many moves all paths of all room tables may have together before they are left out: they would be megabytes."""


def abstraction_data(abstraction: Abstraction) -> dict[str, Any]:
    """Return points, room tables with paths, edges, D_abs and the abstract plan.

    Where all paths together are too long, `paths` is null everywhere, and `left_out` says so; `Abstraction.path` finds
    any of them.
    """
    points = [
        {
            "number": point.number,
            "place": list(point.place),
            "kinds": list(point.kinds),
            "names": list(point.names),
            "room": point.room,
            "D_abs": point.distance_to_goal,
        }
        for point in abstraction.points
    ]
    moves = sum(sum(each or 0 for each in row) for room in abstraction.rooms for row in room.distances)
    with_paths = moves <= MAX_PATH_MOVES
    rooms = [
        {
            "room": room.room,
            "points": list(room.points),
            "distances": [list(row) for row in room.distances],
            "paths": _paths(abstraction, zone, room.points) if with_paths else None,
        }
        for zone, room in zip(abstraction.zones, abstraction.rooms, strict=True)
    ]
    edges = [
        {
            "from": edge.source,
            "to": edge.target,
            "cost": edge.cost,
            "room": edge.room,
            "way": edge.way,
            "returns": edge.returns,
        }
        for edge in abstraction.edges
    ]
    plan = abstraction.plan
    left_out = None
    if not with_paths:
        left_out = f"the paths of the room tables: {moves:,} moves together, at most {MAX_PATH_MOVES:,} are listed"
    return {
        "start": abstraction.start,
        "points": points,
        "rooms": rooms,
        "edges": edges,
        "plan": None
        if plan is None
        else {
            "cost": sum(leg.cost for leg in plan),
            "points": [abstraction.start, *(leg.target for leg in plan)],
            "macros": [{"from": leg.source, "to": leg.target, "moves": leg.moves, "cost": leg.cost} for leg in plan],
        },
        "left_out": left_out,
    }


def _paths(abstraction: Abstraction, zone: int, points: tuple[int, ...]) -> list[list[str | None]]:
    """Return the moves from each point of a room to each other."""
    rows: list[list[str | None]] = []
    for source in points:
        found = abstraction.paths(source, zone)
        rows.append(["" if target == source else found.get(target) for target in points])
    return rows
