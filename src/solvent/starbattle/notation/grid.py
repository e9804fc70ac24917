"""The grid: a line with size and stars, a line of region letters per row, and the marks as a second grid.

The first line may say width and height, `10x10 2`.
Any letters or digits name regions; upper and lower case differ. Blank lines and comments may stand anywhere. The second
grid is written only if some cell is marked: `*` star, `x` cross, `.` unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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

_HEADING = re.compile(r"(\S+?)(?:\s*[x×X]\s*([0-9]+))?(?:\s+|\s*,\s*)(\S+?)(?:\s*(?:★|\*|stars?))?")


def parse_grid(text: str) -> Puzzle:
    """Read a grid."""
    content = read_content(text, most_lines=2 * LARGEST_SIZE + 1)
    content.allow_extras()
    if not content.lines:
        raise Place(1).error("the size and the stars, such as 10 2, but there is nothing")
    heading, *rows = content.lines
    size, stars = _read_heading(heading)
    if len(rows) < size:
        raise Place(content.end, 1).error(f"{size} rows of letters, but there are {len(rows)}")
    regions, marks = rows[:size], rows[size:]
    for row in regions:
        check_letters(row.text, row.place)
        check_row_length(row, size)
    puzzle = make_puzzle(
        size, stars, "".join(row.text for row in regions), lambda cell: regions[cell // size].place(cell % size)
    )
    return read_mark_rows(puzzle, marks, content.end) if marks else puzzle


def format_grid(puzzle: Puzzle) -> str:
    """Write a grid, regions as letters from A in the order in which they appear."""
    lines = [f"{puzzle.size} {puzzle.stars}", *format_rows(format_layout(puzzle), puzzle.size)]
    if has_marks(puzzle):
        lines += ["", *format_rows(puzzle.marks, puzzle.size)]
    return "\n".join(lines) + "\n"


def _read_heading(heading: Line) -> tuple[int, int]:
    """Read `10 2`, or `10x10 2` with the width and the height."""
    found = _HEADING.fullmatch(heading.text)
    if found is None:
        raise heading.place().error("the size and the stars, such as 10 2", heading.text)
    size = parse_size(found[1], heading.place())
    if found[2] is not None and parse_size(found[2], heading.place(found.start(2))) != size:
        raise heading.place(found.start(2)).error(f"a square board, {size} like the width", found[2])
    return size, parse_stars(found[3], size, heading.place(found.start(3)))


def read_mark_rows(puzzle: Puzzle, marks: Sequence[Line], end: int) -> Puzzle:
    """Read the marks that stand as a second grid behind the first, whose last line is before `end`."""
    size = puzzle.size
    for row in marks[:size]:
        if row.text[0].isascii() and row.text[0].isalnum() and row.text[0] not in "xX":
            raise row.place().error(f"marks (* star, x cross, . unknown) after {size} rows of letters", row.text)
        check_row_length(row, size)
    if len(marks) > size:
        raise marks[size].place().error("nothing after the marks", marks[size].text)
    if len(marks) < size:
        raise Place(end, 1).error(f"{size} rows of marks, but there are {len(marks)}")
    return with_marks(puzzle, "".join(row.text for row in marks), lambda cell: marks[cell // size].place(cell % size))


def check_row_length(row: Line, size: int) -> None:
    """Refuse a row that is shorter or longer than the board is wide."""
    if len(row.text) != size:
        raise row.place(min(len(row.text), size)).error(f"a row of {size} cells, but it has {len(row.text)}", row.text)
