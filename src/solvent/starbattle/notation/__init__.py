"""Puzzles as text in every format: told apart by content, each with a `parse_x` and a `format_x` that undo each other.

Every format takes every puzzle. Where it has no words for marks, for the stars or for a region in pieces, they follow
as extras that other programs ignore; `reading` says how they look, and each format's module which ones it may need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from solvent.core.errors import ParseError, unknown_name
from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.grid import format_grid, is_grid, parse_grid
from solvent.starbattle.notation.krazydad import format_krazydad, is_krazydad, parse_krazydad
from solvent.starbattle.notation.masonomara import format_masonomara, is_masonomara, parse_masonomara
from solvent.starbattle.notation.puzzlink import format_puzzlink, is_puzzlink, parse_puzzlink
from solvent.starbattle.notation.queens import format_queens, is_queens, parse_queens
from solvent.starbattle.notation.reading import read_opening
from solvent.starbattle.notation.sbn import format_sbn, is_sbn, parse_sbn
from solvent.starbattle.notation.task import format_task, is_task, parse_task
from solvent.starbattle.notation.tokens import format_tokens, is_tokens, parse_tokens

__all__ = ["FORMATS", "format_puzzle", "parse_puzzle", "sniff"]


@dataclass(frozen=True, slots=True)
class _Format:
    about: str
    is_it: Callable[[str], bool]
    """Tell from how a text begins whether it is meant to be in this format."""
    parse: Callable[[str], Puzzle]
    format: Callable[[Puzzle], str]


_FORMATS = {
    "grid": _Format(
        "size and stars, then a line of region letters per row; marks as a second grid",
        is_grid,
        parse_grid,
        format_grid,
    ),
    "tokens": _Format(
        "a line per row of region numbers, each with s or x if it is marked", is_tokens, parse_tokens, format_tokens
    ),
    "puzzlink": _Format("a puzz.link address", is_puzzlink, parse_puzzlink, format_puzzlink),
    "sbn": _Format("StarBattleLab notation", is_sbn, parse_sbn, format_sbn),
    "task": _Format("region numbers with commas, as puzzle-star-battle.com has them", is_task, parse_task, format_task),
    "krazydad": _Format(
        "size, stars and the layout in quotes, as KrazyDad has them", is_krazydad, parse_krazydad, format_krazydad
    ),
    "masonomara": _Format(
        "size and stars, a point, and the layout", is_masonomara, parse_masonomara, format_masonomara
    ),
    "queens": _Format("JSON with the regions as rows of numbers", is_queens, parse_queens, format_queens),
}

FORMATS: Mapping[str, str] = {name: each.about for name, each in _FORMATS.items()}
"""Each format's name and what it looks like; the first is the usual one."""


def sniff(text: str) -> bool:
    """Tell whether the text begins like a puzzle in one of the formats, with mistakes or without."""
    return _find_format(text) is not None


def parse_puzzle(text: str) -> Puzzle:
    """Read a puzzle in any of the formats, or raise ParseError."""
    found = _find_format(text)
    if found is None:
        first = read_opening(text).partition("\n")[0]
        others = ", ".join(name for name in FORMATS if name != "grid")
        raise ParseError(f"the size and the stars, such as 10 2, or another format ({others})", first, line=1)
    return found.parse(text)


def format_puzzle(puzzle: Puzzle, format: str) -> str:
    """Write a puzzle in one of the formats."""
    if format not in _FORMATS:
        raise unknown_name("format", format, FORMATS)
    return _FORMATS[format].format(puzzle)


def _find_format(text: str) -> _Format | None:
    opening = read_opening(text)
    return next((each for each in _FORMATS.values() if each.is_it(opening)), None)
