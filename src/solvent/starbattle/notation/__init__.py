"""Puzzles as text in every format: told apart by content, each with a `parse_x` and a `format_x` that undo each other.

Every format takes every puzzle. Where it has no words for marks, for the stars or for a region in pieces, they follow
as extras that other programs ignore; `reading` says how they look, and each format's module which ones it may need.
A format's module has its name and is imported when a text is in that format; `starbattle.detection` finds out which.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from solvent.core.errors import ParseError, unknown_name
from solvent.starbattle.detection import format_of, read_opening, sniff

if TYPE_CHECKING:
    from solvent.starbattle.model import Puzzle

__all__ = ["FORMATS", "format_puzzle", "parse_puzzle", "sniff"]

FORMATS: Mapping[str, str] = {
    "grid": "size and stars, then a line of region letters per row; marks as a second grid",
    "tokens": "a line per row of region numbers, each with s or x if it is marked",
    "puzzlink": "a puzz.link address",
    "sbn": "StarBattleLab notation",
    "task": "region numbers with commas, as puzzle-star-battle.com has them",
    "krazydad": "size, stars and the layout in quotes, as KrazyDad has them",
    "masonomara": "size and stars, a point, and the layout",
    "queens": "JSON with the regions as rows of numbers",
}
"""Each format's name and what it looks like; the first is the usual one."""


def parse_puzzle(text: str) -> Puzzle:
    """Read a puzzle in any of the formats, or raise ParseError."""
    format = format_of(text)
    if format is None:
        first = read_opening(text).partition("\n")[0]
        others = ", ".join(name for name in FORMATS if name != "grid")
        raise ParseError(f"the size and the stars, such as 10 2, or another format ({others})", first, line=1)
    parse: Callable[[str], Puzzle] = getattr(_module_of(format), f"parse_{format}")
    return parse(text)


def format_puzzle(puzzle: Puzzle, format: str) -> str:
    """Write a puzzle in one of the formats."""
    if format not in FORMATS:
        raise unknown_name("format", format, FORMATS)
    write: Callable[[Puzzle], str] = getattr(_module_of(format), f"format_{format}")
    return write(puzzle)


def _module_of(format: str) -> object:
    return importlib.import_module(f"{__name__}.{format}")
