"""Grids and cells as text: `parse_x` and `format_x` come in pairs and undo each other."""

from __future__ import annotations

from solvent.core.errors import ParseError
from template_domain.model import MAX_SIDE, Grid

HEADING = "lamps"
LIT, DARK = "*", "."


def sniff(text: str) -> bool:
    """Tell whether the text begins with our heading.

    Looks at one word only: `sniff` sees every file that any domain may own. A file with our heading and a mistake below
    it is still ours, so that the reader learns about the mistake and not that nobody knows the file.
    """
    return text.split(maxsplit=1)[:1] == [HEADING]


def parse_grid(text: str) -> Grid:
    """Read a grid: the heading, then one line per row. Blank lines and spaces at the end of a line do not count."""
    numbered = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), start=1)]
    lines = [(number, line) for number, line in numbered if line]
    number, heading = lines[0] if lines else (1, "")
    if heading != HEADING:
        raise ParseError(f"the heading {HEADING!r}", heading, line=number, column=1)
    rows = lines[1:]
    if not rows:
        raise ParseError("at least one row of lamps", line=number + 1, column=1)
    if len(rows) > MAX_SIDE:
        raise ParseError(f"at most {MAX_SIDE} rows", line=rows[MAX_SIDE][0], column=1)
    cols = len(rows[0][1])
    if cols > MAX_SIDE:
        raise ParseError(f"at most {MAX_SIDE} lamps in a row", line=rows[0][0], column=MAX_SIDE + 1)
    for number, row in rows:
        for column, mark in enumerate(row, start=1):
            if mark not in (LIT, DARK):
                raise ParseError(f"{LIT!r} or {DARK!r}", mark, line=number, column=column)
        if len(row) != cols:
            column = min(len(row), cols) + 1
            raise ParseError(f"a row of length {cols}, like the first", row, line=number, column=column)
    return Grid(len(rows), cols, tuple(mark == LIT for _, row in rows for mark in row))


def format_grid(grid: Grid) -> str:
    """Write a grid so that `parse_grid` gives an equal one back."""
    marks = format_lamps(grid.lit)
    rows = [marks[start : start + grid.cols] for start in range(0, len(marks), grid.cols)]
    return "\n".join([HEADING, *rows]) + "\n"


def format_lamps(lit: tuple[bool, ...]) -> str:
    """Write the lamps of all rows in one line, as certificates hold them."""
    return "".join(LIT if lamp else DARK for lamp in lit)


def format_cell(grid: Grid, cell: int) -> str:
    """Write a cell as its row's letter and its column's number, such as `B3`."""
    return f"{chr(ord('A') + cell // grid.cols)}{cell % grid.cols + 1}"


def parse_cell(grid: Grid, text: str) -> int:
    """Read a cell that `format_cell` wrote, and nothing else: no spaces, no small letters, no other digits."""
    names = [format_cell(grid, cell) for cell in range(len(grid.lit))]
    if text not in names:
        raise ParseError(f"a cell from {names[0]} to {names[-1]}", text)
    return names.index(text)
