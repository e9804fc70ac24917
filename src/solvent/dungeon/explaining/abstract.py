"""Say what the abstract graph of a dungeon is like, and give it as data."""

from __future__ import annotations

from collections import Counter
from typing import Any

from solvent.core.budget import Meter
from solvent.drawing.phrases import counted
from solvent.dungeon.abstraction import Abstraction, TooLarge, abstraction_data
from solvent.dungeon.interest import ALL_KINDS, DEFAULT_POINTS, parse_kinds
from solvent.dungeon.model import Dungeon


def describe_abstraction(dungeon: Dungeon, points: str, meter: Meter) -> tuple[list[str], dict[str, Any]]:
    """Return lines for people, and points, room tables, edges, D_abs and the abstract plan as JSON values."""
    kinds = ALL_KINDS if points == DEFAULT_POINTS else parse_kinds(points)
    try:
        found = Abstraction(dungeon, kinds=kinds, meter=meter)
    except TooLarge as error:
        return [f"Left out: {error}."], {"left_out": str(error)}
    counts = Counter(kind for point in found.points for kind in point.kinds)
    listed = ", ".join(f"{kind} {counts[kind]:,}" for kind in ALL_KINDS if counts[kind])
    lines = [f"{counted(len(found.points), 'point')} in {counted(len(found.rooms), 'table')} of rooms: {listed}."]
    left = found.points[found.start].distance_to_goal
    if left is None:
        lines.append(f"{'Even with every gate open, no' if dungeon.gates else 'No'} way leads to a goal.")
    else:
        given = "With every gate open, the" if dungeon.gates else "The"
        lines.append(f"{given} goal is {counted(left, 'move')} away: no plan is shorter.")
    return lines, abstraction_data(found)
