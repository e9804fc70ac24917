"""Areas: rows, columns and regions added up and taken away, and the 2×2 blocks that cover what is left.

The units of a list share no cell, so the open cells of a list have as many stars as its units need together. Take the
stars of `minus` from those of `plus`, and the cells that both have cancel out. So the stars on the cells that only
`plus` has (`inside`) are as many as those on the cells that only `minus` has (`outside`), and `count` more.

All cells of a block touch each other, so a block has at most one star, and m blocks that cover cells are room for m
stars at most.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from solvent.drawing.phrases import counted
from solvent.starbattle.checker.steps.board import (
    Board,
    CellSet,
    Findings,
    NotShown,
    name,
    names,
    on_board,
    touches_all,
    unit_name,
    unit_on_board,
)
from solvent.starbattle.checker.steps.certificate_schema import Cell, Unit


class Area(Struct, frozen=True):
    """Hold open cells of which it is known how many more stars those inside have than those outside."""

    inside: CellSet
    outside: CellSet
    count: int


def disjoint(board: Board, units: Sequence[Unit]) -> Sequence[Unit]:
    """Return units that were named, once it is known that they share no cell."""
    seen: dict[Cell, Unit] = {}
    for unit in units:
        for cell in sorted(board.units[unit_on_board(board, unit)]):
            if cell in seen:
                raise NotShown(
                    f"{unit_name(seen[cell])} and {unit_name(unit)} must not share a cell, but share {name(cell)}"
                )
            seen[cell] = unit
    return units


def needed(board: Board, units: Sequence[Unit]) -> int:
    """Return how many stars disjoint units lack together."""
    return sum(board.needs[unit] for unit in disjoint(board, units))


def open_in(board: Board, units: Sequence[Unit]) -> CellSet:
    """Return the open cells of units."""
    return board.open.intersection(frozenset().union(*(board.units[unit_on_board(board, unit)] for unit in units)))


def area_of(board: Board, plus: Sequence[Unit], minus: Sequence[Unit] = ()) -> Area:
    """Take the units of one list from those of another."""
    added, taken = open_in(board, plus), open_in(board, minus)
    return Area(added - taken, taken - added, needed(board, plus) - needed(board, minus))


def parts(board: Board, blocks: Sequence[Cell], cells: CellSet) -> list[CellSet]:
    """Return which of the cells each block has, once it is known that together they have all."""
    found = []
    for row, col in on_board(board, blocks):
        block = {(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)}
        found.append(cells & block)
    left = cells - frozenset().union(*found)
    if left:
        raise NotShown(f"the blocks do not cover {names(left)}")
    return found


def tiled_parts(board: Board, area: Area, blocks: Sequence[Cell]) -> list[CellSet]:
    """Return the part of the area in each block, once it is known that each part has exactly one star.

    The inside has at least as many stars as the area counts, and there are no more blocks than that. So each block
    has one, none counts for two blocks, and there is none outside.
    """
    found = parts(board, blocks, area.inside)
    if len(blocks) != area.count:
        raise NotShown(f"{counted(len(blocks), 'block')} for an area that needs {counted(area.count, 'star')}")
    return found


def tiling_findings(board: Board, area: Area, blocks: Sequence[Cell]) -> Findings:
    """Return what follows when an area needs exactly as many stars as there are blocks to cover it."""
    tiles = tiled_parts(board, area, blocks)
    stars = frozenset(cell for tile in tiles if len(tile) == 1 for cell in tile)
    shared = frozenset(cell for cell in area.inside if sum(cell in tile for tile in tiles) > 1)
    crowded = frozenset(
        cell for cell in board.open if any(tile and cell not in tile and touches_all(cell, tile) for tile in tiles)
    )
    return Findings(stars=stars, crosses=area.outside | shared | crowded)
