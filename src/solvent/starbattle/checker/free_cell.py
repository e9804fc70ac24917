"""Check that a cell is not forced: two solutions, one with a star on it and one without."""

from __future__ import annotations

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.starbattle.checker.stars import Number, broken_rules
from solvent.starbattle.model import UNKNOWN, Puzzle


class FreeCell(msgspec.Struct):
    """Hold the body of the form `free cell`."""

    cell: tuple[Number, Number]
    """Row and column, from 0."""
    solutions: list[list[tuple[Number, Number]]]
    """Two lists of stars, of which one has the cell."""


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the two solutions, or an empty list."""
    meter.checkpoint()
    body = msgspec.convert(certificate, FreeCell)
    row, col = body.cell
    if row >= puzzle.size or col >= puzzle.size:
        return [f"there is no cell in row {row + 1}, column {col + 1}"]
    if puzzle.marks[row * puzzle.size + col] != UNKNOWN:
        return [f"r{row + 1}c{col + 1} is marked"]
    if len(body.solutions) != 2:
        return [f"expected two solutions, found {len(body.solutions)}"]
    found = [
        f"solution {number}: {broken}"
        for number, stars in enumerate(body.solutions, start=1)
        for broken in broken_rules(puzzle, stars)
    ]
    if sum(body.cell in stars for stars in body.solutions) != 1:
        found.append(f"expected a star on r{row + 1}c{col + 1} in one of the two solutions")
    return found
