"""Witnesses of explained steps, made blindly: random units, random covers, random cells. Most show nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, Literal

from solvent.starbattle.model import STAR, UNKNOWN, Puzzle

Cell = tuple[int, int]
Kind = Literal["row", "column", "region"]
Unit = tuple[Kind, int]
Witness = dict[str, Any]
KINDS: tuple[Kind, ...] = ("row", "column", "region")


class Position:
    """Read a board with its marks."""

    def __init__(self, dice: Random, puzzle: Puzzle) -> None:
        self.dice, self.puzzle, self.size = dice, puzzle, puzzle.size
        self.cells = [divmod(cell, self.size) for cell in range(self.size**2)]
        self.units = [(kind, number) for kind in KINDS for number in range(self.size)]
        self.stars = [cell for cell in self.cells if self.mark(cell) == STAR]
        self.needs = {unit: puzzle.stars - sum(self.has(unit, star) for star in self.stars) for unit in self.units}
        self.open = [cell for cell in self.cells if self.is_open(cell)]
        self.open_of = {unit: {cell for cell in self.open if self.has(unit, cell)} for unit in self.units}

    def mark(self, cell: Cell) -> str:
        return self.puzzle.marks[cell[0] * self.size + cell[1]]

    def has(self, unit: Unit, cell: Cell) -> bool:
        region = self.puzzle.regions[cell[0] * self.size + cell[1]]
        return {"row": cell[0], "column": cell[1], "region": region}[unit[0]] == unit[1]

    def is_open(self, cell: Cell) -> bool:
        near = any(max(abs(cell[0] - row), abs(cell[1] - col)) <= 1 for row, col in self.stars)
        full = any(self.needs[unit] == 0 and self.has(unit, cell) for unit in self.units)
        return self.mark(cell) == UNKNOWN and not near and not full

    def open_in(self, units: list[Unit]) -> set[Cell]:
        return set().union(*(self.open_of[unit] for unit in units))

    def need(self, units: list[Unit]) -> int:
        return sum(self.needs[unit] for unit in units)

    def some(self, kind: Kind, most: int = 3) -> list[Unit]:
        numbers = self.dice.sample(range(self.size), self.dice.randint(1, min(most, self.size)))
        return [(kind, number) for number in sorted(numbers)]

    def cover(self, cells: set[Cell]) -> list[Cell]:
        """Cover cells by blocks, greedily from a random cell on; sometimes with fewer or more than it takes."""
        left, blocks = sorted(cells), []
        while left:
            row, col = self.dice.choice(left) if self.dice.randrange(3) == 0 else left[0]
            corners = [(r, c) for r in (row, row - 1) for c in (col, col - 1) if r >= 0 and c >= 0]
            self.dice.shuffle(corners)
            best = max(corners, key=lambda corner: sum(in_block(corner, cell) for cell in left))
            blocks.append(best)
            left = [cell for cell in left if not in_block(best, cell)]
        return sorted(blocks)


def in_block(corner: Cell, cell: Cell) -> bool:
    return 0 <= cell[0] - corner[0] <= 1 and 0 <= cell[1] - corner[1] <= 1


def far(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) > 1


# One maker a technique


def star_witness(here: Position) -> Iterator[Witness]:
    yield from ({"star": star} for star in here.stars)


def unit_witness(here: Position) -> Iterator[Witness]:
    yield from ({"unit": unit} for unit in here.units)


def tiling_witness(here: Position) -> Iterator[Witness]:
    yield from ({"unit": unit, "blocks": here.cover(here.open_in([unit]))} for unit in here.units)


def placements_witness(here: Position) -> Iterator[Witness]:
    for unit in here.units:
        # A unit of a made-up board may hold more stars than it needs.
        ways = combinations(sorted(here.open_in([unit])), max(0, here.needs[unit]))
        fitting = [list(way) for way in ways if all(far(one, other) for one, other in combinations(way, 2))]
        yield {"unit": unit, "placements": fitting}


def reserved_witness(here: Position) -> Iterator[Witness]:
    for into in here.units:
        for kind in KINDS:
            units = [unit for unit in here.some(kind, here.dice.randint(1, 3)) if unit != into]
            if kind != into[0] and units:
                yield {
                    "into": into,
                    "from": [
                        {"unit": unit, "blocks": here.cover(here.open_in([unit]) - here.open_in([into]))}
                        for unit in units
                    ],
                }


def exclusion_witness(here: Position, most: int = 1) -> Iterator[Witness]:
    for cell in here.open:
        for _ in range(4):
            units = here.some(here.dice.choice(KINDS), most)
            room = {other for other in here.open_in(units) if far(cell, other)}
            if most > 1:
                filled = [unit for unit in here.units if here.needs[unit] == 1 and here.has(unit, cell)]
                room -= here.open_in(filled)
            yield {"plus": units, "cells": [{"cell": cell, "blocks": here.cover(room)}]}


def pressured_witness(here: Position) -> Iterator[Witness]:
    yield from exclusion_witness(here, most=3)


def counting_pairs(here: Position, one: Kind, other: Kind) -> Iterator[tuple[list[Unit], list[Unit]]]:
    """Yield units of one kind, and those of another kind whose open cells lie in them."""
    for _ in range(12):
        outer = here.some(one, here.size - 1)
        inside = [(other, number) for number in range(here.size)]
        inner = [unit for unit in inside if here.open_in([unit]) <= here.open_in(outer)]
        inner = [unit for unit in inner if here.needs[unit]] if here.dice.randrange(2) else inner
        if inner:
            yield outer, inner


def undercounting_witness(here: Position) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for lines, regions in counting_pairs(here, kind, "region"):
            yield {"lines": lines, "regions": regions}


def overcounting_witness(here: Position) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for regions, lines in counting_pairs(here, "region", kind):
            yield {"lines": lines, "regions": regions}


def fish_witness(here: Position) -> Iterator[Witness]:
    for columns, rows in counting_pairs(here, "column", "row"):
        yield {"rows": rows, "columns": [number for _, number in columns], "base": "rows"}
    for rows, columns in counting_pairs(here, "row", "column"):
        yield {"rows": [number for _, number in rows], "columns": columns, "base": "columns"}


def squeeze_witness(here: Position) -> Iterator[Witness]:
    for kind in ("row", "column"):
        for number in range(here.size - 1):
            lines: list[Unit] = [(kind, number), (kind, number + 1)]
            yield {"lines": lines, "blocks": here.cover(here.open_in(lines))}


def two_kinds(here: Position) -> tuple[Kind, Kind]:
    one, other = here.dice.sample(KINDS, 2)
    return one, other


def composite_witness(here: Position) -> Iterator[Witness]:
    for _ in range(3):
        for plus, minus in counting_pairs(here, *two_kinds(here)):
            inside = here.open_in(plus) - here.open_in(minus)
            yield {"plus": plus, "minus": minus, "blocks": here.cover(inside)}


def finned_witness(here: Position) -> Iterator[Witness]:
    for _ in range(80):
        one, other = two_kinds(here)
        plus, minus = here.some(one), here.some(other)
        yield {"plus": plus, "minus": minus, "fins": sorted(here.open_in(minus) - here.open_in(plus))}


def differential_witness(here: Position) -> Iterator[Witness]:
    for _ in range(60):
        one, other = two_kinds(here)
        plus, minus = here.some(one), here.some(other) if here.dice.randrange(6) else []
        inside = here.open_in(plus) - here.open_in(minus)
        yield {"plus": plus, "minus": minus, "blocks": here.cover(inside)}


def known_areas(here: Position) -> Iterator[Witness]:
    for unit in here.units:
        cells = here.open_in([unit])
        yield {"plus": [unit], "minus": [], "blocks": [], "cells": sorted(cells), "count": here.needs[unit]}
    for maker in (composite_witness, differential_witness):
        for witness in maker(here):
            cells = here.open_in(witness["plus"]) - here.open_in(witness["minus"])
            count = here.need(witness["plus"]) - here.need(witness["minus"])
            yield {**witness, "blocks": [], "cells": sorted(cells), "count": max(count, 0)}
            if len(witness["blocks"]) == count:
                for block in witness["blocks"]:
                    yield {**witness, "cells": sorted(cell for cell in cells if in_block(block, cell)), "count": 1}


def shapes_witness(here: Position) -> Iterator[Witness]:
    small = [area for area in known_areas(here) if 0 < len(area["cells"]) <= 8 and area["count"]]
    pairs = [(a, b) for a, b in combinations(small, 2) if not set(a["cells"]) & set(b["cells"])]
    for pair in here.dice.sample(pairs, min(20, len(pairs))):
        yield {"areas": list(pair), "shape": here.dice.choice(["kissing Ls", "M", "pressured T", "pair"])}


def rooks_witness(here: Position) -> Iterator[Witness]:
    bands = range(here.size // 2)
    starred = {(row // 2, col // 2) for row, col in here.stars}
    for base in ("rows", "columns"):
        for chosen in [list(some) for count in (1, 2) for some in combinations(bands, count)]:
            lacking = [[j for j in bands if ((i, j) if base == "rows" else (j, i)) not in starred] for i in chosen]
            cover = sorted({j for found in lacking for j in found})
            for across in (cover, here.dice.sample(bands, len(chosen)), []):
                rows, columns = (chosen, across) if base == "rows" else (across, chosen)
                for name in ("full", "empty"):
                    # one block at a time, so that one that is not shown does not spoil the others
                    for block in [(i, j) for i in bands for j in bands]:
                        yield {"rows": rows, "columns": columns, "base": base, "full": [], "empty": [], name: [block]}
