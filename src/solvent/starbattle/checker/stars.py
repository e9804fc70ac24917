"""Check stars: count them in every row, column and region, and see that none touch and all marks are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Annotated

import msgspec

from solvent.core.answer import Certificate
from solvent.core.budget import UNLIMITED, Meter
from solvent.starbattle.cells import format_region
from solvent.starbattle.model import CROSS, STAR, Puzzle

Number = Annotated[int, msgspec.Meta(ge=0, le=999)]
"""A row or column, from 0; whether the board has it is for the rules to say."""


class Stars(msgspec.Struct):
    """Hold the body of the form `stars`."""

    stars: list[tuple[Number, Number]]
    """Row and column of each star, from 0."""


class Solutions(msgspec.Struct):
    """Hold the body of the form `two solutions`."""

    solutions: list[list[tuple[Number, Number]]]
    """Two different lists of stars."""


def check(puzzle: Puzzle, certificate: Certificate, meter: Meter = UNLIMITED) -> list[str]:
    """Return what is wrong with the stars of either form, or an empty list."""
    meter.checkpoint()
    if certificate["form"] == "stars":
        return list(broken_rules(puzzle, msgspec.convert(certificate, Stars).stars))
    solutions = msgspec.convert(certificate, Solutions).solutions
    if len(solutions) != 2:
        return [f"expected two solutions, found {len(solutions)}"]
    found = [
        f"solution {number}: {broken}"
        for number, stars in enumerate(solutions, start=1)
        for broken in broken_rules(puzzle, stars)
    ]
    if set(solutions[0]) == set(solutions[1]):
        found.append("the two solutions are the same")
    return found


def broken_rules(puzzle: Puzzle, stars: list[tuple[int, int]]) -> Iterator[str]:
    """Yield a message for each rule that the stars break, and each mark they do not keep."""
    size = puzzle.size
    for (row, col), times in Counter(stars).items():
        if not (0 <= row < size and 0 <= col < size):
            yield f"there is no cell in row {row + 1}, column {col + 1}"
        if times > 1:
            yield f"{_name(row, col)} is listed {times} times"
    placed = sorted({(row, col) for row, col in stars if 0 <= row < size and 0 <= col < size})
    units = [(f"row {number + 1}", [star for star in placed if star[0] == number]) for number in range(size)]
    units += [(f"column {number + 1}", [star for star in placed if star[1] == number]) for number in range(size)]
    for region in range(size):
        inside = [(row, col) for row, col in placed if puzzle.regions[row * size + col] == region]
        units.append((f"region {format_region(region)}", inside))
    for unit, inside in units:
        if len(inside) != puzzle.stars:
            yield f"{unit} has {_stars(len(inside))}, not {puzzle.stars}"
    for one, other in combinations(placed, 2):
        if abs(one[0] - other[0]) <= 1 and abs(one[1] - other[1]) <= 1:
            yield f"{_name(*one)} and {_name(*other)} touch"
    for row in range(size):
        for col in range(size):
            mark = puzzle.marks[row * size + col]
            if mark == STAR and (row, col) not in placed:
                yield f"{_name(row, col)} is marked as a star and has none"
            if mark == CROSS and (row, col) in placed:
                yield f"{_name(row, col)} is marked as empty and has a star"


def _name(row: int, col: int) -> str:
    return f"r{row + 1}c{col + 1}"


def _stars(count: int) -> str:
    return "1 star" if count == 1 else f"{count or 'no'} stars"
