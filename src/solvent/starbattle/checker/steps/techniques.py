"""The techniques that look at the board as it is, and who checks the witness of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from solvent.starbattle.checker.steps import counting, marks, placements, reserving, rooks, tilings
from solvent.starbattle.checker.steps.board import Board, Findings

Check = Callable[[Board, dict[str, Any]], Findings]
"""Return all that follows from a witness, or raise NotShown."""

PLAIN: Mapping[str, Check] = {
    "neighbour": marks.neighbour,
    "full unit": marks.full_unit,
    "exact fill": marks.exact_fill,
    "tiling": tilings.tiling,
    "placements": placements.placements,
    "reserved area": reserving.reserved_area,
    "exclusion": reserving.exclusion,
    "pressured exclusion": reserving.pressured_exclusion,
    "undercounting": counting.undercounting,
    "overcounting": counting.overcounting,
    "squeeze": tilings.squeeze,
    "composite shape": tilings.composite_shape,
    "finned count": counting.finned_count,
    "set differential": tilings.set_differential,
    "shapes": placements.shapes,
    "fish": counting.fish,
    "n-rooks": rooks.n_rooks,
}
