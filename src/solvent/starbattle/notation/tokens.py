"""The token grid: a line per row, a token per cell, blanks between: the region's number, with `s` or `x` if marked.

A region may be a letter as well. The format does not say how many stars there are; boards have as many as
puzzle-star-battle.com gives their size, else one, and a last line `#stars=2` says where it is otherwise.
"""

from __future__ import annotations

import re

from solvent.starbattle.formats import TOKEN
from solvent.starbattle.model import CROSS, LARGEST_SIZE, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import extra_stars, format_extras, make_puzzle, with_marks
from solvent.starbattle.notation.reading import Place, check_size, read_content

_TOKEN = re.compile(TOKEN)
_MARK_OF = {"s": STAR, "x": CROSS, "": UNKNOWN}
_SUFFIX_OF = {mark: suffix for suffix, mark in _MARK_OF.items()}


def parse_tokens(text: str) -> Puzzle:
    """Read a token grid."""
    content = read_content(text, most_lines=LARGEST_SIZE)
    content.allow_extras("stars")
    if not content.lines:
        raise Place(1).error("rows of tokens such as 1 2s 3x, but there is nothing")
    rows = [
        [(line.place(found.start()), found[0]) for found in re.finditer(r"\S+", line.text)] for line in content.lines
    ]
    size = check_size(len(rows[0]), "cells in a row", rows[0][0][0])
    for row, line in zip(rows, content.lines, strict=True):
        if len(row) != size:
            place = row[size][0] if len(row) > size else line.place(len(line.text))
            raise place.error(f"a row of {size} cells, like the first, but it has {len(row)}")
    if len(rows) > size:
        raise rows[size][0][0].error(f"{size} rows, as many as cells in a row", content.lines[size].text)
    if len(rows) < size:
        raise Place(content.end, 1).error(f"{size} rows, as many as cells in a row, but there are {len(rows)}")
    cells = [cell for row in rows for cell in row]
    ids, marks = [], []
    for place, token in cells:
        found = _TOKEN.fullmatch(token)
        if found is None:
            raise place.error("a region and perhaps s or x, such as 7s", token)
        ids.append(found[1] or found[2])
        marks.append(_MARK_OF[found[3]])
    puzzle = make_puzzle(size, extra_stars(content, size), ids, lambda cell: cells[cell][0])
    return with_marks(puzzle, marks, lambda cell: cells[cell][0])


def format_tokens(puzzle: Puzzle) -> str:
    """Write a token grid, regions as numbers from 0."""
    tokens = [f"{region}{_SUFFIX_OF[mark]}" for region, mark in zip(puzzle.regions, puzzle.marks, strict=True)]
    lines = [" ".join(tokens[start : start + puzzle.size]) for start in range(0, len(tokens), puzzle.size)]
    extras = format_extras(puzzle, stars=True)
    return "\n".join([*lines, *([extras] if extras else [])]) + "\n"
