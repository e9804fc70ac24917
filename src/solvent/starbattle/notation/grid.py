"""The grid: a line with size and stars, a line of region letters per row, and the marks as a second grid.

Any letters or digits name regions; upper and lower case differ. Blank lines and comments may stand anywhere. The second
grid is written only if some cell is marked: `*` star, `x` cross, `.` unknown.
"""

from __future__ import annotations

import re

from solvent.starbattle.model import LARGEST_SIZE, Puzzle
from solvent.starbattle.notation.assembling import (
    check_letters,
    format_layout,
    format_rows,
    has_marks,
    make_puzzle,
    with_marks,
)
from solvent.starbattle.notation.reading import Line, Place, parse_size, parse_stars, read_content


def parse_grid(text: str) -> Puzzle:
    """Read a grid."""
    content = read_content(text, most_lines=2 * LARGEST_SIZE + 1)
    content.allow_extras()
    if not content.lines:
        raise Place(1).error("the size and the stars, such as 10 2, but there is nothing")
    heading, *rows = content.lines
    words = list(re.finditer(r"\S+", heading.text))
    if len(words) != 2:
        raise heading.place().error("the size and the stars, such as 10 2", heading.text)
    size = parse_size(words[0][0], heading.place())
    stars = parse_stars(words[1][0], size, heading.place(words[1].start()))
    if len(rows) < size:
        raise Place(content.end, 1).error(f"{size} rows of letters, but there are {len(rows)}")
    regions, marks = rows[:size], rows[size:]
    for row in regions:
        check_letters(row.text, row.place)
        _check_length(row, size)
    puzzle = make_puzzle(
        size, stars, "".join(row.text for row in regions), lambda cell: regions[cell // size].place(cell % size)
    )
    if not marks:
        return puzzle
    for row in marks[:size]:
        if row.text[0].isascii() and row.text[0].isalnum() and row.text[0] not in "xX":
            raise row.place().error(f"marks (* star, x cross, . unknown) after {size} rows of letters", row.text)
        _check_length(row, size)
    if len(marks) > size:
        raise marks[size].place().error("nothing after the marks", marks[size].text)
    if len(marks) < size:
        raise Place(content.end, 1).error(f"{size} rows of marks, but there are {len(marks)}")
    return with_marks(puzzle, "".join(row.text for row in marks), lambda cell: marks[cell // size].place(cell % size))


def format_grid(puzzle: Puzzle) -> str:
    """Write a grid, regions as letters from A in the order in which they appear."""
    lines = [f"{puzzle.size} {puzzle.stars}", *format_rows(format_layout(puzzle), puzzle.size)]
    if has_marks(puzzle):
        lines += ["", *format_rows(puzzle.marks, puzzle.size)]
    return "\n".join(lines) + "\n"


def _check_length(row: Line, size: int) -> None:
    if len(row.text) != size:
        raise row.place(min(len(row.text), size)).error(f"a row of {size} cells, but it has {len(row.text)}", row.text)
