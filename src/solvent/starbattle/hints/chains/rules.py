"""The steps a chain is made of: what follows from one unit, or a few, on a scratch board.

A scratch board knows only which cells are open and how many stars each unit needs. Crosses that a star implies, on the
cells it touches and in the units it fills, need no step: such cells are not open any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from solvent.starbattle.hints.application import pairs, unit_keys
from solvent.starbattle.hints.blocks import Conclusions, apart, cover, tiled_conclusions
from solvent.starbattle.hints.flow import TightSets, share_out_lines
from solvent.starbattle.hints.placing import in_common, place_all
from solvent.starbattle.hints.position import Cells, Geometry, Scratch, Units

MAX_PLACEMENTS = 400
"""Ways to place the stars of a unit that a step lists at most."""
MAX_JOINT_PLACEMENTS = 2_000
"""Ways to place the stars of two neighbouring lines at once that a step looks at."""
MAX_PLACING_STEPS = 1 << 40
"""Stars that may be tried to list them: as many as it takes."""
_EVERYWHERE: Cells = -1


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
    placements: dict[tuple[Cells, int], tuple[Cells, ...]] = field(default_factory=dict)
    common: dict[tuple[Cells, int], tuple[Cells, Cells, Cells]] = field(default_factory=dict)
    tiled: dict[tuple[Cells, tuple[int, ...]], Conclusions] = field(default_factory=dict)

    def cover_within(self, geometry: Geometry, area: Cells, most: int) -> tuple[int, ...] | None:
        """Return a smallest cover of an area, or None if it takes more blocks than `most`."""
        key = (area, most)
        if key not in self.covers:
            self.covers[key] = None if apart(geometry, area).bit_count() > most else cover(geometry, area, most=most)
        return self.covers[key]

    def tiled_by(self, geometry: Geometry, area: Cells, blocks: tuple[int, ...]) -> Conclusions:
        """Return what follows from a tiling if all cells around it were open."""
        key = (area, blocks)
        if key not in self.tiled:
            self.tiled[key] = tiled_conclusions(geometry, _EVERYWHERE, area, blocks)
        return self.tiled[key]

    def placements_on(self, geometry: Geometry, area: Cells, count: int) -> tuple[Cells, ...]:
        """Return every way to place so many stars on an area, no two touching; none if there are too many."""
        key = (area, count)
        if key not in self.placements:
            found = place_all(geometry, area, count, most=MAX_PLACEMENTS, most_steps=MAX_PLACING_STEPS)
            self.placements[key] = found.ways
        return self.placements[key]


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
    if (
        need <= 0 or apart(board.geometry, area).bit_count() > need + 2
    ):  # one star takes the room of three others at most
        return None
    placements = memory.placements_on(board.geometry, area, need)
    if not placements:
        return None
    key = (area, need)
    if key not in memory.common:
        memory.common[key] = in_common(board.geometry, placements)
    every, some, touched = memory.common[key]
    crosses = (area & ~some) | (touched & board.open & ~area)
    return Derived(every, crosses, placements=placements) if every | crosses else None


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
        around = geometry.around(placement)
        for other in second:
            both = placement | other
            if not around & other and all((both & mask).bit_count() <= need for mask, need in tight):
                joint.append(both)
                if len(joint) > MAX_JOINT_PLACEMENTS:
                    return None
    if not joint:
        return None
    every, some, touched = in_common(geometry, joint)
    crosses = (area & ~some) | (touched & board.open & ~area)
    return Derived(every, crosses) if every | crosses else None


def sharings(board: Scratch) -> Iterator[TightSets]:
    """Yield how rows, then columns, share their stars with the regions."""
    for columns in (False, True):
        yield share_out_lines(board.geometry, board.open, board.needs, columns=columns)


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


def witness_of(board: Scratch, rule: Rule, derived: Derived) -> dict[str, Any]:
    """Write down what a step rests on, as its technique wants it."""
    size = board.geometry.size
    technique = technique_of(board, rule)
    plus, minus = unit_keys(board, rule.plus), unit_keys(board, rule.minus)
    if technique == "exact fill":
        return {"unit": plus[0]}
    if technique == "placements":
        return {"unit": plus[0], "placements": sorted(pairs(placement, size) for placement in derived.placements)}
    if technique == "shapes":
        return {"areas": [_line_area(board, unit) for unit in rule.plus], "shape": "pair"}
    if technique in ("undercounting", "overcounting"):
        lines, regions = (minus, plus) if technique == "undercounting" else (plus, minus)
        return {"lines": lines, "regions": regions}
    blocks = pairs(derived.blocks, size)
    if technique == "tiling":
        return {"unit": plus[0], "blocks": blocks}
    if technique == "squeeze":
        return {"lines": plus, "blocks": blocks}
    return {"plus": plus, "minus": minus, "blocks": blocks}


def _line_area(board: Scratch, unit: int) -> dict[str, Any]:
    return {
        "plus": unit_keys(board, (unit,)),
        "minus": [],
        "blocks": [],
        "cells": pairs(board.area((unit,)), board.geometry.size),
        "count": board.needs[unit],
    }
