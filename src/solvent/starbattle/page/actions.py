"""What a player does on the page: any marks that break no rule, and the crosses that follow from stars at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from solvent.core.errors import BadOption, ParseError, show_value
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import with_marks
from solvent.starbattle.notation.reading import Place
from solvent.starbattle.page.limits import limits_of


def play(puzzle: Puzzle, action: Mapping[str, Any]) -> Puzzle:
    """Return the puzzle with other marks: `{"marks": "..x*", "cross": true}`.

    `marks` has one character per cell, row by row; stars that touch or are too many raise BadOption, as no text of a
    puzzle has such. With `cross`, cells that cannot have a star beside the stars there are get their cross; and
    crosses that only a star now taken away explained go with it.
    """
    for name in action:
        if name not in ("marks", "cross"):
            raise BadOption(f"expected marks or cross, found {show_value(name)}")
    marks, cross = action.get("marks"), action.get("cross", False)
    if not isinstance(marks, str) or len(marks) != len(puzzle.marks):
        expected = f"{len(puzzle.marks)} marks, each {UNKNOWN}, {STAR} or {CROSS}"
        raise BadOption(f"marks: expected {expected}, found {show_value(marks)}")
    if not isinstance(cross, bool):
        raise BadOption(f"cross: expected true or false, found {show_value(cross)}")
    try:
        marked = with_marks(puzzle, marks, lambda _cell: Place())
    except ParseError as error:
        raise BadOption(f"marks: {error}") from None
    return _cross_out(puzzle, marked) if cross else marked


def crossed_by_stars(puzzle: Puzzle) -> set[int]:
    """Return the cells beside a star, and the rest of each row, column and region that has all its stars."""
    full = (limit for limit in limits_of(puzzle) if len(limit.stars(puzzle)) == limit.most)
    return {cell for limit in full for cell in limit.cells if puzzle.marks[cell] != STAR}


def _cross_out(before: Puzzle, marked: Puzzle) -> Puzzle:
    now = crossed_by_stars(marked)
    explained_no_more = crossed_by_stars(before) - now
    marks = list(marked.marks)
    for cell, mark in enumerate(marks):
        if cell in now:
            marks[cell] = CROSS
        elif cell in explained_no_more and mark == CROSS == before.marks[cell]:
            marks[cell] = UNKNOWN
    return replace(marked, marks="".join(marks))
