"""The one-line form of masonomara's programs: `10x2.` and a letter for each cell, row by row.

A further point and what its generator notes (seed, difficulty) may follow and are not read. Marks follow,
` #marks=…` with a character a cell.
"""

from __future__ import annotations

import re

from solvent.starbattle.model import Puzzle
from solvent.starbattle.notation.assembling import (
    format_extras,
    format_layout,
    make_puzzle,
    read_layout,
    with_extra_marks,
)
from solvent.starbattle.notation.reading import parse_size, parse_stars, read_content

_NOTE = re.compile(r"[0-9A-Za-z_-]*")


def parse_masonomara(text: str) -> Puzzle:
    """Read a board in one line."""
    content = read_content(text, most_lines=1)
    content.allow_extras("marks")
    line = content.only_line()
    heading, _, rest = line.text.partition(".")
    layout, point, note = rest.partition(".")
    size_text, _, stars_text = heading.partition("x")
    size = parse_size(size_text, line.place())
    stars = parse_stars(stars_text, size, line.place(len(size_text) + 1))
    start = len(heading) + 1
    places = read_layout(line, start, layout, size * size)
    if point and _NOTE.fullmatch(note) is None:
        raise line.place(start + len(layout) + 1).error("a note in letters and digits, or nothing", note)
    return with_extra_marks(make_puzzle(size, stars, layout, places), content)


def format_masonomara(puzzle: Puzzle) -> str:
    """Write a board in one line."""
    board = f"{puzzle.size}x{puzzle.stars}.{format_layout(puzzle)}"
    extras = format_extras(puzzle, marks=True)
    return f"{board} {extras}\n" if extras else f"{board}\n"
