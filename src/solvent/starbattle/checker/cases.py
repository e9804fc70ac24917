"""Check a proof by cases: in each, counting leaves no solution, or none but the one that is known."""

from __future__ import annotations

from typing import Annotated

import msgspec

from solvent.core.budget import UNLIMITED, Meter
from solvent.engine.arrays import SHORT, row_of
from solvent.starbattle.model import LARGEST_SIZE, MAX_STARS, Puzzle

Entry = Annotated[int, msgspec.Meta(ge=0, le=999)]
"""A cell to tell apart, counted row by row from 1, or 0 for a case that counting ends; the checker knows the board."""

CASES_A_CALL = 50
"""Looked at between two looks at the clock: some milliseconds on the largest boards."""
MEGABYTES_AN_ENTRY = 4e-6
DEEPEST_MEGABYTES = 0.5
"""What is kept of all the cases that one is within, at the most."""


def case_violations(
    puzzle: Puzzle, entries: list[int], solution: list[tuple[int, int]] | None, meter: Meter = UNLIMITED
) -> list[str]:
    """Return why the cases do not show that there is no solution, or none but this one; an empty list if they do."""
    meter.require_memory(DEEPEST_MEGABYTES + MEGABYTES_AN_ENTRY * len(entries), "following the cases")
    from solvent.starbattle.checker.cases_kernel import FINISHED, WORKING, WRONG, Cases

    if puzzle.size > LARGEST_SIZE:  # no file says so, but sets of more lines or regions would not fit into a word
        return [f"cases: expected at most {LARGEST_SIZE} rows, found {puzzle.size}"]
    if puzzle.stars > min(MAX_STARS, puzzle.size):  # nor would counts of more stars
        return [f"cases: expected at most {min(MAX_STARS, puzzle.size)} stars to a row, found {puzzle.stars}"]
    if max(entries, default=0) > puzzle.size**2:
        return [f"cases: expected numbers of cells up to {puzzle.size**2}, found {max(entries)}"]
    known = None if solution is None else [row * puzzle.size + col for row, col in solution]
    cases = Cases(puzzle, row_of(entries, SHORT), len(entries), known)
    status = WORKING
    while status == WORKING:
        meter.checkpoint()
        status = cases.follow(CASES_A_CALL)
    if status == FINISHED:
        return []
    return [f"cases, entry {cases.place}: {WRONG[status]}"]
