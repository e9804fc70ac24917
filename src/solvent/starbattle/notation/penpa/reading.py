"""Read a Star Battle from an address of Penpa+.

Regions are what drawn edges wall in, unless they are dotted or as thin as the grid. Stars and small crosses of the star
mode are marks, in the problem and in the answer. How many stars there are is said by a number in the margin, else by
title or rules in words. A drawing with clues of another kind, or with the tags of another puzzle, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from solvent.core.errors import ParseError
from solvent.formats.typed_json import read_json
from solvent.starbattle.model import CROSS, STAR, UNKNOWN, Puzzle, most_stars
from solvent.starbattle.notation.addresses import parameters, read_address
from solvent.starbattle.notation.assembling import with_marks
from solvent.starbattle.notation.borders import puzzle_from_borders
from solvent.starbattle.notation.penpa.layout import CELL, CORNER, Layout
from solvent.starbattle.notation.penpa.packing import TAGS_LINE, unpack
from solvent.starbattle.notation.reading import Place, check_size
from solvent.starbattle.notation.star_count import stars_in_words

SQUARE_GRIDS = ("square", "sudoku", "kakuro")
MOST_CELLS = 100
"""Columns and rows that Penpa+ lets a grid have at most."""
TITLE, RULES = 15, 18
"""Where they stand in the heading."""
NO_BORDERS = (12, 13, 80, 98)
"""Styles of edges that are no border: dotted, thin like the grid itself, and the small cross on an edge."""
FOREIGN = {
    "numberS": "small numbers in its cells",
    "line": "lines",
    "wall": "walls",
    "thermo": "thermometers",
    "nobulbthermo": "thermometers",
    "arrows": "arrows",
    "direction": "directed lines",
    "cage": "cages",
    "killercages": "cages",
}
"""What a drawing may have that is no part of a Star Battle."""
_TAGS = re.compile(r"star\W*battles?|two not touch|queens?|doppelstern", re.IGNORECASE)


def parse_penpa(text: str) -> Puzzle:
    """Read an address."""
    content, line = read_address(text, "regions")
    packed = parameters(line.text).get("p", "")
    place = line.place(max(line.text.find("p=") + 2, 0))
    if not packed:
        raise line.place(len(line.text)).error("an address with the drawing in it, #m=edit&p=…")
    if packed.startswith("http"):
        raise place.error("a drawing, but this names an address of another site; give that one")
    try:
        lines = unpack(packed)
    except ValueError as error:
        raise place.error(f"a drawing of Penpa+, but {error}") from None
    layout, size, words = _read_heading(lines, place)
    problem = _read_layer(lines, 3, place)
    answer = _read_layer(lines, 4, place) if len(lines) > 4 and lines[4].strip() else {}
    _refuse_foreign(lines, problem, layout, size, place)
    right, lower = _read_borders(problem, layout, size)
    if not any(right) and not any(lower):
        raise place.error("regions drawn as edges, but no edge is drawn between cells")
    stars = _stars_beside(problem, layout, size) or stars_in_words(words)
    if stars is not None and stars > most_stars(size):
        raise place.error(f"a number of stars that fits size {size}, from 1 to {most_stars(size)}", stars)
    puzzle = puzzle_from_borders(size, stars, right, lower, content, place)
    marks = _read_marks(problem, answer, layout, size)
    return with_marks(puzzle, marks, lambda _: place) if marks.strip(UNKNOWN) else puzzle


def _read_heading(lines: list[str], place: Place) -> tuple[Layout, int, str]:
    """Return how the grid is laid out, the size of the board, and what title and rules say."""
    parts = lines[0].split(",")
    if parts[0][:1].isdigit():
        raise place.error("a drawing of Penpa+, but this is of an older Penpa; open and save it in Penpa+")
    if parts[0] not in SQUARE_GRIDS:
        raise place.error("a square grid, but this drawing has another", parts[0][:40])
    if len(parts) < 3 or not all(re.fullmatch("[0-9]{1,3}", part) for part in parts[1:3]) or len(lines) < 4:
        raise place.error("a drawing of Penpa+ with width, height and a problem")
    width, height = int(parts[1]), int(parts[2])
    margins = _read_json(lines[1], list[int], place, "the margins of the drawing")
    if max(width, height) > MOST_CELLS or len(margins) != 4 or not all(0 <= each <= MOST_CELLS for each in margins):
        raise place.error(f"a grid of at most {MOST_CELLS} rows and columns with four margins")
    top, bottom, left, right = margins
    size = width - left - right
    if height - top - bottom != size:
        raise place.error(f"a square board, but it has {height - top - bottom} rows and {size} columns")
    check_size(size, "rows", place)
    words = " ".join(parts[index] for index in (TITLE, RULES) if index < len(parts))
    return Layout(width, height, top, left), size, words.replace("%2C", ",").replace("%2D", " ")


def _read_layer(lines: list[str], number: int, place: Place) -> Mapping[str, Any]:
    layer: dict[str, Any] = _read_json(lines[number], dict[str, Any], place, "what is drawn")
    return layer


def _read_json(text: str, shape: Any, place: Place, what: str) -> Any:
    try:
        return read_json(text, shape, what)
    except ParseError as error:
        raise place.error(f"a drawing of Penpa+ whose parts are JSON; {what}: {error.expected}") from None


def _refuse_foreign(lines: list[str], problem: Mapping[str, Any], layout: Layout, size: int, place: Place) -> None:
    """Refuse a drawing of another puzzle: by its tags, or by clues that Star Battle has not."""
    tags = ""
    if len(lines) > TAGS_LINE and lines[TAGS_LINE].startswith("["):
        tags = ", ".join(_read_json(lines[TAGS_LINE], list[str], place, "the tags"))
    if tags and not _TAGS.search(tags):
        raise place.error("a Star Battle, but its tags say that it is another puzzle", tags[:80])
    for key, what in FOREIGN.items():
        if problem.get(key):
            raise place.error(f"a Star Battle, but the drawing has {what}")
    for index in _entries(problem, "number"):
        if _cell_of(index, layout, size) is not None:
            raise place.error("a Star Battle, but the drawing has numbers in its cells")
    for index, symbol in _entries(problem, "symbol").items():
        if _cell_of(index, layout, size) is not None and _mark_of(symbol) is None:
            name = symbol[1] if isinstance(symbol, list) and len(symbol) > 1 else symbol
            raise place.error("a Star Battle, but the drawing has other symbols in its cells", str(name)[:40])


def _read_borders(problem: Mapping[str, Any], layout: Layout, size: int) -> tuple[list[bool], list[bool]]:
    """Return whether a border is to the right of cells, and below them, from the corners that edges join."""
    right, lower = [False] * (size * (size - 1)), [False] * (size * (size - 1))
    for key, style in _entries(problem, "lineE").items():
        ends = re.fullmatch("([0-9]{1,7}),([0-9]{1,7})", key)
        if ends is None or style in NO_BORDERS:
            continue
        first, second = sorted((layout.point(int(ends[1])), layout.point(int(ends[2]))))
        row, column = second.row, second.column
        if first.kind != CORNER or second.kind != CORNER:
            continue
        if (row - first.row, column - first.column) == (1, 0) and 0 <= row < size and 0 <= column < size - 1:
            right[row * (size - 1) + column] = True
        elif (row - first.row, column - first.column) == (0, 1) and 0 <= row < size - 1 and 0 <= column < size:
            lower[row * size + column] = True
    return right, lower


def _stars_beside(problem: Mapping[str, Any], layout: Layout, size: int) -> int | None:
    """Return the one number that stands outside the board; None if there is none, or several."""
    said = set()
    for index, number in _entries(problem, "number").items():
        if _cell_of(index, layout, size) is None and isinstance(number, list) and number:
            found = re.fullmatch(r"\s*([1-6])\s*[★☆⭐*x×]?\s*", str(number[0]))
            said.add(int(found[1]) if found else None)
    said.discard(None)
    return said.pop() if len(said) == 1 else None


def _read_marks(problem: Mapping[str, Any], answer: Mapping[str, Any], layout: Layout, size: int) -> str:
    marks = [UNKNOWN] * (size * size)
    for layer in (answer, problem):  # what the problem says counts
        for index, symbol in _entries(layer, "symbol").items():
            cell, mark = _cell_of(index, layout, size), _mark_of(symbol)
            if cell is not None and mark is not None:
                marks[cell] = mark
    return "".join(marks)


def _entries(layer: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = layer.get(key)
    return found if isinstance(found, dict) else {}


def _cell_of(index: str, layout: Layout, size: int) -> int | None:
    """Return the cell of the board that a point is; None if it is none."""
    if re.fullmatch("[0-9]{1,7}", index) is None:
        return None
    kind, row, column = layout.point(int(index))
    return row * size + column if kind == CELL and 0 <= row < size and 0 <= column < size else None


def _mark_of(symbol: object) -> str | None:
    if not (isinstance(symbol, list) and len(symbol) > 1 and symbol[1] == "star" and isinstance(symbol[0], int)):
        return None
    return CROSS if symbol[0] == 0 else STAR
