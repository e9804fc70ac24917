"""Bare grids: a line of letters a row, without a heading, or rows with commas as spreadsheets write them.

- letters: `AABB` and so on. Marks may follow as a second grid, as in `grid`.
- csv: a name a cell, with commas, semicolons or tabs between; quotation marks may stand around names.

Neither says how many stars there are. A line `#stars=2` does, and `#marks=…` holds the marks of CSV.
"""

from __future__ import annotations

import re

from solvent.starbattle.model import LARGEST_SIZE, Puzzle
from solvent.starbattle.notation.assembling import (
    check_letters,
    extra_stars,
    format_extras,
    format_layout,
    format_rows,
    has_marks,
    make_puzzle,
    with_extra_marks,
)
from solvent.starbattle.notation.grid import check_row_length, read_mark_rows
from solvent.starbattle.notation.reading import Line, Place, check_size, read_content

_SEPARATORS = ",;\t"


def parse_letters(text: str) -> Puzzle:
    """Read a grid without a heading."""
    content = read_content(text, most_lines=2 * LARGEST_SIZE)
    content.allow_extras("stars")
    if not content.lines:
        raise Place(1).error("rows of letters, but there is nothing")
    size = check_size(len(content.lines[0].text), "letters in a row", content.lines[0].place())
    rows, marks = content.lines[:size], content.lines[size:]
    for row in rows:
        check_letters(row.text, row.place)
        check_row_length(row, size)
    if len(rows) < size:
        raise Place(content.end, 1).error(f"{size} rows of letters, as many as in a row, but there are {len(rows)}")
    letters = "".join(row.text for row in rows)
    stars = extra_stars(content, size)
    puzzle = make_puzzle(size, stars, letters, lambda cell: rows[cell // size].place(cell % size))
    return read_mark_rows(puzzle, marks, content.end) if marks else puzzle


def format_letters(puzzle: Puzzle) -> str:
    """Write a grid without a heading."""
    lines = format_rows(format_layout(puzzle), puzzle.size)
    if has_marks(puzzle):
        lines += ["", *format_rows(puzzle.marks, puzzle.size)]
    extras = format_extras(puzzle, stars=True)
    return "\n".join([*lines, *([extras] if extras else [])]) + "\n"


def parse_csv(text: str) -> Puzzle:
    """Read rows of names with separators."""
    content = read_content(text, most_lines=LARGEST_SIZE)
    content.allow_extras("stars", "marks")
    if not content.lines:
        raise Place(1).error("rows of names with commas between, but there is nothing")
    first = content.lines[0]
    separator = max(_SEPARATORS, key=first.text.count)
    rows = [_cells(line, separator) for line in content.lines]
    size = check_size(len(rows[0]), "cells in a row", first.place())
    for row, line in zip(rows, content.lines, strict=True):
        if len(row) != size:
            place = row[size][0] if len(row) > size else line.place(len(line.text))
            raise place.error(f"a row of {size} cells, like the first, but it has {len(row)}")
    if len(rows) != size:
        place = rows[size][0][0] if len(rows) > size else Place(content.end, 1)
        raise place.error(f"{size} rows, as many as cells in a row, but there are {len(rows)}")
    cells = [cell for row in rows for cell in row]
    for place, name in cells:
        if not name:
            raise place.error("the name of a region, but the cell is empty")
    puzzle = make_puzzle(size, extra_stars(content, size), [name for _, name in cells], lambda cell: cells[cell][0])
    return with_extra_marks(puzzle, content)


def format_csv(puzzle: Puzzle) -> str:
    """Write rows of letters with commas between."""
    lines = [",".join(row) for row in format_rows(format_layout(puzzle), puzzle.size)]
    extras = format_extras(puzzle, stars=True, marks=True)
    return "\n".join([*lines, *([extras] if extras else [])]) + "\n"


def _cells(line: Line, separator: str) -> list[tuple[Place, str]]:
    cells = []
    start = 0
    for piece in line.text.split(separator):
        name = re.sub(r'^"(.*)"$', r"\1", piece.strip()).strip()
        cells.append((line.place(start), name))
        start += len(piece) + 1
    if len(cells) > 1 and not cells[-1][1]:
        cells.pop()  # a separator at the end
    return cells
