"""Boards in one line that names the region of each cell, row by row: KrazyDad's, masonomara's, and the site's tasks.

- krazydad: `10,10,2,"layout","answer"`: size twice, stars, a letter for each cell, and 0 or 1 for each cell. The answer
  is left empty when written. When read it may be missing, and says nothing about the puzzle: it must be well formed but
  becomes no marks.
- masonomara: `10x2.` and a letter for each cell. A further point and what its generator notes (seed, difficulty) may
  follow and are not read.
- task, of puzzle-star-battle.com: the regions' numbers, commas between, alone or as the page has them, `task = "…"`.

Marks, and the stars of a task where they are others, follow: ` #stars=2&marks=…` with a character a cell.
"""

from __future__ import annotations

import math
import re

from solvent.starbattle.formats import TASK_START
from solvent.starbattle.model import LARGEST_SIZE, Puzzle
from solvent.starbattle.notation.assembling import (
    extra_stars,
    format_extras,
    format_layout,
    make_puzzle,
    read_layout,
    with_extra_marks,
)
from solvent.starbattle.notation.reading import (
    Content,
    Line,
    check_size,
    parse_size,
    parse_stars,
    read_line,
)

_PARTS = re.compile(r'([^,"]*),([^,"]*),([^,"]*),\s*"([^"]*)"(?:\s*,\s*"([^"]*)")?')
_NOTE = re.compile(r"[0-9A-Za-z_-]*")
_ID = re.compile(r"0*([0-9]{1,6})")


def parse_krazydad(text: str) -> Puzzle:
    """Read a line of KrazyDad's."""
    content, line = read_line(text, "marks")
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


def parse_masonomara(text: str) -> Puzzle:
    """Read a board in one line."""
    content, line = read_line(text, "marks")
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


def parse_task(text: str) -> Puzzle:
    """Read a task."""
    content, line = _find_task(text)
    count, most = line.text.count(",") + 1, LARGEST_SIZE**2
    if count > most:
        raise line.place().error(f"at most {most} numbers, one for each cell, but there are {count}")
    ids, places = [], []
    start = 0
    for piece in line.text.split(","):
        place = line.place(start + len(piece) - len(piece.lstrip()))
        found = _ID.fullmatch(piece.strip())
        if found is None:
            raise place.error("the number of a region", piece.strip())
        ids.append(found[1])
        places.append(place)
        start += len(piece) + 1
    size = math.isqrt(len(ids))
    if size * size != len(ids):
        raise line.place(len(line.text)).error("a square number of regions, such as 25 for size 5", len(ids))
    check_size(size, "rows", line.place())
    puzzle = make_puzzle(size, extra_stars(content, size), ids, places.__getitem__)
    return with_extra_marks(puzzle, content)


def _find_task(text: str) -> tuple[Content, Line]:
    """Return the line with the numbers, which may stand in quotation marks behind `task =`, as in the page itself."""
    found = re.search(rf"{TASK_START}([\"'`]?)([^\"'`;\n]*)", text)
    if found is None:
        return read_line(text, "stars", "marks")
    number = text.count("\n", 0, found.start(2)) + 1
    line = Line(number, found.start(2) - text.rfind("\n", 0, found.start(2)), found[2].rstrip())
    if not line.text:
        raise line.place().error("the numbers of the regions, but there are none")
    return Content((line,), {}, number + 1), line


def format_task(puzzle: Puzzle) -> str:
    """Write a task, regions as numbers from 1."""
    numbers = ",".join(str(region + 1) for region in puzzle.regions)
    extras = format_extras(puzzle, stars=True, marks=True)
    return f"{numbers} {extras}\n" if extras else f"{numbers}\n"
