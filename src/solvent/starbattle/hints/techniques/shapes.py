"""Shapes: two small areas beside each other, each with a known number of stars, settle how both are filled.

An area is what is open of a row, column or region, or what one 2×2 block covers of a unit that fits in as many blocks
as it needs stars: such a block holds exactly one. Go through every way to fill both areas at once, with no two stars
touching and no unit getting more than it needs. One of these ways is the right one, so what all of them agree on
holds: a cell with a star in each is a star, a cell of the areas with a star in none is empty, and so is a cell beside
a star in each. Some pairs have names among players: two L-shaped areas (kissing Ls), the M, the T under pressure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from solvent.drawing.phrases import capitalised
from solvent.starbattle.hints.application import Application, Highlights, Work, pairs, unit_keys
from solvent.starbattle.hints.phrases import count_of, name_blocks, name_cells, name_units
from solvent.starbattle.hints.position import Cells, Position, cells_in
from solvent.starbattle.hints.techniques.placements import agreed, agreement, placements_of
from solvent.starbattle.hints.techniques.tiling import tilings

NAME = "shapes"
TITLE = "Shapes"
DIFFICULTY = 13.0

MAX_CELLS = 6
"""Cells of one area."""
MAX_WAYS = 4
"""Ways to fill both areas; the proof names each."""

_STAIRS = ((0, 0), (1, 0), (1, 1), (2, 1), (2, 2))
_MS = frozenset(
    frozenset((2 - row if flip else row, 2 - col if turn else col) for row, col in _STAIRS)
    for flip in (False, True)
    for turn in (False, True)
)


class _Area(Struct, frozen=True, dict=True):
    """Hold a few open cells that have exactly `count` stars between them."""

    position: Position
    units: tuple[int, ...]
    blocks: tuple[int, ...]
    """A tiling of the units; none if the cells are all that is open in them."""
    cells: Cells
    count: int

    @cached_property
    def choices(self) -> tuple[Cells, ...]:
        """Return every way to fill the area."""
        ways = placements_of(self.position, self.cells, self.count, most=60)
        return tuple(way for way in ways if not _too_many(way, _tight(self.position, self.cells)))

    @cached_property
    def decided(self) -> Cells:
        """Return the cells that the area decides by itself."""
        stars, crosses = agreed(self.position, self.cells, self.choices)
        return stars | crosses

    @cached_property
    def around(self) -> Cells:
        """Return the cells that touch the area, or are in it."""
        return self.cells | self.position.geometry.around(self.cells)

    @cached_property
    def near(self) -> Cells:
        """Return the cells at most two steps away."""
        return self.around | self.position.geometry.around(self.around)

    def witness(self) -> dict[str, object]:
        """Write it as the witness has it."""
        size = self.position.size
        return {
            "plus": unit_keys(self.position, self.units),
            "minus": [],
            "blocks": pairs(self.blocks, size),
            "cells": pairs(self.cells, size),
            "count": self.count,
        }

    def __str__(self) -> str:
        names = capitalised(name_units(self.position, self.units))
        cells = name_cells(self.position, self.cells)
        if not self.blocks:
            return f"{names} has exactly {count_of(self.count, 'more star')}, among {cells}."
        fits, its = ("fits", "its") if len(self.units) == 1 else ("fit", "their")
        blocks = name_blocks(self.position, self.blocks)
        return f"{names} {fits} in {blocks}, one for each of {its} stars: one is among {cells}."


def find(position: Position, work: Work) -> Iterator[Application]:
    """Yield pairs of areas that decide more together than apart, the smallest first."""
    areas = _areas(position, work)
    seen: set[tuple[Cells, Cells]] = set()
    for first, second in _pairs(areas):
        work.spend()
        if not second.cells & first.near:
            continue
        tight = _tight(position, first.cells | second.cells)
        if not second.cells & first.around and all(_apart(first, second, mask) for mask, _ in tight):
            continue
        work.spend(5)
        ways = tuple(_joint(position, first, second, tight))
        if not 0 < len(ways) <= MAX_WAYS:
            continue
        stars, crosses = agreed(position, first.cells | second.cells, ways)
        if (stars | crosses) & ~(first.decided | second.decided) and (stars, crosses) not in seen:
            seen.add((stars, crosses))
            yield _application(position, first, second, ways, stars, crosses)


def _areas(position: Position, work: Work) -> list[_Area]:
    """Return the areas of the position, each set of cells once, the smallest first."""
    geometry = position.geometry
    units = [unit for unit, need in enumerate(position.needs) if need > 0]
    found: dict[Cells, _Area] = {}
    for unit in units:
        work.spend()
        cells = position.open_in(unit)
        if 1 < cells.bit_count() <= MAX_CELLS and cells not in found:
            area = _Area(position, (unit,), (), cells, position.needs[unit])
            if area.choices:
                found[cells] = area
    lines = [(line, line + 1) for line in (*geometry.rows[:-1], *geometry.columns[:-1])]
    for several in [*((unit,) for unit in units), *(pair for pair in lines if set(pair) <= set(units))]:
        cells = sum(position.open_in(unit) for unit in several)
        blocks = next(tilings(position, cells, sum(position.needs[unit] for unit in several), work), ())
        for corner in blocks if len(blocks) > 1 else ():
            part = geometry.block(corner) & cells
            if part & (part - 1) and part not in found:
                found[part] = _Area(position, several, blocks, part, 1)
    return sorted(found.values(), key=lambda area: (area.cells.bit_count(), len(area.blocks), area.units, area.cells))


def _pairs(areas: list[_Area]) -> Iterator[tuple[_Area, _Area]]:
    """Yield two areas without a common cell, those with the fewest cells between them first."""
    found = []
    for number, first in enumerate(areas):
        for other in range(number + 1, len(areas)):
            second = areas[other]
            if not first.cells & second.cells:
                found.append((first.cells.bit_count() + second.cells.bit_count(), number, other))
    found.sort()
    for _, number, other in found:
        yield areas[number], areas[other]


def _tight(position: Position, cells: Cells) -> list[tuple[Cells, int]]:
    """Return the units with more of these cells than stars they need, and how many they need."""
    units = {unit for cell in cells_in(cells) for unit in position.geometry.units_at[cell]}
    needed = [(position.geometry.masks[unit] & cells, position.needs[unit]) for unit in sorted(units)]
    return [(inside, need) for inside, need in needed if inside.bit_count() > need]


def _too_many(stars: Cells, tight: list[tuple[Cells, int]]) -> bool:
    return any((stars & inside).bit_count() > need for inside, need in tight)


def _apart(first: _Area, second: _Area, inside: Cells) -> bool:
    return not (inside & first.cells and inside & second.cells)


def _joint(position: Position, first: _Area, second: _Area, tight: list[tuple[Cells, int]]) -> Iterator[Cells]:
    """Yield the ways to fill both areas."""
    for one in first.choices:
        taken = one | position.geometry.around(one)
        for other in second.choices:
            if not other & taken and not _too_many(one | other, tight):
                yield one | other


def _shape(position: Position, first: _Area, second: _Area) -> str:
    """Name the pair as players do."""
    areas = (first, second)
    forms = [_form(area.cells, position.size) for area in areas]
    if all(len(form) == 3 and max(max(cell) for cell in form) == 1 for form in forms):
        return "kissing Ls"
    if any(area.count == 2 and form in _MS for area, form in zip(areas, forms, strict=True)):
        return "M"
    if any(area.count == 1 and _is_t(form) for area, form in zip(areas, forms, strict=True)):
        return "pressured T"
    return "pair"


def _form(cells: Cells, size: int) -> frozenset[tuple[int, int]]:
    """Return the cells as rows and columns counted from the top-left of what they span."""
    members = [divmod(cell, size) for cell in cells_in(cells)]
    top, left = min(row for row, _ in members), min(col for _, col in members)
    return frozenset((row - top, col - left) for row, col in members)


def _is_t(form: frozenset[tuple[int, int]]) -> bool:
    """Tell whether four cells form a T: one of them has the other three at its sides."""
    return len(form) == 4 and any(
        len(form & {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}) == 3 for row, col in form
    )


def _application(
    position: Position, first: _Area, second: _Area, ways: tuple[Cells, ...], stars: Cells, crosses: Cells
) -> Application:
    shape = _shape(position, first, second)
    cells = first.cells | second.cells
    count = len(ways)
    be = "is" if count == 1 else "are"
    proof = [str(first), str(second)]
    if first.blocks and (first.units, first.blocks) == (second.units, second.blocks):
        proof[1] = f"In the same way one is among {name_cells(position, second.cells)}."
    proof.append(f"With no stars touching and no unit too full, there {be} {count_of(count, 'way')} to fill both.")
    named = "; ".join(name_cells(position, way) for way in ways)
    proof.append(f"{'It is' if count == 1 else 'They are'}: {named}.")
    called = {
        "kissing Ls": "Two L-shaped areas touch",
        "M": "An M-shaped area with two stars lies beside a small one",
        "pressured T": "A T-shaped area lies beside another small one",
        "pair": "Two small areas lie beside each other",
    }
    return Application(
        technique=NAME,
        stars=stars,
        crosses=crosses,
        witness={"areas": [first.witness(), second.witness()], "shape": shape},
        because=f"{called[shape]}, and all ways to fill both agree here.",
        proof=tuple(proof),
        reasons=agreement(stars, crosses, cells, count),
        highlights=Highlights(
            causes=cells,
            units=tuple(sorted({*first.units, *second.units})),
            blocks=tuple(sorted({*first.blocks, *second.blocks})),
        ),
    )
