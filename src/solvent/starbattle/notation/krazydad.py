"""KrazyDad's lines: `10,10,2,"layout","answer"`: size twice, stars, a letter for each cell, and 0 or 1 for each cell.

The answer is left empty when written. When read it may be missing, and says nothing about the puzzle: it must be well
formed but becomes no marks. Marks follow, ` #marks=…` with a character a cell.
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

_PARTS = re.compile(r'([^,"]*),([^,"]*),([^,"]*),\s*"([^"]*)"(?:\s*,\s*"([^"]*)")?')


def parse_krazydad(text: str) -> Puzzle:
    """Read a line of KrazyDad's."""
    content = read_content(text, most_lines=1)
    content.allow_extras("marks")
    line = content.only_line()
    found = _PARTS.match(line.text)
    if found is None:
        raise line.place().error('size, size, stars, "layout" and "answer", commas between', line.text)
    if found.end() < len(line.text):
        raise line.place(found.end()).error("nothing after the answer", line.text[found.end() :])
    size = parse_size(found[1].strip(), line.place(found.start(1)))
    if parse_size(found[2].strip(), line.place(found.start(2))) != size:
        raise line.place(found.start(2)).error(f"the size again, {size}", found[2].strip())
    stars = parse_stars(found[3].strip(), size, line.place(found.start(3)))
    places = read_layout(line, found.start(4), found[4], size * size)
    answer = found[5] or ""
    for index, digit in enumerate(answer):
        if digit not in "01":
            raise line.place(found.start(5) + index).error("0 or 1 in the answer", digit)
    if answer and len(answer) != size * size:
        place = line.place(found.start(5) + min(len(answer), size * size))
        raise place.error(f"an answer for {size * size} cells, but it has {len(answer)}")
    return with_extra_marks(make_puzzle(size, stars, found[4], places), content)


def format_krazydad(puzzle: Puzzle) -> str:
    """Write a line of KrazyDad's, with an empty answer."""
    line = f'{puzzle.size},{puzzle.size},{puzzle.stars},"{format_layout(puzzle)}",""'
    extras = format_extras(puzzle, marks=True)
    return f"{line} {extras}\n" if extras else f"{line}\n"
