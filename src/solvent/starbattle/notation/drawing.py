"""The picture that Solvent draws of a board in a terminal, read back: borders, stars and crosses.

Walls say where regions end. Where regions are in pieces, a last line `#regions=…` says which areas belong together.
Colours are not read. The line below the board says how many stars there are.
"""

from __future__ import annotations

import re

from solvent.drawing.phrases import counted
from solvent.formats.lines import numbered_lines
from solvent.starbattle.corners import CORNERS
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle
from solvent.starbattle.notation.assembling import format_extras, format_rows, with_marks
from solvent.starbattle.notation.borders import letters_of_areas, lower_borders, puzzle_from_borders, right_borders
from solvent.starbattle.notation.reading import Place, check_size, parse_stars, read_content

LONGEST_TEXT = 100_000
_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_TOP = re.compile(r"\s*┌[─┬A-Y><]*┐")
_MARK_OF = {" ": UNKNOWN, "★": STAR, "×": CROSS}
_SIGN_OF = {mark: sign for sign, mark in _MARK_OF.items()}
_STARS = re.compile(r"([0-9]+)\s+stars? in each row, column and region")
_SIGN_NAMES = "a star ★, a cross × or nothing"


def parse_drawing(text: str) -> Puzzle:
    """Read a picture made of lines."""
    if len(text) > LONGEST_TEXT:
        raise Place(1).error(f"at most {LONGEST_TEXT:,} characters of a drawing, but there are {len(text):,}")
    lines = [(number, _COLOUR.sub("", raw).rstrip()) for number, raw in numbered_lines(text)]
    top = next((index for index, (_, raw) in enumerate(lines) if _TOP.match(raw)), None)
    if top is None:
        raise Place(1).error("the upper edge of a board, ┌───┐")
    left, right = lines[top][1].index("┌"), lines[top][1].index("┐")
    height = next((index for index, (_, raw) in enumerate(lines[top:]) if raw[left : left + 1] == "└"), None)
    if height is None or height % 2:
        raise Place(lines[top][0], left + 1).error("a board with a lower edge, └───┘")
    size = check_size(height // 2, "rows", Place(lines[top][0], left + 1))
    step, rest = divmod(right - left, size)
    if rest or step not in (3, 4):
        raise Place(lines[top][0], right + 1).error(f"{size} columns, as many as rows, of two or three characters each")
    borders = [lines[top + 2 * row] for row in range(size + 1)]
    rows = [lines[top + 2 * row + 1] for row in range(size)]
    for number, raw in (*borders, *rows):
        if len(raw) <= right or raw[left] not in "│├└┌" or raw[right] not in "│┤┘┐":
            raise Place(number, min(len(raw), right) + 1).error("a line of the board from edge to edge", raw.strip())
    # With three characters a cell its sign is in the middle, with two it is the second.
    signs = [(number, raw[left + col * step + 2]) for number, raw in rows for col in range(size)]
    right_walls = [raw[left + (col + 1) * step] == "│" for _, raw in rows for col in range(size - 1)]
    lower_walls = [raw[left + col * step + 2] != " " for _, raw in borders[1:size] for col in range(size)]
    content = read_content("\n".join(raw if raw.startswith("#") else "" for _, raw in lines), most_lines=1)
    content.allow_extras("regions")
    said = _STARS.search(text)
    stars = None if said is None else parse_stars(said[1], size, Place(text.count("\n", 0, said.start()) + 1))
    start = Place(lines[top][0], left + 1)
    puzzle = puzzle_from_borders(size, stars, right_walls, lower_walls, content, start)

    def places(cell: int) -> Place:
        return Place(signs[cell][0], left + cell % size * step + 3)

    for cell, (_, sign) in enumerate(signs):
        if sign not in _MARK_OF:
            hint = "; letters are in the drawing of a hint, and 'solvent draw --text' draws the board alone"
            raise places(cell).error(_SIGN_NAMES + (hint if sign.isalpha() else ""), sign)
    return with_marks(puzzle, [_MARK_OF[sign] for _, sign in signs], places)


def format_drawing(puzzle: Puzzle) -> str:
    """Write a board in lines, with the stars below."""
    size = puzzle.size
    beside = [[True, *walls, True] for walls in _cut(right_borders(puzzle), size - 1)]
    below = [[True] * size, *_cut(lower_borders(puzzle), size), [True] * size]
    lines = []
    for line in range(size + 1):
        pieces = []
        for col in range(size + 1):
            up, down = line > 0 and beside[line - 1][col], line < size and beside[line][col]
            pieces.append(CORNERS[up, col < size and below[line][col], down, col > 0 and below[line][col - 1]])
            if col < size:
                pieces.append("───" if below[line][col] else "   ")
        lines.append("".join(pieces))
        if line < size:
            marks = format_rows(puzzle.marks, size)[line]
            cells = [f" {_SIGN_OF[mark]} {'│' if beside[line][col + 1] else ' '}" for col, mark in enumerate(marks)]
            lines.append("│" + "".join(cells))
    lines += ["", f"{size}×{size}, {counted(puzzle.stars, 'star')} in each row, column and region"]
    extras = format_extras(puzzle, regions=letters_of_areas(puzzle))
    return "\n".join([*lines, *([extras] if extras else [])]) + "\n"


def _cut(walls: list[bool], width: int) -> list[list[bool]]:
    return [walls[start : start + width] for start in range(0, len(walls), width)]
