"""How people write a cell, a unit and a mark: r1c1, row 1, column 1, region A, and r1c1* or r1c1x."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from solvent.core.errors import ParseError
from solvent.starbattle.model import CROSS, STAR

_CELL = re.compile(r"r([1-9]\d?)c([1-9]\d?)", re.IGNORECASE)
_MOVE = re.compile(r"(r\d+c\d+)([*x])", re.IGNORECASE)

REGION_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
"""Regions are shown as letters, in the order in which they first appear."""


@functools.lru_cache(maxsize=32)
def _names(size: int) -> tuple[str, ...]:
    return tuple(f"r{row + 1}c{col + 1}" for row in range(size) for col in range(size))


def format_cell(cell: int, size: int) -> str:
    """Write a cell as players do, such as r1c1 for the first."""
    return _names(size)[cell]


def format_cells(cells: Iterable[int], size: int) -> list[str]:
    """Write several cells."""
    names = _names(size)
    return [names[cell] for cell in cells]


def parse_cell(text: str, size: int) -> int:
    """Read a cell such as r3c10, or raise ParseError."""
    found = _CELL.fullmatch(text)
    if found is None:
        raise ParseError("a cell such as r3c10", text)
    row, col = int(found[1]) - 1, int(found[2]) - 1
    if row >= size or col >= size:
        raise ParseError(f"a cell from r1c1 to r{size}c{size}", text)
    return row * size + col


def format_move(cell: int, value: str, size: int) -> str:
    """Write a mark on a cell, such as r3c10* for a star or r3c10x for a cross."""
    return format_cell(cell, size) + value


def parse_move(text: str, size: int) -> tuple[int, str]:
    """Read a mark such as r3c10* or r3c10x; returns the cell and STAR or CROSS."""
    found = _MOVE.fullmatch(text.strip())
    if found is None:
        raise ParseError("a mark such as r3c10* for a star or r3c10x for a cross", text)
    return parse_cell(found[1], size), STAR if found[2] == STAR else CROSS


def format_region(region: int) -> str:
    """Write a region as its letter."""
    return REGION_LETTERS[region]
