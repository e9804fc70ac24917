"""A board as a page needs it: what to draw, what stands on it, and how many stars may stand where.

Cells are numbered as in the puzzle, and lengths are those of our pictures, so that page and picture look alike.
"""

from __future__ import annotations

from typing import Any

from solvent.drawing.palette import Paint, as_hex
from solvent.starbattle.cells import format_region
from solvent.starbattle.drawing import first_cells
from solvent.starbattle.drawing.colours import PAINTS, choose_paints
from solvent.starbattle.drawing.svg import CELL, band_path, border_path
from solvent.starbattle.model import UNKNOWN, Puzzle
from solvent.starbattle.page.actions import play as play
from solvent.starbattle.page.editing import edit as edit
from solvent.starbattle.page.editing import templates as templates
from solvent.starbattle.page.limits import Limit, is_solved, limits_of, name_of
from solvent.starbattle.shortage import why_unsolvable

# One for each of `PAINTS`, for pages with light ink on dark. They stay as far apart as those, for every kind of sight.
DARK_PAINTS: tuple[Paint, ...] = (
    (46, 56, 105),  # blue
    (94, 87, 38),  # olive
    (108, 56, 91),  # plum
    (36, 87, 63),  # green
    (74, 54, 26),  # brown
    (48, 47, 52),  # grey
)


def page_data(puzzle: Puzzle) -> dict[str, Any]:
    """Return the board as JSON values."""
    paints = choose_paints(puzzle)
    stars = "1 star" if puzzle.stars == 1 else f"{puzzle.stars} stars"
    return {
        "title": f"{puzzle.size}×{puzzle.size}, {stars}",
        "size": puzzle.size,
        "stars": puzzle.stars,
        "marks": puzzle.marks,
        "regions": list(puzzle.regions),
        "letters": [format_region(region) for region in range(puzzle.size)],
        "firsts": first_cells(puzzle),
        "paints": [as_hex(paint) for paint in paints],
        "dark_paints": [as_hex(DARK_PAINTS[PAINTS.index(paint)]) for paint in paints],
        "cell": CELL,
        "borders": border_path(puzzle),
        "bands": [band_path(puzzle, cell) for cell in range(puzzle.size**2)],
        "limits": [_as_json(limit) for limit in limits_of(puzzle)],
        "solved": is_solved(puzzle),
        "why": _why(puzzle),
    }


def _why(puzzle: Puzzle) -> dict[str, Any] | None:
    """Say why an unmarked board has no solution, where counting shows it: for its designer, not for players."""
    found = why_unsolvable(puzzle) if puzzle.marks == UNKNOWN * len(puzzle.marks) else None
    return None if found is None else {"text": found.text, "regions": list(found.regions)}


def _as_json(limit: Limit) -> dict[str, Any]:
    unit = limit.unit
    return {
        "cells": list(limit.cells),
        "least": limit.least,
        "most": limit.most,
        "unit": None if unit is None else [unit.kind, unit.index],
        "name": "" if unit is None else name_of(unit),
    }
