"""The steps a chain is made of: what follows from one unit, or a few, on a scratch board.

A scratch board knows only which cells are open and how many stars each unit needs. Crosses that a star implies, on the
cells it touches and in the units it fills, need no step: such cells are not open any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from solvent.starbattle.hints.application import pairs, unit_keys
from solvent.starbattle.hints.blocks import Tiled, apart, cover, tiled_conclusions
from solvent.starbattle.hints.chains.transport import Sharing, Units, share_out
from solvent.starbattle.hints.position import Cells, Geometry, Position, cells_in

MAX_PLACEMENTS = 400
"""Ways to place the stars of a unit that a step lists at most."""
MAX_JOINT_PLACEMENTS = 2_000
"""Ways to place the stars of two neighbouring lines at once that a step looks at."""
_EVERYWHERE: Cells = -1


class Scratch(Struct):
    """Hold a board on which marks are tried."""

    geometry: Geometry
    open: Cells
    needs: list[int]

    def copy(self) -> Scratch:
        """Return a board to go on with while this one stays."""
        return Scratch(self.geometry, self.open, self.needs.copy())

    def place(self, cell: int) -> bool:
        """Put a star on an open cell; False, and nothing happens, if the cell is not open."""
        if not self.open >> cell & 1:
            return False
        geometry = self.geometry
        self.open &= ~(geometry.touching[cell] | 1 << cell)
        for unit in geometry.units_at[cell]:
            self.needs[unit] -= 1
            if self.needs[unit] == 0:
                self.open &= ~geometry.masks[unit]
        return True

    def area(self, plus: Units, minus: Units = ()) -> Cells:
        """Return the open cells of some units outside some others."""
        masks = self.geometry.masks
        inside = outside = 0
        for unit in plus:
            inside |= masks[unit]
        for unit in minus:
            outside |= masks[unit]
        return self.open & inside & ~outside

    def surplus(self, plus: Units, minus: Units) -> int:
        """Return how many stars some units need more than some others."""
        surplus = 0
        for unit in plus:
            surplus += self.needs[unit]
        for unit in minus:
            surplus -= self.needs[unit]
        return surplus


class Rule(Struct, frozen=True):
    """Name a step: what is looked at, not what follows, because that depends on the board."""

    kind: str
    """`fill`, `tiled`, `placements` or `pair`."""
    plus: Units
    minus: Units = ()


class Derived(Struct, frozen=True):
    """Hold what a rule says about a board."""

    stars: Cells
    crosses: Cells
    blocks: tuple[int, ...] = ()
    """The blocks of a tiling."""
    placements: tuple[Cells, ...] = ()
    """All placements of a unit."""


class Memory(Struct):
    """Remember what was worked out for sets of cells: from one hypothesis to the next most units stay the same."""

    covers: dict[tuple[Cells, int], tuple[int, ...] | None] = field(default_factory=dict)
    placements: dict[tuple[Cells, int], tuple[Cells, ...] | None] = field(default_factory=dict)
    common: dict[tuple[Cells, int], tuple[Cells, Cells, Cells]] = field(default_factory=dict)
    tiled: dict[tuple[Cells, tuple[int, ...]], Tiled] = field(default_factory=dict)

    def cover_within(self, geometry: Geometry, area: Cells, most: int) -> tuple[int, ...] | None:
        """Return a smallest cover of an area, or None if it takes more blocks than `most`."""
        key = (area, most)
        if key not in self.covers:
            self.covers[key] = None if apart(geometry, area) > most else cover(geometry, area, most=most)
        return self.covers[key]

    def tiled_by(self, geometry: Geometry, area: Cells, blocks: tuple[int, ...]) -> Tiled:
        """Return what follows from a tiling if all cells around it were open."""
        key = (area, blocks)
        if key not in self.tiled:
            # What works on areas reads no marks, so there need not be any.
            everywhere = Position(None, geometry, 0, 0, _EVERYWHERE, _EVERYWHERE, ())  # type: ignore[arg-type]
            self.tiled[key] = tiled_conclusions(everywhere, area, blocks)
        return self.tiled[key]

    def placements_on(self, geometry: Geometry, area: Cells, count: int) -> tuple[Cells, ...] | None:
        """Return every way to place so many stars on an area, no two touching, or None if there are too many."""
        key = (area, count)
        if key not in self.placements:
            found = []
            for placement in _place(geometry, area, count):
                found.append(placement)
                if len(found) > MAX_PLACEMENTS:
                    break
            self.placements[key] = tuple(found) if len(found) <= MAX_PLACEMENTS else None
        return self.placements[key]


def _place(geometry: Geometry, area: Cells, count: int) -> Iterator[Cells]:
    if count == 0:
        yield 0
        return
    while area.bit_count() >= count:
        lowest = area & -area
        area ^= lowest
        for rest in _place(geometry, area & ~geometry.touching[lowest.bit_length() - 1], count - 1):
            yield lowest | rest


def shortage(board: Scratch, plus: Units, minus: Units, memory: Memory) -> tuple[int, ...] | None:
    """Return blocks that cover the area of some units less others and are fewer than the stars it needs, or None."""
    most = board.surplus(plus, minus) - 1
    return None if most < 0 else memory.cover_within(board.geometry, board.area(plus, minus), most)


def derive(board: Scratch, rule: Rule, memory: Memory) -> Derived | None:
    """Return what a rule says about a board, or None if it says nothing."""
    if rule.kind == "fill":
        return _fill(board, rule.plus[0])
    if rule.kind == "tiled":
        return _tiled(board, rule.plus, rule.minus, memory)
    if rule.kind == "placements":
        return _placements(board, rule.plus[0], memory)
    return _pair(board, rule.plus, memory)


def _fill(board: Scratch, unit: int) -> Derived | None:
    area = board.open & board.geometry.masks[unit]
    return Derived(area, 0) if 0 < board.needs[unit] == area.bit_count() else None


def _tiled(board: Scratch, plus: Units, minus: Units, memory: Memory) -> Derived | None:
    need = board.surplus(plus, minus)
    if need < 0:
        return None
    area = board.area(plus, minus)
    blocks = memory.cover_within(board.geometry, area, need)
    if blocks is None or len(blocks) != need:
        return None
    found = memory.tiled_by(board.geometry, area, blocks)
    crosses = found.crosses & board.open | board.area(minus, plus)
    return Derived(found.stars, crosses, blocks) if found.stars | crosses else None


def _placements(board: Scratch, unit: int, memory: Memory) -> Derived | None:
    need = board.needs[unit]
    area = board.open & board.geometry.masks[unit]
    if need <= 0 or apart(board.geometry, area) > need + 2:  # one star takes the room of three others at most
        return None
    placements = memory.placements_on(board.geometry, area, need)
    if not placements:
        return None
    key = (area, need)
    if key not in memory.common:
        memory.common[key] = _common(board.geometry, placements)
    every, some, touched = memory.common[key]
    crosses = (area & ~some) | (touched & board.open & ~area)
    return Derived(every, crosses, placements=placements) if every | crosses else None


def _common(geometry: Geometry, placements: tuple[Cells, ...]) -> tuple[Cells, Cells, Cells]:
    """Return the cells in all placements, in some placement, and those that touch a star of every placement."""
    every = touched = -1
    some = 0
    for placement in placements:
        every &= placement
        some |= placement
        around = 0
        for cell in cells_in(placement):
            around |= geometry.touching[cell]
        touched &= around
    return every, some, touched


def _pair(board: Scratch, lines: Units, memory: Memory) -> Derived | None:
    """Place the stars of two neighbouring lines at once, in no region more than it needs."""
    geometry = board.geometry
    one, two = lines
    if board.needs[one] <= 0 or board.needs[two] <= 0:
        return None
    first = memory.placements_on(geometry, board.area((one,)), board.needs[one])
    second = memory.placements_on(geometry, board.area((two,)), board.needs[two])
    if not first or not second or len(first) * len(second) > 8 * MAX_JOINT_PLACEMENTS:
        return None
    tight = [(geometry.masks[unit], board.needs[unit]) for unit in geometry.regions if board.needs[unit] < 4]
    area = board.area(lines)
    tight = [(mask, need) for mask, need in tight if (mask & area).bit_count() > need]
    joint = []
    for placement in first:
        around = 0
        for cell in cells_in(placement):
            around |= geometry.touching[cell]
        for other in second:
            both = placement | other
            if not around & other and all((both & mask).bit_count() <= need for mask, need in tight):
                joint.append(both)
                if len(joint) > MAX_JOINT_PLACEMENTS:
                    return None
    if not joint:
        return None
    every, some, touched = _common(geometry, tuple(joint))
    crosses = (area & ~some) | (touched & board.open & ~area)
    return Derived(every, crosses) if every | crosses else None


def sharings(board: Scratch) -> Iterator[Sharing]:
    """Yield how rows, then columns, share their stars with the regions."""
    for columns in (False, True):
        yield share_out(board.geometry, board.open, board.needs, columns=columns)


def technique_of(board: Scratch, rule: Rule) -> str:
    """Return the technique that a rule is an application of on this board."""
    if rule.kind == "fill":
        return "exact fill"
    if rule.kind == "placements":
        return "placements"
    if rule.kind == "pair":
        return "shapes"
    regions = board.geometry.regions
    if not rule.minus:
        return (
            "tiling" if len(rule.plus) == 1 else "squeeze" if are_neighbours(board, rule.plus) else "set differential"
        )
    if not board.area(rule.plus, rule.minus):
        return "undercounting" if rule.plus[0] in regions else "overcounting"
    return "set differential" if board.area(rule.minus, rule.plus) else "composite shape"


def are_neighbours(board: Scratch, units: Units) -> bool:
    """Tell whether units are two neighbouring rows or columns."""
    size = board.geometry.size
    return len(units) == 2 and units[1] - units[0] == 1 and units[1] != size and units[1] < 2 * size


def witness_of(board: Scratch, rule: Rule, derived: Derived, position: Position) -> dict[str, Any]:
    """Write down what a step rests on, as its technique wants it. `position` only names the units."""
    size = board.geometry.size
    technique = technique_of(board, rule)
    plus, minus = unit_keys(position, rule.plus), unit_keys(position, rule.minus)
    if technique == "exact fill":
        return {"unit": plus[0]}
    if technique == "placements":
        return {"unit": plus[0], "placements": sorted(pairs(placement, size) for placement in derived.placements)}
    if technique == "shapes":
        return {"areas": [_line_area(board, position, unit) for unit in rule.plus], "shape": "pair"}
    if technique in ("undercounting", "overcounting"):
        lines, regions = (minus, plus) if technique == "undercounting" else (plus, minus)
        return {"lines": lines, "regions": regions}
    blocks = pairs(derived.blocks, size)
    if technique == "tiling":
        return {"unit": plus[0], "blocks": blocks}
    if technique == "squeeze":
        return {"lines": plus, "blocks": blocks}
    return {"plus": plus, "minus": minus, "blocks": blocks}


def _line_area(board: Scratch, position: Position, unit: int) -> dict[str, Any]:
    return {
        "plus": unit_keys(position, (unit,)),
        "minus": [],
        "blocks": [],
        "cells": pairs(board.area((unit,)), board.geometry.size),
        "count": board.needs[unit],
    }
