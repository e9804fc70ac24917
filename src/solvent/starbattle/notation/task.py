"""The task of puzzle-star-battle.com: the regions' numbers row by row, commas between, all in one line.

The stars follow from the size: 1 for 5, 6 and 8, 2 for 10, 3 for 14, 4 for 17, 5 for 21, 6 for 25, and 1 for sizes the
site does not have. Other stars, and marks, follow: ` #stars=2&marks=…` with a character a cell.
"""

from __future__ import annotations

import math
import re

from solvent.starbattle.model import LARGEST_SIZE, Puzzle
from solvent.starbattle.notation.assembling import extra_stars, format_extras, make_puzzle, with_extra_marks
from solvent.starbattle.notation.reading import check_size, read_content

_ID = re.compile(r"0*([0-9]{1,6})")


def parse_task(text: str) -> Puzzle:
    """Read a task."""
    content = read_content(text, most_lines=1)
    content.allow_extras("stars", "marks")
    line = content.only_line()
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


def format_task(puzzle: Puzzle) -> str:
    """Write a task, regions as numbers from 1."""
    numbers = ",".join(str(region + 1) for region in puzzle.regions)
    extras = format_extras(puzzle, stars=True, marks=True)
    return f"{numbers} {extras}\n" if extras else f"{numbers}\n"
